// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/rig/part_links.h"

#include <algorithm>
#include <limits>
#include <map>
#include <queue>
#include <set>
#include <tuple>

#include "core/parallel.h"

namespace sinew {
namespace {

/// A vertex that sees less of its bone has something before it, be it as thin as a strand of hair.
constexpr double kSeesWell = 0.95;
/// Of two parts that see about as much of a bone, as left and right do, the first counts.
constexpr double kClearlyMore = 1.01;
/// Parts nearer than this touch: which of them is nearest is up to rounding, and must not decide.
constexpr double kTouchingRel = 2e-3;
constexpr double kAnywhere = std::numeric_limits<double>::infinity();
/// Places that are about as near as the nearest one share a link, less and less up to this much
/// farther: between two plates, rounding must not decide on which of them a rivet sits.
constexpr double kSharedLinkRel = 2e-3;
/// Of a part that floats, the vertices link that are about as near as the nearest.
constexpr double kGapMargin = 1.2;
/// Of the reach, from where on links lose their hold.
constexpr double kLosingHoldFrom = 0.75;
/// Of a link's weight: a part with one link hangs on it all the same.
constexpr double kLeastHold = 1e-3;
/// Enough to tell what a part is near to. A question passes over every triangle of its own part
/// that is nearer than the answer, so that asking for all vertices of a large part that floats
/// would take time quadratic in its size.
constexpr std::size_t kSampledVertices = 512;
constexpr std::size_t kQueryGrain = 64;         // vertices per task
constexpr std::size_t kQueriesAtATime = 16384;  // between two looks at whether to stop

/// What decides whether a part stands by itself.
struct PartFacts {
  double measure = 0;
  double seen = 0;  // the share of it that sees its nearest bone
  bool is_small = false;
  std::map<int, double> of_bone;       // measure of what is nearest to each bone
  std::map<int, double> seen_of_bone;  // the same of what sees it
};

/// A bone that is nearest to something, but to nothing that stands, would carry nothing: the part
/// that sees most of it stands, so that a head full of hair, teeth and eyes still has a skull. But
/// not for the few vertices of a brow that hair sees and skin, by a digit, does not: `least_seen`
/// of what is nearest to the bone.
void let_every_bone_have_a_part(const std::vector<PartFacts>& facts, double least_seen,
                                std::vector<bool>& stands) {
  std::map<int, double> nearest;
  for (const PartFacts& fact : facts)
    for (const auto& [bone, measure] : fact.of_bone) nearest[bone] += measure;
  std::map<int, std::pair<double, std::size_t>> best;  // of each bone: how much sees it, which part
  std::set<int> served;
  for (std::size_t part = 0; part < facts.size(); ++part)
    for (const auto& [bone, seen] : facts[part].seen_of_bone) {
      if (stands[part]) served.insert(bone);
      const auto [entry, is_new] = best.try_emplace(bone, seen, part);
      if (!is_new && seen > kClearlyMore * entry->second.first) entry->second = {seen, part};
    }
  for (const auto& [bone, most] : best)
    if (!served.contains(bone) && most.first >= least_seen * nearest[bone])
      stands[most.second] = true;
}

std::vector<PartFacts> describe_parts(const PreparedMesh& prepared, const BoneSegments& bones,
                                      const BoneCells& cells, double small_rel) {
  std::vector<PartFacts> facts;
  for (const std::vector<VertexIndex>& members : prepared.parts.members) {
    PartFacts fact;
    Box box;
    for (const VertexIndex v : members) {
      const double measure = prepared.graph.vertex_measure[v];
      fact.measure += measure;
      if (cells.visibility[v] > kSeesWell) {
        fact.seen += measure;
        fact.seen_of_bone[cells.nearest[v]] += measure;
      }
      fact.of_bone[cells.nearest[v]] += measure;
      box.extend(prepared.mesh.positions()[v]);
    }
    fact.seen = fact.measure > 0 ? fact.seen / fact.measure : 0;
    double reach = 0;  // the mean length of the bones that it is nearest to
    for (const auto& [bone, measure] : fact.of_bone)
      reach +=
          bones.length(bone) * (fact.measure > 0 ? measure / fact.measure
                                                 : 1 / static_cast<double>(fact.of_bone.size()));
    fact.is_small = box.diagonal().norm() < small_rel * reach;
    facts.push_back(fact);
  }
  return facts;
}

/// At most so many vertices of a part, evenly over their order.
std::vector<VertexIndex> sample(const std::vector<VertexIndex>& members) {
  const std::size_t step = (members.size() + kSampledVertices - 1) / kSampledVertices;
  std::vector<VertexIndex> sampled;
  for (std::size_t m = 0; m < members.size(); m += step) sampled.push_back(members[m]);
  return sampled;
}

/// Lets links hold less and less towards the end of the reach, and leaves out what is beyond.
void lose_hold(std::vector<VertexLink>& links, double reach) {
  std::erase_if(links, [&](const VertexLink& link) { return link.distance > reach; });
  for (VertexLink& link : links)
    if (link.distance > 0)
      link.hold = std::clamp((1 - link.distance / reach) / (1 - kLosingHoldFrom), kLeastHold, 1.0);
}

/// Finds hosts by growing a forest from the parts that stand, always by the smallest gap.
class HostSearch {
 public:
  HostSearch(const PreparedMesh& prepared, const std::vector<bool>& stands)
      : prepared_(prepared),
        place_(stands.size(), kNowhere),
        nearest_(prepared.mesh.vertex_count()) {
    for (std::size_t part = 0; part < stands.size(); ++part)
      if (stands[part]) place_[part] = 0;
    for (const Triangle& triangle : prepared.surface.triangles())
      part_of_triangle_.push_back(prepared.parts.of_vertex[triangle[0]]);
  }

  Result<std::vector<PartLink>> run(const Progress& progress) {
    SINEW_TRY(const std::vector<GapsOfPart> gaps, gaps_between_parts(progress.within(0, 0.5)));
    for (std::size_t part = 0; part < gaps.size(); ++part)
      if (place_[part] == 0) offer_neighbours(static_cast<int>(part), gaps);
    grow(gaps);
    // What is left is near to nothing but its own kind: link it to whatever else is nearest.
    for (std::size_t part = 0; part < place_.size(); ++part) {
      if (place_[part] != kNowhere) continue;
      SINEW_CHECK(progress.checkpoint("parts", 0.5));
      offers_.push(nearest_placed(static_cast<int>(part)));
      grow(gaps);
    }
    return std::move(order_);
  }

  /// Gives every link its vertices: those within reach of the parts that were placed before, and
  /// at the least those that are about as near as the nearest.
  Status link_vertices(std::vector<PartLink>& links, double contact,
                       const Progress& progress) const {
    std::vector<Asked> asked;
    for (std::size_t l = 0; l < links.size(); ++l)
      for (const VertexIndex v : members_of(links[l].part)) asked.push_back({l, v});
    SINEW_CHECK(link_asked(asked, kGapMargin * contact, links, progress.within(0, 0.8)));
    asked.clear();
    for (std::size_t l = 0; l < links.size(); ++l)
      if (links[l].links.empty())
        for (const VertexIndex v : sample(members_of(links[l].part))) asked.push_back({l, v});
    SINEW_CHECK(link_asked(asked, kAnywhere, links, progress.within(0.8, 1)));
    for (PartLink& link : links) {
      double nearest = kAnywhere;
      for (const VertexLink& each : link.links) nearest = std::min(nearest, each.distance);
      if (nearest > contact) link.gap = nearest;
      lose_hold(link.links, std::max(contact, kGapMargin * nearest));
    }
    return {};
  }

 private:
  static constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();
  using Offer = std::tuple<double, int, int>;  // gap, part, host
  using GapsOfPart = std::map<int, double>;    // to each other part that is somewhere the nearest

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

  struct Asked {
    std::size_t link = 0;
    VertexIndex vertex = 0;
  };

  /// Appends what is found to the links that asked for it.
  [[nodiscard]] Status link_asked(const std::vector<Asked>& asked, double reach,
                                  std::vector<PartLink>& links, const Progress& progress) const {
    for (std::size_t first = 0; first < asked.size(); first += kQueriesAtATime) {
      SINEW_CHECK(progress.checkpoint(
          "parts", static_cast<double>(first) / static_cast<double>(asked.size())));
      std::vector<std::optional<VertexLink>> found(std::min(kQueriesAtATime, asked.size() - first));
      parallel_for(
          found.size(),
          [&](std::size_t q) {
            const auto& [link, vertex] = asked[first + q];
            found[q] = link_to_earlier(links[link].part, vertex, reach);
          },
          kQueryGrain);
      for (std::size_t q = 0; q < found.size(); ++q)
        if (found[q]) links[asked[first + q].link].links.push_back(std::move(*found[q]));
    }
    return {};
  }

  /// Of a vertex of a part, the link to parts that come before it.
  [[nodiscard]] std::optional<VertexLink> link_to_earlier(int part, VertexIndex vertex,
                                                          double reach) const {
    const auto comes_before = [&](std::size_t triangle) {
      return place_of(part_of_triangle_[triangle]) < place_of(part);
    };
    const Vec3& position = prepared_.mesh.positions()[vertex];
    double distance = 0;
    if (const OtherPart& other = nearest_[vertex];
        other.part >= 0 && place_of(other.part) < place_of(part)) {
      distance = other.distance;
      if (distance > reach) return std::nullopt;
    } else {
      const auto nearest = prepared_.surface.closest_point(position, reach, comes_before);
      if (!nearest) return std::nullopt;
      distance = nearest->distance;
    }
    return VertexLink{vertex,
                      ends_of_link(prepared_.surface.points_within(
                                       position, distance + kSharedLinkRel, comes_before),
                                   distance),
                      distance};
  }

  [[nodiscard]] std::vector<LinkEnd> ends_of_link(const std::vector<SurfacePoint>& points,
                                                  double nearest) const {
    std::map<VertexIndex, double> shares;
    double all = 0;
    for (const SurfacePoint& point : points) {
      const double farther = (point.distance - nearest) / kSharedLinkRel;
      const double share = std::max(0.0, (1 - farther) / (1 + farther));
      const Triangle& corners = prepared_.surface.triangles()[point.triangle];
      for (std::size_t c = 0; c < 3; ++c) shares[corners[c]] += share * point.barycentric[c];
      all += share;
    }
    std::vector<LinkEnd> ends;
    for (const auto& [vertex, share] : shares)
      if (share > 0) ends.push_back({vertex, share / all});
    return ends;
  }

  /// Asks for vertices of every part that does not stand, and notes what is nearest both ways.
  [[nodiscard]] Result<std::vector<GapsOfPart>> gaps_between_parts(const Progress& progress) {
    std::vector<std::pair<int, VertexIndex>> asked;
    for (std::size_t part = 0; part < place_.size(); ++part)
      if (place_[part] != 0)
        for (const VertexIndex v : sample(members_of(static_cast<int>(part))))
          asked.emplace_back(static_cast<int>(part), v);
    std::vector<GapsOfPart> gaps(place_.size());
    for (std::size_t first = 0; first < asked.size(); first += kQueriesAtATime) {
      SINEW_CHECK(progress.checkpoint(
          "parts", static_cast<double>(first) / static_cast<double>(asked.size())));
      std::vector<std::optional<SurfacePoint>> found(
          std::min(kQueriesAtATime, asked.size() - first));
      parallel_for(
          found.size(),
          [&](std::size_t q) {
            const auto& [part, v] = asked[first + q];
            found[q] = closest_where(v, kAnywhere, [&](int other) { return other != part; });
          },
          kQueryGrain);
      for (std::size_t q = 0; q < found.size(); ++q) {
        if (!found[q]) continue;
        const int part = asked[first + q].first;
        const int other = part_of_triangle_[found[q]->triangle];
        const double distance = found[q]->distance;
        nearest_[asked[first + q].second] = {other, distance};
        for (const auto& [from, to] : {std::pair(part, other), std::pair(other, part)}) {
          GapsOfPart& of_part = gaps[static_cast<std::size_t>(from)];
          double& gap = of_part.try_emplace(to, distance).first->second;
          gap = distance < kTouchingRel ? 0 : std::min(gap, distance);
        }
      }
    }
    return gaps;
  }

  void offer_neighbours(int host, const std::vector<GapsOfPart>& gaps) {
    for (const auto& [part, gap] : gaps[static_cast<std::size_t>(host)])
      if (place_of(part) == kNowhere) offers_.push({gap, part, host});
  }

  void grow(const std::vector<GapsOfPart>& gaps) {
    while (!offers_.empty()) {
      const auto [gap, part, host] = offers_.top();
      offers_.pop();
      if (place_of(part) != kNowhere) continue;
      order_.push_back({part, host, gap, false, {}});
      place_[static_cast<std::size_t>(part)] = order_.size();
      offer_neighbours(part, gaps);
    }
  }

  [[nodiscard]] Offer nearest_placed(int part) const {
    const std::vector<VertexIndex> vertices = sample(members_of(part));
    std::vector<std::optional<SurfacePoint>> found(vertices.size());
    parallel_for(
        vertices.size(),
        [&](std::size_t v) {
          found[v] = closest_where(vertices[v], kAnywhere,
                                   [&](int other) { return place_of(other) != kNowhere; });
        },
        kQueryGrain);
    Offer nearest{std::numeric_limits<double>::infinity(), part, -1};
    for (const std::optional<SurfacePoint>& point : found)
      if (point && point->distance < std::get<0>(nearest))
        nearest = {point->distance, part, part_of_triangle_[point->triangle]};
    return nearest;
  }

  const PreparedMesh& prepared_;
  std::vector<int> part_of_triangle_;
  std::vector<std::size_t> place_;  // 0 for parts that stand, then the order of linking
  struct OtherPart {
    int part = -1;  // none where nobody has asked
    double distance = 0;
  };
  std::vector<OtherPart> nearest_;  // to each vertex
  std::vector<PartLink> order_;
  std::priority_queue<Offer, std::vector<Offer>, std::greater<>> offers_;
};

}  // namespace

Result<std::vector<PartLink>> find_part_links(const PreparedMesh& prepared,
                                              const BoneSegments& bones, const BoneCells& cells,
                                              const PartLinkOptions& options,
                                              const Progress& progress) {
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
  let_every_bone_have_a_part(facts, options.seen_share, stands);
  if (largest < 0) return std::vector<PartLink>{};  // strands alone: each stands by itself
  if (!any_stands) stands[static_cast<std::size_t>(largest)] = true;

  HostSearch search(prepared, stands);
  SINEW_TRY(std::vector<PartLink> links, search.run(progress.within(0, 0.5)));
  for (PartLink& link : links) link.is_small = facts[static_cast<std::size_t>(link.part)].is_small;
  SINEW_CHECK(search.link_vertices(links, options.contact_rel, progress.within(0.5, 1)));
  return links;
}

}  // namespace sinew
