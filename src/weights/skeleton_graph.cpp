// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "weights/skeleton_graph.h"

#include <algorithm>

#include "sinew/model/mesh.h"

namespace sinew {
namespace {

/// Of the skeleton's extent: heads that are nearer than this are one joint.
constexpr double kSameJointRel = 1e-6;

}  // namespace

SkeletonGraph::SkeletonGraph(const Skeleton& skeleton) : bone_count_(skeleton.bone_count()) {
  Box box;
  for (const Bone& bone : skeleton.bones()) box.extend(bone.head());
  const double same_joint = box.isEmpty() ? 0 : kSameJointRel * box.diagonal().norm();

  above_.assign(bone_count_, -1);
  const auto new_joint = [&](int on) {
    above_.push_back(on);
    return static_cast<int>(above_.size()) - 1;
  };
  const auto hang = [&](int bone, int joint) { above_[static_cast<std::size_t>(bone)] = joint; };
  const auto head_joint = [&](int bone) { return above_[static_cast<std::size_t>(bone)]; };
  const auto head_of = [&](int bone) { return skeleton.bone(bone).head(); };
  /// A joint for each that starts elsewhere than the ones before it, or than `parent` itself.
  const auto hang_by_place = [&](std::span<const int> siblings, int parent) {
    for (std::size_t s = 0; s < siblings.size(); ++s) {
      const auto at_same_place = [&](int other) {
        return (head_of(other) - head_of(siblings[s])).norm() <= same_joint;
      };
      const auto before = siblings.first(s);
      if (parent >= 0 && at_same_place(parent))
        hang(siblings[s], head_joint(parent));
      else if (const auto met = std::find_if(before.begin(), before.end(), at_same_place);
               met != before.end())
        hang(siblings[s], head_joint(*met));
      else
        hang(siblings[s], new_joint(parent));
    }
  };
  hang_by_place(skeleton.roots(), -1);
  for (const int bone : skeleton.order()) {
    const std::span<const int> children = skeleton.children(bone);
    if (children.empty()) continue;
    if (!skeleton.bone(bone).tail) {
      hang_by_place(children, bone);
      continue;
    }
    const int tail_joint = new_joint(bone);
    for (const int child : children) hang(child, tail_joint);
  }

  const std::size_t nodes = above_.size();
  std::vector<std::vector<int>> below(nodes);
  std::vector<int> stack;
  for (std::size_t n = nodes; n-- > 0;) {
    if (above_[n] >= 0)
      below[static_cast<std::size_t>(above_[n])].push_back(static_cast<int>(n));
    else
      stack.push_back(static_cast<int>(n));
  }
  depth_.assign(nodes, 0);
  component_.assign(nodes, 0);
  visit_.assign(nodes, 0);
  int visits = 0;
  while (!stack.empty()) {
    const int node = stack.back();
    stack.pop_back();
    const auto n = static_cast<std::size_t>(node);
    visit_[n] = visits++;
    if (above_[n] >= 0) {
      depth_[n] = depth_[static_cast<std::size_t>(above_[n])] + 1;
      component_[n] = component_[static_cast<std::size_t>(above_[n])];
    } else {
      component_[n] = node;
    }
    stack.insert(stack.end(), below[n].begin(), below[n].end());
  }
}

std::vector<std::uint32_t> SkeletonGraph::span(std::span<const std::uint32_t> bones) const {
  std::vector<std::uint32_t> spanned(bones.begin(), bones.end());
  std::sort(spanned.begin(), spanned.end(),
            [&](std::uint32_t a, std::uint32_t b) { return visit_[a] < visit_[b]; });
  // The paths between neighbours of a walk that goes deep first cover the smallest tree.
  const std::size_t given = spanned.size();
  for (std::size_t s = 1; s < given; ++s) {
    std::size_t a = spanned[s - 1], b = spanned[s];
    if (component_[a] != component_[b]) continue;
    while (a != b) {
      std::size_t& deeper = depth_[a] >= depth_[b] ? a : b;
      deeper = static_cast<std::size_t>(above_[deeper]);
      if (deeper < bone_count_) spanned.push_back(static_cast<std::uint32_t>(deeper));
    }
  }
  std::sort(spanned.begin(), spanned.end());
  spanned.erase(std::unique(spanned.begin(), spanned.end()), spanned.end());
  return spanned;
}

}  // namespace sinew
