#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
"""Makes the tables of docs/performance.md from the CSV of `sinew_bench --benchmark_filter=^stage/`.

    bench/stages/table.py stages.csv docs/performance.md

Replaces what is between the two marks in the page. "bind" is the whole of a bind; other stages are
what one is made of, some of them several times over.
"""
import csv
import io
import math
import os
import platform
import re
import subprocess
import sys

BEGIN, END = "<!-- stages: begin -->", "<!-- stages: end -->"


def rows_of(path):
    """One dictionary per stage and size."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    rows = []
    for row in csv.DictReader(io.StringIO(text[text.index("name,"):])):
        found = re.match(r"stage/(\w+)/(\d+)", row["name"])
        if not found or row.get("error_occurred") == "true":
            continue
        number = lambda key: float(row.get(key) or 0)
        rows.append({"stage": found[1], "size": int(found[2]), "ms": number("real_time"),
                     "peak_mb": number("peak_mb"), "whole_mb": number("whole_mb"),
                     "gbytes": number("gbytes"), "gflop": number("gflop")})
    return rows


def cell(row):
    if row is None:
        return "–"
    text = f"{row['ms']:.3g}" if row["ms"] < 1000 else f"{row['ms']:,.0f}"
    return f"{text} / {row['peak_mb']:.0f}"


def exponent(by_size):
    """Of the growth of time from the smallest size of 10k or more to the largest."""
    sizes = sorted(size for size in by_size if size >= 10_000)
    if len(sizes) < 2 or not by_size[sizes[0]]["ms"] > 0:
        return "–"
    first, last = by_size[sizes[0]], by_size[sizes[-1]]
    return f"{math.log(last['ms'] / first['ms']) / math.log(sizes[-1] / sizes[0]):.2f}"


def rate(row):
    """What it moves or computes per second, against what it cannot do without."""
    seconds = row["ms"] / 1000
    parts = []
    if row["gbytes"] > 0 and seconds > 0:
        parts.append(f"{row['gbytes'] / seconds:.2g} GB/s")
    if row["gflop"] > 0 and seconds > 0:
        parts.append(f"{row['gflop'] / seconds:.2g} GFlop/s")
    return ", ".join(parts) or "–"


def share(row, whole):
    return f"{100 * row['ms'] / whole['ms']:.1f}%" if row and whole else "–"


def command(*words):
    return subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip()


def machine():
    model = platform.processor()
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    compiler = command("c++", "--version").splitlines()[0]
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    return (f"{model}, {os.cpu_count()} cores; {compiler}; commit "
            f"{command('git', 'rev-parse', '--short', 'HEAD')}; load at the end {load}")


def tables(rows):
    sizes = sorted({row["size"] for row in rows})
    stages = list(dict.fromkeys(row["stage"] for row in rows))
    at = {(row["stage"], row["size"]): row for row in rows}
    shown = max((size for size in sizes if size <= 43_000), default=sizes[-1])
    head = " | ".join(f"{size // 1000}k" for size in sizes)
    lines = [machine(), "",
             "Milliseconds / peak megabytes beside what was there before; biped, 80 exemplars.", "",
             f"| stage | {head} | growth | share of bind at {shown // 1000}k | rate there |",
             "| --- |" + " --- |" * (len(sizes) + 3)]
    for stage in stages:
        by_size = {size: at[stage, size] for size in sizes if (stage, size) in at}
        here = by_size.get(shown)
        cells = " | ".join(cell(by_size.get(size)) for size in sizes)
        lines.append(f"| {stage} | {cells} | {exponent(by_size)} | "
                     f"{share(here, at.get(('bind', shown)))} | {rate(here) if here else '–'} |")
    return "\n".join(lines)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    rows = rows_of(sys.argv[1])
    if not rows:
        sys.exit(f"{sys.argv[1]}: no stages in it")
    with open(sys.argv[2], encoding="utf-8") as file:
        page = file.read()
    before, rest = page.split(BEGIN, 1)
    after = rest.split(END, 1)[1]
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(f"{before}{BEGIN}\n{tables(rows)}\n{END}{after}")


if __name__ == "__main__":
    main()
