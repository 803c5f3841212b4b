// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  closeBrowser,
  example,
  loadPageModules,
  madeReport,
  model,
  open,
  payloadOf,
  report,
  sinew,
  work,
} from './support.mjs';

after(closeBrowser);

const { Glb, readVertices } = await loadPageModules();
const kToleranceRel = 1e-4; // of the character's size

const kCases = [
  {
    name: 'biped',
    file: () => example('biped', 3000),
    moments: [
      ['Walk', 0],
      ['Walk', 0.37],
    ],
  },
  { name: 'hand', file: () => example('hand', 2000), moments: [[0, 0.5]] },
  { name: 'robot', file: () => example('robot', 2000), moments: [[0, 0.3]] },
  {
    name: 'CesiumMan',
    file: () => model('khronos/CesiumMan.glb'),
    moments: [[0, 0.8]],
  },
  {
    name: 'Fox',
    file: () => model('khronos/Fox.glb'),
    moments: [
      ['Walk', 0.3],
      ['Survey', 1.7],
    ],
  },
  {
    name: 'Wasp',
    file: () => model('quaternius/easy_enemies_Wasp.glb'),
    moments: [[0, 0.4]],
  },
  {
    name: 'Horse',
    file: () => model('quaternius/animals_Horse.glb'),
    moments: [[3, 0.4]],
  },
  {
    name: 'RobotExpressive',
    file: () => model('misc/RobotExpressive.glb'),
    moments: [['Dance', 0.9]],
  },
  {
    name: 'SkinsOverOneSkeleton',
    file: () => model('quaternius/modular_men_King.glb'),
    moments: [null],
  },
];

for (const { name, file, moments } of kCases)
  test(`PosesOf${name}AreThoseOfSinewPose`, async (t) => {
    const path = file();
    if (!path) return t.skip('the models are not here');
    const { page, errors } = await open(report(`pose-${name}`, [path], '--poses', '1'));
    assert.deepEqual(errors, []);
    const clips = await page.evaluate(() => window.sinew.files()[0].clips);
    for (const moment of moments) {
      const clip =
        moment &&
        (typeof moment[0] === 'number'
          ? clips[moment[0]]
          : clips.find((c) => c.endsWith(moment[0])));
      const posed = join(work, `${name}-posed.glb`);
      if (moment)
        sinew('pose', path, '--animation', clips.indexOf(clip), '--time', moment[1], '-o', posed);
      else sinew('pose', path, '-o', posed);
      const shown = await page.evaluate(
        ({ c, time }) => {
          window.sinew.setPose(c === null ? 'rest' : { clip: c, time });
          return {
            positions: Array.from(window.sinew.positions(0)),
            parts: window.sinew.parts(0),
          };
        },
        { c: clip ?? null, time: moment?.[1] ?? 0 },
      );
      compare(shown, posed, `${name} ${moment ?? 'rest'}`);
    }
    await page.close();
  });

/// Per primitive, in stored order: every vertex within the tolerance.
function compare({ positions, parts }, posed, what) {
  const expected = readVertices(new Glb(new Uint8Array(readFileSync(posed)))).sets;
  const skinned = parts.filter((part) => part.skin >= 0);
  assert.ok(skinned.length > 0);
  let [low, high] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ];
  positions.forEach((v, i) => {
    low[i % 3] = Math.min(low[i % 3], v);
    high[i % 3] = Math.max(high[i % 3], v);
  });
  const size = Math.hypot(...low.map((l, d) => high[d] - l));
  for (const part of skinned) {
    const twin = expected.find(
      (set) => set.mesh === part.mesh && set.primitives[0] === part.primitives[0],
    );
    assert.ok(twin, `${what}: mesh ${part.mesh} is in both`);
    assert.equal(twin.count, part.count);
    let worst = 0;
    for (let i = 0; i < 3 * part.count; ++i)
      worst = Math.max(worst, Math.abs(positions[3 * part.first + i] - twin.positions[i]));
    assert.ok(
      worst < kToleranceRel * size,
      `${what}: mesh ${part.mesh} is off by ${worst / size} of the size`,
    );
  }
}

test('PositionsThatWereComputedElsewhereAreShownAsTheyAre', async () => {
  const path = example('hand', 2000);
  const plain = await open(madeReport('with-transforms', [path], '--poses', '2'));
  const given = await open(madeReport('with-positions', [path], '--poses', '2', '--positions'));
  const at = (page) =>
    page.evaluate(() => {
      window.sinew.setPose(1);
      return Array.from(window.sinew.positions(0));
    });
  const [a, b] = [await at(plain.page), await at(given.page)];
  assert.ok(a.every((v, i) => Math.abs(v - b[i]) < 1e-6));
  assert.deepEqual(given.errors, []);
});

test('PosesOfAReportAreThoseThatItsFiguresAreMeansOf', async () => {
  const biped = example('biped', 3000);
  const path = report('arap', [biped], '--poses', '4');
  const { poses, files, worst } = payloadOf(path);
  const { page } = await open(path);
  const seen = await page.evaluate(
    (count) =>
      [...Array(count).keys()].map((p) => {
        window.sinew.setPose(p);
        return window.sinew.distortion(0).total;
      }),
    poses.length,
  );
  poses.forEach((pose, p) =>
    assert.ok(
      Math.abs(seen[p] - pose.arap[0]) < 1e-3 * pose.arap[0] + 1e-6,
      `${pose.name}: ${seen[p]} on the page, ${pose.arap[0]} in the report`,
    ),
  );
  const random = poses.map((pose, p) => ({ pose, p })).filter(({ pose }) => pose.kind === 'random');
  const mean = random.reduce((sum, { pose }) => sum + pose.arap[0], 0) / random.length;
  assert.ok(Math.abs(mean - files[0].figures.arap) < 1e-9);
  assert.equal(poses[worst.pose].arap[0], files[0].figures.arap_worst);
  await page.close();
});
