// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import * as THREE from 'three';
import { faceNormals, type Character } from '../character';
import { colourVertices, markedVertices, type ColourOptions } from '../colouring';
import { Distortion } from '../distortion';
import type { FilePose } from '../pose';
import { skin, slotTransforms } from '../skinning';
import type { InteriorView } from './interior_view';
import { Marker } from './marker';
import { surfaceMaterial, wireMaterial } from './materials';
import { SkeletonView } from './skeleton_view';

/// By an <img> and not by createImageBitmap: a headless browser whose clock runs ahead waits for
/// images that load, and for nothing else.
async function loadImage(blob: Blob): Promise<HTMLImageElement> {
  const address = URL.createObjectURL(blob);
  try {
    const image = new Image();
    await new Promise((resolve, reject) => {
      image.onload = resolve;
      image.onerror = reject;
      image.src = address;
    });
    return image;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/// One file in the scene: its surface, wires, marks and skeleton, in the current pose.
export class Figure {
  readonly root = new THREE.Group(); // mesh, wires, marks
  readonly over = new THREE.Group(); // drawn over everything else
  readonly skeleton: SkeletonView;
  readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.Material | THREE.Material[]>;
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  readonly marker = new Marker();
  interior: InteriorView | null = null;
  pose: FilePose | null = null;
  private readonly colours: Uint8Array;
  private readonly geometry = new THREE.BufferGeometry();
  private readonly dataMaterial = surfaceMaterial();
  private readonly fileMaterials: THREE.ShaderMaterial[];
  private readonly wireLook = wireMaterial();
  private wires: THREE.LineSegments | null = null;
  private readonly marks: THREE.Points | null;
  private distortionOf: Distortion | null = null;
  private isDistortionStale = true;
  private hasMorphed = false;
  private readonly loading: Promise<void>[] = [];

  constructor(readonly character: Character) {
    this.positions = new Float32Array(3 * character.vertexCount);
    this.normals = new Float32Array(3 * character.vertexCount);
    this.colours = new Uint8Array(3 * character.vertexCount);
    const { geometry } = this;
    geometry.setAttribute('position', dynamic(new THREE.BufferAttribute(this.positions, 3)));
    geometry.setAttribute('normal', dynamic(new THREE.BufferAttribute(this.normals, 3)));
    geometry.setAttribute('tint', dynamic(new THREE.BufferAttribute(this.colours, 3, true)));
    geometry.setAttribute('uv', new THREE.BufferAttribute(allUvs(character), 2));
    geometry.setIndex(new THREE.BufferAttribute(character.indices, 1));
    let start = 0;
    character.triangles.forEach((triangles, t) => {
      geometry.addGroup(start, triangles.indices.length, t);
      start += triangles.indices.length;
    });
    this.dataMaterial.uniforms.data!.value = 1;
    this.fileMaterials = this.readMaterials();
    this.mesh = new THREE.Mesh(geometry, this.fileMaterials);
    this.mesh.frustumCulled = false; // its bounds change with every pose
    this.root.add(this.mesh);
    this.marks = this.makeMarks();
    this.skeleton = new SkeletonView(character);
    this.over.add(this.skeleton.group, this.marker.sprite);
  }

  /// Moves everything into a pose.
  setPose(pose: FilePose) {
    this.pose = pose;
    const { character } = this;
    if (character.hasMorphs && (pose.morphs.size || this.hasMorphed)) {
      character.morph(pose.morphs);
      this.hasMorphed = pose.morphs.size > 0;
    }
    skin(
      character,
      slotTransforms(character, pose.bones, pose.nodeWorld),
      this.positions,
      this.normals,
    );
    if (pose.positions) this.takePositions(pose.positions);
    this.isDistortionStale = true;
    for (const name of ['position', 'normal']) this.geometry.getAttribute(name).needsUpdate = true;
    this.skeleton.update(pose);
    this.marker.follow(this.positions);
  }

  setColours(options: ColourOptions) {
    this.mesh.material = options.mode === 'shaded' ? this.fileMaterials : this.dataMaterial;
    if (options.mode !== 'shaded') {
      const distortion = options.mode === 'distortion' ? this.distortion() : null;
      colourVertices(this.colours, this.character, distortion, options);
      this.geometry.getAttribute('tint').needsUpdate = true;
    }
    if (this.marks) this.marks.visible = options.mode === 'influences';
  }

  /// Local distortion of the current pose; computed when somebody asks.
  distortion(): Distortion {
    const { character } = this;
    this.distortionOf ??= new Distortion(character.rest, character.indices, character.weld);
    if (this.isDistortionStale) this.distortionOf.evaluate(this.positions);
    this.isDistortionStale = false;
    return this.distortionOf;
  }

  showWires(shown: boolean) {
    if (shown && !this.wires) {
      const lines = new THREE.BufferGeometry();
      lines.setAttribute('position', this.geometry.getAttribute('position'));
      lines.setIndex(new THREE.BufferAttribute(edgeIndices(this.character.indices), 1));
      this.wires = new THREE.LineSegments(lines, this.wireLook);
      this.wires.frustumCulled = false;
      this.root.add(this.wires);
    }
    if (this.wires) this.wires.visible = shown;
  }

  /// Draws the surface, its wires and marks only where these planes leave it.
  clip(planes: THREE.Plane[] | null) {
    const looks: THREE.Material[] = [this.dataMaterial, ...this.fileMaterials, this.wireLook];
    if (this.marks) looks.push(this.marks.material as THREE.Material);
    for (const look of looks) look.clippingPlanes = planes;
  }

  isHit(ray: THREE.Raycaster): boolean {
    this.geometry.computeBoundingSphere();
    return ray.intersectObject(this.mesh, false).length > 0;
  }

  /// The vertex under a ray, and where it is hit; null where the ray misses.
  hit(ray: THREE.Raycaster): { vertex: number; point: THREE.Vector3; distance: number } | null {
    this.geometry.computeBoundingSphere();
    const found = ray
      .intersectObject(this.mesh, false)
      .find(({ point }) => !this.interior?.isCutAway(point));
    if (!found?.face) return null;
    const local = this.mesh.worldToLocal(found.point.clone());
    const corners = [found.face.a, found.face.b, found.face.c];
    const far = (v: number) =>
      local.distanceToSquared(new THREE.Vector3().fromArray(this.positions, 3 * v));
    corners.sort((a, b) => far(a) - far(b));
    return { vertex: corners[0]!, point: found.point, distance: found.distance };
  }

  /// Vertices that another deformer has moved: those of this character's skins, in stored order.
  private takePositions(given: Float32Array) {
    let at = 0;
    for (const set of this.character.sets) {
      if (set.skin < 0) continue;
      const part = given.subarray(at, at + 3 * set.count);
      this.positions.set(part, 3 * set.first);
      at += 3 * set.count;
    }
    this.normals.set(faceNormals(this.positions, this.character.indices, this.character.weld));
  }

  private readMaterials(): THREE.ShaderMaterial[] {
    const { glb, triangles } = this.character;
    return triangles.map(({ material }) => {
      const made = surfaceMaterial();
      const pbr = glb.json.materials?.[material]?.pbrMetallicRoughness;
      const factor = pbr?.baseColorFactor;
      if (factor)
        made.uniforms.base!.value.set(
          ...(factor.slice(0, 3).map(toSrgb) as [number, number, number]),
        );
      const texture = pbr?.baseColorTexture;
      const source = texture ? glb.json.textures?.[texture.index]?.source : undefined;
      const image = source === undefined ? null : glb.image(source);
      if (image) {
        if (!factor) made.uniforms.base!.value.set(1, 1, 1);
        this.loading.push(this.loadTexture(made, image, glb.json.materials![material]!.alphaMode));
      }
      return made;
    });
  }

  private async loadTexture(material: THREE.ShaderMaterial, image: Blob, alphaMode?: string) {
    try {
      const texture = new THREE.Texture(await loadImage(image));
      texture.flipY = false;
      texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
      texture.needsUpdate = true;
      material.uniforms.map!.value = texture;
      material.uniforms.textured!.value = 1;
      material.uniforms.clipped!.value = alphaMode === 'MASK' || alphaMode === 'BLEND' ? 0.5 : 0;
      this.onTexture?.();
    } catch {
      // A picture that the browser cannot read leaves the plain colour.
    }
  }

  onTexture: (() => void) | null = null;

  /// Done when every texture is there.
  get textures(): Promise<unknown> {
    return Promise.all(this.loading);
  }

  private makeMarks(): THREE.Points | null {
    const marked = markedVertices(this.character);
    if (!marked.length) return null;
    const points = new THREE.BufferGeometry();
    points.setAttribute('position', this.geometry.getAttribute('position'));
    points.setIndex(new THREE.BufferAttribute(marked, 1));
    const look = new THREE.PointsMaterial({
      color: 0xd6006e,
      size: 3,
      sizeAttenuation: false,
      toneMapped: false,
    });
    const marks = new THREE.Points(points, look);
    marks.frustumCulled = false;
    marks.visible = false;
    this.root.add(marks);
    return marks;
  }
}

function dynamic(attribute: THREE.BufferAttribute): THREE.BufferAttribute {
  attribute.setUsage(THREE.DynamicDrawUsage);
  return attribute;
}

function allUvs(character: Character): Float32Array {
  const out = new Float32Array(2 * character.vertexCount);
  for (const set of character.sets) if (set.uvs) out.set(set.uvs, 2 * set.first);
  return out;
}

/// Every edge once.
function edgeIndices(indices: Uint32Array): Uint32Array {
  const seen = new Set<number>();
  const out: number[] = [];
  const span = 2 ** 26; // two vertex numbers in one exact double
  for (let t = 0; t < indices.length; t += 3)
    for (let k = 0; k < 3; ++k) {
      const [a, b] = [indices[t + k]!, indices[t + ((k + 1) % 3)]!];
      const key = Math.min(a, b) * span + Math.max(a, b);
      if (seen.has(key)) continue;
      seen.add(key);
      out.push(a, b);
    }
  return Uint32Array.from(out);
}

function toSrgb(v: number): number {
  return v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055;
}
