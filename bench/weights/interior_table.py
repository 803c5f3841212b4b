#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
"""Makes tables of docs/performance.md from the JSON of `sinew_bench --benchmark_filter=^interior`.

    bench/weights/interior_table.py interior.json docs/performance.md

Replaces what is between the two marks in the page.
"""
import json
import math
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "stages"))
from table import machine  # noqa: E402

BEGIN, END = "<!-- interior: begin -->", "<!-- interior: end -->"


def rows_of(path):
    """By kind: character, size and figures of each run."""
    with open(path, encoding="utf-8") as file:
        runs = json.load(file)["benchmarks"]
    kinds = {}
    for run in runs:
        found = re.match(r"(interior\w*)/([\w-]+)/(\d+)", run["name"])
        if found and not run.get("error_occurred"):
            kinds.setdefault(found[1], []).append((found[2], int(found[3]), run))
    return kinds


def seconds(figures, key="real_time"):
    return f"{figures[key] / 1000:.2f}"


def weights_table(rows):
    lines = ["| character | bones | cells | points | levels | seconds | of the processor | MB | residual |",
             "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"]
    for name, asked, f in rows:
        cells = f"{f['cells']:,.0f}" + ("" if asked else " tetrahedra")
        lines.append(f"| {name} | {f['bones']:.0f} | {cells} | {f['points']:,.0f} | {f['levels']:.0f} | "
                     f"{seconds(f)} | {seconds(f, 'cpu_time')} | {f['peak_mb']:.0f} | {f['residual']:.1g} |")
    return lines


def literal_table(rows):
    lines = ["| points | seconds |", "| --- | --- |"]
    lines += [f"| {f['points']:,.0f} | {seconds(f)} |" for _, _, f in rows]
    (_, _, first), (_, _, last) = rows[0], rows[-1]
    power = (math.log(last["real_time"] / first["real_time"]) /
             math.log(last["points"] / first["points"]))
    at_40k = last["real_time"] / 1000 * (40_000 / last["points"]) ** power
    return lines + ["", f"It grows with the points to the power {power:.1f}: 40,000 would take about "
                    f"{float(f'{at_40k:.1g}'):,.0f} s."]


def fingers_table(rows):
    lines = ["| hand | cells asked for | faces between fingers | cells with two fingers | "
             "tetrahedra with two fingers |", "| --- | --- | --- | --- | --- |"]
    for name, asked, f in rows:
        pairs = " | ".join(f"{f[key + '_joined']:.0f} → {f[key + '_split']:.0f}"
                           for key in ("contacts", "cells_of_two", "tets_of_two"))
        lines.append(f"| {name} | {asked:,} | {pairs} |")
    return lines


def tables(kinds):
    lines = [machine(), ""]
    if "interior" in kinds:
        lines += ["Weights of the interior from a prepared mesh, grid included; wall time:", ""]
        lines += weights_table(kinds["interior"])
    for name, asked, f in kinds.get("interior_read_and_bind", []):
        lines += ["", f"From the bytes of the {name} of {f['vertices']:,.0f} vertices to its weights, 12,000 "
                  f"cells: {seconds(f)} s, {seconds(f, 'cpu_time')} s of the processor."]
    if len(kinds.get("interior_literal", [])) > 1:
        lines += ["", "CesiumMan by active sets as they are written down, in the same run:", ""]
        lines += literal_table(kinds["interior_literal"])
    if "interior_fingers" in kinds:
        lines += ["", "What touches in hands, one cell at each place → several:", ""]
        lines += fingers_table(kinds["interior_fingers"])
    return "\n".join(lines)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    kinds = rows_of(sys.argv[1])
    if not kinds:
        sys.exit(f"{sys.argv[1]}: no interiors in it")
    with open(sys.argv[2], encoding="utf-8") as file:
        page = file.read()
    before, rest = page.split(BEGIN, 1)
    after = rest.split(END, 1)[1]
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(f"{before}{BEGIN}\n{tables(kinds)}\n{END}{after}")


if __name__ == "__main__":
    main()
