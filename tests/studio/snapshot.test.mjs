// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { example, sinew, work } from './support.mjs';

const snapshot = (name, ...flags) => {
  const out = join(work, `${name}.png`);
  sinew('snapshot', example('biped', 2000), '-o', out, '--poses', 2, ...flags);
  return readFileSync(out);
};
const sizeOf = (png) => [png.readUInt32BE(16), png.readUInt32BE(20)];

test('ThePictureHasTheSizeAndTheViewThatWereAskedFor', () => {
  const rest = snapshot('rest', '--size', '320x240');
  assert.deepEqual(sizeOf(rest), [320, 240]);
  assert.ok(rest.length > 3000, 'something is drawn');
  const views = [
    ['--pose', 'elbow', '--camera', 'limb'],
    ['--pose', 'Walk:0.4'],
    ['--mode', 'weights', '--bone', 'thigh.l'],
    ['--theme', 'dark'],
  ];
  const others = views.map((flags, k) => snapshot(`view-${k}`, '--size', '320x240', ...flags));
  const all = [rest, ...others].map((png) => png.toString('base64'));
  assert.equal(new Set(all).size, all.length, 'each view is another picture');
});

test('NothingIsLeftOfTheBrowser', () => {
  const scratch = mkdtempSync(join(work, 'scratch-'));
  const before = process.env.TMPDIR;
  process.env.TMPDIR = scratch;
  try {
    snapshot('clean', '--size', '64x64');
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
  assert.deepEqual(readdirSync(scratch), []);
});

test('LabelsAreDrawn', () => {
  const plain = snapshot('plain', '--size', '320x240');
  const labelled = snapshot('labelled', '--size', '320x240', '--label', 'as it came');
  assert.notEqual(labelled.toString('base64'), plain.toString('base64'));
});

test('WhatCannotBeDrawnIsRefusedByName', () => {
  const refused = (...flags) => {
    try {
      snapshot('refused', '--size', '64x64', ...flags);
    } catch (error) {
      return String(error.stderr ?? error.message);
    }
    return '';
  };
  assert.match(refused('--background', 'nonsense'), /--background.*'nonsense' is not a colour/);
  assert.match(refused('--camera', 'bone'), /--camera.*--bone/);
});
