// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// node obedience.mjs OUT.svg TRADE.csv: distortion against obedience for each character of the table, a panel each: the curve of
// the slider, and points for other weights. The table has character,kind,obedience,arap,follow; kind "soft" is the slider.
import { readFileSync, writeFileSync } from 'node:fs';

const [target, table] = process.argv.slice(2);
if (!target || !table) throw new Error('usage: obedience.mjs OUT.svg TRADE.csv');

const rows = readFileSync(table, 'utf8').trim().split('\n').slice(1).map((line) => {
  const [character, kind, obedience, arap, follow] = line.split(',');
  return { character, kind, obedience, arap: Number(arap), follow: Number(follow) };
});
const characters = [...new Set(rows.map((row) => row.character))];
const across = 3;
const panel = { width: 300, height: 250, left: 52, right: 14, top: 30, bottom: 42 };
const width = across * panel.width, height = Math.ceil(characters.length / across) * panel.height + 30;
// Okabe and Ito's colours, and a shape each, so that colour is not needed.
const marks = { artist: ['#D55E00', 'square'], blender: ['#E69F00', 'triangle'], paper: ['#009E73', 'diamond'],
                heat: ['#CC79A7', 'cross'] };

function mark(kind, x, y) {
  const [colour, shape] = marks[kind];
  if (shape === 'square') return `<rect x="${x - 5}" y="${y - 5}" width="10" height="10" fill="${colour}"/>`;
  if (shape === 'triangle') return `<path d="M${x},${y - 6} l6,11 h-12 z" fill="${colour}"/>`;
  if (shape === 'diamond') return `<path d="M${x},${y - 7} l6,7 l-6,7 l-6,-7 z" fill="${colour}"/>`;
  return `<path d="M${x - 5},${y - 5} l10,10 M${x - 5},${y + 5} l10,-10" stroke="${colour}" stroke-width="3"/>`;
}

const parts = [];
characters.forEach((character, index) => {
  const own = rows.filter((row) => row.character === character);
  const soft = own.filter((row) => row.kind === 'soft').sort((a, b) => a.obedience - b.obedience);
  // Weights that failed would flatten the rest: their mark is at the edge.
  const sound = own.filter((row) => row.kind !== 'blender');
  const most = Math.max(...sound.filter((row) => row.kind !== 'soft').map((row) => row.arap), soft.at(Math.floor(soft.length / 2)).arap * 2) * 1.15;
  const least = Math.min(...sound.map((row) => row.follow), 0.6) - 0.05;
  const left = (index % across) * panel.width + panel.left, top = Math.floor(index / across) * panel.height + panel.top;
  const right = left + panel.width - panel.left - panel.right, bottom = top + panel.height - panel.top - panel.bottom;
  const x = (follow) => left + ((Math.max(follow, least) - least) / (1 - least)) * (right - left);
  const y = (arap) => bottom - (Math.min(arap, most) / most) * (bottom - top);
  parts.push(`<rect x="${left}" y="${top}" width="${right - left}" height="${bottom - top}" fill="none" stroke="#999"/>`,
    `<text x="${(left + right) / 2}" y="${top - 8}" text-anchor="middle" font-weight="bold">${character}</text>`,
    `<text x="${left - 6}" y="${top + 8}" text-anchor="end">${most.toPrecision(2)}</text>`,
    `<text x="${left - 6}" y="${bottom}" text-anchor="end">0</text>`,
    `<text x="${left}" y="${bottom + 16}" text-anchor="middle">${least.toFixed(2)}</text>`,
    `<text x="${right}" y="${bottom + 16}" text-anchor="end">1</text>`,
    `<text x="${(left + right) / 2}" y="${bottom + 30}" text-anchor="middle">follow</text>`,
    `<text transform="translate(${left - 36},${(top + bottom) / 2}) rotate(-90)" text-anchor="middle">arap</text>`);
  const inside = soft.filter((row) => row.arap <= most);
  parts.push(`<polyline points="${inside.map((row) => `${x(row.follow).toFixed(1)},${y(row.arap).toFixed(1)}`).join(' ')}" fill="none" stroke="#0072B2" stroke-width="2"/>`);
  for (const row of inside) {
    const standard = Number(row.obedience) === 0.5;
    parts.push(`<circle cx="${x(row.follow).toFixed(1)}" cy="${y(row.arap).toFixed(1)}" r="${standard ? 6 : 3}" fill="#0072B2"/>`);
  }
  for (const row of own) if (row.kind !== 'soft') parts.push(mark(row.kind, x(row.follow), y(row.arap)));
});
const legend = height - 14;
let at = 60;
parts.push(`<circle cx="${at}" cy="${legend - 4}" r="6" fill="#0072B2"/><text x="${at + 12}" y="${legend}">--obedience 0.5, and 0 to 1 in tenths</text>`);
at += 290;
for (const kind of Object.keys(marks)) {
  parts.push(mark(kind, at, legend - 4), `<text x="${at + 12}" y="${legend}">${kind}</text>`);
  at += 110;
}
writeFileSync(target, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="white"/>
${parts.join('\n')}
</svg>
`);
