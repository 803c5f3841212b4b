// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// `sinew pose` must put every vertex where three.js puts it. Takes every model that has a clip, at times between keys,
// and compares linear blend skinning in scene space, vertex by vertex.
//
//   node pose_against_three.mjs --sinew BIN --work DIR (--models DIR | --examples DIR)
import { basename, join } from 'node:path';

import * as THREE from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';

import { accessorNumbers, packGlb, readGltf } from './gltf.mjs';
import { printTable, runCheck, runSinew } from './harness.mjs';

// Of the character's diagonal. Positions are floats on both sides, and three.js takes a chord for a short arc.
const TOLERANCE_REL = 1e-5;
const CLIPS_PER_MODEL = 2;
const FRACTIONS = [0.13, 0.5, 0.81]; // of a clip: an odd place, its middle, late

/** The scene of a document in three.js. Materials go: they need a browser's images, and move no vertex. */
async function loadScene(gltf) {
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
function posedByThree(loaded, clipIndex, time) {
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
function staticParts(gltf) {
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
function compareParts(expected, actual) {
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

process.exitCode = await runCheck(async ({ sinew, work, models }) => {
  const rows = [];
  const complaints = [];
  for (const [number, model] of models.entries()) {
    const gltf = readGltf(model);
    const clips = gltf.json.animations ?? [];
    if (clips.length === 0 || !gltf.json.skins) continue;
    const loaded = await loadScene(gltf);
    for (let clip = 0; clip < Math.min(clips.length, CLIPS_PER_MODEL); ++clip) {
      let worst = 0;
      let unusable = 0;
      for (const fraction of FRACTIONS) {
        const time = loaded.animations[clip].duration * fraction;
        const posed = join(work, `${number}-${clip}-${fraction}.glb`);
        const done = runSinew(sinew, ['pose', model, '--animation', clips[clip].name ?? `${clip}`, '--time', `${time}`,
                                      '--deformer', 'lbs', '-o', posed]);
        const result = done.ok ? compareParts(posedByThree(loaded, clip, time), staticParts(readGltf(posed)))
                               : { problem: done.text };
        if (result.problem) complaints.push(`${model}, clip ${clip}, ${time} s: ${result.problem}`);
        worst = result.problem ? Infinity : Math.max(worst, result.worst);
        unusable = Math.max(unusable, result.unusable ?? 0);
      }
      if (!(worst <= TOLERANCE_REL) && Number.isFinite(worst))
        complaints.push(`${model}, clip ${clip}: off by ${worst.toExponential(1)} of the diagonal`);
      rows.push([basename(model), clips[clip].name ?? clip, worst.toExponential(1), unusable]);
    }
  }
  if (rows.length === 0) complaints.push('no model with a skin and a clip');
  printTable(['model', 'clip', 'largest distance / diagonal', 'vertices left out'], rows);
  for (const complaint of complaints) console.log(complaint);
  return complaints.length > 0 ? 1 : 0;
});
