// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT

/// The contract between `sinew report` (C++) and this page. docs/report-format.md says the same in
/// prose. Lengths are in model space, which is the scene's, with the skeleton in its bind pose
/// (docs/conventions.md). Affine maps are 12 numbers, 3x4, row by row:
/// x = m[0]X + m[1]Y + m[2]Z + m[3]. A field with a question mark may be absent.

// Made by script/schema from docs/schema/report-payload.schema.json: begin

export const kPayloadVersion = 1;

/// Three numbers, along x, y and z.
export type Vec3 = [number, number, number];

/// The figures of a file by the names that inspect gives them, of which one that is null or absent
/// is not known.
export interface Figures {
  /// The mean distortion over random poses, of which 0 is rigid; it is null where weights were not
  /// judged.
  arap?: number | null;
  /// The distortion in the worst of the random poses; it is null where weights were not judged.
  arap_worst?: number | null;
  /// The mean distortion over moments of the clips of the file, of which 0 is rigid; it is null
  /// where weights were not judged and where there is no clip.
  clips?: number | null;
  /// The largest distortion of the vertices that one bone dominates; it is null where weights were
  /// not judged.
  worst_bone?: number | null;
  /// How far bones are obeyed on average, of which 1 is fully; it is null where weights were not
  /// judged.
  follow?: number | null;
  /// How far the least obedient bone is obeyed, of which 1 is fully; it is null where weights were
  /// not judged.
  follow_min?: number | null;
  /// How far parts that touch come apart on average, in percent of the diagonal; it is null where
  /// weights were not judged.
  drift?: number | null;
  /// How many deforming joints have no vertex of weight 0.5 or more; it is null where weights were
  /// not judged.
  dead?: number | null;
  /// How many joints dominate less than half of the vertices that they dominated in the character
  /// that it is compared with; it is null where weights were not judged and where there is none.
  lost?: number | null;
  /// The distortion of the worst place over poses of limbs, of which 0 is rigid; it is null where
  /// weights were not judged and where no limbs are known.
  limb?: number | null;
  /// How much of the skin that was beyond doubt of a bone in the character that it is compared with
  /// the bone leads no longer, mean over the bones, in percent; it is null where weights were not
  /// judged and where there is none to compare with.
  stolen?: number | null;
  /// How much of the skin that is beyond doubt of the head goes elsewhere, in percent; it is null
  /// where weights were not judged and where no head is known.
  head?: number | null;
  /// How much of the edges around a raised arm folds, in percent of their length; it is null where
  /// weights were not judged and where no arms are known.
  folded?: number | null;
  /// How much of the skin of a bone distorts clearly more than in the character that it is compared
  /// with, mean over the bones, in percent; it is null where weights were not judged and where
  /// there is none to compare with.
  worse?: number | null;
  /// How much farther places that nearly touch come apart than in the character that it is compared
  /// with, in percent of the diagonal; it is null where weights were not judged and where there is
  /// none to compare with.
  apart?: number | null;
  /// How many more places of one part that nearly touch another sink into it than in the character
  /// that it is compared with, in percent; it is null where weights were not judged and where there
  /// is none to compare with.
  sunk?: number | null;
  /// How many stray patches the weights of the joints have; it is null where weights were not
  /// judged.
  islands?: number | null;
  /// The 99.9th percentile of the difference of a weight from its mean over the neighbours; it is
  /// null where weights were not judged.
  rough?: number | null;
  /// The most bones that a vertex has.
  max_influences?: number;
  /// How many bones a vertex has on average, over the vertices that have any.
  mean_influences?: number;
  /// How many vertices have no weight.
  unweighted?: number;
  /// How much weight is on bones that should have none, in vertices; it is null where weights were
  /// not judged.
  control_weight?: number | null;
  /// The largest difference of the weight of a copy from the mean of the copies at a seam; it is
  /// null where weights were not judged.
  seam_spread?: number | null;
  /// How long the weights took to make, in seconds.
  seconds?: number | null;
  /// How many meshes the document has, of which an instanced one counts once.
  meshes?: number;
  /// How many vertices the character has as stored.
  vertices?: number;
  /// How many triangles the character has.
  triangles?: number;
  /// How many tetrahedra the character has.
  tetrahedra?: number;
  /// How many joints the skeleton has.
  joints?: number;
  /// How many clips the file has.
  clip_count?: number;
  /// How many rigid meshes hang on joints.
  props?: number;
  /// The extent along y, in the units of the file.
  height?: number;
  /// How many joints no vertex has a weight on.
  unused_joints?: number;
  /// The largest distance of the sum of a stored row of weights from 1.
  sum_error?: number;
  /// How many vertices have stored weights that do not sum to 1 within 0.005.
  sum_not_one?: number;
  /// How many stored weights are below zero.
  negative?: number;
  /// How many stored weights are NaN or infinite.
  not_finite?: number;
  /// How many stored weights are of a joint that does not exist.
  out_of_range?: number;
  /// How many vertices name a joint twice.
  repeated?: number;
  /// How many vertices there are once seams are closed.
  welded_vertices?: number;
  /// How many triangles there are once seams are closed.
  welded_triangles?: number;
  /// How many connected parts with faces the mesh has.
  parts?: number;
  /// How many joints deform the mesh.
  deforming?: number;
  /// How many joints hang elsewhere than in the file.
  rehung?: number;
  /// How many warnings there are about the character and about the files that were read.
  warnings?: number;
}

/// A bone of a file.
export interface BoneEntry {
  /// The name of the bone.
  name: string;
  /// The index of its node in the .glb, -1 for none.
  node: number;
  /// The index of the bone that it hangs on in the effective hierarchy, -1 for a root.
  parent: number;
  /// Whether the bone deforms the mesh.
  deforms: boolean;
  /// The affine map from the space of the bone to model space in the bind pose, as 12 numbers row
  /// by row.
  rest: number[];
  /// Where the bone starts in model space.
  head: Vec3;
  /// Where the bone ends in model space, which is its head where it has no end.
  tail: Vec3;
  /// How many vertices no other bone has more weight on; it is absent where that is not known.
  dominated?: number | null;
  /// The distortion of these vertices, of which 0 is rigid; it is absent or null where weights were
  /// not judged.
  arap?: number | null;
  /// How far the bone is obeyed, of which 1 is fully; it is absent or null where that is not known.
  follow?: number | null;
  /// The index of the pose, of those that are shown, that distorts its vertices most; it is absent
  /// or null where that is not known.
  worst_pose?: number | null;
  /// The index of the bone that bends and that this joint is there only to show; it is absent for
  /// other joints.
  shown_for?: number;
}

/// Something about a file that a reader should know.
export interface WarningEntry {
  /// How much it matters.
  level: 'note' | 'warning' | 'error';
  /// What kind of warning it is, for scripts.
  code: string;
  /// What there is to know, as a whole sentence in plain words.
  message: string;
  /// The index of the bone that it is about; it is absent where it is about none.
  bone?: number;
  /// A place on the mesh at rest in model space, of which the page finds where it stands in a pose;
  /// it is absent where there is none.
  at?: Vec3;
}

/// The energy after one step of an optimisation.
export interface ConvergencePoint {
  /// Which step it is.
  iteration: number;
  /// The energy after it, in the unit of the log.
  energy: number;
}

/// The area of the surface per bin of local distortion, for pages that should not compute it.
export interface HistogramEntry {
  /// The ends of the bins, ascending, one more than there are areas.
  edges: number[];
  /// The area in each bin, in square units of model space.
  areas: number[];
}

/// A file that is shown.
export interface FileEntry {
  /// The name of the file.
  name: string;
  /// What a reader calls it, such as artist or heat.
  label: string;
  /// Which element #sinew-file-N holds its .glb.
  blob: number;
  /// The extents along x, y and z in model space.
  size: Vec3;
  /// The length of the diagonal in model space.
  diagonal: number;
  /// The figures of a file by the names that inspect gives them, of which one that is null or
  /// absent is not known.
  figures: Figures;
  /// The bones of its skeleton, in their order.
  bones: BoneEntry[];
  /// How many bones a vertex may have before it is marked.
  max_influences_allowed: number;
  /// What a reader should know about the file.
  warnings: WarningEntry[];
  /// How many vertices it has as stored; it is absent where that is not known.
  vertices?: number;
  /// How many triangles it has; it is absent where that is not known.
  triangles?: number;
  /// How its weights converged, in the order of the steps; it is absent without a log.
  convergence?: ConvergencePoint[];
  /// The area per bin of local distortion; it is absent where the page computes it, which is the
  /// rule.
  histogram?: HistogramEntry;
  /// What was left out of the textures, in words; it is absent where nothing was.
  textures_note?: string;
  /// Why a method gave no result, in words, in which case the .glb may be the input; it is absent
  /// where none failed.
  failed?: string;
  /// Which of the interiors it is filled with; it is absent where none is shown.
  interior?: number;
}

/// Which joint of a humanoid a pose turns.
export type Limb = 'shoulder' | 'elbow' | 'forearm twist' | 'hip' | 'knee' | 'neck';

/// A moment of a clip of the file.
export interface ClipMoment {
  /// The name of the clip.
  name: string;
  /// The moment, in seconds of the clip.
  time: number;
}

/// How one file stands in a pose, by one of these, of which the others are absent.
export interface PerFilePose {
  /// The maps from the bind pose to the pose as base64 of little-endian float32, 12 per bone.
  transforms?: string;
  /// Where the vertices are as base64 of little-endian float32, 3 per skinned vertex in stored
  /// order.
  positions?: string;
  /// A moment of a clip of the file.
  clip?: ClipMoment;
}

/// A pose that is shown.
export interface PoseEntry {
  /// What a reader calls the pose.
  name: string;
  /// Where the pose is from.
  kind: 'random' | 'clip' | 'limb';
  /// How each file stands in it, where null is the rest pose.
  per_file: (PerFilePose | null)[];
  /// Which joint of a humanoid it turns; it is absent where it turns none.
  limb?: Limb;
  /// The name of the bone that it is about, on whose head its picture is framed; it is absent where
  /// it is about none.
  bone?: string;
  /// A picture of it as a data URI; it is absent where the page draws one, which is the rule.
  thumbnail?: string;
  /// The distortion of each file in it, of which 0 is rigid and null is not known; it is absent
  /// where nothing was judged.
  arap?: (number | null)[];
}

/// The place to look at first.
export interface WorstEntry {
  /// The index of the pose.
  pose: number;
  /// The index of the file.
  file: number;
  /// The place on the mesh at rest, in model space.
  at: Vec3;
  /// The index of the bone of that file, -1 for none.
  bone: number;
}

/// The cubes that fill a character, and bounded biharmonic weights at their corners.
export interface InteriorEntry {
  /// How many cubes there are.
  cells: number;
  /// How many corners they have together.
  points: number;
  /// The least corner of the cube at place 0, 0, 0, in model space.
  origin: Vec3;
  /// The length of the edges in model space.
  cell_edge: number;
  /// The length of the edges, as a part of the diagonal of the mesh.
  cell_size: number;
  /// At how many places several cubes stand, since parts only touch there.
  split_places: number;
  /// Where the cubes are, as base64 of packed numbers, three per cube, in edges from the origin
  /// along x, y and z.
  places: string;
  /// Why there is each cube, as base64 of a byte per cube, of which 0 is on the surface, 1 inside
  /// and 2 enclosed.
  kinds: string;
  /// The indices of the cubes that share a place or a corner's place, ascending, as base64 of
  /// little-endian uint32.
  branched: string;
  /// For each corner of these cubes, which of the points at that place it is, as base64 of a byte
  /// per corner, 8 per cube.
  copies: string;
  /// Which of their 4 by 4 by 4 pieces are those cubes' own, as base64 of little-endian uint64, bit
  /// by bit along x, then y, then z.
  pieces: string;
  /// For each bone of a file that has this interior, its weights at the points in packed runs,
  /// where null is none.
  weights: (string | null)[];
}

/// The data of a page, which is what the element #sinew-report holds.
export interface Payload {
  /// The version of this format, which a page that reads another one refuses.
  version: number;
  /// What the page is about.
  title: string;
  /// What there is to know first, in one sentence.
  verdict: string;
  /// The files that are shown, of which the first is what the others are compared with.
  files: FileEntry[];
  /// The poses that are shown, in their order on the page.
  poses: PoseEntry[];
  /// The program that made the page and its version; it is absent where that program does not say.
  generator?: string;
  /// The place to look at first; it is absent or null where nothing was judged.
  worst?: WorstEntry | null;
  /// What the files are filled with, where that is shown; it is absent where it is not.
  interiors?: InteriorEntry[];
}

// Made by script/schema from docs/schema/report-payload.schema.json: end

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
