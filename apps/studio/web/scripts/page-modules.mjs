// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import { build } from 'esbuild';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const kModules = [
  'affine',
  'character',
  'colouring',
  'distortion',
  'gltf/clips',
  'gltf/glb',
  'gltf/nodes',
  'gltf/vertices',
  'interior',
  'payload',
  'pose',
  'ramps',
  'skinning',
  'weld',
];

/// The page's own modules that need no browser, for scripts and tests in Node.
export async function loadPageModules() {
  const source = join(dirname(fileURLToPath(import.meta.url)), '..', 'src');
  const result = await build({
    stdin: {
      contents: kModules.map((name) => `export * from './${name}';`).join('\n'),
      resolveDir: source,
      loader: 'ts',
    },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node18',
    write: false,
  });
  const code = Buffer.from(result.outputFiles[0].text).toString('base64');
  return import(`data:text/javascript;base64,${code}`);
}
