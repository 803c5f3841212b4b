// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import './styles/base.css';
import './styles/work.css';
import './styles/numbers.css';
import './styles/below.css';
import './styles/interior.css';
import { makeApi } from './api';
import { App } from './app';
import { el, icon } from './dom';
import { keepLink, openLink } from './link';
import { askedSnapshot, showSnapshot } from './snapshot';
import { boneTable } from './panels/bone_table';
import { boneTree } from './panels/bone_tree';
import { convergencePanel } from './panels/convergence';
import { figuresPanel } from './panels/figures';
import { helpOverlay, toggleHelp } from './panels/help';
import { histogramPanel } from './panels/histogram';
import { interiorPanel } from './panels/interior';
import { legend } from './panels/legend';
import { poseList } from './panels/pose_list';
import { drawThumbnails, posesPanel } from './panels/poses';
import { toolbar } from './panels/toolbar';
import { transport } from './panels/transport';
import { warningsPanel } from './panels/warnings';
import { PayloadError, readPayload, type Payload } from './payload';
import { listenToKeys } from './shortcuts';
import { kModes, Store, type ViewState } from './state';
import { followTheme, toggleTheme } from './theme';
import { listenToPointer } from './view/pointer';

const kSun =
  'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1';

/** What the page shows before anything is chosen. */
const kAtFirst: ViewState = {
  base: { kind: 'rest' },
  mode: 'shaded',
  ramp: 'dusk',
  bone: null,
  layout: 'all',
  skeleton: true,
  wireframe: false,
  gizmo: false,
  playing: false,
  edits: 0,
  distortionMax: 0.5,
  cells: false,
  slice: 'off',
  sliceAt: 0.5,
  theme: 'auto',
};

function start() {
  const payload = readPayload(document);
  document.title = `${payload.title} – sinew`;
  const store = new Store({ ...kAtFirst });
  const stage = el('div', {
    class: 'stage',
    tabindex: 0,
    role: 'application',
    'aria-label': 'Three-dimensional view. Drag to orbit. Press question mark for the keys.',
  });
  const root = document.getElementById('app')!;
  // In place before the renderer asks for its size.
  const centre = el('section', { class: 'centre', 'aria-label': 'Viewer' }, stage);
  const work = el(
    'main',
    { class: 'work', 'data-files': Math.min(payload.files.length, 4) },
    centre,
  );
  root.replaceChildren(work);

  const app = new App(payload, store, stage, (file) => paneLabel(payload, file));
  const tree = boneTree(app);
  const help = helpOverlay();
  const interior = interiorPanel(app);
  centre.replaceChildren(
    toolbar(app),
    stage,
    ...(interior ? [interior] : []),
    transport(app),
    posesPanel(app),
  );
  stage.append(legend(app));
  work.replaceChildren(
    tree.element,
    centre,
    el(
      'aside',
      { class: 'numbers', 'aria-label': 'Summary' },
      figuresPanel(app),
      warningsPanel(app),
    ),
  );
  const convergence = convergencePanel(app);
  const below = el(
    'div',
    { class: 'below' },
    boneTable(app),
    el('div', { class: 'charts' }, poseList(app), histogramPanel(app), convergence),
  );
  root.replaceChildren(
    header(
      payload,
      () => toggleTheme(store),
      () => toggleHelp(help),
    ),
    work,
    below,
    footer(payload),
    help,
    announcer(app),
  );
  followTheme(store, (dark) => app.stage.setDark(dark));
  listenToPointer(app);
  listenToKeys(app, {
    help: () => toggleHelp(help),
    search: () => tree.search.focus(),
    theme: () => toggleTheme(store),
  });
  app.stage.layout();
  if (!openLink(app, location.hash)) app.showWorst();
  const size = askedSnapshot(location.hash);
  if (size) return void showSnapshot(app, size);
  keepLink(app);
  app.stage.render();
  const ready = new Promise<void>((resolve) => drawThumbnails(resolve));
  window.sinew = makeApi(app, ready);
}

function header(payload: Payload, theme: () => void, help: () => void): HTMLElement {
  const mark = icon('M3 13C3 8 7 9 8 6s-1-4 1-4 2 3 4 3');
  mark.classList.add('mark');
  return el(
    'header',
    { class: 'top' },
    el('div', { class: 'brand' }, mark, 'sinew'),
    el(
      'div',
      { class: 'headline' },
      el('p', { class: 'title' }, payload.title),
      el('h1', {}, payload.verdict),
    ),
    el(
      'button',
      { class: 'tool', 'aria-label': 'Light or dark', title: 'Light or dark (T)', click: theme },
      icon(kSun),
    ),
    el(
      'button',
      {
        class: 'tool',
        'aria-label': 'Keyboard shortcuts',
        title: 'Keyboard shortcuts (?)',
        click: help,
      },
      '?',
    ),
  );
}

function paneLabel(payload: Payload, file: number): HTMLElement {
  const entry = payload.files[file]!;
  const label = el(
    'div',
    { class: 'pane-label', title: entry.name },
    el('i', { class: `key key-${file % 6}` }),
    entry.label,
  );
  if (entry.failed) label.append(el('strong', {}, 'failed'));
  return el('div', { class: 'pane', 'data-file': file }, label);
}

/// Says what was chosen to those who cannot see it. A playing clip is not told frame by frame.
function announcer(app: App): HTMLElement {
  const words = el('div', { class: 'unseen', role: 'status', 'aria-live': 'polite' });
  app.store.on(['base', 'bone', 'mode', 'playing'], ({ base, bone, mode, playing }) => {
    const pose =
      base.kind === 'pose'
        ? app.payload.poses[base.index]?.name
        : base.kind === 'clip'
          ? base.name
          : 'Rest pose';
    const shown = kModes.find((known) => known.mode === mode)!.label;
    const chosen = bone === null ? 'No bone chosen' : `Bone ${bone}`;
    const text = `${playing ? 'Playing ' : ''}${pose}. ${shown}. ${chosen}.`;
    if (words.textContent !== text) words.textContent = text;
  });
  return words;
}

function footer(payload: Payload): HTMLElement {
  return el(
    'footer',
    {},
    `${payload.generator ?? 'sinew'} · ${payload.files.map((file) => file.name).join(' · ')}`,
  );
}

try {
  start();
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  const words = /WebGL/.test(message)
    ? 'This report is drawn with WebGL, which this browser lacks or has switched off.'
    : message;
  document
    .getElementById('app')!
    .replaceChildren(el('p', { class: 'broken', role: 'alert' }, words));
  // A page without its data is a sentence; anything else is a mistake of ours and must be seen.
  if (!(error instanceof PayloadError)) console.error(error);
}
