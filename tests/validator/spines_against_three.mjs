// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A bone that was turned into a row of joints must look in three.js as the bone itself does by its exact formula, within the
// deviation that `sinew bind` reports, and the Khronos validator must find nothing new in the file. The exact one is `sinew
// pose` of the same file with the bone marked as a spine; the row is of `sinew bind` with the file's own weights kept. Both
// start from a file whose weights are whole: some artists' have vertices without any.
//
//   node spines_against_three.mjs --sinew BIN --work DIR (--models DIR | --examples DIR)
import { spawnSync } from 'node:child_process';
import { basename, join } from 'node:path';
import { writeFileSync } from 'node:fs';

import { packGlb, readGltf } from './gltf.mjs';
import { printTable, runCheck, runSinew } from './harness.mjs';
import { compareParts, loadScene, posedByThree, staticParts } from './three_scene.mjs';
import { newIssues, validate } from './validate.mjs';

const SLACK_REL = 5e-4; // of the diagonal: poses between those that were measured, and keys that are lines
const FRACTIONS = [0.13, 0.5, 0.81];
const KEEPING = ['--method', 'heat', '--mix', '0', '--lods', 'off', '--poses', '0']; // the weights stay as they are
const KINDS = [{ kind: 'spine', flag: '--spine' }, { kind: 'stretch-twist', flag: '--stretch-twist' }];

/**
 * Up to two bones of the first skin that have one child joint, some way from them, and one that forks. No mesh without a skin hangs below: the
 * nodes that a row moves carry it to the end of the arc, and `sinew pose`, which moves skins alone, leaves it on the chord.
 */
function bendable({ json }) {
  const joints = json.skins[0].joints;
  const isJoint = new Set(joints);
  const childrenOf = (node) => (json.nodes[node].children ?? []).filter((child) => isJoint.has(child));
  const hasLength = (node) => Math.hypot(...(json.nodes[childrenOf(node)[0]].translation ?? [0])) > 1e-3;
  const carriesMesh = (node) => (json.nodes[node].children ?? []).some(
    (child) => (json.nodes[child].mesh !== undefined && json.nodes[child].skin === undefined) || carriesMesh(child));
  const withChildren = (isMeant) =>
    joints.filter((node) => isMeant(childrenOf(node).length) && hasLength(node) && !carriesMesh(node))
      .map((node) => ({ node, name: json.nodes[node].name }))
      .filter(({ name }) => name && joints.filter((joint) => json.nodes[joint].name === name).length === 1);
  const [names, forks] = [withChildren((count) => count === 1), withChildren((count) => count > 1)];
  return [...(names.length < 2 ? names : [names[0], names[Math.floor(names.length / 2)]]), ...forks.slice(-1)];
}

process.exitCode = await runCheck(async ({ sinew, work, models }) => {
  const rows = [];
  const complaints = [];
  for (const [number, model] of models.entries()) {
    const { json } = readGltf(model);
    if (!json.skins || !(json.animations?.length > 0) || /[\\/]large[\\/]/.test(model)) continue;
    const whole = join(work, `${number}-whole.glb`);
    const mended = runSinew(sinew, ['bind', model, '-o', whole, ...KEEPING]);
    if (!mended.ok) {
      complaints.push(`${model}: ${mended.text}`);
      continue;
    }
    const gltf = readGltf(whole);
    for (const { node, name } of bendable(gltf))
      for (const { kind, flag } of KINDS) {
        const place = `${basename(model)}, ${name} as ${kind}`;
        const marked = structuredClone(gltf.json);
        marked.nodes[node].extras = { ...marked.nodes[node].extras, sinew: { ...marked.nodes[node].extras?.sinew, kind } };
        const exact = join(work, `${number}-${node}-${kind}-exact.glb`);
        writeFileSync(exact, packGlb({ ...gltf, json: marked }));
        const row = join(work, `${number}-${node}-${kind}.glb`);
        const made = spawnSync(sinew, ['bind', whole, '-o', row, ...KEEPING, flag, name, '--spine-bones', '12', '--json'], { encoding: 'utf8' });
        if (made.status !== 0 && made.stderr.includes('does not deform')) continue; // a control is no spine, and is told so
        if (made.status !== 0) {
          complaints.push(`${place}: ${made.stderr || made.stdout}`);
          continue;
        }
        const { spines } = JSON.parse(made.stdout).characters[0];
        const issues = newIssues(await validate(whole), await validate(row));
        for (const issue of issues) complaints.push(`${place}: ${issue}`);
        const loaded = await loadScene(readGltf(row));
        let worst = 0;
        for (const fraction of FRACTIONS) {
          const time = loaded.animations[0].duration * fraction;
          const posed = join(work, 'posed.glb');
          const done = runSinew(sinew, ['pose', exact, '--animation', gltf.json.animations[0].name ?? '0', '--time', `${time}`,
                                        '--deformer', 'lbs', '-o', posed]);
          const result = done.ok ? compareParts(staticParts(readGltf(posed)), posedByThree(loaded, 0, time))
                                 : { problem: done.text };
          if (result.problem) complaints.push(`${place}, ${time} s: ${result.problem}`);
          worst = result.problem ? Infinity : Math.max(worst, result.worst);
        }
        const allowed = spines.cap.deviation + SLACK_REL;
        if (!(worst <= allowed)) complaints.push(`${place}: ${worst.toExponential(1)} of the diagonal from the exact one`);
        rows.push([basename(model), name, kind, worst.toExponential(1), spines.cap.deviation.toExponential(1),
                   issues.length > 0 ? 'ISSUES' : 'nothing new']);
      }
  }
  if (rows.length === 0) complaints.push('no model with a skin, a clip and a bone to bend');
  printTable(['model', 'bone', 'kind', 'largest distance / diagonal', 'reported', 'validator'], rows);
  for (const complaint of complaints) console.log(complaint);
  return complaints.length > 0 ? 1 : 0;
});
