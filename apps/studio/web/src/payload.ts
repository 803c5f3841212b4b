// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT

/// The contract between `sinew report` (C++) and this page. docs/report-format.md says the same in
/// prose. Lengths are in model space, which is the scene's, with the skeleton in its bind pose
/// (docs/conventions.md). Affine maps are 12 numbers, 3x4, row by row:
/// x = m[0]X + m[1]Y + m[2]Z + m[3].

export const kPayloadVersion = 1;

export type Vec3 = [number, number, number];

/// Figures by the names that `sinew inspect --json` gives them. Null or absent is "not known".
export interface Figures {
  arap?: number | null;
  arap_worst?: number | null;
  clips?: number | null;
  worst_bone?: number | null;
  follow?: number | null;
  follow_min?: number | null;
  drift?: number | null;
  dead?: number | null;
  lost?: number | null;
  islands?: number | null;
  rough?: number | null;
  max_influences?: number | null;
  mean_influences?: number | null;
  unweighted?: number | null;
  control_weight?: number | null;
  seam_spread?: number | null;
  seconds?: number | null; // how long the weights took to make
}

export interface BoneEntry {
  name: string;
  node: number; // of the glb
  parent: number; // bone index in the effective hierarchy; -1 is a root
  deforms: boolean;
  rest: number[]; // 12: bone space to model space in the bind pose (`Bone::rest`)
  head: Vec3;
  tail: Vec3; // equal to head where the bone has none
  dominated?: number | null; // vertices of which it is the strongest bone
  arap?: number | null;
  follow?: number | null;
  worst_pose?: number | null; // index into `poses`
  shown_for?: number; // of a joint that is there only to show a bone that bends: that bone
}

export interface WarningEntry {
  level: 'note' | 'warning' | 'error';
  code: string;
  message: string; // a whole sentence, in plain words
  bone?: number;
  at?: Vec3; // a place on the mesh *at rest*; the page finds where it stands in a pose
}

/// Area of the surface per bin of local distortion, for pages that should not compute it.
export interface HistogramEntry {
  edges: number[]; // ascending, one more than areas
  areas: number[];
}

export interface FileEntry {
  name: string; // of the file
  label: string; // what a reader calls it: "artist", "heat"
  blob: number; // the glb is in the element #sinew-file-<blob>
  size: Vec3;
  diagonal: number;
  vertices?: number;
  triangles?: number;
  figures: Figures;
  bones: BoneEntry[];
  max_influences_allowed: number;
  warnings: WarningEntry[];
  convergence?: { iteration: number; energy: number }[];
  histogram?: HistogramEntry;
  textures_note?: string; // what was done to the textures, in words
  failed?: string; // why this method gave no result; the glb may then be the input
}

export type Limb = 'shoulder' | 'elbow' | 'forearm twist' | 'hip' | 'knee' | 'neck';

export interface PerFilePose {
  transforms?: string; // base64, little-endian float32, 12 per bone: M_j, bind pose to posed pose
  positions?: string; // base64, little-endian float32, 3 per skinned vertex in stored order
  clip?: { name: string; time: number }; // a moment of a clip of the file, in its own seconds
}

export interface PoseEntry {
  name: string;
  kind: 'random' | 'clip' | 'limb';
  limb?: Limb;
  bone?: string; // the bone that the pose is about; a limb's picture is framed on its head
  thumbnail?: string; // data URI; without it the page draws one
  per_file: (PerFilePose | null)[]; // one per file; null is the rest pose
  arap?: (number | null)[]; // one per file
}

export interface WorstEntry {
  pose: number;
  file: number;
  at: Vec3; // at rest
  bone: number; // of that file; -1 is none
}

export interface Payload {
  version: number;
  title: string;
  verdict: string; // one sentence
  generator?: string; // "sinew 0.1.0"
  files: FileEntry[];
  poses: PoseEntry[];
  worst?: WorstEntry | null;
}

export class PayloadError extends Error {}

/// Reads the payload that was put into the page.
export function readPayload(page: Document): Payload {
  const text = page.getElementById('sinew-report')?.textContent;
  if (!text) throw new PayloadError('This page carries no report. It is made by "sinew report".');
  const payload = JSON.parse(text) as Payload;
  if (payload.version !== kPayloadVersion)
    throw new PayloadError(
      `This page reads reports of version ${kPayloadVersion}; the data is of version ${payload.version}.`,
    );
  if (!payload.files?.length) throw new PayloadError('The report names no file.');
  return payload;
}

/// The bytes of a file that was put into the page.
export function readBlob(page: Document, blob: number): Uint8Array {
  const element = page.getElementById(`sinew-file-${blob}`);
  const text = element?.textContent?.trim();
  if (!text) throw new PayloadError(`The report lacks its file ${blob}.`);
  const bytes = bytesFromBase64(text);
  element?.remove(); // megabytes of text that nobody reads again
  return bytes;
}

export function bytesFromBase64(text: string): Uint8Array {
  const raw = atob(text.trim());
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

export function floatsFromBase64(text: string): Float32Array {
  const bytes = bytesFromBase64(text);
  return new Float32Array(bytes.buffer, 0, bytes.byteLength >> 2);
}
