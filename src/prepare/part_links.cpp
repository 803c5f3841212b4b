// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/prepare/part_links.h"

#include <algorithm>
#include <limits>
#include <map>
#include <queue>
#include <set>
#include <tuple>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

constexpr double kAnywhere = 4;  // farther than any two points of a mesh of unit diagonal
/// Vertices link up to this much beyond the gap of a part that floats.
constexpr double kGapMargin = 1.2;
constexpr std::size_t kQueryGrain = 64;

/// What decides whether a part stands by itself.
struct PartFacts {
  double measure = 0;
  double seen = 0;  // the share of it that sees its nearest bone
  bool is_small = false;
  std::map<int, double> seen_of_bone;  // measure of what is nearest to each bone and sees it
};

/// A bone that is nearest to something, but to nothing that stands, would carry nothing: the part
/// that sees most of it stands, so that a head full of hair, teeth and eyes still has a skull.
void let_every_bone_have_a_part(const std::vector<PartFacts>& facts, std::vector<bool>& stands) {
  std::map<int, std::pair<double, std::size_t>> best;  // of each bone: how much sees it, which part
  std::set<int> served;
  for (std::size_t part = 0; part < facts.size(); ++part)
    for (const auto& [bone, seen] : facts[part].seen_of_bone) {
      if (stands[part]) served.insert(bone);
      const auto [entry, is_new] = best.try_emplace(bone, seen, part);
      if (!is_new && seen > entry->second.first) entry->second = {seen, part};
    }
  for (const auto& [bone, most] : best)
    if (!served.contains(bone)) stands[most.second] = true;
}

std::vector<PartFacts> describe_parts(const PreparedMesh& prepared, const BoneSegments& bones,
                                      const BoneCells& cells, double small_rel) {
  std::vector<PartFacts> facts;
  for (const std::vector<VertexIndex>& members : prepared.parts.members) {
    PartFacts fact;
    Box box;
    std::map<int, double> measure_of_bone;
    for (const VertexIndex v : members) {
      const double measure = prepared.graph.vertex_measure[v];
      fact.measure += measure;
      if (cells.is_seen[v]) {
        fact.seen += measure;
        fact.seen_of_bone[cells.nearest[v]] += measure;
      }
      measure_of_bone[cells.nearest[v]] += measure;
      box.extend(prepared.mesh.positions()[v]);
    }
    fact.seen = fact.measure > 0 ? fact.seen / fact.measure : 0;
    const auto main_bone =
        std::max_element(measure_of_bone.begin(), measure_of_bone.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    fact.is_small = box.diagonal().norm() < small_rel * bones.length(main_bone->first);
    facts.push_back(fact);
  }
  return facts;
}

/// Finds hosts by growing a forest from the parts that stand, always by the smallest gap.
class HostSearch {
 public:
  HostSearch(const PreparedMesh& prepared, const std::vector<bool>& stands)
      : prepared_(prepared), place_(stands.size(), kNowhere) {
    for (std::size_t part = 0; part < stands.size(); ++part)
      if (stands[part]) place_[part] = 0;
    for (const Triangle& triangle : prepared.surface.triangles())
      part_of_triangle_.push_back(prepared.parts.of_vertex[triangle[0]]);
  }

  std::vector<PartLink> run() {
    std::vector<std::map<int, double>> gaps = gaps_between_parts();
    for (std::size_t part = 0; part < gaps.size(); ++part)
      if (place_[part] == 0) offer_neighbours(static_cast<int>(part), gaps);
    grow(gaps);
    // What is left is near to nothing but its own kind: link it to whatever is nearest.
    for (std::size_t part = 0; part < place_.size(); ++part) {
      if (place_[part] != kNowhere) continue;
      const auto [host, gap] = nearest_placed(static_cast<int>(part));
      offers_.push({gap, static_cast<int>(part), host});
      grow(gaps);
    }
    return std::move(order_);
  }

  /// The closest points of the parts that were placed before this one.
  void link_vertices(PartLink& link, double contact) const {
    const double reach = std::max(contact, kGapMargin * link.gap);
    const std::vector<VertexIndex>& members = members_of(link.part);
    std::vector<std::optional<SurfacePoint>> found(members.size());
    parallel_for(
        members.size(),
        [&](std::size_t m) {
          found[m] = closest_where(
              members[m], reach, [&](int other) { return place_of(other) < place_of(link.part); });
        },
        kQueryGrain);
    for (std::size_t m = 0; m < members.size(); ++m)
      if (found[m])
        link.links.push_back({members[m], prepared_.surface.triangles()[found[m]->triangle],
                              found[m]->barycentric, found[m]->distance});
  }

 private:
  static constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();
  using Offer = std::tuple<double, int, int>;  // gap, part, host

  [[nodiscard]] const std::vector<VertexIndex>& members_of(int part) const {
    return prepared_.parts.members[static_cast<std::size_t>(part)];
  }
  [[nodiscard]] std::size_t place_of(int part) const {
    return place_[static_cast<std::size_t>(part)];
  }

  template <class Accept>
  [[nodiscard]] std::optional<SurfacePoint> closest_where(VertexIndex v, double radius,
                                                          const Accept& accept) const {
    return prepared_.surface.closest_point(
        prepared_.mesh.positions()[v], radius,
        [&](std::size_t triangle) { return accept(part_of_triangle_[triangle]); });
  }

  /// Of every part that does not stand: the gap to each part that one of its vertices is nearest
  /// to. Both ways.
  [[nodiscard]] std::vector<std::map<int, double>> gaps_between_parts() const {
    std::vector<std::map<int, double>> gaps(place_.size());
    for (std::size_t part = 0; part < place_.size(); ++part) {
      if (place_[part] == 0) continue;
      const std::vector<VertexIndex>& members = members_of(static_cast<int>(part));
      std::vector<std::optional<SurfacePoint>> found(members.size());
      parallel_for(
          members.size(),
          [&](std::size_t m) {
            found[m] = closest_where(members[m], kAnywhere,
                                     [&](int other) { return other != static_cast<int>(part); });
          },
          kQueryGrain);
      for (const std::optional<SurfacePoint>& point : found) {
        if (!point) continue;
        const int other = part_of_triangle_[point->triangle];
        const auto note = [&](int from, int to) {
          double& gap =
              gaps[static_cast<std::size_t>(from)].try_emplace(to, point->distance).first->second;
          gap = std::min(gap, point->distance);
        };
        note(static_cast<int>(part), other);
        note(other, static_cast<int>(part));
      }
    }
    return gaps;
  }

  void offer_neighbours(int host, const std::vector<std::map<int, double>>& gaps) {
    for (const auto& [part, gap] : gaps[static_cast<std::size_t>(host)])
      if (place_of(part) == kNowhere) offers_.push({gap, part, host});
  }

  void grow(const std::vector<std::map<int, double>>& gaps) {
    while (!offers_.empty()) {
      const auto [gap, part, host] = offers_.top();
      offers_.pop();
      if (place_of(part) != kNowhere) continue;
      order_.push_back({part, host, gap, false, {}});
      place_[static_cast<std::size_t>(part)] = order_.size();
      offer_neighbours(part, gaps);
    }
  }

  [[nodiscard]] std::pair<int, double> nearest_placed(int part) const {
    std::pair<int, double> nearest{-1, std::numeric_limits<double>::infinity()};
    for (const VertexIndex v : members_of(part)) {
      const std::optional<SurfacePoint> point =
          closest_where(v, kAnywhere, [&](int other) { return place_of(other) != kNowhere; });
      if (point && point->distance < nearest.second)
        nearest = {part_of_triangle_[point->triangle], point->distance};
    }
    return nearest;
  }

  const PreparedMesh& prepared_;
  std::vector<int> part_of_triangle_;
  std::vector<std::size_t> place_;  // 0 for parts that stand, then the order of linking
  std::vector<PartLink> order_;
  std::priority_queue<Offer, std::vector<Offer>, std::greater<>> offers_;
};

}  // namespace

std::vector<PartLink> find_part_links(const PreparedMesh& prepared, const BoneSegments& bones,
                                      const BoneCells& cells, const PartLinkOptions& options) {
  const std::vector<PartFacts> facts = describe_parts(prepared, bones, cells, options.small_rel);
  // Only what has a surface can be sat on, and one such part must stand.
  std::vector<bool> has_surface(facts.size(), false);
  for (const Triangle& triangle : prepared.surface.triangles())
    has_surface[static_cast<std::size_t>(prepared.parts.of_vertex[triangle[0]])] = true;
  std::vector<bool> stands(facts.size(), true);
  int largest = -1;
  bool any_stands = false;
  for (std::size_t part = 0; part < facts.size(); ++part) {
    stands[part] = facts[part].seen >= options.seen_share && !facts[part].is_small;
    any_stands = any_stands || (stands[part] && has_surface[part]);
    if (has_surface[part] &&
        (largest < 0 || facts[part].measure > facts[static_cast<std::size_t>(largest)].measure))
      largest = static_cast<int>(part);
  }
  let_every_bone_have_a_part(facts, stands);
  if (largest < 0) return {};  // strands alone: each stands by itself
  if (!any_stands) stands[static_cast<std::size_t>(largest)] = true;

  HostSearch search(prepared, stands);
  std::vector<PartLink> links = search.run();
  for (PartLink& link : links) {
    link.is_small = facts[static_cast<std::size_t>(link.part)].is_small;
    search.link_vertices(link, options.contact_rel);
  }
  return links;
}

}  // namespace sinew
