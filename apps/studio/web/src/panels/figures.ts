// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import type { App } from '../app';
import { el, figure } from '../dom';
import type { Figures } from '../payload';

interface Line {
  key: keyof Figures;
  label: string;
  hint: string;
  better: 'lower' | 'neither';
  unit?: string;
}

const kLines: Line[] = [
  {
    key: 'arap',
    label: 'Distortion',
    better: 'lower',
    hint: 'arap: mean over random poses; 0 is rigid',
  },
  {
    key: 'arap_worst',
    label: 'worst pose',
    better: 'lower',
    hint: 'arap of the worst random pose',
  },
  {
    key: 'clips',
    label: 'in clips',
    better: 'lower',
    hint: 'arap over moments of the file’s own clips',
  },
  {
    key: 'worst_bone',
    label: 'worst bone',
    better: 'lower',
    hint: 'the largest arap of what one bone dominates',
  },
  {
    key: 'limb',
    label: 'Limbs',
    better: 'lower',
    hint: 'arap of the worst place over poses of limbs',
  },
  {
    key: 'stolen',
    label: 'Stolen',
    better: 'lower',
    unit: '%',
    hint: 'skin that was a bone’s beyond doubt, and is led by another',
  },
  {
    key: 'head',
    label: 'Head',
    better: 'lower',
    unit: '%',
    hint: 'skin of the head that goes elsewhere',
  },
  {
    key: 'folded',
    label: 'Folded',
    better: 'lower',
    unit: '%',
    hint: 'creases around a raised arm',
  },
  {
    key: 'worse',
    label: 'Worse',
    better: 'lower',
    unit: '%',
    hint: 'skin that distorts more than twice as much as in the first',
  },
  {
    key: 'apart',
    label: 'Apart',
    better: 'lower',
    unit: '%',
    hint: 'how much farther lips, lids and layers come apart than in the first, in percent of the size',
  },
  {
    key: 'sunk',
    label: 'Sunk',
    better: 'lower',
    unit: '%',
    hint: 'how many more places sink into what they lie on than in the first',
  },
  {
    key: 'follow',
    label: 'Follow',
    better: 'neither',
    hint: 'how well the flesh obeys its bone; more than an artist’s is not better',
  },
  {
    key: 'follow_min',
    label: 'least bone',
    better: 'neither',
    hint: 'follow of the least obedient bone',
  },
  {
    key: 'drift',
    label: 'Drift',
    better: 'lower',
    unit: '%',
    hint: 'how far separate parts come apart, in percent of the size',
  },
  {
    key: 'islands',
    label: 'Islands',
    better: 'lower',
    hint: 'stray patches of a bone’s influence',
  },
  {
    key: 'rough',
    label: 'Roughness',
    better: 'lower',
    hint: '99.9th percentile of a weight’s difference from its neighbours',
  },
  {
    key: 'dead',
    label: 'Dead bones',
    better: 'lower',
    hint: 'deforming bones that hold no vertex',
  },
  {
    key: 'lost',
    label: 'Lost bones',
    better: 'lower',
    hint: 'bones that hold less than half of what they held',
  },
  {
    key: 'max_influences',
    label: 'Influences',
    better: 'neither',
    hint: 'most bones on one vertex',
  },
  { key: 'unweighted', label: 'Unweighted', better: 'lower', hint: 'vertices without any weight' },
  { key: 'seconds', label: 'Time', better: 'lower', unit: ' s', hint: 'seconds it took' },
];

const kSameRel = 0.005; // less than half a percent is no change

/// The figures of all files beside each other. Arrows compare with the first file.
export function figuresPanel(app: App): HTMLElement {
  const { files } = app.payload;
  const known = kLines.filter(({ key }) =>
    files.some((file) => typeof file.figures[key] === 'number'),
  );
  const head = el(
    'tr',
    {},
    el('th', { scope: 'col' }, el('span', { class: 'unseen' }, 'Figure')),
    ...files.map((file, f) =>
      el(
        'th',
        { scope: 'col', title: file.name },
        el('i', { class: `key key-${f % 6}` }),
        file.label,
      ),
    ),
  );
  const body = known.map((line) =>
    el(
      'tr',
      { title: line.hint },
      el('th', { scope: 'row', class: /^[a-z]/.test(line.label) ? 'minor' : '' }, line.label),
      ...files.map((file, f) => cell(line, file.figures[line.key], files[0]!.figures[line.key], f)),
    ),
  );
  const table = el('table', { class: 'figures' }, el('thead', {}, head), el('tbody', {}, ...body));
  const failed = files
    .filter((file) => file.failed)
    .map((file) =>
      el('p', { class: 'failed' }, el('strong', {}, `${file.label} failed: `), file.failed!),
    );
  return el(
    'section',
    { 'aria-label': 'Figures' },
    el('h2', {}, 'Figures'),
    el('div', { class: 'scroll-x' }, table),
    ...failed,
  );
}

function cell(
  line: Line,
  value: number | null | undefined,
  first: number | null | undefined,
  file: number,
): HTMLElement {
  const text = figure(value) + (typeof value === 'number' ? (line.unit ?? '') : '');
  const change =
    file > 0 && typeof value === 'number' && typeof first === 'number'
      ? compare(line, value, first)
      : null;
  return el(
    'td',
    {},
    text,
    change &&
      el(
        'span',
        {
          class: `arrow ${change.kind}`,
          title: change.words,
          role: 'img',
          'aria-label': change.words,
        },
        change.arrow,
      ),
  );
}

function compare(line: Line, value: number, first: number) {
  const scale = Math.max(Math.abs(value), Math.abs(first));
  if (Math.abs(value - first) <= kSameRel * scale)
    return { arrow: '=', kind: 'same', words: 'as in the first' };
  const isHigher = value > first;
  const arrow = isHigher ? '▲' : '▼';
  const ratio = first !== 0 ? ` to ${Math.round((100 * value) / first)}% of the first` : '';
  const words = `${isHigher ? 'up' : 'down'}${ratio}`;
  if (line.better === 'neither') return { arrow, kind: 'same', words };
  const isBetter = !isHigher;
  return {
    arrow,
    kind: isBetter ? 'good' : 'bad',
    words: `${isBetter ? 'better' : 'worse'}: ${words}`,
  };
}
