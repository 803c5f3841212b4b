// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "characters/biped_shape.h"

#include "characters/sculptor.h"

namespace sinew::sculpt {
namespace {

Vec3 along(const Vec3& a, const Vec3& b, double t) { return a + t * (b - a); }

void add_trunk(std::vector<Primitive>& p) {
  const Vec3 x = Vec3::UnitX();
  const Vec3 z = Vec3::UnitZ();
  // Pelvis, waist and rib cage carry the silhouette; everything after them is muscle.
  p.push_back(egg({0, 0.945, -0.008}, {0.144, 0.105, 0.096}, 0));
  p.push_back(flat_limb({0, 0.985, 0.000}, 0.100, {0, 1.150, -0.002}, 0.096, x, 1.28, 0.94, 0.080));
  p.push_back(egg({0, 1.265, -0.014}, {0.157, 0.185, 0.110}, 0.075));
  p.push_back(flat_limb({0, 1.370, -0.030}, 0.070, {0.125, 1.395, -0.030}, 0.056, Vec3::UnitY(),
                        0.95, 1.05, 0.055));
  // Chest: a flat shield, and the strand that runs out to the arm.
  p.push_back(turned(turned(egg({0.072, 1.328, 0.058}, {0.080, 0.057, 0.036}, 0.032), z, 12),
                     Vec3::UnitY(), 24));
  p.push_back(flat_limb({0.075, 1.338, 0.062}, 0.030, {0.165, 1.385, 0.020}, 0.026, Vec3::UnitY(),
                        1.15, 0.75, 0.030));
  // Back: lats, shoulder blades, the two cords beside the spine.
  p.push_back(turned(egg({0.114, 1.250, -0.048}, {0.046, 0.150, 0.058}, 0.055), z, -8));
  p.push_back(turned(egg({0.092, 1.355, -0.084}, {0.066, 0.088, 0.034}, 0.040), z, -16));
  p.push_back(limb({0.028, 0.990, -0.070}, 0.030, {0.026, 1.370, -0.082}, 0.016, 0.034));
  p.push_back(egg({0.080, 1.425, 0.000}, {0.070, 0.024, 0.036}, 0.036));
  // Trapezius, from the neck to the shoulder, and the collar bone.
  p.push_back(limb({0.018, 1.535, -0.040}, 0.030, {0.138, 1.430, -0.038}, 0.030, 0.056));
  p.push_back(limb({0.018, 1.432, 0.040}, 0.009, {0.150, 1.450, -0.004}, 0.010, 0.026));
  // Belly: two columns with a furrow between, flanks.
  p.push_back(egg({0.033, 1.085, 0.058}, {0.031, 0.140, 0.031}, 0.028));
  p.push_back(turned(egg({0.104, 1.050, 0.006}, {0.030, 0.095, 0.068}, 0.060), z, 8));
  // Seat.
  p.push_back(egg({0.074, 0.905, -0.060}, {0.082, 0.092, 0.066}, 0.036));
}

void add_neck(std::vector<Primitive>& p) {
  p.push_back(limb({0, 1.430, -0.026}, 0.062, {0, 1.590, -0.008}, 0.054, 0.044));
  p.push_back(limb({0, 1.620, -0.056}, 0.040, {0, 1.450, -0.046}, 0.044, 0.040));
  p.push_back(limb({0.046, 1.600, -0.022}, 0.011, {0.014, 1.446, 0.032}, 0.010, 0.018));
  p.push_back(egg({0, 1.512, 0.036}, {0.011, 0.017, 0.012}, 0.018));
}

void add_face(std::vector<Primitive>& p) {
  const Vec3 x = Vec3::UnitX();
  p.push_back(flat_limb({0, 1.650, 0.036}, 0.054, {0, 1.566, 0.052}, 0.036, x, 1.06, 0.96, 0.030));
  // Jaw, chin, cheek and cheek bone.
  p.push_back(limb({0.050, 1.600, 0.004}, 0.022, {0.012, 1.551, 0.064}, 0.019, 0.030));
  p.push_back(egg({0, 1.549, 0.072}, {0.024, 0.016, 0.016}, 0.022));
  p.push_back(egg({0.036, 1.590, 0.042}, {0.024, 0.032, 0.032}, 0.030));
  p.push_back(egg({0.044, 1.614, 0.047}, {0.020, 0.018, 0.024}, 0.036));
  // The hollow of the eye under the brow, and the eye in it: three eggs whose seams are the edges
  // of the lids.
  p.push_back(carved(egg({0.032, 1.638, 0.0945}, {0.019, 0.0115, 0.017}, 0.014)));
  p.push_back(egg({0, 1.657, 0.079}, {0.016, 0.013, 0.012}, 0.016));
  p.push_back(egg_along({0.034, 1.6580, 0.0710}, {1, -0.05, -0.55}, Vec3::UnitY(),
                        {0.0080, 0.0270, 0.0095}, 0.018));
  p.push_back(egg({0.0315, 1.6368, 0.0682}, {0.0140, 0.0108, 0.0136}, 0.007));
  p.push_back(egg({0.0315, 1.6420, 0.0668}, {0.0170, 0.0090, 0.0150}, 0.004));
  p.push_back(egg({0.0315, 1.6305, 0.0655}, {0.0165, 0.0075, 0.0140}, 0.005));
  // Nose: a bridge that widens into the face, the tip, the wings.
  p.push_back(limb({0, 1.656, 0.077}, 0.0080, {0, 1.608, 0.0910}, 0.0118, 0.014));
  p.push_back(egg({0, 1.6065, 0.1030}, {0.0092, 0.0086, 0.0100}, 0.013));
  p.push_back(egg({0.0105, 1.6020, 0.0935}, {0.0068, 0.0065, 0.0088}, 0.006));
  // Mouth: the swell under the nose, two lips and the line between them.
  p.push_back(egg({0, 1.581, 0.070}, {0.027, 0.023, 0.014}, 0.016));
  p.push_back(flat_limb({0, 1.5800, 0.0890}, 0.0058, {0.019, 1.5767, 0.0835}, 0.0034, Vec3::UnitY(),
                        0.9, 1, 0.010));
  p.push_back(flat_limb({0, 1.5706, 0.0880}, 0.0064, {0.017, 1.5730, 0.0830}, 0.0036, Vec3::UnitY(),
                        0.95, 1, 0.006));
}

void add_head(std::vector<Primitive>& p) {
  p.push_back(egg({0, 1.664, -0.014}, {0.076, 0.087, 0.094}, 0.024));
  add_face(p);
  // Ears, close to the skull, the upper edge standing off a little.
  const auto ear = [](const Primitive& solid) {
    return turned(turned(solid, Vec3::UnitY(), 20), Vec3::UnitZ(), -9);
  };
  p.push_back(ear(egg({0.0765, 1.631, -0.014}, {0.0095, 0.029, 0.0175}, 0.016)));
  p.push_back(carved(ear(egg({0.0860, 1.635, -0.008}, {0.0050, 0.015, 0.0080}, 0.011))));
}

void add_leg(std::vector<Primitive>& p, const BipedLandmarks& at) {
  const Vec3 x = Vec3::UnitX();
  const Vec3 z = Vec3::UnitZ();
  // Thigh: bone to knee, then the muscles around it, each an egg so that it ends without a step.
  p.push_back(flat_limb(at.hip, 0.080, at.knee, 0.047, x, 0.98, 1.04, 0));
  p.push_back(egg({0.110, 0.705, 0.030}, {0.054, 0.180, 0.050}, 0.030));
  p.push_back(egg({0.134, 0.660, 0.010}, {0.032, 0.140, 0.044}, 0.030));
  p.push_back(egg({0.081, 0.566, 0.030}, {0.026, 0.056, 0.028}, 0.026));
  p.push_back(egg({0.104, 0.690, -0.036}, {0.052, 0.175, 0.046}, 0.030));
  p.push_back(egg({0.070, 0.800, -0.002}, {0.042, 0.130, 0.056}, 0.040));
  p.push_back(egg({0.134, 0.890, -0.012}, {0.034, 0.095, 0.060}, 0.055));
  // Knee cap and the tendon below it.
  p.push_back(egg({0.105, 0.498, 0.040}, {0.026, 0.036, 0.018}, 0.024));
  p.push_back(egg({0.106, 0.425, 0.030}, {0.016, 0.050, 0.014}, 0.026));
  // Shin, the two heads of the calf, the Achilles tendon.
  p.push_back(limb(at.knee, 0.046, at.ankle, 0.028, 0.024));
  p.push_back(turned(egg({0.085, 0.362, -0.030}, {0.034, 0.105, 0.040}, 0.028), z, -4));
  p.push_back(turned(egg({0.127, 0.378, -0.026}, {0.033, 0.098, 0.038}, 0.028), z, 4));
  p.push_back(egg({0.120, 0.340, 0.010}, {0.028, 0.130, 0.028}, 0.030));
  p.push_back(limb({0.107, 0.270, -0.036}, 0.016, {0.109, 0.055, -0.064}, 0.013, 0.026));
  // Ankle bones.
  p.push_back(egg({0.081, 0.094, -0.024}, {0.012, 0.017, 0.016}, 0.016));
  p.push_back(egg({0.136, 0.082, -0.030}, {0.012, 0.017, 0.015}, 0.016));
}

void add_foot(std::vector<Primitive>& p, const BipedLandmarks& at) {
  const Vec3 x = Vec3::UnitX();
  p.push_back(egg({0.109, 0.036, -0.058}, {0.033, 0.040, 0.038}, 0.028));
  p.push_back(limb({0.109, 0.074, -0.016}, 0.037, {0.118, 0.034, 0.080}, 0.025, 0.030));
  p.push_back(flat_limb({0.112, 0.026, -0.040}, 0.029, at.ball, 0.025, x, 1.15, 0.80, 0.026));
  p.push_back(egg({0.121, 0.024, 0.090}, {0.045, 0.023, 0.038}, 0.022));
  // Toes: one big, four that shrink and turn outward.
  p.push_back(limb({0.099, 0.020, 0.108}, 0.0170, {0.102, 0.017, 0.152}, 0.0145, 0.010));
  for (int i = 0; i < 4; ++i) {
    const double out = 0.1215 + 0.0138 * i;
    const double tip = 0.151 - 0.010 * i - (i == 3 ? 0.005 : 0);
    p.push_back(limb({out - 0.002, 0.024, 0.098 - 0.006 * i}, 0.0118 - 0.0006 * i,
                     {out + 0.002, 0.0135, tip}, 0.0096 - 0.0007 * i, 0.008));
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
  p.push_back(
      egg_along(at.shoulder + 0.026 * upper + 0.006 * out, upper, front, {0.060, 0.076, 0.052}, 0));
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
  p.push_back(egg(along(at.elbow, at.wrist, 0.95) - 0.015 * front + 0.008 * out,
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
  leg.attach_blend = 0.075;
  leg.attach_reach = 0.240;
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
