// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// `sinew bind` must write weights that every program reads. Binds every model with a skin by both methods and checks what
// was written: nothing new for the Khronos validator and no error about weights, a weight on every vertex, at most four
// influences, sums within the rule, and the same weights on all copies of a vertex. Errors that came with the file and are
// not about weights stay in it, since everything else does; the table counts them.
//
//   node bind.mjs --sinew BIN --work DIR (--models DIR | --examples DIR)
import { basename, extname, join } from 'node:path';

import { accessorNumbers, readGltf } from './gltf.mjs';
import { printTable, runCheck, runSinew } from './harness.mjs';
import { newIssues, validate } from './validate.mjs';

const METHODS = ['heat', 'distance'];
const MOST_INFLUENCES = 4;
const SUM_TOLERANCE = 2e-7; // times the number of weights that are not zero: the rule of the glTF specification
const TOO_LARGE = /[\\/]large[\\/]/; // minutes each in a build with assertions

const ABOUT_WEIGHTS = /WEIGHTS|JOINTS/;

/** What the validator has against the bound file: whatever is new, and every error about weights; and what is left. */
function judgeIssues(before, after) {
  const errors = [...after].filter(([key]) => key.startsWith('error'));
  const aboutWeights = errors.filter(([key]) => ABOUT_WEIGHTS.test(key)).map(([key, { first }]) => `${key} (${first})`);
  return { issues: [...newIssues(before, after), ...aboutWeights],
           inherited: errors.reduce((sum, [, { count }]) => sum + count, 0) };
}

/** Every primitive that is shown with a skin, once per skin: { place, skin, attributes }. */
function skinnedPrimitives({ json }) {
  const seen = new Set();
  const found = [];
  for (const { mesh, skin } of json.nodes ?? []) {
    if (mesh === undefined || skin === undefined || seen.has(`${mesh} ${skin}`)) continue;
    seen.add(`${mesh} ${skin}`);
    json.meshes[mesh].primitives.forEach(({ attributes }, p) =>
      found.push({ place: `meshes[${mesh}].primitives[${p}]`, skin, attributes }));
  }
  return found;
}

/** The row of a vertex as text: joints that have a weight, ascending. */
function rowText(joints, weights, vertex) {
  const row = [];
  for (let k = 4 * vertex; k < 4 * vertex + 4; ++k) if (weights[k] !== 0) row.push(`${joints[k]}:${weights[k]}`);
  return row.sort().join(' ');
}

/** What is wrong with the weights of a document, as sentences, the first of each kind and how many there are. */
function brokenRules(gltf) {
  const broken = new Map();
  const complain = (kind, place) => {
    const issue = broken.get(kind) ?? { count: 0, place };
    issue.count += 1;
    broken.set(kind, issue);
  };
  const rowAt = new Map();
  let vertices = 0;
  for (const { place, skin, attributes } of skinnedPrimitives(gltf)) {
    if (attributes.JOINTS_0 === undefined || attributes.WEIGHTS_0 === undefined) {
      complain('a skinned primitive has no weights', place);
      continue;
    }
    if (attributes.JOINTS_1 !== undefined || attributes.WEIGHTS_1 !== undefined)
      complain('there is a second set of influences', place);
    const joints = accessorNumbers(gltf, attributes.JOINTS_0);
    const weights = accessorNumbers(gltf, attributes.WEIGHTS_0);
    const positions = accessorNumbers(gltf, attributes.POSITION);
    const jointCount = gltf.json.skins[skin].joints.length;
    for (let v = 0; 4 * v < weights.length; ++v) {
      const where = `${place}, vertex ${v}`;
      const own = weights.slice(4 * v, 4 * v + 4);
      const used = own.filter((weight) => weight !== 0);
      const sum = used.reduce((total, weight) => total + weight, 0);
      if (used.length === 0 || used.length > MOST_INFLUENCES) complain('the number of influences is wrong', where);
      if (!own.every((weight) => weight >= 0)) complain('a weight is negative or no number', where);
      if (!(Math.abs(sum - 1) <= SUM_TOLERANCE * used.length)) complain('the sum is not 1', where);
      for (let k = 0; k < 4; ++k) {
        if (joints[4 * v + k] >= jointCount) complain('a joint is past the end of the skin', where);
        if (own[k] === 0 && joints[4 * v + k] !== 0) complain('an unused slot names a joint', where);
        if (k > 0 && own[k] > own[k - 1]) complain('a stronger influence comes later', where);
      }
      const spot = `${skin} ${positions.slice(3 * v, 3 * v + 3).join(' ')}`;
      const row = rowText(joints, weights, v);
      if ((rowAt.get(spot) ?? row) !== row) complain('copies of a vertex differ', where);
      rowAt.set(spot, row);
      vertices += 1;
    }
  }
  if (vertices === 0) complain('nothing is skinned', 'the file');
  return { vertices, sentences: [...broken].map(([kind, { count, place }]) => `${kind}: ${count}, first ${place}`) };
}

process.exitCode = await runCheck(async ({ sinew, work, models }) => {
  const rows = [];
  const complaints = [];
  for (const [number, model] of models.entries()) {
    if (skinnedPrimitives(readGltf(model)).length === 0) continue;
    if (TOO_LARGE.test(model)) {
      rows.push([basename(model), '', 'left out: too large', '', '']);
      continue;
    }
    const before = await validate(model);
    for (const method of METHODS) {
      const bound = join(work, `${number}-${basename(model, extname(model))}-${method}.glb`);
      const done = runSinew(sinew, ['bind', model, '-o', bound, '--method', method, '--poses', '0', '--quiet']);
      if (!done.ok) {
        rows.push([basename(model), method, 'FAILED', '', '']);
        complaints.push(`${model} by ${method}: ${done.text}`);
        continue;
      }
      const { vertices, sentences } = brokenRules(readGltf(bound));
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
