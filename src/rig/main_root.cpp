// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "rig/main_root.h"

#include "model/forest.h"

namespace sinew {

int find_main_root(std::span<const int> parent, const std::vector<BoneRole>& roles) {
  const std::vector<int> order = *parents_first(parent, ErrorCode::bad_skin, "bones");
  std::vector<std::size_t> below(parent.size(), 0);
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    const auto j = static_cast<std::size_t>(*it);
    if (roles[j].deforms) ++below[j];
    if (parent[j] >= 0) below[static_cast<std::size_t>(parent[j])] += below[j];
  }
  int main_root = -1;
  for (std::size_t j = 0; j < parent.size(); ++j)
    if (parent[j] < 0 && (main_root < 0 || below[j] > below[static_cast<std::size_t>(main_root)]))
      main_root = static_cast<int>(j);
  return main_root;
}

}  // namespace sinew
