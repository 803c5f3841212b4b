#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
"""A character with more bones: new joints, "Half ...", halfway along its longest bones.

    sinew example biped -o biped.glb --vertices 1000000
    bench/stages/more_bones.py biped.glb more.glb --joints 8
    sinew bind more.glb -o bound.glb --bones 'Half*'

Bones with one child become two, the longest first. For .glb files with one skin whose joints have a translation, as those
of `sinew example`; clips go on turning the old joints.
"""
import argparse
import json
import math
import struct
import sys

JSON_CHUNK = 0x4E4F534A
BINARY_CHUNK = 0x004E4942
FLOAT = 5126


def read_glb(path):
    with open(path, "rb") as file:
        data = file.read()
    if data[:4] != b"glTF":
        sys.exit(f"more_bones: {path}: not a .glb")
    length, kind = struct.unpack_from("<II", data, 12)
    if kind != JSON_CHUNK:
        sys.exit(f"more_bones: {path}: its first chunk is not JSON")
    return json.loads(data[20:20 + length]), bytearray(data[20 + length + 8:])


def write_glb(path, document, binary):
    binary += bytes(-len(binary) % 4)
    document["buffers"][0]["byteLength"] = len(binary)
    text = json.dumps(document, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    with open(path, "wb") as file:
        file.write(struct.pack("<4sIIII", b"glTF", 2, 28 + len(text) + len(binary), len(text), JSON_CHUNK))
        file.write(text)
        file.write(struct.pack("<II", len(binary), BINARY_CHUNK))
        file.write(binary)


def bind_matrices(document, binary, skin):
    accessor = document["accessors"][skin["inverseBindMatrices"]]
    view = document["bufferViews"][accessor["bufferView"]]
    begin = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    return [list(struct.unpack_from("<16f", binary, begin + 64 * j)) for j in range(accessor["count"])]


def moved_back(matrix, offset):
    """T(-offset) times a matrix of columns: what takes the joint `offset` farther along to its own space."""
    moved = list(matrix)
    for column in range(4):
        for axis in range(3):
            moved[4 * column + axis] -= offset[axis] * matrix[4 * column + 3]
    return moved


def add_joints(document, binary, count):
    skin = document["skins"][0]
    nodes = document["nodes"]
    joints = skin["joints"]
    if "inverseBindMatrices" not in skin:
        sys.exit("more_bones: the skin has no inverse bind matrices")
    moving = {channel["target"].get("node") for clip in document.get("animations", []) for channel in clip["channels"]
              if channel["target"]["path"] == "translation"}
    lone = []
    for joint in joints:
        children = [child for child in nodes[joint].get("children", []) if child in joints]
        if len(children) == 1 and "translation" in nodes[children[0]] and children[0] not in moving:
            lone.append((-math.hypot(*nodes[children[0]]["translation"]), joint, children[0]))
    if len(lone) < count:
        sys.exit(f"more_bones: only {len(lone)} bones have one child that no clip moves")
    matrices = bind_matrices(document, binary, skin)
    for _, joint, child in sorted(lone)[:count]:
        half = [value / 2 for value in nodes[child]["translation"]]
        nodes.append({"name": f"Half {nodes[joint].get('name', joint)}", "translation": half, "children": [child]})
        nodes[child]["translation"] = half
        kept = [other for other in nodes[joint]["children"] if other != child]
        nodes[joint]["children"] = kept + [len(nodes) - 1]
        matrices.append(moved_back(matrices[joints.index(joint)], half))
        joints.append(len(nodes) - 1)
    binary += bytes(-len(binary) % 4)
    document["bufferViews"].append({"buffer": 0, "byteOffset": len(binary), "byteLength": 64 * len(matrices)})
    document["accessors"].append({"bufferView": len(document["bufferViews"]) - 1, "componentType": FLOAT,
                                  "count": len(matrices), "type": "MAT4"})
    skin["inverseBindMatrices"] = len(document["accessors"]) - 1
    for matrix in matrices:
        binary += struct.pack("<16f", *matrix)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("output")
    parser.add_argument("--joints", type=int, default=8, help="how many to add")
    options = parser.parse_args()
    document, binary = read_glb(options.file)
    add_joints(document, binary, options.joints)
    write_glb(options.output, document, binary)


if __name__ == "__main__":
    main()
