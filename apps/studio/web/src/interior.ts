// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import { bytesFromBase64, type InteriorEntry } from './payload';

export type Axis = 'x' | 'y' | 'z';
export const kAxes: Axis[] = ['x', 'y', 'z'];

/// Cells are cut into so many pieces along each axis, of which those that share a place own some.
export const kPieces = 4;

/// Why a cell belongs to the interior, by the payload's numbers.
export const kKinds = ['on the surface', 'inside', 'enclosed'];

/// A slice keeps so far, in edges, from where layers meet: between two of them it would show one and
/// cut the other away.
const kLeastWithin = 0.02;

/// The corners of a square around a piece, in turn, as (u, v).
const kAround = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
] as const;

/// A plane through the cells, along an axis.
export interface Slice {
  axis: number; // 0 to 2
  at: number; // model space
  layer: number; // of cells
  within: number; // how far into that layer, from 0 to 1
}

/// What a slice shows: squares of a quarter of a cell's edge.
export interface Cut {
  slice: Slice;
  cells: number[]; // those that the plane passes through
  squares: { cell: number; a: number; b: number }[]; // a and b: which piece, along the other axes
  positions: Float32Array; // model space; four corners per square
  inCells: Float32Array; // the same in edges from the corner of the cell, along the other axes
}

/// The cubes that fill a character, as a report brings them (docs/report-format.md).
export class Interior {
  readonly places: Uint32Array; // 3 per cell
  readonly kinds: Uint8Array;
  readonly corners: Uint32Array; // 8 per cell: points
  readonly isShared: Uint8Array; // per cell: it stands at one place with others
  readonly size: [number, number, number]; // places along each axis
  private readonly pieces = new Map<number, Uint8Array>(); // 8 bytes, of cells that share a place
  private readonly decoded = new Map<number, Uint8Array>();

  constructor(readonly entry: InteriorEntry) {
    const { cells } = entry;
    this.places = unpacked(bytesFromBase64(entry.places), 3 * cells);
    this.kinds = bytesFromBase64(entry.kinds);
    this.size = [0, 1, 2].map((d) => {
      let most = 0;
      for (let i = d; i < this.places.length; i += 3) most = Math.max(most, this.places[i]!);
      return most + 1;
    }) as [number, number, number];
    this.isShared = new Uint8Array(cells);
    for (let c = 1; c < cells; ++c)
      if (this.place(c).every((p, d) => p === this.places[3 * (c - 1) + d]))
        this.isShared[c] = this.isShared[c - 1] = 1;
    this.corners = this.numberCorners();
  }

  /// The sum of the weights of bones at every point, in steps of 1/255.
  weightsOf(bones: number[]): Uint8Array {
    const out = new Uint8Array(this.entry.points);
    for (const bone of bones) {
      const mine = this.weightsOfBone(bone);
      if (mine) for (let p = 0; p < out.length; ++p) out[p] = Math.min(255, out[p]! + mine[p]!);
    }
    return out;
  }

  /// Null where it weighs nothing anywhere.
  weightsOfBone(bone: number): Uint8Array | null {
    const text = this.entry.weights[bone];
    if (!text) return null;
    let found = this.decoded.get(bone);
    if (!found) this.decoded.set(bone, (found = runs(bytesFromBase64(text), this.entry.points)));
    return found;
  }

  /// The plane at a part of the way through the cells, 0 to 1.
  slice(axis: Axis, share: number): Slice {
    const d = kAxes.indexOf(axis);
    const along = Math.min(Math.max(share, 0), 1) * this.size[d]!;
    const layer = Math.min(Math.floor(along), this.size[d]! - 1);
    const within = Math.min(Math.max(along - layer, kLeastWithin), 1 - kLeastWithin);
    return {
      axis: d,
      at: this.entry.origin[d]! + this.entry.cell_edge * (layer + within),
      layer,
      within,
    };
  }

  /// The pieces of cells that a plane passes through. Cells that share a place show only their own.
  cut(slice: Slice): Cut {
    const { axis, at, layer, within } = slice;
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    const deep = Math.min(Math.floor(within * kPieces), kPieces - 1);
    const cells: number[] = [];
    const squares: Cut['squares'] = [];
    const piece = [0, 0, 0];
    piece[axis] = deep;
    for (let cell = 0; cell < this.entry.cells; ++cell) {
      if (this.places[3 * cell + axis] !== layer) continue;
      cells.push(cell);
      for (let b = 0; b < kPieces; ++b)
        for (let a = 0; a < kPieces; ++a) {
          [piece[u], piece[v]] = [a, b];
          if (this.owns(cell, piece)) squares.push({ cell, a, b });
        }
    }
    const positions = new Float32Array(12 * squares.length);
    const inCells = new Float32Array(8 * squares.length);
    const { origin, cell_edge: edge } = this.entry;
    const along = (d: number, cell: number, t: number) =>
      origin[d]! + edge * (this.places[3 * cell + d]! + t / kPieces);
    squares.forEach(({ cell, a, b }, s) =>
      kAround.forEach(([du, dv], k) => {
        inCells.set([(a + du) / kPieces, (b + dv) / kPieces], 8 * s + 2 * k);
        positions[12 * s + 3 * k + axis] = at;
        positions[12 * s + 3 * k + u] = along(u, cell, a + du);
        positions[12 * s + 3 * k + v] = along(v, cell, b + dv);
      }),
    );
    return { slice, cells, squares, positions, inCells };
  }

  /// What is known at the points, at the four corners of each square of a cut: linear along each
  /// axis of a cell.
  valuesOn({ slice, squares }: Cut, ofPoints: ArrayLike<number>): Float32Array {
    const { axis, within } = slice;
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    const onFace = new Float32Array(4); // where the plane meets the four edges along the axis
    const out = new Float32Array(4 * squares.length);
    let last = -1;
    squares.forEach(({ cell, a, b }, s) => {
      for (let k = 0; k < 4 && cell !== last; ++k) {
        const low = 8 * cell + (((k & 1) << u) | ((k >> 1) << v));
        const before = ofPoints[this.corners[low]!]!;
        const behind = ofPoints[this.corners[low + (1 << axis)]!]!;
        onFace[k] = before + within * (behind - before);
      }
      last = cell;
      kAround.forEach(([du, dv], k) => {
        const [s0, t0] = [(a + du) / kPieces, (b + dv) / kPieces];
        const low = onFace[0]! + s0 * (onFace[1]! - onFace[0]!);
        const high = onFace[2]! + s0 * (onFace[3]! - onFace[2]!);
        out[4 * s + k] = low + t0 * (high - low);
      });
    });
    return out;
  }

  /// Cells with a face that no other cell is behind: the others are never seen from outside.
  exposed(): Uint32Array {
    const taken = new Set<number | string>();
    for (let c = 0; c < this.entry.cells; ++c) taken.add(this.keyOf(this.place(c)));
    const isExposed = (c: number) =>
      [-1, 1].some((step) =>
        [0, 1, 2].some((d) => {
          const beside = this.place(c);
          beside[d]! += step;
          return beside[d]! < 0 || !taken.has(this.keyOf(beside));
        }),
      );
    return Uint32Array.from([...this.kinds.keys()].filter(isExposed));
  }

  countOf(kind: number): number {
    return this.kinds.reduce((sum, k) => sum + (k === kind ? 1 : 0), 0);
  }

  place(cell: number): number[] {
    return [this.places[3 * cell]!, this.places[3 * cell + 1]!, this.places[3 * cell + 2]!];
  }

  /// One number for a place and a copy at it, as long as numbers are exact.
  private keyOf([x, y, z]: number[], copy = 0): number | string {
    const [nx, ny, nz] = this.size.map((n) => n + 2) as [number, number, number];
    if (256 * nx * ny * nz > Number.MAX_SAFE_INTEGER) return `${x} ${y} ${z} ${copy}`;
    return copy + 256 * (x! + nx * (y! + ny * z!));
  }

  private owns(cell: number, [x, y, z]: number[]): boolean {
    if (!this.isShared[cell]) return true;
    const bit = x! + kPieces * (y! + kPieces * z!);
    return ((this.pieces.get(cell)![bit >> 3]! >> (bit & 7)) & 1) === 1;
  }

  /// Points are numbered in the order that cells, and the corners of each, come to them. Corners at
  /// one place are one point unless `copies` tells them apart.
  private numberCorners(): Uint32Array {
    const { entry } = this;
    const branched = words(bytesFromBase64(entry.branched));
    const copies = bytesFromBase64(entry.copies);
    const pieces = bytesFromBase64(entry.pieces);
    const rowOf = new Map<number, number>();
    branched.forEach((cell, row) => {
      rowOf.set(cell, row);
      this.pieces.set(cell, pieces.subarray(8 * row, 8 * row + 8));
    });
    const out = new Uint32Array(8 * entry.cells);
    const met = new Map<number | string, number>();
    for (let cell = 0; cell < entry.cells; ++cell) {
      const [x, y, z] = this.place(cell) as [number, number, number];
      const row = rowOf.get(cell);
      for (let k = 0; k < 8; ++k) {
        const copy = row === undefined ? 0 : copies[8 * row + k]!;
        const key = this.keyOf([x + (k & 1), y + ((k >> 1) & 1), z + (k >> 2)], copy);
        let point = met.get(key);
        if (point === undefined) met.set(key, (point = met.size));
        out[8 * cell + k] = point;
      }
    }
    return out;
  }
}

/// Numbers of seven bits to a byte, the lowest first; the highest bit says that more follow.
function unpacked(bytes: Uint8Array, count: number): Uint32Array {
  const out = new Uint32Array(count);
  let at = 0;
  for (let i = 0; i < count; ++i) {
    const { value, end } = packedNumber(bytes, at);
    out[i] = value;
    at = end;
  }
  return out;
}

function packedNumber(bytes: Uint8Array, at: number): { value: number; end: number } {
  let value = 0;
  for (let scale = 1; ; scale *= 128) {
    const byte = bytes[at++]!;
    value += (byte & 127) * scale;
    if (!(byte & 128)) return { value, end: at };
  }
}

/// How many points to pass over, how many follow, a byte for each of these, and so on.
function runs(bytes: Uint8Array, points: number): Uint8Array {
  const out = new Uint8Array(points);
  let point = 0;
  for (let at = 0; at < bytes.length; ) {
    const gap = packedNumber(bytes, at);
    const length = packedNumber(bytes, gap.end);
    point += gap.value;
    out.set(bytes.subarray(length.end, length.end + length.value), point);
    point += length.value;
    at = length.end + length.value;
  }
  return out;
}

function words(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Uint32Array.from({ length: bytes.length >> 2 }, (_, i) => view.getUint32(4 * i, true));
}
