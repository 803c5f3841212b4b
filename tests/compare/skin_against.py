# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
"""Compares what `sinew inspect --original` says of skin (stolen, head, folded, worse, apart, sunk) with another judge, on the same poses.

    tests/compare/skin_against.py JUDGE.py SINEW ORIGINAL FILE... [--seed S] [--seconds] [--call NAME=NAME]...

Each FILE is judged against ORIGINAL. JUDGE.py is imported: it has Rig, Judge, effective_parents, skeleton_axes, random_pose and
beside_original, and needs NumPy and SciPy. Its poses (frames of the clips, as rigid motions, and gentle random ones) are written as a pose
file, which sinew takes with --compare-in; both raise the arms by themselves. stolen and head must agree within 0.5, folded, worse, apart
and sunk within 5%, or 0.05 where they are that small. What the judge does not see, for it knows fewer names, is shown and not compared; then it raises no arms either, and worse, apart and sunk
differ by these. --call says how the judge is to call a bone: upperarm01.L=upperarm.L.
Fails when anything disagrees.
"""
import argparse
import importlib.util
import json
import math
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

FIGURES = ["stolen", "head", "folded", "worse", "apart", "sunk"]
WITHIN = {"stolen": 0.5, "head": 0.5}  # percentage points
WITHIN_REL = 0.05
FLOOR = 0.05  # percent: below it, figures are the luck of a few vertices
POSES = 12
ROLL_DEG = 40
TWIST_DEG = 10
FRAMES = 24


def load(path):
    spec = importlib.util.spec_from_file_location("judge", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def nearest_rotation(matrix):
    u, _, v = np.linalg.svd(matrix)
    return u @ np.diag([1, 1, np.sign(np.linalg.det(u @ v))]) @ v


def as_quaternion(r):
    """x, y, z, w of a rotation."""
    k = np.array([[r[0, 0] - r[1, 1] - r[2, 2], 0, 0, 0], [r[0, 1] + r[1, 0], r[1, 1] - r[0, 0] - r[2, 2], 0, 0],
                  [r[0, 2] + r[2, 0], r[1, 2] + r[2, 1], r[2, 2] - r[0, 0] - r[1, 1], 0],
                  [r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1], r[0, 0] + r[1, 1] + r[2, 2]]])
    values, vectors = np.linalg.eigh((k + k.T - np.diag(np.diag(k))) / 3)
    return vectors[:, values.argmax()]


def rotation_of(quaternion):
    x, y, z, w = quaternion / np.linalg.norm(quaternion)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                     [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                     [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])


def rigid(rig, order, pose):
    """The pose as rotations about heads and translations, parent by parent in the file, and as transforms again."""
    moves, out = [None] * len(rig.joints), np.zeros((len(rig.joints), 4, 4))
    for j in order:
        above = out[rig.parent[j]] if rig.parent[j] >= 0 else np.eye(4)
        theirs = np.vstack([pose[rig.parent[j]], [0, 0, 0, 1]]) if rig.parent[j] >= 0 else np.eye(4)
        local = np.linalg.inv(theirs) @ np.vstack([pose[j], [0, 0, 0, 1]])
        q = as_quaternion(nearest_rotation(local[:3, :3]))
        r, head = rotation_of(q), rig.head[j]
        move = (local[:3, :3] @ head + local[:3, 3]) - head
        m = np.eye(4)
        m[:3, :3], m[:3, 3] = r, head + move - r @ head
        out[j] = above @ m
        moves[j] = (r, move)
    return moves, out[:, :3, :]


def sinew_report(program, arguments):
    done = subprocess.run([program, "inspect", "--json", *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"sinew inspect {' '.join(arguments)}: {done.stderr.strip()}")
    return max(json.loads(done.stdout)["characters"], key=lambda each: each["figures"]["vertices"])


def to_model_space(program, file, rig):
    """Rotation and scale from the judge's space to sinew's model space."""
    bones = {b["name"]: b for b in sinew_report(program, [file, "--poses", "0", "--bones", "*"])["bones"]}
    j = next(k for k, name in enumerate(rig.names) if name in bones)
    rest = np.vstack([np.array(bones[rig.names[j]]["rest"]).reshape(3, 4), [0, 0, 0, 1]])
    linear = (rest @ np.linalg.inv(rig.bind[j]))[:3, :3]
    scale = abs(np.linalg.det(linear)) ** (1 / 3)
    return linear / scale, scale


def pose_file(path, rig, poses, turn, scale):
    def bone(r, move):
        return {"rotation": list(as_quaternion(turn @ r @ turn.T)), "translation": list(scale * (turn @ move))}
    entries = [{"name": f"pose {p}", "bones": {rig.names[j]: bone(*move) for j, move in enumerate(moves)}} for p, moves in enumerate(poses)]
    with open(path, "w") as out:
        json.dump({"sinew_poses": 1, "poses": entries}, out)


def both(judge, program, original, file, seed, called):
    """The judge's figures and sinew's, and how long both took."""
    src, rig = judge.Rig(original), judge.Rig(file)
    used_there = src.W.sum(0) > 1e-9
    rehung, _ = judge.effective_parents(src, used_there, src.clips(60))
    there, here = ({n: k for k, n in enumerate(r.names)} for r in (src, rig))
    parent = rig.parent.copy()
    for k, n in enumerate(rig.names):
        if n in there and rehung[there[n]] != src.parent[there[n]] and src.names[rehung[there[n]]] in here:
            parent[k] = here[src.names[rehung[there[n]]]]
    used = np.array([used_there[there[n]] if n in there else True for n in rig.names])
    axis, order, _ = judge.skeleton_axes(rig.head, parent)
    random = np.random.default_rng(seed)
    poses = list(rig.clips(FRAMES))
    poses += [judge.random_pose(random, rig.head, parent, axis, order, ROLL_DEG, TWIST_DEG, ~used) for _ in range(POSES)]
    _, file_order, _ = judge.skeleton_axes(rig.head, rig.parent)
    moves, rigid_poses = zip(*(rigid(rig, file_order, pose) for pose in poses))
    from scipy.spatial import cKDTree
    at_src = cKDTree(src.P).query(rig.P)[1]
    old = np.zeros_like(rig.W)
    for k, n in enumerate(src.names):
        if n in here:
            old[:, here[n]] += src.W[at_src, k]
    own_names, rig.names = rig.names, [called.get(name, name) for name in rig.names]
    begin = time.time()
    stolen, head, folded, worse, apart, sunk = judge.beside_original(
        judge.Judge(rig.P, rig.F), rig.W, old, list(rigid_poses), rig, parent, order)
    theirs = dict(zip(FIGURES, [stolen[0], head, folded[0], worse[0], apart, sunk]))
    their_seconds = time.time() - begin
    rig.names = own_names
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "poses.json")
        pose_file(path, rig, moves, *to_model_space(program, file, rig))
        begin = time.time()
        report = sinew_report(program, [file, "--original", original, "--compare-in", path, "--poses", "1"])
    most = (report["quality"]["stolen_most"] or {}).get("bone")
    if most != rig.names[stolen[1]] and stolen[2] > 0:
        print(f"  most is stolen from {most}, the judge says {rig.names[stolen[1]]}")
    return theirs, report["figures"], (their_seconds, time.time() - begin)


def agrees(name, a, b):
    if math.isnan(a):
        return True
    return abs(a - b) <= WITHIN.get(name, max(FLOOR, WITHIN_REL * max(abs(a), abs(b))))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("judge")
    parser.add_argument("sinew")
    parser.add_argument("original")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--seconds", action="store_true")
    parser.add_argument("--call", action="append", default=[], metavar="NAME=NAME")
    options = parser.parse_args()
    judge, wrong = load(options.judge), 0
    called = dict(pair.split("=", 1) for pair in options.call)
    print(f"{'judge/sinew':32}" + "".join(f"{figure:>20}" for figure in FIGURES))
    for file in options.files:
        theirs, ours, seconds = both(judge, options.sinew, options.original, file, options.seed, called)
        cells = []
        for figure in FIGURES:
            a, b = (math.nan if x is None else float(x) for x in (theirs[figure], ours[figure]))
            good = agrees(figure, a, b)
            wrong += not good
            cells.append(f"{a:.3f}/{b:.3f}{'' if good else '!'}")
        told = f"{seconds[0]:9.1f} s /{seconds[1]:5.1f} s" if options.seconds else ""
        print(f"{os.path.basename(file):32}" + "".join(f"{cell:>20}" for cell in cells) + told, flush=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
