// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import type { Axis } from './interior';
import type { BasePose } from './pose';
import type { RampName } from './ramps';

export type Mode = 'shaded' | 'weights' | 'bones' | 'influences' | 'distortion';

export const kModes: { mode: Mode; label: string; hint: string }[] = [
  { mode: 'shaded', label: 'Shaded', hint: 'The surface, plainly lit' },
  { mode: 'weights', label: 'Weights', hint: 'Weight of the chosen bone' },
  { mode: 'bones', label: 'Bones', hint: 'Every bone in its own colour' },
  { mode: 'influences', label: 'Influences', hint: 'How many bones move each vertex' },
  { mode: 'distortion', label: 'Distortion', hint: 'How far this pose is from locally rigid' },
];

/// What is shown of the interior.
export interface Slicing {
  cells: boolean;
  slice: 'off' | Axis;
  sliceAt: number; // from 0 to 1 through the cells
}

export interface ViewState extends Slicing {
  base: BasePose;
  mode: Mode;
  ramp: RampName;
  bone: string | null; // by name: files are looked at together
  layout: 'all' | number; // every file side by side, or one
  skeleton: boolean;
  wireframe: boolean;
  gizmo: boolean;
  playing: boolean;
  edits: number; // counts changes of joints by hand, so that panels can follow them
  distortionMax: number; // the value at the top of the ramp
  theme: 'auto' | 'light' | 'dark';
}

export type Key = keyof ViewState;
type Listener = (state: ViewState, changed: ReadonlySet<Key>) => void;

/// The one place where the view is described. Panels read it and ask for changes; none keeps its
/// own copy.
export class Store {
  private readonly listeners: { keys: ReadonlySet<Key>; listener: Listener }[] = [];

  constructor(readonly state: ViewState) {}

  on(keys: Key[], listener: Listener) {
    this.listeners.push({ keys: new Set(keys), listener });
    listener(this.state, new Set(keys));
  }

  set(patch: Partial<ViewState>) {
    const changed = new Set<Key>();
    for (const key of Object.keys(patch) as Key[])
      if (!same(this.state[key], patch[key])) {
        (this.state as unknown as Record<Key, unknown>)[key] = patch[key];
        changed.add(key);
      }
    if (!changed.size) return;
    for (const { keys, listener } of this.listeners)
      if ([...changed].some((key) => keys.has(key))) listener(this.state, changed);
  }
}

function same(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b));
}
