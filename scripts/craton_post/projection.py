"""Map projections, both ways. Coordinates of the map: y up, the half-width is about 2.

Mollweide: x = (2/pi) l cos t, y = sin t, 2t + sin 2t = pi sin(latitude); equal areas (Snyder 1987, section 31).
Orthographic: two half globes side by side, so that every point is in the picture.
"""
import numpy as np

from .errors import USAGE, PostError
from .mesh import to_lon_lat, to_vectors


class Projection:
    name = ""
    half_width = 2.0
    half_height = 1.0

    def grid(self, width):
        """Coordinates of the centres of the pixels, top row first."""
        height = int(round(width * self.half_height / self.half_width))
        x = ((np.arange(width) + 0.5) / width * 2 - 1) * self.half_width
        y = (1 - (np.arange(height) + 0.5) / height * 2) * self.half_height
        return x, y

    def whole(self, xy):
        """Which of the curves xy [n, points, 2] the edge of the map does not cut."""
        return np.abs(np.diff(xy, axis=1)).max(axis=(1, 2)) < 0.2 * self.half_width

    def extent(self):
        return (-self.half_width, self.half_width, -self.half_height, self.half_height)


class Equirectangular(Projection):
    name = "equirectangular"

    def __init__(self, centre_lon=0.0):
        self.centre_lon = centre_lon

    def inverse(self, x, y):
        """Unit vectors of the points of the map, and which points are on it."""
        return to_vectors(x * 90 + self.centre_lon, y * 90), np.ones(np.shape(x), dtype=bool)

    def forward(self, p):
        lon, lat = to_lon_lat(p)
        return wrapped(lon - self.centre_lon) / 90, lat / 90

    def outlines(self):
        return [(np.array([-2, 2, 2, -2, -2.0]), np.array([-1, -1, 1, 1, -1.0]))]


class Mollweide(Projection):
    name = "mollweide"

    def __init__(self, centre_lon=0.0):
        self.centre_lon = centre_lon

    def inverse(self, x, y):
        y = np.clip(y, -1, 1)
        t = np.arcsin(y)
        cosine = np.sqrt(1 - y * y)
        with np.errstate(invalid="ignore", divide="ignore"):
            lon = np.where(cosine > 1e-12, x / (2 * cosine) * 180, 0.0)
        lat = np.degrees(np.arcsin(np.clip((2 * t + np.sin(2 * t)) / np.pi, -1, 1)))
        inside = np.abs(x) <= 2 * cosine
        return to_vectors(np.where(inside, lon, 0) + self.centre_lon, lat), inside

    def forward(self, p):
        lon, lat = to_lon_lat(p)
        target = np.pi * np.sin(np.radians(lat))
        t = np.radians(lat)
        low, high = np.full_like(t, -np.pi / 2), np.full_like(t, np.pi / 2)
        for _ in range(40):  # bisection: Newton's derivative vanishes at the poles
            t = (low + high) / 2
            above = 2 * t + np.sin(2 * t) > target
            high, low = np.where(above, t, high), np.where(above, low, t)
        return wrapped(lon - self.centre_lon) / 90 * np.cos(t), np.sin(t)

    def outlines(self):
        t = np.linspace(0, 2 * np.pi, 721)
        return [(2 * np.cos(t), np.sin(t))]


class Orthographic(Projection):
    name = "orthographic"
    gap = 0.03
    half_width = 2 + 2 * gap
    half_height = 1 + gap

    def __init__(self, centre_lon=0.0, centre_lat=20.0):
        front = to_vectors(centre_lon, centre_lat)
        self.frames = [frame_at(front), frame_at(-front)]
        self.offsets = [-1 - self.gap, 1 + self.gap]

    def inverse(self, x, y):
        p = np.zeros(np.shape(x) + (3,))
        p[..., 2] = 1.0
        inside = np.zeros(np.shape(x), dtype=bool)
        for (out, east, north), offset in zip(self.frames, self.offsets):
            r2 = (x - offset) ** 2 + y ** 2
            here = r2 <= 1
            z = np.sqrt(1 - r2[here])
            p[here] = z[:, None] * out + (x[here] - offset)[:, None] * east + y[here][:, None] * north
            inside |= here
        return p, inside

    def forward(self, p):
        (out, east, north), (_, east2, north2) = self.frames
        front = p @ out >= 0
        x = np.where(front, p @ east + self.offsets[0], p @ east2 + self.offsets[1])
        return x, np.where(front, p @ north, p @ north2)

    def whole(self, xy):
        return np.abs(np.sign(xy[:, :, 0]).sum(axis=1)) == xy.shape[1]

    def outlines(self):
        t = np.linspace(0, 2 * np.pi, 721)
        return [(np.cos(t) + offset, np.sin(t)) for offset in self.offsets]


def frame_at(out):
    east = np.cross([0, 0, 1.0], out)
    east = east / np.linalg.norm(east) if np.linalg.norm(east) > 1e-9 else np.array([0, 1.0, 0])
    return out, east, np.cross(out, east)


def wrapped(lon):
    return (lon + 180) % 360 - 180


NAMES = ("equirectangular", "mollweide", "orthographic")


def make(name, mesh, height):
    """The projection of that name. Half globes look at the middle of the land."""
    if name == "equirectangular":
        return Equirectangular()
    if name == "mollweide":
        return Mollweide()
    if name == "orthographic":
        land = (mesh.centres * (mesh.area_m2 * (height >= 0))[:, None]).sum(axis=0)
        if np.linalg.norm(land) < 1e-9 * mesh.area_m2.sum():
            return Orthographic()
        lon, lat = to_lon_lat(land / np.linalg.norm(land))
        return Orthographic(float(lon), float(np.clip(lat, -35, 35)))
    raise PostError(USAGE, f"there is no projection {name}; there are {', '.join(NAMES)} and all")
