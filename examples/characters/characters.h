// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "sinew/core/progress.h"
#include "sinew/model/character.h"

namespace sinew {

struct ExampleInfo {
  std::string_view name;         // what make_example takes
  std::string_view description;  // one line, without a full stop
};

/// The characters that can be made.
[[nodiscard]] std::span<const ExampleInfo> example_characters();

inline constexpr int kMinExampleVertices = 2'000;      // below it fingers have no room to be round
inline constexpr int kMaxExampleVertices = 2'000'000;  // above it memory, not shape, decides

struct ExampleOptions {
  int vertices =
      40'000;  // met within 5%: enough for smooth shading, small enough to bind in a moment
};

/// A character and the normals of its surface, one per vertex.
struct ExampleCharacter {
  Character character;
  std::vector<Vec3> normals;
};

/// Makes a character: metres, +Y up, facing +Z. Every part is a closed, oriented 2-manifold; all
/// but the robot are one part. Complete with skeleton, limits, simple weights of at most four
/// influences, and a clip. The same bits for any number of threads. Fails with place "name" or
/// "vertices" when asked for what does not exist.
[[nodiscard]] Result<ExampleCharacter> make_example(std::string_view name,
                                                    const ExampleOptions& options = {},
                                                    const Progress& progress = {});

}  // namespace sinew
