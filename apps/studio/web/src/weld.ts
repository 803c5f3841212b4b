// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT

/// Vertices that files split at seams, joined by position, as in C++.
export interface Weld {
  count: number; // places
  place: Uint32Array; // of every vertex
}

const kToleranceRel = 1e-6; // of the largest extent: above float noise, below any detail
const kCellsPerTolerance = 4; // a cell this wide is rarely straddled, and holds few vertices

export function weld(positions: Float32Array): Weld {
  const n = positions.length / 3;
  const low = [Infinity, Infinity, Infinity];
  let extent = 0;
  for (let i = 0; i < positions.length; ++i) low[i % 3] = Math.min(low[i % 3]!, positions[i]!);
  for (let i = 0; i < positions.length; ++i) extent = Math.max(extent, positions[i]! - low[i % 3]!);
  const tolerance = kToleranceRel * (extent || 1);
  const cell = kCellsPerTolerance * tolerance;

  const buckets = 1 << Math.ceil(Math.log2(Math.max(2 * n, 16)));
  const head = new Int32Array(buckets).fill(-1);
  const next = new Int32Array(n).fill(-1); // per place
  const first = new Uint32Array(n); // vertex that stands for a place
  const place = new Uint32Array(n);
  let count = 0;
  const bucket = (x: number, y: number, z: number) =>
    (Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(z, 83492791)) & (buckets - 1);

  const q = [0, 0, 0];
  for (let v = 0; v < n; ++v) {
    for (let d = 0; d < 3; ++d) q[d] = (positions[3 * v + d]! - low[d]!) / cell;
    let found = -1;
    const reach = 1 / kCellsPerTolerance;
    search: for (let x = Math.floor(q[0]! - reach); x <= Math.floor(q[0]! + reach); ++x)
      for (let y = Math.floor(q[1]! - reach); y <= Math.floor(q[1]! + reach); ++y)
        for (let z = Math.floor(q[2]! - reach); z <= Math.floor(q[2]! + reach); ++z)
          for (let p = head[bucket(x, y, z)]!; p >= 0; p = next[p]!) {
            const f = 3 * first[p]!;
            const dx = positions[f]! - positions[3 * v]!;
            const dy = positions[f + 1]! - positions[3 * v + 1]!;
            const dz = positions[f + 2]! - positions[3 * v + 2]!;
            if (dx * dx + dy * dy + dz * dz <= tolerance * tolerance) {
              found = p;
              break search;
            }
          }
    if (found < 0) {
      found = count++;
      first[found] = v;
      const b = bucket(Math.floor(q[0]!), Math.floor(q[1]!), Math.floor(q[2]!));
      next[found] = head[b]!;
      head[b] = found;
    }
    place[v] = found;
  }
  return { count, place };
}
