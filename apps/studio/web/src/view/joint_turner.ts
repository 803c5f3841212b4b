// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import * as THREE from 'three';
import { TransformControls } from 'three/addons/controls/TransformControls.js';
import { decompose } from '../gltf/nodes';
import { product } from '../affine';
import { quaternionProduct, type Poser, type Quaternion } from '../pose';
import type { Figure } from './figure';
import type { Pane, Stage } from './stage';

/// Turns the chosen bone by hand: rings to drag in one pane, and steps for keys. A turn R in the
/// scene becomes Q A^-1 R A in the bone's rest axes, where A is how the bone stands and Q its turn
/// so far (see Poser.edits).
export class JointTurner {
  onTurned: (() => void) | null = null;
  private readonly handle = new THREE.Object3D();
  private controls: TransformControls | null = null;
  private pane: Pane | null = null;
  private bone = -1;
  private start = {
    handle: new THREE.Quaternion(),
    stands: new THREE.Quaternion(),
    turn: [0, 0, 0, 1] as Quaternion,
  };

  constructor(
    private readonly stage: Stage,
    private readonly figures: Figure[],
    private readonly poser: Poser,
  ) {}

  /// Shows the rings on a bone of a pane's file; none with a bone of -1.
  attach(pane: Pane | null, bone: number) {
    if (pane !== this.pane || bone < 0) this.detach();
    this.bone = bone;
    if (!pane || bone < 0) return;
    if (!this.controls) {
      this.pane = pane;
      this.controls = new TransformControls(this.stage.camera, pane.element);
      this.controls.setMode('rotate');
      this.controls.setSpace('local');
      this.controls.setSize(0.7);
      this.stage.worlds[pane.file]!.over.add(this.handle, this.controls.getHelper());
      this.controls.attach(this.handle);
      this.controls.addEventListener('dragging-changed', (event) => {
        this.stage.controls.enabled = !event.value;
        if (event.value) this.begin();
      });
      this.controls.addEventListener('objectChange', () => this.drag());
      this.controls.addEventListener('change', () => this.stage.ask());
    }
    this.follow();
  }

  /// Puts the rings where the bone now is.
  follow() {
    if (!this.controls || !this.pane || this.bone < 0 || this.isDragging) return;
    const figure = this.figures[this.pane.file]!;
    if (!figure.pose) return;
    figure.over.updateMatrixWorld(true);
    this.handle.position
      .copy(figure.skeleton.heads[this.bone]!)
      .applyMatrix4(figure.over.matrixWorld);
    const rest = figure.character.entry.bones[this.bone]!.rest;
    const m = figure.pose.bones.subarray(12 * this.bone, 12 * this.bone + 12);
    this.handle.quaternion.fromArray(decompose(product(m, rest)).rotation);
    this.handle.updateMatrixWorld(true);
  }

  get isDragging(): boolean {
    return this.controls?.dragging ?? false;
  }

  get isOverRing(): boolean {
    return !!this.controls?.axis;
  }

  /// Turns a bone by an angle about an axis of the scene.
  step(file: number, bone: number, axis: THREE.Vector3, angle: number) {
    const name = this.figures[file]!.character.entry.bones[bone]!.name;
    const turn = new THREE.Quaternion().setFromAxisAngle(axis, angle);
    this.store(name, this.poser.edits.get(name) ?? [0, 0, 0, 1], this.stands(file, bone), turn);
  }

  private begin() {
    const name = this.figures[this.pane!.file]!.character.entry.bones[this.bone]!.name;
    this.start.handle.copy(this.handle.quaternion);
    this.start.stands.copy(this.stands(this.pane!.file, this.bone));
    this.start.turn = this.poser.edits.get(name) ?? [0, 0, 0, 1];
  }

  private drag() {
    if (!this.isDragging || !this.pane) return;
    const name = this.figures[this.pane.file]!.character.entry.bones[this.bone]!.name;
    const turn = this.handle.quaternion.clone().multiply(this.start.handle.clone().invert());
    this.store(name, this.start.turn, this.start.stands, turn);
  }

  private store(
    name: string,
    before: Quaternion,
    stands: THREE.Quaternion,
    turn: THREE.Quaternion,
  ) {
    const inner = stands.clone().invert().multiply(turn).multiply(stands);
    this.poser.edits.set(name, quaternionProduct(before, inner.toArray() as Quaternion));
    this.onTurned?.();
  }

  private stands(file: number, bone: number): THREE.Quaternion {
    const pose = this.figures[file]!.pose!;
    const local = decompose(pose.bones.slice(12 * bone, 12 * bone + 12));
    return new THREE.Quaternion().fromArray(local.rotation);
  }

  private detach() {
    if (this.controls && this.pane) {
      this.controls.detach();
      this.stage.worlds[this.pane.file]!.over.remove(this.handle, this.controls.getHelper());
      this.controls.dispose();
    }
    this.controls = null;
    this.pane = null;
  }
}
