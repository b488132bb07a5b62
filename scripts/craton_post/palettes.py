"""Colours. A ramp has stops at the values that its bar names, equally far apart on the bar."""
import copy

import numpy as np


def rgb(text):
    return np.array([int(text[k:k + 2], 16) for k in (1, 3, 5)]) / 255


class Ramp:
    def __init__(self, stops, colours, label, stepped=False):
        """stepped: colours of the intervals between stops; else colours at the stops."""
        self.stops = np.asarray(stops, dtype=float)
        self.colours = np.array([rgb(c) for c in colours])
        self.label = label
        self.stepped = stepped

    def __call__(self, values):
        if self.stepped:
            return self.colours[np.clip(np.searchsorted(self.stops, values, "right") - 1, 0, len(self.colours) - 1)]
        return np.stack([np.interp(values, self.stops, self.colours[:, k]) for k in range(3)], axis=-1)

    def bar(self, pixels):
        """Colours of the bar, one row, and where the stops are on it, 0 to 1."""
        where = np.linspace(0, 1, len(self.stops))
        return self(np.interp((np.arange(pixels) + 0.5) / pixels, where, self.stops))[None], where

    def over(self, low, high):
        """The same colours over other values, where these lie outside the stops for the most part."""
        if low >= self.stops[0] and high <= self.stops[-1]:
            return self
        other = copy.copy(self)
        other.stops = np.linspace(low, high, len(self.stops)).round(1)
        return other


SEA = Ramp([-8000, -6000, -5000, -4000, -3000, -2000, -1000, -200, 0],
           ["#12306b", "#1f4f93", "#2e68a8", "#4280ba", "#5a99ca", "#78b2da", "#9bcbe8", "#b9dcf1", "#cbe7f6"],
           "height above sea level (m)")
LAND = Ramp([0, 100, 250, 500, 1000, 1500, 2000, 3000, 4000, 6000],
            ["#7fb07f", "#9cc389", "#bdd59a", "#e3e4ad", "#ecd191", "#ddb273", "#c8935c", "#ab7652", "#9d8478",
             "#f7f4f2"], "height above sea level (m)")


class Hypsometric:
    """Sea and land joined at sea level; water is blue and land is not, however flat."""
    label = LAND.label

    def __call__(self, height):
        return np.where((height < 0)[..., None], SEA(height), LAND(height))

    def bar(self, pixels):
        stops = np.concatenate([SEA.stops, LAND.stops[1:]])
        where = np.linspace(0, 1, len(stops))
        values = np.interp((np.arange(pixels) + 0.5) / pixels, where, stops)
        return self(values)[None], where

    @property
    def stops(self):
        return np.concatenate([SEA.stops, LAND.stops[1:]])


TEMPERATURE = Ramp(np.arange(-40, 41, 5),
                   ["#3d2a66", "#4a3f8f", "#4b5cae", "#4b7cc0", "#5c9bcf", "#7db8dc", "#a5d2e7", "#cbe6ee", "#eef3e2",
                    "#fbeebb", "#fbdc8c", "#f9c263", "#f3a14a", "#e77c3c", "#d45433", "#b5302f", "#861a30"],
                   "mean annual temperature (°C)")
RAIN = Ramp([0, 50, 100, 250, 500, 750, 1000, 1500, 2000, 3000, 5000, 10000],
            ["#f3e3c3", "#efe0ab", "#e6e2a0", "#cfdf9b", "#a9d39a", "#7cc3a2", "#52afae", "#3494b6", "#2a74b0",
             "#2c529c", "#30317c"], "precipitation (mm per year)", stepped=True)
AGE = Ramp(np.arange(0, 201, 20),
           ["#c4161c", "#ea5a23", "#f89a2b", "#fdd443", "#d6e24a", "#7cc756", "#2fae86", "#2090b4", "#2d66b0",
            "#47419a", "#5a2a80"], "age of the ocean floor (million years)")

LAND_GREY = rgb("#d9d5cc")
SEA_PALE = rgb("#dbe9f1")
COAST = "#31506b"
RIVER = "#1f5fa8"

# Beck et al. 2018, Scientific Data 5, 180214; classes 1 to 30 in the order of the field's documentation.
KOPPEN_NAMES = ["Af", "Am", "Aw", "BWh", "BWk", "BSh", "BSk", "Csa", "Csb", "Csc", "Cwa", "Cwb", "Cwc", "Cfa", "Cfb",
                "Cfc", "Dsa", "Dsb", "Dsc", "Dsd", "Dwa", "Dwb", "Dwc", "Dwd", "Dfa", "Dfb", "Dfc", "Dfd", "ET", "EF"]
KOPPEN = np.array([
    (0, 0, 255), (0, 120, 255), (70, 170, 250), (255, 0, 0), (255, 150, 150), (245, 165, 0), (255, 220, 100),
    (255, 255, 0), (200, 200, 0), (150, 150, 0), (150, 255, 150), (100, 200, 100), (50, 150, 50), (200, 255, 80),
    (100, 255, 80), (50, 200, 0), (255, 0, 255), (200, 0, 200), (150, 50, 150), (150, 100, 150), (170, 175, 255),
    (90, 120, 220), (75, 80, 180), (50, 0, 135), (0, 255, 255), (55, 200, 255), (0, 125, 125), (0, 70, 95),
    (178, 178, 178), (102, 102, 102)]) / 255

# Boundary kinds: divergent, transform, subduction, collision, convergence of two ocean floors.
BOUNDARY = {1: ("#d7261e", "spreading"), 2: ("#2e9e4f", "transform"), 3: ("#1f4fb4", "subduction"),
            5: ("#8a3fb0", "collision"), 6: ("#1f9bb4", "oceanic convergence")}

PLATES = np.array([rgb(c) for c in (
    "#f2c9a1", "#b7d3a8", "#a9cbe0", "#e7b7c0", "#d8cf9a", "#c3b8dc", "#a8d8cb", "#f0dca0", "#cfb9a5", "#bfd6e8",
    "#dcc0dd", "#c9e0a6", "#f0bda6", "#a9bfae", "#e6d3c5", "#b3c1dc")])


def plate_colours(mesh, plate):
    """A colour for every plate such that neighbours differ: the least used that no neighbour has."""
    edges = [np.stack([plate, plate[mesh.neighbours[:, slot]]], axis=1) for slot in range(6)]
    pairs = np.unique(np.concatenate(edges), axis=0)
    numbers, sizes = np.unique(plate, return_counts=True)
    chosen, used = {}, np.zeros(len(PLATES), dtype=int)
    for number in numbers[np.argsort(-sizes, kind="stable")]:
        near = {chosen[other] for other in pairs[pairs[:, 0] == number, 1] if other in chosen}
        free = [k for k in range(len(PLATES)) if k not in near] or range(len(PLATES))
        chosen[number] = min(free, key=lambda k: (used[k], k))
        used[chosen[number]] += 1
    table = np.zeros((int(numbers.max()) + 1, 3))
    for number, colour in chosen.items():
        table[number] = PLATES[colour]
    return table
