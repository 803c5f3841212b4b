// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/deform/spine_joints.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace sinew {

std::string_view to_string(StretchBy way) {
  return way == StretchBy::translations ? "translations" : "scale keys";
}

std::vector<double> spine_joint_parameters(int joints) {
  std::vector<double> middles;
  for (int k = 0; k < joints; ++k) middles.push_back((k + 0.5) / joints);
  return middles;
}

std::array<JointShare, 2> spine_joint_shares(int joints, double u) {
  assert(joints >= 1);
  const double place = std::clamp(u * joints - 0.5, 0.0, joints - 1.0);
  const int before = std::min(static_cast<int>(place), joints - 1);
  const double share = place - before;
  return {{{before, 1 - share}, {std::min(before + 1, joints - 1), share}}};
}

Affine3 spine_joint_transform(const SpineRest& rest, const SpineMotion& motion, double middle,
                              StretchBy way) {
  if (way == StretchBy::translations) return spine_transform(rest, motion, middle);
  const Vec3 along = (rest.tail - rest.head).normalized();
  Affine3 local;
  local.linear() = Eigen::AngleAxisd(middle * motion.angle_rad, motion.axis).toRotationMatrix() *
                   (Eigen::Matrix3d::Identity() + (motion.stretch - 1) * along * along.transpose());
  local.translation() = rest.head - local.linear() * rest.head;
  return motion.base * local;
}

SkinWeights split_spine_weights(const SkinWeights& weights, std::size_t bone_count,
                                std::span<const SplitSpine> splits) {
  std::vector<const SplitSpine*> split_of_bone(weights.bone_count(), nullptr);
  for (const SplitSpine& split : splits)
    split_of_bone[static_cast<std::size_t>(split.spine->bone)] = &split;
  std::vector<std::size_t> begin{0};
  std::vector<Influence> influences;
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    for (const Influence& influence : weights.row(v)) {
      const SplitSpine* split = split_of_bone[influence.bone];
      if (split == nullptr) {
        influences.push_back(influence);
        continue;
      }
      for (const JointShare& share : spine_joint_shares(split->joints, split->spine->parameters[v]))
        if (share.share > 0)
          influences.push_back({static_cast<std::uint32_t>(split->first_joint + share.joint),
                                influence.weight * share.share});
    }
    begin.push_back(influences.size());
  }
  return SkinWeights::mend(bone_count, std::move(begin), std::move(influences));
}

SkinWeights drop_weakest(const SkinWeights& weights, int max_influences) {
  const auto most = static_cast<std::ptrdiff_t>(max_influences);
  std::vector<std::size_t> begin{0};
  std::vector<Influence> influences;
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    std::vector<Influence> row(weights.row(v).begin(), weights.row(v).end());
    if (std::ssize(row) > most) {
      std::stable_sort(row.begin(), row.end(),
                       [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
      row.resize(static_cast<std::size_t>(most));
    }
    influences.insert(influences.end(), row.begin(), row.end());
    begin.push_back(influences.size());
  }
  return SkinWeights::mend(weights.bone_count(), std::move(begin), std::move(influences));
}

}  // namespace sinew
