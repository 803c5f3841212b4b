#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
"""The generated hand and biped with joints put aside by 0.15 of their bones, and where a fit takes them.

usage: joint_pictures.py SINEW FOLDER
  Writes joints-hand.png and joints-biped.png. Needs python3-numpy and python3-pil.
"""
import os
import subprocess
import sys
import tempfile

import numpy as np
from PIL import Image, ImageDraw

from rig_edit import Rig, local_parts

ASIDE = 0.15  # of the bone's length, across it
SEED = 7
HEIGHT = 900  # pixels
MARGIN = 0.04
MODELLED, BEFORE, AFTER = (110, 110, 110), (214, 60, 40), (20, 100, 200)


def children_of(rig, index):
    return [c for c in rig.gltf["nodes"][index].get("children", []) if c in rig.joints()]


def put_aside(rig):
    """Every joint with one parent and one child, across its bone; what hangs on it stays where it was."""
    random = np.random.default_rng(SEED)
    joints = rig.joints()
    worlds = {j: rig._world(j) for j in joints}
    for j in joints:
        below = children_of(rig, j)
        if len(below) == 1 and rig._parent(j) in joints:
            bone = rig._world(below[0])[:3, 3] - worlds[j][:3, 3]
            length = np.linalg.norm(bone)
            side = np.cross(bone / length, random.normal(size=3))
            worlds[j][:3, 3] += ASIDE * length * side / np.linalg.norm(side)
    for j in joints:
        parent = rig._parent(j)
        above = worlds[parent] if parent in worlds else (np.eye(4) if parent is None else rig._world(parent))
        node = rig.gltf["nodes"][j]
        node.update(local_parts(np.linalg.inv(above) @ worlds[j]))
        if children_of(rig, j):  # it ends where its child is
            node.get("extras", {}).get("sinew", {}).pop("tail", None)
    rig.gltf.pop("animations", None)


def bones_of(rig):
    return [(rig._world(j)[:3, 3], rig._world(c)[:3, 3]) for j in rig.joints() for c in children_of(rig, j)]


class View:
    """Along the thinnest side of a mesh; the longest one of the others is upright."""

    def __init__(self, positions, zoom_to=None):
        extent = np.ptp(positions, axis=0)
        self.depth = int(np.argmin(extent))
        self.up = 1 if self.depth != 1 else int(np.argmax(extent))
        self.right = 3 - self.depth - self.up
        shown = positions if zoom_to is None else zoom_to
        self.low = shown.min(axis=0)
        span = np.ptp(shown, axis=0)
        self.scale = HEIGHT * (1 - 2 * MARGIN) / span[self.up]
        self.size = (int(span[self.right] * self.scale + 2 * MARGIN * HEIGHT), HEIGHT)

    def __call__(self, point):
        return (MARGIN * HEIGHT + (point[self.right] - self.low[self.right]) * self.scale,
                HEIGHT - MARGIN * HEIGHT - (point[self.up] - self.low[self.up]) * self.scale)


def draw_mesh(view, positions, triangles):
    picture = Image.new("RGB", view.size, "white")
    draw = ImageDraw.Draw(picture)
    corners = positions[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    for t in np.argsort(corners[:, :, view.depth].mean(axis=1)):
        shade = int(206 + 40 * normals[t][view.depth])
        draw.polygon([view(corner) for corner in corners[t]], fill=(shade, shade, shade))
    return picture


def draw_bones(view, picture, bones, colour, width):
    draw = ImageDraw.Draw(picture)
    for head, tail in bones:
        draw.line([view(head), view(tail)], fill=colour, width=width)
    for head, tail in bones:
        for point in (head, tail):
            x, y = view(point)
            draw.ellipse([x - 1.5 * width, y - 1.5 * width, x + 1.5 * width, y + 1.5 * width], fill=colour)


def picture_of(sinew, name, target, work):
    made, aside, fitted = (os.path.join(work, f"{name}-{step}.glb") for step in ("made", "aside", "fitted"))
    subprocess.run([sinew, "example", name, "-o", made, "--vertices", "6000", "--quiet"], check=True)
    rig = Rig(made)
    modelled, positions, triangles = bones_of(rig), rig.positions(), rig.triangles()
    put_aside(rig)
    rig.save(aside)
    subprocess.run([sinew, "bind", aside, "-o", fitted, "--fit-joints", "--quiet"], check=True)
    panels = []
    view = View(positions)
    for bones, colour in ((bones_of(rig), BEFORE), (bones_of(Rig(fitted)), AFTER)):
        panel = draw_mesh(view, positions, triangles)
        draw_bones(view, panel, modelled, MODELLED, 1)
        draw_bones(view, panel, bones, colour, 2)
        panels.append(panel)
    sheet = Image.new("RGB", (sum(panel.width for panel in panels), HEIGHT), "white")
    for n, panel in enumerate(panels):
        sheet.paste(panel, (n * panels[0].width, 0))
    sheet.quantize(96).save(target, optimize=True)


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    with tempfile.TemporaryDirectory() as work:
        for name in ("hand", "biped"):
            picture_of(sys.argv[1], name, os.path.join(sys.argv[2], f"joints-{name}.png"), work)


main()
