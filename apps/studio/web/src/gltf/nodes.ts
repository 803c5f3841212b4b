// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import { compose, fromColumns, identity, inverse, multiply } from '../affine';
import type { GltfJson, GltfNode } from './glb';

/// The local transform of a node, as stored or as a clip leaves it.
export interface Local {
  translation: number[];
  rotation: number[]; // x y z w
  scale: number[];
}

/// The nodes of a file as a tree that can be posed.
export class NodeTree {
  readonly count: number;
  readonly parent: Int32Array;
  readonly order: number[] = []; // parents before children
  private readonly stored: Float64Array[];

  constructor(readonly json: GltfJson) {
    const nodes = json.nodes ?? [];
    this.count = nodes.length;
    this.parent = new Int32Array(nodes.length).fill(-1);
    nodes.forEach((node, n) => node.children?.forEach((child) => (this.parent[child] = n)));
    const stack = nodes
      .map((_, n) => n)
      .filter((n) => this.parent[n]! < 0)
      .reverse();
    while (stack.length) {
      const n = stack.pop()!;
      this.order.push(n);
      stack.push(...(nodes[n]!.children ?? []));
    }
    this.stored = nodes.map(storedMatrix);
  }

  name(n: number): string {
    return this.json.nodes?.[n]?.name ?? `node ${n}`;
  }

  /// What a clip's channels replace parts of. A node with a `matrix` is taken apart.
  local(n: number): Local {
    const node = this.json.nodes![n]!;
    if (node.matrix) return decompose(fromColumns(node.matrix));
    return {
      translation: [...(node.translation ?? [0, 0, 0])],
      rotation: [...(node.rotation ?? [0, 0, 0, 1])],
      scale: [...(node.scale ?? [1, 1, 1])],
    };
  }

  /// World transforms, 12 numbers per node, with some locals replaced.
  world(replaced?: Map<number, Local>): Float64Array {
    const out = new Float64Array(12 * this.count);
    for (const n of this.order) {
      const over = replaced?.get(n);
      const local = over ? compose(over.translation, over.rotation, over.scale) : this.stored[n]!;
      const up = this.parent[n]!;
      if (up >= 0) multiply(out, 12 * n, out, 12 * up, local, 0);
      else out.set(local, 12 * n);
    }
    return out;
  }
}

function storedMatrix(node: GltfNode): Float64Array {
  if (node.matrix) return fromColumns(node.matrix);
  return compose(
    node.translation ?? [0, 0, 0],
    node.rotation ?? [0, 0, 0, 1],
    node.scale ?? [1, 1, 1],
  );
}

/// Takes a transform without shear apart. A mirrored one gets a negative first scale.
export function decompose(m: Float64Array): Local {
  const scale = [0, 1, 2].map((c) => Math.hypot(m[c]!, m[4 + c]!, m[8 + c]!) || 1);
  const turn = identity();
  for (let r = 0; r < 3; ++r)
    for (let c = 0; c < 3; ++c) turn[4 * r + c] = m[4 * r + c]! / scale[c]!;
  const back = inverse(turn);
  if (back && determinantSign(turn) < 0) {
    scale[0] = -scale[0]!;
    for (let r = 0; r < 3; ++r) turn[4 * r] = -turn[4 * r]!;
  }
  return { translation: [m[3]!, m[7]!, m[11]!], rotation: quaternion(turn), scale };
}

function determinantSign(m: Float64Array): number {
  const cross = m[0]! * (m[5]! * m[10]! - m[6]! * m[9]!) - m[1]! * (m[4]! * m[10]! - m[6]! * m[8]!);
  return cross + m[2]! * (m[4]! * m[9]! - m[5]! * m[8]!);
}

/// Of the linear part, which must be a rotation: the largest component is computed first, since the
/// others are divided by it.
export function quaternion(m: ArrayLike<number>): number[] {
  const [a, b, c] = [m[0]!, m[5]!, m[10]!];
  const squares = [1 + a - b - c, 1 - a + b - c, 1 - a - b + c, 1 + a + b + c];
  const k = squares.indexOf(Math.max(...squares));
  const s = 2 * Math.sqrt(Math.max(squares[k]!, 1e-300));
  const xy = m[1]! + m[4]!;
  const xz = m[2]! + m[8]!;
  const yz = m[6]! + m[9]!;
  const wx = m[9]! - m[6]!;
  const wy = m[2]! - m[8]!;
  const wz = m[4]! - m[1]!;
  const rows = [
    [(s * s) / 4, xy, xz, wx],
    [xy, (s * s) / 4, yz, wy],
    [xz, yz, (s * s) / 4, wz],
    [wx, wy, wz, (s * s) / 4],
  ];
  return rows[k]!.map((value) => value / s);
}
