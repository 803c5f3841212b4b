// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/gltf/vertex_mask.h"

#include <fmt/format.h>

#include "gltf/gltf_json.h"
#include "sinew/gltf/gltf_accessor.h"

namespace sinew {
namespace {

constexpr double kChosen = 0.5;

}  // namespace

Result<std::vector<std::optional<double>>> read_vertex_values(const Document& document,
                                                              const LoadedCharacter& loaded,
                                                              const std::string& attribute) {
  std::vector<std::optional<double>> found(loaded.character.mesh.vertex_count());
  bool is_found = false;
  for (std::size_t p = 0; p < loaded.sources.size(); ++p) {
    const PartSource& source = loaded.sources[p];
    const MeshPart& part = loaded.character.parts[p];
    if (source.primitives.empty()) continue;
    const Json& primitive =
        document.json["meshes"][static_cast<std::size_t>(source.mesh)]["primitives"]
                     [static_cast<std::size_t>(source.primitives.front())];
    const int accessor = index_or_none(primitive["attributes"], attribute);
    if (accessor < 0) continue;
    is_found = true;
    const std::string type =
        document.json["accessors"][static_cast<std::size_t>(accessor)].value("type", "");
    SINEW_TRY(const std::vector<float> values, read_floats(document, accessor, type));
    const std::size_t count = accessor_count(document, accessor);
    if (count != part.vertex_count)
      return Error{ErrorCode::bad_file, fmt::format("accessors[{}]", accessor),
                   fmt::format("{} has {} values, and the mesh '{}' {} vertices", attribute, count,
                               part.name, part.vertex_count)};
    if (count == 0) continue;
    const std::size_t components = values.size() / part.vertex_count;
    for (std::size_t v = 0; v < part.vertex_count; ++v)
      found[part.first_vertex + v] = static_cast<double>(values[v * components]);
  }
  if (!is_found)
    return Error{ErrorCode::bad_argument, attribute, "no mesh has this vertex attribute"};
  return found;
}

Result<std::vector<bool>> read_vertex_mask(const Document& document, const LoadedCharacter& loaded,
                                           const std::string& attribute) {
  SINEW_TRY(const auto values, read_vertex_values(document, loaded, attribute));
  std::vector<bool> mask;
  for (const std::optional<double>& value : values) mask.push_back(value.value_or(0) > kChosen);
  return mask;
}

}  // namespace sinew
