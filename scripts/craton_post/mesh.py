"""Cells on the unit sphere, and values at any point of it.

A point p lies in one Delaunay triangle of cell centres. On this grid one corner of it is the nearest centre, so the
triangle is found among the six around that. With the weights w_i of p in it and gradients g_i at the centres x_i,
  f(p) = sum w_i (f_i + g_i . (p - x_i) / 2)
is continuous and exact for quadratics: maps show no hexagons and no facets. It is kept between the least and the
greatest of the f_i, so that a cliff makes no islands that no cell has.
"""
import os

import h5py
import numpy as np
from scipy.spatial import cKDTree

from .errors import BAD_INPUT, PostError

CHUNK = 1 << 18


def to_vectors(lon_deg, lat_deg):
    lon, lat = np.radians(np.asarray(lon_deg, dtype=float)), np.radians(np.asarray(lat_deg, dtype=float))
    return np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], axis=-1)


def to_lon_lat(p):
    return np.degrees(np.arctan2(p[..., 1], p[..., 0])), np.degrees(np.arcsin(np.clip(p[..., 2], -1, 1)))


def east_north(p):
    """Unit vectors east and north at unit vectors p; at a pole those of longitude 0."""
    flat = np.hypot(p[..., 0], p[..., 1])
    pole = flat < 1e-12
    safe = np.where(pole, 1.0, flat)
    east = np.stack([np.where(pole, 0.0, -p[..., 1] / safe), np.where(pole, 1.0, p[..., 0] / safe),
                     np.zeros_like(flat)], axis=-1)
    return east, np.cross(p, east)


class Mesh:
    def __init__(self, lon, lat, area_m2, neighbours, radius_m, frequency):
        self.centres = to_vectors(lon, lat)
        self.area_m2 = np.asarray(area_m2, dtype=float)
        self.neighbours = np.asarray(neighbours)
        self.radius_m = radius_m
        self.frequency = frequency
        self.count = len(self.centres)
        self.degree = np.where(self.neighbours[:, 5] == np.arange(self.count), 5, 6)
        self._tree = None

    @staticmethod
    def load(path):
        try:
            with h5py.File(path, "r") as file:
                cells = file["cells"]
                return Mesh(cells["lon"][...], cells["lat"][...], cells["area_m2"][...], cells["neighbours"][...],
                            float(np.ravel(file.attrs["radius_m"])[0]), int(np.ravel(file.attrs["frequency"])[0]))
        except (OSError, KeyError) as error:
            raise PostError(BAD_INPUT, f"{os.path.basename(path)} is not a mesh file of Craton: {error}") from error

    @property
    def spacing_m(self):
        return float(np.sqrt(2 / np.sqrt(3) * self.area_m2.mean()))

    def nearest(self, p):
        if self._tree is None:
            self._tree = cKDTree(self.centres)
        return self._tree.query(p)[1]

    def next_slot(self, slot):
        """The neighbour after the given slot of every cell, counter-clockwise."""
        following = np.where(slot + 1 < self.degree, slot + 1, 0)
        return self.neighbours[np.arange(self.count), following]

    def triangles(self):
        """All triangles of adjacent centres, each once."""
        found = []
        own = np.arange(self.count)
        for slot in range(6):
            b, c = self.neighbours[:, slot], self.next_slot(slot)
            mine = (own < b) & (own < c) & (slot < self.degree)
            found.append(np.stack([own[mine], b[mine], c[mine]], axis=1))
        return np.concatenate(found)

    def gradients(self, values):
        """Least-squares gradient at every cell over its neighbours, as a tangent vector [cells, 3], per unit of arc."""
        values = np.asarray(values, dtype=float)
        result = np.empty((self.count, 3))
        for start in range(0, self.count, CHUNK):
            own = slice(start, min(start + CHUNK, self.count))
            centre = self.centres[own]
            east, north = east_north(centre)
            xx = xy = yy = xf = yf = 0.0
            for slot in range(6):
                other = self.neighbours[own, slot]
                step = self.centres[other] - centre
                x, y = np.einsum("ij,ij->i", step, east), np.einsum("ij,ij->i", step, north)
                rise = values[other] - values[own]
                xx, xy, yy, xf, yf = xx + x * x, xy + x * y, yy + y * y, xf + x * rise, yf + y * rise
            det = xx * yy - xy * xy
            result[own] = ((yy * xf - xy * yf) / det)[:, None] * east + ((xx * yf - xy * xf) / det)[:, None] * north
        return result

    def locate(self, p):
        """Corners [points, 3] and weights [points, 3] of the triangle around each unit vector."""
        corners = np.empty((len(p), 3), dtype=np.int32)
        weights = np.empty((len(p), 3), dtype=np.float32)
        for start in range(0, len(p), CHUNK):
            part = slice(start, start + CHUNK)
            corners[part], weights[part] = self._locate(p[part])
        return corners, weights

    def _locate(self, p):
        first = self.nearest(p)
        best = np.full(len(p), -np.inf)
        corners = np.empty((len(p), 3), dtype=np.int32)
        weights = np.empty((len(p), 3))
        around, degree = self.neighbours[first], self.degree[first]
        a = self.centres[first]
        rows = np.arange(len(p))
        for slot in range(6):
            second = around[:, slot]
            third = around[rows, np.where(slot + 1 < degree, slot + 1, 0)]
            b, c = self.centres[second], self.centres[third]
            w = np.stack([_triple(p, b, c), _triple(a, p, c), _triple(a, b, p)], axis=1)
            with np.errstate(invalid="ignore", divide="ignore"):
                w /= w.sum(axis=1, keepdims=True)
            worst = np.where(slot < degree, w.min(axis=1), -np.inf)
            better = worst > best
            best[better] = worst[better]
            weights[better] = w[better]
            corners[better] = np.stack([first, second, third], axis=1)[better]
        weights = np.clip(weights, 0, 1)
        return corners, weights / weights.sum(axis=1, keepdims=True)


def _triple(a, b, c):
    return np.einsum("ij,ij->i", a, np.cross(b, c))


class Sampler:
    """Values at fixed points of the sphere."""

    def __init__(self, mesh, points):
        self.mesh = mesh
        self.points = points
        self.corners, self.weights = mesh.locate(points)

    def nearest(self, values):
        strongest = self.weights.argmax(axis=1)
        return np.asarray(values)[self.corners[np.arange(len(strongest)), strongest]]

    def linear(self, values):
        values = np.asarray(values)
        return sum(self.weights[:, k] * values[self.corners[:, k]] for k in range(3))

    def smooth(self, values, gradients):
        result = np.zeros(len(self.points))
        for k in range(3):
            at = self.corners[:, k]
            reach = self.points - self.mesh.centres[at]
            result += self.weights[:, k] * (values[at] + 0.5 * np.einsum("ij,ij->i", gradients[at], reach))
        at = [values[self.corners[:, k]] for k in range(3)]
        return np.clip(result, np.minimum.reduce(at), np.maximum.reduce(at))

    def slope(self, gradients):
        """East and north components of the interpolated gradient."""
        g = sum(self.weights[:, k, None] * gradients[self.corners[:, k]] for k in range(3))
        east, north = east_north(self.points)
        return np.einsum("ij,ij->i", g, east), np.einsum("ij,ij->i", g, north)

    def label(self, labels, ignore=None):
        """The label with the greatest weight. ignore: a label that wins only where there is no other."""
        labels = np.asarray(labels)
        at = [labels[self.corners[:, k]] for k in range(3)]
        best, winner = np.full(len(self.points), -2.0), at[0].copy()
        for mine in at:
            score = sum(self.weights[:, k] * (at[k] == mine) for k in range(3))
            if ignore is not None:
                score = np.where(mine == ignore, -1.0, score)
            better = score > best
            best[better], winner[better] = score[better], mine[better]
        return winner
