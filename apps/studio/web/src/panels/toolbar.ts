// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import type { App } from '../app';
import { el, icon } from '../dom';
import { kRampLabels, type RampName } from '../ramps';
import { kModes, type Key } from '../state';

const kBone = 'M4 12 6 9 12 3M11 2l3 3-2 1-3-3zM3 11l2 2-1 1-2-2z';
const kWires = 'M2 13 8 2l6 11zM5 7.5h6M8 2v11M5 7.5 8 13l3-5.5';
const kTurn = 'M13 8a5 5 0 1 1-2-4M11 1v3h3';
const kFrame = 'M2 5V2h3M11 2h3v3M14 11v3h-3M5 14H2v-3M6 6h4v4H6z';

/// What the picture shows and how.
export function toolbar(app: App): HTMLElement {
  const modes = el('div', { class: 'segments', role: 'radiogroup', 'aria-label': 'Colour by' });
  kModes.forEach(({ mode, label, hint }, k) => {
    const button = el(
      'button',
      {
        role: 'radio',
        'data-mode': mode,
        title: `${hint} (${k + 1})`,
        click: () => app.store.set({ mode }),
      },
      label,
    );
    modes.append(button);
  });
  app.store.on(['mode'], (state) => {
    for (const button of modes.children)
      button.setAttribute(
        'aria-checked',
        String((button as HTMLElement).dataset.mode === state.mode),
      );
  });
  const bar = el(
    'div',
    { class: 'toolbar', role: 'toolbar', 'aria-label': 'View' },
    modes,
    toggle(app, 'skeleton', 'Skeleton', 'S', kBone),
    toggle(app, 'wireframe', 'Wireframe', 'W', kWires),
    toggle(app, 'gizmo', 'Turn the chosen joint', 'R', kTurn),
    el(
      'button',
      {
        class: 'tool',
        title: 'Frame (F)',
        'aria-label': 'Frame the chosen bone or everything',
        click: () => app.frameChosen(),
      },
      icon(kFrame),
    ),
    el('span', { class: 'spring' }),
    ramps(app),
    layouts(app),
  );
  return bar;
}

function toggle(
  app: App,
  key: Key & ('skeleton' | 'wireframe' | 'gizmo'),
  label: string,
  shortcut: string,
  path: string,
) {
  const button = el(
    'button',
    {
      class: 'tool',
      title: `${label} (${shortcut})`,
      'aria-label': label,
      click: () => app.store.set({ [key]: !app.state[key] }),
    },
    icon(path),
  );
  app.store.on([key], (state) => button.setAttribute('aria-pressed', String(state[key])));
  return button;
}

function ramps(app: App): HTMLElement {
  const select = el(
    'select',
    {
      'aria-label': 'Colour ramp',
      title: 'Colour ramp (C)',
      change: () => app.store.set({ ramp: select.value as RampName }),
    },
    ...Object.entries(kRampLabels).map(([value, label]) => el('option', { value }, label)),
  );
  app.store.on(['ramp'], (state) => (select.value = state.ramp));
  return select;
}

function layouts(app: App): HTMLElement | null {
  const { files } = app.payload;
  if (files.length < 2) return null;
  const select = el(
    'select',
    {
      'aria-label': 'Files shown',
      title: 'Files shown (V)',
      change: () =>
        app.store.set({ layout: select.value === 'all' ? 'all' : Number(select.value) }),
    },
    el('option', { value: 'all' }, 'Side by side'),
    ...files.map((file, f) => el('option', { value: f }, file.label)),
  );
  app.store.on(['layout'], (state) => (select.value = String(state.layout)));
  return select;
}
