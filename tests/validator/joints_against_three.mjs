// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Joints that `sinew fit-joints` moved must turn about their new places in three.js, and nothing else may have changed: with d
// the way that a joint went and Q what it does relative to its parent, both as the bind pose has it, the new file must play
// T(d) Q T(-d) for every joint at every moment. In the bind pose Q is the identity, so that the mesh stays where it was. The
// Khronos validator must find nothing new in the file.
//
//   node joints_against_three.mjs --sinew BIN --work DIR (--models DIR | --examples DIR)
import { spawnSync } from 'node:child_process';
import { basename, join } from 'node:path';

import * as THREE from 'three';

import { readGltf } from './gltf.mjs';
import { printTable, runCheck } from './harness.mjs';
import { loadScene } from './three_scene.mjs';
import { newIssues, validate } from './validate.mjs';

const LARGEST_REL = 1e-6; // of the skeleton's size: floats of bind matrices and keys, along a chain of joints
const FRACTIONS = [0, 0.13, 0.5, 0.81];
const QUICK = ['--exemplars', '8', '--poses', '0', '--json']; // joints have to move, not to be good
const TOO_MANY_TRIANGLES = 60_000;

const inverse = (matrix) => matrix.clone().invert();
const product = (...matrices) => matrices.reduce((all, next) => all.multiply(next), new THREE.Matrix4());
const shift = (vector, sign = 1) => new THREE.Matrix4().makeTranslation(sign * vector.x, sign * vector.y, sign * vector.z);
const placeOf = (matrix) => new THREE.Vector3().setFromMatrixPosition(matrix);

/** The linear part of a matrix undone on a vector. */
function undo(matrix, vector) {
  return vector.clone().applyMatrix3(new THREE.Matrix3().setFromMatrix4(matrix).invert());
}

/** The objects of three.js by node of the file. */
function objectsByNode(loaded) {
  const objects = new Map();
  loaded.scene.traverse((object) => {
    const node = loaded.parser.associations.get(object)?.nodes;
    if (node !== undefined && !objects.has(node)) objects.set(node, object);
  });
  return objects;
}

/** The first skin of a document that a node shows: its joints, bind matrices and parents among the joints. */
function shownSkin(gltf, loaded) {
  let skinned;
  loaded.scene.traverse((object) => { skinned ??= object.isSkinnedMesh ? object : undefined; });
  const nodeOf = (bone) => loaded.parser.associations.get(bone).nodes;
  const joints = skinned.skeleton.bones.map(nodeOf);
  const parents = new Map();
  gltf.json.nodes.forEach(({ children = [] }, node) => children.forEach((child) => parents.set(child, node)));
  const slots = new Map(joints.map((node, slot) => [node, slot]));
  const parentSlot = joints.map((joint) => {
    let up = parents.get(joint);
    while (up !== undefined && !slots.has(up)) up = parents.get(up);
    return up === undefined ? -1 : slots.get(up);
  });
  return { joints, parents, parentSlot, bindInverse: skinned.skeleton.boneInverses.map((matrix) => matrix.clone()) };
}

/** The joint that most others hang on says how the space of bind matrices lies in the scene. */
function anchorOf({ joints, parentSlot }) {
  const below = joints.map(() => 0);
  joints.forEach((_, slot) => {
    let top = slot;
    while (parentSlot[top] >= 0) top = parentSlot[top];
    below[top] += 1;
  });
  return below.indexOf(Math.max(...below));
}

function play(loaded, clip, time, look) {
  const mixer = new THREE.AnimationMixer(loaded.scene);
  const action = mixer.clipAction(loaded.animations[clip]);
  action.setLoop(THREE.LoopOnce).clampWhenFinished = true;
  action.play();
  mixer.setTime(time);
  loaded.scene.updateMatrixWorld(true);
  look();
  mixer.stopAllAction();
  mixer.uncacheRoot(loaded.scene);
}

/** The farthest that a point near a joint is from where its motion should take it, of the skeleton's size. */
function largestError(gltf, before, after, displacementOf) {
  const skin = shownSkin(gltf, before);
  const moved = shownSkin(gltf, after);
  const objects = objectsByNode(before);
  const movedObjects = objectsByNode(after);
  for (const { scene } of [before, after]) scene.updateMatrixWorld(true);
  const anchor = anchorOf(skin);
  const sceneFromBind = product(objects.get(skin.joints[anchor]).matrixWorld, skin.bindInverse[anchor]);
  const heads = skin.bindInverse.map((matrix) => placeOf(inverse(matrix)));
  const size = new THREE.Box3().setFromPoints(heads).getSize(new THREE.Vector3()).length() || 1;
  const ways = skin.joints.map((node) => undo(sceneFromBind, displacementOf(node)));
  const stored = new Map([...objects].map(([node, object]) => [node, object.matrixWorld.clone()]));
  const storedAbove = (slot) => stored.get(skin.parents.get(skin.joints[slot])) ?? new THREE.Matrix4();
  let worst = 0;
  before.animations.forEach((clip, index) => {
    for (const fraction of FRACTIONS) {
      const old = [];
      const above = [];
      play(before, index, clip.duration * fraction, () => skin.joints.forEach((node, slot) => {
        old[slot] = product(objects.get(node).matrixWorld, skin.bindInverse[slot]);
        const parent = objects.get(skin.parents.get(node));
        above[slot] = parent ? product(parent.matrixWorld, inverse(storedAbove(slot))) : new THREE.Matrix4();
      }));
      const expected = [];
      const expect = (slot) => {
        if (expected[slot]) return expected[slot];
        const parent = skin.parentSlot[slot];
        const from = parent >= 0 ? old[parent] : product(above[slot], sceneFromBind);
        const onto = parent >= 0 ? expect(parent) : from;
        const own = product(inverse(from), old[slot]);
        expected[slot] = product(onto, shift(ways[slot]), own, shift(ways[slot], -1));
        return expected[slot];
      };
      play(after, index, clip.duration * fraction, () => skin.joints.forEach((node, slot) => {
        const actual = product(movedObjects.get(node).matrixWorld, moved.bindInverse[slot]);
        for (const offset of [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]) {
          const point = heads[slot].clone().addScaledVector(new THREE.Vector3(...offset), 0.1 * size);
          const distance = point.clone().applyMatrix4(expect(slot)).distanceTo(point.applyMatrix4(actual));
          worst = Math.max(worst, undo(sceneFromBind, new THREE.Vector3(distance, 0, 0)).length() / size);
        }
      }));
    }
  });
  return worst;
}

const triangles = ({ json }) => (json.meshes ?? []).flatMap(({ primitives }) => primitives)
  .reduce((sum, { indices }) => sum + (indices === undefined ? 0 : json.accessors[indices].count / 3), 0);

process.exitCode = await runCheck(async ({ sinew, work, models }) => {
  const rows = [];
  const complaints = [];
  for (const [number, model] of models.entries()) {
    const gltf = readGltf(model);
    if (!gltf.json.skins || !(gltf.json.animations?.length > 0) || triangles(gltf) > TOO_MANY_TRIANGLES) continue;
    const moved = join(work, `${number}.glb`);
    const made = spawnSync(sinew, ['fit-joints', model, '-o', moved, ...QUICK], { encoding: 'utf8', maxBuffer: 1 << 28 });
    if (made.status !== 0) {
      complaints.push(`${model}: ${made.stderr || made.stdout}`);
      continue;
    }
    const ways = new Map();
    for (const { joints } of JSON.parse(made.stdout).characters)
      for (const { node, displacement } of joints) ways.set(node, new THREE.Vector3(...displacement));
    const count = [...ways.values()].filter((way) => way.length() > 0).length;
    const issues = newIssues(await validate(model), await validate(moved));
    for (const issue of issues) complaints.push(`${model}: ${issue}`);
    const worst = largestError(gltf, await loadScene(gltf), await loadScene(readGltf(moved)),
                               (node) => ways.get(node) ?? new THREE.Vector3());
    if (!(worst <= LARGEST_REL)) complaints.push(`${model}: joints are off by ${worst.toExponential(1)} of the skeleton`);
    rows.push([basename(model), `${count} of ${ways.size}`, gltf.json.animations.length, worst.toExponential(1),
               issues.length > 0 ? 'ISSUES' : 'nothing new']);
  }
  if (!rows.some(([, count]) => !count.startsWith('0 '))) complaints.push('no model had a joint that moved');
  printTable(['model', 'joints moved', 'clips', 'largest error / skeleton', 'validator'], rows);
  for (const complaint of complaints) console.log(complaint);
  return complaints.length > 0 ? 1 : 0;
});
