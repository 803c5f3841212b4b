// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  bound,
  closeBrowser,
  example,
  open,
  picture,
  printedDocument,
  report,
  until,
  work,
} from './support.mjs';

let path;

before(() => {
  const biped = example('biped', 3000);
  const log = join(work, 'log.csv');
  const rows = [...Array(20).keys()].map((k) => `${k},${0.02 + 0.1 * 0.7 ** k}`);
  writeFileSync(log, ['iteration,energy', ...rows, ''].join('\n'));
  path = report(
    'first-screen',
    [biped, bound(biped)],
    '--label',
    'made',
    '--label',
    'heat',
    '--log',
    log,
  );
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
  assert.equal(
    await page.getByRole('button', { name: 'Elbow', exact: true }).getAttribute('aria-pressed'),
    'true',
  );
  await page.close();
});

test('AWarningTakesTheViewToItsPlace', async () => {
  const { page } = await open(path);
  const before = await page.evaluate(() => window.sinew.view());
  const warning = page.locator('button.warning', { hasText: 'heat' }).first();
  const words = await warning.innerText();
  await warning.click();
  const after = await page.evaluate(() => window.sinew.view());
  assert.ok(words.includes(after.bone), `${words} / ${after.bone}`);
  assert.notDeepEqual(after.camera.target, before.camera.target);
  await page.close();
});

test('FiguresOfFurtherFilesCarryArrows', async () => {
  const { page } = await open(path);
  const row = page.locator('.figures tbody tr', { hasText: 'Distortion' }).first();
  const [made, heat] = await row.locator('td').allInnerTexts();
  assert.match(heat, parseFloat(heat) < parseFloat(made) ? /▼/ : /▲/);
  assert.doesNotMatch(made, /[▼▲]/);
  assert.match(
    await row.locator('.arrow').getAttribute('aria-label'),
    /^(better|worse): (up|down)/,
  );
  await page.close();
});

test('TablesAndPlotsAreBelow', async () => {
  const { page, errors } = await open(path);
  await page.locator('.charts').scrollIntoViewIfNeeded();
  // Two lines of distortion, one of energy.
  await until(page, () => document.querySelectorAll('.charts svg.chart path.line').length === 3);
  assert.match(
    await page.locator('[aria-label="Convergence"] p').innerText(),
    /heat: from 0.12 to 0.02\d* in 19 iterations/,
  );
  assert.ok((await page.locator('.bone-table tbody tr').count()) > 40);
  assert.deepEqual(errors, []);
  await page.close();
});

test('NamesThatLookLikeMarkupStayNames', async () => {
  const title = '</script><!--<script><img src=x onerror=alert(1)>';
  const hostile = report(
    'hostile',
    [example('hand', 2000)],
    '--title',
    title,
    '--label',
    '<b>hand</b>',
    '--poses',
    '1',
  );
  const { page, errors, requests } = await open(hostile);
  assert.equal(await page.locator('.headline .title').innerText(), title);
  assert.equal(await page.locator('.pane-label').innerText(), '<b>hand</b>');
  assert.deepEqual(errors, []);
  assert.equal(requests.filter((url) => !url.startsWith('data:')).length, 1);
  await page.close();
});

test('APictureNeedsNobodyToDriveTheBrowser', () => {
  const printed = printedDocument(
    path,
    '#snapshot=400x300&pose=1&mode=shaded&skeleton=0&camera=limb&background=%23ffffff',
  );
  const found = /<pre id="sinew-snapshot">data:image\/png;base64,([^<]+)</.exec(printed);
  assert.ok(found, printed.slice(0, 300));
  const png = Buffer.from(found[1], 'base64');
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [400, 300]);
  assert.ok(png.length > 5000, 'something is drawn');
});

test('EveryControlHasANameAndTheTreeIsATree', async () => {
  const { page } = await open(path);
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll('button, select, input, [role=application], [role=tree]')]
      .filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length))
      .map((e) => e.outerHTML.slice(0, 120)),
  );
  assert.deepEqual(nameless, []);
  const bones = (await page.evaluate(() => window.sinew.files()[0].bones)).length;
  assert.equal(await page.getByRole('treeitem').count(), bones);
  for (const name of ['Summary', 'Figures', 'Warnings', 'Viewer'])
    assert.ok((await page.locator(`[aria-label="${name}"]`).count()) > 0, name);
  assert.equal(await page.locator('h1').count(), 1);
  await page.close();
});

test('LightAndDarkFollowTheSystemUntilSomebodyChooses', async () => {
  const luminance = (page) =>
    page.evaluate(() => {
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

for (const [width, height] of [
  [1280, 720],
  [1920, 1080],
])
  test(`NothingOverlapsOrIsCutOffAt${width}x${height}`, async () => {
    const { page } = await open(path, { width, height });
    const faults = await page.evaluate(() => {
      const out = [];
      const box = (e) => e.getBoundingClientRect();
      if (document.documentElement.scrollWidth > innerWidth) out.push('the page scrolls sideways');
      const groups = [
        ['.bones', '.centre', '.numbers'],
        ['.toolbar', '.stage', '.transport', '.poses'],
        ['.numbers > section:first-child', '.numbers > section:last-child'],
      ];
      for (const group of groups)
        group.forEach((a, i) =>
          group.slice(i + 1).forEach((b) => {
            const [p, q] = [box(document.querySelector(a)), box(document.querySelector(b))];
            if (
              p.left < q.right - 0.5 &&
              q.left < p.right - 0.5 &&
              p.top < q.bottom - 0.5 &&
              q.top < p.bottom - 0.5
            )
              out.push(`${a} overlaps ${b}`);
          }),
        );
      for (const bar of ['.toolbar', '.transport', '.top', '.poses']) {
        const outer = document.querySelector(bar);
        if (outer.scrollWidth > outer.clientWidth + 1) out.push(`${bar} is cut off`);
        const children = [...outer.children]
          .filter((e) => !e.hidden)
          .map((e) => ({ e, b: box(e) }));
        children.forEach(({ e, b }, i) => {
          const next = children[i + 1];
          if (next && b.right > next.b.left + 0.5)
            out.push(`${e.className || e.tagName} overlaps ${next.e.className}`);
        });
      }
      for (const e of document.querySelectorAll(
        '.segments button, .pose span, .figures th, .figures td, h1',
      ))
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
    window.sinew.setView({
      mode: 'weights',
      bone: 'Spine',
      ramp: 'safe',
      camera: 'bone',
    });
  });
  await until(page, () => location.hash.includes('bone=Spine') && location.hash.includes('pose=3'));
  const hash = await page.evaluate(() => location.hash);
  const before = await picture(page);
  await page.close();
  const second = await open(path, { hash });
  const view = await second.page.evaluate(() => window.sinew.view());
  assert.deepEqual(
    [view.mode, view.bone, view.ramp, view.base],
    ['weights', 'Spine', 'safe', { kind: 'pose', index: 3 }],
  );
  assert.ok(before.length > 1000);
  await second.page.close();
});
