// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT

/// Pictures of a report in a window, for the documentation:
///   node scripts/screenshots.mjs REPORT.html FOLDER [SET]
/// SET is biped, the default, interior or spines: which pictures, and of which character.
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const [report, folder, set = 'biped'] = process.argv.slice(2);

const kShots = {
  biped: [
    { name: 'report-1280', width: 1280, height: 720 },
    { name: 'report-1920', width: 1920, height: 1080 },
    {
      name: 'report-weights-dark',
      width: 1280,
      height: 720,
      colorScheme: 'dark',
      click: 'Shoulder',
      view: { mode: 'weights', bone: 'UpperArm.L', skeleton: true },
    },
    { name: 'report-tables', width: 1280, height: 720, part: '.below' },
  ],
  interior: [
    {
      name: 'report-interior',
      width: 1280,
      height: 720,
      pose: 'rest',
      view: { mode: 'weights', bone: 'UpperArm.L', slice: 'z', cells: true, camera: 'front' },
    },
  ],
  spines: [
    {
      name: 'spines-report',
      width: 1280,
      height: 720,
      pose: { clip: 'Bend', time: 1 },
      view: {
        mode: 'bones',
        skeleton: false,
        camera: { position: [-1.1, 2.6, -1.5], target: [0.1, 0.5, 0] },
      },
    },
  ],
};

const browser = await chromium.launch({
  executablePath: process.env.SINEW_CHROMIUM ?? '/usr/bin/chromium',
  // Software rendering: the same picture on every machine.
  args: [
    '--no-sandbox',
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
    '--ignore-gpu-blocklist',
  ],
});
for (const shot of kShots[set]) {
  const { name, width, height, colorScheme = 'light', click, pose, view, part } = shot;
  const page = await browser.newPage({ viewport: { width, height }, colorScheme });
  await page.goto(pathToFileURL(resolve(report)).href);
  await page.evaluate(async () => {
    while (!window.sinew) await new Promise((next) => setTimeout(next, 30));
    await window.sinew.ready;
  });
  if (click) await page.getByRole('button', { name: click, exact: true }).click();
  if (pose) await page.evaluate((asked) => window.sinew.setPose(asked), pose);
  if (view) await page.evaluate((asked) => window.sinew.setView(asked), view);
  const shown = part ? page.locator(part) : page;
  if (part) {
    await page.locator(`${part} section`).last().scrollIntoViewIfNeeded();
    await page.waitForTimeout(1500); // charts are drawn when they come into view
  }
  await shown.screenshot({ path: join(folder, `${name}.png`) });
  await page.close();
}
await browser.close();
