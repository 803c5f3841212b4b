# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
"""Compares the weights of `sinew bind` with the artist's and with Blender's automatic weights, and prints three tables.

    apt-get install --no-install-recommends blender python3-numpy python3-scipy
    python3 tests/compare/bind_against_blender.py JUDGE.py SINEW OUTPUT_FOLDER FILE...

FILE is a skinned .glb or .gltf. JUDGE.py is a module with `Glb`, `Rig` and `judge(path, original, poses=, frames=)`,
which returns the figures that docs/comparison.md explains and shows. Written for Debian 12's Blender 3.4. A script for
people: it fails only when a program does, never because a figure is bad.

What is done to be fair to Blender:
 - It is tried with vertices as stored, merged by its importer and welded by position, each with bones that end where
   two of its importer's settings put them (TEMPERANCE is its default, FORTUNE ends a bone at its child). The best
   counts: the fewest vertices without weight, then one that does not tear seams open, then the lowest arap.
 - Where all of these leave vertices without weight, it is tried with everything welded and enlarged.
 - Bones that the file's weights never use do not deform, as in `sinew bind`.
 - Its weights are written into a copy of the artist's file, all influences of them, so that all are judged on one mesh,
   one skeleton, and the same poses and clips; nothing is lost in an exporter. "Blender, 4" is what an exporter would
   leave of them by default, the four strongest, and as many as `sinew bind` gives.
"""
import argparse
import json
import math
import os
import resource
import struct
import subprocess
import sys
import time

import numpy as np

HEURISTICS = ["TEMPERANCE", "FORTUNE"]
VERTICES = ["stored", "merged", "welded", "enlarged"]
ENLARGED = 100  # times, welded: what riggers do when Blender finds no solution; tried only then
MARK = "BIND_AGAINST_BLENDER "  # starts the line by which Blender's side answers
WELD_REL = 1e-6  # of the largest extent: the distance within which the judge welds
TORN = 0.01  # copies of one vertex whose weights differ by more come apart where one can see it
ROUNDING = 1e-12  # figures below are shown as nothing
CHOICE_POSES = 12  # enough to tell which of Blender's attempts is the best
STAGES = ["bones", "mesh", "cells", "parts", "weights", "finish"]
KINDS = {"artist": "artist", "blender": "Blender", "blender_4": "Blender, 4", "heat": "heat", "distance": "distance"}
QUALITY = ["arap", "clips", "follow", "drift"]
VALIDITY = ["unweighted", "influences_max", "dead", "lost", "islands", "rough", "seam_spread"]


# ---- Inside Blender ----


def coordinates(mesh):
    points = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", points)
    return points.reshape(-1, 3)


def corners(mesh):
    vertices = np.empty(len(mesh.loops), np.int32)
    mesh.loops.foreach_get("vertex_index", vertices)
    return vertices


def same_vertices(mesh, stored_points, stored_corners):
    """For each stored vertex its vertex in a mesh that has been merged or welded."""
    from mathutils import kdtree

    points = coordinates(mesh)
    tree = kdtree.KDTree(len(points))
    for index, point in enumerate(points):
        tree.insert(point, index)
    tree.balance()
    same = np.array([tree.find(point)[1] for point in stored_points], int)
    here = corners(mesh)
    if len(here) == len(stored_corners) and np.array_equal(points[here], stored_points[stored_corners]):
        # Merging keeps copies whose normals differ, at one place: only the corners tell them apart.
        same[stored_corners] = here
    return same


def weld(mesh):
    import bmesh

    points = coordinates(mesh)
    editable = bmesh.new()
    editable.from_mesh(mesh)
    bmesh.ops.remove_doubles(editable, verts=editable.verts, dist=WELD_REL * float(np.ptp(points, axis=0).max()))
    editable.to_mesh(mesh)
    editable.free()


def bind_in_blender(source, target, heuristic, vertices):
    """Binds all that has an armature and saves, for every stored vertex, its weights by bone name."""
    import bpy
    from mathutils import Matrix

    # The glTF importer of Blender 3.4 uses names that Debian's numpy no longer has.
    for name, kind in (("bool", bool), ("int", int), ("float", float), ("object", object)):
        if name not in np.__dict__:
            setattr(np, name, kind)

    def load(merge):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        bpy.ops.import_scene.gltf(filepath=source, merge_vertices=merge, bone_heuristic=heuristic)
        found = {}
        for item in bpy.context.scene.objects:
            armature = next((each.object for each in item.modifiers if each.type == "ARMATURE"), None)
            if item.type == "MESH" and armature is not None:
                found[item] = armature
        return found

    skinned = load(False)
    stored = {item.data.name: (coordinates(item.data), corners(item.data)) for item in skinned}
    if vertices == "merged":
        skinned = load(True)
    for item, armature in skinned.items():
        if vertices in ("welded", "enlarged"):
            weld(item.data)
        world = item.matrix_world.copy()
        item.modifiers.clear()
        item.vertex_groups.clear()
        item.parent = None
        item.matrix_world = world
        armature.data.pose_position = "REST"
        for bone in armature.data.bones:
            bone.use_deform = bone.name.startswith("deform")
    if vertices == "enlarged":
        for item in [*skinned, *dict.fromkeys(skinned.values())]:
            world = item.matrix_world.copy()
            item.parent = None
            item.matrix_world = Matrix.Scale(ENLARGED, 4) @ world
    seconds = cpu_seconds = 0.0
    for armature in dict.fromkeys(skinned.values()):
        bpy.ops.object.select_all(action="DESELECT")
        for item, own in skinned.items():
            item.select_set(own == armature)
        armature.select_set(True)
        bpy.context.view_layer.objects.active = armature
        bpy.context.view_layer.update()
        began, cpu_began = time.perf_counter(), time.process_time()
        bpy.ops.object.parent_set(type="ARMATURE_AUTO")
        seconds += time.perf_counter() - began
        cpu_seconds += time.process_time() - cpu_began
    arrays = {}
    for item in skinned:
        points, own_corners = stored[item.data.name]
        same = np.arange(len(points)) if vertices == "stored" else same_vertices(item.data, points, own_corners)
        names = [group.name for group in item.vertex_groups]
        weights = [[(group.group, group.weight) for group in vertex.groups] for vertex in item.data.vertices]
        rows = [(v, names[g], w) for v, k in enumerate(same) for g, w in weights[k] if w > 0]
        arrays[item.data.name + "|vertex"] = np.array([row[0] for row in rows], np.int64)
        arrays[item.data.name + "|node"] = np.array([int(row[1].split("_")[1]) for row in rows], np.int64)
        arrays[item.data.name + "|weight"] = np.array([row[2] for row in rows], np.float64)
        arrays[item.data.name + "|count"] = np.array(len(points))
    np.savez(target, **arrays)
    print(MARK + json.dumps({"seconds": seconds, "cpu_seconds": cpu_seconds}), flush=True)


# ---- Files ----


class Document:
    """A glTF file with all its buffers in one, to be changed and written as .glb."""

    def __init__(self, judge, path):
        glb = judge.Glb(path)
        self.json, self.binary, starts = glb.j, bytearray(), []
        for data in glb.buffers:
            self.align()
            starts.append(len(self.binary))
            self.binary += data
        for view in self.json.get("bufferViews", []):
            view["byteOffset"] = view.get("byteOffset", 0) + starts[view["buffer"]]
            view["buffer"] = 0

    def align(self):
        self.binary += bytes(-len(self.binary) % 4)

    def append(self, array, kind, component_type):
        self.align()
        self.json["bufferViews"].append({"buffer": 0, "byteOffset": len(self.binary), "byteLength": array.nbytes})
        self.binary += array.tobytes()
        self.json["accessors"].append({"bufferView": len(self.json["bufferViews"]) - 1, "count": len(array),
                                       "type": kind, "componentType": component_type})
        return len(self.json["accessors"]) - 1

    def skinned_nodes(self):
        return [k for k, node in enumerate(self.json["nodes"]) if "skin" in node and "mesh" in node]

    def own_meshes(self):
        """Gives every skinned node a mesh that no other node uses."""
        for k in self.skinned_nodes():
            node = self.json["nodes"][k]
            self.json["meshes"].append(json.loads(json.dumps(self.json["meshes"][node["mesh"]])))
            node["mesh"] = len(self.json["meshes"]) - 1

    def write(self, path):
        self.align()
        self.json["buffers"] = [{"byteLength": len(self.binary)}]
        text = json.dumps(self.json).encode()
        text += b" " * (-len(text) % 4)
        with open(path, "wb") as file:
            file.write(struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(self.binary)))
            file.write(struct.pack("<I4s", len(text), b"JSON") + text)
            file.write(struct.pack("<I4s", len(self.binary), b"BIN\0") + self.binary)


def prepare(judge, path, deforming, target):
    """Writes a copy with names that Blender must keep, and without what binding does not look at."""
    document = Document(judge, path)
    document.own_meshes()
    for name in ("animations", "materials", "textures", "images", "samplers"):
        document.json.pop(name, None)
    for k, node in enumerate(document.json["nodes"]):
        node["name"] = ("deform_" if k in deforming else "control_") + str(k)
        if "mesh" in node:
            document.json["meshes"][node["mesh"]]["name"] = "mesh_" + str(k)
    for mesh in document.json["meshes"]:
        mesh.pop("weights", None)
        for primitive in mesh["primitives"]:
            primitive.pop("material", None)
            primitive.pop("targets", None)
    document.write(target)


def stored_vertices(judge_glb, primitive):
    """The vertices of a primitive that Blender imports: those in a triangle, in order."""
    if "indices" in primitive:
        return np.unique(judge_glb.acc(primitive["indices"]))
    return np.arange(judge_glb.j["accessors"][primitive["attributes"]["POSITION"]]["count"])


def write_weights(judge, path, arrays, target):
    """Writes a copy of the file with the weights that Blender saved; returns its unweighted vertices and influences."""
    glb, document = judge.Glb(path), Document(judge, path)
    document.own_meshes()
    unweighted = influences = 0
    for k in document.skinned_nodes():
        node, mesh = document.json["nodes"][k], "mesh_" + str(k)
        column = {joint: c for c, joint in enumerate(document.json["skins"][node["skin"]]["joints"])}
        missing = set(arrays[mesh + "|node"].tolist()) - set(column)
        if missing:
            raise ValueError(f"{path}: Blender binds {mesh} to nodes {missing} that its skin does not have")
        joint = np.array([column[each] for each in arrays[mesh + "|node"].tolist()], int)
        vertex, weight = arrays[mesh + "|vertex"], arrays[mesh + "|weight"]
        order = np.lexsort((-weight, vertex))
        vertex, joint, weight = vertex[order], joint[order], weight[order]
        count = int(arrays[mesh + "|count"])
        per_vertex = np.bincount(vertex, minlength=count)
        unweighted += int((per_vertex == 0).sum())
        influences = max(influences, int(per_vertex.max(initial=0)))
        place = np.arange(len(vertex)) - np.repeat(np.cumsum(per_vertex) - per_vertex, per_vertex)
        sets = max(1, math.ceil(per_vertex.max(initial=0) / 4))
        joints, weights = np.zeros((count, 4 * sets), np.uint16), np.zeros((count, 4 * sets), np.float32)
        joints[vertex, place] = joint
        weights[vertex, place] = weight / np.bincount(vertex, weight, count)[vertex]
        begin = 0
        for primitive in document.json["meshes"][node["mesh"]]["primitives"]:
            own = stored_vertices(glb, primitive)
            attributes = primitive["attributes"]
            for name in [each for each in attributes if each.startswith(("JOINTS_", "WEIGHTS_"))]:
                del attributes[name]
            size = document.json["accessors"][attributes["POSITION"]]["count"]
            for s in range(sets):
                for name, table, component_type in (("JOINTS_", joints, 5123), ("WEIGHTS_", weights, 5126)):
                    all_rows = np.zeros((size, 4), table.dtype)
                    all_rows[own] = table[begin:begin + len(own), 4 * s:4 * s + 4]
                    attributes[name + str(s)] = document.append(all_rows, "VEC4", component_type)
            begin += len(own)
        if begin != count:
            raise ValueError(f"{path}: Blender has {count} vertices in {mesh}, the file {begin}")
    document.write(target)
    return unweighted, influences


def write_strongest(judge, path, target):
    """Writes a copy of what `write_weights` wrote with four influences; the judge makes their sum one."""
    document = Document(judge, path)
    for k in document.skinned_nodes():
        for primitive in document.json["meshes"][document.json["nodes"][k]["mesh"]]["primitives"]:
            for name in [each for each in primitive["attributes"] if each.startswith(("JOINTS_", "WEIGHTS_"))]:
                if not name.endswith("_0"):
                    del primitive["attributes"][name]
    document.write(target)


# ---- Who binds ----


def by_sinew(options, path, method, target):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [options.sinew, "bind", path, "-o", target, "--method", method, "--json", "--quiet", "--poses", "0"]
    done = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        return {"error": (done.stderr.strip() or done.stdout.strip()).splitlines()[-1]}
    report = json.loads(done.stdout)
    seconds = {stage: sum(each["seconds"][stage] for each in report["characters"]) for stage in STAGES}
    return {"seconds": seconds, "total": sum(seconds.values()),
            "cpu_seconds": after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime,
            "figures": {"unweighted": sum(each["after"]["unweighted"] for each in report["characters"]),
                        "influences_max": max(each["after"]["max_influences"] for each in report["characters"])}}


def by_blender(options, judge, path, deforming, folder, large):
    """All attempts, best first, and what went wrong in words."""
    prepared = os.path.join(folder, "prepared.glb")
    prepare(judge, path, deforming, prepared)
    attempts, remarks, left_s = [], [], options.blender_limit_s
    for vertices in VERTICES:
        for heuristic in HEURISTICS:
            # Of a large one nothing is judged: the first attempt that is valid will do.
            if (large or vertices == "enlarged") and any(each["unweighted"] == 0 for each in attempts):
                continue
            name = f"{vertices}, {heuristic}"
            saved, target = (os.path.join(folder, f"blender_{vertices}_{heuristic}{end}") for end in (".npz", ".glb"))
            began = time.perf_counter()
            try:
                done = subprocess.run([options.blender, "-b", "--factory-startup", "--python-exit-code", "1",
                                       "--python", os.path.abspath(__file__), "--", prepared, saved, heuristic,
                                       vertices], capture_output=True, text=True, timeout=max(left_s, 1))
            except subprocess.TimeoutExpired:
                remarks.append(f"{name}: stopped after {time.perf_counter() - began:.0f} s")
                return attempts, remarks
            left_s -= time.perf_counter() - began
            lines = done.stdout.splitlines()
            answer = next((line for line in lines if line.startswith(MARK)), None)
            if answer is None:
                remarks.append(f"{name}: failed: {' '.join((done.stderr.splitlines() or lines)[-1:])}")
                continue
            attempt = {"name": name, "target": target, **json.loads(answer[len(MARK):])}
            with np.load(saved) as arrays:
                attempt["unweighted"], attempt["influences_max"] = write_weights(judge, path, arrays, target)
            os.remove(saved)
            attempt["warnings"] = sorted({line.strip() for line in lines if "Bone Heat" in line})
            attempts.append(attempt)
    fewest = min((each["unweighted"] for each in attempts), default=0)
    for each in attempts:
        each["arap"] = each["seam_spread"] = math.nan
        if each["unweighted"] == fewest and not large:
            figures = judge.judge(each["target"], path, poses=CHOICE_POSES, frames=1)
            each["arap"], each["seam_spread"] = figures["arap"], figures["seam_spread"]
    attempts.sort(key=lambda each: (each["unweighted"], each["seam_spread"] > TORN, each["arap"]))
    return attempts, remarks


def compare(options, judge, path):
    name = os.path.splitext(os.path.basename(path))[0]
    folder = os.path.join(options.output, name)
    os.makedirs(folder, exist_ok=True)
    result = {"name": name}
    files, remarks = {"artist": path}, []
    for method in ("heat", "distance"):
        target = os.path.join(folder, method + ".glb")
        result[method] = by_sinew(options, path, method, target)
        if "error" in result[method]:
            remarks.append(f"sinew, {method}: failed: {result[method]['error']}")
        else:
            files[method] = target
    rig = judge.Rig(path)
    deforming = {rig.joints[k] for k in np.nonzero(rig.W.sum(0) > 1e-9)[0]}
    large = len(rig.P) > options.judge_limit
    result["large"] = large
    source = Document(judge, path).json
    result["vertices"] = sum(source["accessors"][primitive["attributes"]["POSITION"]]["count"]
                             for node in source["nodes"] if "skin" in node and "mesh" in node
                             for primitive in source["meshes"][node["mesh"]]["primitives"])
    del rig
    attempts, blender_remarks = by_blender(options, judge, path, deforming, folder, large)
    result["attempts"], result["remarks"] = attempts, remarks + blender_remarks
    if attempts:
        files["blender"] = attempts[0]["target"]
        valid = {key: attempts[0][key] for key in ("unweighted", "influences_max")}
        result["blender"] = {**attempts[0], "figures": valid}
    if not large:
        if attempts:
            files["blender_4"] = os.path.join(folder, "blender_4.glb")
            write_strongest(judge, files["blender"], files["blender_4"])
        for kind, file in files.items():
            result.setdefault(kind, {})["figures"] = judge.judge(file, path, poses=options.poses)
    return result


# ---- Tables ----


def digits(value):
    if value is None or isinstance(value, float) and not math.isfinite(value):
        return "–"
    if isinstance(value, float) and abs(value) < ROUNDING:
        value = 0
    return str(value) if isinstance(value, int) else f"{value:.3g}"


def cell(result, kind, figures):
    values = result.get(kind, {}).get("figures", {})
    return " / ".join(digits(values.get(figure)) for figure in figures)


def table(header, rows):
    lines = ["| " + " | ".join(row) + " |" for row in [header, ["---"] * len(header), *rows]]
    return "\n".join(lines) + "\n"


def attempts_in_words(result):
    """One line on what Blender made of each attempt."""
    words = [f"{each['name']}: {each['unweighted']} unweighted, arap {digits(each['arap'])}" +
             (", torn" if each["seam_spread"] > TORN else "") + (", it warned" if each["warnings"] else "")
             for each in result["attempts"]]
    return f"- {result['name']}, {result['vertices']} stored vertices: " + "; ".join(words + result["remarks"])


def tables(results):
    """The report in Markdown."""
    title = ["character", *KINDS.values()]
    text = ["arap / clips / follow / drift:\n"]
    judged = [r for r in results if not r["large"]]
    text.append(table(title, [[r["name"]] + [cell(r, kind, QUALITY) for kind in KINDS] for r in judged]))
    text.append("unweighted / most influences / dead / lost / islands / rough / seam spread:\n")
    text.append(table(title, [[r["name"]] + [cell(r, kind, VALIDITY) for kind in KINDS] for r in results]))
    text.append("Seconds; \"CPU\" is of all threads, for sinew with reading and writing the file:\n")
    rows = []
    for r in results:
        blender, heat = r.get("blender", {}), r["heat"]
        seconds, total = blender.get("seconds", math.nan), heat.get("total", math.nan)
        rows.append([r["name"]] + [digits(heat.get("seconds", {}).get(stage)) for stage in STAGES] +
                    [digits(value) for value in (total, seconds, seconds / total, heat.get("cpu_seconds"),
                                                 blender.get("cpu_seconds"))] + [blender.get("name", "–")])
    text.append(table(["character", *STAGES, "total", "Blender", "Blender / total", "CPU", "Blender CPU",
                       "Blender's best attempt"], rows))
    text.append(f"Blender's attempts, best first (arap is of {CHOICE_POSES} poses, where it decides; \"it warned\": "
                "Bone Heat Weighting failed to find a solution):\n")
    text.append("\n".join(attempts_in_words(r) for r in results) + "\n")
    return "\n".join(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("judge")
    parser.add_argument("sinew")
    parser.add_argument("output")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--poses", type=int, default=48)
    parser.add_argument("--blender", default="blender")
    parser.add_argument("--blender-limit", dest="blender_limit_s", type=float, default=600, metavar="SECONDS",
                        help="for all attempts at one file; what is done by then counts [600]")
    parser.add_argument("--judge-limit", type=int, default=50000, metavar="VERTICES",
                        help="with more, welded, only time and validity are measured [50000]")
    options = parser.parse_args()
    sys.dont_write_bytecode = True
    sys.path.insert(0, os.path.dirname(os.path.abspath(options.judge)))
    judge = __import__(os.path.splitext(os.path.basename(options.judge))[0])
    os.makedirs(options.output, exist_ok=True)
    results = []
    for path in options.files:
        began = time.perf_counter()
        results.append(compare(options, judge, path))
        print(f"{path}: {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
        with open(os.path.join(options.output, "results.json"), "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)
    print(tables(results))
    sys.exit(1 if any(result["remarks"] for result in results) else 0)


if "bpy" in sys.modules:
    bind_in_blender(*sys.argv[sys.argv.index("--") + 1:])
elif __name__ == "__main__":
    main()
