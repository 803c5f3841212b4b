// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import type { App } from './app';
import { kAxes } from './interior';
import type { RampName } from './ramps';
import { kModes } from './state';

export interface Shortcut {
  group: string;
  keys: string[]; // as shown
  what: string;
}

export const kShortcuts: Shortcut[] = [
  { group: 'View', keys: ['drag'], what: 'Orbit' },
  { group: 'View', keys: ['right drag'], what: 'Pan' },
  { group: 'View', keys: ['wheel'], what: 'Zoom' },
  { group: 'View', keys: ['←', '→', '↑', '↓'], what: 'Orbit, while no bone is chosen' },
  { group: 'View', keys: ['+', '–'], what: 'Zoom' },
  { group: 'View', keys: ['F'], what: 'Frame the chosen bone' },
  { group: 'View', keys: ['A'], what: 'Frame everything' },
  { group: 'View', keys: ['V'], what: 'Next file, or side by side' },
  { group: 'Show', keys: ['1', '–', '5'], what: 'Shaded, weights, bones, influences, distortion' },
  { group: 'Show', keys: ['S'], what: 'Skeleton' },
  { group: 'Show', keys: ['W'], what: 'Wireframe' },
  { group: 'Show', keys: ['I'], what: 'Cells of the interior' },
  { group: 'Show', keys: ['P'], what: 'Slice the interior: across x, y, z, or not' },
  { group: 'Show', keys: ['C'], what: 'Next colour ramp' },
  { group: 'Show', keys: ['T'], what: 'Light or dark' },
  { group: 'Bones', keys: ['click'], what: 'Choose a bone, or the bone of the surface' },
  { group: 'Bones', keys: ['/'], what: 'Find a bone' },
  { group: 'Bones', keys: ['R'], what: 'Rings to turn the chosen joint' },
  { group: 'Bones', keys: ['←', '→'], what: 'Turn it in the picture’s plane' },
  { group: 'Bones', keys: ['↑', '↓'], what: 'Turn it towards you or away' },
  { group: 'Bones', keys: ['Shift', '←', '→'], what: 'Twist it about itself' },
  { group: 'Bones', keys: ['Shift', '0'], what: 'Undo turns by hand' },
  { group: 'Bones', keys: ['Esc'], what: 'Choose none' },
  { group: 'Pose', keys: ['Space'], what: 'Play or pause' },
  { group: 'Pose', keys: [',', '.'], what: 'A frame back or on' },
  { group: 'Pose', keys: ['[', ']'], what: 'Previous or next pose' },
  { group: 'Pose', keys: ['X'], what: 'The worst pose and place' },
  { group: 'Pose', keys: ['0'], what: 'Rest pose' },
  { group: 'Pose', keys: ['?'], what: 'This list' },
];

const kTurnDegrees = 5;
const kOrbitRad = Math.PI / 24;
const kZoomStep = 1.15;
const kFrameSeconds = 1 / 30;
const kSlices = ['off', ...kAxes] as const;
const kRamps: RampName[] = ['dusk', 'safe', 'blender', 'grey'];

export interface Actions {
  help: () => void;
  search: () => void;
  theme: () => void;
}

/// Keys for the whole page. Fields and lists that use a key themselves keep it.
export function listenToKeys(app: App, actions: Actions) {
  window.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    if (target.closest('input, select, textarea, dialog') && event.key !== '?') return;
    if (event.key === ' ' && target.closest('button, a')) return; // it presses the button
    if (event.key.startsWith('Arrow') && !target.closest('.stage')) return; // they scroll the page
    if (onKey(app, actions, event)) event.preventDefault();
  });
}

function onKey(app: App, actions: Actions, event: KeyboardEvent): boolean {
  const { store, state } = app;
  const isTurning = state.bone !== null && event.key.startsWith('Arrow');
  if (isTurning) return turn(app, event);
  if (event.key >= '1' && event.key <= String(kModes.length)) {
    store.set({ mode: kModes[Number(event.key) - 1]!.mode });
    return true;
  }
  if (event.shiftKey && event.code === 'Digit0') {
    app.clearTurns();
    return true;
  }
  const actionsByKey: Record<string, () => unknown> = {
    ArrowLeft: () => app.stage.orbit(-kOrbitRad, 0),
    ArrowRight: () => app.stage.orbit(kOrbitRad, 0),
    ArrowUp: () => app.stage.orbit(0, -kOrbitRad),
    ArrowDown: () => app.stage.orbit(0, kOrbitRad),
    '+': () => app.stage.orbit(0, 0, 1 / kZoomStep),
    '=': () => app.stage.orbit(0, 0, 1 / kZoomStep), // the same key without Shift
    '-': () => app.stage.orbit(0, 0, kZoomStep),
    f: () => app.frameChosen(),
    a: () => app.frameAll(),
    v: () => nextLayout(app),
    s: () => store.set({ skeleton: !state.skeleton }),
    w: () => store.set({ wireframe: !state.wireframe }),
    r: () => store.set({ gizmo: !state.gizmo }),
    c: () => store.set({ ramp: kRamps[after(kRamps, state.ramp)]! }),
    t: actions.theme,
    i: () => app.hasInterior && app.look({ cells: !state.cells }),
    p: () => app.hasInterior && app.look({ slice: kSlices[after(kSlices, state.slice)]! }),
    x: () => app.showWorst(),
    '/': actions.search,
    '?': actions.help,
    ' ': () => store.set({ playing: !state.playing }),
    ',': () => scrub(app, -kFrameSeconds),
    '.': () => scrub(app, kFrameSeconds),
    '[': () => app.stepPose(-1),
    ']': () => app.stepPose(1),
    '0': () => store.set({ base: { kind: 'rest' }, playing: false }),
    Escape: () => store.set({ bone: null }),
  };
  const action = actionsByKey[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  action?.();
  return !!action;
}

/// The index that follows, around.
function after<T>(list: readonly T[], now: T): number {
  return (list.indexOf(now) + 1) % list.length;
}

function turn(app: App, event: KeyboardEvent): boolean {
  const sign = event.key === 'ArrowLeft' || event.key === 'ArrowUp' ? 1 : -1;
  const isSideways = event.key === 'ArrowLeft' || event.key === 'ArrowRight';
  const about = isSideways ? (event.shiftKey ? 'bone' : 'view') : 'side';
  app.turnChosen(about, (about === 'side' ? -sign : sign) * kTurnDegrees);
  return true;
}

function scrub(app: App, seconds: number) {
  const { base } = app.state;
  const name = base.kind === 'clip' ? base.name : app.clipNames()[0];
  if (name === undefined) return;
  const { start, end } = app.clipSpan(name);
  const time = (base.kind === 'clip' ? base.time : start) + seconds;
  app.store.set({
    playing: false,
    base: { kind: 'clip', name, time: Math.min(Math.max(time, start), end) },
  });
}

function nextLayout(app: App) {
  const { layout } = app.state;
  const count = app.figures.length;
  if (count < 2) return;
  const next = layout === 'all' ? 0 : layout + 1;
  app.store.set({ layout: next < count ? next : 'all' });
}
