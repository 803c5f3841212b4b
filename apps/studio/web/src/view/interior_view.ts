// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import * as THREE from 'three';
import { kNothing, type ColourOptions } from '../colouring';
import { kAxes, type Cut, type Interior } from '../interior';
import { boneColour, kindColour, kShared, rampTable } from '../ramps';
import type { Slicing } from '../state';
import type { Figure } from './figure';
import { cellMaterial, surfaceMaterial } from './materials';

/// What a character is filled with: its cells as cubes, and a plane through them that shows what is
/// inside. Whatever lies between the eye and the plane is cut away, the surface too.
export class InteriorView {
  readonly group = new THREE.Group();
  private readonly cubes: THREE.Mesh;
  private readonly sheet: THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial>;
  private readonly outline: THREE.LineSegments; // where the plane meets the surface
  private readonly plane = new THREE.Plane();
  private made: Cut | null = null;
  private bonesOfPoints: { chosen: number; channels: Uint8Array[] } | null = null;

  constructor(
    readonly interior: Interior,
    private readonly figure: Figure,
  ) {
    this.cubes = new THREE.Mesh(cubesOf(interior), cellMaterial());
    const look = surfaceMaterial();
    look.uniforms.data!.value = 1;
    look.uniforms.lined!.value = 1;
    this.sheet = new THREE.Mesh(new THREE.BufferGeometry(), look);
    this.outline = new THREE.LineSegments(
      new THREE.BufferGeometry(),
      new THREE.LineBasicMaterial({ color: 0x10141a, toneMapped: false }),
    );
    this.group.add(this.cubes, this.sheet, this.outline);
    for (const part of this.group.children) part.frustumCulled = false;
    figure.root.add(this.group);
    this.show(null, null);
  }

  /// The cut that is shown; null where there is none.
  get cut(): Cut | null {
    return this.made;
  }

  /// Shows cells, a slice, both or, with null for what to show, nothing.
  show(what: Slicing | null, colours: ColourOptions | null) {
    const hasSlice = what !== null && what.slice !== 'off';
    this.group.visible = what !== null && (what.cells || hasSlice);
    this.cubes.visible = what?.cells ?? false;
    // Cubes stand around the whole surface, which would shine through where they are seen from
    // inside.
    this.figure.mesh.visible = !this.cubes.visible;
    for (const part of [this.sheet, this.outline]) part.visible = hasSlice;
    this.made = null;
    if (hasSlice && what.slice !== 'off') {
      this.made = this.interior.cut(this.interior.slice(what.slice, what.sliceAt));
      this.drawCut(this.made);
      if (colours) this.colour(colours);
    }
    const planes = this.made ? [this.plane] : null;
    (this.cubes.material as THREE.Material).clippingPlanes = planes;
    this.figure.clip(planes);
  }

  /// Colours the slice as the surface is, where that tells something about the inside, else by the
  /// kinds of cells.
  colour(options: ColourOptions) {
    if (!this.made) return;
    const tint = this.sheet.geometry.getAttribute('tint') as THREE.BufferAttribute;
    const out = tint.array as Uint8Array;
    if (options.mode === 'weights') this.colourWeights(this.made, out, options);
    else if (options.mode === 'bones') this.colourBones(this.made, out, options.bone);
    else this.colourKinds(this.made, out);
    tint.needsUpdate = true;
  }

  /// Turns the cut towards the eye, before a picture is drawn.
  face(camera: THREE.Camera) {
    if (!this.made) return;
    const { axis, at } = this.made.slice;
    this.figure.root.updateWorldMatrix(true, false);
    const { matrixWorld } = this.figure.root;
    const eye = this.figure.root.worldToLocal(camera.getWorldPosition(new THREE.Vector3()));
    const side = eye.getComponent(axis) >= at ? 1 : -1;
    const normal = new THREE.Vector3().setComponent(axis, -side);
    this.plane.set(normal, side * at).applyMatrix4(matrixWorld);
  }

  /// Whether a place in the scene is cut away.
  isCutAway(point: THREE.Vector3): boolean {
    return this.made !== null && this.plane.distanceToPoint(point) < 0;
  }

  private drawCut(cut: Cut) {
    const { axis } = cut.slice;
    const corners = 4 * cut.squares.length;
    const normals = new Float32Array(3 * corners);
    for (let i = axis; i < normals.length; i += 3) normals[i] = 1;
    const indices = new Uint32Array(6 * cut.squares.length);
    for (let s = 0; s < cut.squares.length; ++s)
      indices.set(
        [0, 1, 2, 0, 2, 3].map((k) => 4 * s + k),
        6 * s,
      );
    replaceGeometry(this.sheet, {
      position: new THREE.BufferAttribute(cut.positions, 3),
      normal: new THREE.BufferAttribute(normals, 3),
      tint: new THREE.BufferAttribute(new Uint8Array(3 * corners), 3, true),
      uv: new THREE.BufferAttribute(cut.inCells, 2),
    });
    this.sheet.geometry.setIndex(new THREE.BufferAttribute(indices, 1));
    replaceGeometry(this.outline, {
      position: new THREE.BufferAttribute(this.surfaceOn(cut), 3),
    });
  }

  /// Where the plane meets the triangles of the surface at rest.
  private surfaceOn({ slice: { axis, at } }: Cut): Float32Array {
    const { rest, indices } = this.figure.character;
    const out: number[] = [];
    for (let t = 0; t < indices.length; t += 3)
      for (let k = 0, met = 0; k < 3 && met < 2; ++k) {
        const [a, b] = [3 * indices[t + k]!, 3 * indices[t + ((k + 1) % 3)]!];
        const [from, to] = [rest[a + axis]! - at, rest[b + axis]! - at];
        if (from < 0 === to < 0) continue;
        ++met;
        const share = from / (from - to);
        for (let d = 0; d < 3; ++d) out.push(rest[a + d]! + share * (rest[b + d]! - rest[a + d]!));
      }
    return Float32Array.from(out);
  }

  private colourWeights(cut: Cut, out: Uint8Array, { bone, ramp }: ColourOptions) {
    const table = rampTable(ramp);
    const bones = this.figure.character.standingFor(bone);
    const values = this.interior.valuesOn(cut, this.interior.weightsOf(bones));
    values.forEach((value, i) => {
      const c = 3 * Math.min(255, Math.round(value));
      // As on the surface: a weight of exactly zero must not look like a small one.
      const plain = value === 0 && (ramp !== 'blender' || bone < 0);
      for (let d = 0; d < 3; ++d) out[3 * i + d] = plain ? kNothing[d]! : table[c + d]!;
    });
  }

  private colourBones(cut: Cut, out: Uint8Array, chosen: number) {
    if (this.bonesOfPoints?.chosen !== chosen)
      this.bonesOfPoints = { chosen, channels: this.mixedBones(chosen) };
    this.bonesOfPoints!.channels.forEach((channel, d) =>
      this.interior.valuesOn(cut, channel).forEach((value, i) => (out[3 * i + d] = value)),
    );
  }

  /// Red, green and blue at every point, bones mixed by weight.
  private mixedBones(chosen: number): Uint8Array[] {
    const { entry } = this.interior;
    const { character } = this.figure;
    const sums = [0, 1, 2].map(() => new Float32Array(entry.points));
    const told = new Float32Array(entry.points);
    entry.weights.forEach((_, b) => {
      const weights = this.interior.weightsOfBone(b);
      if (!weights) return;
      const bone = character.standsFor[b]!;
      const dim = chosen >= 0 && bone !== chosen ? kDim : 1;
      const colour = boneColour(bone).map((c, d) => dim * 255 * c + (1 - dim) * kNothing[d]!);
      for (let p = 0; p < weights.length; ++p) {
        const share = weights[p]! / 255;
        told[p]! += share;
        for (let d = 0; d < 3; ++d) sums[d]![p]! += share * colour[d]!;
      }
    });
    return sums.map((sum, d) =>
      // Rounding leaves sums a little off one; where no weight reaches there is none.
      Uint8Array.from(sum, (v, p) => (told[p]! > 0 ? v / told[p]! : kNothing[d]!)),
    );
  }

  private colourKinds({ squares }: Cut, out: Uint8Array) {
    squares.forEach(({ cell }, s) => {
      const colour = cellColour(this.interior, cell);
      for (let i = 0; i < 12; ++i) out[12 * s + i] = 255 * colour[i % 3]!;
    });
  }
}

/// Of bones that are not chosen while one is, as on the surface.
const kDim = 0.55;

function cellColour(interior: Interior, cell: number) {
  return interior.isShared[cell] ? kShared : kindColour(interior.kinds[cell]!);
}

function replaceGeometry(
  of: THREE.Mesh | THREE.LineSegments,
  attributes: Record<string, THREE.BufferAttribute>,
) {
  of.geometry.dispose();
  of.geometry = new THREE.BufferGeometry();
  for (const [name, attribute] of Object.entries(attributes))
    of.geometry.setAttribute(name, attribute);
}

/// A cube for each cell that is seen from outside, in the colour of its kind.
function cubesOf(interior: Interior): THREE.InstancedBufferGeometry {
  const { origin, cell_edge: edge } = interior.entry;
  const cells = interior.exposed();
  const corner = new Float32Array(3 * cells.length);
  const tint = new Uint8Array(3 * cells.length);
  cells.forEach((cell, i) => {
    const colour = cellColour(interior, cell);
    kAxes.forEach((_, d) => {
      corner[3 * i + d] = origin[d]! + edge * interior.places[3 * cell + d]!;
      tint[3 * i + d] = 255 * colour[d]!;
    });
  });
  const box = new THREE.BoxGeometry(edge, edge, edge).translate(edge / 2, edge / 2, edge / 2);
  const out = new THREE.InstancedBufferGeometry();
  out.index = box.index;
  for (const name of ['position', 'normal', 'uv']) out.setAttribute(name, box.getAttribute(name));
  out.setAttribute('corner', new THREE.InstancedBufferAttribute(corner, 3));
  out.setAttribute('tint', new THREE.InstancedBufferAttribute(tint, 3, true));
  out.instanceCount = cells.length;
  return out;
}
