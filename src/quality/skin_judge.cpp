// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/quality/skin_judge.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "core/parallel.h"
#include "geometry/nearest_vertex.h"
#include "sinew/poses/judging_poses.h"
#include "sinew/quality/folds.h"
#include "sinew/quality/stolen_skin.h"
#include "sinew/quality/touching_skin.h"
#include "sinew/quality/worse_skin.h"

namespace sinew {
namespace {

/// Of the upper arm's length: what is nearer to the shoulder belongs to it.
constexpr double kShoulderReach = 0.8;
/// Energy at rest below which a vertex has no distortion to speak of.
constexpr double kNoEnergy = 1e-300;

struct ArmToFold {
  int bone = -1;
  std::vector<FoldEdge> edges;
};

}  // namespace

struct SkinJudge::State {
  const SkinSurface* surface = nullptr;
  std::size_t bone_count = 0;
  std::vector<SampledPose> poses;  // arms are the last
  std::vector<ArmToFold> arms;
  std::optional<SkinCore> head;
  std::vector<SkinCore> cores;
  std::vector<TouchingPair> pairs;

  /// What the original does.
  struct Original {
    std::vector<int> led_by;
    std::vector<double> distortion;
    std::vector<PairsInPose> touching;
  };
  std::optional<Original> original;
  std::optional<SkinQuality> original_quality;

  /// What weights do in the poses.
  struct Seen {
    std::optional<FoldedSkin> folded;
    std::vector<double> distortion;
    std::vector<PairsInPose> touching;
  };
  Result<Seen> look(const SurfaceWeights& weights, bool is_compared,
                    const Progress& progress) const;
  [[nodiscard]] SkinQuality compare(const SurfaceWeights& weights, Seen seen) const;
};

/// Without an original, only what the arms fold is looked at.
Result<SkinJudge::State::Seen> SkinJudge::State::look(const SurfaceWeights& weights,
                                                      bool is_compared,
                                                      const Progress& progress) const {
  Seen seen;
  if (!arms.empty())
    seen.folded = FoldedSkin{-1, -1, std::vector<bool>(surface->vertex_count(), false)};
  WorstTenth worst(is_compared ? surface->vertex_count() : 0, poses.size());
  const PairWatcher watcher(*surface, pairs);
  std::vector<Vec3> deformed(surface->vertex_count());
  std::vector<double> energy(surface->vertex_count());
  const std::size_t first_arm = poses.size() - arms.size();
  for (std::size_t p = is_compared ? 0 : first_arm; p < poses.size(); ++p) {
    SINEW_CHECK(
        progress.checkpoint("looking", static_cast<double>(p) / static_cast<double>(poses.size())));
    deform_surface(*surface, weights.weights, poses[p], deformed);
    if (p >= first_arm) {
      const ArmToFold& arm = arms[p - first_arm];
      const double percent = folded_percent(*surface, arm.edges, deformed, seen.folded->vertices);
      if (percent > seen.folded->percent) {
        seen.folded->percent = percent;
        seen.folded->bone = arm.bone;
      }
    }
    if (!is_compared) continue;
    distort_surface(*surface, weights.weights, poses[p], deformed, energy);
    for (std::size_t v = 0; v < energy.size(); ++v)
      energy[v] /= std::max(surface->rest_energy[v], kNoEnergy);
    worst.add(energy);
    seen.touching.push_back(watcher.look(deformed));
  }
  if (is_compared) seen.distortion = worst.mean();
  progress.update("looking", 1);
  return seen;
}

SkinQuality SkinJudge::State::compare(const SurfaceWeights& weights, Seen seen) const {
  SkinQuality quality;
  if (head) quality.head = head_skin(*surface, *head, weights.of_bones);
  quality.folded = std::move(seen.folded);
  if (!original) return quality;
  quality.stolen = stolen_skin(*surface, cores, weights.of_bones);
  quality.worse =
      worse_skin(*surface, original->led_by, bone_count, original->distortion, seen.distortion);
  quality.touching = touching_skin(*surface, pairs, original->touching, seen.touching);
  return quality;
}

SkinJudge::SkinJudge(std::unique_ptr<State> state) : state_(std::move(state)) {}
SkinJudge::~SkinJudge() = default;
SkinJudge::SkinJudge(SkinJudge&&) noexcept = default;
SkinJudge& SkinJudge::operator=(SkinJudge&&) noexcept = default;

Result<SkinJudge> SkinJudge::create(const Subject& subject, std::vector<SampledPose> poses,
                                    std::optional<SurfaceWeights> original,
                                    const Progress& progress) {
  auto state = std::make_unique<State>();
  State& s = *state;
  const EffectiveHierarchy& hierarchy = subject.judge.hierarchy();
  s.surface = &subject.judge.surface();
  s.bone_count = subject.skeleton.bone_count();
  s.poses = std::move(poses);
  const LimbBones limbs = find_limb_bones(subject.skeleton, subject.roles, hierarchy);
  std::vector<SampledPose> raised;
  for (RaisedArm& arm : raised_arms(subject.skeleton, hierarchy, limbs)) {
    s.arms.push_back(
        {arm.bone, fold_edges_near(*s.surface, arm.shoulder, kShoulderReach * arm.length)});
    raised.push_back(std::move(arm.pose));
  }
  bend_spines_and_rows(subject.skeleton, raised, hierarchy.parent);
  std::ranges::move(raised, std::back_inserter(s.poses));
  if (original) {
    s.cores = bone_cores(*s.surface, subject.skeleton, hierarchy.parent, *original);
    if (limbs.head >= 0) s.head = head_core(*s.surface, hierarchy.parent, limbs.head, *original);
    s.pairs = touching_pairs(*s.surface);
    SINEW_TRY(State::Seen seen, s.look(*original, true, progress));
    s.original = State::Original{original->dominant, seen.distortion, seen.touching};
    s.original_quality = s.compare(*original, std::move(seen));
  } else if (limbs.head >= 0) {
    std::vector<bool> deforms;
    for (const BoneRole& role : subject.roles) deforms.push_back(role.deforms);
    s.head =
        head_core_by_place(*s.surface, subject.skeleton, hierarchy.parent, deforms, limbs.head);
  }
  return SkinJudge(std::move(state));
}

Result<SkinQuality> SkinJudge::judge(const SurfaceWeights& weights,
                                     const Progress& progress) const {
  const State& s = *state_;
  assert(weights.weights.vertex_count() == s.surface->vertex_count());
  SINEW_TRY(State::Seen seen, s.look(weights, s.original.has_value(), progress));
  return s.compare(weights, std::move(seen));
}

const std::optional<SkinQuality>& SkinJudge::original() const { return state_->original_quality; }
const std::vector<SampledPose>& SkinJudge::poses() const { return state_->poses; }

std::vector<SampledPose> skin_poses(const Skeleton& skeleton, const std::vector<BoneRole>& roles,
                                    const WeightJudge& judge, const SkinPoseOptions& options) {
  std::vector<SampledPose> poses = judge.frames();
  std::vector<SampledPose> gentle = random_poses(
      skeleton, roles, judge.hierarchy(),
      {.count = options.count, .roll_max_deg = options.roll_max_deg, .seed = options.seed});
  bend_spines_and_rows(skeleton, gentle, judge.hierarchy().parent);
  std::ranges::move(gentle, std::back_inserter(poses));
  return poses;
}

SurfaceWeights weights_by_place(const Character& original, const SkinSurface& surface,
                                const Skeleton& skeleton) {
  const WeldedMesh welded = weld(original.mesh);
  const SkinWeights weights = mean_of_copies(welded, original.weights);
  std::map<std::string_view, std::uint32_t> by_name;
  for (std::size_t j = 0; j < skeleton.bone_count(); ++j)
    by_name[skeleton.bones()[j].name] = static_cast<std::uint32_t>(j);
  std::vector<VertexIndex> all(welded.mesh.vertex_count());
  std::iota(all.begin(), all.end(), VertexIndex{0});
  const NearestVertex nearest(welded.mesh.positions(), std::move(all));
  std::vector<std::vector<Influence>> rows(surface.vertex_count());
  parallel_for(rows.size(), [&](std::size_t v) {
    const std::optional<VertexIndex> there =
        nearest.find(surface.positions()[v], std::numeric_limits<double>::infinity(),
                     [](VertexIndex) { return true; });
    if (!there) return;
    for (const auto& [bone, weight] : weights.row(*there)) {
      const auto here = by_name.find(original.skeleton.bones()[bone].name);
      if (here != by_name.end()) rows[v].push_back({here->second, weight});
    }
    add_up_repeated(rows[v]);
  });
  return surface_weights(surface, SkinWeights::from_rows(skeleton.bone_count(), rows));
}

}  // namespace sinew
