// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/arap/finish_weights.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "core/disjoint_sets.h"
#include "core/parallel.h"

namespace sinew {
namespace {

/// A weight below this is as good as nothing and need not be held.
constexpr double kNothing = 1e-6;
/// A held weight above this is pulled up: what holds it is stiff, and yields by no more.
constexpr double kPulledUp = 1e-9;
/// Of two patches about as heavy, as those of a bone in the plane between left and right, both
/// stay.
constexpr double kAsHeavy = 0.999;
/// Of two parts about as large, as the halves of something, both are the body.
constexpr double kAsLarge = 0.999;
constexpr int kEvenOutRounds = 4;
/// Of the length below which weights are evened out: in the last round, only shorter edges.
constexpr double kShortestEdges = 1.0 / 3;
constexpr double kMostEvened = 0.5;
constexpr double kTrace = 1e-3;       // what clipping takes of a weight without changing its vertex
constexpr double kMostClipped = 0.1;  // more moves its vertex visibly
/// A last round that would go less of its way than this is left out.
constexpr double kLeastReach = 0.1;
/// Of the weights, by area: so many in patches apart are left to clipping at the end, and no more,
/// or hair has patches all over: docs/decisions/capping.md.
constexpr double kFewStrays = 0.0005;
/// The same of those clearly below zero.
constexpr double kFewBelowZero = 0.004;
constexpr std::size_t kEvenOutGrain = 256;  // vertices per task
constexpr std::size_t kPatchGrain = 1024;   // the same
/// Of a vertex's weight: where more is of patches apart, as on strands of hair down both sides,
/// they are no strays, and to put all on the strongest bone would tear the strand. On a body, where
/// more holds it all around, a patch has to carry more to stay: docs/decisions/capping.md.
constexpr double kMostStray = 0.25;
constexpr double kMostStrayOnBody = 0.5;

/// Makes a vertex's choice, places in maps.bones, one that fits its image, whose own is in `kept`
/// if it came before; in the plane, a bone goes whose image was cut off.
void keep_images(const WeightProblem& problem, std::size_t vertex, const InfluenceMaps& kept,
                 std::vector<std::size_t>& chosen) {
  const InfluenceMaps& maps = problem.maps;
  const Mirror& mirror = *problem.mirror;
  const int image = mirror.vertex[vertex];
  if (image < 0 || image > static_cast<int>(vertex)) return;
  const auto place_of_image = [&](std::uint32_t bone) {
    return *maps.find(vertex, static_cast<std::uint32_t>(mirror.bone[bone]));
  };
  if (image < static_cast<int>(vertex)) {
    chosen.clear();
    for (const std::uint32_t bone : kept.bones_of(static_cast<std::size_t>(image)))
      chosen.push_back(place_of_image(bone));
    return;
  }
  std::vector<std::size_t> whole;
  for (const std::size_t place : chosen)
    if (std::ranges::find(chosen, place_of_image(maps.bones[place])) != chosen.end())
      whole.push_back(place);
  if (!whole.empty()) chosen = std::move(whole);
}

/// Each vertex's strongest bones, without strays and those below zero, scaled to one. What has an
/// image keeps the images of what that keeps.
InfluenceMaps strongest(const WeightProblem& problem, const std::vector<double>& weights,
                        const std::vector<bool>& strays, std::size_t most, std::size_t& dropped) {
  const InfluenceMaps& maps = problem.maps;
  InfluenceMaps kept;
  kept.bone_count = maps.bone_count;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < maps.vertex_count(); ++i) {
    order.clear();
    for (std::size_t b = maps.begin[i]; b < maps.begin[i + 1]; ++b)
      if (!strays[b]) order.push_back(b);
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return weights[a] > weights[b] || (weights[a] == weights[b] && a < b);
    });
    std::size_t positive = 1;
    while (positive < order.size() && weights[order[positive]] > kNothing) ++positive;
    dropped += positive > most ? positive - most : 0;
    order.resize(std::min(positive, most));
    if (problem.mirror) keep_images(problem, i, kept, order);
    std::sort(order.begin(), order.end());
    double sum = 0;
    for (const std::size_t b : order) sum += weights[b];
    for (const std::size_t b : order) {
      kept.bones.push_back(maps.bones[b]);
      kept.weights.push_back(weights[b] / sum);
    }
    kept.begin.push_back(kept.bones.size());
  }
  return kept;
}

/// Weights that are held at zero because they went below it, or strayed.
class Bounds {
 public:
  /// Holds what is below zero and not held yet, and for good what strays, by place in maps.bones.
  Status hold(WeightSolver& solver, const std::vector<bool>& strays) {
    const InfluenceMaps& maps = solver.problem().maps;
    std::vector<WeightConstraint> added;  // at once, since the factor may have to be made anew
    for (std::size_t i = 0; i < maps.vertex_count(); ++i)
      for (std::size_t b = maps.begin[i]; b < maps.begin[i + 1]; ++b) {
        const WeightConstraint at_zero{static_cast<std::uint32_t>(i), maps.bones[b], 0,
                                       paper_stiffness(solver.problem(), i)};
        if (strays_.contains(b)) continue;
        if (strays[b]) {
          strays_.insert(b);
          if (held_.erase(b) == 0) added.push_back(at_zero);
        } else if (solver.weights()[b] < -kNothing && held_.emplace(b, at_zero).second) {
          added.push_back(at_zero);
        }
      }
    return solver.add_constraints(added);
  }

  /// Whether so few weights would have to be held as well that it is not worth a round.
  [[nodiscard]] bool lacks_little(const WeightSolver& solver,
                                  const std::vector<bool>& strays) const {
    const std::vector<double>& weights = solver.weights();
    const InfluenceMaps& maps = solver.problem().maps;
    double straying = 0;
    double below = 0;
    double all = 0;
    for (std::size_t i = 0; i < maps.vertex_count(); ++i) {
      const double measure = solver.problem().graph.vertex_measure[i];
      for (std::size_t b = maps.begin[i]; b < maps.begin[i + 1]; ++b) {
        if (strays[b] && !strays_.contains(b)) straying += measure;
        if (weights[b] < -kTrace) below += measure;
        if (weights[b] < -kMostClipped) return false;
        all += measure;
      }
    }
    return straying <= kFewStrays * all && below <= kFewBelowZero * all;
  }

  /// Lets go what is pulled above zero. A solve has to follow, since it may dip again.
  Status let_go(WeightSolver& solver) {
    std::vector<WeightConstraint> removed;
    std::erase_if(held_, [&](const auto& held) {
      if (!(solver.weights()[held.first] > kPulledUp)) return false;
      removed.push_back(held.second);
      return true;
    });
    return solver.remove_constraints(removed);
  }

 private:
  std::map<std::size_t, WeightConstraint> held_;  // by place in maps.bones
  std::set<std::size_t> strays_;                  // places in maps.bones
};

/// Moves each weight towards the mean of its neighbours', by up to a half on the shortest edges. A
/// vertex keeps its bones, and its sum.
void even_out(const WeightProblem& problem, double longest, std::vector<double>& weights) {
  const InfluenceMaps& maps = problem.maps;
  for (int round = 0; round < kEvenOutRounds; ++round) {
    const double below = round + 1 < kEvenOutRounds ? longest : kShortestEdges * longest;
    std::vector<double> evened = weights;
    parallel_for(
        maps.vertex_count(),
        [&](std::size_t i) {
          if (maps.bones_of(i).size() < 2) return;
          std::vector<VertexIndex> neighbours;  // not what sits on it: that weighs nothing for it
          double length = 0;
          for (std::size_t e = problem.graph.begin[i]; e < problem.graph.begin[i + 1]; ++e) {
            if (!(problem.graph.edge_measure[e] > 0)) continue;
            neighbours.push_back(problem.graph.neighbours[e]);
            length += (problem.positions[neighbours.back()] - problem.positions[i]).norm();
          }
          if (neighbours.empty()) return;
          length /= static_cast<double>(neighbours.size());
          const double strength = kMostEvened * (1 - length / below);
          if (!(strength > 0)) return;
          double sum = 0;
          for (std::size_t b = maps.begin[i]; b < maps.begin[i + 1]; ++b) {
            double mean = 0;
            for (const VertexIndex k : neighbours)
              if (const auto there = maps.find(k, maps.bones[b])) mean += weights[*there];
            mean /= static_cast<double>(neighbours.size());
            evened[b] = std::max(0.0, std::lerp(weights[b], mean, strength));
            sum += evened[b];
          }
          for (std::size_t b = maps.begin[i]; b < maps.begin[i + 1]; ++b)
            evened[b] = sum > 0 ? evened[b] / sum : weights[b];
        },
        kEvenOutGrain);
    weights = std::move(evened);
  }
}

/// Weights as rows, one after the other.
struct Rows {
  std::vector<std::size_t> begin{0};
  std::vector<Influence> influences;

  [[nodiscard]] SkinWeights mended(std::size_t bone_count) && {
    return SkinWeights::mend(bone_count, std::move(begin), std::move(influences));
  }
};

SkinWeights delivered(const WeightProblem& problem, const std::vector<double>& weights) {
  const InfluenceMaps& maps = problem.maps;
  Rows rows;
  rows.begin.reserve(maps.begin.size());
  rows.influences.reserve(weights.size());
  for (std::size_t i = 0; i < maps.vertex_count(); ++i) {
    for (std::size_t b = maps.begin[i]; b < maps.begin[i + 1]; ++b)
      if (weights[b] > 0) rows.influences.push_back({maps.bones[b], weights[b]});
    rows.begin.push_back(rows.influences.size());
  }
  SkinWeights result = std::move(rows).mended(maps.bone_count);
  if (!problem.mirror) return result;
  // Scaling adds up in the order of the bones, which is another one on the other side.
  Rows same;
  same.begin.reserve(maps.begin.size());
  same.influences.reserve(result.influence_count());
  for (std::size_t i = 0; i < maps.vertex_count(); ++i) {
    const int image = problem.mirror->vertex[i];
    const bool is_image = image >= 0 && image < static_cast<int>(i);
    for (const Influence& influence : result.row(is_image ? static_cast<std::size_t>(image) : i))
      same.influences.push_back(
          {is_image ? static_cast<std::uint32_t>(problem.mirror->bone[influence.bone])
                    : influence.bone,
           influence.weight});
    if (is_image)
      std::ranges::sort(same.influences.begin() + static_cast<std::ptrdiff_t>(same.begin.back()),
                        same.influences.end(), {}, &Influence::bone);
    same.begin.push_back(same.influences.size());
  }
  return std::move(same).mended(maps.bone_count);
}

/// Of each weight that counts, whether it is of a patch apart from its bone's main one on that
/// part.
std::vector<unsigned char> apart_from_main(const WeightProblem& problem,
                                           const std::vector<double>& weights,
                                           const std::vector<int>& parts) {
  const InfluenceMaps& maps = problem.maps;
  const auto counts = [&](std::size_t place) { return weights[place] > kPatchWeight; };
  DisjointSets patches(maps.bones.size());  // the first place of a patch stands for it
  const auto join = [&](std::size_t i, std::size_t k) {
    if (parts[k] != parts[i]) return;
    std::size_t there = maps.begin[k];
    for (std::size_t here = maps.begin[i]; here < maps.begin[i + 1]; ++here) {
      while (there < maps.begin[k + 1] && maps.bones[there] < maps.bones[here]) ++there;
      if (there == maps.begin[k + 1]) return;
      if (maps.bones[there] != maps.bones[here] || !counts(here) || !counts(there)) continue;
      patches.join(here, there);
    }
  };
  // Edges within a chunk first, which touch nothing outside of it.
  const auto chunk_begin = [](std::size_t i) { return i / kPatchGrain * kPatchGrain; };
  parallel_for_chunks(maps.vertex_count(), kPatchGrain, [&](ChunkRange range) {
    for (std::size_t i = range.begin; i != range.end; ++i)
      for (const VertexIndex k : problem.graph.neighbours_of(i))
        if (k < i && k >= range.begin) join(i, k);
  });
  for (std::size_t i = 0; i < maps.vertex_count(); ++i)
    for (const VertexIndex k : problem.graph.neighbours_of(i))
      if (k < chunk_begin(i)) join(i, k);
  std::vector<double> mass(maps.bones.size(), 0);  // of patches
  const auto for_counting = [&](const auto& use) {
    for (std::size_t i = 0; i < maps.vertex_count(); ++i)
      for (std::size_t place = maps.begin[i]; place < maps.begin[i + 1]; ++place)
        if (counts(place)) use(i, place, patches.find(place));
  };
  for_counting([&](std::size_t i, std::size_t place, std::uint32_t patch) {
    mass[patch] += weights[place] * problem.graph.vertex_measure[i];
  });
  std::map<std::pair<int, std::uint32_t>, double> heaviest;  // of each part, and bone on it
  for_counting([&](std::size_t i, std::size_t place, std::uint32_t patch) {
    if (patch != place) return;
    double& most = heaviest[{parts[i], maps.bones[place]}];
    most = std::max(most, mass[patch]);
  });
  std::vector<unsigned char> is_apart(maps.bones.size(), 0);  // from its bone's main patch
  for_counting([&](std::size_t i, std::size_t place, std::uint32_t patch) {
    if (patch == place)
      is_apart[place] = mass[patch] < kAsHeavy * heaviest.at({parts[i], maps.bones[place]});
    else
      is_apart[place] = is_apart[patch];  // which came before
  });
  return is_apart;
}

/// Whether each vertex, or its image, is of the part with the largest measure or of one about as
/// large.
std::vector<bool> find_body(const WeightProblem& problem, const std::vector<int>& parts) {
  std::map<int, double> measures;
  auto last = measures.end();  // parts come in runs
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] < 0) continue;
    if (last == measures.end() || last->first != parts[i])
      last = measures.try_emplace(parts[i], 0).first;
    last->second += problem.graph.vertex_measure[i];
  }
  double largest = 0;
  for (const auto& [part, measure] : measures) largest = std::max(largest, measure);
  std::erase_if(measures, [&](const auto& of_part) { return of_part.second < kAsLarge * largest; });
  const auto is_of_body = [&](std::size_t i) { return measures.contains(parts[i]); };
  std::vector<bool> is_body(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const int image = problem.mirror ? problem.mirror->vertex[i] : -1;
    is_body[i] = is_of_body(i) || (image >= 0 && is_of_body(static_cast<std::size_t>(image)));
  }
  return is_body;
}

/// Of delivered weights, those beside maps.bones; zero where a vertex has no such bone any more.
std::vector<double> beside(const InfluenceMaps& maps, const SkinWeights& weights) {
  std::vector<double> values;
  values.reserve(maps.bones.size());
  for (std::size_t i = 0; i < maps.vertex_count(); ++i) {
    const auto row = weights.row(i);
    auto at = row.begin();
    for (const std::uint32_t bone : maps.bones_of(i)) {
      const bool has = at != row.end() && at->bone == bone;
      values.push_back(has ? (at++)->weight : 0);
    }
  }
  return values;
}

}  // namespace

std::vector<bool> find_strays(const WeightProblem& problem, const std::vector<double>& weights,
                              const std::vector<int>& parts) {
  const InfluenceMaps& maps = problem.maps;
  const std::vector<unsigned char> is_apart = apart_from_main(problem, weights, parts);
  const std::vector<bool> is_body = find_body(problem, parts);
  std::vector<bool> strays(maps.bones.size(), false);
  for (std::size_t i = 0; i < maps.vertex_count(); ++i) {
    const auto row = std::span(weights).subspan(maps.begin[i], maps.bones_of(i).size());
    const std::size_t strongest =
        maps.begin[i] +
        static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin());
    // In the plane between left and right, the strongest are two.
    const bool is_own_image = problem.mirror && problem.mirror->vertex[i] == static_cast<int>(i);
    const auto image = is_own_image ? problem.mirror->bone[maps.bones[strongest]] : -1;
    double stray = 0;
    for (std::size_t b = maps.begin[i]; b < maps.begin[i + 1]; ++b) {
      strays[b] = b != strongest && static_cast<int>(maps.bones[b]) != image && is_apart[b] != 0;
      if (strays[b]) stray += weights[b];
    }
    if (stray > (is_body[i] ? kMostStrayOnBody : kMostStray))
      std::fill(strays.begin() + static_cast<std::ptrdiff_t>(maps.begin[i]),
                strays.begin() + static_cast<std::ptrdiff_t>(maps.begin[i + 1]), false);
  }
  return strays;
}

Result<FinishedWeights> finish_weights(const WeightSolver& solver, const FinishOptions& options,
                                       const Progress& progress) {
  if (options.max_influences < 1)
    return Error{ErrorCode::bad_argument, "max_influences", "a vertex needs at least one bone"};
  if (!options.parts.empty() && options.parts.size() != solver.problem().positions.size())
    return Error{ErrorCode::bad_argument, "parts", "every vertex needs to be of a part"};
  FinishedWeights finished;
  WeightSolverOptions restricted = solver.options();
  restricted.positivity = WeightSolverOptions::Positivity::off;
  if (options.rotations) restricted.rotations = *options.rotations;
  const std::vector<double> nearest = solver.nearest_nonnegative();
  const auto strays_in = [&](const WeightProblem& problem, const std::vector<double>& weights) {
    return options.parts.empty() ? std::vector<bool>(weights.size(), false)
                                 : find_strays(problem, weights, options.parts);
  };
  const std::vector<bool> strays = strays_in(solver.problem(), nearest);
  SINEW_TRY(WeightSolver bounded,
            solver.restricted_to(
                strongest(solver.problem(), nearest, strays,
                          static_cast<std::size_t>(options.max_influences), finished.dropped),
                restricted, progress.within(0, 0.4)));
  Bounds bounds;
  std::optional<std::vector<bool>> left;  // strays at the end
  const int rounds = static_cast<int>(std::ceil(options.rounds - kLeastReach));
  for (int round = 0; round < rounds; ++round) {
    SINEW_CHECK(progress.checkpoint("finish", 0.4 + 0.6 * round / rounds));
    SINEW_CHECK(
        bounded.step({.reach = std::min(1.0, options.rounds - round), .is_measured = false}));
    if (round + 1 == rounds) break;
    // Patches part while weights move.
    std::vector<bool> parted = strays_in(bounded.problem(), bounded.weights());
    const bool may_end = round + 1 >= options.least_rounds;
    if (may_end && bounds.lacks_little(bounded, parted)) {  // which clipping does as well
      left = std::move(parted);
      break;
    }
    SINEW_CHECK(bounds.hold(bounded, parted));
    if (round + 2 < rounds) SINEW_CHECK(bounds.let_go(bounded));
  }
  std::vector<double> last = bounded.weights();
  if (!left) left = strays_in(bounded.problem(), last);
  for (std::size_t b = 0; b < last.size(); ++b)
    if ((*left)[b]) last[b] = 0;
  if (options.even_out_below > 0) even_out(bounded.problem(), options.even_out_below, last);
  finished.weights = delivered(bounded.problem(), last);
  // What clipping the last traces below zero did is in the figure, which is by the solver's own
  // rotations, as the one before the cap.
  const WeightSolver& measuring = options.rotations ? solver : bounded;
  finished.arap_after = measuring.arap_of(beside(measuring.problem().maps, finished.weights));
  return finished;
}

}  // namespace sinew
