// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import type { App } from '../app';
import { el } from '../dom';
import type { WarningEntry } from '../payload';

const kSigns = { error: '✕', warning: '!', note: 'i' };
const kRank = { error: 0, warning: 1, note: 2 };

/// Warnings in plain words. Those with a place can be clicked, and the view goes there.
export function warningsPanel(app: App): HTMLElement {
  const { files } = app.payload;
  const all = files.flatMap((file, f) => file.warnings.map((warning) => ({ warning, f })));
  for (const [f, file] of files.entries())
    if (file.textures_note)
      all.push({ f, warning: { level: 'note', code: 'textures', message: file.textures_note } });
  all.sort((a, b) => kRank[a.warning.level] - kRank[b.warning.level]);
  const items = all.map(({ warning, f }) => el('li', {}, item(app, warning, f)));
  const list = items.length
    ? el('ul', { class: 'warnings' }, ...items)
    : el('p', { class: 'quiet' }, 'Nothing to warn about.');
  return el(
    'section',
    { 'aria-label': 'Warnings', class: 'grow' },
    el(
      'h2',
      {},
      'Warnings',
      el('span', { class: 'count' }, String(all.filter((w) => w.warning.level !== 'note').length)),
    ),
    list,
  );
}

function item(app: App, warning: WarningEntry, file: number): HTMLElement {
  const sign = el(
    'span',
    { class: `sign ${warning.level}`, role: 'img', 'aria-label': warning.level },
    kSigns[warning.level],
  );
  const label = app.payload.files.length > 1 ? el('em', {}, app.payload.files[file]!.label) : null;
  const text = el('span', { class: 'words' }, label, warning.message);
  if (!warning.at && warning.bone === undefined) return el('div', { class: 'warning' }, sign, text);
  return el(
    'button',
    { class: 'warning', title: 'Show the place', click: () => goTo(app, warning, file) },
    sign,
    text,
  );
}

function goTo(app: App, warning: WarningEntry, file: number) {
  if (app.state.layout !== 'all') app.store.set({ layout: file });
  const bone =
    warning.bone === undefined ? undefined : app.payload.files[file]!.bones[warning.bone];
  if (bone) app.choose(bone.name, file);
  else app.activeFile = file;
  if (warning.code.includes('influence') || warning.code.includes('unweighted'))
    app.store.set({ mode: 'influences' });
  if (warning.at) app.framePlace(file, warning.at);
  else app.frameChosen();
}
