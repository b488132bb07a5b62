"""Command line of craton-post."""
import argparse
import os
import sys

from .errors import OUTPUT_FAILED, USAGE, PostError
from .projection import NAMES
from .run import Run

DESCRIPTION = """Pictures of a Craton run. They go to RUN/output/maps unless --out says otherwise."""
EXIT_CODES = "exit codes: 0 done, 2 wrong usage, 3 no run, no snapshot or no such field there, 6 cannot write"


def main(arguments=None):
    options = parser().parse_args(arguments)
    try:
        options.action(options)
    except PostError as error:
        print(f"craton-post: error: {error}", file=sys.stderr)
        return error.code
    except OSError as error:
        print(f"craton-post: error: cannot write: {error}", file=sys.stderr)
        return OUTPUT_FAILED
    return 0


def parser():
    top = argparse.ArgumentParser(prog="craton-post", description=DESCRIPTION, epilog=EXIT_CODES)
    commands = top.add_subparsers(dest="command", required=True)

    def command(name, action, text, stepped=True):
        sub = commands.add_parser(name, help=text, description=text, epilog=EXIT_CODES)
        sub.add_argument("run", metavar="RUN", help="run directory")
        if stepped:
            sub.add_argument("--step", default="last", type=step_name, help="number of the step, last or all")
        sub.set_defaults(action=action)
        return sub

    maps = command("maps", draw_maps, "draw the maps of a snapshot")
    maps.add_argument("--fields", help="maps to draw, with commas between: elevation, plates, rivers, temperature, "
                                       "rain, koppen, age (default: all that the run has the fields for)")
    maps.add_argument("--projection", choices=NAMES + ("all",),
                      help="default: all maps in mollweide, elevation in the other two as well")
    maps.add_argument("--width", type=pixels, default=2000, help="pixels (default 2000)")
    maps.add_argument("--out", metavar="DIR")
    sheet = command("sheet", draw_sheet, "draw six maps on one small picture")
    sheet.add_argument("--out", metavar="FILE.png")
    sheet.add_argument("--largest-kb", type=int, default=290, help="size that the file must not exceed (default 290)")
    series = command("series", draw_series, "draw the time series of diagnostics.csv", stepped=False)
    series.add_argument("--out", metavar="FILE.png")
    hypsometry = command("hypsometry", draw_hypsometry, "draw area by height and depth")
    hypsometry.add_argument("--out", metavar="FILE.png")
    report = command("report", write_report, "write one page with all pictures and figures")
    report.add_argument("--width", type=pixels, default=2000, help="pixels of the maps (default 2000)")
    return top


def step_name(text):
    if text in ("last", "all") or text.isdigit():
        return text if not text.isdigit() else str(int(text))
    raise argparse.ArgumentTypeError(f"{text} is neither a number nor last nor all")


def pixels(text):
    if not text.isdigit() or not 200 <= int(text) <= 20000:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 200 to 20000")
    return int(text)


def choices(fields, projection):
    """Triples of map, projection and whether it was asked for by name, projection after projection."""
    from . import maps
    names = [name.strip() for name in fields.split(",") if name.strip()] if fields is not None else list(maps.MAPS)
    if not names:
        raise PostError(USAGE, "--fields names no map")
    maps.check_names(names)
    asked = fields is not None
    if projection is None:
        chosen = [(name, "mollweide") for name in names]
        chosen += [("elevation", other) for other in ("equirectangular", "orthographic") if "elevation" in names]
    else:
        chosen = [(name, one) for one in (NAMES if projection == "all" else (projection,)) for name in names]
    return [(name, one, asked) for name, one in chosen]


def draw_maps(options):
    from . import maps
    chosen = choices(options.fields, options.projection)
    run = Run(options.run)
    maps.draw_all(run, options.step, chosen, options.width, options.out or run.maps_dir(), print)


def draw_sheet(options):
    from . import sheet
    run = Run(options.run)
    path = options.out or os.path.join(run.maps_dir(), "sheet.png")
    path, size = sheet.draw(run, options.step, path, options.largest_kb * 1000)
    print(f"{path} ({size / 1000:.0f} kB)")


def draw_series(options):
    from . import charts
    run = Run(options.run)
    print(charts.draw_series(run, options.out or os.path.join(run.maps_dir(), "series.png")))


def draw_hypsometry(options):
    from . import charts
    run = Run(options.run)
    snapshot = run.snapshots(options.step)[-1]
    print(charts.draw_hypsometry(run, snapshot, options.out or os.path.join(run.maps_dir(), "hypsometry.png")))


def write_report(options):
    from . import report
    print(report.write(Run(options.run), options.step, options.width, print))
