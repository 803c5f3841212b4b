// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

namespace sinew {

struct BoneShare {
  int bone = -1;
  double percent = 0;
};

/// How much of the skin of bones has come to harm. Every bone counts alike: a finger as much as a
/// chest.
struct SkinShare {
  double percent = 0;  // mean over the bones that have a figure; 0 where none has
  std::optional<BoneShare> most;
  std::vector<std::optional<double>> bones;  // per bone, percent of its skin
  std::vector<bool> vertices;                // that have come to harm
};

/// How much of the head goes elsewhere.
struct HeadSkin {
  double percent = 0;
  std::vector<bool> vertices;  // of its core, that go elsewhere
};

/// How a surface folds where an arm is raised.
struct FoldedSkin {
  double percent = 0;          // of the length of the edges around the shoulder, the worse arm
  int bone = -1;               // that arm
  std::vector<bool> vertices;  // at the ends of edges that fold, on either arm
};

/// How places that nearly touch come apart, and sink into each other.
struct TouchingSkin {
  double apart = 0;                     // percent of the diagonal
  double sunk = 0;                      // percent of the pairs, per pose
  std::vector<double> apart_of_vertex;  // percent of the diagonal, of its worst pair
  std::vector<double> sunk_of_vertex;   // share of the poses, of its worst pair
};

/// What an eye sees first, and means hide: a face that goes with the neck, hair on an arm, a belt
/// on a thigh, lips that part. Lower is better; docs/conventions.md defines each. What needs other
/// weights to compare with is absent without them; `head` is absent without a head, `folded`
/// without arms.
struct SkinQuality {
  std::optional<SkinShare> stolen;
  std::optional<HeadSkin> head;
  std::optional<FoldedSkin> folded;
  std::optional<SkinShare> worse;
  std::optional<TouchingSkin> touching;
};

}  // namespace sinew
