// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/gltf/gltf_accessor.h"
#include "sinew/gltf/gltf_document.h"
#include "sinew/math/types.h"

namespace sinew::reading {

[[nodiscard]] Json json_vector(const Vec3& v);

/// append_accessor for floats that are neither vertices nor indices; `bounds` as animation times
/// need them.
enum class Bounds { none, with };
int append_floats(Document& document, std::string_view type, std::span<const float> values,
                  Bounds bounds = Bounds::none);

/// Appends vertex data of floats; bounds are written for POSITION's sake where asked for.
int append_vertex_floats(Document& document, std::string_view type, std::span<const float> values,
                         Bounds bounds = Bounds::none);

/// Appends integers as unsigned numbers of the given size.
int append_integers(Document& document, std::string_view type, ComponentType component,
                    std::span<const std::uint32_t> values, BufferTarget target);

/// Appends a node, under `parent` or to the default scene for -1, and returns its index.
int add_node(Document& document, Json node, int parent = -1);

/// Puts a node above the roots of the scene when there are several: the joints of a skin must have
/// a common one.
void give_common_root(Document& document);

/// Appends a skin over joint nodes with their inverse bind matrices (model space to joint space).
int add_skin(Document& document, std::string_view name, std::span<const int> joints,
             std::span<const Affine3> inverse_binds);

/// Collects channels into one animation; finish() appends it unless it stayed empty.
class ClipBuilder {
 public:
  ClipBuilder(Document& document, std::string_view name);

  /// An accessor of key times, to be shared by channels.
  int add_times(std::span<const float> times_s);
  /// `path` is "translation", "rotation" (x y z w), "scale" or "weights"; one value per time.
  void add_channel(int node, std::string_view path, int times_accessor,
                   std::span<const float> values);
  void finish();

 private:
  Document& document_;
  Json animation_;
};

}  // namespace sinew::reading
