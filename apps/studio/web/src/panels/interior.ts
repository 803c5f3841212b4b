// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import type { App } from '../app';
import { el, figure } from '../dom';
import { kAxes, kKinds, type Axis } from '../interior';

const kSteps = 1000; // of the slider: finer than a layer of cells is thick

const kHidden =
  'Hidden: cells stand where the mesh is at rest, and this is another pose (0 is rest).';

/// What the character is filled with: its cells, and a slice through them. Null where the report
/// brings no interior. It takes the same room whatever is shown, so that nothing moves.
export function interiorPanel(app: App): HTMLElement | null {
  if (!app.hasInterior) return null;
  const words = el('p', { class: 'quiet', role: 'status' });
  app.store.on(['cells', 'slice', 'sliceAt', 'base', 'edits', 'layout', 'bone', 'mode'], () => {
    const text = isHidden(app) ? kHidden : describe(app);
    if (words.textContent === text) return;
    words.textContent = text;
    words.title = text;
  });
  return el(
    'section',
    { class: 'interior', role: 'group', 'aria-label': 'Interior' },
    el('div', { class: 'controls' }, cellsButton(app), axes(app), ...slider(app)),
    words,
  );
}

export function isInteriorShown(app: App): boolean {
  const { cells, slice } = app.state;
  return app.hasInterior && app.isAtRest && (cells || slice !== 'off');
}

function isHidden(app: App): boolean {
  return !app.isAtRest && (app.state.cells || app.state.slice !== 'off');
}

function cellsButton(app: App): HTMLElement {
  const button = el(
    'button',
    {
      class: 'tool',
      title: 'The cubes that fill the mesh (I)',
      click: () => app.look({ cells: !app.state.cells }),
    },
    'Cells',
  );
  app.store.on(['cells'], ({ cells }) => button.setAttribute('aria-pressed', String(cells)));
  return button;
}

function axes(app: App): HTMLElement {
  const group = el('div', { class: 'segments', role: 'radiogroup', 'aria-label': 'Slice' });
  for (const slice of ['off', ...kAxes] as ('off' | Axis)[])
    group.append(
      el(
        'button',
        {
          role: 'radio',
          'data-slice': slice,
          title: slice === 'off' ? 'No slice (P)' : `A slice across ${slice} (P)`,
          click: () => app.look({ slice }),
        },
        slice === 'off' ? 'No slice' : slice.toUpperCase(),
      ),
    );
  app.store.on(['slice'], ({ slice }) => {
    for (const button of group.children)
      button.setAttribute('aria-checked', String((button as HTMLElement).dataset.slice === slice));
  });
  return group;
}

function slider(app: App): HTMLElement[] {
  const range = el('input', {
    type: 'range',
    min: 0,
    max: kSteps,
    step: 1,
    'aria-label': 'Place of the slice',
  });
  range.addEventListener('input', () => app.look({ sliceAt: Number(range.value) / kSteps }));
  const place = el('output', { class: 'time' });
  app.store.on(['slice', 'sliceAt', 'layout'], ({ slice, sliceAt }) => {
    range.disabled = slice === 'off';
    range.value = String(Math.round(sliceAt * kSteps));
    const interior = shown(app)[0];
    const at = interior && slice !== 'off' ? interior.slice(slice, sliceAt).at : null;
    // What lies in the middle is at rounding, not at 1e-17.
    const near = at !== null && Math.abs(at) < 1e-6 * interior!.entry.cell_edge ? 0 : at;
    place.textContent = near === null ? 'no slice' : `${slice} = ${figure(near)}`;
    range.setAttribute('aria-valuetext', place.textContent);
  });
  return [range, place];
}

/// The interiors of the files that are shown, each once.
function shown(app: App) {
  const all = app.files.flatMap((file) => app.figures[file]!.interior?.interior ?? []);
  return [...new Set(all)];
}

function describe(app: App): string {
  const { bone, mode, slice } = app.state;
  const sentences = shown(app).map((interior) => {
    const { entry } = interior;
    const kinds = kKinds
      .map((kind, k) => ({ kind, count: interior.countOf(k) }))
      .filter(({ count }) => count > 0)
      .map(({ kind, count }) => `${figure(count)} ${kind}`);
    const places = entry.split_places;
    const shared = !places
      ? ''
      : `; parts only touch at ${places === 1 ? 'one place' : `${figure(places)} places`}`;
    const wide = figure(100 * entry.cell_size, 2);
    return `${figure(entry.cells)} cells, ${wide}% of the diagonal wide: ${kinds.join(', ')}${shared}.`;
  });
  const holdsNothing =
    slice !== 'off' &&
    bone !== null &&
    app.files.every((file) => {
      const { interior, character } = app.figures[file]!;
      const bones = character.standingFor(app.chosen(file));
      return !bones.some((b) => interior?.interior.weightsOfBone(b));
    });
  if (holdsNothing) sentences.unshift(`${bone} holds nothing of the interior.`);
  else if (slice !== 'off' && (mode === 'weights' || mode === 'bones'))
    sentences.unshift('Weights on the slice are solved inside (bbw), whatever the file’s are.');
  return sentences.join(' ');
}
