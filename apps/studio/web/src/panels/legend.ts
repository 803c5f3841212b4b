// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import type { App } from '../app';
import { el, figure } from '../dom';
import { css, influenceColour, kOverLimit, kUnweighted, rampGradient } from '../ramps';

const kScales = [0.02, 0.05, 0.1, 0.2, 0.5, 1];

/// What the colours mean.
export function legend(app: App): HTMLElement {
  const element = el('div', { class: 'legend', role: 'note', 'aria-label': 'Legend' });
  // It lies on the stage, which would take a press on it for the start of a drag.
  for (const type of ['pointerdown', 'pointerup', 'wheel'])
    element.addEventListener(type, (event) => event.stopPropagation());
  app.store.on(['mode', 'ramp', 'bone', 'distortionMax'], (state) => {
    element.hidden = state.mode === 'shaded';
    if (state.mode === 'weights')
      element.replaceChildren(
        el('b', {}, state.bone ? `Weight of ${state.bone}` : 'Choose a bone to see its weights'),
        bar(rampGradient(state.ramp), ['0', '0.5', '1']),
      );
    if (state.mode === 'distortion')
      element.replaceChildren(
        el('b', {}, 'Local distortion', scale(app)),
        bar(rampGradient(state.ramp), [
          '0',
          figure(state.distortionMax / 4),
          `≥ ${figure(state.distortionMax)}`,
        ]),
      );
    if (state.mode === 'bones')
      element.replaceChildren(el('b', {}, 'One colour per bone, mixed by weight'));
    if (state.mode === 'influences')
      element.replaceChildren(el('b', {}, 'Bones per vertex'), counts(app));
  });
  return element;
}

function bar(gradient: string, labels: string[]): HTMLElement {
  return el(
    'div',
    {},
    el('div', { class: 'ramp', style: `background:${gradient}` }),
    el('div', { class: 'ticks' }, ...labels.map((label) => el('span', {}, label))),
  );
}

function scale(app: App): HTMLElement {
  const select = el(
    'select',
    {
      'aria-label': 'Top of the scale',
      title: 'Top of the scale',
      class: 'small',
      change: () => app.store.set({ distortionMax: Number(select.value) }),
    },
    ...kScales.map((value) => el('option', { value }, `to ${value}`)),
  );
  select.value = String(app.state.distortionMax);
  return select;
}

function counts(app: App): HTMLElement {
  const limit = Math.max(...app.payload.files.map((file) => file.max_influences_allowed));
  const swatch = (colour: string, label: string) =>
    el('span', { class: 'swatch' }, el('i', { style: `background:${colour}` }), label);
  return el(
    'div',
    { class: 'swatches' },
    ...[...Array(Math.min(limit, 8)).keys()].map((k) =>
      swatch(css(influenceColour(k + 1)), String(k + 1)),
    ),
    swatch(css(kOverLimit), `over ${limit}`),
    swatch(css(kUnweighted), 'none'),
  );
}
