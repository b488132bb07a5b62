"""One page, report.html in the run directory, that shows all pictures and the figures of the last step."""
import html
import os

from . import charts, maps
from .cli import choices
from .errors import PostError
from .maps import grouped

STYLE = """body{font:16px/1.5 sans-serif;color:#2b2b2b;background:#fdfcf8;max-width:1100px;margin:2em auto}
img{width:100%;border:1px solid #e3e0d8}table{border-collapse:collapse}td,th{padding:.2em 1em .2em 0;text-align:left}
td.n{text-align:right;font-variant-numeric:tabular-nums}figure{margin:2em 0}figcaption{color:#777}"""

# Figures of the last line of diagnostics.csv: column, text, factor, unit, digits.
FIGURES = (
    ("land_fraction", "land", 100, "% of the planet", 1), ("sea_level_m", "sea level above the datum", 1, "m", 0),
    ("land_height_mean_m", "mean height of land", 1, "m", 0), ("height_max_m", "highest", 1, "m", 0),
    ("ocean_depth_mean_m", "mean depth of the sea", 1, "m", 0), ("ocean_depth_max_m", "deepest", 1, "m", 0),
    ("ocean_age_mean_yr", "mean age of the ocean floor", 1e-6, "million years", 1),
    ("plate_count", "plates", 1, "", 0), ("plate_speed_mean_m_per_yr", "mean speed of plates", 100, "cm per year", 2),
    ("temperature_mean_c", "mean temperature", 1, "°C", 1),
    ("precipitation_mean_m_per_yr", "mean precipitation", 1000, "mm per year", 0),
    ("precipitation_land_m_per_yr", "mean precipitation on land", 1000, "mm per year", 0),
    ("discharge_to_sea_m3_per_yr", "rivers to the sea", 1e-9, "km³ per year", 0),
    ("discharge_max_m3_per_yr", "largest river", 1 / maps.SECONDS_PER_YEAR, "m³ per second", 0),
)


def write(run, step, width, say):
    out = run.maps_dir()
    pictures = maps.draw_all(run, step, choices(None, None), width, out, say)
    snapshot = run.snapshots(step)[-1]
    pictures.append(charts.draw_hypsometry(run, snapshot, os.path.join(out, "hypsometry.png")))
    rows = ""
    try:
        pictures.append(charts.draw_series(run, os.path.join(out, "series.png")))
        rows = _rows(run.time_series())
    except PostError as error:
        say(f"no time series: {error}")
    path = os.path.join(run.path, "report.html")
    with open(path, "w", encoding="utf-8") as file:
        file.write(_page(run, snapshot, rows, [os.path.relpath(picture, run.path) for picture in pictures]))
    return path


def _rows(columns):
    return "\n".join(
        f'<tr><td>{text}</td><td class="n">{grouped(columns[name][-1] * factor, digits)}</td><td>{unit}</td></tr>'
        for name, text, factor, unit, digits in FIGURES if name in columns)


def _page(run, snapshot, rows, pictures):
    name, facts = html.escape(run.name), html.escape(maps.facts(run, snapshot))
    state = f" · state {html.escape(snapshot.state_hash)}" if snapshot.state_hash else ""
    table = f"<h2>Figures of the last step</h2>\n<table>\n{rows}\n</table>" if rows else ""
    shown = "\n".join(
        f'<figure><a href="{p}"><img src="{p}" alt="{p}" loading="lazy"></a><figcaption>{p}</figcaption></figure>'
        for p in map(html.escape, pictures))
    return (f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{name}</title>\n'
            f"<style>{STYLE}</style></head>\n<body><h1>{name}, {grouped(snapshot.time_myr, 1)} million years</h1>\n"
            f"<p>{facts}{state}</p>\n{table}\n{shown}\n</body></html>\n")
