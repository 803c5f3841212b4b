// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadPageModules } from './support.mjs';

const { boneColour, rampTable } = await loadPageModules();

const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);

/// Lightness of OKLab.
function lightness(bytes, at) {
  const [r, g, b] = [0, 1, 2].map((d) => linear(bytes[at + d] / 255));
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
}

for (const name of ['dusk', 'safe'])
  test(`EqualStepsOf_${name}_AreEqualStepsOfLightness`, () => {
    const table = rampTable(name);
    const steps = [...Array(15).keys()].map(
      (k) => lightness(table, 3 * 17 * (k + 1)) - lightness(table, 3 * 17 * k),
    );
    const mean = steps.reduce((a, b) => a + b) / steps.length;
    for (const step of steps) assert.ok(Math.abs(step / mean - 1) < 0.2, `${steps}`);
  });

test('GreyRisesFromDarkToLight', () => {
  const table = rampTable('grey');
  for (let k = 1; k < 256; ++k) assert.ok(table[3 * k] >= table[3 * k - 3]);
  assert.ok(lightness(table, 3 * 255) - lightness(table, 0) > 0.6);
});

test('BlendersRampRunsFromBlueOverGreenToRed', () => {
  const table = rampTable('blender');
  const at = (k) => [...table.subarray(3 * k, 3 * k + 3)];
  assert.deepEqual(at(0), [0, 0, 255]);
  assert.deepEqual(at(255), [255, 0, 0]);
  assert.ok(at(127)[1] === 255 && at(127)[0] < 10 && at(127)[2] < 10);
});

test('NeighbouringBonesDifferInLightnessToo', () => {
  for (let b = 0; b < 60; ++b) {
    const [here, next] = [boneColour(b), boneColour(b + 1)].map((c) =>
      lightness(
        c.map((v) => 255 * v),
        0,
      ),
    );
    assert.ok(Math.abs(here - next) > 0.05);
  }
});
