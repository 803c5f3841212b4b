// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bound, closeBrowser, example, open, picture, report, until } from './support.mjs';

let path;

before(() => {
  const biped = example('biped', 3000);
  path = report('first-screen', [biped, bound(biped)], '--labels', 'made,heat');
});
after(closeBrowser);

test('OpensFromAFileWithoutErrorsAndWithoutTheNetwork', async () => {
  const { page, errors, requests } = await open(path);
  assert.deepEqual(errors, []);
  const outside = requests.filter((url) => !/^(file|data|blob):/.test(url));
  assert.deepEqual(outside, []);
  assert.equal(requests.filter((url) => url.startsWith('file:')).length, 1);
  await page.close();
});

test('ShowsTheVerdictAndTheWorstPoseColouredByDistortion', async () => {
  const { page } = await open(path);
  assert.match(await page.locator('h1').innerText(), /distorts \d+% (less|more)/);
  const view = await page.evaluate(() => window.sinew.view());
  assert.equal(view.mode, 'distortion');
  assert.equal(view.base.kind, 'pose');
  assert.equal(await page.locator('.pane').count(), 2);
  await page.close();
});

test('APictureOfALimbSwitchesThePose', async () => {
  const { page } = await open(path);
  const before = await page.evaluate(() => Array.from(window.sinew.positions(1).slice(0, 3000)));
  await page.getByRole('button', { name: 'Elbow', exact: true }).click();
  const view = await page.evaluate(() => window.sinew.view());
  const after = await page.evaluate(() => Array.from(window.sinew.positions(1).slice(0, 3000)));
  assert.equal(view.base.kind, 'pose');
  assert.notDeepEqual(after, before);
  assert.equal(await page.getByRole('button', { name: 'Elbow', exact: true }).getAttribute('aria-pressed'), 'true');
  await page.close();
});

test('EveryControlHasANameAndTheTreeIsATree', async () => {
  const { page } = await open(path);
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll('button, select, input, [role=application], [role=tree]')]
      .filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length))
      .map((e) => e.outerHTML.slice(0, 120)));
  assert.deepEqual(nameless, []);
  const bones = (await page.evaluate(() => window.sinew.files()[0].bones)).length;
  assert.equal(await page.getByRole('treeitem').count(), bones);
  for (const name of ['Summary', 'Figures', 'Warnings', 'Viewer'])
    assert.ok((await page.locator(`[aria-label="${name}"]`).count()) > 0, name);
  assert.equal(await page.locator('h1').count(), 1);
  await page.close();
});

test('LightAndDarkFollowTheSystemUntilSomebodyChooses', async () => {
  const luminance = (page) => page.evaluate(() => {
    const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number);
    return (r + g + b) / 765;
  });
  const light = await open(path, { colorScheme: 'light' });
  assert.ok((await luminance(light.page)) > 0.8);
  await light.page.close();
  const dark = await open(path, { colorScheme: 'dark' });
  assert.ok((await luminance(dark.page)) < 0.2);
  await dark.page.getByRole('button', { name: 'Light or dark' }).click();
  assert.ok((await luminance(dark.page)) > 0.8);
  await dark.page.close();
});

for (const [width, height] of [[1280, 720], [1920, 1080]])
  test(`NothingOverlapsOrIsCutOffAt${width}x${height}`, async () => {
    const { page } = await open(path, { width, height });
    const faults = await page.evaluate(() => {
      const out = [];
      const box = (e) => e.getBoundingClientRect();
      if (document.documentElement.scrollWidth > innerWidth) out.push('the page scrolls sideways');
      const groups = [['.bones', '.centre', '.numbers'], ['.toolbar', '.stage', '.transport', '.poses'], ['.numbers > section:first-child', '.numbers > section:last-child']];
      for (const group of groups)
        group.forEach((a, i) => group.slice(i + 1).forEach((b) => {
          const [p, q] = [box(document.querySelector(a)), box(document.querySelector(b))];
          if (p.left < q.right - 0.5 && q.left < p.right - 0.5 && p.top < q.bottom - 0.5 && q.top < p.bottom - 0.5) out.push(`${a} overlaps ${b}`);
        }));
      for (const bar of ['.toolbar', '.transport', '.top', '.poses']) {
        const outer = document.querySelector(bar);
        if (outer.scrollWidth > outer.clientWidth + 1) out.push(`${bar} is cut off`);
        const children = [...outer.children].filter((e) => !e.hidden).map((e) => ({ e, b: box(e) }));
        children.forEach(({ e, b }, i) => {
          const next = children[i + 1];
          if (next && b.right > next.b.left + 0.5) out.push(`${e.className || e.tagName} overlaps ${next.e.className}`);
        });
      }
      for (const e of document.querySelectorAll('.segments button, .pose span, .figures th, .figures td, h1'))
        if (e.scrollWidth > e.clientWidth + 1) out.push(`"${e.textContent}" is cut off`);
      const work = box(document.querySelector('.work'));
      if (work.bottom > innerHeight + 1) out.push('the first screen is higher than the window');
      return out;
    });
    assert.deepEqual(faults, []);
    await page.close();
  });

test('ALinkShowsWhatItsSenderSaw', async () => {
  const { page } = await open(path);
  await page.evaluate(() => {
    window.sinew.setPose(3);
    window.sinew.setView({ mode: 'weights', bone: 'Spine', ramp: 'safe', camera: 'bone' });
  });
  await until(page, () => location.hash.includes('bone=Spine') && location.hash.includes('pose=3'));
  const hash = await page.evaluate(() => location.hash);
  const before = await picture(page);
  await page.close();
  const second = await open(path, { hash });
  const view = await second.page.evaluate(() => window.sinew.view());
  assert.deepEqual([view.mode, view.bone, view.ramp, view.base], ['weights', 'Spine', 'safe', { kind: 'pose', index: 3 }]);
  assert.ok(before.length > 1000);
  await second.page.close();
});
