#!/usr/bin/env node
// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT

/// Makes a report from .glb files without `sinew report`: for work on the page and for its tests.
/// Bones, poses and distortion come from plain code here; figures are asked of `sinew inspect`
/// where --sinew names the program.
///
///   node scripts/make-payload.mjs -o report.html artist.glb heat.glb --labels artist,heat
///       [--sinew PATH] [--poses N] [--title TEXT] [--verdict TEXT] [--template FILE] [--positions]
///       [--convergence LOG.json]      a list of { iteration, energy }, of the last file
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadPageModules } from './page-modules.mjs';
import { limbPoses, randomPoses } from './sample-poses.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const kPlaceholder = '<!--SINEW-PAYLOAD-->';
const page = await loadPageModules();

const { values: options, positionals: paths } = parseArgs({
  allowPositionals: true,
  options: {
    output: { type: 'string', short: 'o' },
    labels: { type: 'string' },
    sinew: { type: 'string' },
    poses: { type: 'string', default: '8' },
    title: { type: 'string' },
    verdict: { type: 'string' },
    template: { type: 'string', default: join(here, '..', 'dist', 'report.html') },
    positions: { type: 'boolean', default: false },
    convergence: { type: 'string' },
  },
});
if (!options.output || !paths.length) {
  console.error(
    'usage: make-payload.mjs -o report.html a.glb [b.glb ...]; see the top of this file',
  );
  process.exit(2);
}

const labels = options.labels?.split(',') ?? paths.map((path) => basename(path, '.glb'));
const blobs = paths.map((path) => readFileSync(path));
const files = paths.map((path, f) => describe(path, blobs[f], f));
const characters = files.map((file, f) => new page.Character(file, new Uint8Array(blobs[f])));
for (const [f, file] of files.entries()) addFigures(file, characters[f], paths[f], paths[0]);

if (options.convergence)
  files.at(-1).convergence = JSON.parse(readFileSync(options.convergence, 'utf8'));

const poses = makePoses();
const worst = judge(poses);
const payload = {
  version: 1,
  title: options.title ?? labels.join(' and '),
  verdict: options.verdict ?? verdict(),
  generator: 'make-payload',
  files,
  poses,
  worst,
};
const json = JSON.stringify(payload).replaceAll('</', '<\\/').replaceAll('<!--', '<\\u0021--');
const parts = [`<script type="application/json" id="sinew-report">${json}</script>`];
blobs.forEach((blob, f) =>
  parts.push(
    `<script type="application/octet-stream;base64" id="sinew-file-${f}">${blob.toString('base64')}</script>`,
  ),
);
const template = readFileSync(options.template, 'utf8');
writeFileSync(
  options.output,
  template.replace(kPlaceholder, () => parts.join('\n')),
);
console.log(
  `wrote ${options.output}, ${(Buffer.byteLength(template) + parts.reduce((n, p) => n + p.length, 0)) / 1e6} MB`,
);

function describe(path, blob, f) {
  const glb = new page.Glb(new Uint8Array(blob));
  const tree = new page.NodeTree(glb.json);
  const bones = restBones(glb, tree);
  giveTails(bones);
  return {
    name: basename(path),
    label: labels[f] ?? basename(path),
    blob: f,
    size: [0, 0, 0],
    diagonal: 0,
    figures: {},
    bones,
    max_influences_allowed: 4,
    warnings: [],
  };
}

/// Rest transforms by the rule of docs/conventions.md: the root with most joints below it says how
/// the first skin lies in the scene; further skins are laid by the joints that they share.
function restBones(glb, tree) {
  const world = tree.world();
  const at = (n) => world.slice(12 * n, 12 * n + 12);
  const used = [
    ...new Set(
      glb.json.nodes.filter((n) => n.mesh !== undefined && n.skin !== undefined).map((n) => n.skin),
    ),
  ].sort((a, b) => a - b);
  const rest = new Map();
  for (const s of used) {
    const skin = glb.json.skins[s];
    const numbers =
      skin.inverseBindMatrices === undefined ? null : glb.numbers(skin.inverseBindMatrices);
    const binds = skin.joints.map((_, j) =>
      numbers ? page.fromColumns(numbers, 16 * j) : page.identity(),
    );
    const shared = skin.joints.findIndex((n) => rest.has(n));
    const anchor = shared >= 0 ? shared : anchorJoint(skin.joints, tree);
    const place = shared >= 0 ? rest.get(skin.joints[shared]) : at(skin.joints[anchor]);
    const toModel = page.product(place, binds[anchor]);
    skin.joints.forEach((n, j) => {
      if (!rest.has(n))
        rest.set(
          n,
          numbers ? page.product(toModel, page.inverse(binds[j]) ?? page.identity()) : at(n),
        );
    });
  }
  const nodes = [...rest.keys()];
  return nodes.map((node) => {
    let up = tree.parent[node];
    while (up >= 0 && !rest.has(up)) up = tree.parent[up];
    const m = rest.get(node);
    return {
      name: tree.name(node),
      node,
      parent: up >= 0 ? nodes.indexOf(up) : -1,
      deforms: true,
      rest: [...m],
      head: [m[3], m[7], m[11]],
      tail: [m[3], m[7], m[11]],
    };
  });
}

function anchorJoint(joints, tree) {
  const below = joints.map(() => 0);
  for (const joint of joints) {
    let top = joints.indexOf(joint);
    for (let n = joint; n >= 0; n = tree.parent[n]) if (joints.includes(n)) top = joints.indexOf(n);
    ++below[top];
  }
  return below.indexOf(Math.max(...below));
}

function giveTails(bones) {
  for (const b of page.hierarchyOrder(bones.map((bone) => bone.parent))) {
    const bone = bones[b];
    const children = bones.filter((child) => child.parent === b);
    if (children.length) {
      bone.tail = [0, 1, 2].map(
        (d) => children.reduce((sum, child) => sum + child.head[d], 0) / children.length,
      );
    } else if (bone.parent >= 0) {
      const up = bones[bone.parent];
      bone.tail = bone.head.map((h, d) => h + 0.5 * (up.tail[d] - up.head[d]));
    }
  }
}

function addFigures(file, character, path, original) {
  const box = page.bounds(character.rest);
  Object.assign(file, {
    size: box.size,
    diagonal: box.diagonal,
    vertices: character.vertexCount,
    triangles: character.indices.length / 3,
  });
  const dominated = new Int32Array(file.bones.length);
  for (let v = 0; v < character.vertexCount; ++v) {
    const bone = character.dominantBone(v);
    if (bone >= 0) ++dominated[bone];
  }
  const weight = file.bones.map(() => 0);
  character.influences.slot.forEach((slot, i) => {
    const bone = character.slots.bone[slot];
    if (bone >= 0) weight[bone] += character.influences.weight[i];
  });
  file.bones.forEach((bone, b) =>
    Object.assign(bone, {
      dominated: dominated[b],
      deforms: weight[b] > 0,
      arap: null,
      follow: null,
      worst_pose: null,
    }),
  );
  const counts = character.influences.count;
  file.figures = {
    max_influences: Math.max(...new Set(counts)),
    unweighted: counts.filter((n) => n === 0).length,
  };
  if (options.sinew) askSinew(file, path, original);
  const over = counts.findIndex((n) => n > file.max_influences_allowed);
  if (over >= 0)
    file.warnings.push({
      level: 'warning',
      code: 'too_many_influences',
      at: [...character.rest.slice(3 * over, 3 * over + 3)],
      message: `${counts.filter((n) => n > 4).length} vertices have more than four influences; engines drop the rest.`,
    });
}

function askSinew(file, path, original) {
  const flags = ['inspect', path, '--json', '--quiet', '--bones', '*'];
  if (path !== original) flags.push('--original', original);
  const told = JSON.parse(execFileSync(options.sinew, flags, { maxBuffer: 1 << 28 }));
  const character = told.characters[0];
  file.figures = character.figures;
  for (const known of character.bones) {
    const bone = file.bones.find((b) => b.name === known.name);
    if (bone)
      Object.assign(bone, {
        deforms: known.deforms,
        dominated: known.dominated,
        arap: known.arap ?? null,
        follow: known.follow ?? null,
      });
  }
  for (const notice of [...told.notices, ...character.notices])
    file.warnings.push({
      level: notice.level ?? 'note',
      code: notice.code ?? 'notice',
      message: notice.message ?? String(notice),
    });
  const { worst_bone: name } = character.quality;
  const bone = file.bones.findIndex((b) => b.name === name);
  if (bone >= 0)
    file.warnings.push({
      level: 'warning',
      code: 'worst_bone',
      bone,
      message: `${name} distorts most: ${character.figures.worst_bone.toPrecision(2)} of what it holds.`,
    });
  file.bones.forEach((b, k) => {
    if (typeof b.follow === 'number' && b.follow < 0.5)
      file.warnings.push({
        level: 'warning',
        code: 'low_follow',
        bone: k,
        message: `${b.name} holds only ${Math.round(100 * b.follow)}% of the flesh around its middle.`,
      });
  });
}

/// Poses are made on the first file's skeleton; the others take them by the names of bones.
function makePoses() {
  const [first] = files;
  const made = [...limbPoses(page, first), ...randomPoses(page, first, Number(options.poses))];
  return made.map(({ transforms, ...pose }) => ({
    ...pose,
    per_file: files.map((file, f) =>
      perFile(f, f === 0 ? transforms : transferred(transforms, first, file)),
    ),
  }));
}

function transferred(transforms, from, to) {
  const out = page.identities(to.bones.length);
  to.bones.forEach((bone, b) => {
    const source = from.bones.findIndex((other) => other.name === bone.name);
    if (source >= 0) out.set(transforms.subarray(12 * source, 12 * source + 12), 12 * b);
  });
  return out;
}

function perFile(f, transforms) {
  const base64 = (floats) => Buffer.from(Float32Array.from(floats).buffer).toString('base64');
  if (!options.positions) return { transforms: base64(transforms) };
  const posed = skinned(characters[f], transforms);
  const wanted = characters[f].sets
    .filter((set) => set.skin >= 0)
    .flatMap((set) => [...posed.subarray(3 * set.first, 3 * (set.first + set.count))]);
  return { transforms: base64(transforms), positions: base64(wanted) };
}

function skinned(character, transforms) {
  const out = new Float32Array(3 * character.vertexCount);
  page.skin(
    character,
    page.slotTransforms(character, transforms, null),
    out,
    new Float32Array(out.length),
  );
  return out;
}

/// Distortion of every pose and bone, and the worst place of all.
function judge(made) {
  let worst = null;
  files.forEach((file, f) => {
    const character = characters[f];
    const distortion = new page.Distortion(character.rest, character.indices, character.weld);
    const owner = new Int32Array(character.weld.count).fill(-1);
    for (let v = 0; v < character.vertexCount; ++v)
      owner[character.weld.place[v]] = character.dominantBone(v);
    const most = new Float64Array(file.bones.length);
    const bones = new Float64Array(file.bones.length);
    made.forEach((pose, p) => {
      const floats = page.floatsFromBase64(pose.per_file[f].transforms);
      distortion.evaluate(skinned(character, Float64Array.from(floats)));
      (pose.arap ??= [])[f] = distortion.total;
      distortion.totalsBy(owner, file.bones.length).forEach((value, b) => {
        bones[b] += value / made.length;
        if (value > most[b]) [most[b], file.bones[b].worst_pose] = [value, p];
      });
      if (pose.kind === 'random' && (!worst || distortion.total > worst.total))
        worst = {
          total: distortion.total,
          pose: p,
          file: f,
          ...worstPlace(character, distortion, owner),
        };
    });
    file.bones.forEach((bone, b) => (bone.arap ??= bones[b]));
    const random = made.filter((pose) => pose.kind === 'random').map((pose) => pose.arap[f]);
    file.figures.arap ??= random.reduce((a, b) => a + b, 0) / Math.max(random.length, 1);
    file.figures.arap_worst ??= Math.max(...random, 0);
  });
  return worst && { pose: worst.pose, file: worst.file, at: worst.at, bone: worst.bone };
}

/// The middle of the worst patch: one bad vertex alone is not where one should look.
function worstPlace(character, distortion, owner) {
  const reach = 0.03 * character.diagonal;
  const order = [...distortion.perPlace.keys()]
    .sort((a, b) => distortion.perPlace[b] - distortion.perPlace[a])
    .slice(0, 40);
  const vertexOf = new Map();
  character.weld.place.forEach((place, v) => vertexOf.has(place) || vertexOf.set(place, v));
  const at = (place) =>
    character.rest.subarray(3 * vertexOf.get(place), 3 * vertexOf.get(place) + 3);
  let [best, most] = [order[0], -1];
  for (const place of order) {
    let sum = 0;
    distortion.perPlace.forEach((value, other) => {
      const [a, b] = [at(place), at(other)];
      if (Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) < reach)
        sum += value * distortion.areaPerPlace[other];
    });
    if (sum > most) [most, best] = [sum, place];
  }
  return { at: [...at(best)], bone: owner[best] };
}

function verdict() {
  const [first, last] = [files[0].figures.arap, files.at(-1).figures.arap];
  if (files.length < 2) return `${labels[0]} distorts by ${first.toPrecision(2)} in random poses.`;
  const change = Math.round(100 * (1 - last / first));
  return change >= 0
    ? `${labels.at(-1)} distorts ${change}% less than ${labels[0]}, on the same poses.`
    : `${labels.at(-1)} distorts ${-change}% more than ${labels[0]}, on the same poses.`;
}
