// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/jobs/delivery.h"

#include <algorithm>
#include <charconv>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/bind/bind.h"

namespace sinew {
namespace {

constexpr int kCorners = 3;

/// Empty for budgets that make sense.
std::string wrong_with(std::span<const int> budgets) {
  for (std::size_t b = 0; b < budgets.size(); ++b) {
    if (budgets[b] < 1) return fmt::format("{} is too small, the least is 1", budgets[b]);
    if (budgets[b] > kMostInfluences)
      return fmt::format("{} is too large, the most is {}", budgets[b], kMostInfluences);
    const std::span<const int> before = budgets.first(b);
    if (std::ranges::find(before, budgets[b]) != before.end())
      return fmt::format("{} is there twice", budgets[b]);
  }
  return {};
}

JobResult<const Target*> target_of(const std::string& name) {
  if (name.empty()) return nullptr;
  if (const Target* const target = find_target(name)) return target;
  std::vector<std::string_view> known;
  for (const Target& target : targets()) known.push_back(target.name);
  return error_of_option("target", fmt::format("'{}' is none of {}", name, fmt::join(known, ", ")));
}

}  // namespace

Result<std::vector<int>> parse_budgets(std::string_view text) {
  std::vector<int> budgets;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    begin = end + 1;
    int budget = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), budget);
    if (error != std::errc() || stop != word.data() + word.size())
      return Error{ErrorCode::bad_argument, "", fmt::format("'{}' is not a whole number", word)};
    budgets.push_back(budget);
    if (std::string wrong = wrong_with(budgets); !wrong.empty())
      return Error{ErrorCode::bad_argument, "", std::move(wrong)};
  }
  return budgets;
}

JobResult<Delivery> resolve_delivery(const DeliveryOptions& options) {
  using Split = DeliveryOptions::Split;
  SINEW_TRY(const Target* const target, target_of(options.target));
  if (std::string wrong = wrong_with(options.budgets); !wrong.empty())
    return error_of_option("max_influences", std::move(wrong));
  Delivery delivery;
  delivery.target = options.target;
  delivery.budgets = options.budgets;
  if (delivery.budgets.empty())
    delivery.budgets = {target != nullptr ? target->max_influences : BindOptions{}.max_influences};
  delivery.format = options.format.value_or(target != nullptr ? target->format : WeightFormat::f32);
  delivery.joints_per_primitive =
      options.joints_per_primitive.value_or(target != nullptr ? target->joints_per_primitive : 0);
  delivery.split_primitives = options.split_primitives == Split::on ||
                              (options.split_primitives == Split::as_target && target != nullptr &&
                               target->over_limit == Target::OverLimit::split);
  const bool is_limited = delivery.joints_per_primitive > 0;
  if (options.split_primitives == Split::on && !is_limited)
    return error_of_option("split_primitives",
                           "say from how many joints: --joints-per-primitive N");
  const int needed = kCorners * *std::ranges::max_element(delivery.budgets);
  if (delivery.split_primitives && is_limited && delivery.joints_per_primitive < needed)
    return error_of_option("joints_per_primitive",
                           fmt::format("{} is too small to split by: one triangle may use {}",
                                       delivery.joints_per_primitive, needed));
  return delivery;
}

std::filesystem::path path_of_budget(const std::filesystem::path& path, const Delivery& delivery,
                                     std::size_t budget) {
  if (path.empty() || delivery.budgets.size() == 1) return path;
  return path.parent_path() / fmt::format("{}.{}{}", path.stem().string(), delivery.budgets[budget],
                                          path.extension().string());
}

Result<JointUse> limit_joints(Document& document, const LoadedCharacter& loaded,
                              const Delivery& delivery, std::size_t budget, Notices& notices) {
  JointUse use;
  if (delivery.joints_per_primitive == 0) return use;
  const auto limit = static_cast<std::size_t>(delivery.joints_per_primitive);
  if (delivery.split_primitives) {
    SINEW_TRY(use.added, split_primitives(document, loaded, limit));
  }
  SINEW_TRY(const std::vector<PrimitiveJoints> primitives,
            count_primitive_joints(document, loaded));
  const std::string within = delivery.budgets.size() == 1
                                 ? std::string()
                                 : fmt::format(" within {} influences", delivery.budgets[budget]);
  std::set<int> told;
  for (const PrimitiveJoints& primitive : primitives) {
    use.most = std::max(use.most, primitive.joints);
    if (primitive.joints > limit)
      notices.push_back(
          {Notice::Level::warning, "too_many_joints",
           fmt::format("meshes[{}].primitives[{}]", primitive.mesh, primitive.primitive),
           fmt::format("uses {} joints{}; the limit is {}{}", primitive.joints, within, limit,
                       delivery.split_primitives
                           ? "; it does not draw plain triangles, and was not split"
                           : "; --split-primitives cuts it into several")});
    const std::size_t joints =
        document.json["skins"][static_cast<std::size_t>(primitive.skin)]["joints"].size();
    if (joints > limit && budget == 0 && told.insert(primitive.skin).second)
      notices.push_back(
          {Notice::Level::note, "large_skin", fmt::format("skins[{}]", primitive.skin),
           fmt::format(
               "has {} joints; the limit is {}, so that only a part of it can be drawn with at "
               "once",
               joints, limit)});
  }
  return use;
}

void add_delivery(Json& report, const Delivery& delivery) {
  report["budgets"] = delivery.budgets;
  report["quantise"] = delivery.format == WeightFormat::f32 ? "none" : to_string(delivery.format);
  report["target"] = delivery.target.empty() ? Json() : Json(delivery.target);
  report["joints_per_primitive"] =
      delivery.joints_per_primitive == 0 ? Json() : Json(delivery.joints_per_primitive);
  report["split_primitives"] = delivery.split_primitives;
}

}  // namespace sinew
