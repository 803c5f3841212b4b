// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT

/// 3x4 affine maps, 12 numbers row by row, in flat arrays: thousands of them are multiplied per
/// frame, and objects would be garbage.

export type Numbers = Float32Array | Float64Array | number[];

export function identity(): Float64Array {
  return Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);
}

/// out[o..] = a[ia..] * b[ib..]. `out` may be neither a nor b.
export function multiply(out: Numbers, o: number, a: Numbers, ia: number, b: Numbers, ib: number) {
  for (let r = 0; r < 3; ++r) {
    const a0 = a[ia + 4 * r]!;
    const a1 = a[ia + 4 * r + 1]!;
    const a2 = a[ia + 4 * r + 2]!;
    for (let c = 0; c < 4; ++c)
      out[o + 4 * r + c] = a0 * b[ib + c]! + a1 * b[ib + 4 + c]! + a2 * b[ib + 8 + c]!;
    out[o + 4 * r + 3]! += a[ia + 4 * r + 3]!;
  }
}

export function product(a: Numbers, b: Numbers): Float64Array {
  const out = new Float64Array(12);
  multiply(out, 0, a, 0, b, 0);
  return out;
}

export function determinant(m: Numbers, i = 0): number {
  return (
    m[i]! * (m[i + 5]! * m[i + 10]! - m[i + 6]! * m[i + 9]!) -
    m[i + 1]! * (m[i + 4]! * m[i + 10]! - m[i + 6]! * m[i + 8]!) +
    m[i + 2]! * (m[i + 4]! * m[i + 9]! - m[i + 5]! * m[i + 8]!)
  );
}

/// The inverse; null where the map is flat.
export function inverse(m: Numbers, i = 0): Float64Array | null {
  const d = determinant(m, i);
  if (!Number.isFinite(1 / d) || d === 0) return null;
  const out = new Float64Array(12);
  for (let r = 0; r < 3; ++r)
    for (let c = 0; c < 3; ++c) {
      const [r1, r2] = [(c + 1) % 3, (c + 2) % 3];
      const [c1, c2] = [(r + 1) % 3, (r + 2) % 3];
      out[4 * r + c] =
        (m[i + 4 * r1 + c1]! * m[i + 4 * r2 + c2]! - m[i + 4 * r1 + c2]! * m[i + 4 * r2 + c1]!) / d;
    }
  for (let r = 0; r < 3; ++r)
    out[4 * r + 3] = -(
      out[4 * r]! * m[i + 3]! +
      out[4 * r + 1]! * m[i + 7]! +
      out[4 * r + 2]! * m[i + 11]!
    );
  return out;
}

/// m[i..] * (x, y, z, 1).
export function apply(m: Numbers, i: number, p: Numbers, ip = 0): [number, number, number] {
  const x = p[ip]!;
  const y = p[ip + 1]!;
  const z = p[ip + 2]!;
  return [
    m[i]! * x + m[i + 1]! * y + m[i + 2]! * z + m[i + 3]!,
    m[i + 4]! * x + m[i + 5]! * y + m[i + 6]! * z + m[i + 7]!,
    m[i + 8]! * x + m[i + 9]! * y + m[i + 10]! * z + m[i + 11]!,
  ];
}

/// From translation, rotation (x y z w, any length) and scale.
export function compose(t: Numbers, q: Numbers, s: Numbers): Float64Array {
  const length = Math.hypot(q[0]!, q[1]!, q[2]!, q[3]!) || 1;
  const [x, y, z, w] = [q[0]! / length, q[1]! / length, q[2]! / length, q[3]! / length];
  // prettier-ignore
  const out = Float64Array.of(
    1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), t[0]!,
    2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w), t[1]!,
    2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y), t[2]!,
  );
  for (let r = 0; r < 3; ++r) for (let c = 0; c < 3; ++c) out[4 * r + c]! *= s[c]!;
  return out;
}

/// Turns by the quaternion (x y z w) about a point.
export function turnAbout(point: Numbers, q: Numbers): Float64Array {
  const turn = compose([0, 0, 0], q, [1, 1, 1]);
  const moved = apply(turn, 0, point);
  for (let r = 0; r < 3; ++r) turn[4 * r + 3] = point[r]! - moved[r]!;
  return turn;
}

/// glTF's 16 numbers, column by column, to 12 row by row.
export function fromColumns(m: Numbers, i = 0): Float64Array {
  const out = new Float64Array(12);
  for (let r = 0; r < 3; ++r) for (let c = 0; c < 4; ++c) out[4 * r + c] = m[i + 4 * c + r]!;
  return out;
}
