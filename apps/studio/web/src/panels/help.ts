// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import { el } from '../dom';
import { kShortcuts } from '../shortcuts';

/// The list of keys, over the page. The dialog element keeps the focus inside and closes on Escape.
export function helpOverlay(): HTMLDialogElement {
  const groups = [...new Set(kShortcuts.map((shortcut) => shortcut.group))];
  const lists = groups.map((group) =>
    el(
      'section',
      {},
      el('h3', {}, group),
      el(
        'dl',
        {},
        ...kShortcuts
          .filter((shortcut) => shortcut.group === group)
          .map(({ keys, what }) =>
            el(
              'div',
              {},
              el('dt', {}, ...keys.map((key) => el('kbd', {}, key))),
              el('dd', {}, what),
            ),
          ),
      ),
    ),
  );
  const dialog = el(
    'dialog',
    { class: 'help', 'aria-label': 'Keyboard and mouse' },
    el(
      'header',
      {},
      el('h2', {}, 'Keyboard and mouse'),
      el('button', { class: 'tool', 'aria-label': 'Close', click: () => dialog.close() }, '✕'),
    ),
    el('div', { class: 'help-groups' }, ...lists),
  );
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  return dialog;
}

export function toggleHelp(dialog: HTMLDialogElement) {
  if (dialog.open) dialog.close();
  else dialog.showModal();
}
