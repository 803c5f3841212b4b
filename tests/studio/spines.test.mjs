// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  closeBrowser,
  example,
  loadPageModules,
  open,
  payloadOf,
  report,
  sinew,
  work,
} from './support.mjs';

after(closeBrowser);

const { Character, boneColour, bytesFromBase64, colourVertices } = await loadPageModules();

/// A biped whose chest is a spine, exact, beside the same as a row of 8 joints.
function exactAndRow() {
  const biped = example('biped', 2000);
  const rig = join(work, 'spine-rig.json');
  writeFileSync(rig, JSON.stringify({ sinew_rig: 1, bones: { Chest: { kind: 'spine' } } }));
  const [exact, row] = ['exact', 'row'].map((name) => join(work, `spine-${name}.glb`));
  const quick = ['--method', 'heat', '--poses', 0];
  sinew('bind', biped, '-o', exact, '--rig', rig, ...quick);
  sinew('bind', biped, '-o', row, '--spine', 'Chest', '--spine-bones', 8, ...quick);
  return report('spines', [exact, row], '--poses', '1');
}

const page = exactAndRow();

function characterOf(file) {
  const entry = payloadOf(page).files[file];
  const found = new RegExp(`id="sinew-file-${entry.blob}"[^>]*>(.*?)</script>`, 's').exec(
    readFileSync(page, 'utf8'),
  );
  return new Character(entry, bytesFromBase64(found[1]));
}

test('AnExactSpineIsOneBoneOfOneColour', () => {
  const character = characterOf(0);
  const chest = character.boneNamed('Chest');
  const standIns = character.entry.bones.filter((bone) => bone.shown_for === chest);
  assert.equal(standIns.length, 64);
  const listed = character.entry.bones
    .map((bone, b) => ({
      bone,
      weights: character.weightsOf(b),
      colour: boneColour(b),
    }))
    .filter(({ bone }) => bone.shown_for === undefined);
  const colours = new Uint8Array(3 * character.vertexCount);
  colourVertices(colours, character, null, {
    mode: 'bones',
    ramp: 'dusk',
    bone: -1,
    distortionMax: 1,
  });
  for (let v = 0; v < character.vertexCount; ++v) {
    for (let d = 0; d < 3; ++d) {
      const mixed = listed.reduce((sum, { weights, colour }) => sum + weights[v] * colour[d], 0);
      assert.ok(Math.abs(colours[3 * v + d] - 255 * mixed) <= 1.01);
    }
    const strongest = listed.reduce((a, b) => (b.weights[v] > a.weights[v] ? b : a));
    const dominant = character.dominantBone(v);
    assert.ok(
      listed.find(({ bone }) => bone === character.entry.bones[dominant]).weights[v] >=
        strongest.weights[v] - 1e-6,
    );
    assert.ok(character.influences.count[v] <= 4);
  }
  assert.equal(
    character.entry.bones.reduce((sum, bone) => sum + (bone.dominated ?? 0), 0),
    character.vertexCount,
  );
  assert.ok(character.entry.bones[chest].dominated > 10);
});

test('JointsThatShowASpineAreNoInfluencesTooMany', () => {
  const { figures, warnings } = payloadOf(page).files[0];
  assert.ok(figures.max_influences <= 4);
  assert.ok(warnings.every(({ code }) => code !== 'too_many_influences'));
});

test('ARowThatTheFileHasIsSeenJointByJoint', () => {
  const character = characterOf(1);
  assert.ok(character.entry.bones.every((bone) => bone.shown_for === undefined));
  assert.equal(character.entry.bones.filter((b) => b.name.startsWith('Chest.spine.')).length, 8);
});

test('TheListsNameTheSpineAndNoJointThatIsThereToShowIt', async () => {
  const { page: opened, errors } = await open(page);
  assert.deepEqual(errors, []);
  const inTree = (name) => opened.getByRole('treeitem', { name }).count();
  assert.equal(await inTree(/^Chest$/), 1);
  assert.equal(await inTree(/^Chest\.spine\./), 8); // those of the second file
  await opened.close();
});
