// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import { el, svg } from '../dom';

export interface Series {
  label: string;
  file: number; // gives the colour
  points: [number, number][];
}

export interface Axis {
  low: number;
  high: number;
  isLog: boolean;
  ticks: { at: number; label: string }[];
  title: string;
}

const kWidth = 560;
const kHeight = 250;
const kMargin = { left: 52, right: 14, top: 12, bottom: 40 };

/// Lines over two axes. Values are also told in words, for those who cannot see the picture.
/** A line and a label for each tick of both axes. */
function rules(
  x: Axis,
  y: Axis,
  toX: (v: number) => number,
  toY: (v: number) => number,
): SVGElement[] {
  const line = (x1: number, x2: number, y1: number, y2: number) =>
    svg('line', { x1, x2, y1, y2, class: 'rule' });
  const bottom = kHeight - kMargin.bottom;
  return [
    ...x.ticks.flatMap(({ at, label }) => [
      line(toX(at), toX(at), kMargin.top, bottom),
      svg('text', { x: toX(at), y: bottom + 16, 'text-anchor': 'middle' }, label),
    ]),
    ...y.ticks.flatMap(({ at, label }) => [
      line(kMargin.left, kWidth - kMargin.right, toY(at), toY(at)),
      svg('text', { x: kMargin.left - 8, y: toY(at) + 4, 'text-anchor': 'end' }, label),
    ]),
  ];
}

export function chart(
  title: string,
  words: string,
  series: Series[],
  x: Axis,
  y: Axis,
  isStep = false,
): HTMLElement {
  const toX = (v: number) =>
    kMargin.left + fraction(x, v) * (kWidth - kMargin.left - kMargin.right);
  const toY = (v: number) =>
    kHeight - kMargin.bottom - fraction(y, v) * (kHeight - kMargin.top - kMargin.bottom);
  const picture = svg('svg', {
    viewBox: `0 0 ${kWidth} ${kHeight}`,
    role: 'img',
    'aria-label': `${title}. ${words}`,
    class: 'chart',
  });
  picture.append(...rules(x, y, toX, toY));
  picture.append(
    svg(
      'text',
      {
        x: (kMargin.left + kWidth - kMargin.right) / 2,
        y: kHeight - 6,
        'text-anchor': 'middle',
        class: 'title',
      },
      x.title,
    ),
  );
  for (const { points, file } of series) {
    if (!points.length) continue;
    const path = points.map(([px, py], k) => {
      const at = `${toX(px).toFixed(1)} ${toY(py).toFixed(1)}`;
      if (k === 0) return `M${at}`;
      return isStep ? `H${toX(px).toFixed(1)} V${toY(py).toFixed(1)}` : `L${at}`;
    });
    picture.append(svg('path', { d: path.join(' '), class: `line key-${file % 6}` }));
  }
  const names = el(
    'div',
    { class: 'chart-key' },
    ...series.map(({ label, file }) =>
      el('span', {}, el('i', { class: `key key-${file % 6}` }), label),
    ),
  );
  return el(
    'figure',
    {},
    el('figcaption', {}, el('h2', {}, title), names),
    picture,
    el('p', { class: 'quiet' }, words),
  );
}

function fraction(axis: Axis, value: number): number {
  const map = axis.isLog ? Math.log : (v: number) => v;
  const clamped = Math.min(Math.max(value, axis.low), axis.high);
  return (map(clamped) - map(axis.low)) / (map(axis.high) - map(axis.low) || 1);
}
