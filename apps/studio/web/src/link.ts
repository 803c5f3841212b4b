// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import type { App } from './app';
import { kAxes, type Axis } from './interior';
import { kRampLabels, type RampName } from './ramps';
import { frameLimb } from './panels/poses';
import { kModes, type Mode, type Slicing, type ViewState } from './state';
import { kFront } from './view/framing';

const kWaitMs = 300;
const kDigits = 5;

/// A view as the part of the address behind #, so that a link shows what its sender saw:
/// #pose=3&mode=distortion&bone=Spine&camera=px,py,pz,tx,ty,tz
export function viewLink(app: App): string {
  const { base, mode, bone, ramp, layout, skeleton, wireframe, cells, slice, sliceAt } = app.state;
  const out = new URLSearchParams();
  if (base.kind === 'pose') out.set('pose', String(base.index));
  if (base.kind === 'rest') out.set('pose', 'rest');
  if (base.kind === 'clip') {
    out.set('clip', base.name);
    out.set('time', String(Number(base.time.toPrecision(kDigits))));
  }
  out.set('mode', mode);
  if (bone !== null) out.set('bone', bone);
  if (ramp !== 'dusk') out.set('ramp', ramp);
  if (layout !== 'all') out.set('file', String(layout));
  if (!skeleton) out.set('skeleton', '0');
  if (wireframe) out.set('wireframe', '1');
  if (cells) out.set('cells', '1');
  if (slice !== 'off') {
    out.set('slice', slice);
    out.set('at', String(Number(sliceAt.toPrecision(kDigits))));
  }
  const { camera, controls } = app.stage;
  const eye = [...camera.position.toArray(), ...controls.target.toArray()];
  out.set('camera', eye.map((v) => Number(v.toPrecision(kDigits))).join(','));
  return `#${out.toString()}`;
}

/// Whether the address asked for a view. Parts that make no sense are passed over.
export function openLink(app: App, hash: string): boolean {
  const asked = new URLSearchParams(hash.replace(/^#/, ''));
  const patch: Partial<ViewState> = {};
  const pose = asked.get('pose');
  const clip = asked.get('clip');
  if (pose === 'rest') patch.base = { kind: 'rest' };
  else if (pose !== null && app.payload.poses[Number(pose)])
    patch.base = { kind: 'pose', index: Number(pose) };
  if (clip !== null && app.clipNames().includes(clip))
    patch.base = {
      kind: 'clip',
      name: clip,
      time: Number(asked.get('time')) || app.clipSpan(clip).start,
    };
  const mode = asked.get('mode');
  if (kModes.some((known) => known.mode === mode)) patch.mode = mode as Mode;
  const bone = asked.get('bone');
  if (bone !== null && app.characters.some((c) => c.boneNamed(bone) >= 0)) patch.bone = bone;
  const ramp = asked.get('ramp');
  if (ramp !== null && ramp in kRampLabels) patch.ramp = ramp as RampName;
  const file = asked.get('file');
  if (file !== null && app.figures[Number(file)]) patch.layout = Number(file);
  if (asked.has('skeleton')) patch.skeleton = asked.get('skeleton') !== '0';
  if (asked.has('wireframe')) patch.wireframe = asked.get('wireframe') === '1';
  if (app.hasInterior) Object.assign(patch, askedSlicing(asked));
  const theme = asked.get('theme');
  if (theme === 'light' || theme === 'dark') patch.theme = theme;
  app.store.set(patch);
  const camera = asked.get('camera') ?? '';
  if (placeCamera(app, camera)) return true;
  const eye = camera.split(',').map(Number);
  const hasCamera = eye.length === 6 && eye.every(Number.isFinite);
  if (hasCamera) setCamera(app, eye.slice(0, 3), eye.slice(3));
  else if (Object.keys(patch).length) app.frameChosen();
  return hasCamera || Object.keys(patch).length > 0;
}

/// What of the interior a link shows. It may also name a pose in which there is nothing of it.
function askedSlicing(asked: URLSearchParams): Partial<Slicing> {
  const patch: Partial<Slicing> = {};
  if (asked.has('cells')) patch.cells = asked.get('cells') === '1';
  const slice = asked.get('slice');
  if (slice === 'off' || kAxes.some((axis) => axis === slice)) patch.slice = slice as Axis | 'off';
  const at = Number(asked.get('at') ?? NaN);
  if (at >= 0 && at <= 1) patch.sliceAt = at;
  return patch;
}

/// Cameras by name: 'front' and 'all' frame everything, 'bone' the chosen bone, 'limb' the bone
/// that the pose is about, 'worst' the worst place, without changing the pose.
export function placeCamera(app: App, name: string): boolean {
  const { base } = app.state;
  const { worst } = app.payload;
  if (name === 'front') app.frameAll(kFront);
  else if (name === 'all') app.frameAll();
  else if (name === 'bone') app.frameChosen();
  else if (name === 'limb' && base.kind === 'pose') frameLimb(app, base.index);
  else if (name === 'worst' && worst) app.framePlace(worst.file, worst.at);
  else return false;
  return true;
}

export function setCamera(app: App, position: readonly number[], target: readonly number[]) {
  app.stage.camera.position.set(position[0]!, position[1]!, position[2]!);
  app.stage.controls.target.set(target[0]!, target[1]!, target[2]!);
  app.stage.controls.update();
  app.stage.ask();
}

/// Keeps the address in step with the view, so that it can be copied at any time.
export function keepLink(app: App) {
  let timer = 0;
  const soon = () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => {
      if (app.state.playing) return;
      try {
        history.replaceState(null, '', viewLink(app));
      } catch {
        // Some browsers forbid it for local files; the page works without.
      }
    }, kWaitMs);
  };
  app.store.on(
    [
      'base',
      'mode',
      'bone',
      'ramp',
      'layout',
      'skeleton',
      'wireframe',
      'cells',
      'slice',
      'sliceAt',
      'playing',
    ],
    soon,
  );
  app.stage.controls.addEventListener('end', soon);
  window.addEventListener('hashchange', () => openLink(app, location.hash));
}
