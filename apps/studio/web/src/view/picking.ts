// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import * as THREE from 'three';
import type { Figure } from './figure';
import type { Stage } from './stage';

export interface Picked {
  file: number;
  bone: number; // -1: none
  vertex: number; // -1: none
}

const kBoneReachPx = 9; // half a fingertip; bones are thin

/// What is under the pointer: a drawn bone that is near, else the strongest bone of the surface.
export function pick(
  stage: Stage,
  figures: Figure[],
  clientX: number,
  clientY: number,
  bonesShown: boolean,
): Picked | null {
  const at = stage.paneAt(clientX, clientY);
  if (!at) return null;
  const { file, rect } = at.pane;
  const figure = figures[file]!;
  const camera = stage.aim(at.pane);
  const bone = bonesShown ? boneNear(figure, camera, at.x, at.y, rect.width, rect.height) : -1;
  if (bone >= 0) return { file, bone, vertex: -1 };
  const ray = new THREE.Raycaster();
  ray.setFromCamera(
    new THREE.Vector2((2 * at.x) / rect.width - 1, 1 - (2 * at.y) / rect.height),
    camera,
  );
  const hit = figure.hit(ray);
  if (!hit) return { file, bone: -1, vertex: -1 };
  return { file, bone: figure.character.dominantBone(hit.vertex), vertex: hit.vertex };
}

/// The drawn bone nearest to a place of the picture; of several, the one in front.
export function boneNear(
  figure: Figure,
  camera: THREE.Camera,
  x: number,
  y: number,
  width: number,
  height: number,
): number {
  figure.over.updateMatrixWorld(true);
  const toPicture = new THREE.Matrix4()
    .multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse)
    .multiply(figure.over.matrixWorld);
  const head = new THREE.Vector3();
  const tail = new THREE.Vector3();
  let best = -1;
  let least = Infinity;
  for (let b = 0; b < figure.character.boneCount; ++b) {
    head.copy(figure.skeleton.heads[b]!).applyMatrix4(toPicture);
    tail.copy(figure.skeleton.tails[b]!).applyMatrix4(toPicture);
    if (head.z > 1 || tail.z > 1) continue;
    const [hx, hy] = [((head.x + 1) * width) / 2, ((1 - head.y) * height) / 2];
    const [dx, dy] = [((tail.x + 1) * width) / 2 - hx, ((1 - tail.y) * height) / 2 - hy];
    const along = dx * dx + dy * dy;
    const t = along > 0 ? Math.min(Math.max(((x - hx) * dx + (y - hy) * dy) / along, 0), 1) : 0;
    const distance = Math.hypot(x - hx - t * dx, y - hy - t * dy);
    if (distance > kBoneReachPx) continue;
    const score = distance + (head.z + tail.z) * kBoneReachPx; // nearer to the eye wins small ties
    if (score < least) [least, best] = [score, b];
  }
  return best;
}
