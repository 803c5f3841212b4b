// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// node convergence.mjs OUT.svg LOG.csv...: the energy of each log over its steps, as one picture. Edits are marked by lines.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

const [target, ...logs] = process.argv.slice(2);
if (!target || logs.length === 0) throw new Error('usage: convergence.mjs OUT.svg LOG.csv...');

const width = 720, height = 400;
const frame = { left: 70, right: 150, top: 20, bottom: 50 };
// Okabe and Ito's colours: told apart by colour-blind people too. Dashes help where there is no colour.
const colours = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', '#56B4E9'];
const dashes = ['', '7 4', '2 3', '10 3 2 3'];

const curves = logs.map((path) => {
  const [head, ...rows] = readFileSync(path, 'utf8').trim().split('\n');
  const columns = head.split(',');
  // The name of the character comes first and may hold commas; numbers are counted from the end.
  const at = (row, column) => Number(row.split(',').at(columns.indexOf(column) - columns.length));
  return { name: basename(path, '.csv'),
           points: rows.map((row) => ({ x: at(row, 'iteration'), y: at(row, 'energy') })),
           // An edit is made between the step before and the row that names it.
           edits: rows.filter((row) => columns.at(-1) === 'edit' && row.split(',').at(-1) !== '')
             .map((row) => ({ x: at(row, 'iteration') - 1, what: row.split(',').at(-1) })) };
});

const points = curves.flatMap((curve) => curve.points);
const lastStep = Math.max(1, ...points.map((p) => p.x));
const low = Math.floor(Math.log10(Math.min(...points.map((p) => p.y))) * 2) / 2;
const high = Math.ceil(Math.log10(Math.max(...points.map((p) => p.y))) * 2) / 2;
const x = (step) => frame.left + (step / lastStep) * (width - frame.left - frame.right);
const y = (energy) =>
  frame.top + ((high - Math.log10(energy)) / (high - low || 1)) * (height - frame.top - frame.bottom);

const parts = [];
for (let exponent = low; exponent <= high + 1e-9; exponent += 0.5) {
  const value = 10 ** exponent;
  parts.push(`<line x1="${frame.left}" x2="${width - frame.right}" y1="${y(value)}" y2="${y(value)}" stroke="#ccc"/>`,
    `<text x="${frame.left - 8}" y="${y(value) + 4}" text-anchor="end">${value.toPrecision(2)}</text>`);
}
const stride = Math.max(1, Math.ceil(lastStep / 10));
for (let step = 0; step <= lastStep; step += stride)
  parts.push(`<text x="${x(step)}" y="${height - frame.bottom + 20}" text-anchor="middle">${step}</text>`);
parts.push(`<text x="${(frame.left + width - frame.right) / 2}" y="${height - 10}" text-anchor="middle">step</text>`,
  `<text transform="rotate(-90)" x="${-height / 2 + 15}" y="16" text-anchor="middle">distortion on the exemplars (log)</text>`);
curves.forEach((curve, index) => {
  const colour = colours[index % colours.length];
  const path = curve.points.map((p) => `${x(p.x).toFixed(1)},${y(p.y).toFixed(1)}`).join(' ');
  parts.push(`<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2" stroke-dasharray="${dashes[index % dashes.length]}"/>`);
  const legend = frame.top + 20 + 22 * index;
  parts.push(`<line x1="${width - frame.right + 15}" x2="${width - frame.right + 45}" y1="${legend - 4}" y2="${legend - 4}" stroke="${colour}" stroke-width="2" stroke-dasharray="${dashes[index % dashes.length]}"/>`,
    `<text x="${width - frame.right + 52}" y="${legend}">${curve.name.replace(/[<&>]/g, '')}</text>`);
});
const escaped = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
curves.flatMap((curve, index) => curve.edits.map((edit) => ({ ...edit, index }))).forEach((edit, row) => {
  const colour = colours[edit.index % colours.length];
  parts.push(`<line x1="${x(edit.x)}" x2="${x(edit.x)}" y1="${frame.top}" y2="${height - frame.bottom}" stroke="${colour}" stroke-dasharray="3 3"/>`,
    `<text x="${x(edit.x) + 5}" y="${frame.top + 14 + 16 * row}" fill="${colour}">${escaped(edit.what)}</text>`);
});
writeFileSync(target, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"
  font-family="sans-serif" font-size="13" fill="#222"><rect width="100%" height="100%" fill="#fff"/>
${parts.join('\n')}
</svg>
`);
