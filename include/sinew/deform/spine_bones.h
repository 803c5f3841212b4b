// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sinew/math/spine.h"

namespace sinew {

/// A bone of kind spine or stretch_twist, and where on it each vertex of a mesh is attached.
struct SpineBone {
  int bone = -1;
  SpineRest rest;
  std::vector<double> parameters;  // u of every vertex, 0 at the head to 1 at the tail
  std::vector<Vec3> gradients;     // ∇u at every vertex, along the bone ([araplbs] appendix)
};

}  // namespace sinew
