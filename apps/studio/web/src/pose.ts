// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import { apply, identity, inverse, multiply, product, turnAbout } from './affine';
import type { Character } from './character';
import { floatsFromBase64, type Payload } from './payload';

/// What all files are posed by before anyone turns a joint by hand.
export type BasePose =
  | { kind: 'rest' }
  | { kind: 'pose'; index: number }
  | { kind: 'clip'; name: string; time: number };

/// The pose of one file. `bones` is M_j, 12 each, from the bind pose to the pose, in the scene.
export interface FilePose {
  bones: Float64Array;
  nodeWorld: Float64Array | null; // of a clip: places meshes that hang on no bone
  positions: Float32Array | null; // computed elsewhere, per skinned vertex; replaces the skinning
  morphs: Map<number, number[]>;
}

export type Quaternion = [number, number, number, number];

/// Gives every file the same pose. Bones of different files are matched by name.
export class Poser {
  /// Turns by hand, per bone name, about the bone's head in the axes of model space at rest. They
  /// come before the base pose of the bone and go on to its children, so that they stay while a
  /// clip plays.
  readonly edits = new Map<string, Quaternion>();
  private readonly restInverse: Float64Array[][];
  private readonly order: number[][]; // per file: parents before children
  private readonly decoded = new Map<string, Float32Array>();

  constructor(
    private readonly payload: Payload,
    private readonly characters: Character[],
  ) {
    this.restInverse = characters.map((c) =>
      c.entry.bones.map((bone) => inverse(bone.rest) ?? identity()),
    );
    this.order = characters.map((c) => hierarchyOrder(c.entry.bones.map((bone) => bone.parent)));
  }

  evaluate(file: number, base: BasePose): FilePose {
    const pose = this.base(file, base);
    if (this.edits.size) pose.bones = this.edited(file, pose.bones);
    return pose;
  }

  /// Where a bone's head and tail are in a pose.
  static ends(character: Character, pose: FilePose, bone: number) {
    const entry = character.entry.bones[bone]!;
    return {
      head: apply(pose.bones, 12 * bone, entry.head),
      tail: apply(pose.bones, 12 * bone, entry.tail),
    };
  }

  private base(file: number, base: BasePose): FilePose {
    const still: FilePose = {
      bones: identities(this.characters[file]!.boneCount),
      nodeWorld: null,
      positions: null,
      morphs: new Map(),
    };
    if (base.kind === 'clip') return this.clip(file, base.name, base.time) ?? still;
    if (base.kind === 'rest') return still;
    const given = this.payload.poses[base.index]?.per_file[file];
    if (!given) return still;
    if (given.clip) return this.clip(file, given.clip.name, given.clip.time) ?? still;
    const key = `${base.index}/${file}`;
    if (given.transforms)
      still.bones.set(this.decode(`${key}/m`, given.transforms).subarray(0, still.bones.length));
    if (given.positions) still.positions = this.decode(`${key}/p`, given.positions);
    return still;
  }

  /// A file without the clip borrows the motion of the first that has it, by the names of bones.
  private clip(file: number, name: string, time: number): FilePose | null {
    const own = this.characters[file]!;
    if (own.clipNamed(name)) return this.sampled(file, name, time);
    const other = this.characters.findIndex((c) => c.clipNamed(name));
    if (other < 0) return null;
    const lent = this.sampled(other, name, time).bones;
    const bones = identities(own.boneCount);
    own.entry.bones.forEach((bone, b) => {
      const from = this.characters[other]!.boneNamed(bone.name);
      if (from >= 0) bones.set(lent.subarray(12 * from, 12 * from + 12), 12 * b);
    });
    return { bones, nodeWorld: null, positions: null, morphs: new Map() };
  }

  private sampled(file: number, name: string, time: number): FilePose {
    const character = this.characters[file]!;
    const sample = character.clipNamed(name)!.sample(character.tree, time);
    const nodeWorld = character.tree.world(sample.locals);
    const bones = identities(character.boneCount);
    character.entry.bones.forEach((bone, b) =>
      multiply(bones, 12 * b, nodeWorld, 12 * bone.node, this.restInverse[file]![b]!, 0),
    );
    return { bones, nodeWorld, positions: null, morphs: sample.morphs };
  }

  /// M'_j = M'_p (M_p^-1 M_j) T_j, with T_j the turn by hand about the head.
  private edited(file: number, base: Float64Array): Float64Array {
    const { bones } = this.characters[file]!.entry;
    const out = base.slice();
    const changed = new Uint8Array(bones.length);
    for (const j of this.order[file]!) {
      const bone = bones[j]!;
      const turn = this.edits.get(bone.name);
      const p = bone.parent;
      const follows = p >= 0 && changed[p] === 1;
      if (!turn && !follows) continue;
      changed[j] = 1;
      let mine: Float64Array = base.slice(12 * j, 12 * j + 12);
      const back = follows ? inverse(base, 12 * p) : null;
      if (back) mine = product(out.subarray(12 * p, 12 * p + 12), product(back, mine));
      if (turn) mine = product(mine, turnAbout(bone.head, turn));
      out.set(mine, 12 * j);
    }
    return out;
  }

  private decode(key: string, text: string): Float32Array {
    let found = this.decoded.get(key);
    if (!found) this.decoded.set(key, (found = floatsFromBase64(text)));
    return found;
  }
}

export function identities(count: number): Float64Array {
  const out = new Float64Array(12 * count);
  for (let b = 0; b < count; ++b) out[12 * b] = out[12 * b + 5] = out[12 * b + 10] = 1;
  return out;
}

/// Bones so that parents come first; a cycle in a broken file is cut.
export function hierarchyOrder(parents: number[]): number[] {
  const order: number[] = [];
  const seen = new Uint8Array(parents.length);
  const visit = (j: number) => {
    const chain: number[] = [];
    for (let b = j; b >= 0 && !seen[b]; b = parents[b]!) {
      seen[b] = 1;
      chain.push(b);
    }
    order.push(...chain.reverse());
  };
  parents.forEach((_, j) => visit(j));
  return order;
}

export function quaternionProduct(a: Quaternion, b: Quaternion): Quaternion {
  const [ax, ay, az, aw] = a;
  const [bx, by, bz, bw] = b;
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}
