# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
"""Compares the figures of `sinew inspect` with those of another judge of the same definitions, file by file.

    tests/compare/figures_against.py JUDGE.py SINEW FILE... [--poses N] [--hierarchy effective|file] [--seed S]

JUDGE.py is run as `python3 JUDGE.py FILE --poses N --json` and prints one JSON object with the figures that
docs/conventions.md defines: vertices and triangles (welded), joints, deforming, rehung, parts, dead, islands,
influences_max, unweighted, arap, clips, follow, drift and more. Counts must be equal. Means over random poses must
agree within 10%: both draw their own poses, so that a file that does not is judged again on eight times as many before it
counts as a disagreement. Files without a skin are skipped.
With --original FILE, both judge the files against that one. Fails when anything disagrees.
"""
import argparse
import json
import math
import os
import subprocess
import sys

COUNTS = {  # of the judge: of `sinew inspect`
    "vertices": "welded_vertices", "triangles": "welded_triangles", "joints": "joints", "deforming": "deforming",
    "rehung": "rehung", "parts": "parts", "dead": "dead", "islands": "islands", "lost": "lost",
    "influences_max": "welded_max_influences", "unweighted": "welded_unweighted",
}
MEANS = ["arap", "clips", "follow", "drift"]  # that must agree
SHOWN = ["arap_worst", "worst_bone", "follow_min", "rough", "control_weight", "seam_spread"]  # with a sample of their own
TOLERANCE_REL = 0.10
NOISE_FACTOR = 8  # more poses for a second look
# Below these, figures are rounding or the luck of a few vertices.
FLOOR = {"arap": 1e-4, "clips": 1e-4, "follow": 1e-3, "drift": 0.02}


def judged_by(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        return None, (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
    return json.loads(done.stdout), None


def by_sinew(program, file, options):
    command = [program, "inspect", file, "--json", "--poses", str(options.poses), "--hierarchy", options.hierarchy]
    if options.seed is not None:
        command += ["--seed", str(options.seed)]
    if options.original:
        command += ["--original", options.original]
    report, error = judged_by(command)
    if report is None:
        return None, error
    character = max(report["characters"], key=lambda each: each["figures"]["vertices"])
    return {**character["figures"], **(character["quality"] or {}), **character["figures"]}, None


def by_judge(script, file, options):
    command = [sys.executable, script, file, "--poses", str(options.poses), "--json"]
    if options.original:
        command += ["--original", options.original]
    return judged_by(command)


class Disagreement(str):
    kind = "count"


class MeanDisagreement(Disagreement):
    kind = "mean"


def number(value):
    return math.nan if value is None else float(value)


def agrees(name, theirs, ours):
    if math.isnan(theirs) or math.isnan(ours):
        return math.isnan(theirs) and math.isnan(ours)
    return abs(theirs - ours) <= max(TOLERANCE_REL * max(abs(theirs), abs(ours)), FLOOR[name])


def compare(file, options):
    """Prints a row; returns what disagrees."""
    wrong = compare_once(file, options)
    if not wrong or not all(each.kind == "mean" for each in wrong):
        return wrong
    again = argparse.Namespace(**vars(options))
    again.poses *= NOISE_FACTOR
    return compare_once(file, again)


def compare_once(file, options):
    theirs, error = by_judge(options.judge, file, options)
    name = os.path.basename(file)
    if theirs is None:
        print(f"{name:28} skipped: {' '.join(error)}")
        return []
    ours, error = by_sinew(options.sinew, file, options)
    if ours is None:
        print(f"{name:28} sinew: {' '.join(error)}")
        return [Disagreement(f"{name}: sinew failed")]
    wrong = []
    for theirs_name, ours_name in COUNTS.items():
        if theirs_name == "lost" and not options.original:
            continue
        if theirs[theirs_name] != ours.get(ours_name):
            wrong.append(Disagreement(f"{name}: {theirs_name} is {ours.get(ours_name)}, the judge has {theirs[theirs_name]}"))
    cells = []
    for figure in MEANS + SHOWN:
        a, b = number(theirs[figure]), number(ours[figure])
        cells.append(f"{a:.4g}/{b:.4g}")
        if figure in MEANS and not agrees(figure, a, b):
            wrong.append(MeanDisagreement(f"{name}: {figure} is {b:.4g}, the judge has {a:.4g}"))
    print(f"{name:28}" + "".join(f"{cell:>22}" for cell in cells) + ("" if not wrong else "  !"), flush=True)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("judge")
    parser.add_argument("sinew")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--poses", type=int, default=192)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--hierarchy", default="effective", choices=["effective", "file"])
    parser.add_argument("--original")
    options = parser.parse_args()
    print(f"{'judge/sinew':28}" + "".join(f"{figure:>22}" for figure in MEANS + SHOWN))
    wrong = [each for file in options.files for each in compare(file, options)]
    for each in wrong:
        print(each)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
