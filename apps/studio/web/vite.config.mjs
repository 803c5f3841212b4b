// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import { readFileSync } from 'node:fs';
import { defineConfig } from 'vite';

const kPlaceholder = '<!--SINEW-PAYLOAD-->';

/// Puts scripts and styles into the page itself, so that one file is the whole report. The script
/// goes behind the payload, since it reads it at once.
function inlineEverything() {
  return {
    name: 'sinew-inline-everything',
    enforce: 'post',
    generateBundle(_, bundle) {
      const page = Object.values(bundle).find((file) => file.fileName.endsWith('.html'));
      let html = String(page.source);
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === 'chunk') {
          const code = file.code.replaceAll('</script', '<\\/script').replaceAll(kPlaceholder, '');
          html = html.replace(new RegExp(`<script[^>]*${file.fileName}[^>]*></script>\\s*`), '');
          html = html.replace(
            kPlaceholder,
            () => `${kPlaceholder}\n    <script type="module">${code}</script>`,
          );
          delete bundle[name];
        } else if (name.endsWith('.css')) {
          html = html.replace(
            new RegExp(`<link[^>]*${file.fileName}[^>]*>`),
            () => `<style>${file.source}</style>`,
          );
          delete bundle[name];
        }
      }
      // The page carries three.js, whose licence asks to be carried along.
      const licence = readFileSync(
        new URL('node_modules/three/LICENSE', import.meta.url),
        'utf8',
      ).trim();
      html = html.replace(
        '<html',
        () => `<!-- Contains three.js:\n${licence.replaceAll('--', '- -')}\n-->\n<html`,
      );
      if (html.split(kPlaceholder).length !== 2)
        throw new Error('the page must hold its placeholder once');
      page.source = html;
    },
  };
}

export default defineConfig({
  base: './',
  build: {
    target: 'es2022',
    modulePreload: false,
    assetsInlineLimit: 1e8,
    cssCodeSplit: false,
    reportCompressedSize: false,
    rollupOptions: { input: 'report.html', output: { inlineDynamicImports: true } },
  },
  plugins: [inlineEverything()],
});
