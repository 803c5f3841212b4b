// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import * as THREE from 'three';
import './colour_space';
import type { Character } from '../character';
import { Poser, type FilePose } from '../pose';

const kPlain = new THREE.Color(0x8fa3bd);
const kControl = new THREE.Color(0x6d6f78);
const kChosen = new THREE.Color(0xffb02e);
const kHovered = new THREE.Color(0xffffff);

/// Bones as slim octahedra with a ball at each joint, drawn over the mesh.
export class SkeletonView {
  readonly group = new THREE.Group();
  readonly heads: THREE.Vector3[] = [];
  readonly tails: THREE.Vector3[] = [];
  private readonly bones: THREE.InstancedMesh;
  private readonly joints: THREE.InstancedMesh;
  private chosen = -1;
  private hovered = -1;

  constructor(private readonly character: Character) {
    const count = Math.max(character.boneCount, 1);
    const look = {
      vertexColors: true,
      side: THREE.DoubleSide,
      transparent: true,
      opacity: 0.72,
      toneMapped: false,
    };
    this.bones = new THREE.InstancedMesh(boneShape(), new THREE.MeshBasicMaterial(look), count);
    const ball = new THREE.MeshBasicMaterial({
      transparent: true,
      opacity: 0.9,
      toneMapped: false,
    });
    this.joints = new THREE.InstancedMesh(new THREE.IcosahedronGeometry(1, 1), ball, count);
    for (const mesh of [this.bones, this.joints]) {
      mesh.frustumCulled = false;
      mesh.count = character.boneCount;
      this.group.add(mesh);
    }
    for (let b = 0; b < character.boneCount; ++b) {
      this.heads.push(new THREE.Vector3());
      this.tails.push(new THREE.Vector3());
    }
    this.colour();
  }

  update(pose: FilePose) {
    const matrix = new THREE.Matrix4();
    const turn = new THREE.Quaternion();
    const along = new THREE.Vector3();
    const scale = new THREE.Vector3();
    const up = new THREE.Vector3(0, 1, 0);
    const ball = 0.0036 * this.character.diagonal;
    for (let b = 0; b < this.character.boneCount; ++b) {
      const { head, tail } = Poser.ends(this.character, pose, b);
      this.heads[b]!.set(...head);
      this.tails[b]!.set(...tail);
      along.subVectors(this.tails[b]!, this.heads[b]!);
      const length = along.length();
      if (length > 0) turn.setFromUnitVectors(up, along.divideScalar(length));
      const width = Math.min(0.075 * length, 0.0095 * this.character.diagonal);
      this.bones.setMatrixAt(
        b,
        matrix.compose(this.heads[b]!, turn, scale.set(width, length || 1e-9, width)),
      );
      const size = Math.min(ball, length > 0 ? 0.12 * length : ball);
      this.joints.setMatrixAt(
        b,
        matrix.compose(this.heads[b]!, turn.identity(), scale.setScalar(size)),
      );
    }
    this.bones.instanceMatrix.needsUpdate = true;
    this.joints.instanceMatrix.needsUpdate = true;
  }

  choose(bone: number) {
    this.chosen = bone;
    this.colour();
  }

  /// Whether the picture changed.
  hover(bone: number): boolean {
    if (bone === this.hovered) return false;
    this.hovered = bone;
    this.colour();
    return true;
  }

  private colour() {
    this.character.entry.bones.forEach((bone, b) => {
      const colour =
        b === this.chosen
          ? kChosen
          : b === this.hovered
            ? kHovered
            : bone.deforms
              ? kPlain
              : kControl;
      this.bones.setColorAt(b, colour);
      this.joints.setColorAt(b, colour);
    });
    for (const mesh of [this.bones, this.joints])
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
  }
}

/// A unit octahedron from the origin to +Y, faces shaded by hand so that it needs no light.
function boneShape(): THREE.BufferGeometry {
  const waist = 0.14;
  const ring = [
    [1, waist, 0],
    [0, waist, 1],
    [-1, waist, 0],
    [0, waist, -1],
  ];
  const shades = [1, 0.82, 0.6, 0.78];
  const positions: number[] = [];
  const colours: number[] = [];
  ring.forEach((a, k) => {
    const b = ring[(k + 1) % 4]!;
    for (const [tip, darker] of [
      [[0, 1, 0], 1],
      [[0, 0, 0], 0.72],
    ] as [number[], number][]) {
      positions.push(...a, ...tip, ...b);
      for (let i = 0; i < 3; ++i) colours.push(...Array<number>(3).fill(shades[k]! * darker));
    }
  });
  const shape = new THREE.BufferGeometry();
  shape.setAttribute('position', new THREE.Float32BufferAttribute(positions, 3));
  shape.setAttribute('color', new THREE.Float32BufferAttribute(colours, 3));
  return shape;
}
