// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace sinew {

/// Something a rigger would want to know that did not stop the work: a guess, a repair, a doubt.
struct Notice {
  enum class Level {
    note,     // a guess or a choice that was made
    warning,  // something in the file is wrong; the result may not be what was meant
  };
  Level level = Level::note;
  std::string code;     // stable, for scripts: "nan_weight", "guessed_tail"
  std::string place;    // a path into the file: "meshes[0].primitives[1]"; may be empty
  std::string message;  // a sentence without a full stop
};

using Notices = std::vector<Notice>;

}  // namespace sinew
