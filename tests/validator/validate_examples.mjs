// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What sinew makes from nothing must have no error and no warning at all.
//
//   node validate_examples.mjs --sinew BIN --work DIR --examples DIR
import { basename } from 'node:path';

import { printTable, runCheck } from './harness.mjs';
import { newIssues, validate } from './validate.mjs';

process.exitCode = await runCheck(async ({ models }) => {
  const rows = [];
  for (const model of models) {
    const issues = newIssues(new Map(), await validate(model));
    rows.push([basename(model), issues.length === 0 ? 'valid' : issues.join('; ')]);
  }
  printTable(['model', 'validator'], rows);
  return rows.some(([, verdict]) => verdict !== 'valid') ? 1 : 0;
});
