// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "sinew/core/notice.h"
#include "sinew/core/result.h"
#include "sinew/gltf/gltf_character.h"
#include "sinew/gltf/gltf_document.h"

namespace sinew {

/// Collects the meshes of one character: positions into model space, elements, and the weights as
/// the file has them.
class MeshCollector {
 public:
  MeshCollector(const Document& document, std::size_t bone_count)
      : document_(document), bone_count_(bone_count) {}

  /// Adds all primitives of a node's mesh. Primitives that share their vertices become one part.
  /// `bone_of_joint` maps the skin's joint numbers to bones; null for a mesh without a skin, whose
  /// rows stay empty.
  [[nodiscard]] Status add_mesh(int node, int mesh, int skin, const Affine3& model_from_part,
                                const std::vector<int>* bone_of_joint);

  /// Hands over what was collected.
  [[nodiscard]] Status finish(LoadedCharacter& loaded) &&;

 private:
  [[nodiscard]] Status add_vertices(const Json& primitive, const std::string& place,
                                    const Affine3& model_from_part,
                                    const std::vector<int>* bone_of_joint);
  [[nodiscard]] Status add_weights(const Json& attributes, const std::string& place,
                                   std::size_t vertex_count, const std::vector<int>& bone_of_joint);
  [[nodiscard]] Status add_elements(const Json& primitive, const std::string& place,
                                    std::size_t first_vertex, std::size_t vertex_count);
  [[nodiscard]] Status add_tetrahedra(int mesh, std::size_t first_vertex, std::size_t vertex_count);

  const Document& document_;
  std::size_t bone_count_;
  MeshData data_;
  std::vector<std::size_t> row_begin_{0};
  std::vector<Influence> influences_;
  std::vector<MeshPart> parts_;
  std::vector<PartSource> sources_;
  Notices notices_;
};

}  // namespace sinew
