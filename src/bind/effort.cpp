// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "bind/effort.h"

#include <algorithm>

#include <fmt/format.h>

namespace sinew {
namespace {

/// Up to this, a mesh has long edges, and its bones want every choice and every step: decision 20.
constexpr std::size_t kSomeVertices = 1500;
/// Up to this, every vertex turns by itself: who asks for nothing gets the best. Above, there are
/// so many vertices to choose from that fewer bones of each will do.
constexpr std::size_t kManyVertices = 5000;
/// Below this, a cluster has so few vertices that poses need not turn by several clusterings for
/// their borders not to show: decision 22.
constexpr std::size_t kFewInClusters = 8000;
/// Up to this, a finish that is not ended early turns every vertex by itself: clusters cost more
/// there than while solving, and up to so many exact rotations take a second or so.
constexpr std::size_t kExactFinishUpTo = 20'000;
/// That may influence a vertex before the cap, on meshes of some and of many vertices: more cost
/// time, and leave the cap more to take away.
constexpr std::size_t kMostBonesOfSome = 12;
constexpr std::size_t kMostBonesOfMany = 9;
/// Vertices that several bones move from which on clusters save time, and cost nothing:
/// decision 21.
constexpr std::size_t kFewThatBend = 500;
/// Steps before the cap, and how far all but the last of them go: decision 22.
constexpr int kStepsOfFew = 2;
constexpr double kReachOfFew = 1.5;
constexpr int kStepsOfMany = 3;
constexpr double kReachOfMany = 1.2;
/// Of a finish that is not ended early: decision 23.
constexpr int kThoroughRounds = 6;
constexpr int kQuickRounds = 3;
constexpr int kLeastQuickRounds = 2;

constexpr int kLeastClusters = 1000;  // [araplbs] section 5: 1000 to 5000
constexpr int kMostClusters = 5000;
constexpr std::size_t kVerticesPerCluster = 10;  // five gain nothing on other poses: decision 20
constexpr double kLeastPerCluster = 2.5;         // of a mesh that has fewer than so many for each
constexpr int kFewestClusters = 500;             // of the least, and this many of any: decision 21

/// As many as are groups if nobody says.
int clusters_of(std::size_t vertices) {
  const int least = std::clamp(static_cast<int>(static_cast<double>(vertices) / kLeastPerCluster),
                               kFewestClusters, kLeastClusters);
  return std::clamp(static_cast<int>(vertices / kVerticesPerCluster), least, kMostClusters);
}

Decided<std::size_t> most_bones_of(std::size_t vertices) {
  if (vertices <= kSomeVertices)
    return {0, fmt::format("on up to {} vertices bones want every choice", kSomeVertices)};
  const bool are_many = vertices > kManyVertices;
  return {are_many ? kMostBonesOfMany : kMostBonesOfSome,
          fmt::format("on more than {} vertices further bones cost time and are lost to the cap",
                      are_many ? kManyVertices : kSomeVertices)};
}

Decided<RotationMode> rotations_for(std::size_t vertices) {
  if (vertices <= kManyVertices)
    return {RotationMode::exact,
            fmt::format("up to {} vertices may each turn by themselves", kManyVertices)};
  return {
      RotationMode::clustered,
      fmt::format("more than {} vertices turn in groups at a fraction of the time", kManyVertices)};
}

Decided<Effort::AtCap> at_cap_of(std::size_t vertices) {
  if (vertices <= kSomeVertices)
    return {{}, fmt::format("meshes of up to {} vertices want every step", kSomeVertices)};
  Effort::AtCap at_cap;
  at_cap.ends_early = true;
  at_cap.clustered_above_bending = kFewThatBend;
  const bool is_few = vertices < kFewInClusters;
  at_cap.steps = is_few ? kStepsOfFew : kStepsOfMany;
  at_cap.reach = is_few ? kReachOfFew : kReachOfMany;
  at_cap.clusterings = is_few ? 1 : 0;
  return {at_cap, "the cap takes away more than further steps gain"};
}

Decided<Effort::Finish> thorough_finish_of(std::size_t vertices) {
  const bool is_exact = vertices <= kExactFinishUpTo;
  return {{kThoroughRounds, kThoroughRounds, is_exact},
          is_exact
              ? "what settles slowly wants all rounds, and each vertex turns by itself"
              : fmt::format("what settles slowly wants all rounds; more than {} vertices turn as "
                            "they did in the steps",
                            kExactFinishUpTo)};
}

}  // namespace

Effort effort_of(const BindSize& size) {
  const std::size_t vertices = size.welded_vertices;
  Effort effort;
  effort.is_coarse = {size.stored_vertices > size.coarse_above,
                      fmt::format("{} vertices, where a direct solve takes up to {}",
                                  size.stored_vertices, size.coarse_above)};
  effort.most_bones = most_bones_of(vertices);
  effort.rotations = rotations_for(vertices);
  effort.clusters = clusters_of(vertices);
  effort.much_below_influences = kMostBonesOfMany;
  effort.at_cap = at_cap_of(vertices);
  effort.thorough_finish = thorough_finish_of(vertices);
  effort.finish = effort.thorough_finish;
  if (vertices > kSomeVertices)
    effort.finish = {
        {kQuickRounds, kLeastQuickRounds, false},
        fmt::format("on more than {} vertices further rounds change little", kSomeVertices)};
  return effort;
}

}  // namespace sinew
