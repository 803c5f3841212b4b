// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bound, closeBrowser, example, open, picture, report, until } from './support.mjs';

let page;
let errors;

before(async () => {
  const biped = example('biped', 3000);
  const path = report('viewer', [biped, bound(biped)], '--label', 'made', '--label', 'heat');
  ({ page, errors } = await open(path));
});
after(async () => {
  assert.deepEqual(errors, []);
  await closeBrowser();
});

const view = () => page.evaluate(() => window.sinew.view());
const key = (name) => page.keyboard.press(name);
const positions = (file) => page.evaluate((f) => Array.from(window.sinew.positions(f)), file);

test('PickingABoneInTheTreeChangesThePicture', async () => {
  await page.evaluate(() =>
    window.sinew.setView({ mode: 'weights', bone: 'Head', camera: 'front' }),
  );
  const head = await picture(page);
  await page.getByRole('treeitem', { name: 'UpperArm.L', exact: true }).click();
  assert.equal((await view()).bone, 'UpperArm.L');
  assert.notEqual(await picture(page), head);
});

test('ClickingTheSurfaceChoosesTheBoneThatHoldsIt', async () => {
  await page.evaluate(() => {
    window.sinew.setPose('rest');
    window.sinew.setView({ skeleton: false, bone: 'Head', file: 0, camera: 'bone' });
    window.sinew.setView({ bone: null });
  });
  const box = await page.locator('.stage').boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  assert.equal((await view()).bone, 'Head');
  await page.evaluate(() => window.sinew.setView({ skeleton: true, file: 'all' }));
});

test('ClickingADrawnBoneChoosesIt', async () => {
  await page.evaluate(() => {
    window.sinew.setView({ bone: 'Thigh.L', file: 1, camera: 'bone', skeleton: true });
    window.sinew.setView({ bone: null });
  });
  const box = await page.locator('.stage').boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  assert.equal((await view()).bone, 'Thigh.L');
  await page.evaluate(() => window.sinew.setView({ file: 'all' }));
});

test('DraggingOrbitsTheRightButtonPansAndTheWheelZooms', async () => {
  await page.evaluate(() => window.sinew.setView({ camera: 'front', bone: null }));
  const box = await page.locator('.stage').boundingBox();
  const [x, y] = [box.x + 30, box.y + 120];
  const camera = async () => (await view()).camera;
  const distance = ({ position, target }) => Math.hypot(...position.map((v, d) => v - target[d]));
  const drag = async (button) => {
    await page.mouse.move(x, y);
    await page.mouse.down({ button });
    await page.mouse.move(x + 60, y + 20, { steps: 3 });
    await page.mouse.up({ button });
  };
  const start = await camera();
  await drag('left');
  const orbited = await camera();
  assert.deepEqual(orbited.target, start.target);
  assert.ok(Math.abs(distance(orbited) - distance(start)) < 1e-6);
  assert.notDeepEqual(orbited.position, start.position);
  await drag('right');
  const panned = await camera();
  assert.notDeepEqual(panned.target, orbited.target);
  await page.mouse.wheel(0, -240);
  await page.waitForTimeout(100);
  assert.ok(distance(await camera()) < 0.95 * distance(panned));
});

test('EveryModeAndRampLooksDifferent', async () => {
  await page.evaluate(() => {
    window.sinew.setPose(0);
    window.sinew.setView({ bone: 'UpperArm.L', camera: 'front' });
  });
  const seen = new Set();
  for (const mode of ['shaded', 'bones', 'influences', 'distortion']) {
    await page.evaluate((m) => window.sinew.setView({ mode: m }), mode);
    seen.add(await picture(page));
  }
  for (const ramp of ['dusk', 'safe', 'blender', 'grey']) {
    await page.evaluate((r) => window.sinew.setView({ mode: 'weights', ramp: r }), ramp);
    seen.add(await picture(page));
  }
  assert.equal(seen.size, 8);
});

test('SideBySideStaysInStepThroughPosesClipsAndTurnsByHand', async () => {
  // Both files have one skeleton, so that vertices on one bone alone must go to the same place.
  const gap = async () => {
    const [a, b] = [await positions(0), await positions(1)];
    return { a, b, far: a.reduce((most, v, i) => Math.max(most, Math.abs(v - b[i])), 0) };
  };
  await page.evaluate(() => window.sinew.setPose('rest'));
  const rest = await gap();
  assert.ok(rest.far < 1e-5);
  for (const pose of [2, { clip: 'Walk', time: 0.4 }]) {
    await page.evaluate((p) => window.sinew.setPose(p), pose);
    const { a, b } = await gap();
    for (const [name, now] of [
      ['first', a],
      ['second', b],
    ])
      assert.ok(
        now.some((v, i) => Math.abs(v - rest.a[i]) > 0.02),
        `${name} file moves`,
      );
    // The middle of the head is held by one bone in both.
    const top = rest.a.reduce((best, v, i) => (i % 3 === 1 && v > rest.a[best] ? i : best), 1);
    for (const d of [-1, 0, 1]) assert.ok(Math.abs(a[top + d] - b[top + d]) < 0.01);
  }
  await page.evaluate(() => {
    window.sinew.setPose('rest');
    window.sinew.turn('Forearm.L', [0, Math.SQRT1_2, 0, Math.SQRT1_2]);
  });
  const turned = await gap();
  for (const now of [turned.a, turned.b])
    assert.ok(now.some((v, i) => Math.abs(v - rest.a[i]) > 0.05));
  await page.evaluate(() => window.sinew.turn('Forearm.L', null));
});

test('KeysSwitchModesPosesAndOverlays', async () => {
  await page.locator('.stage').focus();
  for (const [name, mode] of [
    ['1', 'shaded'],
    ['2', 'weights'],
    ['3', 'bones'],
    ['4', 'influences'],
    ['5', 'distortion'],
  ]) {
    await key(name);
    assert.equal((await view()).mode, mode);
  }
  const before = await view();
  await key('w');
  assert.equal((await view()).wireframe, !before.wireframe);
  await key('w');
  await key('s');
  assert.equal((await view()).skeleton, !before.skeleton);
  await key('s');
  await key('0');
  assert.equal((await view()).base.kind, 'rest');
  await key(']');
  assert.deepEqual((await view()).base, { kind: 'pose', index: 0 });
  await key('[');
  assert.notDeepEqual((await view()).base, { kind: 'pose', index: 0 });
  await key('v');
  assert.equal((await view()).layout, 0);
  await key('v');
  await key('v');
  assert.equal((await view()).layout, 'all');
  await key('.');
  assert.equal((await view()).base.kind, 'clip');
});

test('ArrowKeysOrbitWhileNoBoneIsChosen', async () => {
  await page.evaluate(() => window.sinew.setView({ bone: null, camera: 'front' }));
  await page.locator('.stage').focus();
  const before = (await view()).camera;
  await key('ArrowLeft');
  await key('ArrowUp');
  await key('+');
  const after = (await view()).camera;
  const moved = Math.hypot(...after.target.map((v, d) => v - before.target[d]));
  assert.ok(moved < 1e-12, `${moved}: what is looked at stays, but for rounding`);
  const eye = ({ position, target }) => Math.hypot(...position.map((v, d) => v - target[d]));
  assert.ok(eye(after) < 0.95 * eye(before));
  assert.ok(Math.abs(after.position[0] - before.position[0]) > 0.05);
});

test('TheLegendCanBeUsedAfterTheLayoutChanged', async () => {
  await page.evaluate(() => {
    window.sinew.setView({ mode: 'distortion', file: 0 });
    window.sinew.setView({ file: 'all' });
  });
  const select = page.getByLabel('Top of the scale');
  await select.click({ timeout: 5000 }); // fails where something lies over it
  await key('Escape');
  await select.selectOption('0.1');
  assert.equal((await view()).distortionMax, 0.1);
});

test('TheSpaceBarPlaysAndPausesTheClip', async () => {
  await page.locator('.stage').focus();
  await page.evaluate(() => window.sinew.setPose({ clip: 'Walk', time: 0 }));
  await key('Space');
  await until(page, () => window.sinew.view().base.time > 0.05);
  await key('Space');
  assert.equal((await view()).playing, false);
});

test('ArrowKeysTurnTheChosenJoint', async () => {
  await page.evaluate(() => {
    window.sinew.setPose('rest');
    window.sinew.setView({ bone: 'UpperArm.L', camera: 'front' });
  });
  const rest = await positions(1);
  await page.locator('.stage').focus();
  for (let k = 0; k < 6; ++k) await key('ArrowUp');
  const moved = await positions(1);
  assert.ok(moved.some((v, i) => Math.abs(v - rest[i]) > 0.05));
  await key('Shift+Digit0');
  const back = await positions(1);
  assert.ok(back.every((v, i) => Math.abs(v - rest[i]) < 1e-6));
});

test('DraggingARingTurnsTheJoint', async () => {
  await page.evaluate(() => {
    window.sinew.setPose('rest');
    window.sinew.setView({ bone: 'UpperArm.L', file: 0, camera: 'bone', gizmo: true });
  });
  const rest = await positions(0);
  const box = await page.locator('.stage').boundingBox();
  // The outermost ring faces the camera; somewhere on a line through the joint it is met.
  const head = await page.evaluate(() => window.sinew.project('UpperArm.L', 0));
  let isMoved = false;
  for (let reach = 40; reach < 160 && !isMoved; reach += 6) {
    const [x, y] = [box.x + head.x + reach, box.y + head.y];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y - 20);
    await page.mouse.move(x, y - 45);
    await page.mouse.up();
    const now = await positions(0);
    isMoved = now.some((v, i) => Math.abs(v - rest[i]) > 0.01);
  }
  assert.ok(isMoved);
  await page.evaluate(() => window.sinew.setView({ gizmo: false, file: 'all' }));
  await key('Shift+Digit0');
});

test('QuestionMarkShowsTheKeysAndEscapeClosesThem', async () => {
  await page.locator('.stage').focus();
  await key('?');
  assert.ok(await page.getByRole('dialog', { name: 'Keyboard and mouse' }).isVisible());
  await key('Escape');
  assert.ok(!(await page.locator('dialog.help').isVisible()));
});

test('SearchFindsABoneByPartOfItsName', async () => {
  await page.locator('.stage').focus();
  await key('/');
  await page.keyboard.type('forearm.r');
  assert.equal(await page.locator('.tree li.found').count(), 1);
  await key('Enter');
  assert.equal((await view()).bone, 'Forearm.R');
  await key('Escape');
});

test('TheTreeAnswersToArrowKeys', async () => {
  const first = page.getByRole('treeitem').first();
  await first.focus();
  await key('ArrowLeft');
  assert.equal(await first.getAttribute('aria-expanded'), 'false');
  await key('ArrowRight');
  assert.equal(await first.getAttribute('aria-expanded'), 'true');
  await key('ArrowDown');
  await key('Enter');
  assert.equal((await view()).bone, await page.getByRole('treeitem').nth(1).innerText());
});

test('AColumnSortsTheTableOfBones', async () => {
  const values = () => page.locator('.bone-table tbody tr td:nth-child(4)').allInnerTexts();
  const header = page.getByRole('button', { name: 'Sort by Distortion of made' });
  await header.click();
  const down = (await values()).filter((v) => v !== '–').map(Number);
  assert.deepEqual(
    down,
    [...down].sort((a, b) => b - a),
  );
  assert.equal(await page.locator('th[aria-sort=descending]').count(), 1);
});

test('ASnapshotHasTheSizeThatWasAsked', async () => {
  const size = await page.evaluate(async () => {
    const image = new Image();
    image.src = window.sinew.snapshot(640, 360, { background: '#ffffff' });
    await image.decode();
    return [image.naturalWidth, image.naturalHeight];
  });
  assert.deepEqual(size, [640, 360]);
});
