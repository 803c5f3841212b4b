#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
"""Ten poses of a character with four sets of weights side by side, as one picture.

usage: pose_sheet.py SINEW FOLDER OUT.png
  FOLDER is a character's in the output of script/compare. Needs python3-pil.
"""
import json
import os
import subprocess
import sys
import tempfile

from PIL import Image, ImageDraw

CELL = 150  # pixels of one figure
POSES = 10
ZOOM = 1.15
COLOURS = 96


def draw(sinew, files, pose, target):
    labels = [word for label in files for word in ("--label", label)]
    subprocess.run([sinew, "snapshot", *files.values(), *labels, "--poses", "12", "--pose", str(pose), "--size",
                    "1400x1000", "-o", target, "--quiet"], check=True)
    picture = Image.open(target).convert("RGB")
    width, height = picture.size
    row = Image.new("RGB", (CELL * len(files), CELL), "white")
    half = int(height / 4 / ZOOM)
    for place in range(len(files)):  # snapshot shows four files two by two
        x = width // 4 + (place % 2) * width // 2
        y = height // 4 + (place // 2) * height // 2
        row.paste(picture.crop((x - half, y - half, x + half, y + half)).resize((CELL, CELL), Image.LANCZOS),
                  (place * CELL, 0))
    return row


def main():
    if len(sys.argv) != 4:
        raise SystemExit(__doc__)
    sinew, folder, out = sys.argv[1:]
    with open(os.path.join(folder, "result.json"), encoding="utf-8") as file:
        kinds = json.load(file)["kinds"]
    files = {"artist": kinds["artist"]["file"], "Blender": kinds["Blender, 4"]["file"],
             "paper": kinds["paper"]["file"], "default": kinds["araplbs"]["file"]}
    with tempfile.TemporaryDirectory() as work:
        rows = [draw(sinew, files, pose, os.path.join(work, f"{pose}.png")) for pose in range(POSES)]
    column = CELL * len(files) + 20
    sheet = Image.new("RGB", (2 * column, 20 + (len(rows) + 1) // 2 * CELL), "white")
    text = ImageDraw.Draw(sheet)
    for side in range(2):
        for place, label in enumerate(files):
            text.text((side * column + place * CELL + 40, 4), label, fill="black")
    for index, row in enumerate(rows):
        sheet.paste(row, (index % 2 * column, 20 + index // 2 * CELL))
    sheet.quantize(COLOURS).save(out, optimize=True)


main()
