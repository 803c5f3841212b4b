// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <numbers>

#include "characters/sculptor.h"

namespace sinew::sculpt {
namespace {

const Vec3 kDown = -Vec3::UnitY();
const Vec3 kForward = Vec3::UnitZ();
const Vec3 kBackward = -Vec3::UnitZ();

/// Joints of a lean hound, left side, in metres: 0.68 m at the withers.
struct Landmarks {
  Vec3 hips{0, 0.605, -0.330};
  Vec3 spine{0, 0.620, -0.160};
  Vec3 chest{0, 0.605, 0.050};
  Vec3 neck{0, 0.635, 0.235};
  Vec3 neck_middle{0, 0.735, 0.320};
  Vec3 head{0, 0.830, 0.385};
  Vec3 nose{0, 0.788, 0.605};
  Vec3 shoulder{0.066, 0.640, 0.165};
  Vec3 point{0.088, 0.480, 0.245};
  Vec3 elbow{0.094, 0.385, 0.135};
  Vec3 front_wrist{0.092, 0.165, 0.160};
  Vec3 front_ball{0.092, 0.035, 0.180};
  Vec3 front_toe{0.092, 0.020, 0.240};
  Vec3 hip{0.072, 0.580, -0.350};
  Vec3 knee{0.096, 0.400, -0.255};
  Vec3 hock{0.094, 0.205, -0.425};
  Vec3 hind_ball{0.092, 0.038, -0.398};
  Vec3 hind_toe{0.092, 0.020, -0.330};
  Vec3 ear{0.042, 0.878, 0.378};
  Vec3 ear_tip{0.066, 0.985, 0.345};
  std::array<Vec3, 7> tail{Vec3(0, 0.620, -0.435), Vec3(0, 0.590, -0.515), Vec3(0, 0.535, -0.580),
                           Vec3(0, 0.470, -0.630), Vec3(0, 0.410, -0.675), Vec3(0, 0.365, -0.725),
                           Vec3(0, 0.345, -0.785)};
};

void add_trunk(std::vector<Primitive>& p, const Landmarks& at) {
  const Vec3 x = Vec3::UnitX();
  p.push_back(egg({0, 0.545, 0.115}, {0.108, 0.150, 0.205}, 0));
  p.push_back(flat_limb({0, 0.565, 0.020}, 0.112, {0, 0.605, -0.240}, 0.080, x, 0.92, 1, 0.080));
  p.push_back(egg({0, 0.595, -0.335}, {0.088, 0.088, 0.125}, 0.060));
  p.push_back(limb({0, 0.670, 0.140}, 0.040, {0, 0.665, -0.300}, 0.036, 0.060));
  // Shoulder blade, breast, loin.
  p.push_back(
      egg_along({0.074, 0.580, 0.190}, at.point - at.shoulder, x, {0.038, 0.105, 0.064}, 0.036));
  p.push_back(egg({0.036, 0.480, 0.270}, {0.042, 0.080, 0.050}, 0.040));
  // Neck, with the cords that hold the head.
  p.push_back(flat_limb({0, 0.600, 0.215}, 0.092, at.neck_middle, 0.068, x, 0.86, 1, 0.060));
  p.push_back(
      flat_limb(at.neck_middle, 0.068, at.head + Vec3(0, -0.010, 0), 0.054, x, 0.90, 1, 0.040));
}

void add_head(std::vector<Primitive>& p) {
  const Vec3 x = Vec3::UnitX();
  p.push_back(egg({0, 0.850, 0.412}, {0.056, 0.055, 0.074}, 0.034));
  p.push_back(flat_limb({0, 0.828, 0.455}, 0.043, {0, 0.795, 0.585}, 0.026, x, 0.92, 0.95, 0.034));
  p.push_back(egg({0, 0.806, 0.610}, {0.017, 0.013, 0.013}, 0.008));
  p.push_back(flat_limb({0, 0.800, 0.430}, 0.034, {0, 0.768, 0.565}, 0.017, x, 1.05, 0.85, 0.014));
  p.push_back(egg({0.036, 0.830, 0.425}, {0.022, 0.030, 0.036}, 0.024));
  // Lips, brow and eye.
  p.push_back(egg({0.019, 0.785, 0.555}, {0.012, 0.016, 0.034}, 0.014));
  p.push_back(carved(egg({0.048, 0.862, 0.482}, {0.014, 0.013, 0.020}, 0.016)));
  p.push_back(limb({0.022, 0.877, 0.472}, 0.012, {0.046, 0.874, 0.445}, 0.010, 0.016));
  p.push_back(egg({0.033, 0.860, 0.466}, Vec3::Constant(0.0125), 0.004));
  p.push_back(carved(egg({0.010, 0.806, 0.622}, {0.004, 0.004, 0.006}, 0.003)));
}

Group ear_group(const Landmarks& at) {
  Group ear;
  ear.parent = 0;
  ear.attach = at.ear;
  ear.attach_blend = 0.022;
  ear.attach_reach = 0.060;
  const Vec3 side(0.8, 0.1, 0.5);
  const Vec3 along = (at.ear_tip - at.ear).normalized();
  const Vec3 opening = Vec3(0.55, 0, 0.85);
  ear.primitives.push_back(flat_limb(at.ear - 0.012 * along, 0.026, at.ear_tip - 0.012 * along,
                                     0.010, side, 1.15, 0.72, 0));
  ear.primitives.push_back(carved(flat_limb(at.ear + 0.012 * along + 0.020 * opening, 0.015,
                                            at.ear_tip - 0.040 * along + 0.014 * opening, 0.005,
                                            side, 1.2, 0.85, 0.010)));
  return ear;
}

Group front_leg_group(const Landmarks& at) {
  Group leg;
  leg.parent = 0;
  leg.attach = at.point + Vec3(0, 0.03, -0.03);
  leg.attach_blend = 0.060;
  leg.attach_reach = 0.200;
  std::vector<Primitive>& p = leg.primitives;
  p.push_back(limb(at.point, 0.056, at.elbow, 0.044, 0));
  p.push_back(egg_along({0.092, 0.430, 0.155}, at.elbow - at.point, Vec3::UnitX(),
                        {0.032, 0.075, 0.050}, 0.040));
  p.push_back(limb(at.elbow, 0.040, at.front_wrist, 0.0215, 0.030));
  p.push_back(egg({0.095, 0.330, 0.150}, {0.026, 0.075, 0.032}, 0.030));
  p.push_back(egg(at.front_wrist + Vec3(0, 0, 0.004), {0.022, 0.026, 0.024}, 0.020));
  p.push_back(limb(at.front_wrist, 0.020, at.front_ball + Vec3(0, 0.012, -0.006), 0.023, 0.020));
  return leg;
}

Group hind_leg_group(const Landmarks& at) {
  Group leg;
  leg.parent = 0;
  leg.attach = at.hip + Vec3(0, -0.03, 0.02);
  leg.attach_blend = 0.065;
  leg.attach_reach = 0.210;
  std::vector<Primitive>& p = leg.primitives;
  const Vec3 x = Vec3::UnitX();
  p.push_back(flat_limb(at.hip, 0.084, at.knee, 0.052, x, 0.80, 1.10, 0));
  p.push_back(egg({0.088, 0.500, -0.375}, {0.050, 0.115, 0.075}, 0.050));
  p.push_back(limb(at.knee, 0.046, at.hock, 0.0215, 0.036));
  p.push_back(
      egg_along({0.098, 0.345, -0.330}, at.hock - at.knee, x, {0.030, 0.080, 0.036}, 0.036));
  p.push_back(
      limb(at.hock + Vec3(0, 0.085, 0.010), 0.014, at.hock + Vec3(0, 0.008, -0.020), 0.017, 0.024));
  p.push_back(limb(at.hock, 0.022, at.hind_ball + Vec3(0, 0.014, -0.006), 0.022, 0.020));
  return leg;
}

/// A paw: a pad, four toes, and the ground that cuts it flat.
void add_paw(std::vector<Primitive>& p, const Vec3& ball, const Vec3& toe) {
  p.push_back(egg(ball + Vec3(0, -0.004, 0.006), {0.033, 0.026, 0.034}, 0.022));
  for (int i = 0; i < 4; ++i) {
    const double out = -0.0235 + 0.0157 * i;
    const double reach = (i == 0 || i == 3) ? -0.012 : 0;
    p.push_back(limb(ball + Vec3(out * 0.9, -0.004, 0.016), 0.0140,
                     toe + Vec3(out * 1.1, -0.002, reach - 0.008), 0.0118, 0.008));
  }
  p.push_back(carved(box({ball.x(), -0.1, ball.z()}, {0.2, 0.1, 0.3}, 0.001, 0.010)));
}

Group tail_group(const Landmarks& at) {
  Group tail;
  tail.parent = 0;
  tail.attach = at.tail[0];
  tail.attach_blend = 0.060;
  tail.attach_reach = 0.120;
  for (std::size_t i = 0; i + 1 < at.tail.size(); ++i) {
    const auto t = static_cast<double>(i);
    tail.primitives.push_back(
        limb(at.tail[i], 0.031 - 0.0030 * t, at.tail[i + 1], 0.028 - 0.0030 * t, 0.020));
  }
  return tail;
}

void add_bones(Rig& rig, const Landmarks& at) {
  rig.add({"Hips", "", at.hips, at.spine, kDown, {-15, 15}, {-8, 8}});
  rig.add({"Spine", "Hips", at.spine, at.chest, kDown, {-20, 30}, {-10, 10}});
  rig.add({"Chest", "Spine", at.chest, at.neck, kDown, {-20, 20}, {-8, 8}});
  rig.add({"Neck1", "Chest", at.neck, at.neck_middle, kDown, {-30, 40}, {-15, 15}});
  rig.add({"Neck2", "Neck1", at.neck_middle, at.head, kDown, {-30, 40}, {-15, 15}});
  rig.add({"Head", "Neck2", at.head, at.nose, kDown, {-35, 45}, {-25, 25}});
  rig.add({"Ear.L",
           "Head",
           at.ear,
           at.ear + 0.85 * (at.ear_tip - at.ear),
           kBackward,
           {-30, 50},
           {-20, 20}});
  for (std::size_t i = 0; i + 1 < at.tail.size(); ++i)
    rig.add({"Tail" + std::to_string(i + 1),
             i == 0 ? "Hips" : "Tail" + std::to_string(i),
             at.tail[i],
             at.tail[i + 1],
             Vec3::UnitY(),
             {-35, 40},
             {-8, 8}});
  rig.add({"Shoulder.L", "Chest", at.shoulder, at.point, kForward, {-20, 20}, {-5, 5}, true});
  rig.add({"UpperArm.L", "Shoulder.L", at.point, at.elbow, kBackward, {-45, 45}, {-10, 10}});
  rig.add(
      {"Forearm.L", "UpperArm.L", at.elbow, at.front_wrist, kForward, {-40, 80}, {-10, 10}, true});
  rig.add({"FrontFoot.L",
           "Forearm.L",
           at.front_wrist,
           at.front_ball,
           kBackward,
           {-15, 100},
           {-5, 5},
           true});
  rig.add({"FrontToes.L",
           "FrontFoot.L",
           at.front_ball,
           at.front_toe,
           Vec3::UnitY(),
           {-60, 60},
           {-3, 3},
           true});
  rig.add({"Thigh.L", "Hips", at.hip, at.knee, kForward, {-40, 50}, {-10, 10}});
  rig.add({"Shin.L", "Thigh.L", at.knee, at.hock, kBackward, {-40, 50}, {-5, 5}, true});
  rig.add({"HindFoot.L", "Shin.L", at.hock, at.hind_ball, kForward, {-45, 50}, {-5, 5}, true});
  rig.add({"HindToes.L",
           "HindFoot.L",
           at.hind_ball,
           at.hind_toe,
           Vec3::UnitY(),
           {-60, 60},
           {-3, 3},
           true});
}

BodyPlan hound_plan(const Landmarks& at) {
  BodyPlan plan;
  plan.name = "Skin";
  plan.body.mirrored = true;
  Group trunk;
  add_trunk(trunk.primitives, at);
  add_head(trunk.primitives);
  Group front = front_leg_group(at);
  add_paw(front.primitives, at.front_ball, at.front_toe);
  Group hind = hind_leg_group(at);
  add_paw(hind.primitives, at.hind_ball, at.hind_toe);
  plan.body.groups = {trunk, front, hind, tail_group(at), ear_group(at)};
  plan.safe_spacing = 0.0115;
  plan.chains = {
      {{"Hips", "Spine", "Chest", "Neck1", "Neck2", "Head"},
       {0.05, 0.09, 0.09, 0.07, 0.05, 0.045},
       ""},
      {{"Shoulder.L", "UpperArm.L", "Forearm.L", "FrontFoot.L", "FrontToes.L"},
       {0.10, 0.06, 0.045, 0.030, 0.020},
       "Chest"},
      {{"Thigh.L", "Shin.L", "HindFoot.L", "HindToes.L"}, {0.08, 0.055, 0.032, 0.020}, "Hips"},
      {{"Tail1", "Tail2", "Tail3", "Tail4", "Tail5", "Tail6"},
       {0.035, 0.038, 0.036, 0.034, 0.032, 0.030},
       "Hips"},
      {{"Ear.L"}, {0.020}, "Head"},
  };
  plan.soft_bones = {{"Shoulder.L", 0, 0.110}};
  return plan;
}

double wave(double phase) { return std::sin(2 * std::numbers::pi * phase); }
double lift(double phase) { return std::pow(std::max(0.0, wave(phase)), 2); }

void add_front_trot(ClipWriter& clip, const std::string& side, double lead) {
  clip.turn("Shoulder" + side, [=](double t) { return Motion{9 * wave(t + lead), 0, 0}; });
  clip.turn("UpperArm" + side, [=](double t) {
    return Motion{-14 * wave(t + lead) - 12 * lift(t + lead + 0.25), 0, 0};
  });
  clip.turn("Forearm" + side, [=](double t) {
    return Motion{8 * wave(t + lead) + 30 * lift(t + lead + 0.20), 0, 0};
  });
  clip.turn("FrontFoot" + side, [=](double t) { return Motion{58 * lift(t + lead + 0.28), 0, 0}; });
  clip.turn("FrontToes" + side, [=](double t) {
    return Motion{18 * lift(t + lead + 0.62) - 20 * lift(t + lead + 0.25), 0, 0};
  });
}

void add_hind_trot(ClipWriter& clip, const std::string& side, double lead) {
  clip.turn("Thigh" + side, [=](double t) {
    return Motion{20 * wave(t + lead) + 6 * lift(t + lead + 0.25), 0, 0};
  });
  clip.turn("Shin" + side, [=](double t) {
    return Motion{-6 * wave(t + lead) + 34 * lift(t + lead + 0.27), 0, 0};
  });
  clip.turn("HindFoot" + side, [=](double t) {
    return Motion{34 * lift(t + lead + 0.27) - 12 * lift(t + lead + 0.70), 0, 0};
  });
  clip.turn("HindToes" + side, [=](double t) {
    return Motion{28 * lift(t + lead + 0.66) - 20 * lift(t + lead + 0.25), 0, 0};
  });
}

/// Diagonal legs move together.
Clip trot(const Rig& rig) {
  constexpr double kDuration_s = 1.0;
  constexpr int kKeys = 25;
  ClipWriter clip(rig, "Trot", kDuration_s, kKeys);
  clip.shift("Hips", [](double t) { return Vec3(0, 0.012 * wave(2 * t + 0.1), 0); });
  clip.turn("Hips", [](double t) { return Motion{1.5 * wave(2 * t), 2 * wave(t), 0}; });
  clip.turn("Spine", [](double t) { return Motion{-2 * wave(2 * t), -3 * wave(t), 0}; });
  clip.turn("Chest", [](double t) { return Motion{1 * wave(2 * t + 0.2), -2 * wave(t), 0}; });
  clip.turn("Neck1", [](double t) { return Motion{4 * wave(2 * t + 0.35), 2 * wave(t), 0}; });
  clip.turn("Head", [](double t) { return Motion{4 * wave(2 * t + 0.6), 1 * wave(t), 0}; });
  for (int i = 1; i <= 6; ++i)
    clip.turn("Tail" + std::to_string(i), [=](double t) {
      return Motion{6 + 3 * wave(2 * t - 0.08 * i), 11 * wave(t - 0.09 * i), 0};
    });
  clip.turn("Ear.L", [](double t) { return Motion{8 * wave(2 * t + 0.3), 0, 0}; });
  clip.turn("Ear.R", [](double t) { return Motion{8 * wave(2 * t + 0.3), 0, 0}; });
  add_front_trot(clip, ".L", 0);
  add_front_trot(clip, ".R", 0.5);
  add_hind_trot(clip, ".L", 0.5);
  add_hind_trot(clip, ".R", 0);
  return std::move(clip).finish();
}

}  // namespace

Blueprint quadruped_blueprint() {
  const Landmarks at;
  Blueprint blueprint;
  add_bones(blueprint.rig, at);
  blueprint.rig.mirror_left_to_right();
  blueprint.bodies.push_back(hound_plan(at));
  blueprint.clips = {trot(blueprint.rig)};
  return blueprint;
}

}  // namespace sinew::sculpt
