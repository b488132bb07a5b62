"""A run directory with invented fields whose maps are known, in the layout of src/io/snapshot.cpp. Its mesh is a
geodesic grid of any frequency made from a convex hull; cell numbers follow no curve, which no map may notice."""
import json
import os
import sys

import h5py
import numpy as np
from scipy.spatial import ConvexHull

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "scripts"))

RADIUS_M = 6.371e6
UNITS = {"height_above_sea_m": "m", "drainage_area_m2": "m2", "temperature_c": "degree_Celsius"}


def geodesic_points(frequency):
    """Vertices of the subdivided icosahedron, each once."""
    golden = (1 + 5 ** 0.5) / 2
    corners = np.array([(0, a, b * golden) for a in (-1, 1) for b in (-1, 1)], dtype=float)
    corners = np.concatenate([np.roll(corners, k, axis=1) for k in range(3)])
    corners /= np.linalg.norm(corners[0])
    found = {}
    for face in ConvexHull(corners).simplices:
        a, b, c = corners[face]
        for i in range(frequency + 1):
            for j in range(frequency + 1 - i):
                p = i * a + j * b + (frequency - i - j) * c
                p /= np.linalg.norm(p)
                found.setdefault(tuple((p * 1e7).round().astype(int)), p)
    return np.array(list(found.values()))


def neighbour_table(points):
    """Counter-clockwise from outside; a pentagon's sixth is its own number."""
    around = [set() for _ in points]
    for a, b, c in ConvexHull(points).simplices:
        around[a] |= {b, c}
        around[b] |= {a, c}
        around[c] |= {a, b}
    table = np.empty((len(points), 6), dtype=np.int32)
    for cell, others in enumerate(around):
        others = sorted(others)
        first = points[others[0]] - points[cell]
        side = np.cross(points[cell], first)
        angle = [np.arctan2(points[o] @ side, points[o] @ first - points[cell] @ first) for o in others]
        ordered = [others[k] for k in np.argsort(angle)]
        table[cell] = ordered + [cell] * (6 - len(ordered))
    return table


def lon_lat(points):
    return np.degrees(np.arctan2(points[:, 1], points[:, 0])), np.degrees(np.arcsin(points[:, 2]))


def downhill(points, neighbours, height, area):
    """Receiver of each land cell (the lowest neighbour that is lower, else -1) and drainage areas."""
    around = height[neighbours]
    lowest = neighbours[np.arange(len(points)), around.argmin(axis=1)]
    receiver = np.where((height >= 0) & (around.min(axis=1) < height), lowest, -1)
    total = area.copy()
    for cell in np.argsort(-height):
        if receiver[cell] >= 0:
            total[receiver[cell]] += total[cell]
    return receiver, total


def fields_of(points, neighbours, area, time_myr):
    """A continent around longitude 0 that is dissected by a rough slope, two plates parted by the plane x = 0.2."""
    rough = np.sin(points @ np.array([31.0, 17, 5])) + np.sin(points @ np.array([-7.0, 23, 29]))
    height = 4000 * (points[:, 0] - 0.55) + 250 * rough + time_myr
    plate = (points[:, 0] > 0.2).astype(np.int32)
    edge = (plate[neighbours] != plate[:, None]).any(axis=1)
    kind = np.where(~edge, 0, np.where(points[:, 2] > 0, 1, np.where(plate == 1, 3, 4))).astype(np.int32)
    receiver, drainage = downhill(points, neighbours, height, area)
    temperature = 30 - 45 * points[:, 2] ** 2 - 0.006 * np.maximum(height, 0)
    koppen = np.where(height < 0, 0, np.where(temperature > 18, 1, np.where(temperature > 0, 15, 29))).astype(np.int32)
    velocity = np.cross([0, 0, 0.05], points) * np.where(plate == 1, 1, -1)[:, None]
    return receiver, {
        "height_above_sea_m": height, "elevation_m": height, "plate": plate, "boundary_kind": kind,
        "continental_fraction": (height > -500).astype(float), "crust_age_yr": 2e8 * np.abs(points[:, 0] - 0.2),
        "drainage_area_m2": drainage, "discharge_m3_per_yr": drainage * 0.3, "temperature_c": temperature,
        "precipitation_m_per_yr": 1.5 - points[:, 2] ** 2, "koppen": koppen, "plate_velocity": velocity}


def make(path, frequency=8, steps=(0, 10), leave_out=(), series=True):
    """Writes the run; returns the receivers of the last snapshot."""
    points = geodesic_points(frequency)
    neighbours = neighbour_table(points)
    area = np.full(len(points), 4 * np.pi * RADIUS_M ** 2 / len(points))
    area *= 1 + 0.1 * np.sin(7 * points[:, 0] + 3 * points[:, 1])
    area = area.astype(np.float32).astype(float)
    for part in ("snapshots", "mesh"):
        os.makedirs(os.path.join(path, "output", part))
    with h5py.File(os.path.join(path, "output", "mesh", "mesh.h5"), "w") as file:
        file["cells/lon"], file["cells/lat"] = (v.astype(np.float32) for v in lon_lat(points))
        file["cells/area_m2"] = area.astype(np.float32)
        file["cells/neighbours"] = neighbours
        file["geometry/Points"] = np.zeros((1, 3), dtype=np.float32)
        file.attrs["frequency"], file.attrs["radius_m"] = [frequency], [RADIUS_M]
    entries = []
    for step in steps:
        receiver, fields = fields_of(points, neighbours, area, float(step))
        name = f"snapshots/snap-{step:05d}.hdf"
        with h5py.File(os.path.join(path, "output", name), "w") as file:
            file["VTKHDF/Points"] = h5py.ExternalLink("../mesh/mesh.h5", "/geometry/Points")
            for field, values in fields.items():
                if field in leave_out:
                    continue
                whole = values.dtype.kind == "i"
                data = file.create_dataset("VTKHDF/CellData/" + field, data=values, dtype="i4" if whole else "f4")
                data.attrs["units"] = UNITS.get(field, "1")
            file.attrs["step"], file.attrs["sea_level_m"], file.attrs["state_hash"] = [step], [0.0], "0123456789abcdef"
        entries.append({"name": name, "time": float(step)})
    with open(os.path.join(path, "output", "planet.hdf.series"), "w", encoding="utf-8") as file:
        json.dump({"file-series-version": "1.0", "files": entries}, file)
    with open(os.path.join(path, "config.resolved.yaml"), "w", encoding="utf-8") as file:
        file.write("seed: 77\nmesh:\n  frequency: 8\n")
    if series:
        os.makedirs(os.path.join(path, "series"))
        with open(os.path.join(path, "series", "diagnostics.csv"), "w", encoding="utf-8") as file:
            file.write("step,time_yr,land_fraction,height_max_m\n0,0,0.29,3000\n1,1000000,0.28,3100\n2,2000000,0.2")
    return receiver
