// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import * as THREE from 'three';
import { bounds } from '../character';
import type { Figure } from './figure';
import type { Stage } from './stage';

/// From the front and a little from the side and above: glTF's characters look along +Z.
export const kFront = new THREE.Vector3(0.42, 0.16, 1).normalize();

const kMaxPitch = 0.75; // of a unit vector: views from below or straight above confuse

export function frameAll(
  stage: Stage,
  figures: Figure[],
  files: number[],
  direction?: THREE.Vector3,
) {
  const box = new THREE.Box3();
  for (const file of files) {
    const figure = figures[file]!;
    figure.root.updateMatrixWorld(true);
    const { low, high } = bounds(figure.positions);
    const mine = new THREE.Box3(
      new THREE.Vector3(...(low as [number, number, number])),
      new THREE.Vector3(...(high as [number, number, number])),
    );
    box.union(mine.applyMatrix4(figure.root.matrixWorld));
  }
  if (box.isEmpty()) return;
  // The ball around the box leaves much air around standing figures; its corners are rarely filled.
  const size = box.getSize(new THREE.Vector3());
  const radius = Math.max(0.43 * size.length(), 0.56 * Math.max(size.x, size.y, size.z));
  stage.frame(box.getCenter(new THREE.Vector3()), radius, direction);
}

/// Frames where a place of the mesh at rest now stands, seen from outside.
export function framePlace(stage: Stage, figure: Figure, at: readonly number[], radiusRel = 0.16) {
  const vertex = figure.character.nearestAtRest(at);
  figure.root.updateMatrixWorld(true);
  const place = new THREE.Vector3()
    .fromArray(figure.positions, 3 * vertex)
    .applyMatrix4(figure.root.matrixWorld);
  const radius = radiusRel * figure.character.diagonal * figure.root.scale.x;
  stage.frame(place, radius, clearView(figure, place, outward(figure, vertex, radius), radius));
}

export function frameBone(stage: Stage, figure: Figure, bone: number, direction?: THREE.Vector3) {
  const { place, radius } = boneBall(figure, bone);
  stage.frame(place, radius, direction);
}

/// A ball around a bone with some of what moves with it.
export function boneBall(figure: Figure, bone: number) {
  figure.over.updateMatrixWorld(true);
  const head = figure.skeleton.heads[bone]!.clone().applyMatrix4(figure.over.matrixWorld);
  const tail = figure.skeleton.tails[bone]!.clone().applyMatrix4(figure.over.matrixWorld);
  const least = 0.06 * figure.character.diagonal * figure.over.scale.x;
  return {
    place: head.clone().lerp(tail, 0.5),
    head,
    radius: Math.max(1.1 * head.distanceTo(tail), least),
  };
}

/// The direction nearest to the wanted one from which nothing stands before the place: an arm must
/// not hide the armpit. Where all are blocked, the wanted one.
function clearView(
  figure: Figure,
  place: THREE.Vector3,
  wanted: THREE.Vector3,
  radius: number,
): THREE.Vector3 {
  const ray = new THREE.Raycaster();
  ray.near = kClearRel * radius;
  for (const yaw of kYawDegrees)
    for (const lift of [0, 0.35]) {
      const direction = wanted
        .clone()
        .applyAxisAngle(new THREE.Vector3(0, 1, 0), (yaw * Math.PI) / 180);
      direction.y += lift;
      ray.set(place, direction.normalize());
      if (!figure.isHit(ray)) return direction;
    }
  return wanted;
}

const kClearRel = 0.12; // of the framed ball: the surface around the place does not hide it
const kYawDegrees = [0, 25, -25, 50, -50, 80, -80, 110, -110, 150, -150];

/// The mean normal around a vertex, leaned towards the front and kept off the poles.
function outward(figure: Figure, vertex: number, radius: number): THREE.Vector3 {
  const reach = (0.4 * radius) / figure.root.scale.x;
  const { positions, normals } = figure;
  const at = new THREE.Vector3().fromArray(positions, 3 * vertex);
  const sum = new THREE.Vector3();
  const p = new THREE.Vector3();
  const n = new THREE.Vector3();
  for (let v = 0; v < figure.character.vertexCount; ++v)
    if (p.fromArray(positions, 3 * v).distanceToSquared(at) < reach * reach)
      sum.add(n.fromArray(normals, 3 * v));
  if (sum.lengthSq() > 0) sum.normalize();
  sum.addScaledVector(kFront, 0.5);
  if (sum.lengthSq() < 0.01) sum.copy(kFront);
  sum.normalize();
  sum.y = Math.min(Math.max(sum.y, -0.35), kMaxPitch);
  return sum.normalize();
}
