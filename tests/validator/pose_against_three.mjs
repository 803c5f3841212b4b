// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// `sinew pose` must put every vertex where three.js puts it. Takes every model that has a clip, at times between keys,
// and compares linear blend skinning in scene space, vertex by vertex.
//
//   node pose_against_three.mjs --sinew BIN --work DIR (--models DIR | --examples DIR)
import { basename, join } from 'node:path';

import { readGltf } from './gltf.mjs';
import { printTable, runCheck, runSinew } from './harness.mjs';
import { compareParts, loadScene, posedByThree, staticParts } from './three_scene.mjs';

// Of the character's diagonal. Positions are floats on both sides, and three.js takes a chord for a short arc.
const TOLERANCE_REL = 1e-5;
const CLIPS_PER_MODEL = 2;
const FRACTIONS = [0.13, 0.5, 0.81]; // of a clip: an odd place, its middle, late

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
