// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "weights/owner_features.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/parallel.h"
#include "rig/near_segments.h"

namespace sinew {
namespace {

constexpr double kLeastLength = 1e-4;  // of the diagonal: shorter bones and distances count as this
constexpr double kNothing = 1e-6;      // what logarithms of nothing are taken of
constexpr double kFarHops = 5;         // farther in the skeleton is just far
constexpr double kFarGirths = 5;       // the same in girths
constexpr double kFarRatio = 3;        // the same of logarithms
constexpr double kTraceOfWeight = 1e-3;
/// A bone with so much of the weight is a candidate however far it is.
constexpr double kNotableWeight = 0.02;
constexpr double kServes = 0.05;  // a part's bones have at least this share of it
/// Two directions that are nearly opposite have no plane between them.
constexpr double kLeastBisector = 0.2;

double log_of(double ratio) { return std::log(std::max(ratio, kNothing)); }

/// What is known of a bone by itself; by place in BoneSegments::bones().
struct BoneFacts {
  Vec3 head = Vec3::Zero();
  Vec3 axis = Vec3::Zero();  // unit
  Vec3 cut = Vec3::Zero();   // unit: the normal of the plane that halves its joint
  double length = 0;
  double girth = 0;
  double share = 0;  // of the skin
  int parent = -1;
  std::vector<int> children;
  double depth = 0, subtree = 0;  // of the deepest, of all
  bool children_are_leaves = false;
};

/// What is known of a part by itself.
struct PartFacts {
  double share = 0;  // of the skin
  double radius = 0;
  Vec3 middle = Vec3::Zero();
  std::vector<double> share_of;     // of each bone: of the part, what is nearest to it
  std::vector<double> distance_to;  // of each bone, in the mean
  double largest_share = 0, least_distance = 0;
  double bones = 0;
};

double median_by_measure(std::vector<std::pair<double, double>>& values) {
  std::ranges::sort(values);
  double all = 0;
  for (const auto& [value, measure] : values) all += measure;
  double sum = 0;
  for (const auto& [value, measure] : values)
    if ((sum += measure) >= all / 2) return value;
  return 0;
}

class Evidence {
 public:
  Evidence(const PreparedMesh& prepared, const Skeleton& skeleton, const BoneSegments& bones,
           const SkinWeights& heat, const SkinWeights& walk)
      : prepared_(prepared),
        skeleton_(skeleton),
        segments_(bones),
        heat_(heat),
        walk_(walk),
        near_(bones, 1),
        place_(bones.bone_count(), -1),
        facts_(bones.bones().size()) {
    for (std::size_t b = 0; b < facts_.size(); ++b)
      place_[static_cast<std::size_t>(bones.bones()[b])] = static_cast<int>(b);
    find_nearest();
    find_tree();
    find_shapes();
    find_girths();
    find_parts();
    find_normals();
    find_hops();
  }

  [[nodiscard]] OwnerEvidence collect() const {
    const std::size_t vertices = prepared_.mesh.vertex_count();
    const std::size_t most = std::min(kOwnerCandidates, facts_.size());
    OwnerEvidence evidence;
    evidence.begin.assign(vertices + 1, 0);
    for (std::size_t v = 0; v < vertices; ++v)
      evidence.begin[v + 1] = evidence.begin[v] + (nearest_[v] >= 0 ? most : 0);
    evidence.bone.resize(evidence.begin.back());
    evidence.features.resize(evidence.begin.back() * kOwnerFeatureCount);
    parallel_for_chunks(vertices, kDefaultGrain / 8, [&](ChunkRange range) {
      Scratch scratch;
      for (std::size_t v = range.begin; v != range.end; ++v)
        if (nearest_[v] >= 0) describe(v, scratch, evidence);
    });
    return evidence;
  }

 private:
  struct Scratch {
    NearSegments::Squares squares;
    std::vector<double> distance, heat, walk, key;
    std::vector<std::size_t> order;
    std::vector<std::size_t> rank;
  };

  [[nodiscard]] double measure(std::size_t v) const { return prepared_.graph.vertex_measure[v]; }

  void find_nearest() {
    nearest_.assign(prepared_.mesh.vertex_count(), -1);
    least_.assign(nearest_.size(), 0);
    parallel_for_chunks(nearest_.size(), kDefaultGrain / 4, [&](ChunkRange range) {
      NearSegments::Squares squares;
      for (std::size_t v = range.begin; v != range.end; ++v) {
        if (!(measure(v) > 0) || prepared_.parts.of_vertex[v] < 0) continue;
        near_.find(prepared_.mesh.positions()[v], squares);
        const auto least = std::ranges::min_element(squares.of_bones);
        nearest_[v] = static_cast<int>(least - squares.of_bones.begin());
        least_[v] = std::max(std::sqrt(*least), kLeastLength);
      }
    });
  }

  void find_tree() {
    for (std::size_t b = 0; b < facts_.size(); ++b) {
      int above = skeleton_.bone(segments_.bones()[b]).parent;
      while (above >= 0 && place_[static_cast<std::size_t>(above)] < 0)
        above = skeleton_.bone(above).parent;
      if (above < 0) continue;
      facts_[b].parent = place_[static_cast<std::size_t>(above)];
      facts_[static_cast<std::size_t>(facts_[b].parent)].children.push_back(static_cast<int>(b));
    }
    double deepest = 1;
    for (BoneFacts& fact : facts_) {
      for (int above = fact.parent; above >= 0; above = at(above).parent) {
        fact.depth += 1;
        at(above).subtree += 1;
      }
      deepest = std::max(deepest, fact.depth);
    }
    for (BoneFacts& fact : facts_) {
      fact.depth /= deepest;
      fact.subtree = (fact.subtree + 1) / static_cast<double>(facts_.size());
      fact.children_are_leaves =
          !fact.children.empty() &&
          std::ranges::all_of(fact.children, [&](int c) { return at(c).children.empty(); });
    }
  }

  /// Its axis leads to the child with the most below it, or to its end.
  void find_shapes() {
    for (std::size_t b = 0; b < facts_.size(); ++b) {
      BoneFacts& fact = facts_[b];
      fact.head = prepared_.frame.from_model(skeleton_.bone(segments_.bones()[b]).head());
      const Segment* main = nullptr;
      double most = -1;
      for (const Segment& each : segments_.of(segments_.bones()[b])) {
        const int child = each.child >= 0 ? place_[static_cast<std::size_t>(each.child)] : -1;
        const double below = child >= 0 ? at(child).subtree : 0;
        const double length = (each.tail - each.head).norm();
        if (main != nullptr &&
            (below < most || (below == most && length <= (main->tail - main->head).norm())))
          continue;
        main = &each;
        most = below;
      }
      const Vec3 along = main->tail - main->head;
      fact.length = std::max(along.norm(), kLeastLength);
      fact.axis = along / fact.length;
    }
    std::vector<double> lengths;
    for (BoneFacts& fact : facts_) {
      lengths.push_back(fact.length);
      fact.cut = fact.axis;
      if (fact.parent < 0) continue;
      const Vec3 step = fact.head - at(fact.parent).head;
      if (step.norm() <= kLeastLength) continue;
      const Vec3 between = fact.axis + step.normalized();
      if (between.norm() > kLeastBisector) fact.cut = between.normalized();
    }
    std::ranges::nth_element(lengths, lengths.begin() + std::ssize(lengths) / 2);
    middle_length_ = lengths[lengths.size() / 2];
  }

  void find_girths() {
    std::vector<std::vector<std::pair<double, double>>> skin(facts_.size());
    double all = 0;
    for (std::size_t v = 0; v < nearest_.size(); ++v) {
      if (nearest_[v] < 0) continue;
      skin[static_cast<std::size_t>(nearest_[v])].emplace_back(least_[v], measure(v));
      facts_[static_cast<std::size_t>(nearest_[v])].share += measure(v);
      all += measure(v);
    }
    skin_ = std::max(all, std::numeric_limits<double>::min());
    std::vector<double> girths;
    for (std::size_t b = 0; b < facts_.size(); ++b) {
      facts_[b].share /= skin_;
      if (skin[b].empty()) continue;
      facts_[b].girth = std::max(median_by_measure(skin[b]), 2 * kLeastLength);
      girths.push_back(facts_[b].girth);
    }
    if (girths.empty()) girths.push_back(kLeastLength);
    std::ranges::nth_element(girths, girths.begin() + std::ssize(girths) / 2);
    middle_girth_ = girths[girths.size() / 2];
    for (BoneFacts& fact : facts_)
      if (!(fact.girth > 0))
        fact.girth = std::max(std::min(middle_girth_, fact.length / 2), 2 * kLeastLength);
  }

  void find_parts() {
    parts_.resize(prepared_.parts.count());
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      const std::vector<VertexIndex>& members = prepared_.parts.members[p];
      struct Sums {
        double measure = 0, squares = 0;
        Vec3 first = Vec3::Zero();
        std::vector<double> nearest, distance;
      };
      const std::size_t count = facts_.size();
      const Sums sums = parallel_reduce(
          members.size(), kDefaultGrain,
          Sums{0, 0, Vec3::Zero(), std::vector<double>(count, 0), std::vector<double>(count, 0)},
          [&](ChunkRange range) {
            Sums sum{0, 0, Vec3::Zero(), std::vector<double>(count, 0),
                     std::vector<double>(count, 0)};
            NearSegments::Squares squares;
            for (std::size_t m = range.begin; m != range.end; ++m) {
              const VertexIndex v = members[m];
              if (nearest_[v] < 0) continue;
              const double weighs = measure(v);
              const Vec3& place = prepared_.mesh.positions()[v];
              sum.measure += weighs;
              sum.first += weighs * place;
              sum.squares += weighs * place.squaredNorm();
              sum.nearest[static_cast<std::size_t>(nearest_[v])] += weighs;
              near_.find(place, squares);
              for (std::size_t b = 0; b < count; ++b)
                sum.distance[b] += weighs * std::sqrt(squares.of_bones[b]);
            }
            return sum;
          },
          [&](Sums a, const Sums& b) {
            a.measure += b.measure;
            a.squares += b.squares;
            a.first += b.first;
            for (std::size_t k = 0; k < count; ++k) {
              a.nearest[k] += b.nearest[k];
              a.distance[k] += b.distance[k];
            }
            return a;
          });
      PartFacts& part = parts_[p];
      const double all = std::max(sums.measure, std::numeric_limits<double>::min());
      part.share = sums.measure / skin_;
      part.middle = sums.first / all;
      part.radius = std::max(
          std::sqrt(std::max(0.0, sums.squares / all - part.middle.squaredNorm())), kLeastLength);
      part.least_distance = std::numeric_limits<double>::infinity();
      for (std::size_t b = 0; b < count; ++b) {
        part.share_of.push_back(sums.nearest[b] / all);
        part.distance_to.push_back(sums.distance[b] / all);
        part.largest_share = std::max(part.largest_share, part.share_of[b]);
        part.least_distance = std::min(part.least_distance, part.distance_to[b]);
        if (part.share_of[b] > kServes) part.bones += 1;
      }
      part.least_distance = std::max(part.least_distance, kLeastLength);
    }
  }

  /// Outward, by the volume that each part encloses.
  void find_normals() {
    normal_.assign(nearest_.size(), Vec3::Zero());
    std::vector<double> volume(parts_.size(), 0);
    const std::vector<Vec3>& at = prepared_.mesh.positions();
    const std::vector<Triangle> triangles = surface_triangles(prepared_.mesh);
    for (const Triangle& t : triangles) {
      const Vec3 normal = (at[t[1]] - at[t[0]]).cross(at[t[2]] - at[t[0]]);
      const int part = prepared_.parts.of_vertex[t[0]];
      if (part >= 0)
        volume[static_cast<std::size_t>(part)] +=
            normal.dot(at[t[0]] - parts_[static_cast<std::size_t>(part)].middle);
      for (const VertexIndex v : t) normal_[v] += normal;
    }
    for (std::size_t v = 0; v < normal_.size(); ++v) {
      const int part = prepared_.parts.of_vertex[v];
      const double length = normal_[v].norm();
      if (part < 0 || !(length > 0)) continue;
      normal_[v] *= (volume[static_cast<std::size_t>(part)] < 0 ? -1 : 1) / length;
    }
  }

  void find_hops() {
    const std::size_t count = facts_.size();
    std::vector<std::vector<int>> above(count);  // itself, then upwards
    for (std::size_t b = 0; b < count; ++b)
      for (int a = static_cast<int>(b); a >= 0; a = at(a).parent) above[b].push_back(a);
    hops_.assign(count * count, kFarHops);
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t b = 0; b < count; ++b) {
        std::size_t common = 0;
        while (common < std::min(above[a].size(), above[b].size()) &&
               above[a][above[a].size() - 1 - common] == above[b][above[b].size() - 1 - common])
          ++common;
        if (common == 0) continue;
        const auto way = static_cast<double>(above[a].size() + above[b].size() - 2 * common);
        hops_[a * count + b] = std::min(way, kFarHops);
      }
  }

  [[nodiscard]] bool is_above(int bone, int other) const {
    for (int a = at(other).parent; a >= 0; a = at(a).parent)
      if (a == bone) return true;
    return false;
  }

  void look_at(std::size_t v, Scratch& s) const {
    const std::size_t count = facts_.size();
    near_.find(prepared_.mesh.positions()[v], s.squares);
    s.distance.resize(count);
    for (std::size_t b = 0; b < count; ++b)
      s.distance[b] = std::max(std::sqrt(s.squares.of_bones[b]), kLeastLength);
    const auto spread = [&](const SkinWeights& weights, std::vector<double>& values) {
      values.assign(count, 0);
      if (v >= weights.vertex_count()) return;
      for (const Influence& each : weights.row(v))
        if (const int b = place_[each.bone]; b >= 0)
          values[static_cast<std::size_t>(b)] = each.weight;
    };
    spread(heat_, s.heat);
    spread(walk_, s.walk);
    s.order.resize(count);
    std::iota(s.order.begin(), s.order.end(), std::size_t{0});
    std::ranges::stable_sort(s.order, {}, [&](std::size_t b) { return s.distance[b]; });
    s.rank.resize(count);
    for (std::size_t k = 0; k < count; ++k) s.rank[s.order[k]] = k;
    s.key.resize(count);
    for (std::size_t b = 0; b < count; ++b)
      s.key[b] = std::max(s.heat[b], s.walk[b]) >= kNotableWeight ? -1 : s.distance[b];
    std::ranges::stable_sort(s.order, {}, [&](std::size_t b) { return s.key[b]; });
  }

  void describe(std::size_t v, Scratch& s, OwnerEvidence& evidence) const {
    look_at(v, s);
    for (std::size_t c = evidence.begin[v]; c < evidence.begin[v + 1]; ++c) {
      const std::size_t b = s.order[c - evidence.begin[v]];
      evidence.bone[c] = static_cast<std::uint32_t>(segments_.bones()[b]);
      float* next = evidence.features.data() + c * kOwnerFeatureCount;
      const auto add = [&](double value) { *next++ = static_cast<float>(value); };
      describe_place(v, b, s, add);
      describe_kin(v, b, s, add);
      describe_bone(v, b, s, add);
      describe_part(v, b, add);
      describe_weights(b, s, add);
      assert(next == evidence.features.data() + (c + 1) * kOwnerFeatureCount);
    }
  }

  template <class Add>
  void describe_place(std::size_t v, std::size_t b, const Scratch& s, const Add& add) const {
    const BoneFacts& bone = facts_[b];
    const Vec3& point = prepared_.mesh.positions()[v];
    const double distance = s.distance[b];
    double second = std::numeric_limits<double>::infinity();
    for (std::size_t other = 0; other < s.distance.size(); ++other)
      if (s.rank[other] == 1) second = s.distance[other];
    if (!std::isfinite(second)) second = distance;
    add(log_of(distance / least_[v]));
    add(log_of(distance / bone.girth));
    add(log_of(distance / bone.length));
    add(static_cast<double>(std::min(s.rank[b], kOwnerCandidates)) / kOwnerCandidates);
    add(log_of((s.rank[b] == 0 ? second : least_[v]) / distance));
    const Vec3 from_head = point - bone.head;
    const double along = from_head.dot(bone.axis);
    add(std::clamp(along / bone.length, -2.0, 3.0));
    add(std::clamp(-along / bone.girth, 0.0, kFarGirths));
    add(std::clamp((along - bone.length) / bone.girth, 0.0, kFarGirths));
    add(log_of((from_head - along * bone.axis).norm() / bone.girth));
    const BoneSegments::Nearest nearest = segments_.closest(point, segments_.bones()[b]);
    const Vec3 away = point - nearest.point;
    add(away.norm() > kNothing ? normal_[v].dot(away.normalized()) : 0);
    add(std::abs(normal_[v].dot(bone.axis)));
    add(prepared_.surface.visibility(static_cast<VertexIndex>(v), nearest.point));
  }

  template <class Add>
  void describe_kin(std::size_t v, std::size_t b, const Scratch& s, const Add& add) const {
    const BoneFacts& bone = facts_[b];
    const Vec3& point = prepared_.mesh.positions()[v];
    const auto past_cut = [&](const BoneFacts& of) {
      return std::clamp((point - of.head).dot(of.cut) / of.girth, -kFarGirths, kFarGirths);
    };
    const auto ratio = [&](double other) {
      return std::clamp(log_of(other / s.distance[b]), -kFarRatio, kFarRatio);
    };
    add(past_cut(bone));
    int child = -1;
    for (const int c : bone.children)
      if (child < 0 || distance_of(s, c) < distance_of(s, child)) child = c;
    add(child >= 0 ? past_cut(at(child)) : -kFarGirths);
    add(child >= 0 ? ratio(distance_of(s, child)) : kFarRatio);
    add(bone.parent >= 0 ? ratio(distance_of(s, bone.parent)) : kFarRatio);
    add(bone.parent >= 0 ? log_of(at(bone.parent).girth / bone.girth) : 0);
    add(bone.parent >= 0 ? log_of(at(bone.parent).length / bone.length) : 0);
    const auto near = static_cast<std::size_t>(nearest_[v]);
    add(hops_[near * facts_.size() + b]);
    add(is_above(static_cast<int>(b), nearest_[v]) ? 1 : 0);
    add(is_above(nearest_[v], static_cast<int>(b)) ? 1 : 0);
  }

  template <class Add>
  void describe_bone(std::size_t v, std::size_t b, const Scratch& s, const Add& add) const {
    const BoneFacts& bone = facts_[b];
    add(bone.children.empty() ? 1 : 0);
    add(static_cast<double>(std::min<std::size_t>(bone.children.size(), 6)));
    add(bone.depth);
    add(bone.subtree);
    add(log_of(bone.length / middle_length_));
    add(log_of(bone.length / bone.girth));
    add(log_of(bone.girth / middle_girth_));
    add(std::log(bone.share + kTraceOfWeight));
    add(bone.parent >= 0 ? 1 : 0);
    add(bone.children_are_leaves ? 1 : 0);
    add(log_of((prepared_.mesh.positions()[v] - bone.head).norm() / bone.girth));
    add(std::clamp(log_of(s.distance[b] / at(nearest_[v]).girth), -kFarRatio, kFarRatio));
  }

  template <class Add>
  void describe_part(std::size_t v, std::size_t b, const Add& add) const {
    const PartFacts& part = parts_[static_cast<std::size_t>(prepared_.parts.of_vertex[v])];
    const BoneFacts& bone = facts_[b];
    add(std::log(part.share + kTraceOfWeight));
    add(part.share_of[b]);
    add(part.largest_share);
    add(std::log(std::max(part.bones, 1.0)));
    add(log_of((bone.head - part.middle).norm() / part.radius));
    add(log_of(part.radius / bone.girth));
    add(log_of(part.radius / bone.length));
    add(log_of(part.distance_to[b] / part.least_distance));
    add(std::log(static_cast<double>(parts_.size())));
    add(std::log(static_cast<double>(facts_.size())));
  }

  template <class Add>
  void describe_weights(std::size_t b, const Scratch& s, const Add& add) const {
    for (const std::vector<double>* weights : {&s.heat, &s.walk}) {
      add((*weights)[b]);
      add(std::log((*weights)[b] + kTraceOfWeight));
      add((*weights)[b] > 0 && (*weights)[b] == std::ranges::max(*weights) ? 1 : 0);
    }
  }

  [[nodiscard]] BoneFacts& at(int bone) { return facts_[static_cast<std::size_t>(bone)]; }
  [[nodiscard]] const BoneFacts& at(int bone) const {
    return facts_[static_cast<std::size_t>(bone)];
  }
  [[nodiscard]] static double distance_of(const Scratch& s, int bone) {
    return s.distance[static_cast<std::size_t>(bone)];
  }

  const PreparedMesh& prepared_;
  const Skeleton& skeleton_;
  const BoneSegments& segments_;
  const SkinWeights& heat_;
  const SkinWeights& walk_;
  NearSegments near_;
  std::vector<int> place_;  // of each bone of the skeleton, in facts_; -1 without segments
  std::vector<BoneFacts> facts_;
  std::vector<PartFacts> parts_;
  std::vector<int> nearest_;   // of each vertex, by place in facts_
  std::vector<double> least_;  // the distance to it
  std::vector<Vec3> normal_;   // of each vertex
  std::vector<double> hops_;
  double skin_ = 0, middle_length_ = 1, middle_girth_ = 1;
};

}  // namespace

OwnerEvidence owner_evidence(const PreparedMesh& prepared, const Skeleton& skeleton,
                             const BoneSegments& bones, const SkinWeights& heat,
                             const SkinWeights& walk) {
  if (bones.bones().empty())
    return {std::vector<std::size_t>(prepared.mesh.vertex_count() + 1, 0), {}, {}};
  return Evidence(prepared, skeleton, bones, heat, walk).collect();
}

}  // namespace sinew
