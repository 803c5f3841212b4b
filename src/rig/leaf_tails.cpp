// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "rig/leaf_tails.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "core/parallel.h"
#include "math/segment.h"
#include "volume/oriented_surface.h"

namespace sinew {
namespace {

constexpr double kOrphanTailRel =
    0.1;  // of the mesh's diagonal, for a leaf with no parent to follow
constexpr double kIdleTailOfParent = 0.5;  // of the parent's length, for a leaf that serves nothing
/// Of the mesh's diagonal. Joints that an exporter wrote to one place are a few float digits apart,
/// and the direction between them is rounding.
constexpr double kNoLengthRel = 1e-6;
/// The cosine, in the median, from which on bones with one child are said to point along one of
/// their axes, and how many of them it takes to say so.
constexpr double kKeepsToAxis = 0.9;
constexpr std::size_t kLeastVotes = 3;
/// Of the mesh's diagonal: air between two parts that a ray passes, and before the first.
constexpr double kGapRel = 0.02;
/// Rays beside a leaf's own, of the mesh's diagonal along each axis. Many leaves lie in the plane
/// of symmetry, along edges where it is anybody's guess what a ray meets; these do not, and a
/// mirrored ray is one of them.
constexpr std::array kBesideRel{2.3e-3, 1.7e-3, 2.9e-3};
/// A ray ends where another bone is nearer to it than this much of the way come: what is there is
/// the other's.
constexpr double kAnotherIsNearer = 0.5;
constexpr int kPlacesOnRay = 64;
/// A way out that is shorter than this part of the parent's length ends at a part that the joint
/// only just touches: there the leaf serves what begins beyond.
constexpr double kTouchesOnly = 0.25;
/// The cosine below which a bone that bears ends alone goes another way than to any of them: a head
/// with ears.
constexpr double kGoesAnotherWay = 0.8;
constexpr double kLeastSkull = 0.2;  // of the longest way to what it bears, or its own is none

/// The mesh as rays see it: welded, and every shell that encloses something turned outward.
class Body {
 public:
  explicit Body(const Mesh& mesh) : surface_(orient_surface(mesh)) {
    const Box box = bounding_box(mesh.positions());
    diagonal_ = box.isEmpty() ? 0 : box.diagonal().norm();
    for (Vec3& place : surface_.places) place = surface_.centre + surface_.unit * place;
    for (const Triangle& triangle : surface_.triangles) {
      const Vec3 centre = (at(triangle[0]) + at(triangle[1]) + at(triangle[2])) / 3;
      double radius2 = 0;
      for (const VertexIndex v : triangle)
        radius2 = std::max(radius2, (at(v) - centre).squaredNorm());
      centre_.push_back(centre);
      radius_.push_back(std::sqrt(radius2));
    }
  }

  [[nodiscard]] double diagonal() const { return diagonal_; }

  /// How far a ray goes until it leaves what its origin lies in; nothing where that is air.
  [[nodiscard]] std::optional<double> way_out(const Vec3& origin, const Vec3& direction) const {
    const std::vector<std::size_t> near = triangles_near(origin, direction);
    std::vector<double> ways;
    for (int corner = 0; corner < 8; ++corner) {
      Vec3 beside;
      for (int axis = 0; axis < 3; ++axis)
        beside[axis] = ((corner >> axis & 1) != 0 ? -1 : 1) * diagonal_ *
                       kBesideRel[static_cast<std::size_t>(axis)];
      if (const auto way = way_out_of(near, origin + beside, direction)) ways.push_back(*way);
    }
    if (ways.size() < 4) return std::nullopt;
    std::ranges::sort(ways);
    return (ways[(ways.size() - 1) / 2] + ways[ways.size() / 2]) / 2;
  }

 private:
  struct Crossing {
    double way = 0;
    int leaves = 0;  // 1 where the ray leaves, -1 where it enters
  };

  [[nodiscard]] const Vec3& at(VertexIndex place) const { return surface_.places[place]; }

  [[nodiscard]] std::vector<std::size_t> triangles_near(const Vec3& origin,
                                                        const Vec3& direction) const {
    std::vector<std::size_t> near;
    for (std::size_t t = 0; t < surface_.triangles.size(); ++t) {
      const Vec3 to = centre_[t] - origin;
      const double reach = radius_[t] + 0.005 * diagonal_;
      const double along = to.dot(direction);
      if (along > -reach && to.squaredNorm() - along * along <= reach * reach) near.push_back(t);
    }
    return near;
  }

  [[nodiscard]] std::vector<Crossing> crossings_of(const std::vector<std::size_t>& near,
                                                   const Vec3& origin,
                                                   const Vec3& direction) const {
    std::vector<Crossing> crossings;
    for (const std::size_t t : near) {
      const Triangle& triangle = surface_.triangles[t];
      const Vec3 a = at(triangle[0]) - origin;
      const Vec3 ab = at(triangle[1]) - origin - a;
      const Vec3 ac = at(triangle[2]) - origin - a;
      const Vec3 normal = ab.cross(ac);
      const double slope = normal.dot(direction);
      if (slope == 0) continue;
      const Vec3 across = a.cross(direction);
      const double u = -ac.dot(across) / slope;
      const double v = ab.dot(across) / slope;
      const double way = normal.dot(a) / slope;
      if (u >= 0 && v >= 0 && u + v <= 1 && way > 0) crossings.push_back({way, slope > 0 ? 1 : -1});
    }
    std::ranges::stable_sort(crossings, {}, &Crossing::way);
    return crossings;
  }

  /// By winding numbers, counted from where the ray ends: there is air. What is open below, as a
  /// head that stands on a neck, is solid to where the ray leaves it.
  [[nodiscard]] std::optional<double> way_out_of(const std::vector<std::size_t>& near,
                                                 const Vec3& origin, const Vec3& direction) const {
    const std::vector<Crossing> crossings = crossings_of(near, origin, direction);
    int winding = 0;
    for (const Crossing& crossing : crossings) winding += crossing.leaves;
    double solid_to = 0;
    std::optional<double> out;
    for (const Crossing& crossing : crossings) {
      if (winding <= 0 && crossing.way - solid_to > kGapRel * diagonal_) break;
      solid_to = crossing.way;
      out = crossing.way;
      winding -= crossing.leaves;
    }
    return out;
  }

  OrientedSurface surface_;
  std::vector<Vec3> centre_;
  std::vector<double> radius_;
  double diagonal_ = 0;
};

/// The local axis that bones with one child point along, if the file keeps to one.
std::optional<Vec3> axis_of_bones(const Skeleton& skeleton, double no_length) {
  std::array<std::vector<double>, 3> cosines;
  for (int j = 0; j < static_cast<int>(skeleton.bone_count()); ++j) {
    if (skeleton.children(j).size() != 1 || !skeleton.bone(j).deforms.value_or(true)) continue;
    const Vec3 step = skeleton.bone(skeleton.children(j)[0]).head() - skeleton.bone(j).head();
    if (step.norm() <= no_length) continue;
    for (int axis = 0; axis < 3; ++axis)
      cosines[static_cast<std::size_t>(axis)].push_back(
          skeleton.bone(j).rest.linear().col(axis).normalized().dot(step.normalized()));
  }
  if (cosines[0].size() < kLeastVotes) return std::nullopt;
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<double>& votes = cosines[static_cast<std::size_t>(axis)];
    std::ranges::sort(votes);
    const double median = (votes[(votes.size() - 1) / 2] + votes[votes.size() / 2]) / 2;
    if (std::abs(median) > kKeepsToAxis) return (median > 0 ? 1 : -1) * Vec3::Unit(axis);
  }
  return std::nullopt;
}

/// Its own axis where the file names one; else that of all bones; else from the nearest ancestor
/// that stands elsewhere to the leaf; up when there is none.
Vec3 direction_of_leaf(const Skeleton& skeleton, int leaf, const std::optional<Vec3>& of_all,
                       double no_length) {
  const Bone& bone = skeleton.bone(leaf);
  for (const std::optional<Vec3>& axis : {bone.leaf_axis, of_all}) {
    if (!axis) continue;
    const Vec3 direction = bone.rest.linear() * *axis;
    if (direction.norm() > 0) return direction.normalized();
  }
  for (int a = bone.parent; a >= 0; a = skeleton.bone(a).parent) {
    const Vec3 step = bone.head() - skeleton.bone(a).head();
    if (step.norm() > no_length) return step.normalized();
  }
  return Vec3::UnitY();
}

/// The bone whose segment, or whose ray for a leaf, is nearest to each vertex.
std::vector<int> nearest_bones(const Mesh& mesh, const std::vector<Segment>& candidates) {
  std::vector<int> nearest(mesh.vertex_count(), -1);
  parallel_for(nearest.size(), [&](std::size_t v) {
    double best = std::numeric_limits<double>::infinity();
    for (const Segment& segment : candidates) {
      const double d2 =
          squared_distance_to_segment(mesh.positions()[v], segment.head, segment.tail);
      if (d2 < best) {
        best = d2;
        nearest[v] = segment.bone;
      }
    }
  });
  return nearest;
}

/// The way along a leaf's ray up to where another bone is nearer than a part of the way come;
/// leaves are where their joints are.
double way_before_others(const Skeleton& skeleton, const std::vector<Segment>& others, int leaf,
                         const Vec3& direction, double way) {
  const Vec3 head = skeleton.bone(leaf).head();
  for (int place = 1; place <= kPlacesOnRay; ++place) {
    const double come = way * place / kPlacesOnRay;
    const double nearest = kAnotherIsNearer * come;
    for (const Segment& other : others)
      if (other.bone != leaf && other.child != leaf &&
          squared_distance_to_segment(head + come * direction, other.head, other.tail) <
              nearest * nearest)
        return way * (place - 1) / kPlacesOnRay;
  }
  return way;
}

/// What a leaf's ray finds.
struct Ray {
  Vec3 direction = Vec3::UnitY();
  double way = 0;          // up to where another bone is near, at most the mesh's diagonal
  bool is_inside = false;  // the joint lies in the mesh, and the way ends where that does
};

class TailFinder {
 public:
  TailFinder(const Skeleton& skeleton, const Mesh& mesh)
      : skeleton_(skeleton),
        mesh_(mesh),
        body_(mesh),
        no_length_(kNoLengthRel * body_.diagonal()),
        of_all_(axis_of_bones(skeleton, no_length_)) {
    for (const Segment& segment : skeleton.segments())
      if (!segment.is_virtual) others_.push_back(segment);
  }

  /// The tails of leaves, in their order.
  [[nodiscard]] std::vector<Vec3> of_leaves(const std::vector<int>& leaves) {
    for (const int leaf : leaves)
      others_.push_back(
          {leaf, -1, skeleton_.bone(leaf).head(), skeleton_.bone(leaf).head(), false});
    std::vector<Ray> rays(leaves.size());
    parallel_for(
        rays.size(),
        [&](std::size_t k) {
          rays[k] = ray_of(leaves[k], direction_of_leaf(skeleton_, leaves[k], of_all_, no_length_));
        },
        1);
    const std::vector<double> reaches = reaches_of(leaves, rays);
    std::vector<Vec3> tails;
    for (std::size_t k = 0; k < leaves.size(); ++k) {
      const Bone& leaf = skeleton_.bone(leaves[k]);
      const double parent = leaf.parent >= 0 ? skeleton_.length(leaf.parent) : 0;
      double length = rays[k].is_inside ? rays[k].way : 0;
      if (length < kTouchesOnly * parent || !rays[k].is_inside)
        length = std::max(length, reaches[k]);
      if (!(length > no_length_)) length = kIdleTailOfParent * parent;
      if (!(length > no_length_))
        length = body_.diagonal() > 0 ? kOrphanTailRel * body_.diagonal() : 1;
      tails.push_back(leaf.head() + length * rays[k].direction);
    }
    return tails;
  }

  /// The tail of a bone that bears nothing but ends, and goes another way than to any of them.
  [[nodiscard]] std::optional<Vec3> of_skull(int bone) const {
    const std::span<const int> children = skeleton_.children(bone);
    const auto bears_an_end = [&](int child) { return skeleton_.children(child).size() <= 1; };
    if (!of_all_ || !std::ranges::all_of(children, bears_an_end)) return std::nullopt;
    const Vec3 head = skeleton_.bone(bone).head();
    const Vec3 direction = (skeleton_.bone(bone).rest.linear() * *of_all_).normalized();
    double longest = 0;
    for (const int child : children) {
      const Vec3 step = skeleton_.bone(child).head() - head;
      if (step.norm() > no_length_ && step.normalized().dot(direction) > kGoesAnotherWay)
        return std::nullopt;
      longest = std::max(longest, step.norm());
    }
    const Ray ray = ray_of(bone, direction);
    if (!ray.is_inside || ray.way < kLeastSkull * longest) return std::nullopt;
    return head + ray.way * direction;
  }

 private:
  [[nodiscard]] Ray ray_of(int bone, const Vec3& direction) const {
    const std::optional<double> out = body_.way_out(skeleton_.bone(bone).head(), direction);
    return {direction,
            way_before_others(skeleton_, others_, bone, direction, out.value_or(body_.diagonal())),
            out.has_value()};
  }

  /// Of each leaf, how far what is nearest to its ray reaches along it.
  [[nodiscard]] std::vector<double> reaches_of(const std::vector<int>& leaves,
                                               const std::vector<Ray>& rays) const {
    std::vector<Segment> candidates;
    for (const Segment& segment : skeleton_.segments())
      if (!segment.is_virtual) candidates.push_back(segment);
    std::vector<int> leaf_of_bone(skeleton_.bone_count(), -1);
    for (std::size_t k = 0; k < leaves.size(); ++k) {
      const Vec3 head = skeleton_.bone(leaves[k]).head();
      candidates.push_back({leaves[k], -1, head, head + rays[k].way * rays[k].direction, false});
      leaf_of_bone[static_cast<std::size_t>(leaves[k])] = static_cast<int>(k);
    }
    const std::vector<int> server = nearest_bones(mesh_, candidates);
    std::vector<double> reach(leaves.size(), 0);
    for (std::size_t v = 0; v < server.size(); ++v) {
      if (server[v] < 0 || leaf_of_bone[static_cast<std::size_t>(server[v])] < 0) continue;
      const auto k = static_cast<std::size_t>(leaf_of_bone[static_cast<std::size_t>(server[v])]);
      const Vec3 from_head = mesh_.positions()[v] - skeleton_.bone(server[v]).head();
      reach[k] = std::max(reach[k], from_head.dot(rays[k].direction));
    }
    return reach;
  }

  const Skeleton& skeleton_;
  const Mesh& mesh_;
  Body body_;
  double no_length_;
  std::optional<Vec3> of_all_;
  std::vector<Segment> others_;  // of bones that are no leaves, and the joints of those that are
};

}  // namespace

GuessedTails guess_leaf_tails(const Skeleton& skeleton, const Mesh& mesh) {
  GuessedTails result;
  std::vector<int> hubs;
  for (int j = 0; j < static_cast<int>(skeleton.bone_count()); ++j) {
    const Bone& bone = skeleton.bone(j);
    if (bone.tail || !bone.deforms.value_or(true)) continue;
    (skeleton.children(j).empty() ? result.guessed : hubs).push_back(j);
  }
  if (result.guessed.empty()) {
    result.skeleton = skeleton;
    return result;
  }
  TailFinder finder(skeleton, mesh);
  const std::vector<Vec3> tails = finder.of_leaves(result.guessed);
  std::vector<std::pair<int, Vec3>> skulls;
  for (const int hub : hubs)
    if (const std::optional<Vec3> tail = finder.of_skull(hub)) skulls.emplace_back(hub, *tail);
  result.skeleton = skeleton.with([&](std::vector<Bone>& bones) {
    for (std::size_t k = 0; k < tails.size(); ++k)
      bones[static_cast<std::size_t>(result.guessed[k])].tail = tails[k];
    for (const auto& [hub, tail] : skulls) bones[static_cast<std::size_t>(hub)].tail = tail;
  });
  for (const auto& [hub, tail] : skulls) result.guessed.push_back(hub);
  std::ranges::sort(result.guessed);
  return result;
}

}  // namespace sinew
