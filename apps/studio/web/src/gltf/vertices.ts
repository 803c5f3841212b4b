// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import type { Glb, GltfPrimitive } from './glb';

/// The vertices that one or more primitives of a mesh share, as the file stores them.
export interface VertexSet {
  node: number;
  mesh: number;
  skin: number; // -1: a mesh that is moved as a whole
  primitives: number[];
  first: number; // vertex, in the order of the whole file
  count: number;
  positions: Float32Array;
  normals: Float32Array | null;
  uvs: Float32Array | null;
  joints: Uint32Array[]; // per set of four
  weights: Float32Array[];
  targets: { positions: Float32Array | null; normals: Float32Array | null }[];
  morphs: number[]; // stored morph weights
}

export interface Triangles {
  material: number; // -1: none
  indices: Uint32Array; // into the vertices of the whole file
}

const kTriangles = 4;
const kStrip = 5;
const kFan = 6;

/// All meshes in the order of their nodes, primitives in stored order. Primitives with the same
/// attributes share one set; a second node that shows a skinned mesh is left out, since skinned
/// instances coincide. This is the order in which C++ numbers the vertices.
export function readVertices(glb: Glb): { sets: VertexSet[]; triangles: Triangles[] } {
  const sets: VertexSet[] = [];
  const triangles: Triangles[] = [];
  const shown = new Set<number>();
  let first = 0;
  for (const [n, node] of (glb.json.nodes ?? []).entries()) {
    if (node.mesh === undefined) continue;
    const skin = node.skin ?? -1;
    if (skin >= 0 && shown.has(node.mesh)) continue;
    if (skin >= 0) shown.add(node.mesh);
    const mesh = glb.json.meshes![node.mesh]!;
    const known = new Map<string, VertexSet>();
    for (const [p, primitive] of mesh.primitives.entries()) {
      if (primitive.attributes.POSITION === undefined) continue;
      const key = JSON.stringify([primitive.attributes, primitive.targets ?? []]);
      let set = known.get(key);
      if (!set) {
        set = readSet(glb, primitive, n, node.mesh, skin, first);
        set.morphs = node.weights ?? mesh.weights ?? set.targets.map(() => 0);
        known.set(key, set);
        sets.push(set);
        first += set.count;
      }
      set.primitives.push(p);
      const indices = readTriangles(glb, primitive, set);
      if (indices.length) triangles.push({ material: primitive.material ?? -1, indices });
    }
  }
  return { sets, triangles };
}

function readSet(
  glb: Glb,
  primitive: GltfPrimitive,
  node: number,
  mesh: number,
  skin: number,
  first: number,
): VertexSet {
  const { attributes } = primitive;
  const optional = (name: string) => {
    const index = attributes[name];
    return index === undefined ? null : glb.numbers(index);
  };
  const positions = glb.numbers(attributes.POSITION!);
  const joints: Uint32Array[] = [];
  const weights: Float32Array[] = [];
  for (let s = 0; skin >= 0 && attributes[`JOINTS_${s}`] !== undefined; ++s) {
    const weight = optional(`WEIGHTS_${s}`);
    if (!weight) break;
    joints.push(glb.integers(attributes[`JOINTS_${s}`]!));
    weights.push(weight);
  }
  const targets = (primitive.targets ?? []).map((target) => ({
    positions: target.POSITION === undefined ? null : glb.numbers(target.POSITION),
    normals: target.NORMAL === undefined ? null : glb.numbers(target.NORMAL),
  }));
  return {
    node,
    mesh,
    skin,
    primitives: [],
    first,
    count: positions.length / 3,
    positions,
    normals: optional('NORMAL'),
    uvs: optional('TEXCOORD_0'),
    joints,
    weights,
    targets,
    morphs: [],
  };
}

function readTriangles(glb: Glb, primitive: GltfPrimitive, set: VertexSet): Uint32Array {
  const mode = primitive.mode ?? kTriangles;
  const corners =
    primitive.indices === undefined
      ? Uint32Array.from({ length: set.count }, (_, i) => i)
      : glb.integers(primitive.indices);
  if (mode === kTriangles) return corners.map((i) => i + set.first);
  if (mode !== kStrip && mode !== kFan) return new Uint32Array(0); // points and lines have no skin
  const out: number[] = [];
  for (let i = 2; i < corners.length; ++i) {
    const [a, b] = mode === kFan ? [0, i - 1] : i % 2 ? [i - 1, i - 2] : [i - 2, i - 1];
    out.push(corners[a]! + set.first, corners[b]! + set.first, corners[i]! + set.first);
  }
  return Uint32Array.from(out);
}
