# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
"""Learns who owns the skin from characters that artists weighted, and judges what was learnt.

Run it as script/train-owners, which builds what it needs. FILE is a skinned .glb; a folder stands for all in it.

    tables            leaves every family out in turn, trains on the rest, and tells how often the bone that an artist
                      gave most is found, beside heat, the nearest bone and the walk through the interior
    write             trains on all and writes the numbers that the program has

A family is what files have in common in their names before the first underscore, or their folder's name: characters by
one hand on one skeleton, which would tell each other what to say.

The score of a bone for a vertex is a sum: linear in what is known (src/weights/owner_features.h), and the mean of two
small nets; the chance of a bone is the softmax over the bones that may own the vertex. What is learnt from are the
weights of the artist themselves, by their cross-entropy.
"""
import argparse
import hashlib
import os
import struct
import subprocess
import sys
import zlib

import numpy as np

PER_FILE = 1200  # vertices of a file that are learnt from
HIDDEN = 16
NETS = 2
BATCH = 256
FAMILIES = ["modular", "animals", "cute_fish", "fish", "dinosaurs", "m2m_human", "m2m", "kaykit", "mech", "cyberpunk",
            "platformer", "tank", "ultimate", "easy"]
FOLDERS = ["khronos", "makehuman", "misc"]


class Evidence:
    """What sinew_owner_evidence writes."""

    def __init__(self, path, data):
        self.path = path
        vertices, bones, features, candidates = struct.unpack_from("<4I", data, 4)
        at = 20
        names = []
        for _ in range(features + bones):
            end = data.index(b"\0", at)
            names.append(data[at:end].decode("utf-8", "replace"))
            at = end + 1
        self.names, self.bones = names[:features], names[features:]

        def take(rows, columns):
            nonlocal at
            block = np.frombuffer(data, "<f4", rows * columns, at).reshape(rows, columns)
            at += 4 * rows * columns
            return block
        per_vertex = take(vertices, 2)
        self.measure, count = per_vertex[:, 0], per_vertex[:, 1].astype(int)
        rows = take(candidates, 1 + features)
        self.truth = take(vertices, bones)
        self.k = int(count.max()) if len(count) else 0
        self.live = np.nonzero(count == self.k)[0] if self.k else np.zeros(0, int)
        first = np.concatenate([[0], np.cumsum(count)])[:-1][self.live]
        index = first[:, None] + np.arange(self.k)[None]
        self.bone = rows[:, 0].astype(int)[index]
        self.x = rows[:, 1:][index]
        t = self.truth[self.live]
        self.own = t.argmax(1)
        self.y = np.take_along_axis(t, self.bone, 1)
        total = self.y.sum(1)
        self.ok = (t.max(1) > 0.01) & (total > 0.2)
        self.y = self.y / np.maximum(total, 1e-6)[:, None]
        self.has = t.max(1) > 0.01
        self.family = family(path)

    def feature(self, name):
        return self.x[:, :, self.names.index(name)]


def family(path):
    name, folder = os.path.basename(path), os.path.basename(os.path.dirname(path))
    if folder in FOLDERS:
        return folder
    return next((each for each in FAMILIES if name.startswith(each)), name.split("_")[0])


def characters(paths):
    for path in paths:
        if os.path.isdir(path):
            for root, _, names in sorted(os.walk(path)):
                yield from (os.path.join(root, name) for name in sorted(names) if name.endswith(".glb"))
        else:
            yield path


def read(program, paths, cache):
    seen, files = set(), []
    for path in characters(paths):
        digest = hashlib.sha1(open(path, "rb").read()).hexdigest()
        if digest in seen:
            continue
        seen.add(digest)
        out = os.path.join(cache, digest + ".own")
        if not os.path.exists(out):
            done = subprocess.run([program, path, out], capture_output=True, text=True)
            if done.returncode != 0:
                print(f"{path}: {done.stderr.strip()}", file=sys.stderr)
                continue
        e = Evidence(path, open(out, "rb").read())
        if e.ok.sum() > 20 and (e.truth.max(0) > 0.3).sum() >= 3:
            files.append(e)
    return files


def sample(files, use, seed):
    """Vertices to learn from; bones count by the root of their vertices, families by that of their files."""
    rng = np.random.default_rng(seed)
    most = max(f.k for f in files)
    per_family = {}
    for f in files:
        per_family[f.family] = per_family.get(f.family, 0) + 1
    xs, ys, ms, ws = [], [], [], []
    for f in files:
        rows = np.nonzero(f.ok)[0]
        count = np.bincount(f.own[rows], minlength=f.truth.shape[1]).astype(float)
        weight = 1 / np.sqrt(np.maximum(count[f.own[rows]], 10))
        if len(rows) > PER_FILE:
            chosen = rng.choice(len(rows), PER_FILE, replace=False, p=np.sqrt(weight) / np.sqrt(weight).sum())
            rows, weight = rows[chosen], np.sqrt(weight[chosen])
        short = most - f.k
        xs.append(np.pad(f.x[rows][:, :, use], ((0, 0), (0, short), (0, 0))))
        ys.append(np.pad(f.y[rows], ((0, 0), (0, short))))
        ms.append(np.pad(np.ones((len(rows), f.k), bool), ((0, 0), (0, short))))
        ws.append(weight / weight.sum() * np.sqrt((f.truth.max(0) > 0.3).sum()) / np.sqrt(per_family[f.family]))
    w = np.concatenate(ws)
    return np.concatenate(xs), np.concatenate(ys), np.concatenate(ms), (w / w.mean()).astype(np.float32)


class Net:
    """A small net with one hidden layer, or none."""

    def __init__(self, hidden, epochs, decay, noise, seed):
        self.hidden, self.epochs, self.decay, self.noise, self.seed = hidden, epochs, decay, noise, seed

    def fit(self, x, y, mask, weight, rate=3e-3):
        rng = np.random.default_rng(self.seed)
        n, k, m = x.shape
        flat = x[mask]
        self.mean, self.spread = flat.mean(0), flat.std(0) + 1e-3
        sizes = [m] + ([self.hidden] if self.hidden else []) + [1]
        self.w = [(rng.normal(size=(a, b)) * np.sqrt(1.5 / a)).astype(np.float32) for a, b in zip(sizes, sizes[1:])]
        self.b = [np.zeros(b, np.float32) for b in sizes[1:]]
        values = self.w + self.b
        first, second = [np.zeros_like(v) for v in values], [np.zeros_like(v) for v in values]
        x = (x - self.mean) / self.spread
        steps, t = self.epochs * (n // BATCH), 0
        for _ in range(self.epochs):
            order = rng.permutation(n)
            for begin in range(0, n - BATCH + 1, BATCH):
                r = order[begin:begin + BATCH]
                layers = [x[r].reshape(-1, m) + self.noise * rng.standard_normal((BATCH * k, m), dtype=np.float32)]
                for l in range(len(self.w)):
                    z = layers[-1] @ self.w[l] + self.b[l]
                    layers.append(np.maximum(z, 0.05 * z) if l + 1 < len(self.w) else z)
                score = np.where(mask[r], layers[-1].reshape(BATCH, k), -1e9)
                p = np.exp(score - score.max(1, keepdims=True))
                p /= p.sum(1, keepdims=True)
                g = ((p - y[r]) * weight[r, None] / BATCH).reshape(-1, 1).astype(np.float32)
                gw, gb = [], []
                for l in reversed(range(len(self.w))):
                    gw.insert(0, layers[l].T @ g + self.decay * self.w[l])
                    gb.insert(0, g.sum(0))
                    if l:
                        g = (g @ self.w[l].T) * np.where(layers[l] > 0, 1, 0.05).astype(np.float32)
                t += 1
                step = rate * 0.5 * (1 + np.cos(np.pi * t / steps))
                for q, (value, gradient) in enumerate(zip(values, gw + gb)):
                    first[q] = 0.9 * first[q] + 0.1 * gradient
                    second[q] = 0.999 * second[q] + 0.001 * gradient * gradient
                    value -= step * (first[q] / (1 - 0.9 ** t)) / (np.sqrt(second[q] / (1 - 0.999 ** t)) + 1e-8)
        return self

    def score(self, x):
        n, k, m = x.shape
        h = ((x - self.mean) / self.spread).reshape(-1, m)
        for l in range(len(self.w)):
            h = h @ self.w[l] + self.b[l]
            if l + 1 < len(self.w):
                h = np.maximum(h, 0.05 * h)
        return h.reshape(n, k)


class Model:
    def __init__(self, files, use, seed=0):
        self.use = use
        data = sample(files, use, seed)
        self.linear = Net(0, 5, 1e-4, 0.02, 0).fit(*data)
        self.nets = [Net(HIDDEN, 4, 1e-3, 0.1, s).fit(*data) for s in range(NETS)]

    def chance(self, f):
        x = f.x[:, :, self.use]
        score = (self.linear.score(x) + np.mean([net.score(x) for net in self.nets], 0)) / 2
        p = np.exp(score - score.max(1, keepdims=True))
        return p / p.sum(1, keepdims=True)


def agreement(f, p):
    """The share of vertices whose likeliest bone is the artist's strongest; is one to which he gives half of his
    most; the error of weights; bones of eight vertices or more that keep less than half; how sure it is where it is
    surer than 0.7, and right there."""
    top = np.take_along_axis(f.bone, p.argmax(1)[:, None], 1)[:, 0]
    t = f.truth[f.live]
    has = f.has
    right = (top == f.own)
    given = t[np.arange(len(t)), top] >= 0.5 * t.max(1)
    dense = np.zeros_like(t)
    np.put_along_axis(dense, f.bone, p, 1)
    l1 = np.abs(dense - t).sum(1)
    led = np.bincount(f.own[has], minlength=t.shape[1])
    kept = np.bincount(f.own[has], right[has], t.shape[1])
    many = led >= 8
    pure = has & (t.max(1) > 0.9)
    sure = has & (p.max(1) > 0.7)
    return dict(agree=right[has].mean(), given=given[has].mean(), l1=l1[has].mean(), lost=int((2 * kept < led)[many].sum()),
                bones=int(many.sum()), pure=right[pure].mean() if pure.any() else np.nan, sure=sure.sum() / has.sum(),
                right=right[sure].mean() if sure.any() else np.nan)


def show(name, files, chances):
    rows = [agreement(f, p) for f, p in zip(files, chances)]
    mean = {k: np.nanmean([r[k] for r in rows]) for k in rows[0]}
    print(f"{name:26s} agree {mean['agree']:.3f}  given {mean['given']:.3f}  L1 {mean['l1']:.3f}  one bone's {mean['pure']:.3f}  "
          f"lost {sum(r['lost'] for r in rows)} of {sum(r['bones'] for r in rows)}  sure {mean['sure']:.2f}, right {mean['right']:.3f}", flush=True)
    return rows


def one_hot(columns):
    return np.eye(columns.shape[1])[columns.argmax(1)]


def tables(files, drops):
    show("nearest", files, [one_hot(-f.feature("distance / least")) for f in files])
    show("heat", files, [f.feature("heat") + 1e-9 * one_hot(-f.feature("rank")) for f in files])
    show("walk", files, [f.feature("walk") + 1e-9 * one_hot(-f.feature("rank")) for f in files])
    everything = list(range(len(files[0].names)))
    for drop in [None] + drops:
        use = [i for i in everything if drop is None or not any(d in files[0].names[i] for d in drop.split(","))]
        found = {}
        for left_out in sorted({f.family for f in files}):
            model = Model([f for f in files if f.family != left_out], use)
            for f in files:
                if f.family == left_out:
                    found[f.path] = model.chance(f)
        rows = show("learnt" if drop is None else f"without {drop}", files, [found[f.path] for f in files])
        if drop is None:
            for name in sorted({f.family for f in files}):
                mine = [r["agree"] for r, f in zip(rows, files) if f.family == name]
                heat = [agreement(f, f.feature("heat"))["agree"] for f in files if f.family == name]
                print(f"  {name:12s} {len(mine):3d} files  heat {np.mean(heat):.3f}  learnt {np.mean(mine):.3f}")


def lines_of(values):
    text, line = [], " "
    for value in values:
        word = f" {value:.6g}F," if "." in f"{value:.6g}" or "e" in f"{value:.6g}" else f" {value:.6g}.0F,"
        if len(line) + len(word) > 100:
            text.append(line)
            line = " "
        line += word
    return "\n".join(text + [line]).rstrip(",")


def write(files, path):
    """One layer of units beside a linear part, of features as they are: means and spreads are in the numbers."""
    names = files[0].names
    model = Model(files, list(range(len(names))))
    linear = 0.5 * model.linear.w[0][:, 0] / model.linear.spread
    units = np.concatenate([net.w[0] / net.spread[:, None] for net in model.nets], 1)
    bias = np.concatenate([net.b[0] - (net.mean / net.spread) @ net.w[0] for net in model.nets])
    out = np.concatenate([0.5 / len(model.nets) * net.w[1][:, 0] for net in model.nets])
    arrays = [("Linear", linear, "of each feature"), ("Bias", bias, "of each unit"),
              ("Units", units.reshape(-1), "of each feature, one unit after the other"), ("Out", out, "of each unit")]
    with open(path, "w") as header:
        header.write("// SPDX-FileCopyrightText: 2026 The sinew authors\n// SPDX-License-Identifier: MIT\n"
                     "// Written by script/train-owners: what was learnt of who owns the skin.\n#pragma once\n\n"
                     "#include <array>\n\nnamespace sinew {\n\n// clang-format off\n")
        for name, values, what in arrays:
            header.write(f"inline constexpr std::array<float, {len(values)}> kOwner{name}{{  // {what}\n{lines_of(values)}}};\n")
        header.write("// clang-format on\n\n}  // namespace sinew\n")
    print(sum(len(values) for _, values, _ in arrays), "numbers in", path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=["tables", "write"])
    parser.add_argument("--program", required=True, help="sinew_owner_evidence")
    parser.add_argument("--cache", default="owner-evidence")
    parser.add_argument("--header", default="src/weights/owner_numbers.h", help="write: where to")
    parser.add_argument("--without", action="append", default=[], help="parts of features' names, by commas: tables tells what is lost without")
    parser.add_argument("--leave-out", default="", help="families that are not learnt from, by commas")
    parser.add_argument("files", nargs="+")
    asked = parser.parse_args()
    os.makedirs(asked.cache, exist_ok=True)
    files = read(asked.program, asked.files, asked.cache)
    files = [f for f in files if f.family not in asked.leave_out.split(",")]
    print(len(files), "files,", len({f.family for f in files}), "families")
    if asked.verb == "tables":
        tables(files, asked.without)
    else:
        write(files, asked.header)


if __name__ == "__main__":
    main()
