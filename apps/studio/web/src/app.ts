// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import * as THREE from 'three';
import { Character } from './character';
import { Interior, kAxes } from './interior';
import { readBlob, type Payload } from './payload';
import { Poser, type BasePose } from './pose';
import { Store, type Slicing, type ViewState } from './state';
import { Figure } from './view/figure';
import { boneBall, frameAll, frameBone, framePlace, kFront } from './view/framing';
import { InteriorView } from './view/interior_view';
import { JointTurner } from './view/joint_turner';
import { Stage, fitDistance } from './view/stage';

const kSmoothMs = 14; // distortion that takes longer than a frame waits until the hand rests
const kRestMs = 90;

/// The report as a whole: what is shown, and everything that can be asked of it. Panels, keys,
/// links and scripts all come through here.
export class App {
  readonly characters: Character[];
  readonly figures: Figure[];
  readonly poser: Poser;
  readonly stage: Stage;
  readonly turner: JointTurner;
  readonly timings = { update: 0, distortion: 0, firstPicture: 0 };
  activeFile = 0; // the one whose bone was picked last
  onPosed: (() => void)[] = [];
  private colourTimer = 0;
  private lastFrame = 0;

  constructor(
    readonly payload: Payload,
    readonly store: Store,
    stageElement: HTMLElement,
    makePane: (file: number) => HTMLElement,
  ) {
    const blobs = new Map<number, Uint8Array>(); // files may share one
    for (const { blob } of payload.files)
      if (!blobs.has(blob)) blobs.set(blob, readBlob(document, blob));
    this.characters = payload.files.map((file) => new Character(file, blobs.get(file.blob)!));
    this.figures = this.characters.map((character) => new Figure(character));
    const interiors = (payload.interiors ?? []).map((entry) => new Interior(entry));
    this.figures.forEach((figure, f) => {
      const interior = interiors[payload.files[f]!.interior ?? -1];
      if (interior) figure.interior = new InteriorView(interior, figure);
    });
    this.poser = new Poser(payload, this.characters);
    this.figures.forEach((figure, f) => figure.setPose(this.poser.evaluate(f, { kind: 'rest' })));
    this.stage = new Stage(stageElement, this.figures, makePane);
    this.figures.forEach((figure) => (figure.onTexture = () => this.stage.ask()));
    this.turner = new JointTurner(this.stage, this.figures, this.poser);
    this.turner.onTurned = () => this.store.set({ edits: this.store.state.edits + 1 });
    this.stage.onRendered = () => (this.timings.firstPicture ||= performance.now());
    this.follow();
  }

  get state(): ViewState {
    return this.store.state;
  }

  get hasInterior(): boolean {
    return this.figures.some((figure) => figure.interior);
  }

  /// Cells are where the mesh is at rest, and are shown there alone.
  get isAtRest(): boolean {
    return this.state.base.kind === 'rest' && this.poser.edits.size === 0;
  }

  get files(): number[] {
    const { layout } = this.state;
    return layout === 'all' ? this.figures.map((_, f) => f) : [layout];
  }

  /// The bone of a file that is chosen; -1 where it has none of that name.
  chosen(file: number): number {
    const { bone } = this.state;
    return bone === null ? -1 : this.characters[file]!.boneNamed(bone);
  }

  choose(bone: string | null, file = this.activeFile) {
    this.activeFile = file;
    const { mode } = this.state;
    // Choosing a bone on the plain surface is a question about its weights.
    const asksWeights = bone !== null && mode === 'shaded';
    this.store.set(asksWeights ? { bone, mode: 'weights' } : { bone });
  }

  setBase(base: BasePose) {
    this.store.set({ base });
  }

  /// Shows more or less of the interior; who asks for it is taken to where it can be seen.
  look(wanted: Partial<Slicing>) {
    const { cells, slice, mode } = { ...this.state, ...wanted };
    if (!cells && slice === 'off') return this.store.set(wanted);
    const wasAtRest = this.isAtRest;
    this.poser.edits.clear();
    this.store.set({
      ...wanted,
      base: { kind: 'rest' },
      playing: false,
      edits: this.state.edits + (wasAtRest ? 0 : 1),
      // At rest nothing is distorted.
      mode: mode === 'distortion' && slice !== 'off' ? 'weights' : mode,
    });
    if (!wasAtRest) this.frameAll(kFront);
    if (wanted.slice && slice !== 'off') this.stage.faceAxis(kAxes.indexOf(slice));
  }

  stepPose(by: number) {
    const { base } = this.state;
    const count = this.payload.poses.length;
    if (!count) return;
    const now = base.kind === 'pose' ? base.index : by > 0 ? -1 : 0;
    this.store.set({ base: { kind: 'pose', index: (now + by + count) % count }, playing: false });
  }

  clearTurns() {
    this.poser.edits.clear();
    this.store.set({ edits: this.state.edits + 1 });
  }

  clearTurnOf(bone: string) {
    if (this.poser.edits.delete(bone)) this.store.set({ edits: this.state.edits + 1 });
  }

  frameAll(direction?: THREE.Vector3) {
    this.unmark();
    frameAll(this.stage, this.figures, this.files, direction);
  }

  frameChosen() {
    const file = this.activeFile;
    const bone = this.chosen(file);
    this.unmark();
    if (bone >= 0) frameBone(this.stage, this.figures[file]!, bone);
    else this.frameAll();
  }

  /// Goes to a place of the mesh at rest and rings it, in all files that are about the same mesh.
  framePlace(file: number, at: readonly number[]) {
    framePlace(this.stage, this.figures[file]!, at);
    const { diagonal } = this.characters[file]!;
    this.figures.forEach((figure, f) => {
      const isAlike = f === file || Math.abs(figure.character.diagonal / diagonal - 1) < 0.02;
      figure.marker.put(isAlike ? figure.character.nearestAtRest(at) : -1, figure.positions);
    });
    this.stage.ask();
  }

  unmark() {
    for (const figure of this.figures) figure.marker.put(-1, figure.positions);
    this.stage.ask();
  }

  /// The first screen: the worst pose, framed on the worst place, coloured by distortion.
  showWorst() {
    const { worst } = this.payload;
    if (!worst) return this.frameAll(kFront);
    const bones = this.payload.files[worst.file]?.bones;
    this.activeFile = worst.file;
    this.store.set({
      base: { kind: 'pose', index: worst.pose },
      mode: 'distortion',
      bone: bones?.[worst.bone]?.name ?? null,
      playing: false,
    });
    this.framePlace(worst.file, worst.at);
  }

  clipNames(): string[] {
    return [...new Set(this.characters.flatMap((c) => c.clips.map((clip) => clip.name)))];
  }

  clipSpan(name: string): { start: number; end: number } {
    const clip = this.characters.map((c) => c.clipNamed(name)).find((c) => c);
    return { start: clip?.start ?? 0, end: clip?.end ?? 0 };
  }

  /// Turns the chosen joint by steps, seen from the camera.
  turnChosen(about: 'view' | 'side' | 'bone', degrees: number) {
    const file = this.activeFile;
    const bone = this.chosen(file);
    if (bone < 0) return;
    const axis = new THREE.Vector3();
    if (about === 'view') this.stage.camera.getWorldDirection(axis).negate();
    if (about === 'side') axis.setFromMatrixColumn(this.stage.camera.matrixWorld, 0);
    const { heads, tails } = this.figures[file]!.skeleton;
    if (about === 'bone') axis.subVectors(tails[bone]!, heads[bone]!).normalize();
    if (axis.lengthSq() > 0)
      this.turner.step(file, bone, axis.normalize(), (degrees * Math.PI) / 180);
  }

  /// A small picture of a pose, framed on a bone, without disturbing what is shown.
  thumbnail(pose: number, width: number, height: number): HTMLCanvasElement {
    const file = this.figures.length - 1;
    const figure = this.figures[file]!;
    const before = figure.pose!;
    figure.marker.show(false);
    figure.interior?.show(null, null);
    figure.setPose(this.poser.evaluate(file, { kind: 'pose', index: pose }));
    figure.setColours(this.colourOptions(file, 'distortion'));
    const entry = this.payload.poses[pose]!;
    const bone = entry.bone === undefined ? -1 : figure.character.boneNamed(entry.bone);
    const camera = this.stage.camera.clone();
    figure.root.updateMatrixWorld(true);
    const size = figure.character.diagonal * figure.root.scale.x;
    const centre = new THREE.Vector3(...figure.character.centre).applyMatrix4(
      figure.root.matrixWorld,
    );
    let radius = 0.4 * size;
    if (bone >= 0) {
      const ball = boneBall(figure, bone);
      centre.copy(ball.head);
      radius = Math.max(1.15 * ball.radius, 0.1 * size);
    }
    camera.position.copy(centre).addScaledVector(kFront, fitDistance(radius, width / height));
    camera.lookAt(centre);
    const canvas = this.stage.picture(width, height, [file], { camera, skeleton: false });
    figure.setPose(before);
    figure.marker.show(true);
    this.colour();
    this.showInterior();
    return canvas;
  }

  colourOptions(file: number, mode = this.state.mode) {
    const { ramp, distortionMax } = this.state;
    return { mode, ramp, distortionMax, bone: this.chosen(file) };
  }

  private follow() {
    this.store.on(['layout'], () => {
      this.stage.show(this.files);
      if (!this.files.includes(this.activeFile)) this.activeFile = this.files[0]!;
      this.attachTurner();
    });
    this.store.on(['base', 'edits'], () => this.updatePose());
    this.store.on(['cells', 'slice', 'sliceAt', 'base', 'edits', 'layout'], () =>
      this.showInterior(),
    );
    this.store.on(['mode', 'ramp', 'bone', 'distortionMax', 'layout'], () => this.colour());
    this.store.on(['bone'], () => {
      this.figures.forEach((figure, f) => figure.skeleton.choose(this.chosen(f)));
      this.stage.ask();
    });
    this.store.on(['bone', 'gizmo'], (state, changed) => {
      this.attachTurner();
      // Who asks for the rings may go on with the arrow keys, which the stage takes.
      if (changed.size === 1 && changed.has('gizmo') && state.gizmo)
        this.stage.element.focus({ preventScroll: true });
    });
    this.store.on(['skeleton'], (state) => this.stage.setSkeletonShown(state.skeleton));
    this.store.on(['wireframe'], (state) => {
      this.figures.forEach((figure) => figure.showWires(state.wireframe));
      this.stage.ask();
    });
    this.store.on(['playing'], (state) => state.playing && this.play());
  }

  private attachTurner() {
    const pane =
      this.stage.panes.find((p) => p.file === this.activeFile) ?? this.stage.panes[0] ?? null;
    const bone = pane && this.state.gizmo ? this.chosen(pane.file) : -1;
    this.turner.attach(bone >= 0 ? pane : null, bone);
    this.stage.ask();
  }

  private updatePose() {
    const start = performance.now();
    this.figures.forEach((figure, f) => figure.setPose(this.poser.evaluate(f, this.state.base)));
    this.timings.update = performance.now() - start;
    this.turner.follow();
    if (this.state.mode === 'distortion') this.colourSoon();
    this.onPosed.forEach((listener) => listener());
    this.stage.ask();
  }

  private showInterior() {
    if (!this.hasInterior) return;
    const what = this.isAtRest ? this.state : null;
    for (const file of this.files)
      this.figures[file]!.interior?.show(what, this.colourOptions(file));
    this.stage.ask();
  }

  private colourSoon() {
    if (this.timings.distortion < kSmoothMs) return this.colour();
    window.clearTimeout(this.colourTimer);
    this.colourTimer = window.setTimeout(() => this.colour(), kRestMs);
  }

  private colour() {
    const start = performance.now();
    for (const file of this.files) {
      this.figures[file]!.setColours(this.colourOptions(file));
      this.figures[file]!.interior?.colour(this.colourOptions(file));
    }
    if (this.state.mode === 'distortion') this.timings.distortion = performance.now() - start;
    this.stage.ask();
  }

  private play() {
    const { base } = this.state;
    const names = this.clipNames();
    if (base.kind !== 'clip') {
      if (!names.length) return this.store.set({ playing: false });
      this.setBase({ kind: 'clip', name: names[0]!, time: this.clipSpan(names[0]!).start });
    }
    this.lastFrame = performance.now();
    requestAnimationFrame(() => this.tick());
  }

  private tick() {
    const { base, playing } = this.state;
    if (!playing || base.kind !== 'clip') return this.store.set({ playing: false });
    const now = performance.now();
    const { start, end } = this.clipSpan(base.name);
    const length = Math.max(end - start, 1e-6);
    const time = start + ((base.time - start + (now - this.lastFrame) / 1000) % length);
    this.lastFrame = now;
    this.setBase({ ...base, time });
    requestAnimationFrame(() => this.tick());
  }
}
