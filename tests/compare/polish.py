#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
"""What `sinew bind --init existing` makes of the weights that files come with, as a table.

usage: polish.py SINEW FILE...
"""
import json
import os
import subprocess
import sys
import tempfile


def main():
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    print("| character | arap | clips | follow | drift | lost | of the way |\n| --- | --- | --- | --- | --- | --- | --- |")
    for path in sys.argv[2:]:
        with tempfile.TemporaryDirectory() as work:
            done = subprocess.run([sys.argv[1], "bind", path, "-o", os.path.join(work, "out.glb"), "--init", "existing",
                                   "--json", "--quiet"], capture_output=True, text=True)
        name = os.path.splitext(os.path.basename(path))[0]
        if done.returncode != 0:
            print(f"| {name} | {done.stderr.strip().splitlines()[-1]} | | | | | |", flush=True)
            continue
        character = max(json.loads(done.stdout)["characters"], key=lambda each: each["after"]["vertices"])
        before, after = character["before"], character["after"]

        def change(figure):
            if after.get(figure) is None:
                return "–"
            return f"{before[figure]:.3g} → {after[figure]:.3g}"
        print(f"| {name} | {change('arap')} | {change('clips')} | {change('follow')} | {change('drift')} | "
              f"{after.get('lost', 0)} | {100 * character['polish']['blend']:.0f}% |", flush=True)


main()
