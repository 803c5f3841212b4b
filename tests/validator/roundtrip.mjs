// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// `sinew copy` must lose nothing. Copies every model to .glb and to .gltf and compares each copy with its original:
// the JSON apart from where bytes are stored, the bytes of every buffer view, every accessor's values, every image, and
// what the Khronos validator says.
//
//   node roundtrip.mjs --sinew BIN --work DIR (--models DIR | --examples DIR | --oddities)
import { basename, extname, join } from 'node:path';

import { accessorValues, imageBytes, readGltf, viewBytes } from './gltf.mjs';
import { printTable, runCheck, runSinew } from './harness.mjs';
import { newIssues, validate } from './validate.mjs';

const MESHOPT = ['EXT_meshopt_compression', 'KHR_meshopt_compression'];

/** A buffer view without what says where its bytes are. */
function withoutPlace(view) {
  const { buffer, byteOffset, ...rest } = view;
  for (const name of MESHOPT) {
    if (!rest.extensions?.[name]) continue;
    const { buffer: b, byteOffset: o, ...compressed } = rest.extensions[name];
    rest.extensions = { ...rest.extensions, [name]: compressed };
  }
  return rest;
}

/** The parts of a view that hold bytes: itself, and its compressed form. A fallback buffer may hold none. */
function storedBytes(gltf, view) {
  const compressed = MESHOPT.map((name) => view.extensions?.[name]).filter(Boolean);
  return (compressed.length > 0 ? compressed : [view]).map((place) => viewBytes(gltf, place));
}

/** An image without what says where its bytes are. */
function withoutStorage({ uri, bufferView, mimeType, ...rest }) {
  return rest;
}

/** The paths at which two JSON values differ, at most a few. The numbers 0 and -0 count as the same. */
function differences(a, b, path, found = []) {
  if (found.length >= 3 || a === b) return found;
  const isBranch = (x) => typeof x === 'object' && x !== null;
  if (!isBranch(a) || !isBranch(b) || Array.isArray(a) !== Array.isArray(b)) {
    found.push(`${path}: ${JSON.stringify(a)?.slice(0, 60)} became ${JSON.stringify(b)?.slice(0, 60)}`);
    return found;
  }
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) differences(a[key], b[key], `${path}/${key}`, found);
  return found;
}

function compareJson(before, after) {
  const rest = ({ buffers, bufferViews, images, ...json }) => json;
  const found = differences(rest(before.json), rest(after.json), '');
  const views = before.json.bufferViews ?? [];
  const images = before.json.images ?? [];
  differences(views.map(withoutPlace), (after.json.bufferViews ?? []).slice(0, views.length).map(withoutPlace),
              '/bufferViews', found);
  differences(images.map(withoutStorage), (after.json.images ?? []).map(withoutStorage), '/images', found);
  // Only an image that was a file of its own may need a view that was not there.
  const embedded = images.filter((image) => image.uri !== undefined).length;
  const added = (after.json.bufferViews ?? []).length - views.length;
  if (added > embedded) found.push(`/bufferViews: ${added} were added for ${embedded} images`);
  // When the buffers were not joined into one, their names and extras have to be there too.
  const label = ({ byteLength, uri, ...words }) => words;
  if (before.json.buffers?.length === after.json.buffers?.length)
    differences((before.json.buffers ?? []).map(label), (after.json.buffers ?? []).map(label), '/buffers', found);
  return found;
}

function compareBytes(before, after) {
  const found = [];
  (before.json.bufferViews ?? []).forEach((view, i) => {
    const old = storedBytes(before, view);
    const now = storedBytes(after, after.json.bufferViews[i]);
    if (!old.every((bytes, k) => bytes.equals(now[k]))) found.push(`/bufferViews/${i}: other bytes`);
  });
  (before.json.accessors ?? []).forEach((accessor, i) => {
    const view = before.json.bufferViews?.[accessor.bufferView];
    if (MESHOPT.some((name) => view?.extensions?.[name])) return;
    // As bytes, not as numbers: a NaN and the sign of a zero have to survive too.
    const bits = (gltf) => Buffer.from(accessorValues(gltf, i).buffer);
    if (!bits(before).equals(bits(after))) found.push(`/accessors/${i}: other values`);
  });
  (before.json.images ?? []).forEach((image, i) => {
    if (!Buffer.from(imageBytes(before, image)).equals(Buffer.from(imageBytes(after, after.json.images[i]))))
      found.push(`/images/${i}: other bytes`);
  });
  return found;
}

async function compare(original, copy) {
  const before = readGltf(original);
  const after = readGltf(copy);
  const json = compareJson(before, after);
  const bytes = json.length > 0 ? [] : compareBytes(before, after);
  const validator = newIssues(await validate(original), await validate(copy));
  return { json, bytes, validator };
}

const verdict = (found) => (found.length === 0 ? 'same' : 'DIFFERS');

process.exitCode = await runCheck(async ({ sinew, work, models }) => {
  const rows = [];
  const complaints = [];
  for (const [number, model] of models.entries()) {
    for (const format of ['glb', 'gltf']) {
      const copy = join(work, `${number}-${basename(model, extname(model))}.${format}`);
      const copied = runSinew(sinew, ['copy', model, '-o', copy]);
      if (!copied.ok) {
        rows.push([basename(model), format, 'FAILED', '', '']);
        complaints.push(`${model} to .${format}: ${copied.text}`);
        continue;
      }
      const { json, bytes, validator } = await compare(model, copy);
      rows.push([basename(model), format, verdict(json), verdict(bytes), validator.length === 0 ? 'nothing new' : 'NEW ISSUES']);
      for (const sentence of [...json, ...bytes, ...validator]) complaints.push(`${model} to .${format}: ${sentence}`);
    }
  }
  printTable(['model', 'to', 'json', 'bytes', 'validator'], rows);
  for (const complaint of complaints) console.log(complaint);
  return complaints.length > 0 ? 1 : 0;
});
