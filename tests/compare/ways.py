# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
"""Ways to call `sinew bind` beside each other, by a judge that is not sinew.

    python3 tests/compare/ways.py -o FOLDER --judge SCRIPT --way surface= --way 'volume=--domain volume' FILE ...

Binds every FILE by every way, NAME=FLAGS, asks the judge, and writes ways.csv, whose rows worse_than.py reads, and ways.md:
a row per character, and for each figure how often the second way and those after it are better or worse than the first,
with the median of their ratio. A folder stands for all .glb, .gltf, .fbx and .dae files below it, but for those in
`hostile`. SCRIPT, which may have flags, is run as python3 SCRIPT BOUND --original FILE --json,
and prints an object of figures. SINEW_BINARY names
the program. What fails is told, and stops nothing; then it exits with 1.
"""
import argparse
import csv
import json
import math
import os
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

EXTENSIONS = (".glb", ".gltf", ".fbx", ".dae")
PASSED_OVER = {"hostile"}
FIGURES = ("drift", "apart", "lost", "stolen", "head", "arap", "clips", "follow", "worse", "islands", "rough", "seconds")
MORE_IS_BETTER = {"follow"}
COUNTS = {"lost", "islands"}
# What no eye tells apart, in the unit of each figure; beside it, what is within a hundredth of another is the same.
SAME = {"drift": 0.005, "apart": 0.02, "stolen": 0.2, "head": 0.2, "worse": 0.2, "arap": 1e-4, "clips": 1e-4, "follow": 0.005,
        "rough": 0.005, "lost": 0, "islands": 0, "seconds": 0.02}
SAME_REL = 0.01


def characters_in(paths):
    """(name, path) of all files, in an order that does not depend on the machine."""
    found = []
    for path in paths:
        if not os.path.isdir(path):
            found.append((os.path.splitext(os.path.basename(path))[0], path))
            continue
        for place, folders, files in os.walk(path):
            folders[:] = sorted(set(folders) - PASSED_OVER)
            found += [(os.path.relpath(os.path.splitext(os.path.join(place, file))[0], path), os.path.join(place, file))
                      for file in sorted(files) if file.endswith(EXTENSIONS)]
    return found


def run(command, limit_s):
    """What a program printed; raises RuntimeError with its last words."""
    try:
        ended = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=limit_s)
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"{os.path.basename(command[0])} took more than {limit_s} s") from None
    if ended.returncode != 0:
        words = (ended.stderr or ended.stdout).strip().splitlines()
        raise RuntimeError(words[-1] if words else f"exit {ended.returncode}")
    return ended.stdout


def judged(options, path, flags, folder, threads):
    """The figures of one way to bind one file."""
    original, bound = os.path.join(folder, "original.glb"), os.path.join(folder, "bound.glb")
    run([options.sinew, "copy", path, "-o", original], options.limit_s)
    command = [options.sinew, "bind", path, "-o", bound, "--poses", "0", "--json", "--threads", str(threads), *flags]
    report = json.loads(run(command, options.limit_s))
    figures = json.loads(run([sys.executable, *shlex.split(options.judge), bound, "--original", original, "--json"], options.limit_s))
    figures["seconds"] = sum(sum(each["seconds"].values()) for each in report["characters"])
    return {name: figures.get(name) for name in FIGURES}


def is_number(value):
    return isinstance(value, (int, float)) and math.isfinite(value)


def verdict(name, first, other):
    """-1, 0 or 1: the other is worse, the same, better."""
    if abs(other - first) <= max(SAME[name], SAME_REL * abs(first)):
        return 0
    return 1 if (other > first) == (name in MORE_IS_BETTER) else -1


def summary(rows, ways):
    """Lines of Markdown: of each figure, on how many characters another way is better or worse than the first."""
    lines = ["| figure | way | better | same | worse | median of both | median ratio |",
             "| --- | --- | --- | --- | --- | --- | --- |"]
    for name in FIGURES:
        for way in ways[1:]:
            pairs = [(row[ways[0]][name], row[way][name]) for row in rows.values() if ways[0] in row and way in row]
            pairs = [pair for pair in pairs if all(map(is_number, pair))]
            if not pairs:
                continue
            told = [verdict(name, *pair) for pair in pairs]
            ratios = [other / first for first, other in pairs if first > SAME[name]]
            ratio = f"{statistics.median(ratios):.2f}" if ratios and name not in COUNTS else "–"
            both = " → ".join(f"{statistics.median(pair[k] for pair in pairs):.3g}" for k in (0, 1))
            if name in COUNTS:
                both = " → ".join(f"{sum(pair[k] for pair in pairs)} in all" for k in (0, 1))
            lines.append(f"| {name} | {way} | {told.count(1)} | {told.count(0)} | {told.count(-1)} | {both} | {ratio} |")
    return lines


def table(rows, ways):
    lines = ["| character | " + " | ".join(FIGURES) + " |", "| --- |" + " --- |" * len(FIGURES)]
    for character, of_ways in rows.items():
        cells = []
        for name in FIGURES:
            values = [of_ways[way][name] if way in of_ways else None for way in ways]
            cells.append(" / ".join(f"{value:.3g}" if is_number(value) else "–" for value in values))
        lines.append(f"| {character} | " + " | ".join(cells) + " |")
    return lines


def write(folder, rows, ways):
    with open(os.path.join(folder, "ways.csv"), "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["character", "weights", *FIGURES])
        for character, of_ways in rows.items():
            for way, figures in of_ways.items():
                writer.writerow([character, way, *(figures[name] if is_number(figures[name]) else "" for name in FIGURES)])
    with open(os.path.join(folder, "ways.md"), "w", encoding="utf-8") as file:
        file.write("\n".join([*summary(rows, ways), "", " / ".join(ways), "", *table(rows, ways), ""]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("-o", "--output", required=True, metavar="FOLDER")
    parser.add_argument("--way", action="append", required=True, metavar="NAME=FLAGS", dest="ways")
    parser.add_argument("--judge", required=True, metavar="SCRIPT")
    parser.add_argument("--sinew", default=os.environ.get("SINEW_BINARY", "sinew"), metavar="PROGRAM")
    parser.add_argument("--limit", dest="limit_s", type=float, default=600, metavar="SECONDS")
    parser.add_argument("--jobs", type=int, default=1, help="characters at the same time [1]")
    parser.add_argument("--threads", type=int, default=1, help="of each bind [1]")
    options = parser.parse_args()
    ways = {}
    for way in options.ways:
        match = re.fullmatch(r"([^=]+)=(.*)", way)
        if not match:
            parser.error(f"--way: '{way}' is not NAME=FLAGS")
        ways[match[1]] = shlex.split(match[2])
    os.makedirs(options.output, exist_ok=True)
    rows, failures = {}, []

    def one(character):
        name, path = character
        found = {}
        for way, flags in ways.items():
            with tempfile.TemporaryDirectory() as folder:
                try:
                    found[way] = judged(options, path, flags, folder, options.threads)
                except (RuntimeError, ValueError, KeyError) as error:
                    failures.append(f"{name} {way}: {error}")
        return name, found

    with ThreadPoolExecutor(options.jobs) as pool:
        for name, found in pool.map(one, characters_in(options.files)):
            if found:
                rows[name] = found
            print(f"{name}: {', '.join(found) or 'nothing'}", file=sys.stderr, flush=True)
            write(options.output, rows, list(ways))
    for failure in failures:
        print(f"ways: {failure}", file=sys.stderr)
    print("\n".join(summary(rows, list(ways))))
    return 1 if failures or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
