// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/report/report.h"

namespace sinew {

/// A file while a report of it is made.
struct JudgedFile {
  const ReportFile* file = nullptr;
  JudgedInspection judged;
  std::string failed;

  [[nodiscard]] const Character& character() const { return file->character->character; }
  [[nodiscard]] const Inspection& inspection() const { return judged.inspection; }
};

/// The skeleton that poses are made on.
struct PoseReference {
  const Character* character = nullptr;
  std::vector<BoneRole> roles;
  EffectiveHierarchy hierarchy;
};

struct ReportPoses {
  Json poses = Json::array();
  int first_random = 0;
  /// Per file: its own judging poses are those that are shown, so that figures by pose belong to
  /// them.
  std::vector<bool> judged_as_shown;
  Json worst;  // null when nothing was judged
};

[[nodiscard]] Result<ReportPoses> make_report_poses(std::span<const JudgedFile> files,
                                                    const PoseReference& reference,
                                                    const JudgeOptions& judging,
                                                    const Progress& progress);

/// What is wrong with a file, in whole sentences.
[[nodiscard]] Json describe_warnings(const JudgedFile& judged, int max_influences);

/// The report in one sentence.
[[nodiscard]] std::string describe_verdict(std::span<const JudgedFile> files);

[[nodiscard]] std::string to_base64(std::span<const std::byte> bytes);

/// Three rows of four numbers.
[[nodiscard]] Json affine_to_json(const Affine3& affine);
[[nodiscard]] Json vector_to_json(const Vec3& vector);

}  // namespace sinew
