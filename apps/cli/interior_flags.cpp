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

void InteriorFlags::add_to(CLI::App& app, InteriorOptions& options, const std::string& when) {
  const bool begins = when.empty();
  app.add_option("--cells", options.cells,
                 fmt::format("{}bout how many cubes fill the mesh, from {} to {} [{}]",
                             begins ? "A" : when + "a", kLeastCells, VoxelGridOptions::kMostCells,
                             options.cells))
      ->check(whole_number(kLeastCells, VoxelGridOptions::kMostCells))
      ->each([&options](const std::string&) { options.filling = InteriorOptions::Filling::cubes; })
      ->option_text("N")
      ->group(kGroup);
  app.add_option("--bone-radius", radius_,
                 fmt::format("{}ow thick bones are, from 0 to 1 of how far it is to the "
                             "skin; voxels: the cubes that a bone passes through, as bones are "
                             "that are thinner than 3/4 of a cube [{}]",
                             begins ? "H" : when + "h", options.radius.share))
      ->check(amount_or_voxels())
      ->option_text("AMOUNT")
      ->group(kGroup);
  flags_ = {app.get_option("--cells"), app.get_option("--bone-radius")};
}

void InteriorFlags::apply(InteriorOptions& options) const {
  if (radius_.empty()) return;
  options.radius.rule = radius_ == kVoxels ? BoneRadius::Rule::voxels : BoneRadius::Rule::thickness;
  if (radius_ != kVoxels)  // checked when it was read
    std::from_chars(radius_.data(), radius_.data() + radius_.size(), options.radius.share);
}

bool InteriorFlags::has_any(const InteriorOptions& options) const {
  return !radius_.empty() || options.cells != InteriorOptions().cells;
}

std::string InteriorFlags::first_given() const {
  for (const CLI::Option* const flag : flags_)
    if (flag->count() > 0) return flag->get_name();
  return {};
}

}  // namespace sinew::cli
