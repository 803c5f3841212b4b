// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace sinew::test {

/// A leg as text, in the dialects that writers use. In metres and +Y up it is always the same: a
/// square tube from the ground to y = 2, 0.2 wide, of three rings of four vertices; joints hip (y =
/// 0), knee (y = 1) and knee_end (y = 2, no weights); the middle ring hangs half on each. The clip
/// "bend" takes one second: the hip rises by 0.5, and the knee turns by 90 degrees about its own X
/// axis.
struct TinyRig {
  double metres_per_unit = 1;
  bool z_up = false;
  double node_scale = 1;  // on the nodes above skeleton and mesh, with a smaller mesh to match
  double knee_pre_rotation_z_deg =
      0;  // FBX only: a turn that is part of the joint but not of its keys
};

[[nodiscard]] std::string tiny_fbx(const TinyRig& rig);
[[nodiscard]] std::string tiny_collada(const TinyRig& rig);

}  // namespace sinew::test
