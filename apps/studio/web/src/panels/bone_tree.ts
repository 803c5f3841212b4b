// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import type { App } from '../app';
import { el } from '../dom';
import type { BoneEntry } from '../payload';
import { hierarchyOrder } from '../pose';
import { boneColour, css } from '../ramps';

interface Row {
  name: string;
  level: number;
  parent: number; // row; -1 is none
  deforms: boolean;
  element: HTMLElement;
  isOpen: boolean;
  hasChildren: boolean;
}

/// The bones as a tree with a search field. Follows the usual keys of trees.
export function boneTree(app: App): { element: HTMLElement; search: HTMLInputElement } {
  const list = el('ul', { role: 'tree', 'aria-label': 'Bones', class: 'tree' });
  const search = el('input', {
    type: 'search',
    placeholder: 'Find a bone',
    'aria-label': 'Find a bone',
    spellcheck: 'false',
  });
  const rows = makeRows(app);
  const refresh = () => show(rows, search.value.trim().toLowerCase());
  rows.forEach((row, r) => {
    list.append(row.element);
    row.element.addEventListener('click', (event) => {
      if ((event.target as HTMLElement).closest('.twist')) {
        row.isOpen = !row.isOpen;
        refresh();
      } else app.choose(row.name);
      focusRow(rows, r);
    });
    row.element.addEventListener('dblclick', () => app.frameChosen());
    row.element.addEventListener('keydown', (event) => {
      if (onKey(app, rows, r, event)) {
        event.preventDefault();
        event.stopPropagation();
        refresh();
      }
    });
  });
  search.addEventListener('input', refresh);
  search.addEventListener('keydown', (event) => {
    const first = rows.findIndex(
      (row) => !row.element.hidden && row.element.classList.contains('found'),
    );
    if (event.key === 'Enter' && first >= 0) app.choose(rows[first]!.name);
    if (event.key === 'Escape') {
      search.value = '';
      refresh();
      search.blur();
    }
    if (event.key === 'ArrowDown') focusRow(rows, Math.max(first, 0));
    event.stopPropagation();
  });
  app.store.on(['bone'], (state) => {
    rows.forEach((row, r) => {
      const isChosen = row.name === state.bone;
      row.element.setAttribute('aria-selected', String(isChosen));
      if (!isChosen) return;
      for (let up = row.parent; up >= 0; up = rows[up]!.parent) rows[up]!.isOpen = true;
      refresh();
      row.element.scrollIntoView({ block: 'nearest' });
      rows.forEach((other, o) => (other.element.tabIndex = o === r ? 0 : -1));
    });
  });
  refresh();
  const count = el('span', { class: 'count' }, String(rows.length));
  const element = el(
    'aside',
    { class: 'bones', 'aria-label': 'Skeleton' },
    el('h2', {}, 'Bones', count),
    search,
    list,
  );
  return { element, search };
}

/// The bones of the first file, then those that only other files have.
function makeRows(app: App): Row[] {
  const bones = app.payload.files[0]!.bones;
  const rows: Row[] = [];
  const rowOf = new Map<number, number>();
  const isListed = (bone: BoneEntry) => bone.shown_for === undefined;
  const children = bones.map(
    (_, b) => bones.filter((bone) => bone.parent === b && isListed(bone)).length,
  );
  const visit = depthFirst(bones.map((bone) => bone.parent));
  for (const b of visit) {
    const bone = bones[b]!;
    if (!isListed(bone)) continue;
    const parent = bone.parent >= 0 ? (rowOf.get(bone.parent) ?? -1) : -1;
    rowOf.set(b, rows.length);
    rows.push(
      makeRow(
        bone.name,
        parent >= 0 ? rows[parent]!.level + 1 : 1,
        parent,
        bone.deforms,
        children[b]! > 0,
        b,
      ),
    );
  }
  const known = new Set(bones.filter(isListed).map((bone) => bone.name));
  for (const file of app.payload.files.slice(1))
    file.bones.forEach((bone, b) => {
      if (known.has(bone.name) || !isListed(bone)) return;
      known.add(bone.name);
      rows.push(makeRow(bone.name, 1, -1, bone.deforms, false, b));
    });
  if (rows[0]) rows[0].element.tabIndex = 0;
  return rows;
}

function depthFirst(parents: number[]): number[] {
  const children: number[][] = parents.map(() => []);
  const roots: number[] = [];
  parents.forEach((p, b) => (p >= 0 ? children[p]!.push(b) : roots.push(b)));
  const out: number[] = [];
  const stack = roots.reverse();
  while (stack.length) {
    const b = stack.pop()!;
    out.push(b);
    stack.push(...children[b]!.slice().reverse());
  }
  return out.length === parents.length ? out : hierarchyOrder(parents);
}

function makeRow(
  name: string,
  level: number,
  parent: number,
  deforms: boolean,
  hasChildren: boolean,
  index: number,
): Row {
  const dot = el('span', { class: 'dot', style: `background:${css(boneColour(index))}` });
  const element = el(
    'li',
    {
      role: 'treeitem',
      'aria-level': level,
      'aria-selected': 'false',
      'aria-label': deforms ? name : `${name}, does not deform`,
      tabindex: -1,
      class: deforms ? '' : 'control',
      style: `--level:${level - 1}`,
      title: deforms ? name : `${name}: does not deform`,
    },
    el('span', { class: hasChildren ? 'twist' : 'twist none', 'aria-hidden': 'true' }),
    dot,
    el('span', { class: 'name' }, name),
  );
  return { name, level, parent, deforms, element, isOpen: true, hasChildren };
}

function show(rows: Row[], query: string) {
  const wanted = new Set<number>();
  rows.forEach((row, r) => {
    const isFound = query !== '' && row.name.toLowerCase().includes(query);
    row.element.classList.toggle('found', isFound);
    for (let up = r; isFound && up >= 0; up = rows[up]!.parent) wanted.add(up);
  });
  rows.forEach((row, r) => {
    let isOpen = true;
    for (let up = row.parent; up >= 0; up = rows[up]!.parent) isOpen &&= rows[up]!.isOpen;
    row.element.hidden = query ? !wanted.has(r) : !isOpen;
    if (row.hasChildren)
      row.element.setAttribute('aria-expanded', String(query ? true : row.isOpen));
  });
}

function focusRow(rows: Row[], r: number) {
  rows.forEach((row, o) => (row.element.tabIndex = o === r ? 0 : -1));
  rows[r]?.element.focus();
}

function onKey(app: App, rows: Row[], r: number, event: KeyboardEvent): boolean {
  const row = rows[r]!;
  const next = (from: number, by: number) => {
    for (let k = from + by; k >= 0 && k < rows.length; k += by)
      if (!rows[k]!.element.hidden) return k;
    return from;
  };
  switch (event.key) {
    case 'ArrowDown':
      focusRow(rows, next(r, 1));
      return true;
    case 'ArrowUp':
      focusRow(rows, next(r, -1));
      return true;
    case 'ArrowRight':
      if (row.hasChildren && row.isOpen) focusRow(rows, next(r, 1));
      row.isOpen = true;
      return true;
    case 'ArrowLeft':
      if (row.hasChildren && row.isOpen) row.isOpen = false;
      else if (row.parent >= 0) focusRow(rows, row.parent);
      return true;
    case 'Enter':
    case ' ':
      app.choose(row.name);
      return true;
    default:
      return false;
  }
}
