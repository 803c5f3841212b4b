// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "formats/assimp_mesh.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "formats/text_reader.h"
#include "formats/vertex_table.h"
#include "gltf/document_builder.h"

namespace sinew::reading {
namespace {

constexpr float kNormalSteps =
    1e4F;  // normals are one when they agree to this; writers compute them per corner

VertexTable lay_out(const aiMesh& mesh, const MeshImport& import) {
  VertexTable table;
  table.count = mesh.mNumVertices;
  table.width = 3;
  const auto reserve = [&](std::size_t size) {
    return std::exchange(table.width, table.width + size);
  };
  if (mesh.HasNormals() && import.keep_normals) table.normal_at = reserve(3);
  for (unsigned set = 0; set < AI_MAX_NUMBER_OF_TEXTURECOORDS && mesh.HasTextureCoords(set); ++set)
    table.uvs_at.push_back(reserve(2));
  for (unsigned set = 0; set < AI_MAX_NUMBER_OF_COLOR_SETS && mesh.HasVertexColors(set); ++set)
    table.colours_at.push_back(reserve(4));
  if (import.joint_count > 0) table.influences_at = reserve(2 * kMaxImportedInfluences);
  table.values.assign(table.count * table.width, 0.0F);
  return table;
}

Status fill_positions(const aiMesh& mesh, const MeshImport& import, const std::string& place,
                      VertexTable& table) {
  for (std::size_t i = 0; i < table.count; ++i) {
    const aiVector3D& p = mesh.mVertices[i];
    const Vec3 position = import.placement * Vec3(p.x, p.y, p.z);
    if (!(position.cwiseAbs().maxCoeff() <= kLargestCoordinate))
      return Error{ErrorCode::bad_mesh, fmt::format("{}.vertices[{}]", place, i),
                   "the position is not finite"};
    // Adding zero turns -0 into 0: the two are one place but not one row of bytes.
    for (int axis = 0; axis < 3; ++axis)
      table.row(i)[axis] = static_cast<float>(position[axis]) + 0.0F;
  }
  return {};
}

void fill_attributes(const aiMesh& mesh, const MeshImport& import, VertexTable& table) {
  const Eigen::Matrix3d normal_map = import.placement.linear().inverse().transpose();
  const auto finite = [](float value) { return std::isfinite(value) ? value + 0.0F : 0.0F; };
  for (std::size_t i = 0; i < table.count; ++i) {
    float* row = table.row(i);
    if (table.normal_at > 0) {
      const aiVector3D& n = mesh.mNormals[i];
      const Vec3 normal = (normal_map * Vec3(n.x, n.y, n.z)).stableNormalized();
      for (int axis = 0; axis < 3; ++axis)
        row[table.normal_at + static_cast<std::size_t>(axis)] =
            finite(static_cast<float>(normal[axis]));
    }
    for (std::size_t set = 0; set < table.uvs_at.size(); ++set) {
      const aiVector3D& uv = mesh.mTextureCoords[set][i];
      row[table.uvs_at[set]] = finite(uv.x);
      row[table.uvs_at[set] + 1] = finite(1 - uv.y);  // glTF counts v from the top
    }
    for (std::size_t set = 0; set < table.colours_at.size(); ++set) {
      const aiColor4D& colour = mesh.mColors[set][i];
      for (unsigned c = 0; c < 4; ++c)
        row[table.colours_at[set] + c] = std::clamp(finite(colour[c]), 0.0F, 1.0F);
    }
  }
}

void fill_influences(const aiMesh& mesh, const MeshImport& import, VertexTable& table,
                     MeshLosses& losses) {
  std::vector<std::vector<Influence>> rows(table.count);
  for (unsigned b = 0; b < mesh.mNumBones; ++b) {
    const aiBone& bone = *mesh.mBones[b];
    const int joint = import.joint_of_bone[b];
    for (unsigned w = 0; w < bone.mNumWeights && joint >= 0; ++w) {
      const aiVertexWeight& weight = bone.mWeights[w];
      if (weight.mVertexId < table.count && weight.mWeight > 0 && std::isfinite(weight.mWeight))
        rows[weight.mVertexId].push_back({static_cast<std::uint32_t>(joint), weight.mWeight});
    }
  }
  for (std::size_t i = 0; i < table.count; ++i) {
    std::vector<Influence>& row = rows[i];
    add_up_repeated(row);
    std::ranges::sort(row, [](const Influence& a, const Influence& b) {
      return a.weight != b.weight ? a.weight > b.weight : a.bone < b.bone;
    });
    if (row.size() > kMaxImportedInfluences) {
      ++losses.cut_vertices;
      row.resize(kMaxImportedInfluences);
    }
    double sum = 0;
    for (const Influence& influence : row) sum += influence.weight;
    if (!row.empty() && std::abs(sum - 1) > kWeightSumTolerance) ++losses.rescaled_vertices;
    for (std::size_t k = 0; k < row.size(); ++k) {
      table.row(i)[table.influences_at + k] = static_cast<float>(row[k].bone);
      table.row(i)[table.influences_at + kMaxImportedInfluences + k] =
          static_cast<float>(row[k].weight / sum);
    }
  }
}

/// What a number counts as when rows are compared.
std::uint32_t join_key(const VertexTable& table, std::size_t row, std::size_t at) {
  const float value = table.row(row)[at];
  const bool in_normal = table.normal_at > 0 && at >= table.normal_at && at < table.normal_at + 3;
  return std::bit_cast<std::uint32_t>(in_normal ? std::round(value * kNormalSteps) + 0.0F : value);
}

bool same_row(const VertexTable& table, std::size_t a, std::size_t b) {
  for (std::size_t k = 0; k < table.width; ++k)
    if (join_key(table, a, k) != join_key(table, b, k)) return false;
  return true;
}

/// Keeps the first of equal rows, in order; returns for every old vertex its new one.
std::vector<VertexIndex> join_rows(VertexTable& table) {
  const std::size_t slots = std::bit_ceil(2 * table.count + 1);
  constexpr VertexIndex kFree = ~VertexIndex{0};
  std::vector<VertexIndex> first_of(slots, kFree);
  std::vector<VertexIndex> new_of_old(table.count);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < table.count; ++i) {
    std::uint64_t hash = 0;
    for (std::size_t k = 0; k < table.width; ++k) {
      hash = (hash ^ join_key(table, i, k)) * 0x9e3779b97f4a7c15ULL;
      hash ^= hash >> 29;
    }
    std::size_t slot = hash & (slots - 1);
    while (first_of[slot] != kFree && !same_row(table, first_of[slot], i))
      slot = (slot + 1) & (slots - 1);
    if (first_of[slot] == kFree) {
      if (kept != i) std::copy_n(table.row(i), table.width, table.row(kept));
      first_of[slot] = static_cast<VertexIndex>(kept++);
    }
    new_of_old[i] = first_of[slot];
  }
  table.count = kept;
  table.values.resize(kept * table.width);
  return new_of_old;
}

struct Faces {
  std::vector<Triangle> triangles;
  std::vector<std::uint32_t> lines;
};

Result<Faces> cut_faces(const aiMesh& mesh, const VertexTable& table,
                        std::span<const VertexIndex> new_of_old, const std::string& place,
                        MeshLosses& losses) {
  std::vector<Vec3> positions(table.count);
  for (std::size_t i = 0; i < table.count; ++i)
    positions[i] = Eigen::Map<const Eigen::Vector3f>(table.row(i)).cast<double>();
  Faces faces;
  faces.triangles.reserve(mesh.mNumFaces);
  std::vector<VertexIndex> corners;
  for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
    const aiFace& face = mesh.mFaces[f];
    corners.clear();
    for (unsigned c = 0; c < face.mNumIndices; ++c) {
      const unsigned index = face.mIndices[c];
      if (index >= mesh.mNumVertices)
        return Error{
            ErrorCode::bad_mesh, fmt::format("{}.faces[{}]", place, f),
            fmt::format("there is no vertex {}; the mesh has {}", index, mesh.mNumVertices)};
      corners.push_back(new_of_old.empty() ? index : new_of_old[index]);
    }
    if (corners.size() == 2)
      faces.lines.insert(faces.lines.end(), corners.begin(), corners.end());
    else if (corners.size() < 2)
      ++losses.points;
    else
      cut_polygon(corners, positions, faces.triangles);
  }
  return faces;
}

}  // namespace

Result<std::vector<Json>> add_primitives(Document& document, const aiMesh& mesh,
                                         const MeshImport& import, const std::string& place,
                                         MeshLosses& losses) {
  losses.morph_targets += mesh.mNumAnimMeshes;
  VertexTable table = lay_out(mesh, import);
  SINEW_CHECK(fill_positions(mesh, import, place, table));
  fill_attributes(mesh, import, table);
  if (import.joint_count > 0) fill_influences(mesh, import, table, losses);
  std::vector<VertexIndex> new_of_old;
  if (import.join_identical) new_of_old = join_rows(table);
  SINEW_TRY(Faces faces, cut_faces(mesh, table, new_of_old, place, losses));
  if (import.placement.linear().determinant() < 0)
    for (Triangle& triangle : faces.triangles) std::swap(triangle[1], triangle[2]);
  losses.bad_normals += mend_normals(table, faces.triangles);

  std::vector<Json> primitives;
  if (table.count == 0 || (faces.triangles.empty() && faces.lines.empty())) return primitives;
  const Json attributes = add_attributes(document, table, import.joint_count);
  if (!faces.triangles.empty())
    primitives.push_back(add_triangles(document, attributes, faces.triangles));
  if (!faces.lines.empty()) primitives.push_back(add_lines(document, attributes, faces.lines));
  return primitives;
}

void report(const MeshLosses& losses, Notices& notices) {
  const auto say = [&](std::size_t count, Notice::Level level, const char* code, const char* what) {
    if (count > 0) notices.push_back({level, code, "", fmt::format("{} {}", count, what)});
  };
  say(losses.points, Notice::Level::note, "points_skipped", "single points were left out");
  say(losses.morph_targets, Notice::Level::warning, "morph_targets_skipped",
      "morph targets were left out");
  say(losses.cut_vertices, Notice::Level::warning, "weights_cut",
      "vertices had more than eight weights; their strongest eight were kept");
  say(losses.rescaled_vertices, Notice::Level::warning, "weight_sum",
      "vertices had weights that do not sum to 1; they were scaled");
  say(losses.bad_normals, Notice::Level::warning, "bad_normals",
      "normals had no direction; they were computed from their triangles");
}

}  // namespace sinew::reading
