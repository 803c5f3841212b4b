// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "interior_flags.h"

#include <charconv>

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
        return wrong.empty() ? wrong : wrong + fmt::format(", nor the word {}", kVoxels);
      },
      "");
}

}  // namespace

void InteriorFlags::add_to(CLI::App& app, InteriorOptions& options) {
  app.add_option("--cells", options.cells,
                 fmt::format("For bbw, as method or start, and for --domain volume: about how many "
                             "cubes fill the mesh, from {} to {} [{}]",
                             kLeastCells, VoxelGridOptions::kMostCells, options.cells))
      ->check(whole_number(kLeastCells, VoxelGridOptions::kMostCells))
      ->option_text("N")
      ->group(kGroup);
  app.add_option("--bone-radius", radius_,
                 fmt::format("For bbw, as method or start, and for --domain volume: how thick "
                             "bones are, from 0 to 1 of how far it is to the "
                             "skin; voxels: the cubes that a bone passes through, as bones are "
                             "that are thinner than 3/4 of a cube [{}]",
                             options.radius.share))
      ->check(amount_or_voxels())
      ->option_text("AMOUNT")
      ->group(kGroup);
}

void InteriorFlags::apply(InteriorOptions& options) const {
  if (radius_.empty()) return;
  options.radius.rule = radius_ == kVoxels ? BoneRadius::Rule::voxels : BoneRadius::Rule::thickness;
  if (radius_ != kVoxels)  // checked when it was read
    std::from_chars(radius_.data(), radius_.data() + radius_.size(), options.radius.share);
}

}  // namespace sinew::cli
