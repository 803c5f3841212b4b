# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
"""Compares `sinew pose` with Blender, vertex by vertex, in scene space.

    apt-get install --no-install-recommends blender python3-numpy
    blender -b --factory-startup --python-exit-code 1 --python tests/compare/pose_against_blender.py -- \\
        --sinew build/release/bin/sinew MODEL.glb [MODEL.glb ...]

Written for Debian 12's Blender 3.4. Takes the first clip of each model at three times and fails when a vertex is farther
off than a ten-thousandth of the character's diagonal. A script for people: the automatic tests use three.js instead.
"""
import argparse
import json
import os
import struct
import subprocess
import sys
import tempfile

import bpy
import numpy as np

# The glTF importer of Blender 3.4 uses names that Debian's numpy no longer has.
for _name, _type in (("bool", bool), ("int", int), ("float", float), ("object", object)):
    if _name not in np.__dict__:
        setattr(np, _name, _type)

TOLERANCE_REL = 1e-4  # of the diagonal; Blender keeps bones as head, tail and roll in floats
COMPONENT = {5120: np.int8, 5121: np.uint8, 5122: np.int16, 5123: np.uint16, 5125: np.uint32, 5126: np.float32}
WIDTH = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Glb:
    """The JSON and the binary chunk of a .glb file."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        self.json, self.binary = None, b""
        at = 12
        while at + 8 <= len(data):
            length, kind = struct.unpack_from("<II", data, at)
            chunk = data[at + 8:at + 8 + length]
            if kind == 0x4E4F534A:
                self.json = json.loads(chunk)
            elif kind == 0x004E4942:
                self.binary = chunk
            at += 8 + length

    def accessor(self, index):
        accessor = self.json["accessors"][index]
        view = self.json["bufferViews"][accessor["bufferView"]]
        component = np.dtype(COMPONENT[accessor["componentType"]])
        width = WIDTH[accessor["type"]]
        stride = view.get("byteStride", component.itemsize * width)
        begin = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        return np.ndarray((accessor["count"], width), component, self.binary, begin,
                          (stride, component.itemsize)).copy()

    def key_times(self, animation):
        """The times at which most samplers of an animation have a key, in order."""
        keys = [self.accessor(sampler["input"]).ravel()
                for sampler in self.json["animations"][animation]["samplers"]]
        moving = [times for times in keys if len(times) > 2]  # two keys are how exporters store standing still
        counts = {}
        for times in moving or keys:
            for time in times:
                counts[float(time)] = counts.get(float(time), 0) + 1
        most = max(counts.values())
        return sorted(time for time, count in counts.items() if count >= 0.9 * most)


def local_matrix(node):
    if "matrix" in node:
        return np.array(node["matrix"], float).reshape(4, 4).T
    x, y, z, w = node.get("rotation", (0, 0, 0, 1))
    rotation = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                         [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                         [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])
    matrix = np.eye(4)
    matrix[:3, :3] = rotation * np.array(node.get("scale", (1, 1, 1)))
    matrix[:3, 3] = node.get("translation", (0, 0, 0))
    return matrix


def vertices_of_nodes(glb):
    """Scene-space vertices of every node with a mesh, those that triangles use, in the order that Blender imports."""
    nodes = glb.json["nodes"]
    parts = []

    def visit(index, parent):
        node = nodes[index]
        world = parent @ local_matrix(node)
        if "mesh" in node:
            points = []
            for primitive in glb.json["meshes"][node["mesh"]]["primitives"]:
                positions = glb.accessor(primitive["attributes"]["POSITION"]).astype(float)
                if "indices" in primitive:
                    positions = positions[np.unique(glb.accessor(primitive["indices"]))]
                points.append(positions)
            parts.append(np.vstack(points) @ world[:3, :3].T + world[:3, 3])
        for child in node.get("children", ()):
            visit(child, world)

    for root in glb.json["scenes"][glb.json.get("scene", 0)]["nodes"]:
        visit(root, np.eye(4))
    return parts


def play(clip_name):
    """Lets every object and shape key that the clip moves follow it, and nothing else."""
    owners = list(bpy.data.objects) + list(bpy.data.shape_keys)
    for owner in owners:
        data = owner.animation_data
        if data is None:
            continue
        action = next((track.strips[0].action for track in data.nla_tracks if track.name == clip_name), None)
        for track in data.nla_tracks:
            track.mute = True
        data.action = action


def blender_vertices():
    """Scene-space vertices of every mesh object after all deformation, in glTF's axes."""
    graph = bpy.context.evaluated_depsgraph_get()
    parts = []
    # The importer shows bones as a mesh of its own making, which no scene holds.
    for item in bpy.context.scene.objects:
        if item.type != "MESH":
            continue
        evaluated = item.evaluated_get(graph)
        mesh = evaluated.to_mesh()
        points = np.empty(3 * len(mesh.vertices))
        mesh.vertices.foreach_get("co", points)
        evaluated.to_mesh_clear()
        world = np.array(evaluated.matrix_world)
        points = points.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3]
        parts.append(points[:, [0, 2, 1]] * (1, 1, -1))
    return parts


def largest_distance(expected, actual):
    """The largest distance between vertices of the same order, with every mesh paired with the one that fits best."""
    left = list(actual)
    worst = 0.0
    for points in expected:
        fits = [(np.linalg.norm(points - other, axis=1).max(), k) for k, other in enumerate(left)
                if len(other) == len(points)]
        if not fits:
            raise ValueError(f"no mesh of {len(points)} vertices; there are {[len(p) for p in left]}")
        distance, k = min(fits)
        left.pop(k)
        worst = max(worst, distance)
    if left:
        raise ValueError(f"meshes that Blender does not have: {[len(p) for p in left]}")
    return worst


def compare(sinew, path, work):
    glb = Glb(path)
    animation = glb.json["animations"][0]
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=path, merge_vertices=False)
    scene = bpy.context.scene
    fps = scene.render.fps / scene.render.fps_base
    play(animation.get("name", "Anim_0"))
    times = glb.key_times(0)
    worst = 0.0
    for fraction in (0.2, 0.5, 0.8):
        # Between keys Blender blends the components of a quaternion, so only keys can agree.
        time = times[round(fraction * (len(times) - 1))]
        frame = time * fps
        scene.frame_set(int(frame), subframe=frame - int(frame))
        posed = os.path.join(work, "posed.glb")
        subprocess.run([sinew, "pose", path, "--animation", animation.get("name", "0"), "--time", repr(time),
                        "--deformer", "lbs", "-o", posed], check=True, stdout=subprocess.DEVNULL)
        expected = blender_vertices()
        points = np.vstack(expected)
        diagonal = np.linalg.norm(points.max(0) - points.min(0))
        distance = largest_distance(expected, vertices_of_nodes(Glb(posed))) / diagonal
        print(f"{os.path.basename(path):28} {time:8.4f} s   {distance:.1e} of the diagonal")
        worst = max(worst, distance)
    return worst


def main():
    parser = argparse.ArgumentParser(prog="pose_against_blender.py")
    parser.add_argument("--sinew", required=True)
    parser.add_argument("models", nargs="+")
    arguments = parser.parse_args(sys.argv[sys.argv.index("--") + 1:])
    with tempfile.TemporaryDirectory() as work:
        worst = max(compare(arguments.sinew, model, work) for model in arguments.models)
    print(f"largest distance: {worst:.1e} of the diagonal; allowed: {TOLERANCE_REL:.0e}")
    if not worst <= TOLERANCE_REL:
        sys.exit(1)


main()
