// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT

/// A reader for the .glb files that `sinew report` embeds: one binary chunk, nothing compressed.
/// We read it ourselves, and do not use three's loader, because the page needs the stored order of
/// vertices, all influence sets (three keeps four influences) and every skin's own matrices.

export interface GltfAccessor {
  bufferView?: number;
  byteOffset?: number;
  componentType: number;
  normalized?: boolean;
  count: number;
  type: string;
  sparse?: {
    count: number;
    indices: { bufferView: number; byteOffset?: number; componentType: number };
    values: { bufferView: number; byteOffset?: number };
  };
}

export interface GltfNode {
  name?: string;
  children?: number[];
  mesh?: number;
  skin?: number;
  matrix?: number[];
  translation?: number[];
  rotation?: number[];
  scale?: number[];
  weights?: number[];
}

export interface GltfPrimitive {
  attributes: Record<string, number>;
  indices?: number;
  material?: number;
  mode?: number;
  targets?: Record<string, number>[];
}

export interface GltfMaterial {
  doubleSided?: boolean;
  alphaMode?: string;
  pbrMetallicRoughness?: {
    baseColorFactor?: number[];
    baseColorTexture?: { index: number; texCoord?: number };
  };
}

export interface GltfJson {
  scene?: number;
  scenes?: { nodes?: number[] }[];
  nodes?: GltfNode[];
  meshes?: { name?: string; primitives: GltfPrimitive[]; weights?: number[] }[];
  skins?: { joints: number[]; inverseBindMatrices?: number }[];
  animations?: {
    name?: string;
    channels: { sampler: number; target: { node?: number; path: string } }[];
    samplers: { input: number; output: number; interpolation?: string }[];
  }[];
  materials?: GltfMaterial[];
  textures?: { source?: number }[];
  images?: { bufferView?: number; mimeType?: string; uri?: string }[];
  accessors?: GltfAccessor[];
  bufferViews?: { byteOffset?: number; byteLength: number; byteStride?: number }[];
}

const kMagic = 0x46546c67; // "glTF"
const kJsonChunk = 0x4e4f534a;
const kBinaryChunk = 0x004e4942;
const kComponents: Record<string, number> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

export class Glb {
  readonly json: GltfJson;
  private readonly binary: DataView;

  constructor(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.byteLength < 20 || view.getUint32(0, true) !== kMagic)
      throw new Error('an embedded file is not a .glb');
    let json: GltfJson | null = null;
    let binary = new DataView(new ArrayBuffer(0));
    for (let at = 12; at + 8 <= bytes.byteLength; ) {
      const length = view.getUint32(at, true);
      const kind = view.getUint32(at + 4, true);
      const chunk = bytes.subarray(at + 8, at + 8 + length);
      if (kind === kJsonChunk) json = JSON.parse(new TextDecoder().decode(chunk)) as GltfJson;
      if (kind === kBinaryChunk)
        binary = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      at += 8 + length;
    }
    if (!json) throw new Error('an embedded .glb has no JSON');
    this.json = json;
    this.binary = binary;
  }

  accessor(index: number): GltfAccessor {
    const found = this.json.accessors?.[index];
    if (!found) throw new Error(`accessor ${index} does not exist`);
    return found;
  }

  /// All numbers of an accessor. Normalised integers come as fractions.
  numbers(index: number): Float32Array {
    const accessor = this.accessor(index);
    const components = kComponents[accessor.type] ?? 1;
    const out = new Float32Array(accessor.count * components);
    const scale = accessor.normalized ? 1 / largest(accessor.componentType) : 1;
    if (accessor.bufferView !== undefined)
      this.fill(
        out,
        accessor.bufferView,
        accessor.byteOffset ?? 0,
        accessor.componentType,
        components,
        scale,
      );
    if (accessor.sparse) this.overlay(out, accessor, components, scale);
    return out;
  }

  integers(index: number): Uint32Array {
    const accessor = this.accessor(index);
    const components = kComponents[accessor.type] ?? 1;
    const out = new Uint32Array(accessor.count * components);
    if (accessor.bufferView !== undefined)
      this.fill(
        out,
        accessor.bufferView,
        accessor.byteOffset ?? 0,
        accessor.componentType,
        components,
        1,
      );
    return out;
  }

  image(index: number): Blob | null {
    const image = this.json.images?.[index];
    if (image?.bufferView === undefined) return null;
    const view = this.json.bufferViews![image.bufferView]!;
    const start = this.binary.byteOffset + (view.byteOffset ?? 0);
    const bytes = new Uint8Array(this.binary.buffer as ArrayBuffer, start, view.byteLength);
    return new Blob([bytes], { type: image.mimeType ?? 'image/png' });
  }

  private fill(
    out: Float32Array | Uint32Array,
    bufferView: number,
    offset: number,
    componentType: number,
    components: number,
    scale: number,
  ) {
    const view = this.json.bufferViews![bufferView]!;
    const size = componentSize(componentType);
    const stride = view.byteStride ?? size * components;
    const start = (view.byteOffset ?? 0) + offset;
    const read = reader(this.binary, componentType);
    for (let i = 0, o = 0; o < out.length; ++i)
      for (let c = 0; c < components; ++c, ++o)
        out[o] = read(start + i * stride + c * size) * scale;
  }

  private overlay(out: Float32Array, accessor: GltfAccessor, components: number, scale: number) {
    const sparse = accessor.sparse!;
    const where = new Uint32Array(sparse.count);
    this.fill(
      where,
      sparse.indices.bufferView,
      sparse.indices.byteOffset ?? 0,
      sparse.indices.componentType,
      1,
      1,
    );
    const values = new Float32Array(sparse.count * components);
    this.fill(
      values,
      sparse.values.bufferView,
      sparse.values.byteOffset ?? 0,
      accessor.componentType,
      components,
      scale,
    );
    where.forEach((row, i) => {
      for (let c = 0; c < components; ++c) out[row * components + c] = values[i * components + c]!;
    });
  }
}

function componentSize(type: number): number {
  return type === 5120 || type === 5121 ? 1 : type === 5122 || type === 5123 ? 2 : 4;
}

function largest(type: number): number {
  return { 5120: 127, 5121: 255, 5122: 32767, 5123: 65535 }[type] ?? 1;
}

function reader(view: DataView, type: number): (at: number) => number {
  switch (type) {
    case 5120:
      return (at) => view.getInt8(at);
    case 5121:
      return (at) => view.getUint8(at);
    case 5122:
      return (at) => view.getInt16(at, true);
    case 5123:
      return (at) => view.getUint16(at, true);
    case 5125:
      return (at) => view.getUint32(at, true);
    case 5126:
      return (at) => view.getFloat32(at, true);
    default:
      throw new Error(`component type ${type} is not glTF's`);
  }
}
