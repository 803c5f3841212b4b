// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT

/// Writes the built page as a C++ source, so that one binary makes reports anywhere:
///   node scripts/embed-page.mjs PAGE.html OUT.cpp
import { readFileSync, writeFileSync } from 'node:fs';

const kBytesPerLine = 4000; // compilers read long literals best in pieces
const [page, out] = process.argv.slice(2);
const bytes = readFileSync(page);

const escaped = (byte) => {
  if (byte === 0x22 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
  if (byte === 0x0a) return '\\n';
  if (byte === 0x3f) return '\\?'; // two of them could begin a trigraph
  return byte >= 0x20 && byte < 0x7f
    ? String.fromCharCode(byte)
    : `\\${byte.toString(8).padStart(3, '0')}`;
};

const lines = [];
for (let at = 0; at < bytes.length; at += kBytesPerLine)
  lines.push(`    "${[...bytes.subarray(at, at + kBytesPerLine)].map(escaped).join('')}"`);
writeFileSync(
  out,
  `// Made by apps/studio/web/scripts/embed-page.mjs.
#include "sinew/report/report.h"

namespace sinew {
namespace {

constexpr char kPage[] =
${lines.join('\n')};

}  // namespace

std::string_view report_page() { return {kPage, sizeof kPage - 1}; }

}  // namespace sinew
`,
);
