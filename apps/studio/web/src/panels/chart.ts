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
  for (const { at, label } of x.ticks) {
    picture.append(
      svg('line', {
        x1: toX(at),
        x2: toX(at),
        y1: kMargin.top,
        y2: kHeight - kMargin.bottom,
        class: 'rule',
      }),
    );
    picture.append(
      svg('text', { x: toX(at), y: kHeight - kMargin.bottom + 16, 'text-anchor': 'middle' }, label),
    );
  }
  for (const { at, label } of y.ticks) {
    picture.append(
      svg('line', {
        x1: kMargin.left,
        x2: kWidth - kMargin.right,
        y1: toY(at),
        y2: toY(at),
        class: 'rule',
      }),
    );
    picture.append(
      svg('text', { x: kMargin.left - 8, y: toY(at) + 4, 'text-anchor': 'end' }, label),
    );
  }
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
