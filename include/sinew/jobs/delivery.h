// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/bind/targets.h"
#include "sinew/core/notice.h"
#include "sinew/gltf/primitive_joints.h"
#include "sinew/jobs/job_error.h"

namespace sinew {

inline constexpr int kMostInfluences = 32;  // eight sets of four; no program reads as many

/// What weights are made for. What is not said is the target's, or the default.
struct DeliveryOptions {
  std::vector<int> budgets;                 // influences per vertex at most; a document for each
  std::optional<WeightFormat> format;       // integers: rounded so that the mesh deforms as it did
  std::string target;                       // a name of bind/targets.h
  std::optional<int> joints_per_primitive;  // 0: no limit
  enum class Split {
    as_target,
    on,   // primitives that use more joints are cut into several
    off,  // they are told of
  };
  Split split_primitives = Split::as_target;

  /// Whether the influences are limited by more than the default alone.
  [[nodiscard]] bool limits_influences() const { return !budgets.empty() || !target.empty(); }
};

/// "2,4,8" as budgets. The place of an error is empty.
[[nodiscard]] Result<std::vector<int>> parse_budgets(std::string_view text);

/// The same with everything decided.
struct Delivery {
  std::vector<int> budgets;  // one at least; none twice
  WeightFormat format = WeightFormat::f32;
  std::string target;            // empty without one
  int joints_per_primitive = 0;  // 0: no limit
  bool split_primitives = false;
};
[[nodiscard]] JobResult<Delivery> resolve_delivery(const DeliveryOptions& options);

/// Where the file of a budget goes: to the path itself, or among several to "bound.2.glb" for
/// "bound.glb". No path stays none.
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

}  // namespace sinew
