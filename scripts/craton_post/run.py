"""A run directory: its snapshots in order of time, their fields, its mesh, its time series."""
import csv
import json
import os
import re

import h5py
import numpy as np

from .errors import BAD_INPUT, PostError
from .mesh import Mesh


class Snapshot:
    """One snapshot. Fields are read when asked for: one value per cell, in the order of global ids."""

    def __init__(self, path, time_myr):
        self.path = path
        self.time_myr = time_myr
        try:
            with h5py.File(path, "r") as file:
                self.fields = sorted(file["VTKHDF/CellData"])
                self.step = int(np.ravel(file.attrs["step"])[0])
                self.sea_level_m = float(np.ravel(file.attrs["sea_level_m"])[0])
                hash_text = file.attrs.get("state_hash", "")
                self.state_hash = hash_text.decode() if isinstance(hash_text, bytes) else str(hash_text)
                link = file["VTKHDF"].get("Points", getlink=True)
                self.mesh_path = os.path.normpath(os.path.join(os.path.dirname(path), link.filename))
        except (OSError, KeyError, AttributeError) as error:
            raise PostError(BAD_INPUT, f"{path} is not a snapshot of Craton: {error}") from error

    def read(self, name):
        if name not in self.fields:
            raise PostError(BAD_INPUT, f"{self.path} has no field {name}; it has {', '.join(self.fields)}")
        with h5py.File(self.path, "r") as file:
            return file["VTKHDF/CellData/" + name][...]


class Run:
    def __init__(self, path):
        self.path = path
        self.name = os.path.basename(os.path.abspath(path))
        self._meshes = {}
        if not os.path.isdir(path):
            raise PostError(BAD_INPUT, f"there is no run directory {path}")
        series = os.path.join(path, "output", "planet.hdf.series")
        if not os.path.isfile(series):
            raise PostError(BAD_INPUT, f"{path} has no snapshots yet: output/planet.hdf.series is missing")
        try:
            with open(series, encoding="utf-8") as file:
                entries = [(entry["name"], float(entry["time"])) for entry in json.load(file)["files"]]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise PostError(BAD_INPUT, f"{series} is not readable: {error}") from error
        self.entries = [(os.path.join(path, "output", name), time) for name, time in entries]
        if not self.entries:
            raise PostError(BAD_INPUT, f"{path} has no snapshots yet: output/planet.hdf.series names none")

    def snapshots(self, step="last"):
        """step: a number, 'last' or 'all'."""
        if step == "last":
            return [Snapshot(*self.entries[-1])]
        if step == "all":
            return [Snapshot(*entry) for entry in self.entries]
        steps = [int(re.search(r"(\d+)\.hdf$", path).group(1)) for path, _ in self.entries]
        for entry, number in zip(self.entries, steps):
            if str(number) == str(step):
                return [Snapshot(*entry)]
        raise PostError(BAD_INPUT, f"{self.path} has no snapshot of step {step}; it has {', '.join(map(str, steps))}")

    def mesh(self, snapshot):
        if snapshot.mesh_path not in self._meshes:
            self._meshes[snapshot.mesh_path] = Mesh.load(snapshot.mesh_path)
        return self._meshes[snapshot.mesh_path]

    def seed(self):
        """The seed as text, or None where the configuration is not there."""
        for name in ("config.resolved.yaml", "config.input.yaml"):
            path = os.path.join(self.path, name)
            if os.path.isfile(path):
                with open(path, encoding="utf-8") as file:
                    found = re.search(r"^seed:\s*(\S+)", file.read(), re.MULTILINE)
                if found:
                    return found.group(1)
        return None

    def time_series(self):
        """Columns of series/diagnostics.csv by name."""
        path = os.path.join(self.path, "series", "diagnostics.csv")
        if not os.path.isfile(path):
            raise PostError(BAD_INPUT, f"{self.path} has no time series: series/diagnostics.csv is missing")
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
        rows = [row for row in rows if len(row) == len(rows[0])]  # the last line of a killed run may be half a line
        if len(rows) < 2:
            raise PostError(BAD_INPUT, f"{path} has no lines yet")
        try:
            values = np.array(rows[1:], dtype=float)
        except ValueError as error:
            raise PostError(BAD_INPUT, f"{path} is not readable: {error}") from error
        return dict(zip(rows[0], values.T))

    def maps_dir(self):
        return os.path.join(self.path, "output", "maps")
