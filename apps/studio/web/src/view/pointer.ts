// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import type { App } from '../app';
import { pick, boneNear } from './picking';

const kClickPx = 4; // a hand that clicks trembles; beyond it is a drag

/// Clicks choose bones; the bone under the pointer lights up.
export function listenToPointer(app: App) {
  const { element } = app.stage;
  let down: { x: number; y: number; isOnRing: boolean } | null = null;
  element.addEventListener('pointerdown', (event) => {
    down =
      event.button === 0
        ? { x: event.clientX, y: event.clientY, isOnRing: app.turner.isOverRing }
        : null;
  });
  element.addEventListener('pointerup', (event) => {
    const isClick = down && Math.hypot(event.clientX - down.x, event.clientY - down.y) < kClickPx;
    if (isClick && !down!.isOnRing) {
      const picked = pick(app.stage, app.figures, event.clientX, event.clientY, app.state.skeleton);
      const character = picked && app.characters[picked.file]!;
      const bone =
        character && picked.bone >= 0
          ? character.entry.bones[character.standsFor[picked.bone]!]!.name
          : null;
      app.choose(bone, picked?.file);
    }
    down = null;
  });
  element.addEventListener('dblclick', () => app.frameChosen());
  element.addEventListener('pointermove', (event) => {
    if (event.buttons || !app.state.skeleton) return;
    const at = app.stage.paneAt(event.clientX, event.clientY);
    let isChanged = false;
    for (const pane of app.stage.panes) {
      const figure = app.figures[pane.file]!;
      const { width, height } = pane.rect;
      const bone =
        at?.pane === pane ? boneNear(figure, app.stage.aim(pane), at.x, at.y, width, height) : -1;
      isChanged = figure.skeleton.hover(bone) || isChanged;
      if (at?.pane === pane)
        element.title = bone >= 0 ? figure.character.entry.bones[bone]!.name : '';
    }
    if (isChanged) app.stage.ask();
  });
}
