// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "verb.h"

namespace sinew::cli {

std::vector<std::unique_ptr<Verb>> make_verbs() {
  std::vector<std::unique_ptr<Verb>> verbs;
  verbs.push_back(make_bind_verb());
  verbs.push_back(make_fit_joints_verb());
  verbs.push_back(make_inspect_verb());
  verbs.push_back(make_report_verb());
  verbs.push_back(make_snapshot_verb());
  verbs.push_back(make_volume_verb());
  verbs.push_back(make_copy_verb());
  verbs.push_back(make_pose_verb());
  verbs.push_back(make_example_verb());
  return verbs;
}

}  // namespace sinew::cli
