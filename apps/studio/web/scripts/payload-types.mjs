#!/usr/bin/env node
// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT

/// Makes the types of src/payload.ts from docs/schema/report-payload.schema.json, between the two
/// lines that say so; the functions below them are written by hand.
///
///   node scripts/payload-types.mjs              writes them anew
///   node scripts/payload-types.mjs --check      only tells whether they are as the schema says
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const kSchemas = join(here, '..', '..', '..', '..', 'docs', 'schema');
const kPayload = 'report-payload.schema.json';
const kTarget = join(here, '..', 'src', 'payload.ts');
const kBegin = '// Made by script/schema from docs/schema/report-payload.schema.json: begin\n';
const kEnd = '// Made by script/schema from docs/schema/report-payload.schema.json: end\n';
const kColumns = 100;

const documents = new Map();

function read(file) {
  if (!documents.has(file))
    documents.set(file, JSON.parse(readFileSync(join(kSchemas, file), 'utf8')));
  return documents.get(file);
}

/// A schema and the file that it stands in, since its references are relative to that.
function target(file, reference) {
  const [other, pointer] = reference.split('#');
  const steps = pointer.split('/').slice(1);
  const schema = steps.reduce(
    (found, step) => found?.[step.replaceAll('~1', '/').replaceAll('~0', '~')],
    read(other || file),
  );
  if (!schema) throw new Error(`${file}: ${reference} leads nowhere`);
  return { file: other || file, schema };
}

/// The name of a type of the page, where a reference leads to one.
function nameOf(file, reference) {
  if (file !== kPayload) return undefined;
  return /^#\/\$defs\/(\w+)$/.exec(reference)?.[1];
}

const kPlain = {
  integer: 'number',
  number: 'number',
  string: 'string',
  boolean: 'boolean',
  null: 'null',
};

function literal(value) {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value);
}

function union(types) {
  return [...new Set(types)].join(' | ');
}

function typeOf(file, schema) {
  if (schema.$ref) {
    const name = nameOf(file, schema.$ref);
    if (name) return name;
    const found = target(file, schema.$ref);
    return typeOf(found.file, found.schema);
  }
  if (schema.anyOf) return union(schema.anyOf.map((each) => typeOf(file, each)));
  if (schema.enum) return union(schema.enum.map(literal));
  if ('const' in schema) return typeof schema.const;
  if (schema.prefixItems)
    return `[${schema.prefixItems.map((each) => typeOf(file, each)).join(', ')}]`;
  if (schema.type === 'array') {
    const item = typeOf(file, schema.items);
    return item.includes('|') ? `(${item})[]` : `${item}[]`;
  }
  const types = [schema.type].flat().map((type) => kPlain[type]);
  if (types.includes(undefined))
    throw new Error(`${file}: there is no TypeScript for ${JSON.stringify(schema)}`);
  return union(types);
}

function descriptionOf(file, schema) {
  if (schema.description || !schema.$ref) return schema.description;
  const found = target(file, schema.$ref);
  return descriptionOf(found.file, found.schema);
}

function comment(text, indent) {
  const lines = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line && indent.length + 4 + line.length + 1 + word.length > kColumns) {
      lines.push(line);
      line = '';
    }
    line += line ? ` ${word}` : word;
  }
  return [...lines, line].map((each) => `${indent}/// ${each}\n`).join('');
}

function declaration(name, schema) {
  const head = comment(descriptionOf(kPayload, schema), '');
  if (!schema.properties) return `${head}export type ${name} = ${typeOf(kPayload, schema)};\n`;
  if (schema.additionalProperties !== false) throw new Error(`${name} may hold anything`);
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties).map(([key, field]) => {
    const mark = required.has(key) ? '' : '?';
    return `${comment(descriptionOf(kPayload, field), '  ')}  ${key}${mark}: ${typeOf(kPayload, field)};\n`;
  });
  return `${head}export interface ${name} {\n${fields.join('')}}\n`;
}

function types() {
  const root = read(kPayload);
  const parts = [
    `export const kPayloadVersion = ${literal(root.properties.version.const)};\n`,
    ...Object.entries(root.$defs).map(([name, schema]) => declaration(name, schema)),
    declaration(root.title, root),
  ];
  const text = `\n${parts.join('\n')}\n`;
  const long = text.split('\n').find((line) => line.length > kColumns);
  if (long) throw new Error(`a line is longer than ${kColumns} columns: ${long}`);
  return text;
}

function made(text) {
  const begin = text.indexOf(kBegin);
  const end = text.indexOf(kEnd);
  if (begin < 0 || end < begin)
    throw new Error(`${kTarget} lacks the lines between which types stand`);
  return text.slice(0, begin + kBegin.length) + types() + text.slice(end);
}

const words = process.argv.slice(2);
if (words.length > 1 || (words.length === 1 && words[0] !== '--check')) {
  console.error('usage: payload-types.mjs [--check]; see the top of this file');
  process.exit(2);
}
const present = readFileSync(kTarget, 'utf8');
const wanted = made(present);
if (words.length === 0) {
  writeFileSync(kTarget, wanted);
} else if (present !== wanted) {
  console.log('apps/studio/web/src/payload.ts is not what its schema makes; run script/schema');
  process.exit(1);
}
