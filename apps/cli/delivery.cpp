// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "delivery.h"

#include <algorithm>
#include <charconv>
#include <set>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "failure.h"
#include "sinew/bind/bind.h"
#include "value_checks.h"

namespace sinew::cli {
namespace {

constexpr int kMostJoints = 65536;  // JOINTS_n holds 16-bit numbers
constexpr int kCorners = 3;
constexpr const char* kGroup = "Delivery";

/// "2,4,8" as numbers, or why it is none.
std::string parse_budgets(const std::string& text, std::vector<int>& budgets) {
  budgets.clear();
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    begin = end + 1;
    int budget = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), budget);
    if (error != std::errc() || stop != word.data() + word.size())
      return fmt::format("'{}' is not a whole number", word);
    if (budget < 1) return fmt::format("{} is too small, the least is 1", budget);
    if (budget > kMostInfluences)
      return fmt::format("{} is too large, the most is {}", budget, kMostInfluences);
    if (std::find(budgets.begin(), budgets.end(), budget) != budgets.end())
      return fmt::format("{} is there twice", budget);
    budgets.push_back(budget);
  }
  return {};
}

std::vector<std::string> target_names() {
  std::vector<std::string> names;
  for (const Target& target : targets()) names.emplace_back(target.name);
  return names;
}

}  // namespace

void DeliveryOptions::add_to(CLI::App& app) {
  app.add_option("--max-influences", budgets_,
                 fmt::format("Bones per vertex at most; engines read 4. Several, as 2,4,8, write a "
                             "file each: OUT.2.glb and so on [{}]",
                             BindOptions{}.max_influences))
      ->check(CLI::Validator(
          [](std::string& text) {
            std::vector<int> budgets;
            return parse_budgets(text, budgets);
          },
          ""))
      ->option_text("N,...")
      ->group(kGroup);
  app.add_option("--quantise", quantise_,
                 "Store weights as integers that sum exactly, rounded so that the mesh deforms as "
                 "it did: u8, u16, or none for floats [none]")
      ->check(one_of({"none", "u8", "u16"}))
      ->option_text("BITS")
      ->group(kGroup);
  app.add_option("--target", target_,
                 "What the file is for, unreal, unity, godot, three or mobile: sets the flags of "
                 "this group that are not given (docs/targets.md)")
      ->check(one_of(target_names()))
      ->option_text("NAME")
      ->group(kGroup);
  app.add_option("--joints-per-primitive", joints_per_primitive_,
                 "Joints that one primitive may use; more are told, or split. 0 is no limit [0]")
      ->check(whole_number(0, kMostJoints))
      ->option_text("N")
      ->group(kGroup);
  app.add_flag("--split-primitives", split_primitives_,
               "Cut primitives that use more joints than that into several")
      ->group(kGroup);
  app.add_flag("--no-split-primitives", no_split_primitives_,
               "Leave them whole where a target would cut them")
      ->group(kGroup);
}

Delivery DeliveryOptions::resolve() const {
  Delivery delivery;
  const Target* const target = target_.empty() ? nullptr : find_target(target_);
  delivery.target = target_;
  if (!budgets_.empty()) {
    if (const std::string wrong = parse_budgets(budgets_, delivery.budgets); !wrong.empty())
      throw usage_failure("--max-influences", wrong);
  } else {
    delivery.budgets = {target != nullptr ? target->max_influences : BindOptions{}.max_influences};
  }
  if (!quantise_.empty())
    delivery.format = weight_format_from(quantise_).value_or(WeightFormat::f32);
  else if (target != nullptr)
    delivery.format = target->format;
  delivery.joints_per_primitive =
      joints_per_primitive_.value_or(target != nullptr ? target->joints_per_primitive : 0);
  if (split_primitives_ && no_split_primitives_)
    throw usage_failure("--no-split-primitives", "--split-primitives says the opposite");
  delivery.split_primitives = split_primitives_ || (!no_split_primitives_ && target != nullptr &&
                                                    target->over_limit == Target::OverLimit::split);
  const bool limited = delivery.joints_per_primitive > 0;
  if (split_primitives_ && !limited)
    throw usage_failure("--split-primitives", "say from how many joints: --joints-per-primitive N");
  const int needed = kCorners * *std::max_element(delivery.budgets.begin(), delivery.budgets.end());
  if (delivery.split_primitives && limited && delivery.joints_per_primitive < needed)
    throw usage_failure("--joints-per-primitive",
                        fmt::format("{} is too small to split by: one triangle may use {}",
                                    delivery.joints_per_primitive, needed));
  return delivery;
}

std::filesystem::path path_of_budget(const std::filesystem::path& path, const Delivery& delivery,
                                     std::size_t budget) {
  if (delivery.budgets.size() == 1) return path;
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

}  // namespace sinew::cli
