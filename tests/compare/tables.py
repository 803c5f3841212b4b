# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
"""What script/compare found, as a page, as Markdown and as .csv. The page loads nothing and follows the light or dark of
its reader."""
import csv
import html
import os
import statistics
import urllib.parse

ARTIST, BLENDER, BLENDER_4 = "artist", "Blender", "Blender, 4"
TORN = 0.01  # copies of one vertex whose weights differ by more come apart where one can see it
ROUNDING = 1e-12  # figures below are shown as nothing
NONE = "–"
QUALITY = ["arap", "clips", "follow", "drift"]
WHOLENESS = ["unweighted", "max_influences", "dead", "lost", "islands", "rough", "seam_spread"]
COLUMNS = {  # of the page: the figure and what it is called
    "arap": "arap", "clips": "clips", "follow": "follow", "drift": "drift, %", "dead": "dead", "lost": "lost",
    "max_influences": "influences", "unweighted": "unweighted",
}
LESS_IS_BETTER = {"arap", "clips", "drift"}
SAME_REL = 0.02  # figures closer than this are the same to the eye

STYLE = """
:root { color-scheme: light dark; --page: #f3f4f6; --card: #fff; --line: #d9dde4; --ink: #171c24; --soft: #5a6472;
  --link: #0b63ce; --good: #0b63ce; --bad: #b4500b; --error: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --page: #12151a; --card: #1a1e25; --line: #303742; --ink: #e9edf3;
  --soft: #9aa5b4; --link: #6ab0ff; --good: #6ab0ff; --bad: #ff9d54; --error: #ff8a80; } }
body { margin: 0 auto; max-width: 96rem; padding: 1.5rem; background: var(--page); color: var(--ink);
  font: 14px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; } h2 .soft { font-weight: 400; font-size: .9em; }
p { margin: .25rem 0; max-width: 60rem; } .soft { color: var(--soft); } a { color: var(--link); }
.scroll { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .5rem; text-align: right; white-space: nowrap; border-top: 1px solid var(--line); }
thead th { border-top: 0; color: var(--soft); font-weight: 500; }
th:first-child, td.words, th.words { text-align: left; } td.words { white-space: normal; min-width: 15rem; width: 28%; }
td.bone { white-space: normal; overflow-wrap: anywhere; min-width: 13rem; }
tbody th { font-weight: 500; } .good { color: var(--good); } .bad { color: var(--bad); }
.failed { color: var(--error); font-weight: 600; } .sign { font-size: .8em; }
"""


def digits(value):
    if value is None or isinstance(value, float) and value != value:
        return NONE
    if isinstance(value, float) and abs(value) < ROUNDING:
        value = 0
    return str(value) if isinstance(value, int) else f"{value:.3g}"


def figure(result, kind, name):
    return result["kinds"].get(kind, {}).get("figures", {}).get(name)


def words(entry):
    """What is wrong with one method's weights, the failure first."""
    return ([f"failed: {entry['failed']}"] if entry.get("failed") else []) + entry.get("flaws", [])


def summary(about, results):
    """Per kind: of how many, failures, flaws, and the medians of arap and follow beside the artist's, and of seconds."""
    rows = []
    for kind in about["kinds"]:
        entries = [r["kinds"][kind] for r in results if kind in r["kinds"]]
        failed = sum(bool(each.get("failed")) for each in entries)
        flawed = sum(not each.get("failed") and bool(each.get("flaws")) for each in entries)
        row = {"kind": kind, "count": len(entries), "failed": failed, "flawed": flawed}
        for name in ("arap", "follow"):
            ratios = [figure(r, kind, name) / figure(r, ARTIST, name) for r in results
                      if not r["kinds"].get(kind, {}).get("failed") and figure(r, kind, name) is not None
                      and (figure(r, ARTIST, name) or 0) > ROUNDING]
            row[name] = statistics.median(ratios) if ratios else None
        lost = [figure(r, kind, "lost") for r in results if figure(r, kind, "lost") is not None]
        row["lost"] = sum(lost) if lost else None
        rows.append(row)
    return rows


SUMMARY_HEAD = ["weights", "characters", "failed", "flawed", "arap / artist's", "follow / artist's", "bones lost"]


def summary_cells(row):
    return [row["kind"], str(row["count"]), str(row["failed"]), str(row["flawed"]), digits(row["arap"]),
            digits(row["follow"]), digits(row["lost"])]


# ---- Markdown ----


SUMMARY_WORDS = """\
- **failed**: made no weights, left vertices without any, or gave all to one bone. **flawed**: something else went wrong,
  as told below.
- **arap**, **follow**: the median of what they are beside the artist's, over characters that did not fail; 1 is as much.
"""
QUALITY_WORDS = """\
- **arap**: how much the surface is distorted in random poses; 0 is rigid, less is better. **clips**: the same in the
  file's own animations; – where it has none.
- **follow**: the weight of a bone on the skin around its middle. 1 follows the bone fully; more than the artist's is not better.
- **drift**: how far parts that touch come apart, in percent of the character's diagonal.
- "Blender" has all its influences. "Blender, 4" keeps the four strongest: as many as `sinew bind` gives and engines
  read.
"""
WHOLENESS_WORDS = """All but the influences are better when less.

- **dead**: bones that rule no vertex, with a weight of 0.5 or more. **lost**: bones that rule less than half the
  vertices that they rule in the artist's file.
- **islands**: separate patches of one bone on one part. **rough**: how far a weight is from its neighbours', at the
  worst thousandth. **seam spread**: how far copies of one vertex disagree; they tear open.
"""
TIME_WORDS = """Seconds of binding alone: Blender's operator in its best attempt, and sinew's stages, without reading, judging
and writing.
"""


def escaped(text):
    return str(text).replace("|", "\\|").replace("\n", " ")


def markdown_table(head, rows):
    lines = ["| " + " | ".join(escaped(cell) for cell in row) + " |" for row in [head, ["---"] * len(head), *rows]]
    return "\n".join(lines) + "\n"


def slashed(result, kind, names):
    return " / ".join(digits(figure(result, kind, name)) for name in names)


def worst_bone(result, kind):
    name = figure(result, kind, "worst_bone_name")
    return f"{name} {digits(figure(result, kind, 'worst_bone'))}" if name else NONE


def attempt_words(attempt):
    if "file" not in attempt:
        return f"{attempt['name']}: {attempt['failed']}"
    text = f"{attempt['name']}: {attempt['unweighted']} unweighted"
    if attempt.get("arap") is not None:
        text += f", arap {digits(attempt['arap'])}"
    if (attempt.get("seam_spread") or 0) > TORN:
        text += ", torn"
    return text + (", it warned" if attempt["warned"] else "")


def markdown(about, results):
    kinds = about["kinds"]
    made = [r for r in results if r["kinds"]]
    head = ["character", *kinds]

    def table(cell):
        return markdown_table(head, [[r["name"]] + [cell(r, kind) for kind in kinds] for r in made])

    text = [f"{about['versions']}. {len(results)} characters, {about['poses']} random poses.\n",
            "## In short\n", SUMMARY_WORDS,
            markdown_table(SUMMARY_HEAD, [summary_cells(row) for row in summary(about, results)]),
            "## How it deforms\n", f"{' / '.join(QUALITY)}\n", QUALITY_WORDS,
            table(lambda r, kind: slashed(r, kind, QUALITY)),
            "## Whether it is whole\n", "unweighted / most influences / dead / lost / islands / rough / seam spread\n",
            WHOLENESS_WORDS, table(lambda r, kind: slashed(r, kind, WHOLENESS)),
            "## Where it is worst\n", "The most distorted bone, and how much what it leads is distorted.\n",
            table(worst_bone)]
    if about["judged"]:
        text += [f"## By another judge\n\n{' / '.join(QUALITY)}:\n",
                 table(lambda r, kind: r["kinds"].get(kind, {}).get("judge", {}).get("failed") or " / ".join(
                     digits(r["kinds"].get(kind, {}).get("judge", {}).get(name)) for name in QUALITY))]
    timed = [kind for kind in kinds if kind not in (ARTIST, BLENDER_4)]
    text += ["## How long it takes\n", TIME_WORDS, markdown_table(
        ["character", "vertices", "joints", *timed, "Blender's best attempt"],
        [[r["name"], r.get("vertices", NONE), r.get("joints", NONE)] +
         [digits(r["kinds"].get(kind, {}).get("seconds")) for kind in timed] +
         [r["kinds"].get(BLENDER, {}).get("attempt", NONE)] for r in made])]
    text += ["## What went wrong\n", about["rules"] + "\n"]
    for r in results:
        told = {kind: "; ".join(words(entry)) for kind, entry in r["kinds"].items() if words(entry)}
        if told.get(BLENDER_4) == told.get(BLENDER):
            told.pop(BLENDER_4, None)
        lines = [f"  - {kind}: {text_of_kind}" for kind, text_of_kind in told.items()]
        lines += [f"  - {r['failed']}"] if r.get("failed") else []
        lines += [f"  - no page: {r['report_failed']}"] if r.get("report_failed") else []
        text.append(f"- {r['name']}" + ("\n" + "\n".join(lines) if lines else ": nothing"))
    text += [f"- {name} was left out: {reason}" for name, reason in about["left_out"]]
    text += ["\n## Blender's attempts\n", f"Best first. TEMPERANCE and FORTUNE are settings of its importer. arap is of "
             f"{about['choice_poses']} poses, given where it decides. \"It warned\": *Bone\nHeat Weighting: failed to find "
             "solution for one or more bones*.\n"]
    text += [f"- {r['name']}: " + "; ".join(attempt_words(each) for each in r["attempts"]) for r in made]
    return "\n".join(text) + "\n"


# ---- Page ----


def cell(result, kind, name):
    value, artist = figure(result, kind, name), figure(result, ARTIST, name)
    text = html.escape(digits(value))
    if name not in QUALITY or kind == ARTIST or value is None or artist is None:
        return f"<td>{text}</td>"
    if abs(value - artist) <= SAME_REL * max(abs(value), abs(artist)):
        return f"<td>{text}</td>"
    better = (value < artist) == (name in LESS_IS_BETTER)
    told = "better" if better else "worse"
    sign = "▲" if value > artist else "▼"
    return (f'<td class="{"good" if better else "bad"}" title="{told} than the artist\'s">{text} '
            f'<span class="sign" role="img" aria-label="{told}">{sign}</span></td>')


def wrong_cell(entry):
    failed = entry.get("failed")
    parts = [f'<span class="failed">failed: {html.escape(failed)}</span>'] if failed else []
    parts += [html.escape(flaw) for flaw in entry.get("flaws", [])]
    return f'<td class="words">{"; ".join(parts)}</td>'


def section(about, result):
    name = html.escape(result["name"])
    link = f'<a href="{urllib.parse.quote(result["report"])}">{name}</a>' if (
        result.get("report") and not result.get("report_failed")) else name
    size = f' <span class="soft">{result["vertices"]} vertices, {result["joints"]} joints</span>' if (
        "vertices" in result) else ""
    text = [f"<h2>{link}{size}</h2>"]
    for why in (result.get("failed"), result.get("report_failed") and f"no page: {result['report_failed']}"):
        if why:
            text.append(f'<p class="failed">{html.escape(why)}</p>')
    if not result["kinds"]:
        return "\n".join(text)
    heads = "".join(f'<th scope="col">{each}</th>' for each in ["seconds", *COLUMNS.values(), "worst bone"])
    text.append(f'<div class="scroll"><table><thead><tr><th scope="col">weights</th>{heads}'
                '<th scope="col" class="words">what went wrong</th></tr></thead><tbody>')
    for kind in about["kinds"]:
        entry = result["kinds"].get(kind, {})
        cells = "".join(cell(result, kind, each) for each in COLUMNS)
        text.append(f'<tr><th scope="row">{html.escape(kind)}</th><td>{digits(entry.get("seconds"))}</td>{cells}'
                    f'<td class="bone">{html.escape(worst_bone(result, kind))}</td>{wrong_cell(entry)}</tr>')
    text.append("</tbody></table></div>")
    return "\n".join(text)


def page(about, results):
    head = "".join(f'<th scope="col">{each}</th>' for each in SUMMARY_HEAD)
    rows = []
    for row in summary(about, results):
        first, *rest = summary_cells(row)
        rows.append(f'<tr><th scope="row">{html.escape(first)}</th>' + "".join(f"<td>{each}</td>" for each in rest) +
                    "</tr>")
    left_out = "".join(f'<p class="soft">{html.escape(name)} was left out: {html.escape(reason)}</p>'
                       for name, reason in about["left_out"])
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Weights compared</title><style>{STYLE}</style></head><body>
<h1>Weights compared</h1>
<p>The artist's weights, Blender's automatic ones and those of every method of <code>sinew bind</code>, on {len(results)}
characters. A name leads to a page that shows them side by side.</p>
<p class="soft">{html.escape(about["versions"])}. {about["poses"]} random poses.</p>
<h2>In short</h2>
<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>
<p class="soft">failed: made no weights, left vertices without any, or gave all to one bone. flawed: something else is
wrong, as told below. arap and follow: the median over characters that did not fail, 1 is as the artist's; less arap is better;
more follow than the artist's is not.</p>
<p class="soft">Below, ▲ and ▼ show where a figure is above or below the artist's, in blue where that is better and in
orange where it is worse.</p>
{left_out}
{"".join(section(about, result) for result in results)}
</body></html>
"""


def write_csv(file, about, results):
    names = [*QUALITY, "arap_worst", "follow_min", *WHOLENESS, "control_weight", "worst_bone", "worst_bone_name"]
    judged = ["judge_" + name for name in QUALITY] if about["judged"] else []
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["character", "vertices", "joints", "weights", "seconds", *names, *judged, "failed", "flaws"])
    for r in results:
        for kind in about["kinds"] if r["kinds"] else [""]:
            entry = r["kinds"].get(kind, {})
            values = [entry.get("seconds"), *(figure(r, kind, name) for name in names),
                      *(entry.get("judge", {}).get(name) for name in QUALITY if judged)]
            writer.writerow([r["name"], r.get("vertices", ""), r.get("joints", ""), kind] +
                            ["" if value is None else value for value in values] +
                            [entry.get("failed") or r.get("failed", ""), "; ".join(entry.get("flaws", []))])


def write(folder, about, results):
    for name, content in (("index.html", page), ("comparison.md", markdown)):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(content(about, results))
    with open(os.path.join(folder, "comparison.csv"), "w", encoding="utf-8", newline="") as file:
        write_csv(file, about, results)
