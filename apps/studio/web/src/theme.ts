// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import type { Store } from './state';

const kQuery = '(prefers-color-scheme: dark)';

export function isDark(theme: 'auto' | 'light' | 'dark'): boolean {
  return theme === 'dark' || (theme === 'auto' && window.matchMedia(kQuery).matches);
}

/// Follows the system until somebody chooses.
export function followTheme(store: Store, changed: (dark: boolean) => void) {
  const update = () => {
    const dark = isDark(store.state.theme);
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    changed(dark);
  };
  store.on(['theme'], update);
  window.matchMedia(kQuery).addEventListener('change', update);
}

export function toggleTheme(store: Store) {
  store.set({ theme: isDark(store.state.theme) ? 'light' : 'dark' });
}
