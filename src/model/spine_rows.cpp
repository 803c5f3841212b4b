// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "model/spine_rows.h"

#include <algorithm>
#include <cassert>
#include <map>

namespace sinew {

std::vector<SpineRow> find_spine_rows(const Skeleton& skeleton) {
  std::map<int, std::vector<int>> joints_of;
  for (std::size_t j = 0; j < skeleton.bone_count(); ++j)
    if (const Bone& bone = skeleton.bones()[j]; bone.part_of && bone.parent >= 0)
      joints_of[bone.parent].push_back(static_cast<int>(j));
  std::vector<SpineRow> rows;
  for (auto& [bone, joints] : joints_of) {
    const Result<SpineSegment> segment = spine_segment(skeleton, bone);
    if (!segment.ok()) continue;
    std::ranges::stable_sort(joints, {}, [&](int j) { return skeleton.bone(j).part_of->u; });
    SpineRow row{bone, skeleton.bone(joints.front()).part_of->kind, *segment, joints, {}};
    for (const int j : joints) row.parameters.push_back(skeleton.bone(j).part_of->u);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<int> bones_stood_for(const Skeleton& skeleton) {
  std::vector<int> stood_for(skeleton.bone_count());
  for (std::size_t j = 0; j < stood_for.size(); ++j) stood_for[j] = static_cast<int>(j);
  for (const SpineRow& row : find_spine_rows(skeleton))
    for (const int joint : row.joints) stood_for[static_cast<std::size_t>(joint)] = row.bone;
  return stood_for;
}

Skeleton with_rows_as_spines(const Skeleton& skeleton) {
  return skeleton.with([&](std::vector<Bone>& bones) {
    for (const SpineRow& row : find_spine_rows(skeleton))
      bones[static_cast<std::size_t>(row.bone)].kind = row.kind;
  });
}

Skeleton with_row_tails(const Skeleton& skeleton) {
  return skeleton.with([&](std::vector<Bone>& bones) {
    for (const SpineRow& row : find_spine_rows(skeleton)) {
      const Vec3 half_step = (row.segment.rest.tail - row.segment.rest.head) /
                             (2 * static_cast<double>(row.joints.size()));
      for (const int j : row.joints)
        if (Bone& joint = bones[static_cast<std::size_t>(j)];
            !joint.tail && skeleton.children(j).empty())
          joint.tail = joint.head() + half_step;
    }
  });
}

void follow_spines(const std::vector<SpineRow>& rows, PosedBones& posed) {
  assert(rows.empty() || posed.spines.size() == posed.transforms.size());
  for (const SpineRow& row : rows) {
    SpineMotion motion = posed.spines[static_cast<std::size_t>(row.bone)];
    motion.base = posed.transforms[static_cast<std::size_t>(row.bone)];
    for (std::size_t k = 0; k < row.joints.size(); ++k) {
      const auto joint = static_cast<std::size_t>(row.joints[k]);
      posed.transforms[joint] = spine_transform(row.segment.rest, motion, row.parameters[k]);
      posed.spines[joint] = SpineMotion{};
      posed.spines[joint].base = posed.transforms[joint];
    }
  }
}

}  // namespace sinew
