// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "characters/chain_weights.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "core/parallel.h"
#include "math/segment.h"

namespace sinew::sculpt {
namespace {

// Weights below this are noise that costs a slot.
constexpr double kNegligible = 2e-3;

// A mirrored limb fades out towards the plane of symmetry within this distance, in metres: its twin
// takes over there.
constexpr double kMidlineFade = 0.03;

struct Joint {
  Vec3 place = Vec3::Zero();
  Vec3 direction = Vec3::UnitY();
  double width = 1;

  /// 0 on the parent's side, 1 on the child's.
  [[nodiscard]] double passed(const Vec3& point) const {
    return ease(-width, width, (point - place).dot(direction));
  }
};

struct BoundChain {
  std::vector<int> bones;     // as sculpted: the left one of a pair
  std::vector<int> mirrored;  // their twins; the same bone where there is none
  std::vector<Joint> joints;  // joints[i] is where bones[i] starts
  int attach = -1;
  int attach_mirrored = -1;
  bool has_twin = false;
};

Vec3 direction_of(const BoneSpec& spec) { return (spec.tail - spec.head).normalized(); }

int twin_of(const Rig& rig, int bone) {
  std::string name = rig.specs()[static_cast<std::size_t>(bone)].name;
  if (!name.ends_with(".L")) return bone;
  name.back() = 'R';
  const int twin = rig.find(name);
  return twin < 0 ? bone : twin;
}

BoundChain bind_chain(const Chain& chain, const Rig& rig) {
  BoundChain bound;
  bound.attach = chain.attach_bone.empty() ? -1 : rig.find(chain.attach_bone);
  if (bound.attach >= 0) bound.attach_mirrored = twin_of(rig, bound.attach);
  for (std::size_t i = 0; i < chain.bones.size(); ++i) {
    const int bone = rig.find(chain.bones[i]);
    assert(bone >= 0);
    const BoneSpec& spec = rig.specs()[static_cast<std::size_t>(bone)];
    bound.bones.push_back(bone);
    bound.mirrored.push_back(twin_of(rig, bone));
    bound.has_twin = bound.has_twin || bound.mirrored.back() != bone;
    Joint joint;
    joint.place = spec.head;
    joint.direction = direction_of(spec);
    if (i > 0) {
      const BoneSpec& before = rig.specs()[static_cast<std::size_t>(bound.bones[i - 1])];
      joint.direction = (joint.direction + direction_of(before)).normalized();
    }
    joint.width = chain.joint_width[i];
    bound.joints.push_back(joint);
  }
  return bound;
}

using Row = std::vector<Influence>;

void add_weight(Row& row, int bone, double weight) {
  if (weight <= 0) return;
  for (Influence& influence : row)
    if (influence.bone == static_cast<std::uint32_t>(bone)) {
      influence.weight += weight;
      return;
    }
  row.push_back({static_cast<std::uint32_t>(bone), weight});
}

void keep_strongest(Row& row) {
  std::sort(row.begin(), row.end(), [](const Influence& a, const Influence& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.bone < b.bone;
  });
  if (row.size() > kMaxExampleInfluences) row.resize(kMaxExampleInfluences);
  while (row.size() > 1 && row.back().weight < kNegligible) row.pop_back();
  double sum = 0;
  for (const Influence& influence : row) sum += influence.weight;
  for (Influence& influence : row) influence.weight /= sum;
}

class Binder {
 public:
  Binder(const BodyPlan& plan, const Rig& rig) : plan_(plan), rig_(rig) {
    assert(plan.chains.size() == plan.body.groups.size());
    for (const Chain& chain : plan.chains) chains_.push_back(bind_chain(chain, rig));
    for (const SoftBone& soft : plan.soft_bones) soft_bones_.push_back(rig.find(soft.bone));
  }

  [[nodiscard]] Row row(const Vec3& position) const {
    const bool flipped = plan_.body.mirrored && position.x() < 0;
    const Vec3 p = flipped ? Vec3(-position.x(), position.y(), position.z()) : position;
    GroupShares shares = plan_.body.shares(p);
    fade_at_midline(p, shares);
    Row result;
    for (std::size_t g = 0; g < shares.size(); ++g) {
      if (shares[g] <= 0) continue;
      const double borrowed = add_soft_bones(result, g, p, shares[g], flipped);
      add_chain(result, chains_[g], p, shares[g] - borrowed, flipped);
    }
    keep_strongest(result);
    return result;
  }

 private:
  void fade_at_midline(const Vec3& p, GroupShares& shares) const {
    if (!plan_.body.mirrored) return;
    const double here = ease(0, kMidlineFade, p.x());
    for (std::size_t g = 1; g < shares.size(); ++g) {
      if (!chains_[g].has_twin) continue;
      shares[0] += shares[g] * (1 - here);
      shares[g] *= here;
    }
  }

  double add_soft_bones(Row& row, std::size_t group, const Vec3& p, double share,
                        bool flipped) const {
    double total = 0;
    for (std::size_t s = 0; s < soft_bones_.size(); ++s) {
      const SoftBone& soft = plan_.soft_bones[s];
      if (static_cast<std::size_t>(soft.group) != group) continue;
      const BoneSpec& spec = rig_.specs()[static_cast<std::size_t>(soft_bones_[s])];
      const double t = std::sqrt(squared_distance_to_segment(p, spec.head, spec.tail)) / soft.reach;
      if (t >= 1) continue;
      double weight = share * (1 - t * t) * (1 - t * t);
      const int twin = twin_of(rig_, soft_bones_[s]);
      if (twin != soft_bones_[s]) weight *= ease(0, kMidlineFade * 2, p.x());
      add_weight(row, flipped ? twin : soft_bones_[s], weight);
      total += weight;
    }
    return total;
  }

  static void add_chain(Row& row, const BoundChain& chain, const Vec3& p, double share,
                        bool flipped) {
    const std::vector<int>& bones = flipped ? chain.mirrored : chain.bones;
    double remaining = share;
    for (std::size_t i = 0; i < bones.size(); ++i) {
      const bool hands_over = i > 0 || chain.attach >= 0;
      if (!hands_over) continue;
      const double passed = chain.joints[i].passed(p);
      const int before = i > 0 ? bones[i - 1] : (flipped ? chain.attach_mirrored : chain.attach);
      add_weight(row, before, remaining * (1 - passed));
      remaining *= passed;
    }
    add_weight(row, bones.back(), remaining);
  }

  const BodyPlan& plan_;
  const Rig& rig_;
  std::vector<BoundChain> chains_;
  std::vector<int> soft_bones_;
};

}  // namespace

void append_chain_weights(const BodyPlan& plan, const Rig& rig, std::span<const Vec3> positions,
                          std::vector<std::size_t>& row_begin, std::vector<Influence>& influences) {
  const Binder binder(plan, rig);
  std::vector<std::array<Influence, kMaxExampleInfluences>> rows(positions.size());
  std::vector<std::size_t> counts(positions.size());
  parallel_for(positions.size(), [&](std::size_t i) {
    const Row row = binder.row(positions[i]);
    std::copy(row.begin(), row.end(), rows[i].begin());
    counts[i] = row.size();
  });
  if (row_begin.empty()) row_begin.push_back(0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    influences.insert(influences.end(), rows[i].begin(),
                      rows[i].begin() + static_cast<std::ptrdiff_t>(counts[i]));
    row_begin.push_back(influences.size());
  }
}

}  // namespace sinew::sculpt
