// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "characters/biped_shape.h"

#include "characters/sculptor.h"

namespace sinew::sculpt {
namespace {

Vec3 along(const Vec3& a, const Vec3& b, double t) { return a + t * (b - a); }

void add_trunk(std::vector<Primitive>& p) {
  const Vec3 x = Vec3::UnitX();
  // Pelvis, waist and rib cage carry the silhouette; everything after them is muscle.
  p.push_back(egg({0, 0.948, -0.010}, {0.152, 0.100, 0.100}, 0));
  p.push_back(flat_limb({0, 0.985, 0.000}, 0.098, {0, 1.150, 0.002}, 0.094, x, 1.36, 0.94, 0.060));
  p.push_back(egg({0, 1.268, -0.012}, {0.158, 0.178, 0.112}, 0.060));
  p.push_back(flat_limb({0, 1.365, -0.030}, 0.072, {0.125, 1.395, -0.030}, 0.058,
                        Vec3::UnitY(), 0.95, 1.05, 0.050));
  // Chest.
  p.push_back(turned(egg({0.078, 1.322, 0.066}, {0.090, 0.060, 0.040}, 0.022), Vec3::UnitZ(), 14));
  // Back: lats, shoulder blades, the two cords beside the spine.
  p.push_back(turned(egg({0.112, 1.248, -0.055}, {0.058, 0.130, 0.058}, 0.040), Vec3::UnitZ(), -10));
  p.push_back(turned(egg({0.092, 1.352, -0.098}, {0.068, 0.082, 0.032}, 0.030), Vec3::UnitZ(), -16));
  p.push_back(limb({0.030, 0.985, -0.078}, 0.034, {0.034, 1.300, -0.098}, 0.030, 0.028));
  // Trapezius, from the neck to the shoulder, and the collar bone.
  p.push_back(limb({0.022, 1.520, -0.040}, 0.034, {0.130, 1.430, -0.040}, 0.036, 0.050));
  p.push_back(limb({0.020, 1.436, 0.040}, 0.012, {0.150, 1.446, 0.000}, 0.013, 0.020));
  // Belly: two columns with a furrow between, flanks.
  p.push_back(flat_limb({0.032, 1.000, 0.066}, 0.034, {0.036, 1.215, 0.076}, 0.038, x, 0.95, 0.72,
                        0.022));
  p.push_back(turned(egg({0.112, 1.060, 0.012}, {0.038, 0.075, 0.070}, 0.034), Vec3::UnitZ(), 10));
  // Seat.
  p.push_back(egg({0.078, 0.905, -0.072}, {0.082, 0.088, 0.070}, 0.024));
}

void add_neck(std::vector<Primitive>& p) {
  p.push_back(limb({0, 1.430, -0.026}, 0.062, {0, 1.590, -0.008}, 0.054, 0.044));
  p.push_back(limb({0.052, 1.590, -0.022}, 0.013, {0.014, 1.446, 0.032}, 0.011, 0.016));
  p.push_back(egg({0, 1.512, 0.038}, {0.012, 0.017, 0.012}, 0.016));
}

void add_head(std::vector<Primitive>& p) {
  const Vec3 x = Vec3::UnitX();
  // Skull, face and jaw.
  p.push_back(egg({0, 1.664, -0.014}, {0.076, 0.087, 0.094}, 0.024));
  p.push_back(flat_limb({0, 1.650, 0.036}, 0.054, {0, 1.566, 0.052}, 0.036, x, 1.06, 0.96, 0.030));
  p.push_back(limb({0.050, 1.600, 0.004}, 0.021, {0.013, 1.549, 0.068}, 0.019, 0.024));
  p.push_back(egg({0, 1.548, 0.076}, {0.019, 0.014, 0.014}, 0.016));
  // Cheek bones and temples.
  p.push_back(egg({0.048, 1.618, 0.052}, {0.021, 0.015, 0.025}, 0.024));
  // Brow over the hollow of the eye, and the eye in it.
  p.push_back(carved(egg({0.033, 1.637, 0.100}, {0.021, 0.015, 0.021}, 0.014)));
  p.push_back(limb({0.012, 1.655, 0.087}, 0.0085, {0.052, 1.657, 0.066}, 0.0080, 0.014));
  p.push_back(egg({0.032, 1.637, 0.069}, {0.0155, 0.0125, 0.0145}, 0.005));
  p.push_back(limb({0.016, 1.6435, 0.080}, 0.0035, {0.046, 1.6445, 0.072}, 0.0035, 0.005));
  // Nose.
  p.push_back(limb({0, 1.650, 0.086}, 0.0075, {0, 1.606, 0.108}, 0.0105, 0.010));
  p.push_back(egg({0.011, 1.601, 0.098}, {0.0085, 0.0075, 0.0095}, 0.006));
  // Mouth: two lips and the line between them.
  p.push_back(flat_limb({0, 1.5795, 0.0915}, 0.0070, {0.020, 1.5765, 0.080}, 0.0045, Vec3::UnitY(),
                        0.9, 1, 0.007));
  p.push_back(flat_limb({0, 1.5690, 0.0890}, 0.0075, {0.017, 1.5715, 0.080}, 0.0045, Vec3::UnitY(),
                        0.9, 1, 0.005));
  // Ears.
  p.push_back(turned(egg({0.079, 1.632, -0.012}, {0.0095, 0.031, 0.019}, 0.008),
                     Vec3(-0.25, 0.6, 0.1), 26));
  p.push_back(carved(turned(egg({0.089, 1.635, -0.004}, {0.006, 0.018, 0.009}, 0.006),
                            Vec3(-0.25, 0.6, 0.1), 26)));
}

void add_leg(std::vector<Primitive>& p, const BipedLandmarks& at) {
  const Vec3 x = Vec3::UnitX();
  // Thigh: bone to knee, then the muscles around it.
  p.push_back(flat_limb(at.hip, 0.082, at.knee, 0.050, x, 0.98, 1.06, 0));
  p.push_back(limb({0.108, 0.800, 0.036}, 0.054, {0.106, 0.600, 0.034}, 0.036, 0.030));
  p.push_back(egg({0.078, 0.570, 0.034}, {0.026, 0.050, 0.026}, 0.024));
  p.push_back(egg({0.134, 0.600, 0.022}, {0.024, 0.075, 0.030}, 0.026));
  p.push_back(limb({0.104, 0.800, -0.044}, 0.050, {0.104, 0.580, -0.022}, 0.034, 0.030));
  p.push_back(limb({0.066, 0.850, -0.004}, 0.050, {0.086, 0.660, 0.002}, 0.036, 0.034));
  p.push_back(egg({0.142, 0.860, -0.014}, {0.036, 0.090, 0.055}, 0.040));
  // Knee cap and the tendon below it.
  p.push_back(egg({0.105, 0.498, 0.046}, {0.026, 0.033, 0.018}, 0.018));
  p.push_back(limb({0.105, 0.470, 0.040}, 0.016, {0.106, 0.430, 0.034}, 0.014, 0.016));
  // Shin, the two heads of the calf, the Achilles tendon.
  p.push_back(limb(at.knee, 0.047, at.ankle, 0.031, 0.024));
  p.push_back(turned(egg({0.084, 0.362, -0.032}, {0.034, 0.098, 0.040}, 0.026), Vec3::UnitZ(), -4));
  p.push_back(turned(egg({0.127, 0.376, -0.028}, {0.033, 0.090, 0.038}, 0.026), Vec3::UnitZ(), 4));
  p.push_back(egg({0.122, 0.350, 0.010}, {0.030, 0.100, 0.030}, 0.030));
  p.push_back(limb({0.107, 0.260, -0.042}, 0.022, {0.108, 0.060, -0.066}, 0.014, 0.024));
  // Ankle bones.
  p.push_back(egg({0.078, 0.094, -0.022}, {0.014, 0.018, 0.017}, 0.016));
  p.push_back(egg({0.139, 0.082, -0.030}, {0.013, 0.018, 0.016}, 0.016));
}

void add_foot(std::vector<Primitive>& p, const BipedLandmarks& at) {
  const Vec3 x = Vec3::UnitX();
  p.push_back(egg({0.109, 0.034, -0.062}, {0.034, 0.040, 0.040}, 0.026));
  p.push_back(limb({0.109, 0.072, -0.022}, 0.036, {0.118, 0.034, 0.086}, 0.026, 0.030));
  p.push_back(flat_limb({0.112, 0.026, -0.040}, 0.030, at.ball, 0.026, x, 1.15, 0.80, 0.026));
  p.push_back(egg({0.122, 0.024, 0.100}, {0.048, 0.023, 0.040}, 0.022));
  // Toes: one big, four that shrink and turn outward.
  p.push_back(limb({0.098, 0.020, 0.122}, 0.0175, {0.101, 0.017, 0.172}, 0.0150, 0.010));
  for (int i = 0; i < 4; ++i) {
    const double out = 0.122 + 0.0155 * i;
    const double tip = 0.170 - 0.011 * i - (i == 3 ? 0.006 : 0);
    p.push_back(limb({out - 0.002, 0.024, 0.110 - 0.006 * i}, 0.0120 - 0.0006 * i,
                     {out + 0.003, 0.014, tip}, 0.0098 - 0.0007 * i, 0.007));
  }
  // The ground.
  p.push_back(carved(box({0.1, -0.1, 0.05}, {0.4, 0.1, 0.4}, 0.001, 0.012)));
}

void add_arm(std::vector<Primitive>& p, const BipedLandmarks& at) {
  const Vec3 upper = (at.elbow - at.shoulder).normalized();
  const Vec3 fore = (at.wrist - at.elbow).normalized();
  const Vec3 front = Vec3::UnitZ();
  const Vec3 out = front.cross(upper).normalized();  // away from the body
  // Deltoid: a cap over the joint that ends in a point on the outside of the arm.
  p.push_back(egg_along(at.shoulder + 0.026 * upper + 0.006 * out, upper, front,
                        {0.060, 0.076, 0.052}, 0));
  p.push_back(limb(along(at.shoulder, at.elbow, 0.12) + 0.010 * out, 0.048,
                   along(at.shoulder, at.elbow, 0.50) + 0.016 * out, 0.022, 0.030));
  p.push_back(limb(at.shoulder, 0.046, at.elbow, 0.036, 0.030));
  // Biceps in front, triceps behind.
  p.push_back(egg_along(along(at.shoulder, at.elbow, 0.57) + 0.017 * front, upper, front,
                        {0.032, 0.085, 0.032}, 0.022));
  p.push_back(egg_along(along(at.shoulder, at.elbow, 0.50) - 0.018 * front, upper, front,
                        {0.032, 0.095, 0.034}, 0.022));
  // Elbow.
  p.push_back(egg(at.elbow - 0.022 * front, Vec3::Constant(0.020), 0.018));
  // Forearm: round at the elbow, flat at the wrist.
  p.push_back(limb(at.elbow, 0.037, along(at.elbow, at.wrist, 0.62), 0.030, 0.026));
  p.push_back(flat_limb(along(at.elbow, at.wrist, 0.45), 0.031, at.wrist, 0.0215, front, 1.18, 0.86,
                        0.030));
  p.push_back(egg_along(along(at.elbow, at.wrist, 0.22) + 0.018 * front + 0.006 * out, fore, front,
                        {0.026, 0.080, 0.028}, 0.022));
  p.push_back(egg_along(along(at.elbow, at.wrist, 0.27) - 0.012 * front - 0.012 * out, fore, front,
                        {0.030, 0.085, 0.028}, 0.022));
  p.push_back(egg(along(at.elbow, at.wrist, 0.96) - 0.018 * front + 0.010 * out,
                  Vec3::Constant(0.010), 0.012));
}

}  // namespace

HandFrame BipedLandmarks::hand() const {
  HandFrame frame;
  frame.wrist = wrist;
  const Vec3 y = (0.9 * (wrist - elbow).normalized() + 0.1 * Vec3(0.3, -1, 0.1)).normalized();
  const Vec3 to_thumb = Vec3(-0.10, 0.0, 1.0);
  frame.axes.col(1) = y;
  frame.axes.col(0) = (to_thumb - to_thumb.dot(y) * y).normalized();
  frame.axes.col(2) = frame.axes.col(0).cross(y);
  return frame;
}

std::vector<Group> biped_groups(const BipedLandmarks& at) {
  Group torso;
  add_trunk(torso.primitives);
  add_neck(torso.primitives);
  add_head(torso.primitives);
  Group leg;
  leg.parent = 0;
  leg.attach = at.hip + Vec3(0.005, 0.005, 0);
  leg.attach_blend = 0.055;
  leg.attach_reach = 0.220;
  add_leg(leg.primitives, at);
  add_foot(leg.primitives, at);
  Group arm;
  arm.parent = 0;
  arm.attach = at.shoulder;
  arm.attach_blend = 0.055;
  arm.attach_reach = 0.170;
  add_arm(arm.primitives, at);
  return {torso, leg, arm};
}

}  // namespace sinew::sculpt
