// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT

const kRollDegrees = 60;
const kTwistDegrees = 10;

/// Small and repeatable; poses must not change from run to run.
function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const unit = (a) => a.map((v) => v / (Math.hypot(...a) || 1));
const direction = (bone) => unit(bone.tail.map((t, d) => t - bone.head[d]));
const turn = (axis, degrees) => {
  const half = (degrees * Math.PI) / 360;
  return [...unit(axis).map((v) => v * Math.sin(half)), Math.cos(half)];
};

/// Every deforming bone but the roots turned across and about itself.
export function randomPoses(page, file, count) {
  const random = randomNumbers(1);
  const between = (limit) => (2 * random() - 1) * limit;
  return [...Array(count).keys()].map((k) => {
    const turns = new Map();
    file.bones.forEach((bone, b) => {
      const along = direction(bone);
      const axis = [between(1), between(1), between(1)];
      const across = axis.map((v, d) => v - along[d] * dot(axis, along));
      const roll = turn(across, between(kRollDegrees));
      const twist = turn(along, between(kTwistDegrees));
      if (bone.parent >= 0 && bone.deforms) turns.set(b, page.quaternionProduct(roll, twist));
    });
    return { name: `Motion ${k + 1}`, kind: 'random', transforms: forward(page, file, turns) };
  });
}

/// One joint at a time, as a rigger tries them. Bones are known by their names.
const kLimbs = [
  {
    limb: 'shoulder',
    name: /^(?!.*(fore|lower)).*(upper_?arm|arm_joint_l__2|^arm|shoulder)/i,
    axis: [0, 0, 1],
    degrees: 65,
  },
  {
    limb: 'elbow',
    name: /(fore_?arm|lower_?arm|arm_joint_l__3|elbow)/i,
    axis: [0, 1, 0],
    degrees: -100,
  },
  {
    limb: 'forearm twist',
    name: /(fore_?arm|lower_?arm|arm_joint_l__3|elbow)/i,
    axis: 'own',
    degrees: 90,
  },
  { limb: 'hip', name: /(upper_?leg|thigh|up_?leg|leg_joint_l_1)/i, axis: [1, 0, 0], degrees: -80 },
  {
    limb: 'knee',
    name: /(lower_?leg|shin|calf|leg_joint_l_2|knee)/i,
    axis: [1, 0, 0],
    degrees: 100,
  },
  { limb: 'neck', name: /neck/i, axis: [1, 0, 0], degrees: 40 },
];

export function limbPoses(page, file) {
  return kLimbs.flatMap(({ limb, name, axis, degrees }) => {
    const b = file.bones.findIndex((bone) => name.test(bone.name) && bone.deforms);
    if (b < 0) return [];
    const turns = new Map([[b, turn(axis === 'own' ? direction(file.bones[b]) : axis, degrees)]]);
    return [
      {
        name: `${limb[0].toUpperCase()}${limb.slice(1)} ${Math.abs(degrees)}°`,
        kind: 'limb',
        limb,
        bone: file.bones[b].name,
        transforms: forward(page, file, turns),
      },
    ];
  });
}

/// M_j = M_parent * turn about the head.
function forward(page, file, turns) {
  const out = page.identities(file.bones.length);
  for (const b of page.hierarchyOrder(file.bones.map((bone) => bone.parent))) {
    const bone = file.bones[b];
    const own = turns.has(b) ? page.turnAbout(bone.head, turns.get(b)) : page.identity();
    const above =
      bone.parent >= 0 ? out.slice(12 * bone.parent, 12 * bone.parent + 12) : page.identity();
    out.set(page.product(above, own), 12 * b);
  }
  return out;
}
