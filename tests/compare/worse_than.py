# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
"""What got worse from one comparison to another.

    python3 tests/compare/worse_than.py BEFORE.csv AFTER.csv [--by 1] [--weights araplbs] ...

Both are the comparison.csv of script/compare, of two programs on the same characters (SINEW_BINARY names the program), or
figures of another judge under the same names.
Prints a row for each figure that is worse by more than so many percent, and what only one of them has; fails when there
is any, or when there is nothing to compare. What was zero is worse by any amount when it is not.
"""
import argparse
import csv
import math
import sys

LESS_IS_BETTER = ("arap", "clips", "drift", "worst_bone", "rough", "unweighted", "dead", "lost", "islands",
                  # of a judge that looks beside the artist's weights: skin that bones no longer lead, skin that is
                  # distorted more, and places that come apart farther
                  "stolen", "worse", "apart")
MORE_IS_BETTER = ("follow",)


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return {(row["character"], row["weights"]): row for row in csv.DictReader(file)}


def worse_percent(before, after, more_is_better=False):
    """By how much, of what it was; not above zero where it is no worse."""
    change = before - after if more_is_better else after - before
    if before == 0:
        return math.copysign(math.inf, change) if change else 0
    return 100 * change / abs(before)


def compare(before, after, weights, percent):
    """Rows of what is worse, and names of what one of the two lacks."""
    worse, missing = [], []
    if not any(key in after and (not weights or key[1] in weights) for key in before):
        raise ValueError("the two have nothing in common" + (f" of {', '.join(weights)}" if weights else ""))
    for key in [*before, *(key for key in after if key not in before)]:
        if weights and key[1] not in weights:
            continue
        if key not in before or key not in after:
            missing.append(f"{' '.join(key)}: only {'before' if key in before else 'after'}")
            continue
        for name in (*LESS_IS_BETTER, *MORE_IS_BETTER):
            was, now = (each[key].get(name) or "" for each in (before, after))
            if was == "" and now == "":
                continue
            if was == "" or now == "":
                missing.append(f"{' '.join(key)}: {name} only {'before' if was else 'after'}")
                continue
            if not math.isfinite(float(was)) or not math.isfinite(float(now)):
                raise ValueError(f"{' '.join(key)}: {name} is {was} and {now}")
            by = worse_percent(float(was), float(now), name in MORE_IS_BETTER)
            if by > percent:
                worse.append((*key, name, float(was), float(now), by))
    return worse, missing


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", help="comparison.csv of the program as it was")
    parser.add_argument("after", help="comparison.csv of the program as it is")
    parser.add_argument("--by", type=float, default=1, metavar="PERCENT",
                        help="what is worse by no more is not shown [%(default)s]")
    parser.add_argument("--weights", action="append", help="only these; may be repeated")
    options = parser.parse_args()
    try:
        worse, missing = compare(read(options.before), read(options.after), options.weights, options.by)
    except (OSError, KeyError, ValueError) as error:
        sys.exit(f"worse_than: {error}")
    print("| character | weights | figure | before | after | worse by |\n| --- | --- | --- | --- | --- | --- |")
    for character, kind, name, was, now, by in worse:
        by = "it was zero" if math.isinf(by) else f"{by:.1f}%"
        print(f"| {character} | {kind} | {name} | {was:.4g} | {now:.4g} | {by} |")
    for line in missing:
        print(f"worse_than: {line}", file=sys.stderr)
    return 1 if worse or missing else 0


if __name__ == "__main__":
    sys.exit(main())
