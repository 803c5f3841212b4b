// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sinew/bind/targets.h"
#include "sinew/core/notice.h"
#include "sinew/gltf/primitive_joints.h"

namespace CLI {
class App;
}

namespace sinew::cli {

inline constexpr int kMostInfluences = 32;  // eight sets of four; no program reads as many

/// What the file, or the files, are made for.
struct Delivery {
  std::vector<int> budgets;  // influences per vertex at most, one file each; none twice
  WeightFormat format = WeightFormat::f32;
  std::string target;            // its name; empty without one
  int joints_per_primitive = 0;  // 0: no limit
  bool split_primitives = false;
};

/// The words of the command line about it.
class DeliveryOptions {
 public:
  void add_to(CLI::App& app);

  /// What they mean together: a target sets everything that no flag says. Throws a Failure.
  [[nodiscard]] Delivery resolve() const;
  /// Whether a flag or a target limits the influences, and not the default alone.
  [[nodiscard]] bool limits_influences() const { return !budgets_.empty() || !target_.empty(); }

 private:
  std::string budgets_;
  std::string quantise_;
  std::string target_;
  std::optional<int> joints_per_primitive_;
  bool split_primitives_ = false;
  bool no_split_primitives_ = false;
};

/// Where the file of a budget goes: to the path itself, or among several to "bound.2.glb" for
/// "bound.glb".
[[nodiscard]] std::filesystem::path path_of_budget(const std::filesystem::path& path,
                                                   const Delivery& delivery, std::size_t budget);

/// What became of the limit of joints in one document.
struct JointUse {
  std::size_t most = 0;   // joints that a primitive of the character uses
  std::size_t added = 0;  // primitives, by splitting others
};

/// Splits what has to be split, and notes what uses more joints than it may. Does nothing without a
/// limit.
[[nodiscard]] Result<JointUse> limit_joints(Document& document, const LoadedCharacter& loaded,
                                            const Delivery& delivery, std::size_t budget,
                                            Notices& notices);

/// What was asked for, as fields of a report.
void add_delivery(Json& report, const Delivery& delivery);

}  // namespace sinew::cli
