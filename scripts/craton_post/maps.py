"""The maps of one snapshot. Each draws on a canvas; docs/design/pictures.md says what they show."""
import difflib
import os

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from . import boundaries, palettes, projection as projections, rivers
from .canvas import Canvas, pieces
from .errors import BAD_INPUT, USAGE, PostError
from .mesh import Sampler, to_vectors

SECONDS_PER_YEAR = 365.25 * 86400


class Scene:
    """What the maps of one snapshot share: fields, and gradients and network where somebody asks for them."""

    def __init__(self, run, snapshot):
        self.run, self.snapshot = run, snapshot
        self.mesh = run.mesh(snapshot)
        self.height = np.asarray(snapshot.read("height_above_sea_m"), dtype=float)
        self._kept = {}

    def keep(self, name, make):
        if name not in self._kept:
            self._kept[name] = make()
        return self._kept[name]

    def field(self, name):
        return self.keep(name, lambda: np.asarray(self.snapshot.read(name), dtype=float))

    def numbers(self, name):
        return self.keep(name, lambda: np.asarray(self.snapshot.read(name)))

    def gradients(self, part):
        """Of the land's surface, the sea at 0, or of the sea floor, the land at 0: a coast is no cliff on either."""
        sign = 1 if part == "land" else -1
        return self.keep(part, lambda: self.mesh.gradients(sign * np.maximum(sign * self.height, 0)))

    def exaggeration(self, part):
        """Factor on slopes such that the steep ones, one in thirty, stand at 45 degrees."""
        def measure():
            slope = np.linalg.norm(self.gradients(part), axis=1)[(self.height >= 0) == (part == "land")]
            return 1.0 / max(np.percentile(slope, 97), 1e-9) if len(slope) > 30 else 0.0
        return self.keep("exaggeration of " + part, measure)

    def receivers(self):
        return self.keep("receivers", lambda: rivers.receivers(self.mesh, self.field("drainage_area_m2"),
                                                               self.height))


def facts(run, snapshot):
    """What identifies a picture, on one line."""
    mesh, seed = run.mesh(snapshot), run.seed()
    parts = [run.name] + ([f"seed {seed}"] if seed else [])
    parts += [f"frequency {mesh.frequency}: {grouped(mesh.count)} cells of {mesh.spacing_m / 1000:.3g} km",
              f"step {snapshot.step}", "Craton"]
    return "   ·   ".join(parts)


def grouped(number, digits=0):
    """Thousands with narrow spaces."""
    return f"{number:,.{digits}f}".replace(",", "\u202f")


def stretched(height):
    """Heights such that those near the sea count for more: a coast lies about between the cells, not at the land's."""
    return np.sign(height) * np.log1p(np.abs(height) / 300)


def unstretched(value):
    return np.sign(value) * np.expm1(np.abs(value)) * 300


class View:
    """A scene in one projection at one size: the fields at its pixels."""

    def __init__(self, scene, projection, width):
        self.scene, self.projection = scene, projection
        x, y = projection.grid(width)
        points, self.inside = projection.inverse(*np.meshgrid(x, y))
        self.sampler = Sampler(scene.mesh, points[self.inside])
        even = scene.keep("stretched", lambda: stretched(scene.height))
        self.height = unstretched(self.sampler.smooth(even, scene.keep("even", lambda: scene.mesh.gradients(even))))
        land = self.sampler.slope(scene.gradients("land"))
        floor = self.sampler.slope(scene.gradients("sea"))
        up, down = scene.exaggeration("land"), 0.5 * scene.exaggeration("sea")
        east, north = [np.where(self.height >= 0, up * a, down * b) for a, b in zip(land, floor)]
        light = (0.5 * east - 0.5 * north + np.sqrt(0.5)) / np.sqrt(1 + east ** 2 + north ** 2)  # from the north-west
        self.shade = np.clip(light / np.sqrt(0.5), 0.3, 1.4)
        self.sea = self.height < 0

    def spread(self, values, empty=np.nan):
        """Values of the pixels on the map in a raster of all pixels."""
        raster = np.full(self.inside.shape + np.shape(values)[1:], empty, dtype=float)
        raster[self.inside] = values
        return raster

    def image(self, colours, land=0.0, sea=0.0):
        """Pixels with relief of the strengths given."""
        shade = (1 + np.where(self.sea, sea, land) * (self.shade - 1))[:, None]
        colours = np.where(shade <= 1, colours * shade, 1 - (1 - colours) * (2 - shade))
        raster = np.zeros(self.inside.shape + (4,), dtype=np.uint8)
        raster[self.inside, :3] = np.clip(colours, 0, 1) * 255 + 0.5
        raster[self.inside, 3] = 255
        return raster

    def coast(self, canvas, width=1.6, colour=palettes.COAST):
        canvas.contour(self.spread(self.height), [0.0], colour, width)


def draw_elevation(view, canvas):
    ramp = palettes.Hypsometric()
    canvas.raster(view.image(ramp(view.height), 0.8, 0.5))
    view.coast(canvas)
    canvas.bar(ramp)


def draw_plates(view, canvas):
    scene = view.scene
    plate = scene.numbers("plate")
    colours = palettes.plate_colours(scene.mesh, plate)[view.sampler.label(plate)]
    colours = np.where(view.sea[:, None], 0.45 + 0.55 * colours, colours * 0.93)
    canvas.raster(view.image(colours, 0.6, 0.3))
    view.coast(canvas, 1.1, "#6d6d6d")
    ends, kind, side = boundaries.segments(scene.mesh, plate, scene.numbers("boundary_kind"))
    plain = canvas.points(3.2)
    for number in (boundaries.INTERIOR, *palettes.BOUNDARY):
        colour = palettes.BOUNDARY.get(number, ("#555555", ""))[0]
        if np.any(kind == number):
            canvas.lines(ends[kind == number], colour, plain if number else 0.6 * plain, zorder=5)
    _draw_teeth(canvas, ends, side)
    fastest = _draw_arrows(view, canvas)
    shown = [Line2D([], [], color=colour, linewidth=2 * plain, label=name)
             for number, (colour, name) in palettes.BOUNDARY.items() if np.any(kind == number)]
    if fastest:
        shown.append(Line2D([], [], color="#333333", linewidth=plain * 0.6, marker=">", markersize=canvas.points(11),
                            label=f"motion, fastest {fastest * 100:.1f} cm per year"))
    canvas.legend(shown, len(shown), title="triangles stand on the plate that rides over")


def _draw_teeth(canvas, ends, side):
    size = 0.04
    middle, along, toward = boundaries.teeth(ends, side, 0.1)
    base = 0.55 * size
    corners = np.stack([middle - base * along, middle + size * toward, middle + base * along], axis=1)
    xy, whole = pieces(canvas.projection, corners)
    canvas.axes.add_collection(PolyCollection(xy[whole], facecolors=palettes.BOUNDARY[boundaries.OVERRIDING][0],
                                              edgecolors="none", zorder=6))


def _draw_arrows(view, canvas, count=240, length=0.2):
    """Arrows of plate motion at points evenly spread; the greatest speed."""
    k = np.arange(count) + 0.5
    points = to_vectors(k * 180 * (3 - np.sqrt(5)), np.degrees(np.arcsin(1 - 2 * k / count)))
    near = view.scene.mesh.nearest(points)
    points = view.scene.mesh.centres[near]
    velocity = view.scene.numbers("plate_velocity").astype(float)[near]
    speed = np.linalg.norm(velocity, axis=1)
    fastest = speed.max()
    if fastest <= 0:
        return 0.0
    reach = np.stack([points - velocity / fastest * length / 2, points + velocity / fastest * length / 2], axis=1)
    xy, whole = pieces(canvas.projection, reach / np.linalg.norm(reach, axis=2, keepdims=True))
    whole &= speed > 0.06 * fastest
    canvas.axes.quiver(xy[whole, 0, 0], xy[whole, 0, 1], *(xy[whole, 1] - xy[whole, 0]).T, angles="xy",
                       scale_units="xy", scale=1, width=0.0013, headwidth=4, headlength=5, headaxislength=4.5,
                       color="#333333", zorder=7)
    return fastest


def draw_rivers(view, canvas):
    scene = view.scene
    wet = np.array(palettes.LAND_GREY)
    land = wet * (1.06 - 0.22 * np.clip(view.height / 5000, 0, 1))[:, None]
    canvas.raster(view.image(np.where(view.sea[:, None], palettes.SEA_PALE, land), 0.7))
    view.coast(canvas, 1.3)
    discharge = scene.field("discharge_m3_per_yr") / SECONDS_PER_YEAR
    receiver = scene.receivers()
    flowing = np.sort(discharge[(receiver >= 0) & (scene.height >= 0)])[::-1]
    if len(flowing) == 0 or flowing[0] <= 0:
        return
    greatest = flowing[0]
    weakest = max(greatest * 2e-3, flowing[min(len(flowing) - 1, 6000)])
    curves, flow = rivers.courses(scene.mesh, receiver, discharge, weakest)
    order = np.argsort(flow)
    width, thinnest = canvas.points(8.0), 0.11

    def width_of(q):
        return width * np.clip(np.sqrt(q / greatest), thinnest, 1)
    canvas.lines(curves[order], palettes.RIVER, width_of(flow[order]))
    thinner = max(weakest, thinnest ** 2 * greatest)  # below that all lines look alike
    shown = [10 ** e * f for e in range(-2, 9) for f in (1, 3) if thinner <= 10 ** e * f <= greatest][-5:]
    canvas.legend([Line2D([], [], color=palettes.RIVER, linewidth=width_of(q), label=grouped(q))
                   for q in shown], len(shown) or 1, title="discharge (m³ per second)")


def draw_temperature(view, canvas):
    values = view.sampler.smooth(*_with_gradients(view.scene, "temperature_c"))
    ramp = palettes.TEMPERATURE
    low, high = np.percentile(values, [2, 98])
    ramp = ramp.over(low, high) if low < -60 or high > 50 else ramp
    canvas.raster(view.image(ramp(values), 0.35))
    canvas.contour(view.spread(values), [v for v in range(-120, 121, 10) if v], "#5a5040", 0.7)
    canvas.contour(view.spread(values), [0.0], "#2b2b66", 1.5)
    view.coast(canvas, 1.7, "#333333")
    canvas.bar(ramp)


def draw_rain(view, canvas):
    values = 1000 * view.sampler.linear(view.scene.field("precipitation_m_per_yr"))
    canvas.raster(view.image(palettes.RAIN(values), 0.35))
    view.coast(canvas, 1.7, "#333333")
    canvas.bar(palettes.RAIN)


def draw_koppen(view, canvas):
    classes = view.scene.numbers("koppen")
    at = view.sampler.label(classes, ignore=0)
    # The sea may have moved since the climate was last computed: land without a class yet is grey.
    land = np.where((at > 0)[:, None], palettes.KOPPEN[np.maximum(at, 1) - 1], palettes.LAND_GREY)
    colours = np.where(view.sea[:, None], palettes.SEA_PALE, land)
    canvas.raster(view.image(colours, 0.4))
    view.coast(canvas, 1.3, "#444444")
    on_land = view.scene.mesh.area_m2 * (view.scene.height >= 0)
    area = np.bincount(classes, weights=on_land, minlength=31)[1:31]
    present = np.flatnonzero(area > 0)
    if area.sum() > 0:
        part = 100 * area / on_land.sum()
        handles = [Patch(facecolor=palettes.KOPPEN[k], edgecolor="#666666", linewidth=0.4,
                         label=palettes.KOPPEN_NAMES[k] + (f" {part[k]:.0f} %" if part[k] >= 0.5 else " <1 %"))
                   for k in present]
        canvas.legend(handles, max(1, -(-len(handles) // 2)) if len(handles) > 8 else len(handles),
                      title="Köppen-Geiger class, part of land")


def draw_age(view, canvas):
    ocean = view.scene.field("continental_fraction") < 0.5
    age = np.where(ocean, view.scene.field("crust_age_yr") / 1e6, np.nan)
    # A continent's age must not run into the floor beside it: weights of ocean cells only.
    part = view.sampler.linear(ocean.astype(float))
    with np.errstate(invalid="ignore", divide="ignore"):
        values = view.sampler.linear(np.nan_to_num(age)) / part
    floor = view.sampler.label(ocean)
    low_land = palettes.LAND_GREY * np.where(view.sea, 0.93, 1.04)[:, None]
    canvas.raster(view.image(np.where(floor[:, None], palettes.AGE(np.nan_to_num(values)), low_land), 0.4, 0.25))
    view.coast(canvas, 1.3, "#444444")
    ends, kind, _ = boundaries.segments(view.scene.mesh, view.scene.numbers("plate"),
                                        view.scene.numbers("boundary_kind"))
    canvas.lines(ends, "#111111", canvas.points(1.6), zorder=5)
    canvas.bar(palettes.AGE)


def _with_gradients(scene, name):
    return scene.field(name), scene.keep("gradient of " + name, lambda: scene.mesh.gradients(scene.field(name)))


# Name: title, how it is drawn, fields of the snapshot that it needs.
MAPS = {
    "elevation": ("Elevation", draw_elevation, ("height_above_sea_m",)),
    "plates": ("Plates", draw_plates, ("height_above_sea_m", "plate", "boundary_kind", "plate_velocity")),
    "rivers": ("Rivers", draw_rivers, ("height_above_sea_m", "drainage_area_m2", "discharge_m3_per_yr")),
    "temperature": ("Temperature", draw_temperature, ("height_above_sea_m", "temperature_c")),
    "rain": ("Precipitation", draw_rain, ("height_above_sea_m", "precipitation_m_per_yr")),
    "koppen": ("Climate classes", draw_koppen, ("height_above_sea_m", "koppen")),
    "age": ("Age of the ocean floor", draw_age, ("height_above_sea_m", "crust_age_yr", "continental_fraction", "plate",
                                                 "boundary_kind")),
}


def check_names(names):
    for name in names:
        if name not in MAPS:
            near = difflib.get_close_matches(name, MAPS, 1, 0.4)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(MAPS)}"
            raise PostError(USAGE, f"there is no map {name}; {hint}")


def missing_fields(name, snapshot):
    return [field for field in MAPS[name][2] if field not in snapshot.fields]


def draw(view, name, width, bare=False):
    """The canvas with the map on it. bare: for contact sheets, without bar and footnote."""
    canvas = Canvas(view.projection, width, bare)
    title, paint, _ = MAPS[name]
    paint(view, canvas)
    canvas.frame()
    canvas.title(title, "" if bare else f"{grouped(view.scene.snapshot.time_myr, 1)} million years")
    if not bare:
        canvas.footnote(facts(view.scene.run, view.scene.snapshot))
    return canvas


def draw_all(run, step, choices, width, out, say):
    """choices: pairs of map and projection in order. Paths of the pictures."""
    os.makedirs(out, exist_ok=True)
    snapshots = run.snapshots(step)
    paths = []
    for snapshot in snapshots:
        lacking = {name: missing_fields(name, snapshot) for name, _, _ in choices}
        for name, fields in lacking.items():
            if fields and any(asked for other, _, asked in choices if other == name):
                raise PostError(BAD_INPUT, f"the map {name} needs the field {fields[0]}, which this run does not write")
        scene = Scene(run, snapshot)
        views = {}
        for name, projection, _ in choices:
            if lacking[name]:
                say(f"no map {name}: this run does not write {lacking[name][0]}")
                continue
            if projection not in views:
                made = projections.make(projection, scene.mesh, scene.height)
                views = {projection: View(scene, made, Canvas.map_width(width))}  # one at a time: they are large
            path = os.path.join(out, f"{name}-{projection}-{snapshot.step:05d}.png")
            draw(views[projection], name, width).save(path)
            paths.append(path)
            say(path)
    return paths
