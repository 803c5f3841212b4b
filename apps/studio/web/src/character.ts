// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import { apply, fromColumns, identity, inverse, product } from './affine';
import { Clip, readClips } from './gltf/clips';
import { Glb } from './gltf/glb';
import { NodeTree } from './gltf/nodes';
import { readVertices, type Triangles, type VertexSet } from './gltf/vertices';
import type { FileEntry } from './payload';
import { weld, type Weld } from './weld';

/// What moves vertices: one per joint of every skin, and one per mesh that is moved as a whole.
/// The map that a slot applies to a *stored* vertex is M(bone) * offset, where offset is
/// rest(bone) * inverseBind(joint). In a sound file all offsets of a skin are one map, from where
/// the mesh is stored to model space; taking each by itself is what glTF says for the others.
export interface Slots {
  bone: Int32Array; // -1: on no bone; stays where its node stands
  node: Int32Array;
  offset: Float64Array; // 12 each
}

/// Who moves each vertex: rows of (slot, weight), as `sinew pose` mends them. Rows sum to one.
export interface Influences {
  begin: Uint32Array; // vertices + 1
  slot: Uint32Array;
  weight: Float32Array;
  count: Uint8Array; // stored influences above zero; 0 marks a vertex that has none
}

/// A file as the page works with it: one flat list of vertices in stored order.
export class Character {
  readonly glb: Glb;
  readonly tree: NodeTree;
  readonly clips: Clip[];
  readonly sets: VertexSet[];
  readonly triangles: Triangles[];
  readonly vertexCount: number;
  readonly slots: Slots;
  readonly influences: Influences;
  readonly stored: Float32Array; // positions as the file has them, morphed as it says
  readonly storedNormals: Float32Array;
  readonly rest: Float32Array; // model space
  readonly indices: Uint32Array;
  readonly weld: Weld;
  readonly restWorld: Float64Array; // of the nodes, as stored
  readonly boneOfNode: Map<number, number>;
  readonly standsFor: Int32Array; // per bone: the one whose weights a reader sees in its place
  readonly centre: [number, number, number];
  readonly diagonal: number;

  constructor(
    readonly entry: FileEntry,
    bytes: Uint8Array,
  ) {
    this.glb = new Glb(bytes);
    this.tree = new NodeTree(this.glb.json);
    this.clips = readClips(this.glb);
    this.restWorld = this.tree.world();
    this.boneOfNode = new Map(entry.bones.map((bone, b) => [bone.node, b]));
    this.standsFor = Int32Array.from(entry.bones, (bone, b) => bone.shown_for ?? b);
    const { sets, triangles } = readVertices(this.glb);
    this.sets = sets;
    this.triangles = triangles;
    this.vertexCount = sets.reduce((sum, set) => sum + set.count, 0);
    const made = this.makeSlots();
    this.slots = made.slots;
    this.influences = this.makeInfluences(made.first);
    this.stored = new Float32Array(3 * this.vertexCount);
    this.storedNormals = new Float32Array(3 * this.vertexCount);
    this.morph(new Map());
    this.indices = joined(triangles);
    this.rest = this.restPositions(made.first);
    this.weld = weld(this.rest);
    const box = bounds(this.rest);
    this.centre = box.centre;
    this.diagonal = entry.diagonal || box.diagonal || 1;
    this.fillMissingNormals();
  }

  get boneCount(): number {
    return this.entry.bones.length;
  }

  boneNamed(name: string): number {
    return this.entry.bones.findIndex((bone) => bone.name === name);
  }

  clipNamed(name: string): Clip | undefined {
    return this.clips.find((clip) => clip.name === name);
  }

  /// The bone that a slot's weights are of, for a reader; -1 is none.
  boneOfSlot(slot: number): number {
    const bone = this.slots.bone[slot]!;
    return bone >= 0 ? this.standsFor[bone]! : -1;
  }

  /// The bones whose weights a reader sees as those of this one.
  standingFor(bone: number): number[] {
    return [...this.standsFor.keys()].filter((b) => this.standsFor[b] === bone);
  }

  /// Weight of a bone on every vertex.
  weightsOf(bone: number): Float32Array {
    const out = new Float32Array(this.vertexCount);
    const { begin, slot, weight } = this.influences;
    for (let v = 0; v < this.vertexCount; ++v)
      for (let i = begin[v]!; i < begin[v + 1]!; ++i)
        if (this.boneOfSlot(slot[i]!) === bone) out[v]! += weight[i]!;
    return out;
  }

  /// The strongest bone of a vertex; -1 where it is on none.
  dominantBone(vertex: number): number {
    const { begin, slot, weight } = this.influences;
    let best = -1;
    let most = 0;
    const sums = new Map<number, number>();
    for (let i = begin[vertex]!; i < begin[vertex + 1]!; ++i) {
      const bone = this.boneOfSlot(slot[i]!);
      const sum = (sums.get(bone) ?? 0) + weight[i]!;
      sums.set(bone, sum);
      if (sum > most) [most, best] = [sum, bone];
    }
    return best;
  }

  /// The vertex that is nearest to a place of the mesh at rest.
  nearestAtRest(at: readonly number[]): number {
    let best = 0;
    let least = Infinity;
    for (let v = 0; v < this.vertexCount; ++v) {
      const d =
        (this.rest[3 * v]! - at[0]!) ** 2 +
        (this.rest[3 * v + 1]! - at[1]!) ** 2 +
        (this.rest[3 * v + 2]! - at[2]!) ** 2;
      if (d < least) [least, best] = [d, v];
    }
    return best;
  }

  /// Mixes morph targets into the stored vertices. Nodes without an entry keep their own weights.
  morph(weights: Map<number, number[]>) {
    for (const set of this.sets) {
      const mine = weights.get(set.node) ?? set.morphs;
      this.stored.set(set.positions, 3 * set.first);
      if (set.normals) this.storedNormals.set(set.normals, 3 * set.first);
      set.targets.forEach((target, t) => {
        const w = mine[t] ?? 0;
        if (w === 0) return;
        add(this.stored, 3 * set.first, target.positions, w);
        if (set.normals) add(this.storedNormals, 3 * set.first, target.normals, w);
      });
    }
  }

  get hasMorphs(): boolean {
    return this.sets.some((set) => set.targets.length > 0);
  }

  private makeSlots(): { slots: Slots; first: number[] } {
    const bone: number[] = [];
    const node: number[] = [];
    const offset: number[] = [];
    const firstOfSkin = new Map<number, number>();
    const first: number[] = [];
    for (const set of this.sets) {
      if (set.skin >= 0 && !firstOfSkin.has(set.skin)) {
        firstOfSkin.set(set.skin, bone.length);
        const skin = this.glb.json.skins![set.skin]!;
        const matrices =
          skin.inverseBindMatrices === undefined
            ? null
            : this.glb.numbers(skin.inverseBindMatrices);
        skin.joints.forEach((joint, j) => {
          const b = this.boneOfNode.get(joint) ?? -1;
          const bind = matrices ? fromColumns(matrices, 16 * j) : identity();
          const rest =
            b >= 0 ? this.entry.bones[b]!.rest : this.restWorld.slice(12 * joint, 12 * joint + 12);
          bone.push(b);
          node.push(joint);
          offset.push(...product(rest, bind));
        });
      }
      first.push(set.skin >= 0 ? firstOfSkin.get(set.skin)! : bone.length);
      if (set.skin < 0) this.addRigidSlot(set.node, bone, node, offset);
    }
    return {
      slots: {
        bone: Int32Array.from(bone),
        node: Int32Array.from(node),
        offset: Float64Array.from(offset),
      },
      first,
    };
  }

  /// A mesh below a joint goes with that bone: rest(bone) * world(joint)^-1 * world(node), as
  /// stored.
  private addRigidSlot(n: number, bone: number[], node: number[], offset: number[]) {
    const world = this.restWorld.slice(12 * n, 12 * n + 12);
    let up = n;
    while (up >= 0 && !this.boneOfNode.has(up)) up = this.tree.parent[up]!;
    const b = up >= 0 ? this.boneOfNode.get(up)! : -1;
    const back = up >= 0 ? inverse(this.restWorld, 12 * up) : null;
    bone.push(back ? b : -1);
    node.push(n);
    offset.push(...(back ? product(this.entry.bones[b]!.rest, product(back, world)) : world));
  }

  private makeInfluences(first: number[]): Influences {
    const begin = new Uint32Array(this.vertexCount + 1);
    const count = new Uint8Array(this.vertexCount);
    const slot: number[] = [];
    const weight: number[] = [];
    this.sets.forEach((set, s) => {
      const joints = set.skin >= 0 ? this.glb.json.skins![set.skin]!.joints.length : 1;
      for (let v = 0; v < set.count; ++v) {
        const start = slot.length;
        let sum = 0;
        for (let k = 0; k < set.joints.length; ++k)
          for (let c = 4 * v; c < 4 * v + 4; ++c) {
            const w = set.weights[k]![c]!;
            const joint = set.joints[k]![c]!;
            if (!(w > 0) || !Number.isFinite(w) || joint >= joints) continue;
            slot.push(first[s]! + joint);
            weight.push(w);
            sum += w;
          }
        count[set.first + v] = this.bonesAmong(slot.slice(start));
        if (slot.length === start) {
          slot.push(first[s]!);
          weight.push(1);
        } else {
          for (let i = start; i < weight.length; ++i) weight[i]! /= sum;
        }
        begin[set.first + v + 1] = slot.length;
      }
    });
    return { begin, slot: Uint32Array.from(slot), weight: Float32Array.from(weight), count };
  }

  /// How many bones a reader would say that these are. Slots of one bone in two skins never meet.
  private bonesAmong(slots: number[]): number {
    if (slots.every((s) => this.standsFor[this.slots.bone[s]!] === this.slots.bone[s]))
      return slots.length;
    return new Set(slots.map((s) => this.boneOfSlot(s))).size;
  }

  /// In model space. One map per set, so that copies that are stored alike stay alike to the bit.
  private restPositions(first: number[]): Float32Array {
    const out = new Float32Array(3 * this.vertexCount);
    this.sets.forEach((set, s) => {
      const joints = set.skin >= 0 ? this.glb.json.skins![set.skin]!.joints.length : 1;
      let at = first[s]!;
      for (let j = 0; j < joints; ++j)
        if (this.slots.bone[first[s]! + j]! >= 0) {
          at = first[s]! + j;
          break;
        }
      for (let v = set.first; v < set.first + set.count; ++v)
        out.set(apply(this.slots.offset, 12 * at, this.stored, 3 * v), 3 * v);
    });
    return out;
  }

  private fillMissingNormals() {
    if (this.sets.every((set) => set.normals)) return;
    const computed = faceNormals(this.stored, this.indices, this.weld);
    for (const set of this.sets)
      if (!set.normals)
        this.storedNormals.set(
          computed.subarray(3 * set.first, 3 * (set.first + set.count)),
          3 * set.first,
        );
  }
}

/// Normals per vertex from the faces of welded places, weighted by area.
export function faceNormals(
  positions: Float32Array,
  indices: Uint32Array,
  places: Weld,
): Float32Array {
  const sums = new Float32Array(3 * places.count);
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [3 * indices[t]!, 3 * indices[t + 1]!, 3 * indices[t + 2]!];
    const ux = positions[b]! - positions[a]!;
    const uy = positions[b + 1]! - positions[a + 1]!;
    const uz = positions[b + 2]! - positions[a + 2]!;
    const vx = positions[c]! - positions[a]!;
    const vy = positions[c + 1]! - positions[a + 1]!;
    const vz = positions[c + 2]! - positions[a + 2]!;
    const n = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    for (let k = 0; k < 3; ++k) {
      const p = 3 * places.place[indices[t + k]!]!;
      for (let d = 0; d < 3; ++d) sums[p + d]! += n[d]!;
    }
  }
  const out = new Float32Array(positions.length);
  for (let v = 0; v < places.place.length; ++v) {
    const p = 3 * places.place[v]!;
    const length = Math.hypot(sums[p]!, sums[p + 1]!, sums[p + 2]!) || 1;
    for (let d = 0; d < 3; ++d) out[3 * v + d] = sums[p + d]! / length;
  }
  return out;
}

export function bounds(positions: Float32Array) {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; ++i) {
    const value = positions[i]!;
    if (value < low[i % 3]!) low[i % 3] = value;
    if (value > high[i % 3]!) high[i % 3] = value;
  }
  const size = low.map((l, d) => Math.max(high[d]! - l, 0));
  const centre = low.map((l, d) => (l + high[d]!) / 2) as [number, number, number];
  return { low, high, size, centre, diagonal: Math.hypot(...size) };
}

function joined(triangles: Triangles[]): Uint32Array {
  const out = new Uint32Array(triangles.reduce((sum, t) => sum + t.indices.length, 0));
  let at = 0;
  for (const { indices } of triangles) {
    out.set(indices, at);
    at += indices.length;
  }
  return out;
}

function add(out: Float32Array, at: number, values: Float32Array | null, w: number) {
  if (values) for (let i = 0; i < values.length; ++i) out[at + i]! += w * values[i]!;
}
