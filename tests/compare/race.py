# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
"""Who binds a character first: `sinew bind` with its default options, or Blender's automatic weights?

    SINEW_BINARY=build/release/bin/sinew python3 tests/compare/race.py FILE|FOLDER ... [--rounds 3] [--least 5000]

Takes the characters of at least so many vertices, as stored. Both bind each of them in turn, some rounds of it, more
where it takes a moment only, and the best of each counts: times of the binding alone, Blender's operator and sinew's stages without reading, judging and
writing. Blender is given the vertices welded, as sinew welds them, as stored, and where both leave some without weight,
welded and enlarged, which is what riggers then do; of the ways that leave the fewest, the fastest counts. Prints a
table for docs/performance.md.
"""
import argparse
import itertools
import os
import sys
import tempfile

import compare

ATTEMPTS = ("welded", "stored", "enlarged")
ENOUGH_S = 1.0  # of binding, in all rounds: what takes less is up to what else the machine does in that moment
MOST_ROUNDS = 25


def blender_attempt(options, path, folder, vertices):
    return compare.blender_attempt(options, path, folder, compare.HEURISTICS[0], vertices, options.limit_s)


def trouble_of(attempt):
    """What went wrong with it, or None."""
    if "failed" in attempt:
        return attempt["failed"]
    if attempt["unweighted"] > 0:
        return f"{attempt['unweighted']:,} of {attempt['vertices']:,} vertices without weight"
    return None


def choose(options, path, folder):
    """How Blender gets its vertices, and its attempt that way."""
    outcomes = {}
    for vertices in ATTEMPTS:
        outcomes[vertices] = blender_attempt(options, path, folder, vertices)
        if vertices == "stored" and any(trouble_of(each) is None for each in outcomes.values()):
            break

    def rank(vertices):
        attempt = outcomes[vertices]
        return (attempt.get("unweighted", float("inf")), attempt.get("seconds", float("inf")))

    best = min(outcomes, key=rank)
    return best, outcomes[best]


def race(options, sinew, path, vertices):
    with tempfile.TemporaryDirectory() as folder:
        way, attempt = choose(options, path, folder)
        blender, trouble = [attempt.get("seconds")], trouble_of(attempt)
        ours = []
        for round_number in itertools.count():
            if round_number >= options.rounds and (sum(ours) >= ENOUGH_S or round_number >= MOST_ROUNDS):
                break
            bound = sinew.bind(path, "araplbs", os.path.join(folder, "ours.glb"))
            if "failed" in bound:
                return {"failed": bound["failed"]}
            ours.append(bound["seconds"])
            if round_number > 0:
                blender.append(blender_attempt(options, path, folder, way).get("seconds"))
    worked = [each for each in blender if each is not None]
    if len(worked) < len(blender) and worked:
        trouble = f"{trouble + '; ' if trouble else ''}{len(blender) - len(worked)} rounds failed"
    return {"vertices": vertices, "ours": min(ours), "blender": min(worked, default=None), "way": way,
            "trouble": trouble}


def row(name, result):
    if "failed" in result:
        return f"| {name} | | failed: {result['failed']} | | |"
    blender = "–" if result["blender"] is None else f"{result['blender']:.2f} s"
    ratio = "–" if result["blender"] is None else f"{result['blender'] / result['ours']:.2f}"
    words = f"{result['way']}; {result['trouble']}" if result["trouble"] else result["way"]
    return f"| {name} | {result['vertices']:,} | {result['ours']:.2f} s | {blender} ({words}) | {ratio} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE|FOLDER")
    parser.add_argument("--rounds", type=int, default=3,
                        help=f"how often each binds at the least, and up to {MOST_ROUNDS} times until it has taken "
                             f"{ENOUGH_S:g} s in all; the best counts")
    parser.add_argument("--least", type=int, default=5000, help="vertices of a character that takes part")
    parser.add_argument("--blender", default="blender")
    parser.add_argument("--limit-s", type=float, default=600)
    options = parser.parse_args()
    program = os.environ.get("SINEW_BINARY") or sys.exit("race: SINEW_BINARY has to name the program")
    sinew = compare.Sinew(program, options)
    print("| character | vertices | sinew, optimised | Blender, automatic weights | Blender / sinew |")
    print("| --- | --- | --- | --- | --- |")
    for given in options.files:
        paths = [given]
        if os.path.isdir(given):
            paths = [os.path.join(given, name) for name in sorted(os.listdir(given))
                     if name.endswith(compare.EXTENSIONS)]
        for path in paths:
            report, error = sinew.json("inspect", path, "--poses", "0")
            if error:
                print(f"race: {path}: {error}", file=sys.stderr)
                continue
            vertices = sum(each["figures"]["vertices"] for each in report["characters"])
            if vertices < options.least:
                continue
            name = os.path.splitext(os.path.basename(path))[0]
            print(row(name, race(options, sinew, path, vertices)), flush=True)


if __name__ == "__main__":
    main()
