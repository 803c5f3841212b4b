// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "interior_flags.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "value_checks.h"

namespace sinew::cli {
namespace {

constexpr int kLeastCells = 100;   // fewer are no shape of a character
constexpr double kMostRadius = 1;  // of the way to the skin
constexpr const char* kVoxels = "voxels";
constexpr const char* kGroup = "Interior";

/// An amount, or the word for the paper's rule.
CLI::Validator amount_or_voxels() {
  return CLI::Validator(
      [](std::string& text) {
        if (text == kVoxels) return std::string();
        const std::string wrong = number_within(0, kMostRadius)(text);
        return wrong.empty() ? wrong : wrong + fmt::format(", or {}", kVoxels);
      },
      "");
}

}  // namespace

void InteriorFlags::add_to(CLI::App& app, InteriorOptions& options) {
  app.add_option("--cells", options.cells,
                 fmt::format("For bbw: about how many cubes fill the mesh [{}]", options.cells))
      ->check(whole_number(kLeastCells, VoxelGridOptions::kMostCells))
      ->option_text("N")
      ->group(kGroup);
  app.add_option("--bone-radius", radius_,
                 fmt::format("For bbw: how thick bones are, as a part of how far it is to the "
                             "skin; voxels: the cubes that a bone passes through [{}]",
                             options.radius.share))
      ->check(amount_or_voxels())
      ->option_text("AMOUNT")
      ->group(kGroup);
}

void InteriorFlags::apply(InteriorOptions& options) const {
  if (radius_.empty()) return;
  options.radius.rule = radius_ == kVoxels ? BoneRadius::Rule::voxels : BoneRadius::Rule::thickness;
  if (radius_ != kVoxels) CLI::detail::lexical_cast(radius_, options.radius.share);
}

}  // namespace sinew::cli
