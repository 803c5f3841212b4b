// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT

type Attributes = Record<string, string | number | boolean | ((event: never) => void) | undefined>;
type Child = Node | string | null | undefined | false;

/// Makes an element. Attributes that are functions are listeners: { click: () => ... }. Text goes
/// in as text, never as markup: names come from files of others.
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  apply(made, attributes);
  made.append(...children.filter((c): c is Node | string => !!c));
  return made;
}

export function svg(tag: string, attributes: Attributes = {}, ...children: Child[]): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  apply(made, attributes);
  made.append(...children.filter((c): c is Node | string => !!c));
  return made;
}

function apply(element: Element, attributes: Attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name, value as EventListener);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
}

/// A line icon of 16 units, from one path.
export function icon(path: string): SVGElement {
  return svg(
    'svg',
    { viewBox: '0 0 16 16', class: 'icon', 'aria-hidden': 'true' },
    svg('path', { d: path }),
  );
}

/// A number as people read it: three digits, no exponents where they can be helped.
export function figure(value: number | null | undefined, digits = 3): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  if (Number.isInteger(value) && Math.abs(value) < 1e7) return value.toLocaleString('en');
  const size = Math.abs(value);
  if (size < 1e-4) return value.toExponential(1).replace('e-', 'e−');
  return size >= 1000
    ? Math.round(value).toLocaleString('en')
    : String(Number(value.toPrecision(digits)));
}
