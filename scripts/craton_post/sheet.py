"""The contact sheet: six maps on one picture that is small enough to stand in a repository."""
import io
import os

import numpy as np
from PIL import Image

from . import maps, palettes, projection as projections
from .canvas import INK, PAPER, Canvas
from .errors import BAD_INPUT, OUTPUT_FAILED, PostError

SIZES = ((1.0, 256), (1.0, 160), (0.9, 160), (0.8, 128), (0.7, 128), (0.6, 96), (0.5, 80), (0.4, 70))
SIX = ("elevation", "plates", "rivers", "temperature", "rain", "koppen")


def _with_palette(image, count):
    """The picture in so many colours, among them those that carry a meaning by themselves."""
    fixed = [tuple(int(round(255 * v)) for v in colour) for colour in (
        *palettes.KOPPEN, *(palettes.rgb(name) for name, _ in palettes.BOUNDARY.values()), palettes.rgb(INK),
        palettes.rgb(PAPER), palettes.rgb(palettes.RIVER), palettes.LAND_GREY, palettes.SEA_PALE)]
    common = image.quantize(count - len(fixed), Image.MEDIANCUT).getpalette()[:3 * (count - len(fixed))]
    flat = [v for colour in fixed for v in colour] + common
    holder = Image.new("P", (1, 1))
    holder.putpalette(flat + flat[:3] * (256 - len(flat) // 3))
    return image.quantize(palette=holder, dither=Image.Dither.NONE)


def draw(run, step, path, largest_bytes, width=1240):
    """Two columns. Width and colours shrink until the file is not larger than asked. The path and its size."""
    snapshot = run.snapshots(step)[-1]
    names = [name for name in SIX if not maps.missing_fields(name, snapshot)]
    if not names:
        raise PostError(BAD_INPUT, f"{run.path} writes no field that the sheet shows")
    scene = maps.Scene(run, snapshot)
    panels = []
    panel_width = width // 2
    projection = projections.make("mollweide", scene.mesh, scene.height)
    view = maps.View(scene, projection, Canvas.map_width(panel_width))
    for name in names:
        buffer = io.BytesIO()
        maps.draw(view, name, panel_width, bare=True).save(buffer)
        panels.append(Image.open(buffer).convert("RGB"))
    tall = panels[0].height
    sheet = Image.new("RGB", (2 * panel_width, tall * -(-len(panels) // 2)), PAPER)
    for k, panel in enumerate(panels):
        sheet.paste(panel, (k % 2 * panel_width, k // 2 * tall))
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    for factor, colours in SIZES:
        small = sheet.resize([int(np.ceil(side * factor)) for side in sheet.size], Image.LANCZOS)
        buffer = io.BytesIO()
        _with_palette(small, colours).save(buffer, "PNG", optimize=True)
        if buffer.tell() <= largest_bytes:
            with open(path, "wb") as file:
                file.write(buffer.getvalue())
            return path, buffer.tell()
    raise PostError(OUTPUT_FAILED, f"the sheet does not fit into {largest_bytes} bytes")
