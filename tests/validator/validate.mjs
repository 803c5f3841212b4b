// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Asks the Khronos validator what a file that sinew wrote has that the file it was made from has not.
//
//   node validate.mjs [--strict] INPUT OUTPUT [INPUT OUTPUT ...]
//
// INPUT may be "-" for an output that was made from nothing. Fails on an error or a warning that the input does not have
// as often. With --strict it fails on every error of an output, also on one that came with the input.
import { readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import validator from 'gltf-validator';

const SEVERITY = ['error', 'warning'];

/** The errors and warnings of a file: a map from "error CODE" to { count, first }. */
export async function validate(path) {
  const folder = dirname(path);
  const report = await validator.validateBytes(new Uint8Array(readFileSync(path)), {
    uri: basename(path),
    maxIssues: 0,
    writeTimestamp: false,
    externalResourceFunction: async (uri) =>
      new Uint8Array(readFileSync(join(folder, decodeURIComponent(uri)))),
  });
  const issues = new Map();
  for (const { severity, code, message, pointer, offset } of report.issues.messages) {
    if (severity >= SEVERITY.length) continue;
    const key = `${SEVERITY[severity]} ${code}`;
    const issue = issues.get(key) ?? { count: 0, first: `${pointer ?? `byte ${offset}`}: ${message}` };
    issue.count += 1;
    issues.set(key, issue);
  }
  return issues;
}

/** What `output` has more of than `input`, as sentences; with `strict`, also errors that both have. */
export function newIssues(input, output, { strict = false } = {}) {
  const sentences = [];
  for (const [key, { count, first }] of output) {
    const before = input.get(key)?.count ?? 0;
    if (count > before || (strict && key.startsWith('error')))
      sentences.push(`${key}: ${count}, was ${before} (${first})`);
  }
  return sentences;
}

async function main(argv) {
  const strict = argv.includes('--strict');
  const files = argv.filter((argument) => argument !== '--strict');
  if (files.length === 0 || files.length % 2 !== 0) {
    console.error('usage: node validate.mjs [--strict] INPUT OUTPUT [INPUT OUTPUT ...]');
    return 2;
  }
  let failures = 0;
  for (let i = 0; i < files.length; i += 2) {
    const input = files[i] === '-' ? new Map() : await validate(files[i]);
    const output = await validate(files[i + 1]);
    const sentences = newIssues(input, output, { strict });
    const inherited = [...output.values()].reduce((sum, { count }) => sum + count, 0);
    console.log(`${files[i + 1]}: ${sentences.length > 0 ? 'new issues' : `nothing new, ${inherited} in all`}`);
    for (const sentence of sentences) console.log(`  ${sentence}`);
    failures += sentences.length > 0 ? 1 : 0;
  }
  return failures > 0 ? 1 : 0;
}

if (resolve(process.argv[1]) === fileURLToPath(import.meta.url))
  process.exitCode = await main(process.argv.slice(2));
