"""Failures that end the program with one sentence and an exit code of the user guide."""

USAGE = 2
BAD_INPUT = 3
OUTPUT_FAILED = 6


class PostError(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code
