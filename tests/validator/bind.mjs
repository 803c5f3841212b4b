// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// `sinew bind` must write weights that every program reads. Binds every model with a skin by the methods that are quick, and
// the examples optimised and for several targets too, and checks what was written: nothing new for the Khronos validator and
// no error about weights, a weight on every vertex, no more influences than asked for, sums within the rule and exact where
// weights are integers, no primitive with more joints than it may use, and the same weights on all copies of a vertex. Errors
// that came with the file and are not about weights stay in it, since everything else does; the table counts them.
//
//   node bind.mjs --sinew BIN --work DIR (--models DIR | --examples DIR)
import { writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';

import { accessorNumbers, packGlb, readGltf } from './gltf.mjs';
import { printTable, runCheck, runSinew } from './harness.mjs';
import { newIssues, validate } from './validate.mjs';

const WAYS = [{ name: 'heat', most: 4, flags: ['--method', 'heat'] }, { name: 'bbw', most: 4, flags: ['--method', 'bbw', '--cells', '2000'] },
  { name: 'distance', most: 4, flags: ['--method', 'distance'] }];
const OPTIMISED = ['--exemplars', '8', '--iterations', '2']; // not the best weights, but made the same way
const TARGETS = [
  { name: 'araplbs', most: 4, flags: OPTIMISED },
  { name: 'from bbw', most: 4, flags: [...OPTIMISED, '--init', 'bbw', '--cells', '2000'] },
  { name: 'from owners', most: 4, flags: [...OPTIMISED, '--init', 'owners'] },
  { name: 'volume', most: 4, flags: [...OPTIMISED, '--domain', 'volume', '--cells', '2000'] },
  { name: 'existing', most: 4, flags: [...OPTIMISED, '--init', 'existing'] },
  { name: 'u8', most: 4, steps: 255, flags: ['--method', 'heat', '--quantise', 'u8'] },
  { name: 'unity', most: 4, steps: 65535, flags: ['--method', 'heat', '--target', 'unity'] },
  { name: 'unreal', most: 8, steps: 255, flags: ['--method', 'heat', '--target', 'unreal'] },
  { name: 'mobile', most: 4, steps: 255, joints: 12, flags: ['--method', 'heat', '--target', 'mobile', '--joints-per-primitive', '12'] },
];
const SUM_TOLERANCE = 2e-7; // times the number of weights that are not zero: the rule of the glTF specification
const ON_A_STEP = 0.01; // steps: what floats of 16-bit weights are off by
const TOO_LARGE = /[\\/]large[\\/]/; // minutes each in a build with assertions

const TRIANGLES = 4;
const ABOUT_WEIGHTS = /WEIGHTS|JOINTS/;

/** What the validator has against the bound file: whatever is new, and every error about weights; and what is left. */
function judgeIssues(before, after) {
  const errors = [...after].filter(([key]) => key.startsWith('error'));
  const aboutWeights = errors.filter(([key]) => ABOUT_WEIGHTS.test(key)).map(([key, { first }]) => `${key} (${first})`);
  return { issues: [...newIssues(before, after), ...aboutWeights],
           inherited: errors.reduce((sum, [, { count }]) => sum + count, 0) };
}

/** Every primitive that is shown with a skin, once per skin: { place, skin, attributes, indices, mode }. */
function skinnedPrimitives({ json }) {
  const seen = new Set();
  const found = [];
  for (const { mesh, skin } of json.nodes ?? []) {
    if (mesh === undefined || skin === undefined || seen.has(`${mesh} ${skin}`)) continue;
    seen.add(`${mesh} ${skin}`);
    json.meshes[mesh].primitives.forEach(({ attributes, indices, mode }, p) =>
      found.push({ place: `meshes[${mesh}].primitives[${p}]`, skin, attributes, indices, mode: mode ?? TRIANGLES }));
  }
  return found;
}

/** The row of a vertex as text: joints that have a weight, ascending. */
function rowText(joints, weights) {
  return joints.flatMap((joint, k) => (weights[k] === 0 ? [] : [`${joint}:${weights[k]}`])).sort().join(' ');
}

/** The numbers of all sets of an attribute, a row per vertex: NAME_0, NAME_1 and so on. */
function rowsOf(gltf, attributes, name) {
  const sets = [];
  for (let k = 0; attributes[`${name}_${k}`] !== undefined; ++k) sets.push(accessorNumbers(gltf, attributes[`${name}_${k}`]));
  return Array.from({ length: sets[0].length / 4 }, (_, v) => sets.flatMap((set) => [...set.slice(4 * v, 4 * v + 4)]));
}

/** What is wrong with the weights of a document, as sentences, the first of each kind and how many there are. */
function brokenRules(gltf, { most, steps, joints: mostJoints }) {
  const broken = new Map();
  const complain = (kind, place) => {
    const issue = broken.get(kind) ?? { count: 0, place };
    issue.count += 1;
    broken.set(kind, issue);
  };
  const rowAt = new Map();
  let vertices = 0;
  for (const { place, skin, attributes, indices, mode } of skinnedPrimitives(gltf)) {
    if (attributes.JOINTS_0 === undefined || attributes.WEIGHTS_0 === undefined) {
      complain('a skinned primitive has no weights', place);
      continue;
    }
    const sets = Math.ceil(most / 4);
    if (attributes[`JOINTS_${sets}`] !== undefined || attributes[`WEIGHTS_${sets}`] !== undefined)
      complain('there are more sets of influences than asked for', place);
    const joints = rowsOf(gltf, attributes, 'JOINTS');
    const weights = rowsOf(gltf, attributes, 'WEIGHTS');
    const drawn = new Set(indices === undefined ? [] : accessorNumbers(gltf, indices));
    const used = new Set();
    const positions = accessorNumbers(gltf, attributes.POSITION);
    const jointCount = gltf.json.skins[skin].joints.length;
    for (let v = 0; v < weights.length; ++v) {
      const where = `${place}, vertex ${v}`;
      const own = weights[v];
      const positive = own.filter((weight) => weight !== 0);
      const sum = positive.reduce((total, weight) => total + weight, 0);
      if (positive.length === 0 || positive.length > most) complain('the number of influences is wrong', where);
      if (!own.every((weight) => weight >= 0)) complain('a weight is negative or no number', where);
      if (!(Math.abs(sum - 1) <= SUM_TOLERANCE * positive.length)) complain('the sum is not 1', where);
      if (steps !== undefined) {
        const parts = positive.map((weight) => Math.round(weight * steps));
        if (parts.reduce((total, part) => total + part, 0) !== steps) complain(`the sum is not ${steps}`, where);
        if (!positive.every((weight, k) => Math.abs(weight * steps - parts[k]) < ON_A_STEP))
          complain('a weight is no whole number of steps', where);
      }
      for (let k = 0; k < own.length; ++k) {
        if (joints[v][k] >= jointCount) complain('a joint is past the end of the skin', where);
        if (own[k] === 0 && joints[v][k] !== 0) complain('an unused slot names a joint', where);
        if (k > 0 && own[k] > own[k - 1]) complain('a stronger influence comes later', where);
        if (own[k] > 0 && (indices === undefined || drawn.has(v))) used.add(joints[v][k]);
      }
      const spot = `${skin} ${positions.slice(3 * v, 3 * v + 3).join(' ')}`;
      const row = rowText(joints[v], own);
      if ((rowAt.get(spot) ?? row) !== row) complain('copies of a vertex differ', where);
      rowAt.set(spot, row);
      vertices += 1;
    }
    if (mostJoints !== undefined && mode === TRIANGLES && used.size > mostJoints)
      complain('a primitive uses too many joints', place);
  }
  if (vertices === 0) complain('nothing is skinned', 'the file');
  return { vertices, sentences: [...broken].map(([kind, { count, place }]) => `${kind}: ${count}, first ${place}`) };
}

/** A model with each of its skinned meshes twice more, as coarser levels that share all accessors. */
function withLevels(model, path) {
  const gltf = readGltf(model);
  const { nodes, meshes, scenes } = gltf.json;
  const skinned = [...nodes.entries()].filter(([, node]) => node.mesh !== undefined && node.skin !== undefined);
  for (const [index, node] of skinned) {
    const name = node.name ?? 'Body';
    node.name = `${name}_LOD0`;
    for (const level of [1, 2]) {
      meshes.push({ ...structuredClone(meshes[node.mesh]), name: `${name}_LOD${level}` });
      nodes.push({ ...structuredClone(node), name: `${name}_LOD${level}`, mesh: meshes.length - 1, children: undefined });
      const parent = nodes.find(({ children }) => children?.includes(index));
      (parent ? parent.children : scenes[0].nodes).push(nodes.length - 1);
    }
  }
  writeFileSync(path, packGlb(gltf));
  return path;
}

process.exitCode = await runCheck(async ({ sinew, work, models }) => {
  const ways = process.argv.includes('--examples') ? [...WAYS, ...TARGETS] : WAYS;
  const rows = [];
  const complaints = [];
  if (process.argv.includes('--examples')) models = [...models, withLevels(models[0], join(work, 'levels.glb'))];
  for (const [number, model] of models.entries()) {
    if (skinnedPrimitives(readGltf(model)).length === 0) continue;
    if (TOO_LARGE.test(model)) {
      rows.push([basename(model), '', 'left out: too large', '', '']);
      continue;
    }
    const before = await validate(model);
    for (const way of ways) {
      const { name: method, flags } = way;
      const bound = join(work, `${number}-${basename(model, extname(model))}-${method}.glb`);
      const done = runSinew(sinew, ['bind', model, '-o', bound, ...flags, '--poses', '0', '--quiet']);
      if (!done.ok) {
        rows.push([basename(model), method, 'FAILED', '', '']);
        complaints.push(`${model} by ${method}: ${done.text}`);
        continue;
      }
      const { vertices, sentences } = brokenRules(readGltf(bound), way);
      const { issues, inherited } = judgeIssues(before, await validate(bound));
      const quiet = inherited > 0 ? `nothing new, ${inherited} old` : 'no error, nothing new';
      rows.push([basename(model), method, vertices, sentences.length === 0 ? 'kept' : 'BROKEN',
                 issues.length > 0 ? 'ISSUES' : quiet]);
      for (const sentence of [...sentences, ...issues]) complaints.push(`${model} by ${method}: ${sentence}`);
    }
  }
  if (rows.length === 0) complaints.push('no model with a skin');
  printTable(['model', 'method', 'vertices', 'rules', 'validator'], rows);
  for (const complaint of complaints) console.log(complaint);
  return complaints.length > 0 ? 1 : 0;
});
