// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "io/gltf_bone_extras.h"

#include "io/gltf_json.h"

namespace sinew {

void read_bone_extras(const Json& node, Bone& bone) {
  const Json* extras = member(node, "extras");
  const Json* ours = extras == nullptr ? nullptr : member(*extras, "sinew");
  const Json* tail = ours == nullptr ? nullptr : member(*ours, "tail");
  if (tail == nullptr || !tail->is_array() || tail->size() != 3) return;
  Vec3 local;
  for (std::size_t i = 0; i < 3; ++i) {
    if (!(*tail)[i].is_number()) return;
    local[static_cast<int>(i)] = (*tail)[i].get<double>();
  }
  const Vec3 model = bone.rest * local;
  if (model.allFinite()) bone.tail = model;
}

}  // namespace sinew
