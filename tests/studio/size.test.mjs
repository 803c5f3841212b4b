// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { after, test } from 'node:test';
import { closeBrowser, example, open, report } from './support.mjs';

after(closeBrowser);

const kLargestReport = 10e6;
const kFirstPictureMs = 3000;

test('AReportOf43ThousandVerticesIsSmallAndQuick', async (t) => {
  const path = report('large', [example('biped', 43000)], '--label', 'made');
  const bytes = statSync(path).size;
  t.diagnostic(`report: ${(bytes / 1e6).toFixed(2)} MB`);
  assert.ok(bytes < kLargestReport);
  await closeBrowser();
  const { page, errors } = await open(path);
  const first = await page.evaluate(() => window.sinew.timings());
  t.diagnostic(`first picture: ${first.first_picture_ms.toFixed(0)} ms`);
  const cost = await page.evaluate(() => {
    window.sinew.setPose({ clip: 'Walk', time: 0.3 });
    return window.sinew.measure(20);
  });
  t.diagnostic(
    `update without rendering: ${cost.update_ms.toFixed(2)} ms; distortion ${cost.distortion_ms.toFixed(1)} ms; colours ${cost.colour_ms.toFixed(2)} ms`,
  );
  assert.deepEqual(errors, []);
  assert.ok(first.first_picture_ms < kFirstPictureMs);
  assert.ok(cost.distortion_ms < 150);
});
