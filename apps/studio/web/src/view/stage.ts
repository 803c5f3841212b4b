// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { Figure } from './figure';

/// A part of the canvas that shows one file.
export interface Pane {
  file: number;
  element: HTMLElement;
  rect: { x: number; y: number; width: number; height: number }; // CSS pixels, from the top left
}

interface World {
  scene: THREE.Scene;
  over: THREE.Scene;
  grid: THREE.GridHelper;
}

const kFovDegrees = 32; // long enough that limbs towards the camera do not swell
const kMaxPixelRatio = 2;
/// Cosines: a plane is seen from its edge below the first, and is turned to where it is at the second.
const kEdgeOn = 0.3;
const kFacing = 0.6;
const kLabelRel = 0.035; // of a picture's height
const kLeastLabel = 11; // pixels

/// Draws the files side by side with one camera. Nothing is drawn unless something has changed.
export class Stage {
  readonly camera = new THREE.PerspectiveCamera(kFovDegrees, 1, 0.01, 100);
  readonly controls: OrbitControls;
  readonly worlds: World[] = [];
  panes: Pane[] = [];
  onRendered: (() => void) | null = null;
  private readonly renderer: THREE.WebGLRenderer;
  private isAsked = false;
  private showSkeleton = true;
  private pictureCell: { width: number; height: number } | null = null;

  constructor(
    readonly element: HTMLElement,
    readonly figures: Figure[],
    private readonly makePane: (file: number) => HTMLElement,
  ) {
    this.renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, kMaxPixelRatio));
    this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace; // the shaders write sRGB
    this.renderer.autoClear = false;
    this.renderer.localClippingEnabled = true; // slices
    this.renderer.domElement.setAttribute('aria-hidden', 'true');
    element.prepend(this.renderer.domElement);
    figures.forEach((figure) => this.addWorld(figure));
    this.controls = new OrbitControls(this.camera, element);
    this.controls.enableDamping = false;
    this.camera.position.set(0.42, 0.16, 1); // where framing comes from until somebody orbits
    this.controls.addEventListener('change', () => this.ask());
    new ResizeObserver(() => this.layout()).observe(element);
  }

  show(files: number[]) {
    for (const pane of this.panes) pane.element.remove();
    this.panes = files.map((file) => ({
      file,
      element: this.makePane(file),
      rect: { x: 0, y: 0, width: 1, height: 1 },
    }));
    for (const pane of this.panes) this.element.append(pane.element);
    this.layout();
  }

  setSkeletonShown(shown: boolean) {
    this.showSkeleton = shown;
    this.figures.forEach((figure) => (figure.skeleton.group.visible = shown));
    this.ask();
  }

  setDark(dark: boolean) {
    for (const { grid } of this.worlds) {
      const material = grid.material as THREE.LineBasicMaterial;
      material.color.set(dark ? 0xffffff : 0x1b2430);
      material.opacity = dark ? 0.1 : 0.14;
    }
    this.ask();
  }

  /// Draws soon.
  ask() {
    if (this.isAsked) return;
    this.isAsked = true;
    requestAnimationFrame(() => {
      this.isAsked = false;
      this.render();
    });
  }

  render() {
    const { renderer } = this;
    const height = this.element.clientHeight;
    renderer.setRenderTarget(null);
    renderer.setScissorTest(true);
    for (const { file, rect } of this.panes) {
      const bottom = height - rect.y - rect.height;
      renderer.setViewport(rect.x, bottom, rect.width, rect.height);
      renderer.setScissor(rect.x, bottom, rect.width, rect.height);
      this.draw(file, rect.width / rect.height, this.camera);
    }
    this.onRendered?.();
  }

  /// Moves the camera so that a ball fills the view. `direction` points from the place to the eye.
  frame(centre: THREE.Vector3, radius: number, direction?: THREE.Vector3) {
    const away = direction?.clone() ?? this.camera.position.clone().sub(this.controls.target);
    if (away.lengthSq() === 0) away.set(0, 0, 1);
    const pane = this.pictureCell ?? this.panes[0]?.rect;
    const aspect = pane ? pane.width / pane.height : 1;
    this.camera.position
      .copy(centre)
      .addScaledVector(away.normalize(), fitDistance(radius, aspect));
    this.controls.target.copy(centre);
    this.controls.update();
    this.ask();
  }

  /// Moves the camera around what it looks at, and nearer to it or away.
  orbit(yaw: number, pitch: number, zoom = 1) {
    const around = new THREE.Spherical().setFromVector3(
      this.camera.position.clone().sub(this.controls.target),
    );
    around.theta += yaw;
    around.phi += pitch;
    around.radius *= zoom;
    this.camera.position.setFromSpherical(around.makeSafe()).add(this.controls.target);
    this.controls.update();
    this.ask();
  }

  /// Turns the camera about what it looks at, if a plane across this axis would be seen from its
  /// edge.
  faceAxis(axis: number) {
    const away = this.camera.position.clone().sub(this.controls.target);
    const distance = away.length();
    away.divideScalar(distance || 1);
    const along = away.getComponent(axis);
    if (Math.abs(along) >= kEdgeOn) return;
    away.setComponent(axis, 0).setLength(Math.sqrt(1 - kFacing * kFacing));
    away.setComponent(axis, along < 0 ? -kFacing : kFacing);
    this.camera.position.copy(this.controls.target).addScaledVector(away, distance);
    this.controls.update();
    this.ask();
  }

  /// From now on, frame for a picture of this size instead of the window.
  setPictureSize(width: number, height: number) {
    this.pictureCell = gridCells(this.panes.length, width, height)[0] ?? null;
  }

  paneAt(clientX: number, clientY: number): { pane: Pane; x: number; y: number } | null {
    const box = this.element.getBoundingClientRect();
    const [x, y] = [clientX - box.left, clientY - box.top];
    for (const pane of this.panes) {
      const { rect } = pane;
      const inside =
        x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height;
      if (inside) return { pane, x: x - rect.x, y: y - rect.y };
    }
    return null;
  }

  /// The camera as a pane sees through it.
  aim(pane: Pane): THREE.PerspectiveCamera {
    this.setAspect(this.camera, pane.rect.width / pane.rect.height);
    return this.camera;
  }

  /// Renders into a canvas of its own, of any size: for thumbnails and pictures for documents.
  picture(
    width: number,
    height: number,
    files: number[],
    options: {
      camera?: THREE.PerspectiveCamera;
      background?: string;
      skeleton?: boolean;
      labels?: string[]; // by file
    } = {},
  ): HTMLCanvasElement {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [width, height];
    const context = canvas.getContext('2d')!;
    if (options.background) {
      context.fillStyle = options.background;
      context.fillRect(0, 0, width, height);
    }
    const cells = gridCells(files.length, width, height);
    const skeleton = options.skeleton ?? this.showSkeleton;
    this.figures.forEach((figure) => (figure.skeleton.group.visible = skeleton));
    files.forEach((file, k) => {
      const cell = cells[k]!;
      const pixels = this.pixels(
        file,
        Math.round(cell.width),
        Math.round(cell.height),
        options.camera ?? this.camera,
      );
      context.drawImage(pixels, Math.round(cell.x), Math.round(cell.y));
      const label = options.labels?.[file];
      if (label !== undefined) drawLabel(context, label, cell, height);
    });
    this.setSkeletonShown(this.showSkeleton);
    return canvas;
  }

  private pixels(
    file: number,
    width: number,
    height: number,
    camera: THREE.PerspectiveCamera,
  ): HTMLCanvasElement {
    const target = new THREE.WebGLRenderTarget(width, height, { samples: 4 });
    this.renderer.setRenderTarget(target);
    this.renderer.setScissorTest(false);
    this.draw(file, width / height, camera);
    const bytes = new Uint8Array(4 * width * height);
    this.renderer.readRenderTargetPixels(target, 0, 0, width, height, bytes);
    this.renderer.setRenderTarget(null);
    target.dispose();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [width, height];
    const context = canvas.getContext('2d')!;
    const image = context.createImageData(width, height);
    for (let row = 0; row < height; ++row)
      image.data.set(
        bytes.subarray(4 * width * (height - 1 - row), 4 * width * (height - row)),
        4 * width * row,
      );
    context.putImageData(image, 0, 0);
    return canvas;
  }

  private draw(file: number, aspect: number, camera: THREE.PerspectiveCamera) {
    const world = this.worlds[file]!;
    this.setAspect(camera, aspect);
    this.figures[file]!.interior?.face(camera);
    this.renderer.setClearColor(0x000000, 0);
    this.renderer.clear();
    this.renderer.render(world.scene, camera);
    this.renderer.clearDepth();
    this.renderer.render(world.over, camera);
  }

  private setAspect(camera: THREE.PerspectiveCamera, aspect: number) {
    camera.aspect = aspect;
    const distance = camera.position.distanceTo(this.controls.target);
    const reach = 2 * this.figures[0]!.character.diagonal;
    camera.near = Math.max(distance / 200, reach / 5e4);
    camera.far = camera.position.length() + distance + 6 * reach;
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }

  layout() {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (!width || !height) return;
    this.renderer.setSize(width, height);
    const cells = gridCells(this.panes.length, width, height);
    this.panes.forEach((pane, k) => {
      pane.rect = cells[k]!;
      const { x, y, width: w, height: h } = pane.rect;
      Object.assign(pane.element.style, {
        left: `${x}px`,
        top: `${y}px`,
        width: `${w}px`,
        height: `${h}px`,
      });
    });
    this.render();
  }

  private addWorld(figure: Figure) {
    const scene = new THREE.Scene();
    const over = new THREE.Scene();
    const { low, size } = floor(figure);
    const span = 1.6 * Math.max(size[0]!, size[2]!, 0.4 * size[1]!);
    const grid = new THREE.GridHelper(span, 16, 0xffffff, 0xffffff);
    const material = grid.material as THREE.LineBasicMaterial;
    material.vertexColors = false;
    material.transparent = true;
    material.depthWrite = false;
    grid.position.set(figure.character.centre[0], low[1]!, figure.character.centre[2]);
    this.matchSize(figure, [figure.root, figure.over]);
    figure.root.add(grid);
    scene.add(figure.root);
    over.add(figure.over);
    this.worlds.push({ scene, over, grid });
  }

  /// One camera looks at all files, so that a file of another size is shown at the size of the
  /// first.
  private matchSize(figure: Figure, groups: THREE.Object3D[]) {
    const first = this.figures[0]!.character;
    const mine = figure.character;
    const scale = first.diagonal / mine.diagonal;
    const apart = Math.hypot(...first.centre.map((c, d) => c - mine.centre[d]!));
    if (Math.abs(scale - 1) < 0.05 && apart < 0.1 * first.diagonal) return;
    for (const group of groups) {
      group.scale.setScalar(scale);
      group.position.set(
        ...(first.centre.map((c, d) => c - scale * mine.centre[d]!) as [number, number, number]),
      );
      group.updateMatrixWorld(true);
    }
  }
}

/// In the upper left corner, large enough for a picture that is shown at a fraction of its size,
/// with an outline that any background may be behind.
function drawLabel(
  context: CanvasRenderingContext2D,
  text: string,
  cell: { x: number; y: number; width: number },
  pictureHeight: number,
) {
  const size = Math.max(kLeastLabel, Math.round(kLabelRel * pictureHeight));
  const dark = document.documentElement.dataset.theme === 'dark';
  const [x, y, most] = [cell.x + size / 2, cell.y + size / 2, cell.width - size];
  context.font = `600 ${size}px system-ui, sans-serif`;
  context.textBaseline = 'top';
  context.lineJoin = 'round';
  context.lineWidth = size / 5;
  context.strokeStyle = dark ? '#1b2430' : '#f2f4f7';
  context.strokeText(text, x, y, most);
  context.fillStyle = dark ? '#f2f4f7' : '#1b2430';
  context.fillText(text, x, y, most);
}

function floor(figure: Figure) {
  const { rest } = figure.character;
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < rest.length; ++i) {
    low[i % 3] = Math.min(low[i % 3]!, rest[i]!);
    high[i % 3] = Math.max(high[i % 3]!, rest[i]!);
  }
  return { low, size: low.map((l, d) => high[d]! - l) };
}

export function fitDistance(radius: number, aspect: number): number {
  const half = (kFovDegrees * Math.PI) / 360;
  const narrow = Math.min(half, Math.atan(Math.tan(half) * aspect));
  return radius / Math.sin(narrow);
}

/// Side by side up to three; two rows beyond.
export function gridCells(count: number, width: number, height: number) {
  const rows = count > 3 ? 2 : 1;
  const columns = Math.max(1, Math.ceil(count / rows));
  return [...Array(count).keys()].map((k) => ({
    x: ((k % columns) * width) / columns,
    y: (Math.floor(k / columns) * height) / rows,
    width: width / columns,
    height: height / rows,
  }));
}
