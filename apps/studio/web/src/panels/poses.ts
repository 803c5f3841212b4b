// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import * as THREE from 'three';
import type { App } from '../app';
import { el } from '../dom';
import { boneBall, frameBone, kFront } from '../view/framing';

const kWidth = 208; // twice the size on screen, for dense displays
const kHeight = 148;
const kLimbs = ['shoulder', 'elbow', 'forearm twist', 'hip', 'knee', 'neck'];
const kMostShown = 6;

/// Pictures of the limbs that switch the pose. Those that the report does not bring are drawn when
/// the page has nothing better to do.
export function posesPanel(app: App): HTMLElement {
  const strip = el('div', { class: 'poses', role: 'group', 'aria-label': 'Poses' });
  const buttons: { button: HTMLElement; pose: number }[] = [];
  const add = (pose: number, label: string, go: () => void, className = '') => {
    const button = el(
      'button',
      { class: `pose ${className}`, title: app.payload.poses[pose]?.name ?? label, click: go },
      picture(app, pose),
      el('span', {}, label),
    );
    buttons.push({ button, pose });
    strip.append(button);
  };
  const { worst } = app.payload;
  if (worst) add(worst.pose, 'Worst pose', () => app.showWorst(), 'worst');
  for (const { pose, label } of shownPoses(app))
    add(pose, label, () => {
      app.store.set({ base: { kind: 'pose', index: pose }, playing: false });
      frameLimb(app, pose);
    });
  const rest = el(
    'button',
    {
      class: 'pose rest',
      title: 'The bind pose (0)',
      click: () => {
        app.store.set({ base: { kind: 'rest' }, playing: false });
        app.frameAll(kFront);
      },
    },
    el('span', { class: 'blank' }),
    el('span', {}, 'Rest'),
  );
  strip.append(rest);
  app.store.on(['base'], (state) => {
    const now = state.base.kind === 'pose' ? state.base.index : -1;
    let isMarked = false; // the worst pose may also be a limb's
    for (const { button, pose } of buttons) {
      button.setAttribute('aria-pressed', String(pose === now && !isMarked));
      isMarked ||= pose === now;
    }
    rest.setAttribute('aria-pressed', String(state.base.kind === 'rest'));
  });
  return strip;
}

/// The limbs of a humanoid, then other joints that the report bends; without any, whatever there is.
function shownPoses(app: App): { pose: number; label: string }[] {
  const { poses } = app.payload;
  const limbs = kLimbs.flatMap((limb) => {
    const pose = poses.findIndex((p) => p.limb === limb);
    return pose < 0 ? [] : [{ pose, label: limb[0]!.toUpperCase() + limb.slice(1) }];
  });
  const others = poses
    .map((p, pose) => ({ pose, label: p.bone && p.name.startsWith(p.bone) ? p.bone : p.name, p }))
    .filter(({ p, pose }) =>
      poses.some((any) => any.kind === 'limb')
        ? p.kind === 'limb' && !p.limb
        : pose !== app.payload.worst?.pose,
    );
  return [...limbs, ...others].slice(0, kMostShown);
}

export function frameLimb(app: App, pose: number) {
  app.unmark();
  const name = app.payload.poses[pose]?.bone;
  const file = app.files.includes(app.activeFile) ? app.activeFile : app.files[0]!;
  const figure = app.figures[file]!;
  const bone = name === undefined ? -1 : figure.character.boneNamed(name);
  if (bone < 0) return app.frameAll(kFront);
  const { head, radius } = boneBall(figure, bone);
  if (radius > 0)
    app.stage.frame(
      head,
      Math.max(1.5 * radius, 0.14 * figure.character.diagonal * figure.root.scale.x),
      new THREE.Vector3().copy(kFront),
    );
  else frameBone(app.stage, figure, bone);
}

function picture(app: App, pose: number): HTMLElement {
  const given = app.payload.poses[pose]?.thumbnail;
  if (given) return el('img', { src: given, alt: '', width: kWidth / 2, height: kHeight / 2 });
  const canvas = el('canvas', { width: kWidth, height: kHeight, 'aria-hidden': 'true' });
  later.push(() => canvas.getContext('2d')!.drawImage(app.thumbnail(pose, kWidth, kHeight), 0, 0));
  return canvas;
}

const later: (() => void)[] = [];

/// Draws the missing pictures one by one, each when the page is idle.
export function drawThumbnails(done: () => void) {
  const next = () => {
    const draw = later.shift();
    if (!draw) return done();
    draw();
    idle(next);
  };
  idle(next);
}

function idle(work: () => void) {
  if ('requestIdleCallback' in window) window.requestIdleCallback(work, { timeout: 400 });
  else setTimeout(work, 60);
}
