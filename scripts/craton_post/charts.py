"""Charts: area by height, and the time series."""
import os

import numpy as np

from .canvas import DPI, INK, PAPER, plt
from .errors import BAD_INPUT, PostError
from .maps import grouped

LINE = "#1f5fa8"

# What is drawn of diagnostics.csv: title, unit, factor, columns with their names in the legend.
PANELS = (
    ("Sea level", "m", 1, (("sea_level_m", ""),)),
    ("Land", "% of the planet", 100, (("land_fraction", "above the sea"),
                                      ("continental_area_fraction", "continental"))),
    ("Heights", "m", 1, (("height_max_m", "highest"), ("land_height_mean_m", "mean of land"))),
    ("Depths", "m", 1, (("ocean_depth_max_m", "deepest"), ("ocean_depth_mean_m", "mean of sea"))),
    ("Ocean floor", "million years", 1e-6, (("ocean_age_max_yr", "oldest"), ("ocean_age_mean_yr", "mean age"))),
    ("Plates", "number", 1, (("plate_count", ""),)),
    ("Mean speed of plates", "cm per year", 100, (("plate_speed_mean_m_per_yr", ""),)),
    ("Mean temperature", "°C", 1, (("temperature_mean_c", ""),)),
    ("Precipitation", "mm per year", 1000, (("precipitation_mean_m_per_yr", "planet"),
                                            ("precipitation_land_m_per_yr", "land"))),
    ("Climate classes", "% of land", 100, (
        ("koppen_a_land_fraction", "A tropical"), ("koppen_b_land_fraction", "B dry"),
        ("koppen_c_land_fraction", "C temperate"), ("koppen_d_land_fraction", "D cold"),
        ("koppen_e_land_fraction", "E polar"))),
    ("Rivers to the sea", "1000 km³ per year", 1e-12, (("discharge_to_sea_m3_per_yr", ""),)),
    ("Rock moved in a step", "million km³", 1e-15, (("erosion_m3", "eroded"), ("deposition_m3", "laid down"))),
)


def draw_series(run, path):
    columns = run.time_series()
    panels = [(*panel[:3], [pair for pair in panel[3] if pair[0] in columns]) for panel in PANELS]
    panels = [panel for panel in panels if panel[3]]
    if not panels or "time_yr" not in columns:
        raise PostError(BAD_INPUT, f"series/diagnostics.csv of {run.path} has none of the columns that are drawn")
    time = columns["time_yr"] / 1e6
    rows = -(-len(panels) // 3)
    figure, axes = plt.subplots(rows, 3, figsize=(18, 3.1 * rows + 0.8), dpi=DPI, facecolor=PAPER, squeeze=False)
    for axis in axes.flat[len(panels):]:
        axis.set_visible(False)
    for axis, (title, unit, factor, named) in zip(axes.flat, panels):
        for name, text in named:
            axis.plot(time, columns[name] * factor, linewidth=1.6, label=text, color=None if text else LINE,
                      marker="o" if len(time) == 1 else None)
        _dress(axis, f"{title} ({unit})")
        if named[0][1]:
            axis.legend(fontsize=9, frameon=False)
    for axis in axes[-1]:
        axis.set_xlabel("million years")
    figure.suptitle(f"{run.name}: {len(time)} steps", x=0.02, ha="left", fontsize=17, weight="bold")
    figure.tight_layout(rect=(0, 0, 1, 0.985))
    return _save(figure, path)


def draw_hypsometry(run, snapshot, path, bin_m=250):
    """Left: area in bins of height. Right: part of the planet above each height."""
    mesh = run.mesh(snapshot)
    height = np.asarray(snapshot.read("height_above_sea_m"), dtype=float)
    part = 100 * mesh.area_m2 / mesh.area_m2.sum()
    low, high = np.floor(height.min() / bin_m) * bin_m, np.ceil((height.max() + 1) / bin_m) * bin_m
    edges = np.arange(low, high + bin_m, bin_m)
    share = np.histogram(height, edges, weights=part)[0]
    order = np.argsort(-height)
    figure, (left, right) = plt.subplots(1, 2, figsize=(15, 7), dpi=DPI, facecolor=PAPER, sharey=True)
    colours = np.where(edges[:-1] >= 0, "#b9a06a", "#4a87bd")
    left.barh(edges[:-1], share, height=bin_m * 0.92, align="edge", color=colours)
    left.set_xlabel(f"% of the planet in {bin_m} m")
    left.set_ylabel("height above sea level (m)")
    right.plot(np.cumsum(part[order]), height[order], color=LINE, linewidth=2)
    right.set_xlabel("% of the planet that is higher")
    right.set_xlim(0, 100)
    land = part[height >= 0].sum()
    for axis in (left, right):
        axis.axhline(0, color=INK, linewidth=0.8)
        _dress(axis, "")
    title = (f"Heights of {run.name} at {grouped(snapshot.time_myr, 1)} million years: land {land:.1f} %, "
             f"highest {grouped(height.max())} m, deepest {grouped(-height.min())} m")
    figure.suptitle(title, x=0.04, ha="left", fontsize=15, weight="bold")
    figure.tight_layout(rect=(0, 0, 1, 0.97))
    return _save(figure, path)


def _dress(axis, title):
    axis.set_title(title, loc="left", fontsize=11)
    axis.set_facecolor("white")
    axis.grid(color="#e3e0d8", linewidth=0.7)
    axis.set_axisbelow(True)
    for side in ("top", "right"):
        axis.spines[side].set_visible(False)


def _save(figure, path):
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    figure.savefig(path, facecolor=PAPER)
    plt.close(figure)
    return path
