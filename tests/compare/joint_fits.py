#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
"""What moving joints buys: each character bound with its joints where they are, and with joints that may move.

usage: joint_fits.py SINEW FILE... > TABLE.md
  Joints may move by a fifth of the shortest bone at them. Both are judged on poses that were not optimised for, each about
  its own joints.
"""
import json
import os
import subprocess
import sys
import tempfile

MOST = "0.2"
LIMIT_S = 1800


def bind(sinew, source, target, more):
    answer = subprocess.run([sinew, "bind", source, "-o", target, "--json", *more], capture_output=True, text=True,
                            timeout=LIMIT_S)
    if answer.returncode:
        lines = answer.stderr.strip().splitlines()
        raise RuntimeError(lines[-1] if lines else f"exit {answer.returncode}")
    return json.loads(answer.stdout)["characters"]


def row(sinew, source, work):
    name = os.path.splitext(os.path.basename(source))[0]
    try:
        still = bind(sinew, source, os.path.join(work, "still.glb"), [])
        moved = bind(sinew, source, os.path.join(work, "moved.glb"), ["--fit-joints", "--max-move", MOST])
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        return [f"| {name} | {error} | | | | | |"]
    rows = []
    for before, after in zip(still, moved):
        a, b = before["after"], after["after"]
        fit = after.get("joint_fit") or {}
        change = 100 * (b["arap"] / a["arap"] - 1) if a["arap"] else 0
        rows.append(f"| {name} | {fit.get('moved', 0)} | {fit.get('part', 1):g} | {a['arap']:.4f} | {b['arap']:.4f} | {change:+.0f}% | "
                    f"{a['follow']:.2f} → {b['follow']:.2f} |")
    return rows


def main():
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    print("| character | joints moved | of the way | arap, still | arap, moved | | follow |\n"
          "| --- | --- | --- | --- | --- | --- | --- |")
    for source in sys.argv[2:]:
        with tempfile.TemporaryDirectory() as work:
            print("\n".join(row(sys.argv[1], source, work)), flush=True)


main()
