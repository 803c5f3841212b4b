// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A small reader of glTF for the checks in this folder. It shares no code with sinew, so that both cannot be wrong
// in the same way.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const COMPONENT_BYTES = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };
const TYPE_SHAPE = {
  SCALAR: [1, 1], VEC2: [1, 2], VEC3: [1, 3], VEC4: [1, 4], MAT2: [2, 2], MAT3: [3, 3], MAT4: [4, 4],
};
const COMPONENT_READER = {
  5120: 'getInt8', 5121: 'getUint8', 5122: 'getInt16', 5123: 'getUint16', 5125: 'getUint32', 5126: 'getFloat32',
};
const COMPONENT_MAX = { 5120: 127, 5121: 255, 5122: 32767, 5123: 65535 };
const GLB_MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BIN_CHUNK = 0x004e4942;

/** The bytes that a URI stands for: a data URI, or a file in `folder`. */
export function loadUri(uri, folder) {
  if (!uri.startsWith('data:')) return readFileSync(join(folder, decodeURIComponent(uri)));
  const comma = uri.indexOf(',');
  const isBase64 = uri.slice(0, comma).endsWith(';base64');
  return Buffer.from(isBase64 ? uri.slice(comma + 1) : decodeURIComponent(uri.slice(comma + 1)),
                     isBase64 ? 'base64' : 'latin1');
}

/** Reads a .glb or .gltf file: { json, buffers, folder }. */
export function readGltf(path) {
  const file = readFileSync(path);
  const folder = dirname(path);
  let json;
  let binary = Buffer.alloc(0);
  if (file.length >= 12 && file.readUInt32LE(0) === GLB_MAGIC) {
    for (let at = 12; at + 8 <= file.length;) {
      const length = file.readUInt32LE(at);
      const kind = file.readUInt32LE(at + 4);
      const chunk = file.subarray(at + 8, at + 8 + length);
      if (kind === JSON_CHUNK) json = JSON.parse(chunk.toString('utf8'));
      if (kind === BIN_CHUNK) binary = chunk;
      at += 8 + length;
    }
  } else {
    json = JSON.parse(file.toString('utf8'));
  }
  const buffers = (json.buffers ?? []).map(
    (buffer) => (buffer.uri === undefined ? binary : loadUri(buffer.uri, folder)));
  return { json, buffers, folder };
}

/** The bytes of a buffer view, or of anything else that has buffer, byteOffset and byteLength. */
export function viewBytes(gltf, view) {
  const begin = view.byteOffset ?? 0;
  return gltf.buffers[view.buffer].subarray(begin, begin + view.byteLength);
}

/** The bytes of an image, wherever it is stored. */
export function imageBytes(gltf, image) {
  return image.bufferView === undefined ? loadUri(image.uri, gltf.folder)
                                        : viewBytes(gltf, gltf.json.bufferViews[image.bufferView]);
}

/** The offsets of the components of an element, and its size. Matrix columns start at multiples of four bytes. */
function elementLayout(accessor) {
  const size = COMPONENT_BYTES[accessor.componentType];
  const [columns, rows] = TYPE_SHAPE[accessor.type];
  const columnBytes = columns > 1 ? Math.ceil((size * rows) / 4) * 4 : size * rows;
  const offsets = [];
  for (let c = 0; c < columns; ++c) for (let r = 0; r < rows; ++r) offsets.push(c * columnBytes + r * size);
  return { offsets, bytes: columns * columnBytes };
}

function readElements(gltf, viewIndex, byteOffset, accessor, count, store) {
  const view = gltf.json.bufferViews[viewIndex];
  const bytes = viewBytes(gltf, view);
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { offsets, bytes: elementBytes } = elementLayout(accessor);
  const stride = view.byteStride ?? elementBytes;
  const read = COMPONENT_READER[accessor.componentType];
  for (let i = 0; i < count; ++i) {
    const at = (byteOffset ?? 0) + i * stride;
    for (let k = 0; k < offsets.length; ++k) store(i, k, data[read](at + offsets[k], true));
  }
}

/** The values of an accessor as stored, sparse substitution applied: a Float64Array, which holds all types exactly. */
export function accessorValues(gltf, index) {
  const accessor = gltf.json.accessors[index];
  const width = elementLayout(accessor).offsets.length;
  const values = new Float64Array(accessor.count * width);
  if (accessor.bufferView !== undefined)
    readElements(gltf, accessor.bufferView, accessor.byteOffset, accessor, accessor.count,
                 (i, k, value) => { values[i * width + k] = value; });
  if (accessor.sparse) {
    const { count, indices, values: substitutes } = accessor.sparse;
    const targets = new Float64Array(count);
    readElements(gltf, indices.bufferView, indices.byteOffset,
                 { componentType: indices.componentType, type: 'SCALAR' }, count,
                 (i, k, value) => { targets[i] = value; });
    readElements(gltf, substitutes.bufferView, substitutes.byteOffset, accessor, count,
                 (i, k, value) => { values[targets[i] * width + k] = value; });
  }
  return values;
}

/** accessorValues with `normalized` applied. */
export function accessorNumbers(gltf, index) {
  const accessor = gltf.json.accessors[index];
  const values = accessorValues(gltf, index);
  return accessor.normalized
    ? values.map((value) => Math.max(value / COMPONENT_MAX[accessor.componentType], -1)) : values;
}

/** The bytes of a .glb with this JSON and this binary chunk, whose length is a multiple of four. */
export function encodeGlb(json, binary) {
  let text = Buffer.from(JSON.stringify(json), 'utf8');
  text = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, ' ')]);
  const header = Buffer.alloc(20);
  header.writeUInt32LE(GLB_MAGIC, 0);
  header.writeUInt32LE(2, 4);
  header.writeUInt32LE(12 + 8 + text.length + 8 + binary.length, 8);
  header.writeUInt32LE(text.length, 12);
  header.writeUInt32LE(JSON_CHUNK, 16);
  const binaryHeader = Buffer.alloc(8);
  binaryHeader.writeUInt32LE(binary.length, 0);
  binaryHeader.writeUInt32LE(BIN_CHUNK, 4);
  return Buffer.concat([header, text, binaryHeader, binary]);
}

/** Packs a document into the bytes of one .glb with one buffer. */
export function packGlb(gltf) {
  const json = structuredClone(gltf.json);
  const starts = [];
  let length = 0;
  for (const buffer of gltf.buffers) {
    starts.push(length);
    length += Math.ceil(buffer.length / 4) * 4;
  }
  const binary = Buffer.alloc(length);
  gltf.buffers.forEach((buffer, i) => buffer.copy(binary, starts[i]));
  for (const view of json.bufferViews ?? []) {
    view.byteOffset = (view.byteOffset ?? 0) + starts[view.buffer];
    view.buffer = 0;
  }
  if (length > 0) json.buffers = [{ ...json.buffers?.[0], uri: undefined, byteLength: length }];
  return encodeGlb(json, binary);
}

// Broken files have tests of their own, large ones take long, and those to practise on are for judging weights.
const PASSED_OVER = ['hostile', 'large', 'practice'];

/** Every .glb and .gltf below a folder, sorted; nothing when the folder is not there. */
export function findModels(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (PASSED_OVER.includes(entry.name)) return [];
      if (statSync(path).isDirectory()) return findModels(path);
      return /\.(glb|gltf)$/i.test(entry.name) ? [path] : [];
    });
}
