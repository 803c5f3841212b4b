// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/gltf/gltf_document.h"
#include "sinew/model/mesh.h"

namespace sinew::reading {

/// What is left of the weights of a mesh after import: JOINTS_0 and JOINTS_1.
inline constexpr std::size_t kMaxImportedInfluences = 8;

/// All floats of a vertex in one row, so that "the same vertex" is "the same row".
struct VertexTable {
  std::size_t width = 0;
  std::size_t normal_at = 0;  // 0: none; the position is always at 0
  std::vector<std::size_t> uvs_at;
  std::vector<std::size_t> colours_at;
  std::size_t influences_at = 0;  // kMaxImportedInfluences joints, then as many weights
  std::size_t count = 0;
  std::vector<float> values;

  [[nodiscard]] float* row(std::size_t i) { return values.data() + i * width; }
  [[nodiscard]] const float* row(std::size_t i) const { return values.data() + i * width; }
  [[nodiscard]] std::vector<float> column(std::size_t at, std::size_t size) const {
    std::vector<float> column;
    column.reserve(size * count);
    for (std::size_t i = 0; i < count; ++i)
      column.insert(column.end(), row(i) + at, row(i) + at + size);
    return column;
  }
};

/// triangulate_polygon for polygons of a size that people make. Its time grows with the cube of the
/// corners, so one of more than kLargestCarvedPolygon is cut as a fan: a file must not be able to
/// stall its reader.
inline constexpr std::size_t kLargestCarvedPolygon = 256;
void cut_polygon(std::span<const VertexIndex> corners, std::span<const Vec3> positions,
                 std::vector<Triangle>& triangles);

/// Normals that are zero or were not finite get the mean of their triangles': glTF allows only unit
/// vectors. Returns how many.
std::size_t mend_normals(VertexTable& table, std::span<const Triangle> triangles);

/// Appends the columns as accessors; returns a primitive's "attributes".
[[nodiscard]] Json add_attributes(Document& document, const VertexTable& table,
                                  std::size_t joint_count);

/// Appends indices; returns the primitive.
[[nodiscard]] Json add_triangles(Document& document, const Json& attributes,
                                 std::span<const Triangle> triangles);
[[nodiscard]] Json add_lines(Document& document, const Json& attributes,
                             std::span<const std::uint32_t> ends);

}  // namespace sinew::reading
