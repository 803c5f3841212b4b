// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  bound,
  closeBrowser,
  example,
  loadPageModules,
  open,
  payloadOf,
  picture,
  report,
} from './support.mjs';

let page;
let errors;
let path;

before(async () => {
  const hand = example('hand', 3000);
  path = report('interior', [hand, bound(hand)], '--interior', '--cells', 1500, '--poses', 2);
  ({ page, errors } = await open(path, { hash: '#pose=rest&mode=shaded&camera=front' }));
});
after(async () => {
  assert.deepEqual(errors, []);
  await closeBrowser();
});

const view = () => page.evaluate(() => window.sinew.view());
const interior = (file = 0) =>
  page.evaluate((f) => {
    const { weights, ...told } = window.sinew.interior(f);
    return told;
  }, file);
const boxOfStage = () => page.locator('.stage').boundingBox();
const words = () => page.locator('.interior p').innerText();
const press = (name) => page.locator('.interior').getByText(name, { exact: true }).click();
const nothing = () =>
  page.evaluate(() => {
    window.sinew.setPose('rest');
    window.sinew.setView({
      cells: false,
      slice: 'off',
      mode: 'shaded',
      bone: null,
      camera: 'front',
      skeleton: true,
    });
  });

test('CellsAreShownAndTheStageKeepsItsPlace', async () => {
  await nothing();
  const [plain, before] = [await picture(page), await boxOfStage()];
  await press('Cells');
  assert.equal((await interior()).isShown, true);
  assert.notEqual(await picture(page), plain);
  assert.deepEqual(await boxOfStage(), before);
  assert.match(
    await words(),
    /^1,\d{3} cells, [\d.]+% of the diagonal wide: [\d,]+ on the surface/,
  );
  await press('Cells');
  assert.equal(await picture(page), plain);
});

test('ASliceShowsTheChosenBoneWithTheColoursOfTheSurface', async () => {
  await nothing();
  await press('Z');
  const kinds = await picture(page);
  assert.ok((await interior()).cut > 20);
  await page.evaluate(() => window.sinew.setView({ mode: 'weights', bone: 'Index1' }));
  const index = await picture(page);
  await page.evaluate(() => window.sinew.setView({ bone: 'Hand' }));
  const hand = await picture(page);
  await page.evaluate(() => window.sinew.setView({ ramp: 'grey' }));
  const grey = await picture(page);
  await page.evaluate(() => window.sinew.setView({ ramp: 'dusk', mode: 'bones' }));
  assert.equal(new Set([kinds, index, hand, grey, await picture(page)]).size, 5);
});

test('TheSliderMovesTheSliceByKeys', async () => {
  await nothing();
  await press('X');
  const slider = page.getByLabel('Place of the slice');
  await slider.focus();
  const [before, picturedBefore] = [await view(), await picture(page)];
  for (let k = 0; k < 40; ++k) await page.keyboard.press('ArrowRight');
  const after = await view();
  assert.ok(Math.abs(after.sliceAt - before.sliceAt - 0.04) < 1e-9);
  assert.notEqual(await picture(page), picturedBefore);
  assert.match(await slider.getAttribute('aria-valuetext'), /^x = -?[\d.]+/);
  await page.keyboard.press('End');
  assert.ok((await interior()).cut > 0, 'the last layer is cut at the end of the way');
});

test('KeysShowCellsAndEverySlice', async () => {
  await nothing();
  await page.locator('.stage').focus();
  await page.keyboard.press('i');
  assert.equal((await view()).cells, true);
  for (const slice of ['x', 'y', 'z', 'off']) {
    await page.keyboard.press('p');
    assert.equal((await view()).slice, slice);
    const checked = page.locator('.interior [role=radio][aria-checked=true]');
    assert.equal(await checked.count(), 1);
    assert.equal(await checked.getAttribute('data-slice'), slice);
  }
  assert.equal(await page.getByLabel('Place of the slice').isDisabled(), true);
});

test('ASliceThatWouldBeSeenFromItsEdgeIsTurnedToTheEye', async () => {
  await nothing();
  const direction = async () => {
    const { position, target } = (await view()).camera;
    const away = position.map((v, d) => v - target[d]);
    return away.map((v) => v / Math.hypot(...away));
  };
  const before = await direction();
  await press('Z');
  assert.deepEqual(await direction(), before, 'it is seen as it is');
  await press('Y');
  const [x, y, z] = await direction();
  assert.ok(Math.abs(y - 0.6) < 1e-6);
  assert.ok(Math.abs(x / z - before[0] / before[2]) < 1e-6, 'from the same side');
});

test('AnotherPoseHidesTheInteriorAndSaysSo', async () => {
  await nothing();
  await page.evaluate(() => window.sinew.setView({ cells: true, slice: 'y' }));
  assert.equal((await interior()).isShown, true);
  const before = await boxOfStage();
  await page.evaluate(() => window.sinew.setPose(0));
  assert.equal((await interior()).isShown, false);
  assert.match(await words(), /^Hidden: cells stand where the mesh is at rest/);
  assert.deepEqual(await boxOfStage(), before);
  await press('Y');
  assert.deepEqual((await view()).base, { kind: 'rest' });
  assert.equal((await interior()).isShown, true);
  await page.evaluate(() => window.sinew.turn('Index1', [0, 0, 0.3, 0.95]));
  assert.equal((await interior()).isShown, false, 'turned by hand is another pose, too');
  await page.evaluate(() => window.sinew.turn('Index1', null));
  assert.equal((await interior()).isShown, true);
});

test('ALinkOpensTheSliceThatItsSenderSaw', async () => {
  const other = await open(path, { hash: '#pose=rest&mode=weights&bone=Index1&slice=y&at=0.3' });
  const seen = await other.page.evaluate(() => window.sinew.view());
  assert.deepEqual([seen.slice, seen.sliceAt, seen.cells], ['y', 0.3, false]);
  assert.ok(await other.page.evaluate(() => window.sinew.interior(0).cut > 0));
  assert.deepEqual(other.errors, []);
  await other.page.close();
});

test('WhatIsCutAwayIsNotPicked', async () => {
  await nothing();
  await page.evaluate(() => window.sinew.setView({ skeleton: false, file: 0, camera: 'front' }));
  const box = await boxOfStage();
  const middle = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.click(...middle);
  assert.notEqual((await view()).bone, null);
  await page.evaluate(() =>
    window.sinew.setView({ bone: null, mode: 'shaded', slice: 'z', sliceAt: 0 }),
  );
  await page.mouse.click(...middle);
  assert.equal((await view()).bone, null, 'nothing is left in front of the first layer');
  await page.evaluate(() => window.sinew.setView({ file: 'all' }));
});

test('ANarrowWindowHasRoomForTheControls', async () => {
  const other = await open(path, { width: 640, height: 900, hash: '#pose=rest&slice=x' });
  const width = await other.page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 640, `${width} pixels`);
  const stage = await other.page.locator('.stage').boundingBox();
  for (const control of await other.page.locator('.interior :is(button, input)').all()) {
    const box = await control.boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= 640);
  }
  assert.ok(stage.height > 200);
  await other.page.close();
});

test('AReportWithoutInteriorHasNoPanelAndItsKeysDoNothing', async () => {
  const hand = example('hand', 3000);
  const other = await open(report('plain', [hand], '--poses', 0), { hash: '#cells=1&slice=x' });
  assert.equal(await other.page.locator('.interior').count(), 0);
  assert.equal(await other.page.evaluate(() => window.sinew.interior(0)), null);
  await other.page.locator('.stage').focus();
  await other.page.keyboard.press('i');
  const seen = await other.page.evaluate(() => window.sinew.view());
  assert.deepEqual([seen.cells, seen.slice], [false, 'off']);
  assert.deepEqual(other.errors, []);
  await other.page.close();
});

test('WeightsOfAllBonesMakeOneAtEveryPoint', async () => {
  const { Interior } = await loadPageModules();
  const { interiors, files } = payloadOf(path);
  assert.equal(interiors.length, 1, 'both files are one mesh with one skeleton');
  const unpacked = new Interior(interiors[0]);
  const held = files[0].bones.map((_, b) => b).filter((b) => unpacked.weightsOfBone(b));
  const sums = new Float64Array(interiors[0].points);
  for (const b of held) unpacked.weightsOfBone(b).forEach((w, p) => (sums[p] += w));
  assert.ok(held.length > 5);
  assert.ok(sums.every((sum) => Math.abs(sum - 255) <= held.length / 2));
  assert.equal(Math.max(...unpacked.corners) + 1, interiors[0].points);
});

test('ASliceIsAMeanOfTheCornersOfItsCells', async () => {
  const { Interior } = await loadPageModules();
  const { interiors } = payloadOf(path);
  const unpacked = new Interior(interiors[0]);
  // A field that is linear along each axis comes out as it is.
  const field = new Float64Array(interiors[0].points);
  const value = ([x, y, z]) => 3 + 2 * x - y + 0.5 * z;
  for (let cell = 0; cell < interiors[0].cells; ++cell)
    for (let k = 0; k < 8; ++k) {
      const at = unpacked.place(cell).map((p, d) => p + ((k >> d) & 1));
      field[unpacked.corners[8 * cell + k]] = value(at);
    }
  const { origin, cell_edge: edge } = interiors[0];
  for (const axis of ['x', 'y', 'z'])
    for (const share of [0, 0.31, 0.5, 1]) {
      const cut = unpacked.cut(unpacked.slice(axis, share));
      assert.ok(cut.cells.length > 0);
      unpacked.valuesOn(cut, field).forEach((found, i) => {
        const at = [0, 1, 2].map((d) => (cut.positions[3 * i + d] - origin[d]) / edge);
        assert.ok(Math.abs(found - value(at)) < 1e-3, `${axis} ${share}: ${found}`);
      });
    }
});
