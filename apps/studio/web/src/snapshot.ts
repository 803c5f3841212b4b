// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import type { App } from './app';
import { el } from './dom';
import { openLink } from './link';

export interface SnapshotRequest {
  width: number;
  height: number;
  background?: string;
  labels: boolean; // what the files are called, in the picture
}

const kLargest = 8192; // pixels a side; what graphics drivers give everywhere

/// `#snapshot=1280x720&background=%23ffffff&...`, beside the other parts of a link.
export function askedSnapshot(hash: string): SnapshotRequest | null {
  const asked = new URLSearchParams(hash.replace(/^#/, ''));
  const size = /^(\d+)x(\d+)$/.exec(asked.get('snapshot') ?? '');
  if (!size) return null;
  const [width, height] = [Number(size[1]), Number(size[2])];
  if (!(width > 0 && height > 0 && width <= kLargest && height <= kLargest)) return null;
  const labels = asked.get('labels') === '1';
  return { width, height, background: asked.get('background') ?? undefined, labels };
}

/// Replaces the page by the picture as text, `<pre
/// id="sinew-snapshot">data:image/png;base64,...</pre>`, so that `chromium --headless --dump-dom`
/// can be asked for it without anything to drive a browser. A colour that the browser does not know
/// is refused by `<pre id="sinew-refused">background</pre>`.
export async function showSnapshot(
  app: App,
  { width, height, background, labels }: SnapshotRequest,
) {
  if (background !== undefined && !CSS.supports('color', background)) {
    document.body.replaceChildren(el('pre', { id: 'sinew-refused' }, 'background'));
    return;
  }
  await Promise.all(app.figures.map((figure) => figure.textures));
  // Panes of the picture have other proportions than those of the window, and are framed again.
  app.stage.setPictureSize(width, height);
  if (!openLink(app, location.hash)) app.showWorst();
  const data = app.stage
    .picture(width, height, app.files, {
      background,
      labels: labels ? app.payload.files.map((file) => file.label) : undefined,
    })
    .toDataURL('image/png');
  document.body.replaceChildren(el('pre', { id: 'sinew-snapshot' }, data));
}
