// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import * as THREE from 'three';
import './colour_space';

const kSizeRel = 0.036; // of the height of the picture, whatever the distance

/// A ring around the vertex that a warning, or the verdict, is about. It goes with the vertex.
export class Marker {
  readonly sprite: THREE.Sprite;
  private vertex = -1;

  constructor() {
    const look = new THREE.SpriteMaterial({
      map: ringTexture(),
      sizeAttenuation: false,
      depthTest: false,
      toneMapped: false,
    });
    this.sprite = new THREE.Sprite(look);
    this.sprite.visible = false;
    this.sprite.renderOrder = 5;
  }

  /// -1 takes it away.
  put(vertex: number, positions: Float32Array) {
    this.vertex = vertex;
    this.sprite.visible = vertex >= 0;
    this.follow(positions);
  }

  follow(positions: Float32Array) {
    if (this.vertex >= 0) this.sprite.position.fromArray(positions, 3 * this.vertex);
    const scale = kSizeRel / (this.sprite.parent?.scale.x ?? 1); // files of another size are scaled
    this.sprite.scale.setScalar(scale);
  }

  show(shown: boolean) {
    this.sprite.visible = shown && this.vertex >= 0;
  }
}

/// White with a dark edge, so that it is seen on every colour of every ramp.
function ringTexture(): THREE.Texture {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 64;
  const context = canvas.getContext('2d')!;
  for (const [width, colour] of [
    [9, 'rgb(0 0 0 / 70%)'],
    [4.5, '#ffffff'],
  ] as const) {
    context.lineWidth = width;
    context.strokeStyle = colour;
    context.beginPath();
    context.arc(32, 32, 25, 0, 2 * Math.PI);
    context.stroke();
  }
  return new THREE.CanvasTexture(canvas);
}
