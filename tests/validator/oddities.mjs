// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Small files that use what the specification allows and few exporters write. A tool that loses data loses it here.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { packGlb } from './gltf.mjs';

// The smallest picture there is: one grey pixel.
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
                        'base64');

const floats = (...values) => Buffer.from(new Float32Array(values).buffer);
const shorts = (...values) => Buffer.from(new Uint16Array(values).buffer);
const padded = (bytes) => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);

/** A triangle with one primitive, to which each oddity adds its own. */
function triangle() {
  const positions = floats(0, 0, 0, 1, 0, 0, 0, 1, 0);
  const indices = padded(shorts(0, 1, 2));
  return {
    json: {
      asset: { version: '2.0', generator: 'by hand' },
      scene: 0,
      scenes: [{ nodes: [0] }],
      nodes: [{ mesh: 0 }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
      accessors: [
        { bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] },
        { bufferView: 1, componentType: 5123, count: 3, type: 'SCALAR' },
      ],
      bufferViews: [
        { buffer: 0, byteOffset: 0, byteLength: 36, target: 34962 },
        { buffer: 0, byteOffset: 36, byteLength: 6, target: 34963 },
      ],
      buffers: [{ byteLength: 44 }],
    },
    buffers: [Buffer.concat([positions, indices])],
  };
}

const dataUri = (bytes, type) => `data:${type};base64,${bytes.toString('base64')}`;

const ODDITIES = {
  // Bytes inside the JSON.
  'data-uri.gltf': () => {
    const { json, buffers } = triangle();
    json.buffers[0].uri = dataUri(buffers[0], 'application/octet-stream');
    json.images = [{ uri: dataUri(PNG, 'image/png') }];
    json.textures = [{ source: 0 }];
    return JSON.stringify(json);
  },
  // Several files, in a folder below, with names that a URI has to escape.
  'files and spaces.gltf': (folder) => {
    const { json, buffers } = triangle();
    mkdirSync(join(folder, 'parts'), { recursive: true });
    writeFileSync(join(folder, 'parts', 'vertex data.bin'), buffers[0].subarray(0, 36));
    writeFileSync(join(folder, 'parts', 'Händel.bin'), buffers[0].subarray(36));
    writeFileSync(join(folder, 'grey pixel.png'), PNG);
    json.buffers = [
      { byteLength: 36, uri: 'parts/vertex%20data.bin', name: 'vertices' },
      { byteLength: 8, uri: 'parts/H%C3%A4ndel.bin', extras: { composer: true } },
    ];
    json.bufferViews[1] = { ...json.bufferViews[1], buffer: 1, byteOffset: 0 };
    json.images = [{ uri: 'grey%20pixel.png', name: 'grey' }];
    json.textures = [{ source: 0 }];
    return JSON.stringify(json);
  },
  // Sparse accessors: one over stored values, one over zeros, as a morph target.
  'sparse.glb': () => {
    const gltf = triangle();
    const { json } = gltf;
    const sparse = Buffer.concat([padded(shorts(2)), floats(0, 2, 0)]);
    json.bufferViews.push({ buffer: 0, byteOffset: 44, byteLength: 2 }, { buffer: 0, byteOffset: 48, byteLength: 12 });
    const change = { count: 1, indices: { bufferView: 2, componentType: 5123 }, values: { bufferView: 3 } };
    json.accessors[0] = { ...json.accessors[0], max: [1, 2, 0], sparse: change };
    json.accessors.push({ componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [0, 2, 0], sparse: change });
    json.meshes[0].primitives[0].targets = [{ POSITION: 2 }];
    json.meshes[0].weights = [0.5];
    gltf.buffers = [Buffer.concat([gltf.buffers[0], sparse])];
    return packGlb(gltf);
  },
  // Positions and normals side by side, with a stride and a start of their own.
  'interleaved.glb': () => {
    const gltf = triangle();
    const { json } = gltf;
    const vertices = floats(...[[0, 0, 0], [1, 0, 0], [0, 1, 0]].flatMap((point) => [...point, 0, 0, 1]));
    gltf.buffers = [Buffer.concat([vertices, padded(shorts(0, 1, 2))])];
    json.bufferViews = [
      { buffer: 0, byteLength: 72, byteStride: 24, target: 34962 },
      { buffer: 0, byteOffset: 72, byteLength: 6, target: 34963 },
    ];
    json.accessors.push({ bufferView: 0, byteOffset: 12, componentType: 5126, count: 3, type: 'VEC3' });
    json.meshes[0].primitives[0].attributes.NORMAL = 2;
    return packGlb(gltf);
  },
  // Things nobody has heard of, in every place that allows them, and numbers that rounding would change.
  'unknown.glb': () => {
    const gltf = triangle();
    const { json } = gltf;
    json.extensionsUsed = ['ACME_feelings'];
    json.extensions = { ACME_feelings: { mood: [0.1, 1e-300, 123456789.123456789, -2.5e30], of: 'ß – 水 😀' } };
    json.extras = { list: [null, true, '', {}, []], nested: { deep: { deeper: [[[1]]] } } };
    json.nodes[0] = {
      ...json.nodes[0], name: 'tab\t"quote" \u0001', extras: 'text', translation: [0.1, 0.2, 0.30000001192092896],
      extensions: { ACME_feelings: {} },
    };
    json.meshes[0].primitives[0].extras = { big: 9007199254740991 };
    json.meshes[0].primitives[0].attributes._TEMPER = 0;
    json.bufferViews[0].name = 'kept';
    json.buffers[0].extras = { from: 'somewhere' };
    return packGlb(gltf);
  },
  // No bytes at all.
  'empty.gltf': () => JSON.stringify({ asset: { version: '2.0' }, scenes: [{ name: 'nothing' }], scene: 0 }),
};

/** Writes every oddity into a folder and returns the paths. */
export function makeOddities(folder) {
  mkdirSync(folder, { recursive: true });
  return Object.entries(ODDITIES).map(([name, make]) => {
    const path = join(folder, name);
    writeFileSync(path, make(folder));
    return path;
  });
}
