# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
"""Compares the weights of every method of `sinew bind` with the artist's and with Blender's automatic weights.

Run it as script/compare, which builds sinew first. FILE is a skinned character in any format that sinew reads; a folder
stands for all .glb, .gltf, .fbx and .dae files in it. Without any, the characters of `sinew example` are compared. A
program that fails, is absent or takes too long is shown as a failure and stops nothing.

What is done to be fair to Blender:
 - It is tried with vertices as stored and welded by position, each with bones that end where two of its importer's
   settings put them (TEMPERANCE is its default, FORTUNE ends a bone at its child). The best counts: the fewest vertices
   without weight, then one that does not tear seams open, then the lowest arap. Of a large character the first that
   leaves no vertex without weight counts.
 - Where all of these leave vertices without weight, it is tried with everything welded and enlarged.
 - Bones that the file's weights never use do not deform, as in `sinew bind`.
 - Its weights are written into a copy of the artist's file, all influences of them, so that all are judged on one mesh,
   one skeleton, and the same poses and clips. "Blender, 4" has the four strongest, which is what engines read.
Times are of the binding alone: Blender's operator, and sinew's stages without reading, judging and writing.
"""
import argparse
import json
import math
import os
import platform
import re
import shutil
import signal
import struct
import subprocess
import sys
import time

import tables

EXTENSIONS = (".glb", ".gltf", ".fbx", ".dae")
EXAMPLE_VERTICES = 4000
HEURISTICS = ["TEMPERANCE", "FORTUNE"]
VERTICES = ["stored", "welded", "enlarged"]
MARK = "BLENDER_BIND "  # starts the line by which Blender's side answers
PAPER = "paper"  # araplbs with the constraints of its paper
RESULT = "result.json"  # in a character's folder, for --resume and --keep-blender
CHOICE_POSES = 12  # enough to tell which of Blender's attempts is the best
# What counts as gone wrong, beside vertices without weight.
MUCH_WORSE = 2.0  # times the artist's distortion
ARAP_FLOOR = 1e-3  # no eye sees less: twice nothing is not much
FOLLOWS_LESS = 0.75  # times the artist's
APART_PERCENT = 1.0  # of the diagonal, beyond the artist's
RULES = f"""Failed: no weights, a vertex without any, or one bone that rules everything. Else told are: bones lost; copies of one
vertex that differ by more than {tables.TORN}; weight on bones that the artist left without; an arap of more than {MUCH_WORSE:g}
times the artist's; a follow of less than {FOLLOWS_LESS:g} of the artist's; a drift of {APART_PERCENT:g}% more."""


def run(command, limit_s, environment=None):
    """What a program printed, and in words why it failed, or None."""
    try:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   errors="replace", start_new_session=True, env=environment)
    except OSError as error:
        return "", f"{os.path.basename(command[0])} cannot be started: {error.strerror}"
    try:
        out, err = process.communicate(timeout=limit_s)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return "", f"stopped after {limit_s:.0f} s"
    if process.returncode == 0:
        return out, None
    if process.returncode < 0:
        return out, f"ended by {signal.Signals(-process.returncode).name}"
    lines = [line.strip() for line in (err.strip() or out.strip()).splitlines() if line.strip()]
    # An uncaught error of Python says more than what its caller makes of it.
    raised = [line for line in lines if re.match(r"\w+(Error|Exception): ", line)]
    return out, (raised or lines or [f"ended with status {process.returncode}, without a word"])[-1]


class Sinew:
    def __init__(self, program, options):
        self.program, self.options = program, options

    def json(self, *arguments, limit_s=None):
        out, error = run([self.program, *arguments, "--json", "--quiet"], limit_s or self.options.limit_s)
        if error:
            return None, error
        try:
            return json.loads(out), None
        except ValueError:
            return None, "sinew printed no JSON"

    def methods(self):
        """What `sinew bind --help` offers, the default first as it stands there."""
        text, error = run([self.program, "bind", "--help"], self.options.limit_s)
        if error:
            raise SystemExit(f"compare: {self.program}: {error}")
        told = re.search(r"--method KIND\s+(.*?)\n\s+--", text, re.S)
        names = re.findall(r"(?:^|; )(\w+): ", " ".join(told.group(1).split())) if told else []
        if not names:
            raise SystemExit(f"compare: {self.program} bind --help names no methods")
        return names

    def figures(self, path, original, poses):
        """Of the largest character, with the name of its worst bone."""
        report, error = self.json("inspect", path, "--original", original, "--poses", str(poses))
        if error:
            return None, f"cannot be judged: {error}"
        character = largest(report)
        quality = character.get("quality") or {}
        return {**character["figures"], "worst_bone_name": quality.get("worst_bone")}, None

    def bind(self, path, method, target):
        how = ["--method", "araplbs", "--constraints", "paper"] if method == PAPER else ["--method", method]
        report, error = self.json("bind", path, "-o", target, *how, "--poses", "0")
        if error:
            return {"failed": error}
        seconds = {}
        for character in report["characters"]:
            for stage, taken in character["seconds"].items():
                seconds[stage] = seconds.get(stage, 0) + taken
        return {"file": target, "seconds": sum(seconds.values()), "stages": seconds}


def largest(report):
    return max(report["characters"], key=lambda each: each["figures"]["vertices"])


# ---- Blender ----


def blender_environment(program):
    """Blender takes the first Python on the PATH for its own: that must be the one it was installed with."""
    found = shutil.which(program)
    if found is None:
        return None
    return {**os.environ, "PATH": os.path.dirname(os.path.realpath(found)) + os.pathsep + os.environ.get("PATH", "")}


def blender_attempt(options, original, folder, heuristic, vertices, limit_s):
    name = f"{vertices}, {heuristic}"
    stem = os.path.join(folder, f"blender-{vertices}-{heuristic}".lower())
    target, target_4, work = stem + ".glb", stem + "-4.glb", os.path.join(folder, "blender-input.glb")
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "blender_bind.py")
    out, error = run([options.blender, "-b", "--factory-startup", "--python-exit-code", "1", "--python", script, "--",
                      original, target, target_4, work, heuristic, vertices], limit_s, blender_environment(options.blender))
    answer = next((line for line in out.splitlines() if line.startswith(MARK)), None)
    if answer is None:
        return {"name": name, "failed": error or "Blender ended without an answer"}
    warned = any("Bone Heat" in line for line in out.splitlines())
    return {"name": name, "file": target, "file_4": target_4, "warned": warned, **json.loads(answer[len(MARK):])}


def blender_attempts(options, sinew, original, folder, large):
    """All attempts, best first; those that gave nothing last."""
    attempts, left_s = [], options.limit_s
    for vertices in VERTICES:
        for heuristic in HEURISTICS:
            whole = any(each.get("unweighted") == 0 for each in attempts)
            if whole and (large or vertices == "enlarged"):
                continue
            if left_s <= 0:
                attempts.append({"name": f"{vertices}, {heuristic}", "failed": "not tried: no time was left"})
                continue
            began = time.perf_counter()
            attempts.append(blender_attempt(options, original, folder, heuristic, vertices, left_s))
            left_s -= time.perf_counter() - began
            if "cannot be started" in attempts[-1].get("failed", ""):
                return attempts
    made = [each for each in attempts if "file" in each]
    fewest = min((each["unweighted"] for each in made), default=0)
    for each in made:
        if each["unweighted"] == fewest and each["unweighted"] < each["vertices"] and not large:
            figures, _ = sinew.figures(each["file"], original, CHOICE_POSES)
            for name in ("arap", "seam_spread"):
                each[name] = (figures or {}).get(name)

    def rank(each):
        arap = each.get("arap")
        return (each["unweighted"], (each.get("seam_spread") or 0) > tables.TORN, math.inf if arap is None else arap)

    return sorted(made, key=rank) + [each for each in attempts if "file" not in each]


def by_blender(attempts):
    """The entries of "Blender" and of "Blender, 4"."""
    best = attempts[0]
    if "file" not in best:
        return {"failed": best["failed"]}, {"failed": best["failed"]}
    shared = {"attempt": best["name"], "seconds": best["seconds"]}
    if best["unweighted"] == best["vertices"]:
        shared["failed"] = f"no vertex has any weight, though Blender says {' '.join(best['said'])}"
    return {**shared, "file": best["file"]}, {**shared, "file": best["file_4"]}


# ---- One character ----


def what_went_wrong(figures, artist):
    """In words: what makes the weights useless, or None, and what else is wrong with them."""
    failed, flaws = None, []
    if figures["unweighted"] > 0:
        failed = ("no vertex has any weight" if figures["unweighted"] == figures["vertices"] else
                  f"{figures['unweighted']} of {figures['vertices']} vertices have no weight")
    elif figures["deforming"] > 1 and (figures["dead"] or 0) >= figures["deforming"] - 1:
        failed = "at most one bone rules any vertex: nothing bends"
    if (figures["seam_spread"] or 0) > tables.TORN:
        flaws.append(f"seams tear open: copies of one vertex differ by {figures['seam_spread']:.2g}")
    if (figures["control_weight"] or 0) > 0:
        flaws.append(f"bones that the artist left without weight have {figures['control_weight']:.2g}")
    if figures["lost"]:
        flaws.append(f"{figures['lost']} of {figures['deforming']} bones lost most of their skin")
    if artist and figures["arap"] is not None and artist["arap"] is not None:
        if figures["arap"] > MUCH_WORSE * max(artist["arap"], ARAP_FLOOR):
            flaws.append(f"distorts {figures['arap']:.2g}, the artist's {artist['arap']:.2g}")
        if (figures["follow"] or 0) < FOLLOWS_LESS * (artist["follow"] or 0):
            flaws.append(f"follows its bones by {figures['follow']:.2f}, the artist's {artist['follow']:.2f}")
        if (figures["drift"] or 0) > (artist["drift"] or 0) + APART_PERCENT:
            flaws.append(f"parts come apart by {figures['drift']:.1f}%, the artist's {artist['drift']:.1f}%")
    return failed, flaws


def ask_judge(options, result):
    """Adds what another judge says of all that it has not yet judged."""
    for entry in result["kinds"].values():
        if "figures" not in entry or "judge" in entry:
            continue
        out, error = run([sys.executable, "-B", options.judge, entry["file"], "--original", result["original"],
                          "--poses", str(options.poses), "--json"], options.limit_s)
        try:
            report = {} if error else json.loads(out)
            entry["judge"] = {"failed": error} if error else {name: report.get(name) for name in tables.QUALITY}
        except ValueError:
            entry["judge"] = {"failed": "the judge printed no JSON"}


def write_bare(source, target):
    """Writes a copy of a .glb without any weights: what a method that made nothing is shown on."""
    with open(source, "rb") as file:
        data = file.read()
    length = struct.unpack_from("<I", data, 12)[0]
    document = json.loads(data[20:20 + length])
    for mesh in document["meshes"]:
        for primitive in mesh["primitives"]:
            for name in [each for each in primitive["attributes"] if each.startswith(("JOINTS_", "WEIGHTS_"))]:
                del primitive["attributes"][name]
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    with open(target, "wb") as file:
        file.write(struct.pack("<4sII", b"glTF", 2, 20 + len(text) + len(data) - 20 - length))
        file.write(struct.pack("<I4s", len(text), b"JSON") + text + data[20 + length:])


def write_report(sinew, result, target):
    """The page of one character."""
    command = ["report"]
    bare = os.path.join(os.path.dirname(result["original"]), "bare.glb")
    labels, marks = [], []
    for kind, entry in result["kinds"].items():
        if kind == tables.BLENDER_4:  # it looks as Blender's does
            continue
        if "file" not in entry and not os.path.exists(bare):
            write_bare(result["original"], bare)
        command.append(entry.get("file", bare))
        labels += ["--label", kind]
        if entry.get("seconds") is not None:
            marks += ["--seconds", f"{kind}={entry['seconds']:.6g}"]
        if entry.get("failed"):
            marks += ["--failed", f"{kind}={entry['failed']}"]
    _, error = sinew.json(*command, *labels, *marks, "--title", result["name"], "--poses",
                          str(sinew.options.poses), "-o", target)
    return error


def earlier(folder):
    """What an earlier call found out about a character, if there was one."""
    try:
        with open(os.path.join(folder, RESULT), encoding="utf-8") as file:
            return json.load(file)
    except OSError:
        return {}


def judge_kind(options, sinew, result, kind, artist):
    """Figures of one kind of weights, and what went wrong with them."""
    entry = result["kinds"][kind]
    if "file" not in entry:
        return
    found, error = (artist, None) if kind == tables.ARTIST else sinew.figures(entry["file"], result["original"],
                                                                              options.poses)
    if error:
        entry.setdefault("failed", error)
        return
    entry["figures"] = found
    failed, entry["flaws"] = what_went_wrong(found, None if kind == tables.ARTIST else artist)
    if failed:
        entry.setdefault("failed", failed)


def compare_again(options, sinew, result):
    """An earlier result with some of the methods run once more."""
    artist = result["kinds"][tables.ARTIST]["figures"]
    for method in options.again:
        target = os.path.join(os.path.dirname(result["original"]), method + ".glb")
        result["kinds"][method] = sinew.bind(result["original"], method, target)
        judge_kind(options, sinew, result, method, artist)
    return result


def compare(options, sinew, methods, name, path):
    folder = os.path.join(options.output, name)
    result = {"name": name, "kinds": {}, "attempts": [], "original": os.path.join(folder, "artist.glb")}
    _, error = sinew.json("copy", path, "-o", result["original"])
    if error:
        return {**result, "failed": f"sinew cannot read it: {error}"}
    kinds = result["kinds"]
    kinds[tables.ARTIST] = {"file": result["original"]}
    figures, error = sinew.figures(result["original"], result["original"], options.poses)
    if error:
        return {**result, "failed": error}
    result["vertices"], result["joints"] = figures["vertices"], figures["joints"]
    large = figures["vertices"] > options.large
    if options.keep_blender:
        result["attempts"] = earlier(folder).get("attempts")
    if not result["attempts"]:
        result["attempts"] = blender_attempts(options, sinew, result["original"], folder, large)
        for attempt in result["attempts"][1:]:  # of a large character they would fill a disk
            for key in {"file", "file_4"} & set(attempt):
                os.remove(attempt[key])
    kinds[tables.BLENDER], kinds[tables.BLENDER_4] = by_blender(result["attempts"])
    for method in methods:
        kinds[method] = sinew.bind(result["original"], method, os.path.join(folder, method + ".glb"))
    for kind in kinds:
        judge_kind(options, sinew, result, kind, figures)
    result["report"] = name + ".html"
    result["report_failed"] = write_report(sinew, result, os.path.join(options.output, result["report"]))
    return result


# ---- All of them ----


def characters(options, sinew):
    """Names and paths of what is to be compared, and what is left out, with the reason."""
    paths = []
    for given in options.files:
        if os.path.isdir(given):
            for folder, inner, files in os.walk(given):
                inner.sort()
                paths += [os.path.join(folder, file) for file in sorted(files) if file.lower().endswith(EXTENSIONS)]
        else:
            paths.append(given)
    if not options.files:
        listed, error = run([sinew.program, "example", "--list"], options.limit_s)
        if error:
            raise SystemExit(f"compare: no examples: {error}")
        for name in [line.split()[0] for line in listed.splitlines() if line.strip()]:
            paths.append(os.path.join(options.output, f"example-{name}.glb"))
            sinew.json("example", name, "--vertices", str(EXAMPLE_VERTICES), "-o", paths[-1])
    found, left_out = {}, []
    for path in paths:
        report, error = sinew.json("inspect", path, "--poses", "0")
        if error is None:
            figures = largest(report)["figures"] if report["characters"] else {"joints": 0, "vertices": 0}
            if figures["joints"] == 0 or figures["vertices"] == 0:
                error = "no skinned character"
        if error:
            left_out.append((os.path.basename(path), error))
            continue
        name = stem = os.path.splitext(os.path.basename(path))[0]
        again = 2
        while name in found:
            name, again = f"{stem}-{again}", again + 1
        found[name] = path
    return found, left_out


def versions(options, sinew):
    told = []
    for command in ([sinew.program, "--version"], [options.blender, "--version"]):
        out, error = run(command, options.limit_s)
        told.append(error or next((line.strip() for line in out.splitlines() if line.strip()), "?"))
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            cpu = next(line.split(":")[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        cpu = platform.machine()
    return f"{told[0]}, {told[1]}; {os.cpu_count()} cores, {cpu}"


def main():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser = argparse.ArgumentParser(prog="script/compare", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("-o", "--output", default=os.path.join(root, "build", "compare"), metavar="FOLDER",
                        help="where to write index.html, a page per character, comparison.md and comparison.csv "
                             "[build/compare]")
    parser.add_argument("--sinew", default=os.environ.get("SINEW_BINARY", "sinew"), metavar="PROGRAM")
    parser.add_argument("--blender", default="blender", metavar="PROGRAM")
    parser.add_argument("--poses", type=int, default=48, help="random poses to judge on [48]")
    parser.add_argument("--limit", dest="limit_s", type=float, default=900, metavar="SECONDS",
                        help="for each run of a program, and for all of Blender's attempts at one file [900]")
    parser.add_argument("--large", type=int, default=50000, metavar="VERTICES",
                        help="with more, Blender's first attempt that is whole counts [50000]")
    parser.add_argument("--resume", action="store_true",
                        help="go on after an interruption: take what the output folder already has")
    parser.add_argument("--keep-blender", action="store_true",
                        help="take Blender's part from the output folder where it is there: only sinew has changed")
    parser.add_argument("--again", action="append", default=[], metavar="METHOD",
                        help="run only this method once more, the rest as the output folder has it; may be repeated")
    parser.add_argument("--judge", metavar="SCRIPT",
                        help="also ask this: run as python3 SCRIPT FILE --original FILE --poses N --json, it prints an "
                             "object with " + ", ".join(tables.QUALITY))
    options = parser.parse_args()
    options.output = os.path.abspath(options.output)  # results are found again from any folder
    os.makedirs(options.output, exist_ok=True)
    sinew = Sinew(options.sinew, options)
    methods = sinew.methods() + [PAPER]
    found, left_out = characters(options, sinew)
    for name, reason in left_out:
        print(f"compare: {name} is left out: {reason}", file=sys.stderr)
    about = {"versions": versions(options, sinew), "poses": options.poses, "choice_poses": CHOICE_POSES,
             "kinds": [tables.ARTIST, tables.BLENDER, tables.BLENDER_4, *methods], "left_out": left_out,
             "judged": bool(options.judge), "rules": RULES}
    results = []
    for name, path in found.items():
        began = time.perf_counter()
        folder = os.path.join(options.output, name)
        os.makedirs(folder, exist_ok=True)
        try:
            result = earlier(folder) if options.resume or options.again else {}
            if result and options.again:
                result = compare_again(options, sinew, result)
            result = result or compare(options, sinew, methods, name, path)
            if options.judge:
                ask_judge(options, result)
        except Exception as error:  # whatever it is, the other characters are still worth comparing
            result = {"name": name, "kinds": {}, "attempts": [], "failed": f"the comparison itself: {error!r}"}
        with open(os.path.join(folder, RESULT), "w", encoding="utf-8") as file:
            json.dump(result, file, indent=1)
        results.append(result)
        print(f"compare: {name}: {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
        tables.write(options.output, about, results)
    if not results:
        raise SystemExit("compare: there is no skinned character to compare")
    print(os.path.join(options.output, "index.html"))


if __name__ == "__main__":
    main()
