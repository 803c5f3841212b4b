# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
"""Characters for the tests of the schemas: what `sinew example` makes, and what becomes of it with other hands."""
import base64
import copy
import itertools
import json
import os
import struct
import zlib

IDENTITY = [float(k % 5 == 0) for k in range(16)]


class Model:
    """A glTF document in memory, whose only buffer is written into it as base64."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.json = json.load(file)
        with open(os.path.join(os.path.dirname(path), self.json["buffers"][0]["uri"]), "rb") as file:
            self.bytes = bytearray(file.read())

    def write(self, path):
        uri = "data:application/octet-stream;base64," + base64.b64encode(self.bytes).decode()
        self.json["buffers"] = [{"byteLength": len(self.bytes), "uri": uri}]
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.json, file)

    def add_accessor(self, component, kind, width, rows):
        """Numbers at the end of the buffer; the index of the accessor."""
        self.bytes += bytes(-len(self.bytes) % 4)
        code = {"f": 5126, "H": 5123, "I": 5125}[component]
        data = b"".join(struct.pack(f"<{width}{component}", *row) for row in rows)
        self.json["bufferViews"].append({"buffer": 0, "byteOffset": len(self.bytes), "byteLength": len(data)})
        self.bytes += data
        accessor = {"componentType": code, "count": len(rows), "type": kind, "bufferView": len(self.json["bufferViews"]) - 1}
        if kind == "VEC3":
            accessor |= {"min": [min(column) for column in zip(*rows)], "max": [max(column) for column in zip(*rows)]}
        self.json["accessors"].append(accessor)
        return len(self.json["accessors"]) - 1

    def floats(self, accessor, width):
        at = self.json["bufferViews"][self.json["accessors"][accessor]["bufferView"]]["byteOffset"]
        return [struct.unpack_from(f"<{width}f", self.bytes, at + 4 * width * k)
                for k in range(self.json["accessors"][accessor]["count"])]

    def add_node(self, node, parent=None):
        self.json["nodes"].append(node)
        index = len(self.json["nodes"]) - 1
        above = self.json["scenes"][0].setdefault("nodes", []) if parent is None else \
            self.json["nodes"][parent].setdefault("children", [])
        above.append(index)
        return index

    def node(self, name):
        return next(k for k, node in enumerate(self.json["nodes"]) if node.get("name") == name)

    def set_joints(self, joints, inverse_binds):
        skin = self.json["skins"][0]
        skin["joints"], skin["inverseBindMatrices"] = joints, self.add_accessor("f", "MAT4", 16, inverse_binds)

    def add(self, other):
        """All of another document, as a second character of this one."""
        json_of, here = copy.deepcopy(other.json), self.json
        self.bytes += bytes(-len(self.bytes) % 4)
        base = {key: len(here[key]) for key in ("bufferViews", "accessors", "meshes", "nodes", "skins")}
        for view in json_of["bufferViews"]:
            view["byteOffset"] = view.get("byteOffset", 0) + len(self.bytes)
        self.bytes += other.bytes
        for accessor in json_of["accessors"]:
            accessor["bufferView"] += base["bufferViews"]
        for primitive in (each for mesh in json_of["meshes"] for each in mesh["primitives"]):
            primitive["indices"] += base["accessors"]
            primitive["attributes"] = {key: at + base["accessors"] for key, at in primitive["attributes"].items()}
        for node in json_of["nodes"]:
            for key, of in (("mesh", "meshes"), ("skin", "skins")):
                if key in node:
                    node[key] += base[of]
            if "children" in node:
                node["children"] = [child + base["nodes"] for child in node["children"]]
        for skin in json_of["skins"]:
            skin["joints"] = [joint + base["nodes"] for joint in skin["joints"]]
            skin["inverseBindMatrices"] += base["accessors"]
        for key in base:
            here[key] += json_of[key]
        here["scenes"][0]["nodes"] += [node + base["nodes"] for node in json_of["scenes"][0]["nodes"]]
        return base


def crowd(folder):
    """Two characters in one file, a tentacle and a hand."""
    model = Model(folder + "/tentacle.gltf")
    model.add(Model(folder + "/hand.gltf"))
    model.write(folder + "/crowd.gltf")


def levels(folder):
    """A tentacle whose mesh is there twice, once with half as many vertices."""
    model = Model(folder + "/fine.gltf")
    base = model.add(Model(folder + "/tentacle.gltf"))
    nodes = model.json["nodes"]
    nodes[model.node("Skin")]["name"] = "Skin_LOD0"
    coarse = next(node for node in nodes[base["nodes"]:] if "mesh" in node)
    model.json["nodes"] = nodes[:base["nodes"]]
    model.json["scenes"][0]["nodes"] = [k for k in model.json["scenes"][0]["nodes"] if k < base["nodes"]]
    del model.json["skins"][1:]
    model.add_node({"name": "Skin_LOD1", "mesh": coarse["mesh"], "skin": 0})
    model.write(folder + "/levels.gltf")


def flat(folder):
    """A tentacle without clips, whose joints all stand side by side."""
    model = Model(folder + "/tentacle.gltf")
    skin = model.json["skins"][0]
    for joint, matrix in zip(skin["joints"], model.floats(skin["inverseBindMatrices"], 16)):
        turn = [[matrix[4 * row + column] for column in range(3)] for row in range(3)]  # transposed: inverse
        shift = [-sum(turn[row][k] * matrix[12 + k] for k in range(3)) for row in range(3)]
        columns = [[turn[row][column] for row in range(3)] + [0] for column in range(3)] + [shift + [1]]
        node = model.json["nodes"][joint]
        model.json["nodes"][joint] = {"name": node["name"], "matrix": [number for each in columns for number in each]}
    model.json["scenes"][0]["nodes"] = list(range(len(model.json["nodes"])))
    del model.json["animations"]
    model.write(folder + "/flat.gltf")


def broken(folder):
    """A tentacle with weights that no file should have."""
    model = Model(folder + "/tentacle.gltf")
    attributes = model.json["meshes"][0]["primitives"][0]["attributes"]
    rows = model.floats(attributes["WEIGHTS_0"], 4)
    rows[:3] = [(float("nan"), 0, 0, 0), (-0.5, 1, 0, 0), (0, 0, 0, 0)]
    attributes["WEIGHTS_0"] = model.add_accessor("f", "VEC4", 4, rows)
    model.write(folder + "/broken.gltf")


def bare(folder):
    """A tentacle that no skeleton moves."""
    model = Model(folder + "/tentacle.gltf")
    del model.json["skins"], model.json["animations"]
    skin = model.node("Skin")
    model.json["nodes"] = [{"name": "Skin", "mesh": model.json["nodes"][skin]["mesh"]}]
    model.json["scenes"][0]["nodes"] = [0]
    for name in ("JOINTS_0", "WEIGHTS_0"):
        del model.json["meshes"][0]["primitives"][0]["attributes"][name]
    model.write(folder + "/bare.gltf")


def png(size):
    """A picture of one colour and noise enough to take some room."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    rows = b"".join(b"\0" + bytes((x * x * y + 7 * y) % 251 for x in range(3 * size)) for y in range(size))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)) + \
        chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def dressed(folder):
    """A tentacle with a sword in its tip, a button beside it, a control and a texture."""
    model = Model(folder + "/tentacle.gltf")
    skin = model.json["skins"][0]
    binds = model.floats(skin["inverseBindMatrices"], 16)
    control = model.add_node({"name": "IK_Target", "translation": [0.5, 1, 0]})
    model.set_joints(skin["joints"] + [control], binds + [tuple(IDENTITY[:12] + [-0.5, -1, 0, 1])])

    def triangles(corners):
        return model.add_accessor("f", "VEC3", 3, corners), model.add_accessor("H", "SCALAR", 1, [(0,), (1,), (2,), (0,), (2,), (3,)])
    blade, faces = triangles([(0, 0, 0), (0.02, 0, 0), (0.02, 0.2, 0), (0, 0.2, 0)])
    model.json["meshes"].append({"name": "Sword", "primitives": [{"attributes": {"POSITION": blade}, "indices": faces}]})
    model.add_node({"name": "Sword", "mesh": len(model.json["meshes"]) - 1}, model.node("Tentacle8"))
    button, faces = triangles([(-0.01, 0.5, 0.13), (0.01, 0.5, 0.13), (0.01, 0.52, 0.13), (-0.01, 0.52, 0.13)])
    joints = model.add_accessor("H", "VEC4", 4, [(0, 0, 0, 0)] * 4)
    weights = model.add_accessor("f", "VEC4", 4, [(1, 0, 0, 0)] * 3 + [(0.5, 0, 0, 0)])
    attributes = {"POSITION": button, "JOINTS_0": joints, "WEIGHTS_0": weights}
    model.json["meshes"].append({"name": "Button", "primitives": [{"attributes": attributes, "indices": faces}]})
    model.add_node({"name": "Button", "mesh": len(model.json["meshes"]) - 1, "skin": 0})
    uri = "data:image/png;base64," + base64.b64encode(png(128)).decode()
    model.json |= {"images": [{"uri": uri}], "textures": [{"source": 0}],
                   "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]}
    model.json["meshes"][0]["primitives"][0]["material"] = 0
    model.write(folder + "/dressed.gltf")


EDITS = {"sinew_edits": 1, "edits": [
    {"edit": "connect_wires", "pairs": [[0, 40]]},
    {"edit": "set_weights", "bone": "Tentacle4", "weight": 0.9, "where": {"vertices": [300, 301, 302]}, "after": 1}]}


def write_edits(folder):
    with open(folder + "/edits.json", "w", encoding="utf-8") as file:
        json.dump(EDITS, file)


def write_rig(folder):
    with open(folder + "/rig.json", "w", encoding="utf-8") as file:
        json.dump({"sinew_rig": 1, "bones": {"Tentacle3": {"kind": "spine"}}}, file)


def write_browser(folder):
    """A program that answers as a browser does that drew a picture."""
    picture = base64.b64encode(png(8)).decode()
    with open(folder + "/browser", "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\necho '<pre id=\"sinew-snapshot\">data:image/png;base64,{picture}</pre>'\n")
    os.chmod(folder + "/browser", 0o755)


def solid(folder):
    """A bar of tetrahedra, of which one is flat, with a vertex that none refers to; and two bones for it."""
    across, along = 2, 6
    points = [(0.2 * x, 0.25 * y, 0.2 * z)
              for z in range(across + 1) for y in range(along + 1) for x in range(across + 1)]
    at = lambda x, y, z: (z * (along + 1) + y) * (across + 1) + x + 1
    tetrahedra = [(1, 2, 3, 3)]
    for x, y, z in itertools.product(range(across), range(along), range(across)):
        corner = [at(x + (k & 1), y + (k >> 1 & 1), z + (k >> 2)) for k in range(8)]
        tetrahedra += [(corner[0], corner[1], corner[3], corner[7]), (corner[0], corner[3], corner[2], corner[7]),
                       (corner[0], corner[2], corner[6], corner[7]), (corner[0], corner[6], corner[4], corner[7]),
                       (corner[0], corner[4], corner[5], corner[7]), (corner[0], corner[5], corner[1], corner[7])]
    points.append((0.5, 1, 0.2))
    lines = ["MeshVersionFormatted 1", "Dimension 3", "Vertices", len(points)]
    lines += [f"{x:.6g} {y:.6g} {z:.6g} 0" for x, y, z in points]
    lines += ["Triangles", 1, f"{len(points)} 1 2 0", "Tetrahedra", len(tetrahedra)]
    lines += [" ".join(map(str, corners)) + " 0" for corners in tetrahedra] + ["End", ""]
    with open(os.path.join(folder, "solid.mesh"), "w", encoding="utf-8") as file:
        file.write("\n".join(map(str, lines)))
    with open(os.path.join(folder, "solid.tgf"), "w", encoding="utf-8") as file:
        file.write("1 0.2 0.1 0.2\n2 0.2 0.75 0.2\n3 0.2 1.4 0.2\n#\n1 2 1 0 0\n2 3 1 0 0\n")
