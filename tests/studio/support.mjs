// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const kRoot = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const kWeb = join(kRoot, 'apps', 'studio', 'web');
const { chromium } = createRequire(join(kWeb, 'package.json'))('playwright-core');

/// Software rendering: machines that run tests have no graphics card.
const kFlags = [
  '--no-sandbox',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
];

export const { loadPageModules } = await import(
  pathToFileURL(join(kWeb, 'scripts', 'page-modules.mjs'))
);

/// Real characters lie beside the project; where they do not, tests that need them skip.
export function model(path) {
  const found = join(process.env.SINEW_MODELS ?? join(kRoot, '..', 'shared', 'models'), path);
  return existsSync(found) ? found : null;
}

export function sinewProgram() {
  const named = [
    process.env.SINEW_BINARY,
    ...['release', 'dev', 'asan'].map((preset) => join(kRoot, 'build', preset, 'bin', 'sinew')),
  ];
  const found = named.find((path) => path && existsSync(path));
  if (!found)
    throw new Error('the sinew program is not built; build it or name it in SINEW_BINARY');
  return found;
}

export function sinew(...flags) {
  return execFileSync(sinewProgram(), [...flags.map(String), '--quiet'], {
    maxBuffer: 1 << 28,
    encoding: 'utf8',
  });
}

export const work = mkdtempSync(join(tmpdir(), 'sinew-studio-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));

const made = new Map();

/// A generated character; made once per process.
export function example(name, vertices) {
  const path = join(work, `${name}-${vertices}.glb`);
  if (!made.has(path)) made.set(path, sinew('example', name, '--vertices', vertices, '-o', path));
  return path;
}

export function bound(path) {
  const out = path.replace(/\.glb$/, '-heat.glb');
  if (!made.has(out))
    made.set(out, sinew('bind', path, '-o', out, '--method', 'heat', '--poses', 0));
  return out;
}

/// A report of these files.
export function report(name, files, ...flags) {
  const out = join(work, `${name}.html`);
  sinew('report', ...files, '-o', out, ...flags);
  return out;
}

/// A report with what `sinew report` has no use for yet: see make-payload.mjs.
export function madeReport(name, files, ...flags) {
  const out = join(work, `${name}.html`);
  const page = process.env.SINEW_REPORT_PAGE ?? join(kWeb, 'dist', 'report.html');
  execFileSync(process.execPath, [
    join(kWeb, 'scripts', 'make-payload.mjs'),
    '-o',
    out,
    '--template',
    page,
    ...files,
    ...flags,
  ]);
  return out;
}

/// The data that a report was made with.
export function payloadOf(path) {
  const [, json] = /id="sinew-report">(.*?)<\/script>/s.exec(readFileSync(path, 'utf8'));
  return JSON.parse(json);
}

/// The browser as a program of its own, for what needs nobody to drive it.
export function printedDocument(path, hash) {
  const flags = [
    '--headless',
    ...kFlags,
    '--virtual-time-budget=20000',
    '--dump-dom',
    pathToFileURL(path).href + hash,
  ];
  return execFileSync(chromiumProgram(), flags, {
    maxBuffer: 1 << 28,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

function chromiumProgram() {
  const path = process.env.SINEW_CHROMIUM ?? '/usr/bin/chromium';
  if (!existsSync(path)) throw new Error(`there is no ${path}; install Debian's chromium`);
  return path;
}

let browser = null;

/// Opens a report by its file address and waits until everything is drawn. Errors and requests are
/// kept for the test to look at.
export async function open(
  path,
  { width = 1280, height = 720, colorScheme = 'light', hash = '' } = {},
) {
  browser ??= await chromium.launch({
    executablePath: chromiumProgram(),
    args: kFlags,
  });
  const page = await browser.newPage({
    viewport: { width, height },
    colorScheme,
  });
  const errors = [];
  const requests = [];
  page.on(
    'console',
    (message) => ['error', 'warning'].includes(message.type()) && errors.push(message.text()),
  );
  page.on('pageerror', (error) => errors.push(error.stack ?? String(error)));
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(pathToFileURL(path).href + hash);
  await until(page, () => window.sinew !== undefined);
  await page.evaluate(() => window.sinew.ready);
  return { page, errors, requests };
}

/// Waits until something holds on the page. Playwright's own waiting evaluates strings there, which
/// the page's content policy forbids, and the policy is part of what is tested.
export async function until(page, condition, milliseconds = 60000) {
  for (const end = Date.now() + milliseconds; !(await page.evaluate(condition)); ) {
    if (Date.now() > end) throw new Error(`never came true: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

export async function closeBrowser() {
  await browser?.close();
  browser = null;
}

/// The picture of the stage as the page draws it, for comparing.
export const picture = (page) => page.evaluate(() => window.sinew.snapshot(320, 200));
