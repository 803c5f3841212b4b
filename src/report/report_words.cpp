// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "report/report_parts.h"

namespace sinew {
namespace {

/// When a figure is worth a warning. What a good artist's weights reach lies well below each.
constexpr double kMuchBoneDistortion = 0.1;
constexpr double kLittleFollow = 0.5;
constexpr double kMuchDriftPercent = 1;
constexpr double kMuchControlShare = 1e-3;
constexpr double kOpenSeam = 0.01;
/// Distortion that differs by less than this part is the same: random poses leave 5 to 10% of
/// noise.
constexpr double kSameDistortion = 0.02;
constexpr double kSameFollow = 0.02;
constexpr std::size_t kMostFollowWarnings = 5;
constexpr std::size_t kMostNotices = 40;

std::string bone_name(const JudgedFile& judged, int bone) {
  const std::string& name = judged.character().skeleton.bone(bone).name;
  return name.empty() ? fmt::format("Bone {}", bone) : name;
}

class Warnings {
 public:
  Warnings(const JudgedFile& judged, int max_influences)
      : judged_(judged), max_influences_(max_influences) {}

  Json describe() {
    if (judged_.inspection().weighted > 0) {
      tell_influences();
      tell_unweighted();
    }
    if (judged_.inspection().quality) tell_quality(*judged_.inspection().quality);
    tell_notices();
    return std::move(out_);
  }

 private:
  Json& tell(std::string_view level, std::string_view code, std::string message) {
    out_.push_back({{"level", level}, {"code", code}, {"message", std::move(message)}});
    return out_.back();
  }

  /// The first vertex with so many influences, as the place to look at.
  template <class Predicate>
  void put_place(Json& warning, const Predicate& is_meant) const {
    const SkinWeights& weights = judged_.character().weights;
    for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
      if (!is_meant(weights.row(v).size())) continue;
      warning["at"] = vector_to_json(judged_.character().mesh.positions()[v]);
      return;
    }
  }

  void tell_influences() {
    const std::vector<std::size_t>& histogram = judged_.inspection().histogram;
    const auto allowed = static_cast<std::size_t>(max_influences_);
    std::size_t over = 0;
    for (std::size_t k = allowed + 1; k < histogram.size(); ++k) over += histogram[k];
    if (over == 0) return;
    put_place(tell("warning", "too_many_influences",
                   fmt::format("{} more than {} influences; engines drop the rest.",
                               over == 1 ? "One vertex has" : fmt::format("{} vertices have", over),
                               max_influences_)),
              [allowed](std::size_t influences) { return influences > allowed; });
  }

  void tell_unweighted() {
    const std::size_t count = judged_.inspection().unweighted;
    if (count == 0) return;
    put_place(tell("warning", "unweighted",
                   count == 1 ? "One vertex has no weights and stays behind."
                              : fmt::format("{} vertices have no weights and stay behind.", count)),
              [](std::size_t influences) { return influences == 0; });
  }

  void tell_quality(const WeightQuality& quality) {
    if (quality.worst_bone) {
      const bool is_bad = quality.worst_bone_arap > kMuchBoneDistortion;
      tell(is_bad ? "warning" : "note", "worst_bone",
           fmt::format("{} distorts what it holds most of all bones: by {:.2g}.",
                       bone_name(judged_, *quality.worst_bone), quality.worst_bone_arap))["bone"] =
          *quality.worst_bone;
    }
    tell_follow(quality);
    if (quality.drift > kMuchDriftPercent)
      tell("warning", "drift",
           fmt::format("Parts that touch come apart by {:.1f}% of the size on average.",
                       quality.drift));
    if (quality.dead > 0)
      tell("warning", "dead",
           quality.dead == 1 ? "One bone that should carry flesh has no vertex of its own."
                             : fmt::format("{} bones that should carry flesh have no vertex of "
                                           "their own.",
                                           quality.dead));
    if (quality.lost.value_or(0) > 0)
      tell("warning", "lost",
           fmt::format("{} less than half of the vertices that it had in the original.",
                       *quality.lost == 1 ? "One bone holds"
                                          : fmt::format("Each of {} bones holds", *quality.lost)));
    if (quality.control_share > kMuchControlShare)
      tell("warning", "control_weight",
           fmt::format("{:.2g}% of the weight is on bones that should have none.",
                       100 * quality.control_share));
    if (quality.seam_spread > kOpenSeam)
      tell("warning", "seam",
           fmt::format("Weights differ by up to {:.2g} across a seam, which opens when it moves.",
                       quality.seam_spread));
    if (quality.islands > 0)
      tell("note", "islands",
           quality.islands == 1
               ? "One patch of a bone's influence lies apart from the rest of it."
               : fmt::format("{} patches of influence lie apart from the rest of their bone's.",
                             quality.islands));
  }

  void tell_follow(const WeightQuality& quality) {
    std::vector<int> bones;
    const auto follow = [&](int bone) {
      return quality.bones[static_cast<std::size_t>(bone)].follow.value_or(1);
    };
    for (std::size_t j = 0; j < quality.bones.size(); ++j)
      if (follow(static_cast<int>(j)) < kLittleFollow) bones.push_back(static_cast<int>(j));
    std::stable_sort(bones.begin(), bones.end(),
                     [&](int a, int b) { return follow(a) < follow(b); });
    for (std::size_t k = 0; k < std::min(bones.size(), kMostFollowWarnings); ++k)
      tell("warning", "low_follow",
           fmt::format("{} holds only {:.0f}% of the flesh around its middle.",
                       bone_name(judged_, bones[k]), 100 * follow(bones[k])))["bone"] = bones[k];
    if (bones.size() > kMostFollowWarnings)
      tell("warning", "low_follow",
           fmt::format("{} further bones hold less than half of the flesh around their middle.",
                       bones.size() - kMostFollowWarnings));
  }

  void tell_notices() {
    std::size_t told = 0, left = 0;
    for (const Notices* notices : {&judged_.file->notices, &judged_.inspection().notices})
      for (const Notice& notice : *notices) {
        if (told == kMostNotices) {
          ++left;
          continue;
        }
        ++told;
        std::string text =
            notice.place.empty() ? notice.message : notice.place + ": " + notice.message;
        if (notice.place.empty() && !text.empty())
          text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
        tell(notice.level == Notice::Level::warning ? "warning" : "note", notice.code, text + ".");
      }
    if (left > 0)
      tell("note", "more", fmt::format("There are {} more; 'sinew inspect' tells them.", left));
  }

  const JudgedFile& judged_;
  int max_influences_;
  Json out_ = Json::array();
};

std::string verdict_on_one(const JudgedFile& file) {
  const std::string& label = file.file->label;
  if (!file.failed.empty()) return fmt::format("{} failed: {}.", label, file.failed);
  const std::optional<WeightQuality>& quality = file.inspection().quality;
  if (file.inspection().joints == 0)
    return fmt::format("{} has no skeleton, and so no weights.", label);
  if (!quality) return fmt::format("The weights of {} were not judged.", label);
  std::string text = fmt::format("{} distorts by {:.2g} on {} random poses", label, quality->arap,
                                 quality->pose_arap.size());
  if (quality->worst_bone)
    text += fmt::format(", most at {} ({:.2g})", bone_name(file, *quality->worst_bone),
                        quality->worst_bone_arap);
  return text + ".";
}

/// "23% less than artist", "as much as artist".
std::string comparison(double arap, double reference, const std::string& label) {
  const double change = arap / reference - 1;
  if (std::abs(change) < kSameDistortion) return fmt::format("as much as {}", label);
  if (change >= 1) return fmt::format("{:.1f} times as much as {}", 1 + change, label);
  return fmt::format("{:.0f}% {} than {}", 100 * std::abs(change), change < 0 ? "less" : "more",
                     label);
}

}  // namespace

Json describe_warnings(const JudgedFile& judged, int max_influences) {
  return Warnings(judged, max_influences).describe();
}

std::string describe_verdict(std::span<const JudgedFile> files) {
  const JudgedFile& first = files.front();
  if (files.size() == 1) return verdict_on_one(first);
  const auto judged = [](const JudgedFile& file) {
    return file.failed.empty() && file.inspection().quality.has_value();
  };
  const JudgedFile* best = nullptr;
  std::size_t failed = 0;
  for (const JudgedFile& file : files.subspan(1)) {
    if (!file.failed.empty()) ++failed;
    if (judged(file) &&
        (best == nullptr || file.inspection().quality->arap < best->inspection().quality->arap))
      best = &file;
  }
  if (best == nullptr || !judged(first) || !(first.inspection().quality->arap > 0))
    return verdict_on_one(best != nullptr ? *best : files.back());
  const WeightQuality& quality = *best->inspection().quality;
  const WeightQuality& before = *first.inspection().quality;
  std::string text = files.size() == 2 ? best->file->label + " distorts "
                                       : fmt::format("Of {}, {} distorts least: ", files.size() - 1,
                                                     best->file->label);
  text += comparison(quality.arap, before.arap, first.file->label);
  const double follow_change = quality.follow - before.follow;
  if (failed > 0)
    text += fmt::format("; {} of {} failed", failed, files.size() - 1);
  else if (std::abs(follow_change) > kSameFollow)
    text += fmt::format(", and follows its bones {}: {:.2f} instead of {:.2f}",
                        follow_change > 0 ? "more" : "less", quality.follow, before.follow);
  else
    text += fmt::format(" on the same {} poses", quality.pose_arap.size());
  return text + ".";
}

}  // namespace sinew
