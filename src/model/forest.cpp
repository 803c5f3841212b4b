// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "model/forest.h"

#include <fmt/format.h>

namespace sinew {

Result<std::vector<int>> parents_first(std::span<const int> parents, ErrorCode code,
                                       std::string_view what) {
  enum class Mark : char { unseen, on_path, done };
  const int count = static_cast<int>(parents.size());
  for (int i = 0; i < count; ++i) {
    const int parent = parents[static_cast<std::size_t>(i)];
    if (parent < -1 || parent >= count)
      return Error{code, fmt::format("{}[{}]", what, i),
                   fmt::format("has parent {}, but there are {}", parent, count)};
  }
  std::vector<Mark> marks(parents.size(), Mark::unseen);
  std::vector<int> order;
  order.reserve(parents.size());
  std::vector<int> path;
  for (int start = 0; start < count; ++start) {
    for (int i = start; i >= 0 && marks[static_cast<std::size_t>(i)] != Mark::done;
         i = parents[static_cast<std::size_t>(i)]) {
      Mark& mark = marks[static_cast<std::size_t>(i)];
      if (mark == Mark::on_path)
        return Error{code, fmt::format("{}[{}]", what, i), "is its own ancestor"};
      mark = Mark::on_path;
      path.push_back(i);
    }
    for (; !path.empty(); path.pop_back()) {
      order.push_back(path.back());
      marks[static_cast<std::size_t>(path.back())] = Mark::done;
    }
  }
  return order;
}

bool is_below(std::span<const int> parents, int index, int above) {
  for (; index >= 0; index = parents[static_cast<std::size_t>(index)])
    if (index == above) return true;
  return false;
}

}  // namespace sinew
