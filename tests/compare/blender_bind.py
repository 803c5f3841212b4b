# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
"""Runs inside Blender: binds the characters of a .glb with Blender's automatic weights, for script/compare.

    blender -b --factory-startup --python-exit-code 1 --python tests/compare/blender_bind.py -- \\
        SOURCE.glb TARGET.glb TARGET_4.glb WORK.glb HEURISTIC VERTICES

HEURISTIC is a setting of Blender's glTF importer, TEMPERANCE (its default) or FORTUNE: where it ends bones. VERTICES is
stored (as they are), welded (by position) or enlarged (welded and ENLARGED times as large). TARGET gets the source with
all of Blender's influences, TARGET_4 with the four strongest; WORK is what Blender is given to read. The weights are
written into a copy of the source, so that all methods are judged on one mesh and one skeleton and no exporter takes
part. Bones that the source's weights never use do not deform, as in `sinew bind`. MARK and a JSON object are printed.
Written for Debian 12's Blender 3.4.
"""
import json
import math
import struct
import sys
import time

import bmesh
import bpy
import numpy as np
from mathutils import Matrix, kdtree

MARK = "BLENDER_BIND "
ENLARGED = 100  # times: what riggers do when Blender finds no solution
WELD_REL = 1e-6  # of the largest extent: the distance within which sinew welds
USED = 1e-9  # a bone whose weights sum to less, over the file, is not used
COMPONENTS = {5120: np.int8, 5121: np.uint8, 5122: np.int16, 5123: np.uint16, 5125: np.uint32, 5126: np.float32}
SIZES = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Glb:
    """A .glb with one buffer, as `sinew copy` writes it, to be changed and written again."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        length = struct.unpack_from("<I", data, 12)[0]
        self.json = json.loads(data[20:20 + length])
        self.binary = bytearray(data[28 + length:])

    def array(self, index):
        accessor = self.json["accessors"][index]
        if "sparse" in accessor or "bufferView" not in accessor:
            raise ValueError("the comparison does not read sparse or compressed accessors")
        view, kind = self.json["bufferViews"][accessor["bufferView"]], np.dtype(COMPONENTS[accessor["componentType"]])
        count, size = accessor["count"], SIZES[accessor["type"]]
        row_bytes = size * kind.itemsize
        stride = view.get("byteStride", row_bytes)
        begin = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        raw = np.frombuffer(self.binary, np.uint8, (count - 1) * stride + row_bytes, begin)
        rows = np.lib.stride_tricks.as_strided(raw, (count, row_bytes), (stride, 1))
        values = np.ascontiguousarray(rows).view(kind).reshape(count, size)
        if accessor.get("normalized"):
            values = values / float(np.iinfo(kind).max)
        return values

    def append(self, array, kind, component_type):
        self.align()
        self.json["bufferViews"].append({"buffer": 0, "byteOffset": len(self.binary), "byteLength": array.nbytes})
        self.json["accessors"].append({"bufferView": len(self.json["bufferViews"]) - 1, "count": len(array),
                                       "type": kind, "componentType": component_type})
        self.binary += array.tobytes()
        return len(self.json["accessors"]) - 1

    def align(self):
        self.binary += bytes(-len(self.binary) % 4)

    def skinned_nodes(self):
        return [k for k, node in enumerate(self.json["nodes"]) if "skin" in node and "mesh" in node]

    def primitives(self, node):
        return self.json["meshes"][self.json["nodes"][node]["mesh"]]["primitives"]

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


def weight_sets(attributes):
    return sum(name.startswith("WEIGHTS_") for name in attributes)


def deforming_nodes(glb):
    """The nodes that the file's own weights use, or all joints where no vertex has any weight."""
    total, joints = {}, set()
    for k in glb.skinned_nodes():
        own = glb.json["skins"][glb.json["nodes"][k]["skin"]]["joints"]
        joints.update(own)
        for primitive in glb.primitives(k):
            attributes = primitive["attributes"]
            for s in range(weight_sets(attributes)):
                joint = glb.array(attributes[f"JOINTS_{s}"]).ravel().astype(int)
                weight = np.nan_to_num(glb.array(attributes[f"WEIGHTS_{s}"]).ravel().astype(float))
                for column, sum_of_weights in enumerate(np.bincount(joint, weight)[:len(own)]):
                    total[own[column]] = total.get(own[column], 0.0) + sum_of_weights
    used = {node for node, sum_of_weights in total.items() if sum_of_weights > USED}
    return used or joints


def prepare(source, target):
    """Writes a copy with names that Blender must keep, and without what binding does not look at."""
    glb = Glb(source)
    deforming = deforming_nodes(glb)
    glb.own_meshes()
    for name in ("animations", "materials", "textures", "images", "samplers"):
        glb.json.pop(name, None)
    for k, node in enumerate(glb.json["nodes"]):
        node["name"] = ("deform_" if k in deforming else "control_") + str(k)
        if "mesh" in node:
            glb.json["meshes"][node["mesh"]]["name"] = f"mesh_{k}"
    for mesh in glb.json["meshes"]:
        mesh.pop("weights", None)
        for primitive in mesh["primitives"]:
            primitive.pop("material", None)
            primitive.pop("targets", None)
    glb.write(target)


# ---- Binding ----


def coordinates(mesh):
    points = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", points)
    return points.reshape(-1, 3)


def same_vertices(mesh, stored_points):
    """For each stored vertex its vertex in the welded mesh."""
    points = coordinates(mesh)
    tree = kdtree.KDTree(len(points))
    for index, point in enumerate(points):
        tree.insert(point, index)
    tree.balance()
    return np.array([tree.find(point)[1] for point in stored_points], int)


def weld(mesh):
    points = coordinates(mesh)
    editable = bmesh.new()
    editable.from_mesh(mesh)
    bmesh.ops.remove_doubles(editable, verts=editable.verts, dist=WELD_REL * float(np.ptp(points, axis=0).max()))
    editable.to_mesh(mesh)
    editable.free()


def load(path, heuristic):
    """The meshes of a file that have an armature, and which."""
    # The glTF importer of Blender 3.4 uses names that Debian's numpy no longer has.
    for name, kind in (("bool", bool), ("int", int), ("float", float), ("object", object)):
        if name not in np.__dict__:
            setattr(np, name, kind)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=path, merge_vertices=False, bone_heuristic=heuristic)
    skinned = {}
    for item in bpy.context.scene.objects:
        armature = next((each.object for each in item.modifiers if each.type == "ARMATURE"), None)
        if item.type == "MESH" and armature is not None:
            skinned[item] = armature
    return skinned


def make_ready(skinned, vertices):
    for item, armature in skinned.items():
        if vertices != "stored":
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


def bind(skinned):
    """Runs the operator on each armature and its meshes; tells how long it took, and what it said."""
    seconds = cpu_seconds = 0.0
    said = set()
    for armature in dict.fromkeys(skinned.values()):
        bpy.ops.object.select_all(action="DESELECT")
        for item, own in skinned.items():
            item.select_set(own == armature)
        armature.select_set(True)
        bpy.context.view_layer.objects.active = armature
        bpy.context.view_layer.update()
        began, cpu_began = time.perf_counter(), time.process_time()
        said |= bpy.ops.object.parent_set(type="ARMATURE_AUTO")
        seconds += time.perf_counter() - began
        cpu_seconds += time.process_time() - cpu_began
    return {"seconds": seconds, "cpu_seconds": cpu_seconds, "said": sorted(said)}


def weights_of(item, same):
    """Vertex, node and weight of every influence, strongest first within a vertex."""
    nodes = [int(group.name.split("_")[1]) for group in item.vertex_groups]
    found = [[(nodes[group.group], group.weight) for group in vertex.groups if group.weight > 0]
             for vertex in item.data.vertices]
    rows = [(v, node, weight) for v, k in enumerate(same) for node, weight in found[k]]
    vertex = np.array([row[0] for row in rows], np.int64)
    node = np.array([row[1] for row in rows], np.int64)
    weight = np.array([row[2] for row in rows], np.float64)
    order = np.lexsort((-weight, vertex))
    return vertex[order], node[order], weight[order]


# ---- Writing ----


def imported_vertices(glb, primitive):
    """The vertices of a primitive that Blender imports: those in a triangle, in order."""
    if "indices" in primitive:
        return np.unique(glb.array(primitive["indices"]))
    return np.arange(glb.json["accessors"][primitive["attributes"]["POSITION"]]["count"])


def write_weights(source, weights, target, most_sets):
    """Writes a copy of the source with these weights, four influences per set, made to sum to one."""
    glb = Glb(source)
    glb.own_meshes()
    for k in glb.skinned_nodes():
        vertex, node, weight, count = weights[k]
        column = {joint: c for c, joint in enumerate(glb.json["skins"][glb.json["nodes"][k]["skin"]]["joints"])}
        per_vertex = np.bincount(vertex, minlength=count)
        place = np.arange(len(vertex)) - np.repeat(np.cumsum(per_vertex) - per_vertex, per_vertex)
        sets = min(most_sets, max(1, math.ceil(per_vertex.max(initial=0) / 4)))
        kept = place < 4 * sets
        vertex, node, weight, place = vertex[kept], node[kept], weight[kept], place[kept]
        joints, values = np.zeros((count, 4 * sets), np.uint16), np.zeros((count, 4 * sets), np.float32)
        joints[vertex, place] = [column[each] for each in node.tolist()]
        values[vertex, place] = weight / np.bincount(vertex, weight, count)[vertex]
        begin = 0
        for primitive in glb.primitives(k):
            own, attributes = imported_vertices(glb, primitive), primitive["attributes"]
            for name in [each for each in attributes if each.startswith(("JOINTS_", "WEIGHTS_"))]:
                del attributes[name]
            size = glb.json["accessors"][attributes["POSITION"]]["count"]
            for s in range(sets):
                for name, table, component_type in (("JOINTS_", joints, 5123), ("WEIGHTS_", values, 5126)):
                    rows = np.zeros((size, 4), table.dtype)
                    rows[own] = table[begin:begin + len(own), 4 * s:4 * s + 4]
                    attributes[name + str(s)] = glb.append(rows, "VEC4", component_type)
            begin += len(own)
        if begin != count:
            raise ValueError(f"Blender has {count} vertices in mesh_{k}, the file {begin}")
    glb.write(target)


def summary(weights):
    sums = [np.bincount(vertex, weight, count) for vertex, _, weight, count in weights.values()]
    most = [np.bincount(vertex, minlength=count).max(initial=0) for vertex, _, _, count in weights.values()]
    sums = np.concatenate(sums)
    weighted = sums[sums > 0]
    return {"vertices": len(sums), "unweighted": int((sums == 0).sum()), "influences": int(max(most)),
            "sum_min": float(weighted.min(initial=1)), "sum_max": float(weighted.max(initial=1))}


def main(source, target, target_4, work, heuristic, vertices):
    prepare(source, work)
    skinned = load(work, heuristic)
    if not skinned:
        raise ValueError("Blender's importer found no mesh with an armature")
    stored = {item.data.name: coordinates(item.data) for item in skinned}
    make_ready(skinned, vertices)
    answer = bind(skinned)
    weights = {}
    for item in skinned:
        points = stored[item.data.name]
        same = np.arange(len(points)) if vertices == "stored" else same_vertices(item.data, points)
        weights[int(item.data.name.split("_")[1])] = (*weights_of(item, same), len(points))
    write_weights(source, weights, target, most_sets=1000)
    write_weights(source, weights, target_4, most_sets=1)
    print(MARK + json.dumps({**answer, **summary(weights)}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[sys.argv.index("--") + 1:])
