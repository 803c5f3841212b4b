// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import type { Character } from './character';
import type { Distortion } from './distortion';
import {
  boneColour,
  influenceColour,
  kOverLimit,
  kUnweighted,
  rampTable,
  type RampName,
} from './ramps';
import type { Mode } from './state';

export interface ColourOptions {
  mode: Mode;
  ramp: RampName;
  bone: number; // of this file; -1 is none
  distortionMax: number;
}

/// Neutral, for what the ramp has nothing to say about: a weight of exactly zero must not look like
/// a small one.
export const kNothing = [148, 152, 160];

/// Writes one sRGB colour per vertex.
export function colourVertices(
  out: Uint8Array,
  character: Character,
  distortion: Distortion | null,
  options: ColourOptions,
) {
  switch (options.mode) {
    case 'weights':
      return colourWeights(out, character, options);
    case 'bones':
      return colourBones(out, character, options.bone);
    case 'influences':
      return colourInfluences(out, character);
    case 'distortion':
      if (distortion) colourDistortion(out, character, distortion, options);
      return;
    case 'shaded':
      return;
  }
}

function colourWeights(out: Uint8Array, character: Character, { bone, ramp }: ColourOptions) {
  const table = rampTable(ramp);
  const weights = bone >= 0 ? character.weightsOf(bone) : null;
  for (let v = 0; v < character.vertexCount; ++v) {
    const w = weights ? weights[v]! : 0;
    const c = 3 * Math.min(255, Math.round(255 * w));
    // Blender paints zero blue; riggers who choose its ramp expect that.
    const plain = w === 0 && (ramp !== 'blender' || !weights);
    for (let d = 0; d < 3; ++d) out[3 * v + d] = plain ? kNothing[d]! : table[c + d]!;
  }
}

function colourBones(out: Uint8Array, character: Character, chosen: number) {
  const { begin, slot, weight } = character.influences;
  const colours = character.entry.bones.map((_, b) => boneColour(b).map((c) => c * 255));
  for (let v = 0; v < character.vertexCount; ++v) {
    const sum = [0, 0, 0];
    for (let i = begin[v]!; i < begin[v + 1]!; ++i) {
      const bone = character.boneOfSlot(slot[i]!);
      const colour = colours[bone] ?? kNothing;
      const dim = chosen >= 0 && bone !== chosen ? 0.55 : 1;
      for (let d = 0; d < 3; ++d)
        sum[d]! += weight[i]! * (dim * colour[d]! + (1 - dim) * kNothing[d]!);
    }
    for (let d = 0; d < 3; ++d) out[3 * v + d] = sum[d]!;
  }
}

function colourInfluences(out: Uint8Array, character: Character) {
  const { count } = character.influences;
  const limit = character.entry.max_influences_allowed;
  const rigid = rigidVertices(character);
  for (let v = 0; v < character.vertexCount; ++v) {
    const n = count[v]!;
    const colour = rigid[v]
      ? influenceColour(1)
      : n === 0
        ? kUnweighted
        : n > limit
          ? kOverLimit
          : influenceColour(n);
    for (let d = 0; d < 3; ++d) out[3 * v + d] = 255 * colour[d]!;
  }
}

function colourDistortion(
  out: Uint8Array,
  character: Character,
  distortion: Distortion,
  { ramp, distortionMax }: ColourOptions,
) {
  const table = rampTable(ramp);
  for (let v = 0; v < character.vertexCount; ++v) {
    const c = 3 * distortionStep(distortion.ofVertex(v), distortionMax);
    for (let d = 0; d < 3; ++d) out[3 * v + d] = table[c + d]!;
  }
}

/// The root is taken because distortion is a squared length: its root is a relative stretch, which
/// is what an eye sees.
function distortionStep(value: number, max: number): number {
  return Math.min(255, Math.round(255 * Math.sqrt(Math.max(value, 0) / max)));
}

/// Vertices to mark one by one: beyond the limit, or without any weight.
export function markedVertices(character: Character): Uint32Array {
  const limit = character.entry.max_influences_allowed;
  const rigid = rigidVertices(character);
  const marked: number[] = [];
  character.influences.count.forEach((n, v) => {
    if (!rigid[v] && (n === 0 || n > limit)) marked.push(v);
  });
  return Uint32Array.from(marked);
}

function rigidVertices(character: Character): Uint8Array {
  const out = new Uint8Array(character.vertexCount);
  for (const set of character.sets) if (set.skin < 0) out.fill(1, set.first, set.first + set.count);
  return out;
}
