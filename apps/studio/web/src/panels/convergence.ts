// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import type { App } from '../app';
import { el, figure } from '../dom';
import { chart, type Series } from './chart';

/// Energy per iteration, where a log was given.
export function convergencePanel(app: App): HTMLElement | null {
  const series: Series[] = app.payload.files.flatMap((file, f) => {
    const points = (file.convergence ?? []).map(({ iteration, energy }): [number, number] => [
      iteration,
      energy,
    ]);
    return points.length > 1 ? [{ label: file.label, file: f, points }] : [];
  });
  if (!series.length) return null;
  const energies = series
    .flatMap(({ points }) => points.map(([, energy]) => energy))
    .filter((e) => e > 0);
  const last = Math.max(...series.flatMap(({ points }) => points.map(([iteration]) => iteration)));
  const [low, high] = [0.9 * Math.min(...energies), 1.1 * Math.max(...energies)];
  const words = series.map(
    ({ label, points }) =>
      `${label}: from ${figure(points[0]![1])} to ${figure(points.at(-1)![1])} in ${points.at(-1)![0]} iterations`,
  );
  const steps = [0, 0.25, 0.5, 0.75, 1].map((t) => Math.round(t * last));
  return el(
    'section',
    { class: 'card', 'aria-label': 'Convergence' },
    chart(
      'Convergence',
      `${words.join('; ')}.`,
      series,
      {
        low: 0,
        high: last,
        isLog: false,
        title: 'iteration',
        ticks: [...new Set(steps)].map((at) => ({ at, label: String(at) })),
      },
      {
        low,
        high,
        isLog: true,
        title: 'energy',
        ticks: [low, Math.sqrt(low * high), high].map((at) => ({ at, label: figure(at, 2) })),
      },
    ),
  );
}
