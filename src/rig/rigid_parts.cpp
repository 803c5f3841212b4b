// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/rig/rigid_parts.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace sinew {
namespace {

struct PartShape {
  double measure = 0;
  Box box;
  double mean_distance = 0;      // from its bones, unit frame
  std::map<int, double> shares;  // of the measure, by the bone it is nearest to
  double served = 0;             // bones, as 1 / Σ share²
  int main_bone = -1;
  double main_share = 0;
};

PartShape describe(const PreparedMesh& prepared, const BoneCells& cells, const SkinWeights& owners,
                   const std::vector<VertexIndex>& members) {
  PartShape part;
  for (const VertexIndex v : members) {
    const double measure = prepared.graph.vertex_measure[v];
    part.measure += measure;
    part.box.extend(prepared.mesh.positions()[v]);
    part.mean_distance += measure * cells.distance[v];
    for (const Influence& owner : owners.row(v))
      part.shares[static_cast<int>(owner.bone)] += measure * owner.weight;
  }
  if (!(part.measure > 0)) return part;
  part.mean_distance /= part.measure;
  double squares = 0;
  for (auto& [bone, share] : part.shares) {
    share /= part.measure;
    squares += share * share;
    if (share <= part.main_share) continue;
    part.main_share = share;
    part.main_bone = bone;
  }
  part.served = 1 / squares;
  return part;
}

/// The deforming bone that starts in the middle of a small round part, as an eye's does.
int pivot_of(const PartShape& part, const Skeleton& skeleton, const UnitFrame& frame,
             const RigidPartOptions& options) {
  const double diagonal = part.box.diagonal().norm();
  const Vec3 sides = part.box.sizes();
  if (diagonal > options.pivot_size || sides.minCoeff() < options.round_rel * sides.maxCoeff())
    return -1;
  int pivot = -1;
  double nearest = options.pivot_rel * diagonal;
  for (int bone = 0; bone < static_cast<int>(skeleton.bone_count()); ++bone) {
    if (!skeleton.bone(bone).deforms.value_or(true)) continue;
    const double distance =
        (frame.from_model(skeleton.bone(bone).head()) - part.box.center()).norm();
    if (distance >= nearest) continue;
    nearest = distance;
    pivot = bone;
  }
  return pivot;
}

/// A deforming bone that would be left with nothing gets the rigid part nearest to its middle, of
/// those whose bone keeps another.
void serve_every_bone(const PreparedMesh& prepared, const Skeleton& skeleton,
                      const std::vector<PartShape>& parts, std::vector<int>& bone_of) {
  std::map<int, int> parts_of_bone;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (bone_of[p] >= 0)
      ++parts_of_bone[bone_of[p]];
    else
      for (const auto& [bone, share] : parts[p].shares) ++parts_of_bone[bone];
  }
  std::set<int> near;  // bones that some part is nearest to
  for (const PartShape& part : parts)
    for (const auto& [bone, share] : part.shares) near.insert(bone);
  for (const int bone : near) {
    if (parts_of_bone.contains(bone)) continue;
    Vec3 middle = prepared.frame.from_model(skeleton.bone(bone).head());
    for (const Segment& segment : skeleton.segments())
      if (segment.bone == bone)
        middle = prepared.frame.from_model((segment.head + segment.tail) / 2);
    std::size_t nearest = parts.size();
    for (std::size_t p = 0; p < parts.size(); ++p) {
      if (bone_of[p] < 0 || parts_of_bone[bone_of[p]] < 2) continue;
      if (nearest == parts.size() ||
          (parts[p].box.center() - middle).norm() < (parts[nearest].box.center() - middle).norm())
        nearest = p;
    }
    if (nearest == parts.size()) continue;
    --parts_of_bone[bone_of[nearest]];
    bone_of[nearest] = bone;
    parts_of_bone[bone] = 1;
  }
}

}  // namespace

std::string_view to_string(RigidParts choice) {
  constexpr std::array<std::string_view, 3> names{"auto", "on", "off"};
  return names[static_cast<std::size_t>(choice)];
}

std::optional<RigidParts> rigid_parts_from(std::string_view name) {
  for (const RigidParts choice : {RigidParts::automatic, RigidParts::on, RigidParts::off})
    if (name == to_string(choice)) return choice;
  return std::nullopt;
}

std::vector<int> find_rigid_parts(const PreparedMesh& prepared, const Skeleton& skeleton,
                                  const BoneCells& cells, const SkinWeights& owners,
                                  std::span<const PartLink> links,
                                  const RigidPartOptions& options) {
  std::vector<int> bone_of(prepared.parts.count(), -1);
  if (options.choice == RigidParts::off) return bone_of;
  std::vector<PartShape> parts;
  double measure = 0;
  double served = 0;
  for (const std::vector<VertexIndex>& members : prepared.parts.members) {
    parts.push_back(describe(prepared, cells, owners, members));
    measure += parts.back().measure;
    served += parts.back().measure * parts.back().served;
  }
  if (options.choice == RigidParts::on) {
    for (std::size_t p = 0; p < parts.size(); ++p) bone_of[p] = parts[p].main_bone;
    return bone_of;
  }
  if (parts.size() < 2) return bone_of;
  const bool is_machine = served < options.machine_bones * measure;
  std::vector<bool> is_linked(parts.size(), false);
  for (const PartLink& link : links) is_linked[static_cast<std::size_t>(link.part)] = true;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const PartShape& part = parts[p];
    const int pivot = pivot_of(part, skeleton, prepared.frame, options);
    const double diagonal = part.box.diagonal().norm();
    const bool is_aside = diagonal < options.aside_size &&
                          part.mean_distance > options.aside_rel * diagonal &&
                          !(is_linked[p] && part.main_share < options.tied_share);
    const bool bends =
        part.served > options.bending_bones && part.mean_distance < options.slender_rel * diagonal;
    if (pivot >= 0)
      bone_of[p] = pivot;
    else if (part.main_share >= options.sole_share || is_aside || (is_machine && !bends))
      bone_of[p] = part.main_bone;
  }
  serve_every_bone(prepared, skeleton, parts, bone_of);
  return bone_of;
}

}  // namespace sinew
