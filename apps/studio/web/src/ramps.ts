// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT

/// Colours for numbers. The perceptual ramps are drawn in OKLab, so that equal steps of the number
/// are equal steps of lightness and the ramp still reads in greyscale.

export type RampName = 'dusk' | 'safe' | 'blender' | 'grey';

export const kRampLabels: Record<RampName, string> = {
  dusk: 'Perceptual',
  safe: 'Colour-safe',
  blender: 'Blender',
  grey: 'Greyscale',
};

export type Rgb = [number, number, number]; // sRGB, 0..1

const kSteps = 256;
const tables = new Map<RampName, Uint8Array>();

/// 256 sRGB colours, three bytes each.
export function rampTable(name: RampName): Uint8Array {
  let table = tables.get(name);
  if (!table) {
    table = new Uint8Array(3 * kSteps);
    for (let i = 0; i < kSteps; ++i)
      rampColour(name, i / (kSteps - 1)).forEach(
        (c, d) => (table![3 * i + d] = Math.round(255 * c)),
      );
    tables.set(name, table);
  }
  return table;
}

function rampColour(name: RampName, t: number): Rgb {
  switch (name) {
    case 'grey':
      return [t, t, t].map((v) => 0.08 + 0.88 * v) as Rgb;
    case 'blender':
      return hueColour((1 - t) * 240);
    case 'dusk': // violet, blue, teal, green, yellow
      return oklch(0.34 + 0.59 * t, 0.1 + 0.06 * Math.sin(Math.PI * t) + 0.04 * t, 292 - 190 * t);
    case 'safe': {
      // blue through grey to yellow: the axis that the common colour-blindnesses keep
      const side = 2 * t - 1;
      const chroma = 0.015 + 0.12 * Math.abs(side) ** 0.8 + (side > 0 ? 0.02 * side : 0);
      return oklch(0.34 + 0.58 * t, chroma, side < 0 ? 262 : 98);
    }
  }
}

/// Fully saturated hue, as in HSV.
function hueColour(degrees: number): Rgb {
  const channel = (n: number) => {
    const k = (n + degrees / 60) % 6;
    return 1 - Math.max(0, Math.min(k, 4 - k, 1));
  };
  return [channel(5), channel(3), channel(1)];
}

/// Colours that neighbours in a list do not share: the hue walks by the golden angle, and lightness
/// alternates for those who see hues less well.
export function boneColour(index: number): Rgb {
  const lightness = [0.72, 0.56, 0.82, 0.64][index % 4]!;
  return oklch(lightness, 0.13, (index * 137.508 + 40) % 360);
}

export const kOverLimit: Rgb = [0.93, 0.1, 0.55];
export const kUnweighted: Rgb = [0.85, 0.08, 0.08];

/// Why a cell of the interior is there, by the payload's numbers.
export function kindColour(kind: number): Rgb {
  return kKindColours[kind] ?? kKindColours[0]!;
}

/// Cells at one place with others.
export const kShared: Rgb = oklch(0.62, 0.2, 28);

/// From OKLab's lightness, chroma and hue. Colours outside sRGB lose chroma, not lightness.
export function oklch(lightness: number, chroma: number, hueDegrees: number): Rgb {
  const h = (hueDegrees * Math.PI) / 180;
  for (let c = chroma; ; c *= 0.92) {
    const rgb = oklabToSrgb(lightness, c * Math.cos(h), c * Math.sin(h));
    if (c < 0.005 || rgb.every((v) => v >= -0.001 && v <= 1.001))
      return rgb.map((v) => Math.min(Math.max(v, 0), 1)) as Rgb;
  }
}

function oklabToSrgb(lightness: number, a: number, b: number): Rgb {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((v) => (v <= 0.0031308 ? 12.92 * v : 1.055 * Math.max(v, 0) ** (1 / 2.4) - 0.055)) as Rgb;
}

export function css(colour: ArrayLike<number>, at = 0, scale = 255): string {
  const byte = (d: number) => Math.round(colour[at + d]! * scale);
  return `rgb(${byte(0)} ${byte(1)} ${byte(2)})`;
}

/// A CSS gradient of a ramp, for legends.
export function rampGradient(name: RampName, direction = 'to right'): string {
  const table = rampTable(name);
  const stops = [...Array(17).keys()].map((i) => css(table, 3 * Math.round((i * 255) / 16), 1));
  return `linear-gradient(${direction}, ${stops.join(', ')})`;
}

const kInfluences: Rgb[] = [
  [0.55, 0.1, 0.1],
  oklch(0.42, 0.09, 275),
  oklch(0.56, 0.1, 245),
  oklch(0.7, 0.1, 205),
  oklch(0.84, 0.1, 170),
  oklch(0.9, 0.1, 120),
  oklch(0.88, 0.13, 95),
  oklch(0.82, 0.14, 75),
  oklch(0.75, 0.15, 60),
];

const kKindColours: Rgb[] = [oklch(0.86, 0.04, 85), oklch(0.66, 0.1, 245), oklch(0.74, 0.12, 160)];

/// Number of influences: darker is fewer. Beyond the limit is marked apart.
export function influenceColour(count: number): Rgb {
  return kInfluences[Math.min(count, kInfluences.length - 1)]!;
}
