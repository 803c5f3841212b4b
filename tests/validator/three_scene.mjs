// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What three.js makes of a document: its vertices at a moment of a clip, and how far they are from others.
import * as THREE from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';

import { accessorNumbers, packGlb } from './gltf.mjs';

/** The scene of a document in three.js. Materials go: they need a browser's images, and move no vertex. */
export async function loadScene(gltf) {
  const json = structuredClone(gltf.json);
  for (const key of ['images', 'textures', 'samplers', 'materials']) delete json[key];
  for (const mesh of json.meshes ?? [])
    for (const primitive of mesh.primitives) {
      delete primitive.material;
      delete primitive.extensions?.KHR_materials_variants;
    }
  const geometryOnly = (name) => !/materials|texture/i.test(name);
  if (json.extensionsUsed) json.extensionsUsed = json.extensionsUsed.filter(geometryOnly);
  if (json.extensionsRequired) json.extensionsRequired = json.extensionsRequired.filter(geometryOnly);
  const glb = packGlb({ ...gltf, json });
  const bytes = glb.buffer.slice(glb.byteOffset, glb.byteOffset + glb.byteLength);
  const loaded = await new GLTFLoader().parseAsync(bytes, '');
  loaded.animations.forEach(normalizeRotations);
  return loaded;
}

/** A file may round its rotations to a few digits. glTF means unit quaternions; three.js takes keys as they are. */
function normalizeRotations(clip) {
  for (const track of clip.tracks) {
    if (track.ValueTypeName !== 'quaternion' || track.values.length !== 4 * track.times.length) continue;
    const rotation = new THREE.Quaternion();
    for (let i = 0; i < track.values.length; i += 4)
      rotation.fromArray(track.values, i).normalize().toArray(track.values, i);
  }
}

/** Vertices of every primitive in scene space: a list of { key, positions }, key "node/primitive", in file order. */
export function posedByThree(loaded, clipIndex, time) {
  const mixer = new THREE.AnimationMixer(loaded.scene);
  const action = mixer.clipAction(loaded.animations[clipIndex]);
  action.setLoop(THREE.LoopOnce).clampWhenFinished = true;
  action.play();
  mixer.setTime(time);
  loaded.scene.updateMatrixWorld(true);
  const parts = [];
  loaded.scene.traverse((object) => {
    if (!object.isMesh) return;
    const own = loaded.parser.associations.get(object);
    const node = own.nodes ?? loaded.parser.associations.get(object.parent).nodes;
    const count = object.geometry.attributes.position.count;
    const positions = new Float64Array(3 * count);
    const vertex = new THREE.Vector3();
    for (let i = 0; i < count; ++i) {
      object.getVertexPosition(i, vertex).applyMatrix4(object.matrixWorld).toArray(positions, 3 * i);
    }
    parts.push({ node, primitive: own.primitives ?? 0, positions });
  });
  mixer.stopAllAction();
  mixer.uncacheRoot(loaded.scene);
  return parts.sort((a, b) => a.node - b.node || a.primitive - b.primitive);
}

/** Vertices of every primitive that the scene of an unskinned document shows, in the order of its nodes. */
export function staticParts(gltf) {
  const { nodes, meshes, scenes, scene = 0 } = gltf.json;
  const parts = [];
  const visit = (index, parent) => {
    const node = nodes[index];
    const local = new THREE.Matrix4();
    if (node.matrix) local.fromArray(node.matrix);
    else local.compose(new THREE.Vector3(...(node.translation ?? [0, 0, 0])),
                       new THREE.Quaternion(...(node.rotation ?? [0, 0, 0, 1])),
                       new THREE.Vector3(...(node.scale ?? [1, 1, 1])));
    const world = new THREE.Matrix4().multiplyMatrices(parent, local);
    if (node.mesh !== undefined) {
      meshes[node.mesh].primitives.forEach(({ attributes }, primitive) => {
        const positions = accessorNumbers(gltf, attributes.POSITION);
        const vertex = new THREE.Vector3();
        for (let i = 0; i < positions.length; i += 3)
          vertex.fromArray(positions, i).applyMatrix4(world).toArray(positions, i);
        parts.push({ node: index, primitive, positions });
      });
    }
    for (const child of node.children ?? []) visit(child, world);
  };
  for (const root of scenes[scene].nodes) visit(root, new THREE.Matrix4());
  return parts.sort((a, b) => a.node - b.node || a.primitive - b.primitive);
}

/** The largest distance between parts of the same order, relative to the diagonal of `expected`. */
export function compareParts(expected, actual) {
  const shape = (parts) => parts.map(({ positions }) => positions.length / 3).join(' ');
  if (shape(expected) !== shape(actual))
    return { problem: `vertices per primitive: ${shape(expected)} expected, ${shape(actual)} found` };
  const box = new THREE.Box3();
  const a = new THREE.Vector3();
  const b = new THREE.Vector3();
  let worst = 0;
  let unusable = 0;
  expected.forEach(({ positions }, part) => {
    for (let i = 0; i < positions.length; i += 3) {
      a.fromArray(positions, i);
      b.fromArray(actual[part].positions, i);
      if (![...a].every(Number.isFinite)) { // an artist's NaN weight, which three.js passes on and sinew mends
        unusable += 1;
        continue;
      }
      box.expandByPoint(a);
      const distance = a.distanceTo(b);
      worst = Number.isNaN(distance) ? Infinity : Math.max(worst, distance);
    }
  });
  return { worst: worst / box.getSize(a).length(), unusable };
}
