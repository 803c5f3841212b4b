// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <cassert>
#include <iterator>

#include <fmt/format.h>

#include "formats/medit.h"

namespace sinew {

std::string write_medit(const MeditTetrahedra& tetrahedra) {
  assert(tetrahedra.point_references.size() == tetrahedra.points.size());
  assert(tetrahedra.tetrahedron_references.size() == tetrahedra.tetrahedra.size());
  std::string text = "MeshVersionFormatted 2\n\nDimension 3\n";
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "\nVertices\n{}\n", tetrahedra.points.size());
  for (std::size_t p = 0; p < tetrahedra.points.size(); ++p) {
    const Vec3& point = tetrahedra.points[p];
    fmt::format_to(out, "{} {} {} {}\n", point.x(), point.y(), point.z(),
                   tetrahedra.point_references[p]);
  }
  fmt::format_to(out, "\nTetrahedra\n{}\n", tetrahedra.tetrahedra.size());
  for (std::size_t t = 0; t < tetrahedra.tetrahedra.size(); ++t) {
    const auto& [a, b, c, d] = tetrahedra.tetrahedra[t];
    fmt::format_to(out, "{} {} {} {} {}\n", a + 1, b + 1, c + 1, d + 1,
                   tetrahedra.tetrahedron_references[t]);
  }
  text += "\nEnd\n";
  return text;
}

}  // namespace sinew
