// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import type { App } from '../app';
import { el, figure } from '../dom';
import { frameLimb } from './poses';

/// Distortion of every pose in every file, as lengths. A click shows the pose.
export function poseList(app: App): HTMLElement | null {
  const { poses, files } = app.payload;
  const known = poses
    .map((pose, p) => ({ pose, p }))
    .filter(({ pose }) => pose.arap?.some((v) => typeof v === 'number'));
  if (!known.length) return null;
  const largest = Math.max(...known.flatMap(({ pose }) => pose.arap!.map((v) => v ?? 0)), 1e-12);
  const buttons = known.map(({ pose, p }) => {
    const bars = files.map((_, f) => {
      const value = pose.arap?.[f];
      const share = (82 * (value ?? 0)) / largest; // of the width; the rest is for the number
      return el(
        'span',
        { class: 'value' },
        el('i', { class: `key key-${f % 6}`, style: `width:${share.toFixed(1)}%` }),
        figure(value, 2),
      );
    });
    const words = files.map((file, f) => `${file.label} ${figure(pose.arap?.[f], 2)}`).join(', ');
    const button = el(
      'button',
      {
        'aria-label': `${pose.name}: ${words}`,
        click: () => {
          app.store.set({ base: { kind: 'pose', index: p }, playing: false });
          frameLimb(app, p);
        },
      },
      el('span', { class: 'name' }, pose.name),
      el('span', {}, ...bars),
    );
    return { button, p };
  });
  app.store.on(['base'], ({ base }) => {
    for (const { button, p } of buttons)
      button.setAttribute('aria-pressed', String(base.kind === 'pose' && base.index === p));
  });
  const list = el(
    'ul',
    { class: 'pose-list' },
    ...buttons.map(({ button }) => el('li', {}, button)),
  );
  return el(
    'section',
    { class: 'card', 'aria-label': 'Distortion pose by pose' },
    el('h2', {}, 'Distortion pose by pose'),
    list,
  );
}
