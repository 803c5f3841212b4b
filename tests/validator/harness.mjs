// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What the checks in this folder share: their command line, running sinew, and a table.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { findModels } from './gltf.mjs';
import { makeOddities } from './oddities.mjs';

/** What a test exits with when it could not run; ctest shows it as skipped. */
export const SKIPPED = 77;

// Coarse, so that a build with assertions or sanitizers makes them quickly; fineness changes nothing that is checked here.
const EXAMPLE_VERTICES = 3000;

/** Runs sinew: whether it succeeded, and for when it did not, how it ended and what it said. */
export function runSinew(program, args) {
  const { status, signal, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', timeout: 300_000 });
  const ending = error?.message ?? (signal ? `ended by ${signal}` : `exit status ${status}`);
  return { ok: status === 0, text: `${ending}: ${stderr || stdout || 'nothing said'}`.trim() };
}

/** The paths of every character that `sinew example --list` names; makes those that are not there or older than sinew. */
function makeExamples(program, folder) {
  mkdirSync(folder, { recursive: true });
  const { status, stdout } = spawnSync(program, ['example', '--list', '--json'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`sinew example --list: exit status ${status}`);
  return JSON.parse(stdout).characters.map(({ name }) => {
    const path = join(folder, `${name}.glb`);
    if (existsSync(path) && statSync(path).mtimeMs > statSync(program).mtimeMs) return path;
    const made = runSinew(program, ['example', name, '-o', path, '--vertices', `${EXAMPLE_VERTICES}`]);
    if (!made.ok) throw new Error(`sinew example ${name}: ${made.text}`);
    return path;
  });
}

/**
 * Reads --sinew BIN --work DIR and one of --models DIR, --examples DIR (which sinew fills) and --oddities (files that
 * oddities.mjs makes), and calls check({ sinew, work, models }): models are paths. The work folder starts empty.
 */
export async function runCheck(check) {
  const { values } = parseArgs({
    options: {
      sinew: { type: 'string' },
      work: { type: 'string' },
      models: { type: 'string' },
      examples: { type: 'string' },
      oddities: { type: 'boolean' },
    },
  });
  const sources = [values.models, values.examples, values.oddities].filter(Boolean);
  if (!values.sinew || !values.work || sources.length !== 1) {
    console.error('usage: --sinew BIN --work DIR (--models DIR | --examples DIR | --oddities)');
    return 2;
  }
  const folder = values.models && (process.env.SINEW_MODELS ?? values.models);
  if (folder && !existsSync(folder)) {
    console.log(`skipped: there is no folder ${folder}; SINEW_MODELS can name another`);
    return SKIPPED;
  }
  rmSync(values.work, { recursive: true, force: true });
  mkdirSync(values.work, { recursive: true });
  let models;
  if (folder) models = findModels(folder);
  else if (values.examples) models = makeExamples(values.sinew, values.examples);
  else models = makeOddities(join(values.work, 'oddities'));
  if (models.length === 0) {
    console.log(`no .glb or .gltf below ${folder}`);
    return 1;
  }
  return check({ sinew: values.sinew, work: values.work, models });
}

/** Prints rows of strings under a header, columns lined up. */
export function printTable(header, rows) {
  const all = [header, ...rows];
  const widths = header.map((_, c) => Math.max(...all.map((row) => `${row[c]}`.length)));
  for (const row of all) console.log(row.map((cell, c) => `${cell}`.padEnd(widths[c])).join('  ').trimEnd());
}
