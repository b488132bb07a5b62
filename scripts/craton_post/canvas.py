"""One map on one sheet: frame, raster, lines, title, bar, footnote."""
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
from matplotlib.collections import LineCollection  # noqa: E402
from matplotlib.patches import PathPatch  # noqa: E402
from matplotlib.path import Path  # noqa: E402

from .mesh import to_vectors  # noqa: E402

INK = "#2b2b2b"
PAPER = "#fdfcf8"
DPI = 100

plt.rcParams.update({"font.family": "DejaVu Sans", "text.color": INK, "axes.edgecolor": INK, "xtick.color": INK,
                     "ytick.color": INK, "axes.labelcolor": INK})


def draw_cells_into(axes, projection, image):
    """Raster of the map, cut off along its outline."""
    drawn = axes.imshow(image, extent=projection.extent(), origin="upper", interpolation="none", zorder=1)
    rings = [Path(np.stack(line, axis=1)) for line in projection.outlines()]
    clip = PathPatch(Path.make_compound_path(*rings), transform=axes.transData, facecolor="none")
    drawn.set_clip_path(clip)


def pieces(projection, p):
    """Projected curves [n, points, 2] of curves [n, points, 3]; those that the edge of the map cuts are left out."""
    x, y = projection.forward(p.reshape(-1, 3))
    xy = np.stack([x, y], axis=1).reshape(p.shape[0], p.shape[1], 2)
    return xy, projection.whole(xy)


class Canvas:
    """scale: size of text and lines, 1 on a sheet that is 2000 pixels wide."""

    def __init__(self, projection, width, bare=False):
        """bare: nothing under the map, and the text larger, for a picture that is one of many."""
        self.projection = projection
        self.bare = bare
        self.scale = width / (1100 if bare else 2000)
        x, y = projection.grid(self.map_width(width))
        margin, top, below = (width - len(x)) / 2, 120 * self.scale, (25 if bare else 190) * self.scale
        if bare:
            top = 75 * self.scale
        height = int(round(top + len(y) + below))
        self.size = (width, height)
        self.figure = plt.figure(figsize=(width / DPI, height / DPI), dpi=DPI, facecolor=PAPER)
        self.map_box = (margin / width, below / height, len(x) / width, len(y) / height)
        self.axes = self.figure.add_axes(self.map_box)
        self.prepare(self.axes)

    @staticmethod
    def map_width(width):
        return int(width * 0.94)

    def prepare(self, axes):
        axes.set_axis_off()
        axes.set_xlim(-self.projection.half_width, self.projection.half_width)
        axes.set_ylim(-self.projection.half_height, self.projection.half_height)
        axes.set_autoscale_on(False)

    def points(self, size):
        """Font sizes and line widths in points from pixels of a 2000 pixel sheet."""
        return size * self.scale * 72 / DPI

    def raster(self, image):
        draw_cells_into(self.axes, self.projection, image)

    def lines(self, curves, colours, widths, zorder=3):
        xy, whole = pieces(self.projection, curves)
        colours = colours if isinstance(colours, str) else np.asarray(colours)[whole]
        widths = widths if np.isscalar(widths) else np.asarray(widths)[whole]
        self.axes.add_collection(LineCollection(xy[whole], colors=colours, linewidths=widths, capstyle="round",
                                                joinstyle="round", zorder=zorder))

    def contour(self, values, levels, colour, width, zorder=2):
        low, high = np.nanmin(values), np.nanmax(values)
        levels = [level for level in levels if low < level < high]
        if levels:
            x, y = self.projection.grid(values.shape[1])
            self.axes.contour(x, y, values, levels, colors=colour, linewidths=self.points(width), linestyles="solid",
                              zorder=zorder)

    def frame(self):
        """The outline, and unless the picture is small parallels and meridians every 30 degrees."""
        for x, y in self.projection.outlines():
            self.axes.plot(x, y, color=INK, linewidth=self.points(2.2), zorder=9, clip_on=False)
        if self.bare:
            return
        fine = np.linspace(-1, 1, 361)
        curves = [to_vectors(fine * 180, np.full(361, lat)) for lat in range(-60, 61, 30)]
        curves += [to_vectors(np.full(361, lon), fine * 90) for lon in range(-180, 180, 30)]
        for curve in curves:
            xy, whole = pieces(self.projection, np.stack([curve[:-1], curve[1:]], axis=1))
            self.axes.add_collection(LineCollection(xy[whole], colors="#3a3a3a", alpha=0.22, zorder=4,
                                                    linewidths=self.points(0.8)))
        if self.projection.name != "orthographic":
            self.degrees()

    def degrees(self):
        style = dict(fontsize=self.points(17), color="#666666", clip_on=False)
        for lat in (-60, -30, 0, 30, 60):
            x, y = self.projection.forward(to_vectors([-180.0 + 1e-6 + self.projection.centre_lon], [float(lat)]))
            text = f"{abs(lat)}°{'N' if lat > 0 else 'S' if lat < 0 else ''}"
            self.axes.text(x[0] - 0.012, y[0], text, ha="right", va="center", **style)

    def title(self, text, right):
        head = 1 - (38 if self.bare else 62) * self.scale / self.size[1]
        self.figure.text(self.map_box[0], head, text, fontsize=self.points(40), va="center", weight="bold")
        self.figure.text(1 - self.map_box[0], head, right, fontsize=self.points(27), va="center", ha="right",
                         color="#555555")

    def footnote(self, text):
        self.figure.text(0.5, 22 * self.scale / self.size[1], text, fontsize=self.points(18), va="center", ha="center",
                         color="#777777")

    def below(self, width=0.72, height=26, bottom=124):
        """Axes under the map."""
        return self.figure.add_axes([(1 - width) / 2, bottom * self.scale / self.size[1], width,
                                     height * self.scale / self.size[1]])

    def bar(self, ramp, formatted="{:,.0f}", every=1):
        if self.bare:
            return
        axes = self.below()
        image, where = ramp.bar(1024)
        axes.imshow(image, extent=(0, 1, 0, 1), aspect="auto", interpolation="nearest")
        axes.set_yticks([])
        labels = [formatted.format(v).replace("-", "−").replace(",", " ") for v in ramp.stops]
        axes.set_xticks(where[::every], labels[::every], fontsize=self.points(18))
        axes.tick_params(length=self.points(5), width=self.points(1), pad=self.points(3))
        for spine in axes.spines.values():
            spine.set_linewidth(self.points(1))
        axes.set_xlabel(ramp.label, fontsize=self.points(20), labelpad=self.points(9))

    def legend(self, handles, columns, title=None):
        if self.bare:
            return
        self.figure.legend(handles=handles, loc="center", bbox_to_anchor=(0.5, 108 * self.scale / self.size[1]),
                           ncol=columns, frameon=False, fontsize=self.points(20), title=title,
                           title_fontsize=self.points(20), handlelength=1.6, columnspacing=1.6, handletextpad=0.5)

    def save(self, path):
        self.figure.savefig(path, dpi=DPI, facecolor=PAPER, pil_kwargs={"compress_level": 6})
        plt.close(self.figure)
