// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "delivery_flags.h"

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
constexpr const char* kGroup = "Delivery";

std::vector<std::string> target_names() {
  std::vector<std::string> names;
  for (const Target& target : targets()) names.emplace_back(target.name);
  return names;
}

}  // namespace

void DeliveryFlags::add_to(CLI::App& app) {
  app.add_option("--max-influences", budgets_,
                 fmt::format("Bones per vertex at most; engines read 4. Several, as 2,4,8, write a "
                             "file each: OUT.2.glb and so on [{}]",
                             BindOptions{}.max_influences))
      ->check(CLI::Validator(
          [](std::string& text) {
            const Result<std::vector<int>> budgets = parse_budgets(text);
            return budgets.ok() ? std::string() : budgets.error().message;
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

DeliveryOptions DeliveryFlags::options() const {
  using Split = DeliveryOptions::Split;
  if (split_primitives_ && no_split_primitives_)
    throw usage_failure("--no-split-primitives", "--split-primitives says the opposite");
  DeliveryOptions options;
  if (!budgets_.empty()) {
    Result<std::vector<int>> budgets = parse_budgets(budgets_);
    if (!budgets.ok()) throw usage_failure("--max-influences", budgets.error().message);
    options.budgets = *std::move(budgets);
  }
  if (!quantise_.empty())
    options.format = weight_format_from(quantise_).value_or(WeightFormat::f32);
  options.target = target_;
  options.joints_per_primitive = joints_per_primitive_;
  options.split_primitives = split_primitives_      ? Split::on
                             : no_split_primitives_ ? Split::off
                                                    : Split::as_target;
  return options;
}

}  // namespace sinew::cli
