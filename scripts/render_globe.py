"""Renders the planet with ParaView, without a screen. Called by render-globe, which starts a display.

  pvbatch render_globe.py RUN [--out FILE.png] [--field NAME] [--time MYR] [--size PIXELS] [--warp FACTOR] [--check]

--check opens output/planet.hdf.series as a user would and fails (exit 1) unless every time has the cells that the mesh
file has, the fields have the names and units that the files promise, and the picture is neither empty nor uniform.
"""
import argparse
import json
import os
import sys

import h5py
import numpy as np
from paraview import servermanager, simple as pv
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOImage import vtkPNGReader

# Heights in metres and colours of the atlas map of craton-post.
COLOURS = [(-8000, "12306b"), (-6000, "1f4f93"), (-4000, "4280ba"), (-2000, "78b2da"), (-200, "b9dcf1"), (-1, "cbe7f6"),
           (0, "7fb07f"), (250, "bdd59a"), (500, "e3e4ad"), (1000, "ecd191"), (2000, "c8935c"), (3000, "ab7652"),
           (4000, "9d8478"), (6000, "f7f4f2")]
NAMED_FIELDS = {"elevation_m": "m", "height_above_sea_m": "m", "temperature_c": "degree_Celsius",
                "precipitation_m_per_yr": "m yr-1", "plate": "1", "koppen": "1"}


CLASSES = ("plate", "koppen", "boundary_kind")  # numbers of which there is no mean


class Failure(Exception):
    pass


def require(truth, message):
    if not truth:
        raise Failure(message)


def parse():
    parser = argparse.ArgumentParser(prog="render-globe", description="Renders the planet of a run with ParaView.")
    parser.add_argument("run", metavar="RUN")
    parser.add_argument("--out", metavar="FILE.png", help="default: RUN/output/maps/globe.png")
    parser.add_argument("--field", default="height_above_sea_m")
    parser.add_argument("--time", type=float, metavar="MYR", help="million years; default: the last snapshot")
    parser.add_argument("--size", type=int, default=1200, metavar="PIXELS")
    parser.add_argument("--warp", type=float, default=20.0, metavar="FACTOR", help="exaggeration of heights; 0: none")
    parser.add_argument("--longitude", type=float, metavar="DEGREES", help="of the viewer; default: over the land")
    parser.add_argument("--check", action="store_true", help="check the files and the picture as well")
    return parser.parse_args()


def open_series(run):
    path = os.path.join(run, "output", "planet.hdf.series")
    require(os.path.isfile(path), f"{run} has no snapshots yet: output/planet.hdf.series is missing")
    with open(path, encoding="utf-8") as file:
        entries = json.load(file)["files"]
    require(entries, f"{run} has no snapshots yet: output/planet.hdf.series names none")
    reader = pv.OpenDataFile(path)
    require(reader is not None, "ParaView knows no reader for planet.hdf.series")
    return reader, entries


def snapshot_facts(path):
    """Number of cells and units of the fields, from the file itself."""
    with h5py.File(path, "r") as file:
        fields = file["VTKHDF/CellData"]
        units = {}
        for name in fields:
            unit = fields[name].attrs.get("units", b"")
            units[name] = unit.decode() if isinstance(unit, bytes) else str(unit)
        return len(fields["height_above_sea_m"]), units


def check_data(run, reader, entries):
    times = [entry["time"] for entry in entries]
    seen = list(np.atleast_1d(reader.TimestepValues)) if len(times) > 1 else times
    require(np.allclose(seen, times), f"ParaView sees the times {seen}, the series names {times}")
    for entry in entries:
        cells, units = snapshot_facts(os.path.join(run, "output", entry["name"]))
        pv.UpdatePipeline(time=entry["time"], proxy=reader)
        information = reader.GetDataInformation()
        require(information.GetNumberOfCells() == cells,
                f"{entry['name']}: ParaView has {information.GetNumberOfCells()} cells, the file has {cells}")
        data = reader.GetCellDataInformation()
        names = {data.GetArray(k).Name for k in range(data.GetNumberOfArrays())}
        require(set(units) <= names, f"{entry['name']}: ParaView lacks {sorted(set(units) - names)}")
        for name, unit in NAMED_FIELDS.items():
            require(name in units, f"{entry['name']} has no field {name}")
            require(units[name] == unit, f"{entry['name']}: {name} is in '{units[name]}', not in {unit}")
        low, high = data.GetArray("height_above_sea_m").GetRange()
        require(low < high, f"{entry['name']}: all heights are {low} m")
    return cells, len(times)


def view_from(run, entries, longitude):
    """Unit vector to the viewer: over the middle of the land, not too near a pole."""
    with h5py.File(os.path.join(run, "output", entries[-1]["name"]), "r") as file:
        height = file["VTKHDF/CellData/height_above_sea_m"][...]
        link = file["VTKHDF"].get("Points", getlink=True).filename
    with h5py.File(os.path.join(run, "output", "snapshots", link), "r") as file:
        lon, lat = np.radians(file["cells/lon"][...]), np.radians(file["cells/lat"][...])
    centres = np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], axis=1)
    middle = centres[height >= 0].sum(axis=0) if np.any(height >= 0) else np.array([1.0, 0, 0])
    at = np.arctan2(middle[1], middle[0]) if longitude is None else np.radians(longitude)
    tilt = np.clip(np.arctan2(middle[2], np.hypot(middle[0], middle[1])), -0.6, 0.6)
    return np.array([np.cos(tilt) * np.cos(at), np.cos(tilt) * np.sin(at), np.sin(tilt)])


def smooth(reader):
    """Values at the corners of the cells too, as means of the cells around: the pieces' seams are closed first."""
    points = pv.CellDatatoPointData(Input=pv.CleantoGrid(Input=reader))
    points.PassCellData = 1
    return points


def warped(source, factor):
    """The surface raised by its height: points are in kilometres, so that height / 1000 is one of them."""
    if factor <= 0:
        return source
    raised = pv.Calculator(Input=source)
    raised.AttributeType = "Point Data"
    raised.CoordinateResults = 1
    raised.Function = f"coords*(1+{factor / 1000}*max(height_above_sea_m,0)/mag(coords))"
    return raised


def render(reader, options, toward, path):
    view = pv.CreateView("RenderView")
    view.ViewSize = [options.size, options.size]
    view.OrientationAxesVisibility = 0
    view.UseColorPaletteForBackground = 0
    view.Background = [0.99, 0.985, 0.97]
    normals = pv.GenerateSurfaceNormals(Input=pv.ExtractSurface(Input=warped(smooth(reader), options.warp)))
    normals.FeatureAngle = 180
    normals.Splitting = 0
    shown = pv.Show(normals, view)
    shown.Representation = "Surface"
    shown.InterpolateScalarsBeforeMapping = 1
    pv.ColorBy(shown, ("CELLS" if options.field in CLASSES else "POINTS", options.field))
    table = pv.GetColorTransferFunction(options.field)
    if options.field == "height_above_sea_m":
        table.ColorSpace = "RGB"
        table.RGBPoints = [v for height, c in COLOURS
                           for v in (height, *(int(c[k:k + 2], 16) / 255 for k in (0, 2, 4)))]
    else:
        shown.RescaleTransferFunctionToDataRange()
    bar = pv.GetScalarBar(table, view)
    bar.Title, bar.ComponentTitle = options.field, ""
    bar.RangeLabelFormat, bar.LabelFormat, bar.AutomaticLabelFormat = "%.6g", "%.6g", 0
    bar.ScalarBarLength = 0.5
    bar.TitleColor = bar.LabelColor = [0.17, 0.17, 0.17]
    bar.TitleFontSize = bar.LabelFontSize = max(8, options.size // 75)
    bar.Orientation, bar.WindowLocation = "Horizontal", "Lower Center"
    shown.SetScalarBarVisibility(view, True)
    shown.Specular = 0.0
    shown.Ambient, shown.Diffuse = 0.3, 0.8
    pv.Render(view)  # the first one sets the camera
    radius = max(abs(b) for b in reader.GetDataInformation().GetBounds())
    upward = np.array([0, 0, 1.0]) - toward[2] * toward
    aim = -0.1 * radius * upward / np.linalg.norm(upward)  # room for the bar
    view.CameraFocalPoint = list(aim)
    view.CameraPosition = list(aim + 6 * radius * toward)
    view.CameraViewUp = [0, 0, 1]
    view.CameraViewAngle = 22.5
    pv.Render(view)
    pv.SaveScreenshot(path, view, ImageResolution=[options.size, options.size])


def check_picture(path):
    reader = vtkPNGReader()
    reader.SetFileName(path)
    reader.Update()
    pixels = vtk_to_numpy(reader.GetOutput().GetPointData().GetScalars()).astype(float)[:, :3]
    require(len(pixels) > 0, "the picture is empty")
    different = np.abs(pixels - pixels[0]).max(axis=1) > 8
    require(different.mean() > 0.2, f"only {100 * different.mean():.1f} % of the picture differ from its background")
    spread = pixels[different].std(axis=0).max()
    require(spread > 10, f"the globe is of one colour: standard deviation {spread:.1f} of 255")
    colours = len(np.unique((pixels // 16).astype(int), axis=0))
    require(colours > 20, f"the picture has {colours} colours only")
    return different.mean(), spread


def main():
    options = parse()
    reader, entries = open_series(options.run)
    if options.check:
        cells, times = check_data(options.run, reader, entries)
        print(f"data: {cells} cells, {times} times, {len(NAMED_FIELDS)} named fields with units")
    wanted = entries[-1]["time"] if options.time is None else min(
        (entry["time"] for entry in entries), key=lambda time: abs(time - options.time))
    pv.UpdatePipeline(time=wanted, proxy=reader)
    require(options.field in [reader.GetCellDataInformation().GetArray(k).Name
                              for k in range(reader.GetCellDataInformation().GetNumberOfArrays())],
            f"the snapshot has no field {options.field}")
    pv.GetAnimationScene().AnimationTime = wanted
    path = options.out or os.path.join(options.run, "output", "maps", "globe.png")
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    render(reader, options, view_from(options.run, entries, options.longitude), path)
    print(path)
    if options.check:
        part, spread = check_picture(path)
        print(f"picture: {100 * part:.0f} % globe, standard deviation of colour {spread:.0f} of 255")


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        print(f"render-globe: error: {failure}", file=sys.stderr)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(1)  # pvbatch turns sys.exit into its own code
