#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
"""The pictures of docs/spines.md, and the figures beside them on stdout. Called by script/pictures.

usage: spine_pictures.py SINEW FOLDER [PART...]
  PART is torso, hound, stretch, twist; without one, all. FOLDER gets spines-PART.png and, in files/, what was bound.
  Needs python3-pil and python3-numpy.
"""
import csv
import json
import os
import subprocess
import sys

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from rig_edit import Rig, section_shares

VERTICES = "12000"
X, Y = (1, 0, 0), (0, 1, 0)
CAPTION = 22  # pixels above a cell


class Studio:
    """Runs sinew and keeps its files in one folder."""

    def __init__(self, sinew, folder):
        self.sinew = sinew
        self.folder = folder
        self.files = os.path.join(folder, "files")
        os.makedirs(self.files, exist_ok=True)

    def path(self, name):
        return os.path.join(self.files, name)

    def run(self, *words):
        return subprocess.run([self.sinew, *words], check=True, stdout=subprocess.PIPE, text=True).stdout

    def example(self, name):
        path = self.path(f"{name}.glb")
        if not os.path.exists(path):
            self.run("example", name, "--vertices", VERTICES, "-o", path, "--quiet")
        return Rig(path)

    def rig(self, name, bones):
        with open(self.path(name), "w", encoding="utf-8") as file:
            json.dump({"sinew_rig": 1, "bones": bones}, file)
        return self.path(name)

    def bind(self, source, target, *flags):
        """What bind said of it; the log of its energy lies beside the file."""
        text = self.run("bind", self.path(source), "-o", self.path(target), "--poses", "0", "--progress", "none", "--json", *flags)
        return json.loads(text)

    def energy(self, source, target, *flags):
        """Binds, and tells how the energy went."""
        log = self.path(target.replace(".glb", ".csv"))
        self.bind(source, target, "--log", log, *flags)
        with open(log, encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        runs = [[]]  # constraints that are made firmer begin another energy
        for row in rows[1:]:
            if "firmer" in row["edit"] and runs[-1]:
                runs.append([])
            runs[-1] += [float(row["after_rotations"]), float(row["after_weights"])]
        arap = [float(row["energy"]) for row in rows]
        rises = lambda values: max([b / a - 1 for a, b in zip(values, values[1:])] + [0])
        whole = "; made firmer: ".join(f"{run[0]:.4f} -> {run[-1]:.4f}" for run in runs)
        print(f"{target}: {len(rows) - 1} iterations; whole energy {whole}, largest rise "
              f"{100 * max(map(rises, runs)):.3f}%; distortion {arap[0]:.4f} -> {arap[-1]:.4f}, largest rise {100 * rises(arap):.1f}%")

    def pose(self, source, target, *flags):
        """The mesh at the end of the file's clip; returns its vertices."""
        self.run("pose", self.path(source), "--animation", "0", "--time", "1", "-o", self.path(target), "--quiet", *flags)
        return Rig(self.path(target)).positions()

    def draw(self, source, size, camera, *flags):
        target = self.path("cell.png")
        self.run("snapshot", self.path(source), "--poses", "0", "--size", f"{size[0]}x{size[1]}", "--camera",
                 ",".join(f"{c:g}" for c in camera), "-o", target, "--quiet", *flags)
        return Image.open(target).convert("RGB")

    def sheet(self, name, rows):
        """rows: lists of (caption, picture)."""
        font = ImageFont.load_default()
        widths = [sum(p.width for _, p in row) for row in rows]
        heights = [max(p.height for _, p in row) + CAPTION for row in rows]
        sheet = Image.new("RGB", (max(widths), sum(heights)), "white")
        text = ImageDraw.Draw(sheet)
        y = 0
        for row, height in zip(rows, heights):
            x = 0
            for caption, picture in row:
                text.text((x + 8, y + 5), caption, fill="black", font=font)
                sheet.paste(picture, (x, y + CAPTION))
                x += picture.width
            y += height
        sheet.save(os.path.join(self.folder, f"spines-{name}.png"))

    def dominated(self, source, pattern):
        text = self.run("inspect", self.path(source), "--poses", "0", "--bones", pattern, "--json")
        return [bone["dominated"] for bone in json.loads(text)["characters"][0]["bones"]]


def furthest(a, b):
    """The largest distance of two poses, as a part of the first one's diagonal."""
    return np.linalg.norm(a - b, axis=1).max() / np.linalg.norm(a.max(axis=0) - a.min(axis=0))


def torso(studio):
    """A torso as one spine of 16 joints, beside 16 rigid bones."""
    chain = ["Spine", "Chest", "UpperChest"]
    bend_deg, count = 90, 16
    ends = ("Neck", "Shoulder.L", "Shoulder.R")  # all that start there: a spine bends by what they turn together
    arms = {f"UpperArm.{side}": [(X, -140)] for side in "LR"}
    rig = studio.example("biped")
    rig.replace_chain(chain, "Torso", 1)
    rig.replace_clips("Bend", ({**{bone: [(X, bend_deg)] for bone in ends}, **arms}, {}))
    rig.save(studio.path("torso.glb"))
    rig = studio.example("biped")
    small = rig.replace_chain(chain, "Torso", count)
    # The middle of every small bone turns as much as that place of the spine.
    step = bend_deg / count
    turns = {bone: [(X, step / 2 if i == 0 else step)] for i, bone in enumerate(small)}
    rig.replace_clips("Bend", ({**turns, **{bone: [(X, step / 2)] for bone in ends}, **arms}, {}))
    rig.save(studio.path("torso16.glb"))

    no_collarbones = ["--skip-bones", "Shoulder.*"]
    row = ["--spine", "Torso", "--spine-bones", str(count)]
    for kind, flags in (("", no_collarbones), ("-collarbones", [])):
        studio.energy("torso.glb", f"torso-spine{kind}.glb", *row, *flags)
        studio.bind("torso16.glb", f"torso-heat{kind}.glb", "--method", "heat", *flags)
        studio.bind("torso16.glb", f"torso-rigid{kind}.glb", *flags)
        for method, pattern in (("spine", "Torso.spine.*"), ("heat", "Torso*"), ("rigid", "Torso*")):
            counts = studio.dominated(f"torso-{method}{kind}.glb", pattern)
            print(f"torso-{method}{kind}: {sum(c > 0 for c in counts)} of {len(counts)} dominate vertices: {counts}")

    captions = {"spine": "a spine, as 16 joints", "heat": "16 rigid bones, --method heat", "rigid": "16 rigid bones, optimised"}
    kind = ["--rig", studio.rig("torso-rig.json", {"Torso": {"kind": "spine"}})]
    studio.bind("torso.glb", "torso-exact.glb", *kind, *no_collarbones)
    studio.bind("torso.glb", "torso-exact-3.glb", *kind, *no_collarbones, "--max-influences", "3")
    studio.bind("torso-exact-3.glb", "torso-3.glb", "--init", "existing", "--mix", "0", "--spine-bones", str(count), "--iterations", "1")
    for exact, rows in (("torso-exact.glb", "torso-spine.glb"), ("torso-exact-3.glb", "torso-3.glb")):
        off = furthest(studio.pose(exact, "torso-posed.glb"), studio.pose(rows, "torso-row-posed.glb"))
        print(f"{rows}: at most {100 * off:.2f}% of the diagonal from {exact} in this pose")
    size, bent = (300, 300), ["--pose", "Bend:1"]
    front, side, waist = (0, 1.22, 1.5, 0, 1.22, 0), (2.0, 1.35, 0.35, 0, 1.16, 0.16), (0.9, 1.5, -0.7, 0.1, 1.12, 0)
    rows = [[(captions[k], studio.draw(f"torso-{k}.glb", size, front, "--mode", "bones")) for k in captions],
            [("bent by 90 degrees" if k == "spine" else "", studio.draw(f"torso-{k}.glb", size, side, *bent)) for k in captions],
            [(caption, studio.draw(file, size, waist, *bent)) for caption, file in (
                ("the spine: exact", "torso-exact.glb"), ("as 16 joints, 4 influences", "torso-spine.glb"),
                ("as 16 joints of a bind with 3", "torso-3.glb"))]]
    studio.sheet("torso", rows)


def hound(studio):
    """A hound whose back and tail are spines, exact and as rows of joints."""
    rig = studio.example("quadruped")
    rig.replace_chain(["Spine", "Chest"], "Back", 1)
    rig.replace_chain(["Tail1", "Tail2", "Tail3", "Tail4", "Tail5"], "Tail", 1)
    ends = [rig.gltf["nodes"][child]["name"] for child in rig.gltf["nodes"][rig.node("Back")]["children"]]
    rig.replace_clips("Bend", ({**{bone: [(Y, 70)] for bone in ends}, "Tail6": [(Y, 150)]}, {}))
    rig.save(studio.path("hound.glb"))
    spines = studio.rig("hound-rig.json", {"Back": {"kind": "spine"}, "Tail": {"kind": "spine", "limits": {"bend_deg": [-120, 120]}}})
    studio.energy("hound.glb", "hound-exact.glb", "--rig", spines)
    studio.bind("hound.glb", "hound-exact-8.glb", "--rig", spines, "--max-influences", "8")
    exact = {4: studio.pose("hound-exact.glb", "hound-exact-posed.glb"), 8: studio.pose("hound-exact-8.glb", "hound-posed.glb")}
    for count, influences in ((4, 4), (8, 4), (16, 4), (8, 8), (16, 8)):
        name = f"hound-{count}.glb" if influences == 4 else "hound-posed.glb"
        studio.bind("hound.glb", name, "--rig", spines, "--spine-bones", str(count), "--max-influences", str(influences))
        off = furthest(exact[influences], studio.pose(name, "hound-row-posed.glb"))
        print(f"hound, rows of {count} joints, {influences} influences: at most {100 * off:.2f}% of the diagonal from the exact one")
    studio.bind("hound.glb", "hound-rigid.glb")
    size, above, side = (450, 340), (-0.85, 2.3, -1.15, 0.12, 0.5, -0.05), (1.9, 0.75, -0.1, 0, 0.5, -0.1)
    bent = ["--pose", "Bend:1"]
    studio.bind("hound.glb", "hound-exact-3.glb", "--rig", spines, "--max-influences", "3")
    for name in ("hound-8.glb", "hound-exact.glb", "hound-exact-3.glb"):
        judged = json.loads(studio.run("inspect", studio.path(name), "--poses", "12", "--json"))["characters"][0]["figures"]
        print(f"{name}: inspect --poses 12 says arap {judged['arap']:.3f}")
    studio.sheet("hound", [[("back and tail as 8 joints each, by bone", studio.draw("hound-8.glb", size, side, "--mode", "bones")),
                            ("back and tail as two rigid bones, same clip", studio.draw("hound-rigid.glb", size, above, *bent))],
                           [("spines, exact", studio.draw("hound-exact-posed.glb", size, above)),
                            ("as 8 joints each", studio.draw("hound-8.glb", size, above, *bent))]])


def stretch(studio):
    """Arms that stretch to four times their length, and hands that do not."""
    rig = studio.example("biped")
    moves = {}
    for side, times in (("L", 2.0), ("R", 0.6)):
        for bone, end in (("UpperArm", "Forearm"), ("Forearm", "Hand")):
            moves[f"{end}.{side}"] = (times - 1) * (rig.head(f"{end}.{side}") - rig.head(f"{bone}.{side}"))
    rig.replace_clips("Stretch", ({}, moves))
    rig.save(studio.path("stretch.glb"))
    arms = studio.rig("stretch-rig.json", {"UpperArm.*": {"kind": "stretch-twist", "limits": {"stretch": [0.5, 4]}},
                                           "Forearm.*": {"kind": "stretch-twist", "limits": {"stretch": [0.5, 4]}}})
    studio.energy("stretch.glb", "stretch-exact.glb", "--rig", arms)
    studio.bind("stretch.glb", "stretch-8.glb", "--rig", arms, "--spine-bones", "8")
    studio.bind("stretch.glb", "stretch-rigid.glb")
    exact = studio.pose("stretch-exact.glb", "stretch-exact-posed.glb")
    row = studio.pose("stretch-8.glb", "stretch-8-posed.glb")
    print(f"stretch-8.glb: at most {100 * furthest(exact, row):.2f}% of the diagonal from the exact one in this pose")
    stretched, rigid = Rig(studio.path("stretch-exact.glb")), Rig(studio.path("stretch-rigid.glb"))
    for bone in ("UpperArm.L", "Forearm.L", "Hand.L"):
        print(f"stretch: weights of {bone} differ by at most {np.abs(stretched.weights(bone) - rigid.weights(bone)).max():.2f}")
    x, y, _ = rig.positions().T
    flank = (x > 0) & (x < 0.2) & (y > 1.05) & (y < 1.25)  # metres; the left one, below the armpit
    print("stretch: the flank has up to", *(f"{r.weights('UpperArm.L')[flank].max():.2f}" for r in (stretched, rigid)), "of UpperArm.L")
    size = (420, 270)
    near, far = (0.5, 1.3, 0.85, 0.47, 1.15, 0), (0.25, 1.3, 2.0, 0.25, 1.1, 0)
    rows = []
    for bone in ("Forearm.L", "Hand.L"):
        rows.append([(f"{caption}: weights of {bone}", studio.draw(file, size, near, "--mode", "weights", "--bone", bone))
                     for caption, file in (("stretch-twist", "stretch-exact.glb"), ("rigid", "stretch-rigid.glb"))])
    elbow = rig.head("Forearm.L") + moves["Forearm.L"]
    close = [*(elbow + [0.05, 0.1, 0.5]), *elbow]
    for captions, camera, flags in ((("stretch-twist, exact: left arm x 2, right arm x 0.6", "rigid bones, same clip"), far, []),
                                    (("the left elbow of both", ""), close, ["--wireframe"])):
        rows.append([(captions[0], studio.draw("stretch-exact.glb", size, camera, "--pose", "Stretch:1", *flags)),
                     (captions[1], studio.draw("stretch-rigid.glb", size, camera, "--pose", "Stretch:1", *flags))])
    studio.sheet("stretch", rows)


def twist(studio):
    """A hand turned by 150 degrees about the forearm."""
    rig = studio.example("biped")
    elbow, wrist = rig.head("Forearm.L"), rig.head("Hand.L")
    rig.replace_clips("Twist", ({"Hand.L": [(wrist - elbow, 150)]}, {}))
    rig.save(studio.path("twist.glb"))
    rest, triangles = rig.positions(), rig.triangles()
    heat = ["--method", "heat"]
    kind = studio.rig("twist-rig.json", {"Forearm.L": {"kind": "stretch-twist"}})
    studio.bind("twist.glb", "twist-plain.glb", *heat)
    studio.bind("twist.glb", "twist-exact.glb", *heat, "--rig", kind)
    studio.bind("twist.glb", "twist-3.glb", *heat, "--twist-bones", "Forearm.L", "--twist-joints", "3")
    studio.bind("twist.glb", "twist-7.glb", *heat, "--twist-bones", "Forearm.L")
    rig.gltf.pop("animations")
    rig.save(studio.path("untwisted.glb"))
    made = studio.bind("untwisted.glb", "untwisted-bound.glb", *heat, "--twist-bones", "auto")["characters"][0]["spines"]["rows"]
    print("twist, --twist-bones auto without clips:", *(f"{row['bone']} {row['joints']}," for row in made))
    size = (290, 330)
    centre = elbow + 0.8 * (wrist - elbow)
    eye = centre + [0.2, 0.15, 0.55]
    cells = []
    for caption, source, flags in (("linear blending", "twist-plain.glb", []),
                                   ("dual quaternions", "twist-plain.glb", ["--deformer", "dqs"]),
                                   ("stretch-twist", "twist-exact.glb", []), ("3 helpers", "twist-3.glb", []),
                                   ("--twist-bones", "twist-7.glb", [])):
        posed = studio.pose(source, "twist-posed.glb", *flags)
        shares = section_shares(rest, posed, triangles, elbow, wrist)
        print(f"twist, {caption}: section {shares[50]:.3f} in the middle, {min(shares):.3f} at its thinnest "
              f"({shares.index(min(shares))}% of the way to the wrist)")
        cells.append((f"{caption}: {shares[50]:.2f} middle, {min(shares):.2f} thinnest",
                      studio.draw("twist-posed.glb", size, [*eye, *centre])))
    cells.insert(0, ("at rest", studio.draw("twist-plain.glb", size, [*eye, *centre])))
    studio.sheet("twist", [cells[:3], cells[3:]])


def main():
    parts = {"torso": torso, "hound": hound, "stretch": stretch, "twist": twist}
    if len(sys.argv) < 3 or any(name not in parts for name in sys.argv[3:]):
        raise SystemExit(__doc__)
    studio = Studio(*sys.argv[1:3])
    for name in sys.argv[3:] or parts:
        parts[name](studio)


main()
