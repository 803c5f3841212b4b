// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import { multiply } from './affine';
import type { Character } from './character';

/// Linear blend skinning on the processor. The graphics card would be faster, but then the picture,
/// the distortion, picking and the tests would each need positions of their own; three's shader
/// also stops at four influences. 43k vertices take a few milliseconds.

/// Maps per slot from stored vertices to the scene, for bone transforms M (12 each). `nodeWorld`,
/// where a clip gives one, places what hangs on no bone.
export function slotTransforms(
  character: Character,
  bones: Float64Array,
  nodeWorld: Float64Array | null,
): Float64Array {
  const { bone, node, offset } = character.slots;
  const out = new Float64Array(12 * bone.length);
  const fixed = identityOffset(character, nodeWorld);
  for (let s = 0; s < bone.length; ++s)
    if (bone[s]! >= 0) multiply(out, 12 * s, bones, 12 * bone[s]!, offset, 12 * s);
    else out.set(fixed(s, node[s]!), 12 * s);
  return out;
}

function identityOffset(character: Character, nodeWorld: Float64Array | null) {
  const { offset } = character.slots;
  const rigid = new Set(character.sets.filter((set) => set.skin < 0).map((set) => set.node));
  return (s: number, node: number) =>
    nodeWorld && rigid.has(node)
      ? nodeWorld.subarray(12 * node, 12 * node + 12)
      : offset.subarray(12 * s, 12 * s + 12);
}

/// Fills posed positions and unit normals of all vertices, in the scene.
// prettier-ignore
export function skin(
  character: Character,
  slots: Float64Array,
  positions: Float32Array,
  normals: Float32Array,
) {
  const { begin, slot, weight } = character.influences;
  const { stored, storedNormals, vertexCount } = character;
  for (let v = 0; v < vertexCount; ++v) {
    const from = begin[v]!;
    const to = begin[v + 1]!;
    let s = 12 * slot[from]!;
    let w = weight[from]!;
    let a = w * slots[s]!, b = w * slots[s + 1]!, c = w * slots[s + 2]!, d = w * slots[s + 3]!;
    let e = w * slots[s + 4]!, f = w * slots[s + 5]!, g = w * slots[s + 6]!, h = w * slots[s + 7]!;
    let i = w * slots[s + 8]!, j = w * slots[s + 9]!, k = w * slots[s + 10]!, l = w * slots[s + 11]!;
    for (let at = from + 1; at < to; ++at) {
      s = 12 * slot[at]!;
      w = weight[at]!;
      a += w * slots[s]!; b += w * slots[s + 1]!; c += w * slots[s + 2]!; d += w * slots[s + 3]!;
      e += w * slots[s + 4]!; f += w * slots[s + 5]!; g += w * slots[s + 6]!; h += w * slots[s + 7]!;
      i += w * slots[s + 8]!; j += w * slots[s + 9]!; k += w * slots[s + 10]!; l += w * slots[s + 11]!;
    }
    const o = 3 * v;
    const x = stored[o]!, y = stored[o + 1]!, z = stored[o + 2]!;
    positions[o] = a * x + b * y + c * z + d;
    positions[o + 1] = e * x + f * y + g * z + h;
    positions[o + 2] = i * x + j * y + k * z + l;
    const nx = storedNormals[o]!, ny = storedNormals[o + 1]!, nz = storedNormals[o + 2]!;
    const px = a * nx + b * ny + c * nz;
    const py = e * nx + f * ny + g * nz;
    const pz = i * nx + j * ny + k * nz;
    const scale = 1 / (Math.sqrt(px * px + py * py + pz * pz) || 1);
    normals[o] = px * scale;
    normals[o + 1] = py * scale;
    normals[o + 2] = pz * scale;
  }
}
