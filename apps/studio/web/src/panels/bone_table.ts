// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import type { App } from '../app';
import { el, figure } from '../dom';
import type { BoneEntry } from '../payload';

type Value = number | string | null;

interface Column {
  title: string;
  file: number; // -1: of no file
  value: (row: Row) => Value;
  bars?: boolean; // drawn as lengths too
}

interface Row {
  name: string;
  bones: (BoneEntry | null)[]; // per file
  element: HTMLTableRowElement;
}

/// One line per bone, sortable by every column. A click chooses the bone.
export function boneTable(app: App): HTMLElement {
  const { files } = app.payload;
  const listed = files.map((file) => file.bones.filter((bone) => bone.shown_for === undefined));
  const names = [...new Set(listed.flatMap((bones) => bones.map((bone) => bone.name)))];
  const rows: Row[] = names.map((name) => ({
    name,
    bones: listed.map((bones) => bones.find((bone) => bone.name === name) ?? null),
    element: el('tr'),
  }));
  const columns = makeColumns(app);
  const largest = columns.map((column) =>
    Math.max(...rows.map((row) => Number(column.value(row)) || 0), 1e-12),
  );
  for (const row of rows) {
    const cells = columns.map((column, c) => cell(app, column, row, largest[c]!));
    row.element.append(...cells);
    row.element.addEventListener('click', (event) => {
      if (!(event.target as HTMLElement).closest('button.to-pose')) app.choose(row.name);
    });
  }
  const body = el('tbody', {}, ...rows.map((row) => row.element));
  const heads = columns.map((column, c) => {
    const button = el(
      'button',
      {},
      column.file >= 0 && files.length > 1 ? files[column.file]!.label : column.title,
    );
    button.title = button.textContent ?? '';
    const head = el('th', { scope: 'col', 'aria-sort': 'none' }, button);
    button.setAttribute(
      'aria-label',
      `Sort by ${column.title}${column.file >= 0 && files.length > 1 ? ` of ${files[column.file]!.label}` : ''}`,
    );
    button.addEventListener('click', () => {
      const isDown = head.getAttribute('aria-sort') !== 'descending';
      heads.forEach((other) => other.setAttribute('aria-sort', 'none'));
      head.setAttribute('aria-sort', isDown ? 'descending' : 'ascending');
      body.append(...sorted(rows, columns[c]!, isDown).map((row) => row.element));
    });
    return head;
  });
  app.store.on(['bone'], (state) => {
    for (const row of rows)
      row.element.setAttribute('aria-selected', String(row.name === state.bone));
  });
  const table = el(
    'table',
    { class: 'bone-table' },
    el('thead', {}, files.length > 1 && groupHeads(columns), el('tr', {}, ...heads)),
    body,
  );
  return el(
    'section',
    { class: 'card', 'aria-label': 'Bones in figures' },
    el('h2', {}, 'Bone by bone'),
    el(
      'div',
      { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': 'Table of bones' },
      table,
    ),
  );
}

function makeColumns(app: App): Column[] {
  const { files, poses } = app.payload;
  const each = (title: string, key: 'dominated' | 'arap' | 'follow', bars = false): Column[] =>
    files.map((_, f) => ({
      title,
      file: f,
      bars,
      value: (row: Row) => row.bones[f]?.[key] ?? null,
    }));
  const worst = (row: Row) => {
    const last = [...row.bones]
      .reverse()
      .find((bone) => bone && typeof bone.worst_pose === 'number');
    return last ? (poses[last.worst_pose!]?.name ?? null) : null;
  };
  return [
    { title: 'Bone', file: -1, value: (row) => row.name },
    ...each('Vertices', 'dominated'),
    ...each('Distortion', 'arap', true),
    ...each('Follow', 'follow'),
    { title: 'Worst pose', file: -1, value: worst },
  ];
}

function groupHeads(columns: Column[]): HTMLElement {
  const row = el('tr', { class: 'groups' });
  for (let c = 0; c < columns.length; ) {
    let span = 1;
    while (c + span < columns.length && columns[c + span]!.title === columns[c]!.title) ++span;
    row.append(
      el(
        'th',
        { colspan: span, scope: 'colgroup' },
        columns[c]!.file >= 0 ? columns[c]!.title : '',
      ),
    );
    c += span;
  }
  return row;
}

function cell(app: App, column: Column, row: Row, largest: number): HTMLElement {
  const value = column.value(row);
  if (column.title === 'Bone') {
    const isControl = row.bones.every((bone) => !bone || !bone.deforms);
    return el(
      'th',
      { scope: 'row' },
      el('button', { class: 'bare', click: () => app.choose(row.name) }, row.name),
      isControl && el('small', {}, ' control'),
    );
  }
  if (column.title === 'Worst pose') {
    if (value === null) return el('td', {}, '–');
    const index = app.payload.poses.findIndex((pose) => pose.name === value);
    return el(
      'td',
      {},
      el(
        'button',
        {
          class: 'bare to-pose',
          click: () => {
            app.store.set({ base: { kind: 'pose', index }, playing: false, bone: row.name });
            app.frameChosen();
            window.scrollTo({ top: 0, behavior: 'smooth' });
          },
        },
        String(value),
      ),
    );
  }
  const share =
    column.bars && typeof value === 'number'
      ? `--share:${((100 * value) / largest).toFixed(1)}%`
      : '';
  return el(
    'td',
    { class: column.bars ? 'bar' : '', style: share || undefined },
    figure(value as number | null),
  );
}

function sorted(rows: Row[], column: Column, isDown: boolean): Row[] {
  const sign = isDown ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [x, y] = [column.value(a), column.value(b)];
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1; // unknown goes last
    return sign * (typeof x === 'string' ? x.localeCompare(String(y)) : x - Number(y));
  });
}
