// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/gltf/primitive_joints.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>

#include "gltf/accessor_uses.h"
#include "gltf/gltf_json.h"
#include "sinew/gltf/gltf_accessor.h"

namespace sinew {
namespace {

constexpr int kTriangles = 4;                        // primitive.mode
constexpr std::uint32_t kLargestShortIndex = 65534;  // 65535 restarts a primitive

using JointSet = std::vector<std::uint32_t>;  // ascending

void add_joints(JointSet& joints, const JointSet& more) {
  JointSet sum;
  std::set_union(joints.begin(), joints.end(), more.begin(), more.end(), std::back_inserter(sum));
  joints = std::move(sum);
}

std::size_t count_new(const JointSet& joints, const JointSet& more) {
  std::size_t fresh = 0;
  for (const std::uint32_t joint : more)
    fresh += !std::binary_search(joints.begin(), joints.end(), joint);
  return fresh;
}

/// The meshes that show the character's parts, as the nodes say now, and the skin of each.
std::map<int, int> skin_of_mesh(const Document& document, const LoadedCharacter& loaded) {
  std::map<int, int> skins;
  for (const PartSource& source : loaded.sources) {
    const Json& node = element(document, "nodes", source.node);
    const int mesh = index_or_none(node, "mesh");
    const int skin = index_or_none(node, "skin");
    if (mesh >= 0 && skin >= 0) skins.emplace(mesh, skin);
  }
  return skins;
}

const Json& primitive_of(const Document& document, int mesh, std::size_t primitive) {
  return element(document, "meshes", mesh)["primitives"][primitive];
}

/// Joints with weight, per vertex of a primitive; nothing for one without weights.
Result<std::vector<JointSet>> joints_of_vertices(const Document& document, const Json& primitive) {
  const Json& attributes = primitive["attributes"];
  std::vector<JointSet> joints;
  for (int k = 0;; ++k) {
    const int joint_accessor = index_or_none(attributes, fmt::format("JOINTS_{}", k));
    const int weight_accessor = index_or_none(attributes, fmt::format("WEIGHTS_{}", k));
    if (joint_accessor < 0 || weight_accessor < 0) break;
    SINEW_TRY(const std::vector<std::uint32_t> stored,
              read_integers(document, joint_accessor, "VEC4"));
    SINEW_TRY(const std::vector<float> weights, read_floats(document, weight_accessor, "VEC4"));
    joints.resize(stored.size() / 4);
    for (std::size_t slot = 0; slot < std::min(stored.size(), weights.size()); ++slot)
      if (weights[slot] > 0) add_joints(joints[slot / 4], {stored[slot]});
  }
  return joints;
}

/// The vertices that a primitive draws, in drawing order.
Result<std::vector<std::uint32_t>> corners_of(const Document& document, const Json& primitive,
                                              std::size_t vertex_count) {
  const int accessor = index_or_none(primitive, "indices");
  if (accessor >= 0) return read_integers(document, accessor, "SCALAR");
  std::vector<std::uint32_t> corners(vertex_count);
  for (std::size_t v = 0; v < vertex_count; ++v) corners[v] = static_cast<std::uint32_t>(v);
  return corners;
}

/// Triangles that need exactly the same joints.
struct Bunch {
  JointSet joints;
  std::vector<std::size_t> triangles;
};

std::vector<Bunch> bunches_of(const std::vector<std::uint32_t>& corners,
                              const std::vector<JointSet>& joints) {
  std::map<JointSet, std::vector<std::size_t>> triangles;
  for (std::size_t t = 0; t < corners.size() / 3; ++t) {
    JointSet needed;
    for (std::size_t c = 3 * t; c < 3 * t + 3; ++c) add_joints(needed, joints[corners[c]]);
    triangles[std::move(needed)].push_back(t);
  }
  std::vector<Bunch> bunches;
  for (auto& [needed, list] : triangles) bunches.push_back({needed, std::move(list)});
  std::stable_sort(bunches.begin(), bunches.end(), [](const Bunch& a, const Bunch& b) {
    return a.joints.size() > b.joints.size();
  });
  return bunches;
}

/// Triangles in groups that need few enough joints each. A group starts with the bunch that needs
/// most, and takes the one that adds fewest until none fits.
std::vector<std::vector<std::size_t>> group_triangles(std::vector<Bunch> bunches,
                                                      std::size_t limit) {
  std::vector<std::vector<std::size_t>> groups;
  while (!bunches.empty()) {
    JointSet joints = bunches.front().joints;
    std::vector<std::size_t> group;
    while (true) {
      std::size_t best = bunches.size();
      std::size_t fewest = std::numeric_limits<std::size_t>::max();
      std::vector<Bunch> left;
      for (Bunch& bunch : bunches) {
        const std::size_t fresh = count_new(joints, bunch.joints);
        if (fresh == 0) {
          group.insert(group.end(), bunch.triangles.begin(), bunch.triangles.end());
          continue;
        }
        if (joints.size() + fresh <= limit && fresh < fewest) {
          fewest = fresh;
          best = left.size();
        }
        left.push_back(std::move(bunch));
      }
      bunches = std::move(left);
      if (best >= bunches.size()) break;
      add_joints(joints, bunches[best].joints);
    }
    std::sort(group.begin(), group.end());
    groups.push_back(std::move(group));
  }
  return groups;
}

AccessorData index_data(const std::vector<std::uint32_t>& corners, std::uint32_t largest) {
  AccessorData data;
  data.component = largest <= kLargestShortIndex ? ComponentType::u16 : ComponentType::u32;
  data.integers = corners;
  data.target = BufferTarget::indices;
  return data;
}

/// Returns the number of pieces that were added.
Result<std::size_t> split_one(Document& document, int mesh, std::size_t index, std::size_t limit) {
  const Json primitive = primitive_of(document, mesh, index);
  const auto mode = primitive.find("mode");
  if (mode != primitive.end() && *mode != kTriangles) return std::size_t{0};
  SINEW_TRY(const std::vector<JointSet> joints, joints_of_vertices(document, primitive));
  if (joints.empty()) return std::size_t{0};
  SINEW_TRY(const std::vector<std::uint32_t> corners,
            corners_of(document, primitive, joints.size()));
  std::vector<Bunch> bunches = bunches_of(corners, joints);
  JointSet all;
  for (const Bunch& bunch : bunches) add_joints(all, bunch.joints);
  if (all.size() <= limit) return std::size_t{0};
  const std::vector<std::vector<std::size_t>> groups = group_triangles(std::move(bunches), limit);
  std::uint32_t largest = 0;
  for (const std::uint32_t corner : corners) largest = std::max(largest, corner);
  const int old = index_or_none(primitive, "indices");
  const bool reuse = old >= 0 && count_accessor_uses(document, old) == 1;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    std::vector<std::uint32_t> piece;
    for (const std::size_t t : groups[g])
      piece.insert(piece.end(), corners.begin() + static_cast<std::ptrdiff_t>(3 * t),
                   corners.begin() + static_cast<std::ptrdiff_t>(3 * t + 3));
    const AccessorData data = index_data(piece, largest);
    if (g == 0 && reuse) {
      replace_accessor(document, old, data);
      continue;
    }
    const int accessor = append_accessor(document, data);
    Json& primitives = element(document, "meshes", mesh)["primitives"];
    if (g == 0) {
      primitives[index]["indices"] = accessor;
      continue;
    }
    Json copy = primitive;
    copy["indices"] = accessor;
    primitives.push_back(std::move(copy));
  }
  return groups.size() - 1;
}

}  // namespace

Result<std::vector<PrimitiveJoints>> count_primitive_joints(const Document& document,
                                                            const LoadedCharacter& loaded) {
  std::vector<PrimitiveJoints> counted;
  for (const auto& [mesh, skin] : skin_of_mesh(document, loaded)) {
    const std::size_t primitives = element(document, "meshes", mesh)["primitives"].size();
    for (std::size_t p = 0; p < primitives; ++p) {
      const Json& primitive = primitive_of(document, mesh, p);
      SINEW_TRY(const std::vector<JointSet> joints, joints_of_vertices(document, primitive));
      SINEW_TRY(const std::vector<std::uint32_t> corners,
                corners_of(document, primitive, joints.size()));
      std::set<std::uint32_t> used;
      for (const std::uint32_t corner : corners)
        if (corner < joints.size()) used.insert(joints[corner].begin(), joints[corner].end());
      counted.push_back({mesh, static_cast<int>(p), skin, used.size()});
    }
  }
  return counted;
}

Result<std::size_t> split_primitives(Document& document, const LoadedCharacter& loaded,
                                     std::size_t limit) {
  std::size_t added = 0;
  for (const auto& [mesh, skin] : skin_of_mesh(document, loaded)) {
    const std::size_t primitives = element(document, "meshes", mesh)["primitives"].size();
    for (std::size_t p = 0; p < primitives; ++p) {
      SINEW_TRY(const std::size_t pieces, split_one(document, mesh, p, limit));
      added += pieces;
    }
  }
  return added;
}

}  // namespace sinew
