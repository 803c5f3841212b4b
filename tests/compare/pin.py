# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
"""Records a hash of the weights of every character, bound in every way that has a path of its own through the program,
and tells what changed since a record was made.

Run it as script/pin, which builds sinew first. FILE is a character in any format that sinew reads; a folder stands for
all characters in it, but not for those in its folders `practice`, `large` and `hostile`. A mesh without bones is bound to
the skeleton beside it (arm.obj to arm.tgf). Without any, the real characters of SINEW_MODELS or ../shared/models are
taken. The characters of `sinew example` are always bound too.

A line of a record is one bind: a hash of the indices and weights in the file that was written, or what the program said
where it refused. It exits with 0 where nothing changed or a record was made, 1 where something did, and 2 where it could
not run.
"""
import argparse
import hashlib
import json
import os
import platform
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

EXTENSIONS = (".glb", ".gltf", ".fbx", ".dae")
BARE = (".obj", ".ply", ".stl", ".mesh")  # a mesh, which needs a skeleton
SKELETONS = (".tgf", ".bvh")
PASSED_OVER = {"practice", "large", "hostile"}
EXAMPLE_VERTICES = 4000
LIMIT_S = 600
# Every way through a bind that has code of its own. SPINE stands for a bone of the character.
WAYS = {
    "araplbs": [],
    "heat": ["--method", "heat"],
    "bbw": ["--method", "bbw"],
    "distance": ["--method", "distance"],
    "paper": ["--constraints", "paper"],
    "existing": ["--init", "existing"],
    "volume": ["--domain", "volume"],
    "from-bbw": ["--init", "bbw"],
    "owners": ["--init", "owners"],
    "spine": ["--spine", "SPINE"],
    "u8": ["--quantise", "u8"],
}
THREADS = (1, 2)


class Character:
    def __init__(self, name, path, skeleton=None):
        self.name, self.path = name, path
        self.flags = ["--skeleton", skeleton] if skeleton else []


def run(*command):
    """The exit status of a program, what it printed, and the last line that it complained with."""
    try:
        ended = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        return 124, "", f"stopped after {LIMIT_S} s"
    complaint = [line for line in ended.stderr.splitlines() if line.strip()]
    return ended.returncode, ended.stdout, complaint[-1] if complaint else ""


def characters_below(folder, root):
    """All characters in a folder, in an order that does not depend on the machine."""
    found = []
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(set(folders) - PASSED_OVER)
        for file in sorted(files):
            path, (stem, extension) = os.path.join(place, file), os.path.splitext(file)
            skeleton = next((s for s in SKELETONS if extension in BARE and stem + s in files), None)
            if extension in EXTENSIONS or skeleton:
                found.append(Character(os.path.relpath(path, root), path,
                                       skeleton and os.path.join(place, stem + skeleton)))
    return found


def generated(program, folder):
    status, listed, complaint = run(program, "example", "--list", "--json")
    if status != 0:
        raise SystemExit(f"pin: sinew example --list failed: {complaint}")
    found = []
    for example in json.loads(listed)["characters"]:
        path = os.path.join(folder, example["name"] + ".glb")
        status, _, complaint = run(program, "example", example["name"], "-o", path, "--vertices", str(EXAMPLE_VERTICES))
        if status != 0:
            raise SystemExit(f"pin: sinew example {example['name']} failed: {complaint}")
        found.append(Character(f"example/{example['name']}", path))
    return found


def bone_for_spine(program, character):
    """The name of the bone that leads most vertices, of those that end at the one bone that hangs on them."""
    if character.flags:
        return "*"  # a bare mesh has no weights to choose by
    _, printed, _ = run(program, "inspect", character.path, "--poses", "0", "--json", "--bones", "*")
    try:
        bones = json.loads(printed)["characters"][0]["bones"]
    except (ValueError, KeyError, IndexError):
        return "*"
    parents = [bone["parent"] for bone in bones]
    ending = [bone for bone in bones if parents.count(bone["index"]) == 1 and bone["length"] > 0]
    return max(ending, key=lambda bone: (bone["dominated"], -bone["index"]))["name"] if ending else "*"


COMPONENT_SIZES = {5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}
ELEMENT_SIZES = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


def weights_hash(path):
    """Of all joints and weights in a .glb, in the order of its primitives, whatever else is in the file."""
    with open(path, "rb") as file:
        data = file.read()
    json_size = struct.unpack_from("<I", data, 12)[0]
    gltf = json.loads(data[20:20 + json_size])
    binary = data[20 + json_size + 8:]
    digest = hashlib.sha256()

    def add(accessor):
        digest.update(f"{accessor['componentType']} {accessor['type']} {accessor['count']}\n".encode())
        if "bufferView" not in accessor:
            return
        view = gltf["bufferViews"][accessor["bufferView"]]
        size = COMPONENT_SIZES[accessor["componentType"]] * ELEMENT_SIZES[accessor["type"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        stride = view.get("byteStride", size)
        for n in range(accessor["count"]):
            digest.update(binary[start + n * stride:start + n * stride + size])

    for mesh in gltf.get("meshes", []):
        for primitive in mesh["primitives"]:
            for name in sorted(primitive["attributes"]):
                if re.match(r"(JOINTS|WEIGHTS)_\d+$", name):
                    add(gltf["accessors"][primitive["attributes"][name]])
    return digest.hexdigest()[:24]


def bind(program, character, way, threads, spine, folder):
    """One line of a record: which bind, and what came of it."""
    output = os.path.join(folder, f"{re.sub(r'[^A-Za-z0-9]+', '_', character.name)}_{way}_{threads}.glb")
    flags = [spine if flag == "SPINE" else flag for flag in WAYS[way]]
    status, _, complaint = run(program, "bind", character.path, *character.flags, "-o", output, "--poses", "0",
                               "--threads", str(threads), *flags)
    if status != 0 or not os.path.exists(output):
        # Paths differ from machine to machine.
        return f"exit {status}: {complaint.replace(os.path.dirname(character.path) + os.sep, '')}"
    found = weights_hash(output)
    os.remove(output)
    return found


def machine(program):
    model = platform.machine()
    try:
        with open("/proc/cpuinfo") as file:
            model = next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return f"# {model}"


def read_record(path):
    kept, head = {}, ""
    with open(path) as file:
        for line in file:
            if line.startswith("#"):
                head = line.rstrip("\n")
            elif line.strip():
                key, value = line.rstrip("\n").split("\t")
                kept[key] = value
    return head, kept


def tell_changes(before, now, is_whole):
    """Prints what differs, and returns how many lines do."""
    count = 0
    for key in sorted(now):
        if key not in before:
            print(f"new      {key}: {now[key]}")
        elif before[key] != now[key]:
            print(f"changed  {key}: {before[key]} -> {now[key]}")
        else:
            continue
        count += 1
    for key in sorted(set(before) - set(now)) if is_whole else []:
        print(f"gone     {key}")
        count += 1
    return count


def threads_that_disagree(now):
    """Binds whose weights depend on the number of threads, which none may."""
    wrong = []
    for key, value in now.items():
        name, threads = key.rsplit(" ", 1)
        one = now.get(f"{name} 1")
        if threads != "1" and one is not None and one != value:
            wrong.append(name)
    return wrong


def main():
    parser = argparse.ArgumentParser(prog="script/pin", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("record", help="the file that keeps the hashes")
    parser.add_argument("files", nargs="*", metavar="FILE|FOLDER")
    parser.add_argument("--ways", default=",".join(WAYS), help=f"some of them, with commas between [{','.join(WAYS)}]")
    parser.add_argument("--threads", default=",".join(map(str, THREADS)), help="numbers of threads [1,2]")
    parser.add_argument("--jobs", type=int, default=1, help="binds at the same time [1]")
    parser.add_argument("--again", action="store_true", help="replace the record by what is found")
    options = parser.parse_args()
    program = os.environ.get("SINEW_BINARY") or shutil.which("sinew")
    if not program:
        parser.error("say where sinew is, as SINEW_BINARY")
    ways = options.ways.split(",")
    for way in ways:
        if way not in WAYS:
            parser.error(f"no such way to bind: {way} (known: {', '.join(WAYS)})")
    models = os.environ.get("SINEW_MODELS") or os.path.join(os.path.dirname(__file__), "../../../shared/models")
    given = options.files or ([models] if os.path.isdir(models) else [])
    characters = []
    for path in given:
        if not os.path.exists(path):
            parser.error(f"{path}: no such file or folder")
        if os.path.isdir(path):
            characters += characters_below(path, path)
        else:
            characters.append(Character(os.path.basename(path), path))

    started = time.monotonic()
    now = {}
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.jobs) as pool:
        characters += generated(program, folder)
        spines = {c.name: bone_for_spine(program, c) for c in characters} if "spine" in ways else {}
        pending = {
            f"{c.name} {way} {threads}": pool.submit(bind, program, c, way, threads, spines.get(c.name), folder)
            for c in characters for way in ways for threads in options.threads.split(",")
        }
        for n, (key, result) in enumerate(pending.items()):
            now[key] = result.result()
            if sys.stderr.isatty():
                print(f"\r{n + 1} of {len(pending)}", end="", file=sys.stderr, flush=True)
    print(f"{len(now)} binds of {len(characters)} characters in {time.monotonic() - started:.0f} s", file=sys.stderr)

    disagreeing = threads_that_disagree(now)
    for name in disagreeing:
        print(f"threads  {name}: the weights depend on how many there are")
    head, changed = machine(program), 0
    if os.path.exists(options.record) and not options.again:
        before_head, before = read_record(options.record)
        if before_head != head:
            print(f"pin: the record was made on another processor: {before_head[2:]}, not {head[2:]}", file=sys.stderr)
        is_whole = not options.files and all(getattr(options, name) == parser.get_default(name)
                                             for name in ("ways", "threads"))
        changed = tell_changes(before, now, is_whole)
        print(f"{changed} of {len(now)} changed")
    else:
        with open(options.record, "w") as file:
            file.write(head + "\n" + "".join(f"{key}\t{now[key]}\n" for key in sorted(now)))
        print(f"recorded {len(now)} in {options.record}")
    return 1 if changed or disagreeing else 0


if __name__ == "__main__":
    sys.exit(main())
