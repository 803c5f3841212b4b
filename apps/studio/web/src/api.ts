// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import type { App } from './app';
import { placeCamera, setCamera } from './link';
import type { BasePose } from './pose';
import type { ViewState } from './state';
import { boneBall } from './view/framing';

export interface ViewRequest extends Partial<Omit<ViewState, 'base' | 'edits' | 'layout'>> {
  file?: 'all' | number;
  /// A name that a link may have (see link.ts), or where the eye is and what it looks at.
  camera?: 'all' | 'bone' | 'worst' | 'front' | 'limb' | { position: number[]; target: number[] };
}

/// What scripts may ask of the page: tests, `sinew snapshot`, pictures for documents.
export interface SinewApi {
  ready: Promise<void>; // everything is shown, thumbnails too
  setPose(pose: 'rest' | number | { clip: string; time: number }): void;
  setView(view: ViewRequest): void;
  turn(bone: string, quaternion: [number, number, number, number] | null): void;
  view(): ViewState & { camera: { position: number[]; target: number[] } };
  files(): { name: string; label: string; vertices: number; clips: string[]; bones: string[] }[];
  /// Vertices of a file in the scene, as posed, in stored order; see `parts`.
  positions(file: number): Float32Array;
  parts(file: number): {
    node: number;
    mesh: number;
    primitives: number[];
    skin: number;
    first: number;
    count: number;
  }[];
  distortion(file: number): { total: number; perVertex: Float32Array };
  /// What a file is filled with; `cut` counts the cells on the slice that is shown. Null where the
  /// report brings none.
  interior(file: number): {
    cells: number;
    points: number;
    isShown: boolean;
    cut: number;
    weights(bone: string): Uint8Array; // at the points, in steps of 1/255
  } | null;
  /// Where a bone's head is in the stage, in CSS pixels from its top left; null where the file is
  /// not shown.
  project(bone: string, file: number): { x: number; y: number } | null;
  snapshot(width: number, height: number, options?: { background?: string }): string;
  measure(times?: number): { update_ms: number; distortion_ms: number; colour_ms: number };
  timings(): { first_picture_ms: number };
}

export function makeApi(app: App, ready: Promise<void>): SinewApi {
  return {
    ready,
    setPose(pose) {
      const base: BasePose =
        pose === 'rest'
          ? { kind: 'rest' }
          : typeof pose === 'number'
            ? { kind: 'pose', index: pose }
            : { kind: 'clip', name: pose.clip, time: pose.time };
      if (base.kind === 'pose' && !app.payload.poses[base.index])
        throw new RangeError(`there is no pose ${base.index}`);
      if (base.kind === 'clip' && !app.clipNames().includes(base.name))
        throw new RangeError(`there is no clip '${base.name}'`);
      app.store.set({ base, playing: false });
      app.stage.render();
    },
    setView({ camera, file, ...rest }) {
      const { bone } = rest;
      if (bone && !app.characters.some((c) => c.boneNamed(bone) >= 0))
        throw new RangeError(`there is no bone '${bone}'`);
      app.store.set(file === undefined ? rest : { ...rest, layout: file });
      if (typeof camera === 'string') placeCamera(app, camera);
      else if (camera) setCamera(app, camera.position, camera.target);
      app.stage.render();
    },
    turn(bone, quaternion) {
      if (quaternion) app.poser.edits.set(bone, quaternion);
      else app.poser.edits.delete(bone);
      app.store.set({ edits: app.state.edits + 1 });
      app.stage.render();
    },
    view: () => ({
      ...structuredClone(app.state),
      camera: {
        position: app.stage.camera.position.toArray(),
        target: app.stage.controls.target.toArray(),
      },
    }),
    files: () =>
      app.characters.map((c) => ({
        name: c.entry.name,
        label: c.entry.label,
        vertices: c.vertexCount,
        clips: c.clips.map((clip) => clip.name),
        bones: c.entry.bones.map((b) => b.name),
      })),
    positions: (file) => app.figures[file]!.positions.slice(),
    parts: (file) =>
      app.characters[file]!.sets.map(({ node, mesh, primitives, skin, first, count }) => ({
        node,
        mesh,
        primitives,
        skin,
        first,
        count,
      })),
    distortion(file) {
      const found = app.figures[file]!.distortion();
      const perVertex = Float32Array.from({ length: app.characters[file]!.vertexCount }, (_, v) =>
        found.ofVertex(v),
      );
      return { total: found.total, perVertex };
    },
    interior(file) {
      const { interior, character } = app.figures[file]!;
      if (!interior) return null;
      const { cells, points } = interior.interior.entry;
      return {
        cells,
        points,
        isShown: interior.group.visible,
        cut: interior.cut?.cells.length ?? 0,
        weights: (bone) =>
          interior.interior.weightsOf(character.standingFor(character.boneNamed(bone))),
      };
    },
    project(bone, file) {
      const pane = app.stage.panes.find((p) => p.file === file);
      const index = app.characters[file]?.boneNamed(bone) ?? -1;
      if (!pane || index < 0) return null;
      const place = boneBall(app.figures[file]!, index).head.project(app.stage.aim(pane));
      const { x, y, width, height } = pane.rect;
      return { x: x + ((place.x + 1) * width) / 2, y: y + ((1 - place.y) * height) / 2 };
    },
    snapshot: (width, height, options = {}) =>
      app.stage.picture(width, height, app.files, options).toDataURL('image/png'),
    measure: (times = 20) => measure(app, times),
    timings: () => ({ first_picture_ms: app.timings.firstPicture }),
  };
}

/// The page's own work for a frame, without drawing it.
function measure(app: App, times: number) {
  const { base } = app.state;
  const span = (work: () => void) => {
    const start = performance.now();
    for (let k = 0; k < times; ++k) work();
    return (performance.now() - start) / times;
  };
  const figures = app.files.map((file) => ({ file, figure: app.figures[file]! }));
  const pose = () =>
    figures.forEach(({ file, figure }) => figure.setPose(app.poser.evaluate(file, base)));
  const update_ms = span(pose);
  const both = span(() => {
    pose();
    figures.forEach(({ figure }) => figure.distortion());
  });
  const colour_ms = span(() =>
    figures.forEach(({ file, figure }) => figure.setColours(app.colourOptions(file))),
  );
  return { update_ms, distortion_ms: both - update_ms, colour_ms };
}

declare global {
  interface Window {
    sinew?: SinewApi;
  }
}
