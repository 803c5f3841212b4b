// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import type { Weld } from './weld';

/// Local distortion on the welded one-ring: how far the edges at a place are, after a pose, from a
/// rotation of what they were. With a_ik a sixth of the area of the triangles at edge ik,
///   E_i = sum_k a_ik |e'_ik - R_i e_ik|^2,   distortion_i = E_i / sum_k a_ik |e_ik|^2,
/// R_i the best rotation. The rotation itself is not needed: the largest eigenvalue L of the 4x4
/// matrix of Davenport and Horn that belongs to C = sum a e' e^T gives
///   E_i = sum a |e'|^2 + sum a |e|^2 - 2 L,
/// and Newton's method finds L from above, since the mean of the two sums bounds it.
export class Distortion {
  readonly perPlace: Float32Array; // of the last pose
  readonly areaPerPlace: Float32Array;
  total = 0; // arap of the last pose: sum E_i / sum a |e|^2
  private readonly begin: Uint32Array;
  private readonly neighbour: Uint32Array;
  private readonly weightedEdge: Float32Array; // a_ik e_ik
  private readonly edgeWeight: Float32Array; // a_ik
  private readonly restEnergy: Float64Array; // sum a |e|^2
  private readonly places: Float32Array; // posed, per place
  private readonly copies: Float32Array; // how many vertices a place has
  private readonly energy: Float64Array;

  constructor(
    rest: Float32Array,
    indices: Uint32Array,
    private readonly weld: Weld,
  ) {
    const n = weld.count;
    this.perPlace = new Float32Array(n);
    this.areaPerPlace = new Float32Array(n);
    this.restEnergy = new Float64Array(n);
    this.energy = new Float64Array(n);
    this.places = new Float32Array(3 * n);
    this.copies = new Float32Array(n);
    for (const place of weld.place) ++this.copies[place]!;
    const at = this.mean(rest).slice();
    const directed = collectEdges(at, indices, weld, this.areaPerPlace);
    this.begin = directed.begin;
    this.neighbour = directed.neighbour;
    this.edgeWeight = directed.weight;
    this.weightedEdge = new Float32Array(3 * this.neighbour.length);
    for (let i = 0; i < n; ++i)
      for (let e = this.begin[i]!; e < this.begin[i + 1]!; ++e) {
        const k = this.neighbour[e]!;
        const a = this.edgeWeight[e]!;
        for (let d = 0; d < 3; ++d) {
          const edge = at[3 * k + d]! - at[3 * i + d]!;
          this.weightedEdge[3 * e + d] = a * edge;
          this.restEnergy[i]! += a * edge * edge;
        }
      }
  }

  /// Evaluates a pose; results are in `perPlace` and `total`.
  evaluate(posed: Float32Array) {
    const p = this.mean(posed);
    const { begin, neighbour, weightedEdge, edgeWeight, restEnergy, perPlace } = this;
    let energy = 0;
    let rest = 0;
    for (let i = 0; i < perPlace.length; ++i) {
      let xx = 0,
        xy = 0,
        xz = 0,
        yx = 0,
        yy = 0,
        yz = 0,
        zx = 0,
        zy = 0,
        zz = 0;
      let now = 0;
      const px = p[3 * i]!,
        py = p[3 * i + 1]!,
        pz = p[3 * i + 2]!;
      for (let e = begin[i]!; e < begin[i + 1]!; ++e) {
        const k = 3 * neighbour[e]!;
        const dx = p[k]! - px,
          dy = p[k + 1]! - py,
          dz = p[k + 2]! - pz;
        const ax = weightedEdge[3 * e]!,
          ay = weightedEdge[3 * e + 1]!,
          az = weightedEdge[3 * e + 2]!;
        xx += dx * ax;
        xy += dx * ay;
        xz += dx * az;
        yx += dy * ax;
        yy += dy * ay;
        yz += dy * az;
        zx += dz * ax;
        zy += dz * ay;
        zz += dz * az;
        now += edgeWeight[e]! * (dx * dx + dy * dy + dz * dz);
      }
      const before = restEnergy[i]!;
      const bound = (now + before) / 2;
      const best = largestEigenvalue(xx, xy, xz, yx, yy, yz, zx, zy, zz, bound);
      const lost = Math.max(0, 2 * (bound - best));
      this.energy[i] = lost;
      perPlace[i] = before > 0 ? lost / before : 0;
      energy += lost;
      rest += before;
    }
    this.total = rest > 0 ? energy / rest : 0;
  }

  /// arap of a group of places in the last pose: a bone's, say.
  totalsBy(group: Int32Array, groups: number): Float64Array {
    const energy = new Float64Array(groups);
    const rest = new Float64Array(groups);
    for (let i = 0; i < group.length; ++i)
      if (group[i]! >= 0) {
        energy[group[i]!]! += this.energy[i]!;
        rest[group[i]!]! += this.restEnergy[i]!;
      }
    return energy.map((value, g) => (rest[g]! > 0 ? value / rest[g]! : 0));
  }

  ofVertex(v: number): number {
    return this.perPlace[this.weld.place[v]!]!;
  }

  /// The mean of a place's copies: what welded weights would give, since blending is linear.
  private mean(positions: Float32Array): Float32Array {
    const { places, copies, weld } = this;
    places.fill(0);
    for (let v = 0; v < weld.place.length; ++v) {
      const o = 3 * weld.place[v]!;
      places[o]! += positions[3 * v]!;
      places[o + 1]! += positions[3 * v + 1]!;
      places[o + 2]! += positions[3 * v + 2]!;
    }
    for (let i = 0; i < copies.length; ++i)
      for (let d = 0; d < 3; ++d) places[3 * i + d]! /= copies[i]!;
    return places;
  }
}

/// Of the matrix whose quaternion form is q^T K q = tr(R(q)^T C). K has no trace, so that its
/// characteristic polynomial is t^4 + c2 t^2 + c1 t + c0.
function largestEigenvalue(
  xx: number,
  xy: number,
  xz: number,
  yx: number,
  yy: number,
  yz: number,
  zx: number,
  zy: number,
  zz: number,
  bound: number,
): number {
  if (!(bound > 0)) return bound;
  // Scaled to one, so that the tolerance is relative and nothing underflows for tiny meshes.
  const s = 1 / bound;
  xx *= s;
  xy *= s;
  xz *= s;
  yx *= s;
  yy *= s;
  yz *= s;
  zx *= s;
  zy *= s;
  zz *= s;
  const squares =
    xx * xx + xy * xy + xz * xz + yx * yx + yy * yy + yz * yz + zx * zx + zy * zy + zz * zz;
  const det = xx * (yy * zz - yz * zy) - xy * (yx * zz - yz * zx) + xz * (yx * zy - yy * zx);
  // |cof C|^2 = s1^2 s2^2 + s2^2 s3^2 + s3^2 s1^2 in singular values.
  const c00 = yy * zz - yz * zy,
    c01 = yz * zx - yx * zz,
    c02 = yx * zy - yy * zx;
  const c10 = zy * xz - zz * xy,
    c11 = zz * xx - zx * xz,
    c12 = zx * xy - zy * xx;
  const c20 = xy * yz - xz * yy,
    c21 = xz * yx - xx * yz,
    c22 = xx * yy - xy * yx;
  const minors =
    c00 * c00 +
    c01 * c01 +
    c02 * c02 +
    c10 * c10 +
    c11 * c11 +
    c12 * c12 +
    c20 * c20 +
    c21 * c21 +
    c22 * c22;
  // The eigenvalues are s1+s2+s3, s1-s2-s3, -s1+s2-s3, -s1-s2+s3 (s3 with the sign of det C).
  const c2 = -2 * squares;
  const c1 = -8 * det;
  const c0 = squares * squares - 4 * minors;
  let t = 1;
  for (let step = 0; step < kMaxNewtonSteps; ++step) {
    const t2 = t * t;
    const b = (t2 + c2) * t;
    const a = b + c1;
    const value = a * t + c0;
    const slope = 2 * t2 * t + b + a;
    if (!(slope > 0)) break;
    const change = value / slope;
    t -= change;
    if (Math.abs(change) < kNewtonRel) break;
  }
  return t * bound;
}

const kMaxNewtonSteps = 50; // a one-ring on a line has a double root: steps only halve the error
const kNewtonRel = 1e-10; // of the bound; distortion below this is no colour

interface DirectedEdges {
  begin: Uint32Array;
  neighbour: Uint32Array;
  weight: Float32Array;
}

function collectEdges(
  at: Float32Array,
  indices: Uint32Array,
  places: Weld,
  areas: Float32Array,
): DirectedEdges {
  const n = places.count;
  const degree = new Uint32Array(n + 1);
  const corners = [0, 0, 0];
  const each = (visit: (area: number) => void) => {
    for (let t = 0; t < indices.length; t += 3) {
      for (let k = 0; k < 3; ++k) corners[k] = places.place[indices[t + k]!]!;
      const [a, b, c] = corners as [number, number, number];
      if (a === b || b === c || c === a) continue;
      visit(triangleArea(at, 3 * a, 3 * b, 3 * c));
    }
  };
  each(() => corners.forEach((c) => (degree[c + 1]! += 2)));
  for (let i = 0; i < n; ++i) degree[i + 1]! += degree[i]!;
  const fill = degree.slice();
  const neighbour = new Uint32Array(degree[n]!);
  const weight = new Float32Array(degree[n]!);
  each((area) => {
    for (let k = 0; k < 3; ++k) {
      const i = corners[k]!;
      areas[i]! += area / 3;
      for (const o of [corners[(k + 1) % 3]!, corners[(k + 2) % 3]!]) {
        neighbour[fill[i]!] = o;
        weight[fill[i]!++] = area / 6;
      }
    }
  });
  return merged(n, degree, neighbour, weight);
}

/// An edge comes once per triangle; equal ones are added up, which halves the work of every pose.
function merged(
  n: number,
  begin: Uint32Array,
  neighbour: Uint32Array,
  weight: Float32Array,
): DirectedEdges {
  const where = new Int32Array(n).fill(-1);
  const out = new Uint32Array(n + 1);
  let used = 0;
  for (let i = 0; i < n; ++i) {
    const start = used;
    for (let e = begin[i]!; e < begin[i + 1]!; ++e) {
      const k = neighbour[e]!;
      if (where[k]! >= start) {
        weight[where[k]!]! += weight[e]!;
      } else {
        where[k] = used;
        neighbour[used] = k;
        weight[used++] = weight[e]!;
      }
    }
    out[i + 1] = used;
  }
  return { begin: out, neighbour: neighbour.slice(0, used), weight: weight.slice(0, used) };
}

function triangleArea(p: Float32Array, a: number, b: number, c: number): number {
  const ux = p[b]! - p[a]!,
    uy = p[b + 1]! - p[a + 1]!,
    uz = p[b + 2]! - p[a + 2]!;
  const vx = p[c]! - p[a]!,
    vy = p[c + 1]! - p[a + 1]!,
    vz = p[c + 2]! - p[a + 2]!;
  return Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx) / 2;
}
