// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include <fmt/format.h>

#include "math/affine.h"
#include "model/forest.h"
#include "report/report_parts.h"
#include "sinew/poses/judging_poses.h"
#include "sinew/poses/limb_poses.h"

namespace sinew {
namespace {

/// Pictures on the first screen.
constexpr std::size_t kLimbPoses = 6;
/// Clips whose worst moment is shown: a pack of motions has hundreds.
constexpr std::size_t kMostClips = 12;
/// Of a rotation's entries: two files' own draws of a pose are the same pose up to rounding.
constexpr double kSamePose = 1e-9;

using Transforms = std::vector<Affine3>;

/// A pose of the reference, on its way to every file, which bends what bends in it.
struct MadePose {
  Json entry;
  Transforms transforms;  // of the reference's bones, all rigid
};

/// Which bone of the reference each bone of a file is, by name; -1 for none. A file with the same
/// names in the same order is matched by order, so that bones that share a name keep apart.
std::vector<int> match_by_name(const Skeleton& file, const Skeleton& reference) {
  std::vector<int> match(file.bone_count(), -1);
  const auto same_name = [](const Bone& a, const Bone& b) { return a.name == b.name; };
  if (std::equal(file.bones().begin(), file.bones().end(), reference.bones().begin(),
                 reference.bones().end(), same_name)) {
    for (std::size_t j = 0; j < match.size(); ++j) match[j] = static_cast<int>(j);
    return match;
  }
  std::map<std::string_view, int> by_name;
  for (std::size_t j = 0; j < reference.bone_count(); ++j)
    by_name.try_emplace(reference.bones()[j].name, static_cast<int>(j));
  for (std::size_t j = 0; j < match.size(); ++j)
    if (const auto found = by_name.find(file.bones()[j].name); found != by_name.end())
      match[j] = found->second;
  return match;
}

/// Every bone turned as its namesake is relative to what it hangs on, about its own head: so a
/// file of another size takes the pose, too. Bones without a namesake go along.
Transforms transfer(const Transforms& transforms, const PoseReference& reference,
                    const std::vector<int>& match, const JudgedFile& file) {
  const Skeleton& skeleton = file.character().skeleton;
  const std::vector<int>& parent = file.inspection().hierarchy.parent;
  Transforms out(skeleton.bone_count(), Affine3::Identity());
  const std::vector<int> order =
      *parents_first(parent, ErrorCode::bad_skin, "bones");  // an effective hierarchy has no cycles
  for (const int j : order) {
    const auto i = static_cast<std::size_t>(j);
    if (parent[i] >= 0) out[i] = out[static_cast<std::size_t>(parent[i])];
    if (match[i] < 0) continue;
    const auto source = static_cast<std::size_t>(match[i]);
    const int above = reference.hierarchy.parent[source];
    Eigen::Matrix3d turn = transforms[source].linear();
    if (above >= 0)  // rotations only: the transpose is the inverse
      turn = transforms[static_cast<std::size_t>(above)].linear().transpose() * turn;
    const Vec3 head = skeleton.bones()[i].head();
    Affine3 about_head;
    about_head.linear() = turn;
    about_head.translation() = head - turn * head;
    out[i] = out[i] * about_head;
  }
  return out;
}

std::string floats_to_base64(const Transforms& transforms) {
  std::vector<float> floats;
  floats.reserve(12 * transforms.size());
  for (const Affine3& affine : transforms)
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 4; ++column)
        floats.push_back(static_cast<float>(affine.matrix()(row, column)));
  return to_base64(std::as_bytes(std::span(floats)));
}

bool is_same_pose(const Transforms& a, const Transforms& b, double scale) {
  if (a.size() != b.size()) return false;
  for (std::size_t j = 0; j < a.size(); ++j)
    if ((a[j].linear() - b[j].linear()).cwiseAbs().maxCoeff() > kSamePose ||
        (a[j].translation() - b[j].translation()).cwiseAbs().maxCoeff() > kSamePose * scale)
      return false;
  return true;
}

class PoseMaker {
 public:
  PoseMaker(std::span<const JudgedFile> files, const PoseReference& reference)
      : files_(files), reference_(reference) {
    for (const JudgedFile& file : files)
      matches_.push_back(match_by_name(file.character().skeleton, reference.character->skeleton));
  }

  Result<ReportPoses> make(const JudgeOptions& judging, const Progress& progress) {
    std::vector<MadePose> limbs = limb_entries();
    const std::vector<SampledPose> random =
        random_poses(reference_.character->skeleton, reference_.roles, reference_.hierarchy,
                     {.count = reference_.roles.empty() ? 0 : judging.poses, .seed = judging.seed});
    for (const MadePose& pose : limbs) {
      SINEW_CHECK(progress.checkpoint("posing", 0));
      add(pose, std::nullopt);
    }
    SINEW_CHECK(add_clip_moments(progress));
    made_.first_random = static_cast<int>(made_.poses.size());
    made_.judged_as_shown.assign(files_.size(), true);
    for (std::size_t p = 0; p < random.size(); ++p) {
      SINEW_CHECK(progress.checkpoint("posing",
                                      static_cast<double>(p) / static_cast<double>(random.size())));
      add({{{"name", fmt::format("Motion {}", p + 1)}, {"kind", "random"}}, random[p].transforms},
          p);
    }
    find_worst();
    progress.update("posing", 1);
    return std::move(made_);
  }

 private:
  std::vector<MadePose> limb_entries() const {
    const Skeleton& skeleton = reference_.character->skeleton;
    std::vector<LimbPose> poses = limb_poses(skeleton, reference_.roles, reference_.hierarchy);
    if (poses.size() < kLimbPoses) {
      std::set<int> taken;
      for (const LimbPose& pose : poses) taken.insert(pose.bone);
      std::vector<int> bones = worst_bones();
      std::erase_if(bones, [&](int bone) { return taken.contains(bone); });
      if (bones.size() > kLimbPoses - poses.size()) bones.resize(kLimbPoses - poses.size());
      std::ranges::move(bend_poses(skeleton, reference_.roles, reference_.hierarchy, bones),
                        std::back_inserter(poses));
    }
    std::vector<MadePose> entries;
    for (LimbPose& pose : poses) {
      Json entry = {{"name", pose.name}, {"kind", "limb"}};
      if (pose.limb) entry["limb"] = to_string(*pose.limb);
      entry["bone"] = skeleton.bone(pose.bone).name;
      entries.push_back({std::move(entry), std::move(pose.transforms)});
    }
    return entries;
  }

  /// Bones of the reference that can bend, those first that any file distorts most.
  std::vector<int> worst_bones() const {
    std::vector<double> distortion(reference_.roles.size(), 0);
    std::vector<std::size_t> dominated(reference_.roles.size(), 0);
    for (std::size_t f = 0; f < files_.size(); ++f) {
      const Inspection& inspection = files_[f].inspection();
      for (std::size_t j = 0; j < matches_[f].size(); ++j) {
        if (matches_[f][j] < 0) continue;
        const auto bone = static_cast<std::size_t>(matches_[f][j]);
        dominated[bone] += inspection.bones[j].dominated;
        if (inspection.quality)
          distortion[bone] = std::max(distortion[bone], inspection.quality->bones[j].arap);
      }
    }
    std::vector<int> bones;
    for (std::size_t j = 0; j < distortion.size(); ++j)
      if (reference_.roles[j].deforms && reference_.hierarchy.parent[j] >= 0 && dominated[j] > 0)
        bones.push_back(static_cast<int>(j));
    std::stable_sort(bones.begin(), bones.end(), [&](int a, int b) {
      return distortion[static_cast<std::size_t>(a)] > distortion[static_cast<std::size_t>(b)];
    });
    return bones;
  }

  /// `judged` is the index of a random pose: then the judge may know its figure already.
  void add(const MadePose& pose, std::optional<std::size_t> judged) {
    Json entry = pose.entry;
    Json per_file = Json::array();
    Json arap = Json::array();
    for (std::size_t f = 0; f < files_.size(); ++f) {
      const JudgedFile& file = files_[f];
      const bool is_reference = &file.character() == reference_.character;
      std::vector<SampledPose> one{
          {is_reference ? pose.transforms
                        : transfer(pose.transforms, reference_, matches_[f], file)}};
      bend_spines_and_rows(file.character().skeleton, one, file.inspection().hierarchy.parent);
      SampledPose& posed = one.front();
      per_file.push_back({{"transforms", floats_to_base64(posed.transforms)}});
      if (!file.judged.judge) {
        arap.push_back(nullptr);
        continue;
      }
      const double size = file.inspection().size.norm();
      double distortion = 0;
      if (judged &&
          is_same_pose(posed.transforms, file.judged.judge->poses()[*judged].transforms, size)) {
        distortion = file.inspection().quality->pose_arap[*judged];
      } else {
        if (judged) made_.judged_as_shown[f] = false;
        distortion = file.judged.judge->judge_pose(file.character().weights, posed).arap;
      }
      arap.push_back(distortion);
      if (judged && file.failed.empty() && (worst_.file < 0 || distortion > worst_.arap))
        worst_ = {static_cast<int>(f), static_cast<int>(made_.poses.size()), distortion,
                  std::move(posed)};
    }
    entry["per_file"] = std::move(per_file);
    entry["arap"] = std::move(arap);
    made_.poses.push_back(std::move(entry));
  }

  /// The moment of every clip of the first file that distorts it most, in all files that have it.
  Status add_clip_moments(const Progress& progress) {
    const JudgedFile& first = files_.front();
    if (!first.judged.judge) return {};
    const std::vector<SampledPose>& frames = first.judged.judge->frames();
    const std::vector<double>& distortion = first.inspection().quality->clip_arap;
    std::map<int, std::size_t> worst_of_clip;
    for (std::size_t k = 0; k < frames.size(); ++k) {
      const auto [known, is_new] = worst_of_clip.try_emplace(frames[k].clip, k);
      if (!is_new && distortion[k] > distortion[known->second]) known->second = k;
    }
    std::size_t added = 0;
    for (const auto& [clip, frame] : worst_of_clip) {
      SINEW_CHECK(progress.checkpoint("posing", 0));
      const std::string& name = first.character().clips[static_cast<std::size_t>(clip)].name;
      if (name.empty()) continue;  // the page finds clips by their names
      add_clip_moment(name, frames[frame].time_s);
      if (++added == kMostClips) break;
    }
    return {};
  }

  void add_clip_moment(const std::string& name, double time_s) {
    Json per_file = Json::array();
    Json arap = Json::array();
    for (const JudgedFile& file : files_) {
      const std::vector<Clip>& clips = file.character().clips;
      const auto clip = std::find_if(clips.begin(), clips.end(),
                                     [&](const Clip& each) { return each.name == name; });
      per_file.push_back({{"clip", {{"name", name}, {"time", time_s}}}});
      if (clip == clips.end() || !file.judged.judge) {
        arap.push_back(nullptr);
        continue;
      }
      std::vector<SampledPose> one{{file.character().skinning_transforms(
          sample_clip(file.character().nodes, *clip, time_s))}};
      bend_spines(file.character().skeleton, one);
      arap.push_back(file.judged.judge->judge_pose(file.character().weights, one.front()).arap);
    }
    made_.poses.push_back({{"name", fmt::format("{} at {:.2f} s", name, time_s)},
                           {"kind", "clip"},
                           {"per_file", std::move(per_file)},
                           {"arap", std::move(arap)}});
  }

  void find_worst() {
    if (worst_.file < 0) return;
    const JudgedFile& file = files_[static_cast<std::size_t>(worst_.file)];
    const PoseQuality quality =
        file.judged.judge->judge_pose(file.character().weights, worst_.posed);
    if (!quality.worst) return;
    made_.worst = {{"pose", worst_.pose},
                   {"file", worst_.file},
                   {"at", vector_to_json(quality.worst->at_rest)},
                   {"bone", quality.worst->bone}};
  }

  /// The random pose that distorts any file most.
  struct Worst {
    int file = -1;
    int pose = -1;  // of those that are shown
    double arap = 0;
    SampledPose posed;
  };

  std::span<const JudgedFile> files_;
  const PoseReference& reference_;
  std::vector<std::vector<int>> matches_;  // per file
  ReportPoses made_;
  Worst worst_;
};

}  // namespace

Result<ReportPoses> make_report_poses(std::span<const JudgedFile> files,
                                      const PoseReference& reference, const JudgeOptions& judging,
                                      const Progress& progress) {
  return PoseMaker(files, reference).make(judging, progress);
}

}  // namespace sinew
