// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Compressed meshes must mean what they meant before they were compressed. Compresses every example with Draco and with
// meshopt, without loss, poses it with sinew and compares with the pose of the example itself.
//
//   node compressed.mjs --sinew BIN --work DIR --examples DIR
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import draco3d from 'draco3d';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { MeshoptEncoder } from 'meshoptimizer/encoder';

import { accessorNumbers, accessorValues, encodeGlb, readGltf, viewBytes } from './gltf.mjs';
import { printTable, runCheck, runSinew } from './harness.mjs';

const INDEX_BYTES = { 5123: 2, 5125: 4 };
const padded = (length) => Math.ceil(length / 4) * 4;

/** Collects bytes into one buffer, each piece at a multiple of four. */
class Packer {
  pieces = [];
  length = 0;
  add(bytes) {
    const byteOffset = this.length;
    this.pieces.push(Buffer.from(bytes), Buffer.alloc(padded(bytes.length) - bytes.length));
    this.length += padded(bytes.length);
    return { byteOffset, byteLength: bytes.length };
  }
}

function addExtension(json, name) {
  for (const key of ['extensionsUsed', 'extensionsRequired']) json[key] = [...(json[key] ?? []), name];
}

/** Views of vertices and indices in the form of EXT_meshopt_compression, over a second buffer that holds nothing. */
async function withMeshopt(gltf) {
  await MeshoptEncoder.ready;
  const json = structuredClone(gltf.json);
  const packer = new Packer();
  let fallbackLength = 0;
  json.bufferViews = json.bufferViews.map((view, i) => {
    const bytes = viewBytes(gltf, view);
    const { componentType, count: elements } = json.accessors.find(({ bufferView }) => bufferView === i) ?? {};
    const isIndices = view.target === 34963 && componentType in INDEX_BYTES;
    if (!isIndices && view.target !== 34962) return { ...view, buffer: 0, ...packer.add(bytes) };
    const stride = isIndices ? INDEX_BYTES[componentType] : view.byteStride ?? bytes.length / elements;
    const count = bytes.length / stride;
    const mode = isIndices ? 'INDICES' : 'ATTRIBUTES';
    const place = packer.add(MeshoptEncoder.encodeGltfBuffer(new Uint8Array(bytes), count, stride, mode));
    const byteOffset = fallbackLength;
    fallbackLength += padded(bytes.length);
    return {
      ...view, buffer: 1, byteOffset,
      extensions: { EXT_meshopt_compression: { buffer: 0, ...place, byteStride: stride, count, mode } },
    };
  });
  json.buffers = [
    { byteLength: packer.length },
    { byteLength: fallbackLength, extensions: { EXT_meshopt_compression: { fallback: true } } },
  ];
  addExtension(json, 'EXT_meshopt_compression');
  return encodeGlb(json, Buffer.concat(packer.pieces));
}

/** One primitive as Draco data that keeps every bit of its vertices. Vertices that are alike become one. */
function encodeDraco(draco, gltf, primitive) {
  const encoder = new draco.Encoder();
  const builder = new draco.MeshBuilder();
  const mesh = new draco.Mesh();
  const indices = Uint32Array.from(accessorValues(gltf, primitive.indices));
  builder.AddFacesToMesh(mesh, indices.length / 3, indices);
  const attributes = {};
  for (const [name, index] of Object.entries(primitive.attributes)) {
    const { componentType, type, count } = gltf.json.accessors[index];
    const width = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 }[type];
    const values = accessorValues(gltf, index);
    const kind = { POSITION: draco.POSITION, NORMAL: draco.NORMAL }[name] ?? draco.GENERIC;
    if (componentType === 5126) {
      attributes[name] = builder.AddFloatAttribute(mesh, kind, count, width, Float32Array.from(values));
    } else if (componentType === 5123) {
      attributes[name] = builder.AddUInt16Attribute(mesh, kind, count, width, Uint16Array.from(values));
    } else {
      attributes[name] = builder.AddUInt8Attribute(mesh, kind, count, width, Uint8Array.from(values));
    }
  }
  encoder.SetEncodingMethod(draco.MESH_SEQUENTIAL_ENCODING);
  const out = new draco.DracoInt8Array();
  encoder.SetTrackEncodedProperties(true);
  const length = encoder.EncodeMeshToDracoBuffer(mesh, out);
  const vertexCount = encoder.GetNumberOfEncodedPoints();
  if (length === 0) throw new Error('Draco could not encode a primitive');
  const bytes = Buffer.alloc(length);
  for (let i = 0; i < length; ++i) bytes[i] = out.GetValue(i);
  for (const object of [out, mesh, builder, encoder]) draco.destroy(object);
  return { bytes, attributes, vertexCount };
}

/** Every primitive in the form of KHR_draco_mesh_compression; its accessors keep no other data. */
async function withDraco(gltf) {
  const draco = await draco3d.createEncoderModule({});
  const json = structuredClone(gltf.json);
  const packer = new Packer();
  const coded = json.meshes.flatMap((mesh) => mesh.primitives.map((primitive) => {
    const { bytes, attributes, vertexCount } = encodeDraco(draco, gltf, primitive);
    for (const index of Object.values(primitive.attributes)) json.accessors[index].count = vertexCount;
    for (const index of [primitive.indices, ...Object.values(primitive.attributes)]) {
      delete json.accessors[index].bufferView;
      delete json.accessors[index].byteOffset;
    }
    return { primitive, bytes, attributes };
  }));
  const kept = new Map();
  for (const user of [...json.accessors, ...(json.images ?? [])]) {
    if (user.bufferView === undefined) continue;
    if (!kept.has(user.bufferView)) kept.set(user.bufferView, kept.size);
    user.bufferView = kept.get(user.bufferView);
  }
  json.bufferViews = [...kept.keys()].map((old) => {
    const view = gltf.json.bufferViews[old];
    return { ...view, buffer: 0, ...packer.add(viewBytes(gltf, view)) };
  });
  for (const { primitive, bytes, attributes } of coded) {
    primitive.extensions = { KHR_draco_mesh_compression: { bufferView: json.bufferViews.length, attributes } };
    json.bufferViews.push({ buffer: 0, ...packer.add(bytes) });
  }
  json.buffers = [{ byteLength: packer.length }];
  addExtension(json, 'KHR_draco_mesh_compression');
  return encodeGlb(json, Buffer.concat(packer.pieces));
}

/** The document with every meshopt view decoded into a buffer of its own. */
async function withoutMeshopt(gltf) {
  await MeshoptDecoder.ready;
  const json = structuredClone(gltf.json);
  const buffers = [...gltf.buffers];
  for (const view of json.bufferViews) {
    const coded = view.extensions?.EXT_meshopt_compression;
    if (!coded) continue;
    const bytes = new Uint8Array(coded.count * coded.byteStride);
    MeshoptDecoder.decodeGltfBuffer(bytes, coded.count, coded.byteStride, viewBytes(gltf, coded), coded.mode, coded.filter);
    view.byteOffset = 0;
    view.buffer = buffers.push(Buffer.from(bytes)) - 1;
  }
  return { ...gltf, json, buffers };
}

/** The corners of all triangles of a posed file, in order, as text: the same whichever vertices were merged. */
async function posedCorners(path) {
  const gltf = await withoutMeshopt(readGltf(path));
  return gltf.json.meshes.flatMap(({ primitives }) => primitives.flatMap(({ attributes, indices }) => {
    const positions = accessorNumbers(gltf, attributes.POSITION);
    return Array.from(accessorValues(gltf, indices), (i) => positions.subarray(3 * i, 3 * i + 3).join(' '));
  })).join('\n');
}

process.exitCode = await runCheck(async ({ sinew, work, models }) => {
  const rows = [];
  const complaints = [];
  for (const model of models) {
    const gltf = readGltf(model);
    const clip = gltf.json.animations?.[0];
    const primitives = gltf.json.meshes.flatMap((mesh) => mesh.primitives);
    if (!clip || primitives.some(({ indices }) => indices === undefined)) continue;
    const pose = (input, output) =>
      runSinew(sinew, ['pose', input, '--animation', clip.name, '--time', '0.3', '-o', output]);
    const plain = `${join(work, basename(model, '.glb'))}-plain.glb`;
    const plainPosed = pose(model, plain);
    if (!plainPosed.ok) complaints.push(`${model}: ${plainPosed.text}`);
    for (const [name, compress] of [['meshopt', withMeshopt], ['draco', withDraco]]) {
      const input = `${join(work, basename(model, '.glb'))}-${name}.glb`;
      const output = `${join(work, basename(model, '.glb'))}-${name}-posed.glb`;
      writeFileSync(input, await compress(gltf));
      const posed = pose(input, output);
      const same = plainPosed.ok && posed.ok && (await posedCorners(plain)) === (await posedCorners(output));
      rows.push([basename(model), name, same ? 'same' : 'DIFFERS']);
      if (!same) complaints.push(`${input}: ${posed.ok ? 'posed elsewhere than without compression' : posed.text}`);
    }
  }
  if (rows.length === 0) complaints.push('no model with a clip and indices');
  printTable(['model', 'compression', 'posed vertices'], rows);
  for (const complaint of complaints) console.log(complaint);
  return complaints.length > 0 ? 1 : 0;
});
