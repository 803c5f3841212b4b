// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/spines/gltf_spine_bones.h"

#include <fmt/format.h>

#include "sinew/gltf/vertex_mask.h"
#include "sinew/model/driven_spines.h"
#include "sinew/rig/spine_parameters.h"

namespace sinew {

Result<std::vector<SpineBone>> own_spine_bones(const Document& document,
                                               const LoadedCharacter& loaded) {
  const Skeleton& skeleton = loaded.character.skeleton;
  const Mesh& mesh = loaded.character.mesh;
  std::vector<SpineBone> spines;
  const std::vector<std::optional<SpineSegment>> segments = spine_segments(skeleton);
  for (std::size_t j = 0; j < segments.size(); ++j) {
    if (!segments[j]) continue;
    const Bone& bone = skeleton.bones()[j];
    SpineBone spine{static_cast<int>(j), segments[j]->rest, {}, {}};
    SINEW_TRY(spine.parameters, spine_parameters(spine.rest, mesh, bone.parametrisation));
    if (!bone.painted_attribute.empty()) {
      const auto refused = [&](const Error& error) {
        return Error{
            error.code, fmt::format("bones[{}]", j),
            fmt::format("'{}' sits by {}: {}", bone.name, bone.painted_attribute, error.message)};
      };
      const auto painted = read_vertex_values(document, loaded, bone.painted_attribute);
      if (!painted.ok()) return refused(painted.error());
      if (const Status put = paint_parameters(*painted, spine.parameters); !put.ok())
        return refused(put.error());
    }
    spines.push_back(std::move(spine));
  }
  return spines;
}

}  // namespace sinew
