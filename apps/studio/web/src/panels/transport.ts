// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import type { App } from '../app';
import { el, icon } from '../dom';

const kPlay = 'M5 3v10l8-5z';
const kPause = 'M5 3v10M11 3v10';
const kBack = 'M10 3 5 8l5 5';
const kForth = 'M6 3l5 5-5 5';
const kUndo = 'M3 7h7a3.5 3.5 0 0 1 0 7H6M3 7l3-3M3 7l3 3';

/// Which pose: stepping through those of the report, or playing a clip.
export function transport(app: App): HTMLElement {
  const choice = poseChoice(app);
  const play = el('button', {
    class: 'tool',
    click: () => app.store.set({ playing: !app.state.playing }),
  });
  app.store.on(['playing'], (state) => {
    play.replaceChildren(icon(state.playing ? kPause : kPlay));
    play.setAttribute('aria-label', state.playing ? 'Pause' : 'Play');
    play.title = `${state.playing ? 'Pause' : 'Play'} (Space)`;
  });
  const hasClips = app.clipNames().length > 0;
  play.disabled = !hasClips;
  const undo = el(
    'button',
    { class: 'tool wide', title: 'Undo turns by hand (Shift+0)', click: () => app.clearTurns() },
    icon(kUndo),
    'Undo turns',
  );
  app.store.on(['edits'], () => (undo.hidden = app.poser.edits.size === 0));
  return el(
    'div',
    { class: 'transport', role: 'group', 'aria-label': 'Pose' },
    el(
      'button',
      {
        class: 'tool',
        'aria-label': 'Previous pose',
        title: 'Previous pose ([)',
        click: () => app.stepPose(-1),
      },
      icon(kBack),
    ),
    choice,
    el(
      'button',
      {
        class: 'tool',
        'aria-label': 'Next pose',
        title: 'Next pose (])',
        click: () => app.stepPose(1),
      },
      icon(kForth),
    ),
    play,
    ...scrubber(app),
    undo,
  );
}

function poseChoice(app: App): HTMLElement {
  const group = (label: string, options: HTMLElement[]) =>
    options.length > 0 && el('optgroup', { label }, ...options);
  const poses = app.payload.poses.map((pose, p) => ({
    pose,
    option: el('option', { value: `pose ${p}` }, pose.name),
  }));
  const ofKind = (kind: string) =>
    poses.filter(({ pose }) => pose.kind === kind).map(({ option }) => option);
  const select = el(
    'select',
    { 'aria-label': 'Pose', change: () => take() },
    el('option', { value: 'rest' }, 'Rest pose'),
    group('Limbs', ofKind('limb')),
    group('Moments of clips', ofKind('clip')),
    group('Range of motion', ofKind('random')),
    group(
      'Clips',
      app.clipNames().map((name) => el('option', { value: `clip ${name}` }, `▸ ${name}`)),
    ),
  );
  const take = () => {
    const [kind, ...rest] = select.value.split(' ');
    const what = rest.join(' ');
    if (kind === 'clip')
      app.store.set({ base: { kind: 'clip', name: what, time: app.clipSpan(what).start } });
    else if (kind === 'pose')
      app.store.set({ base: { kind: 'pose', index: Number(what) }, playing: false });
    else app.store.set({ base: { kind: 'rest' }, playing: false });
  };
  app.store.on(['base'], ({ base }) => {
    select.value =
      base.kind === 'rest'
        ? 'rest'
        : base.kind === 'pose'
          ? `pose ${base.index}`
          : `clip ${base.name}`;
  });
  return select;
}

function scrubber(app: App): HTMLElement[] {
  const slider = el('input', {
    type: 'range',
    min: 0,
    max: 1,
    step: 'any',
    value: 0,
    'aria-label': 'Time in the clip',
  });
  const time = el('output', { class: 'time' });
  const clip = () =>
    app.state.base.kind === 'clip' ? app.state.base.name : (app.clipNames()[0] ?? null);
  slider.addEventListener('input', () => {
    const name = clip();
    if (!name) return;
    app.store.set({ playing: false, base: { kind: 'clip', name, time: Number(slider.value) } });
  });
  app.store.on(['base'], ({ base }) => {
    const name = clip();
    slider.disabled = name === null;
    if (name === null) {
      time.textContent = 'no clip';
      return;
    }
    const { start, end } = app.clipSpan(name);
    slider.min = String(start);
    slider.max = String(end);
    const now = base.kind === 'clip' ? base.time : start;
    slider.value = String(now);
    slider.setAttribute('aria-valuetext', `${now.toFixed(2)} of ${end.toFixed(2)} seconds`);
    time.textContent = base.kind === 'clip' ? `${now.toFixed(2)} / ${end.toFixed(2)} s` : name;
  });
  return [slider, time];
}
