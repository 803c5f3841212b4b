#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
"""Other skeletons for the characters of `sinew example`, as files that `sinew bind` reads. Needs python3-numpy.

Nothing here is about glTF in general: the characters have one skin, their joints stand in the bind pose, and nothing is scaled.
Vectors and turns are along the axes of model space in the bind pose, as in docs/pose-format.md.
"""
import json
import struct

import numpy as np

FLOAT, USHORT = 5126, 5123
COMPONENTS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}


def rotation_matrix(quaternion):
    x, y, z, w = quaternion
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                     [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                     [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])


def quaternion_product(a, b):
    av, bv = np.array(a[:3]), np.array(b[:3])
    return [*(a[3] * bv + b[3] * av + np.cross(av, bv)), a[3] * b[3] - av @ bv]


def turn(axis, angle_deg):
    axis = np.array(axis, float) / np.linalg.norm(axis)
    half = np.radians(angle_deg) / 2
    return [*(np.sin(half) * axis), np.cos(half)]


def matrix_of(rotation, translation):
    matrix = np.eye(4)
    matrix[:3, :3] = rotation_matrix(rotation)
    matrix[:3, 3] = translation
    return matrix


class Rig:
    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        length, = struct.unpack_from("<I", data, 12)
        self.gltf = json.loads(data[20:20 + length])
        self.buffer = bytearray(data[28 + length:])

    def save(self, path):
        """For bind: what weights there are belong to another skeleton, and go."""
        self._write_skin()
        self.write(path)

    def write(self, path):
        while len(self.buffer) % 4:
            self.buffer.append(0)
        self.gltf["buffers"] = [{"byteLength": len(self.buffer)}]
        text = json.dumps(self.gltf).encode()
        text += b" " * (-len(text) % 4)
        with open(path, "wb") as file:
            file.write(struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(self.buffer)))
            file.write(struct.pack("<I4s", len(text), b"JSON") + text)
            file.write(struct.pack("<I4s", len(self.buffer), b"BIN\0") + self.buffer)

    # What is in it

    def array(self, index):
        accessor = self.gltf["accessors"][index]
        view = self.gltf["bufferViews"][accessor["bufferView"]]
        kind = {FLOAT: "<f4", USHORT: "<u2", 5125: "<u4", 5121: "u1"}[accessor["componentType"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        columns = COMPONENTS[accessor["type"]]
        flat = np.frombuffer(bytes(self.buffer), kind, accessor["count"] * columns, start)
        return flat.reshape(-1, columns) if columns > 1 else flat

    def positions(self):
        return self.array(self._primitive()["attributes"]["POSITION"]).astype(float)

    def triangles(self):
        return self.array(self._primitive()["indices"]).astype(int).reshape(-1, 3)

    def weights(self, bone):
        """Of every vertex on one joint."""
        attributes = self._primitive()["attributes"]
        is_it = self.array(attributes["JOINTS_0"]) == self.joints().index(self.node(bone))
        return (is_it * self.array(attributes["WEIGHTS_0"])).sum(axis=1)

    def node(self, name):
        return next(i for i, node in enumerate(self.gltf["nodes"]) if node.get("name") == name)

    def joints(self):
        return self.gltf["skins"][0]["joints"]

    def head(self, name):
        return self._world(self.node(name))[:3, 3]

    # What is changed

    def replace_chain(self, names, replacement, count):
        """The bones `names`, one below the other, become `count` bones in a straight line from the first one's head to the head of what
        hangs on the last. What hung on any of them hangs on the last new one. Returns the names of the new ones."""
        first, last = self.node(names[0]), self.node(names[-1])
        end = self._world(self._children(last)[0])
        start = self._world(first)
        parent = self._parent(first)
        hanging = [c for name in names for c in self._children(self.node(name)) if self.gltf["nodes"][c]["name"] not in names]
        worlds = {c: self._world(c) for c in hanging}
        along = end[:3, 3] - start[:3, 3]
        length = np.linalg.norm(along)
        rotation = quaternion_between([0, 1, 0], along / length)
        step = length / count
        made = [replacement] if count == 1 else [f"{replacement}{i + 1}" for i in range(count)]
        above = self._world(parent)
        new = []
        for i, name in enumerate(made):
            here = matrix_of(rotation, start[:3, 3] + along * i / count)
            new.append(len(self.gltf["nodes"]))
            self.gltf["nodes"].append({"name": name, **local_parts(np.linalg.inv(above) @ here),
                                       "extras": {"sinew": {"deform": True, "tail": [0, step, 0]}}})
            above = here
            if i:
                self.gltf["nodes"][new[-2]]["children"] = [new[-1]]
        for c in hanging:
            self.gltf["nodes"][c].update(local_parts(np.linalg.inv(above) @ worlds[c]))
        self.gltf["nodes"][new[-1]]["children"] = hanging
        siblings = self.gltf["nodes"][parent]["children"]
        siblings[siblings.index(first)] = new[0]
        gone = {self.node(name) for name in names}
        for index in gone:  # left over, outside the scene: indices stay what they are
            self.gltf["nodes"][index] = {"name": "unused"}
        place = self.joints().index(first)
        kept = [j for j in self.joints() if j not in gone]
        self.gltf["skins"][0]["joints"] = kept[:place] + new + kept[place:]
        return made

    def replace_clips(self, name, poses):
        """One clip of a second, from the bind pose to the turns {bone: [(axis, degrees), ...]} and moves {bone: (x, y, z)}."""
        turns, moves = poses
        channels, samplers = [], []
        times = self._add(np.array([0, 1], "<f4"), "SCALAR", bounds=True)

        def channel(node, path, values, kind):
            samplers.append({"input": times, "output": self._add(np.array(values, "<f4"), kind), "interpolation": "LINEAR"})
            channels.append({"sampler": len(samplers) - 1, "target": {"node": node, "path": path}})

        for bone, steps in turns.items():
            index = self.node(bone)
            rest = self.gltf["nodes"][index].get("rotation", [0, 0, 0, 1])
            above = self._world(self._parent(index))[:3, :3]
            turned = rest
            for axis, angle_deg in steps:  # the axis is that of model space at rest: R_local = (A^T T A) R_rest
                turned = quaternion_product(turn(above.T @ np.array(axis, float), angle_deg), turned)
            channel(index, "rotation", [rest, turned], "VEC4")
        for bone, move in moves.items():
            index = self.node(bone)
            rest = np.array(self.gltf["nodes"][index].get("translation", [0, 0, 0]), float)
            above = self._world(self._parent(index))[:3, :3]
            channel(index, "translation", [rest, rest + above.T @ np.array(move, float)], "VEC3")
        self.gltf["animations"] = [{"name": name, "channels": channels, "samplers": samplers}]

    def _primitive(self):
        return self.gltf["meshes"][0]["primitives"][0]

    def _children(self, index):
        return self.gltf["nodes"][index].get("children", [])

    def _parent(self, index):
        live = set(self.gltf["scenes"][0]["nodes"])
        queue = list(live)
        while queue:
            above = queue.pop()
            if index in self._children(above):
                return above
            queue += self._children(above)
        return None

    def _world(self, index):
        matrix = np.eye(4)
        while index is not None:
            node = self.gltf["nodes"][index]
            matrix = matrix_of(node.get("rotation", [0, 0, 0, 1]), node.get("translation", [0, 0, 0])) @ matrix
            index = self._parent(index)
        return matrix

    def _add(self, values, kind, bounds=False):
        while len(self.buffer) % 4:
            self.buffer.append(0)
        self.gltf["bufferViews"].append({"buffer": 0, "byteOffset": len(self.buffer), "byteLength": values.nbytes})
        self.buffer += values.tobytes()
        accessor = {"bufferView": len(self.gltf["bufferViews"]) - 1, "componentType": FLOAT, "type": kind,
                    "count": values.size // COMPONENTS[kind]}
        if bounds:
            accessor.update(min=[float(values.min())], max=[float(values.max())])
        self.gltf["accessors"].append(accessor)
        return len(self.gltf["accessors"]) - 1

    def _write_skin(self):
        inverse = np.array([np.linalg.inv(self._world(j)).T for j in self.joints()], "<f4")
        self.gltf["skins"][0]["inverseBindMatrices"] = self._add(inverse, "MAT4")
        for key in ("JOINTS_0", "WEIGHTS_0"):
            self._primitive()["attributes"].pop(key, None)


def quaternion_between(a, b):
    a, b = np.array(a, float), np.array(b, float)
    raw = np.array([*np.cross(a, b), 1 + a @ b])
    return list(raw / np.linalg.norm(raw))


def local_parts(matrix):
    """Rotation and translation of a rigid matrix, as the keys of a glTF node."""
    r = matrix[:3, :3]
    k = np.array([[r[0, 0] - r[1, 1] - r[2, 2], 0, 0, 0],
                  [r[0, 1] + r[1, 0], r[1, 1] - r[0, 0] - r[2, 2], 0, 0],
                  [r[0, 2] + r[2, 0], r[1, 2] + r[2, 1], r[2, 2] - r[0, 0] - r[1, 1], 0],
                  [r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1], np.trace(r)]]) / 3
    _, vectors = np.linalg.eigh(k)  # reads the lower half; the quaternion is the vector of the largest value
    return {"rotation": [float(v) for v in vectors[:, 3]], "translation": [float(v) for v in matrix[:3, 3]]}


def section_shares(rest, posed, triangles, start, end, count=101):
    """The areas of a limb's cross-sections relative to rest, from `start` to `end`: what quality/cross_section.h measures."""
    normal = (end - start) / np.linalg.norm(end - start)
    near = np.linalg.norm((rest - start) - np.outer((rest - start) @ normal, normal), axis=1) < np.linalg.norm(end - start) / 2
    triangles = triangles[near[triangles].all(axis=1)]

    def area(points, place):
        height = (rest - place) @ normal
        total = 0.0
        above = height >= 0
        for t in triangles[(above[triangles].any(axis=1)) & (~above[triangles]).any(axis=1)]:
            ends = {}
            for c in range(3):
                a, b = t[c], t[(c + 1) % 3]
                if above[a] == above[b]:
                    continue
                share = height[a] / (height[a] - height[b])
                ends["leaves" if above[a] else "enters"] = (1 - share) * points[a] + share * points[b] - place
            total += np.cross(ends["leaves"], ends["enters"]) @ normal
        return total / 2

    shares = []
    for i in range(count):
        place = start + (end - start) * (i + 0.0123) / (count - 1 + 0.0246)
        shares.append(area(posed, place) / area(rest, place))
    return shares
