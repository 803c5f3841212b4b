// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import type { App } from '../app';
import { el, figure } from '../dom';
import { kKinds } from '../interior';
import {
  css,
  influenceColour,
  kindColour,
  kOverLimit,
  kShared,
  kUnweighted,
  rampGradient,
} from '../ramps';
import { isInteriorShown } from './interior';

const kFollowed = [
  'mode',
  'ramp',
  'bone',
  'distortionMax',
  'cells',
  'slice',
  'base',
  'edits',
] as const;

const kScales = [0.02, 0.05, 0.1, 0.2, 0.5, 1];

/// What the colours mean.
export function legend(app: App): HTMLElement {
  const element = el('div', { class: 'legend', role: 'note', 'aria-label': 'Legend' });
  // It lies on the stage, which would take a press on it for the start of a drag.
  for (const type of ['pointerdown', 'pointerup', 'wheel'])
    element.addEventListener(type, (event) => event.stopPropagation());
  app.store.on([...kFollowed], (state) => {
    const hasInterior = isInteriorShown(app);
    element.hidden = state.mode === 'shaded' && !hasInterior;
    if (state.mode === 'shaded') element.replaceChildren();
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
    if (hasInterior) element.append(...ofInterior(app));
  });
  return element;
}

/// What the colours of cells mean, and whose weights a slice shows.
function ofInterior(app: App): HTMLElement[] {
  const { cells, slice, mode } = app.state;
  const hasWeights = slice !== 'off' && (mode === 'weights' || mode === 'bones');
  const hasKinds = cells || (slice !== 'off' && !hasWeights);
  const interiors = app.figures.flatMap((figure) => figure.interior?.interior ?? []);
  const kinds = [0, 1, 2].filter((kind) => interiors.some((i) => i.countOf(kind) > 0));
  const isShared = interiors.some((interior) => interior.entry.split_places > 0);
  const out: HTMLElement[] = [];
  if (hasWeights) out.push(el('p', { class: 'quiet' }, 'on the slice: solved inside'));
  if (hasKinds)
    out.push(
      el('b', {}, 'Cells'),
      el(
        'div',
        { class: 'swatches' },
        ...kinds.map((kind) => swatch(css(kindColour(kind)), kKinds[kind]!)),
        isShared && swatch(css(kShared), 'several at one place'),
      ),
    );
  return out;
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

function swatch(colour: string, label: string): HTMLElement {
  return el('span', { class: 'swatch' }, el('i', { style: `background:${colour}` }), label);
}
