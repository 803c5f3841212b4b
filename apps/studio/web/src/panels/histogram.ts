// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import type { App } from '../app';
import { el, figure } from '../dom';
import { chart, type Series } from './chart';

const kLow = 1e-5;
const kHigh = 2;
const kBins = 40;
const kWaitMs = 250; // while a clip plays nobody reads it

/// How much of the surface is distorted how much, in the pose that is shown.
export function histogramPanel(app: App): HTMLElement {
  const section = el('section', { class: 'card', 'aria-label': 'Histogram of distortion' });
  let timer = 0;
  let isSeen = false;
  const draw = () => {
    if (isSeen) section.replaceChildren(histogram(app));
  };
  const soon = () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(draw, kWaitMs);
  };
  new IntersectionObserver((entries) => {
    isSeen = entries.some((entry) => entry.isIntersecting);
    if (isSeen) soon();
  }).observe(section);
  section.replaceChildren(
    el('h2', {}, 'Distortion over the surface'),
    el('div', { class: 'chart empty' }),
  );
  app.onPosed.push(soon);
  return section;
}

function histogram(app: App): HTMLElement {
  const isRest = app.state.base.kind === 'rest' && app.poser.edits.size === 0;
  const found = app.figures.map((_, f) => given(app, f, isRest) ?? computed(app, f));
  const shares = found.map(({ points }) => points);
  const high = Math.max(...shares.flat().map(([, y]) => y), 0.02);
  const series: Series[] = shares.map((points, f) => ({
    label: app.payload.files[f]!.label,
    file: f,
    points,
  }));
  const totals = app.figures.map(
    (fig, f) => `${app.payload.files[f]!.label} ${figure(fig.distortion().total)}`,
  );
  const stiff = found.map(
    ({ rigid }, f) => `${app.payload.files[f]!.label} ${Math.round(100 * rigid)}%`,
  );
  const words = `Mean in this pose: ${totals.join(', ')}. Not distorted at all: ${stiff.join(', ')} of the surface.`;
  return chart(
    'Distortion over the surface',
    words,
    series,
    {
      low: kLow,
      high: kHigh,
      isLog: true,
      title: 'local distortion',
      ticks: [1e-5, 1e-4, 1e-3, 0.01, 0.1, 1].map((at) => ({
        at,
        label: at < 1e-3 ? at.toExponential(0).replace('e-', 'e−') : String(at),
      })),
    },
    {
      low: 0,
      high,
      isLog: false,
      title: 'share',
      ticks: [0, high / 2, high].map((at) => ({
        at,
        label: `${(100 * at).toFixed(at > 0 && high < 0.1 ? 1 : 0)}%`,
      })),
    },
    true,
  );
}

interface Shares {
  rigid: number; // of the surface, below the scale
  points: [number, number][];
}

/// A histogram of the report counts for the rest pose only: it says nothing about another one.
function given(app: App, file: number, isRest: boolean): Shares | null {
  const entry = app.payload.files[file]!.histogram;
  if (!entry || !isRest) return null;
  const sum = entry.areas.reduce((a, b) => a + b, 0) || 1;
  const rigid =
    entry.areas.reduce((part, area, k) => part + (entry.edges[k + 1]! <= kLow ? area : 0), 0) / sum;
  return {
    rigid,
    points: entry.areas.map((area, k) => [Math.max(entry.edges[k]!, kLow), area / sum]),
  };
}

function computed(app: App, file: number): Shares {
  const distortion = app.figures[file]!.distortion();
  const bins = new Float64Array(kBins);
  let sum = 0;
  let rigid = 0;
  const span = Math.log(kHigh / kLow);
  distortion.perPlace.forEach((value, i) => {
    const area = distortion.areaPerPlace[i]!;
    sum += area;
    if (value < kLow) {
      rigid += area; // a bar of its own would flatten all others
      return;
    }
    const bin = Math.floor((kBins * Math.log(Math.max(value, kLow) / kLow)) / span);
    bins[Math.min(Math.max(bin, 0), kBins - 1)]! += area;
  });
  const all = sum || 1;
  return {
    rigid: rigid / all,
    points: [...bins].map((area, k) => [kLow * Math.exp((span * k) / kBins), area / all]),
  };
}
