// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import type { Glb } from './glb';
import type { Local, NodeTree } from './nodes';

interface Channel {
  node: number;
  path: 'translation' | 'rotation' | 'scale' | 'weights';
  interpolation: string;
  times: Float32Array;
  values: Float32Array;
  components: number;
}

export interface ClipSample {
  locals: Map<number, Local>;
  morphs: Map<number, number[]>; // node to morph weights
}

/// One animation of a file. Times are on the clip's own clock, in seconds.
export class Clip {
  readonly start: number;
  readonly end: number;

  constructor(
    readonly name: string,
    private readonly channels: Channel[],
  ) {
    this.start = Math.min(...channels.map((c) => c.times[0] ?? 0));
    this.end = Math.max(...channels.map((c) => c.times[c.times.length - 1] ?? 0));
  }

  sample(tree: NodeTree, time: number): ClipSample {
    const t = Math.min(Math.max(time, this.start), this.end);
    const locals = new Map<number, Local>();
    const morphs = new Map<number, number[]>();
    for (const channel of this.channels) {
      const value = at(channel, t);
      if (channel.path === 'weights') {
        morphs.set(channel.node, value);
        continue;
      }
      let local = locals.get(channel.node);
      if (!local) locals.set(channel.node, (local = tree.local(channel.node)));
      local[channel.path] = value;
    }
    return { locals, morphs };
  }
}

export function readClips(glb: Glb): Clip[] {
  const clips: Clip[] = [];
  for (const [index, animation] of (glb.json.animations ?? []).entries()) {
    const channels: Channel[] = [];
    for (const { sampler, target } of animation.channels) {
      const source = animation.samplers[sampler];
      if (target.node === undefined || !source) continue;
      const times = glb.numbers(source.input);
      const values = glb.numbers(source.output);
      if (!times.length) continue;
      const interpolation = source.interpolation ?? 'LINEAR';
      const frames = times.length * (interpolation === 'CUBICSPLINE' ? 3 : 1);
      channels.push({
        node: target.node,
        path: target.path as Channel['path'],
        interpolation,
        times,
        values,
        components: Math.floor(values.length / frames),
      });
    }
    // A clip without channels still keeps its place: clips are also named by number.
    const hold = { node: -1, path: 'weights', interpolation: 'STEP', components: 0 } as const;
    const still: Channel = { ...hold, times: new Float32Array(1), values: new Float32Array(0) };
    clips.push(new Clip(animation.name ?? `clip ${index}`, channels.length ? channels : [still]));
  }
  return clips;
}

function at(channel: Channel, t: number): number[] {
  const { times, values, components: n, interpolation } = channel;
  const cubic = interpolation === 'CUBICSPLINE';
  const key = (k: number, c: number, part = 1) => values[(cubic ? 3 * k + part : k) * n + c] ?? 0;
  const last = times.length - 1;
  let lo = 0;
  for (let hi = last; lo < hi; ) {
    const mid = (lo + hi + 1) >> 1;
    if (times[mid]! <= t) lo = mid;
    else hi = mid - 1;
  }
  const components = [...Array(n).keys()];
  if (lo === last || t <= times[0]! || interpolation === 'STEP')
    return components.map((c) => key(lo, c));
  const span = times[lo + 1]! - times[lo]!;
  const f = span > 0 ? (t - times[lo]!) / span : 0;
  if (cubic)
    return unit(
      channel,
      components.map((c) =>
        hermite(f, span, key(lo, c), key(lo, c, 2), key(lo + 1, c), key(lo + 1, c, 0)),
      ),
    );
  if (channel.path === 'rotation')
    return slerp(
      components.map((c) => key(lo, c)),
      components.map((c) => key(lo + 1, c)),
      f,
    );
  return components.map((c) => key(lo, c) * (1 - f) + key(lo + 1, c) * f);
}

function hermite(f: number, span: number, p0: number, m0: number, p1: number, m1: number): number {
  const f2 = f * f;
  const f3 = f2 * f;
  return (
    (2 * f3 - 3 * f2 + 1) * p0 +
    span * (f3 - 2 * f2 + f) * m0 +
    (3 * f2 - 2 * f3) * p1 +
    span * (f3 - f2) * m1
  );
}

function unit(channel: Channel, value: number[]): number[] {
  if (channel.path !== 'rotation') return value;
  const length = Math.hypot(...value) || 1;
  return value.map((v) => v / length);
}

/// Below this angle the sines carry no digits, and the straight line is the arc.
const kSmallAngleCosine = 0.9995;

function slerp(a: number[], b: number[], f: number): number[] {
  let dot = a.reduce((sum, v, i) => sum + v * b[i]!, 0);
  const sign = dot < 0 ? -1 : 1;
  dot *= sign;
  let [ka, kb] = [1 - f, f];
  if (dot < kSmallAngleCosine) {
    const angle = Math.acos(dot);
    ka = Math.sin((1 - f) * angle) / Math.sin(angle);
    kb = Math.sin(f * angle) / Math.sin(angle);
  }
  const out = a.map((v, i) => ka * v + sign * kb * b[i]!);
  const length = Math.hypot(...out) || 1;
  return out.map((v) => v / length);
}
