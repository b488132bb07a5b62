#!/usr/bin/python3
"""Compiles each header of src/ alone, with the flags of a source of the same folder.

usage: check_headers.py BUILD_FOLDER [--all]

Without --all it leaves out headers that reach Kokkos, which cost seconds each. Exit 1 if a header does not compile.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2] / "src"
INCLUDE = re.compile(r'^\s*#\s*include\s+(?:"([^"]+)"|<(Kokkos_[^>]+)>)', re.MULTILINE)


def reaches_kokkos(header, known):
    """Whether the header, or one that it includes, includes a Kokkos header."""
    if header not in known:
        known[header] = False  # ends cycles
        for ours, kokkos in INCLUDE.findall(header.read_text(encoding="utf-8")):
            if kokkos or ((SOURCE / ours).exists() and reaches_kokkos(SOURCE / ours, known)):
                known[header] = True
    return known[header]


def flags_by_folder(build):
    """Compiler command without source and output, for each folder that has a source."""
    flags = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["file"])
        if SOURCE not in path.parents:
            continue
        words = shlex.split(entry["command"])
        while words and "ccache" in words[0]:
            words = words[1:]
        kept, skip = [], False
        for word in words:
            if skip:
                skip = False
            elif word in ("-o", "-c"):
                skip = True
            else:
                kept.append(word)
        flags.setdefault(path.parent, kept)
    return flags


def compile_alone(header, flags):
    folder = header.parent
    while folder not in flags and folder != SOURCE:
        folder = folder.parent
    command = flags.get(folder) or next(iter(flags.values()))
    unit = f'#include "{header.relative_to(SOURCE).as_posix()}"\n'
    result = subprocess.run([*command, "-fsyntax-only", "-x", "c++", "-"], input=unit, text=True, capture_output=True,
                            check=False)
    return header, result.returncode, result.stderr


def main():
    build = pathlib.Path(sys.argv[1])
    flags = flags_by_folder(build)
    if not flags:
        print("check_headers: error: compile_commands.json names no source of src/")
        return 1
    known = {}
    headers = [h for h in sorted(SOURCE.rglob("*.hpp")) if "--all" in sys.argv or not reaches_kokkos(h, known)]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=min(2, os.cpu_count() or 1)) as pool:
        for header, code, message in pool.map(lambda h: compile_alone(h, flags), headers):
            if code != 0:
                failed += 1
                print(f"{header.relative_to(SOURCE.parent)} does not compile alone:\n{message}")
    print(f"check_headers: {len(headers)} headers, {failed} failed")
    return 1 if failed or not headers else 0


if __name__ == "__main__":
    sys.exit(main())
