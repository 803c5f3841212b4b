// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "formats/obj.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <compare>
#include <map>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "formats/material_writer.h"
#include "formats/text_reader.h"
#include "formats/vertex_table.h"
#include "gltf/document_builder.h"
#include "gltf/uri.h"

namespace sinew {
namespace {

using reading::TextReader;

constexpr std::uint64_t kMaxMaterialFileBytes = std::uint64_t{64} << 20;

/// What a corner of a face refers to; -1 for nothing.
struct ObjCorner {
  int position = -1;
  int uv = -1;
  int normal = -1;
  auto operator<=>(const ObjCorner&) const = default;
};

struct ObjFace {
  std::size_t first_corner = 0;
  std::size_t corner_count = 0;
  int material = -1;
};

struct ObjPart {
  std::string name;
  std::vector<ObjCorner> corners;
  std::vector<ObjFace> faces;
  std::vector<ObjCorner> line_ends;
};

struct ObjFile {
  std::vector<Vec3> positions;
  std::vector<std::array<float, 3>> colours;  // as many as positions, or not used
  std::vector<std::array<float, 2>> uvs;
  std::vector<Vec3> normals;
  std::vector<ObjPart> parts;
  std::vector<std::string> materials;  // in the order of use
  std::vector<std::string> libraries;
  Notices notices;
};

class ObjParser {
 public:
  ObjParser(std::span<const std::byte> file, std::string mesh_name)
      : reader_(file, '#'), mesh_name_(std::move(mesh_name)) {}

  Result<ObjFile> parse() {
    for (std::string_view word = reader_.next_word(); !word.empty(); word = reader_.next_word()) {
      SINEW_CHECK(parse_statement(word));
      reader_.rest_of_line();
    }
    for (const IndexSeen& seen : largest_) SINEW_CHECK(check_index(seen));
    if (file_.positions.empty()) return reader_.error("the file has no vertices (v)");
    if (skipped_faces_ > 0)
      file_.notices.push_back(
          {Notice::Level::warning, "faces_skipped", "",
           fmt::format("{} faces of fewer than three corners were left out", skipped_faces_)});
    return std::move(file_);
  }

 private:
  struct IndexSeen {
    const char* what;
    int index = -1;
    std::size_t line = 0;
  };

  Status parse_statement(std::string_view keyword) {
    if (keyword == "v") return parse_position();
    if (keyword == "vt") return parse_uv();
    if (keyword == "vn") {
      SINEW_TRY(const Vec3 normal, vector("a normal"));
      file_.normals.push_back(normal);
      return {};
    }
    if (keyword == "f") return parse_face();
    if (keyword == "l") return parse_line();
    if (keyword == "o" || keyword == "g") {
      (keyword == "o" ? object_ : group_) = reading::to_utf8(reader_.rest_of_line());
      if (keyword == "o") group_.clear();
      part_ = -1;
    } else if (keyword == "usemtl") {
      use_material(reading::to_utf8(reader_.rest_of_line()));
    } else if (keyword == "mtllib") {
      file_.libraries.emplace_back(reader_.rest_of_line());
    }
    return {};
  }

  /// The next word of the statement; a backslash at the end of a line carries it over to the next.
  std::string_view next_argument() {
    std::string_view word = reader_.next_word_in_line();
    while (word == "\\") {
      reader_.rest_of_line();
      word = reader_.next_word();
    }
    return word;
  }

  Result<Vec3> vector(std::string_view what) {
    Vec3 numbers;
    for (int axis = 0; axis < 3; ++axis) {
      const std::string_view word = next_argument();
      if (word.empty()) return reader_.error(fmt::format("{} has three numbers", what));
      SINEW_TRY(numbers[axis], reader_.as_number(word, what));
    }
    return numbers;
  }

  Status parse_position() {
    SINEW_TRY(const Vec3 position, vector("a vertex"));
    file_.positions.push_back(position);
    std::array<float, 3> colour{};
    for (float& channel : colour) {
      const std::string_view word = next_argument();
      if (word.empty()) return {};
      SINEW_TRY(const double value, reader_.as_number(word, "a colour"));
      channel = std::clamp(static_cast<float>(value), 0.0F, 1.0F);
    }
    file_.colours.push_back(colour);
    return {};
  }

  Status parse_uv() {
    SINEW_TRY(const double u, reader_.as_number(next_argument(), "a texture coordinate"));
    const std::string_view word = next_argument();
    double v = 0;
    if (!word.empty()) {
      SINEW_TRY(v, reader_.as_number(word, "a texture coordinate"));
    }
    // glTF counts v from the top.
    file_.uvs.push_back({static_cast<float>(u), static_cast<float>(1 - v)});
    return {};
  }

  Result<int> index(std::string_view text, std::size_t count, IndexSeen& largest) {
    int value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc() || end != text.data() + text.size() || value == 0)
      return reader_.error(
          fmt::format("'{}' is no index of a {}", reading::shown(text), largest.what));
    if (value < 0) {
      if (static_cast<std::size_t>(-static_cast<std::int64_t>(value)) > count)
        return reader_.error(fmt::format("{} reaches back past the first {}", value, largest.what));
      return static_cast<int>(count) + value;
    }
    if (value - 1 > largest.index) largest = {largest.what, value - 1, reader_.line()};
    return value - 1;
  }

  Result<ObjCorner> corner(std::string_view word) {
    std::array<std::string_view, 3> fields;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t slash = word.find('/');
      fields[i] = word.substr(0, slash);
      if (slash == word.npos) break;
      word.remove_prefix(slash + 1);
    }
    ObjCorner corner;
    SINEW_TRY(corner.position, index(fields[0], file_.positions.size(), largest_[0]));
    if (!fields[1].empty()) {
      SINEW_TRY(corner.uv, index(fields[1], file_.uvs.size(), largest_[1]));
    }
    if (!fields[2].empty()) {
      SINEW_TRY(corner.normal, index(fields[2], file_.normals.size(), largest_[2]));
    }
    return corner;
  }

  Status parse_face() {
    ObjPart& part = current_part();
    ObjFace face{part.corners.size(), 0, material_};
    for (std::string_view word = next_argument(); !word.empty(); word = next_argument()) {
      SINEW_TRY(const ObjCorner parsed, corner(word));
      part.corners.push_back(parsed);
      ++face.corner_count;
    }
    if (face.corner_count >= 3) {
      part.faces.push_back(face);
    } else {
      part.corners.resize(face.first_corner);
      ++skipped_faces_;
    }
    return {};
  }

  Status parse_line() {
    ObjPart& part = current_part();
    std::optional<ObjCorner> previous;
    for (std::string_view word = next_argument(); !word.empty(); word = next_argument()) {
      SINEW_TRY(ObjCorner end, corner(word));
      if (previous) part.line_ends.insert(part.line_ends.end(), {*previous, end});
      previous = end;
    }
    return {};
  }

  ObjPart& current_part() {
    if (part_ < 0) {
      const auto [known, added] =
          part_of_.emplace(std::pair(object_, group_), static_cast<int>(file_.parts.size()));
      if (added)
        file_.parts.emplace_back().name = !group_.empty()    ? group_
                                          : !object_.empty() ? object_
                                                             : mesh_name_;
      part_ = known->second;
    }
    return file_.parts[static_cast<std::size_t>(part_)];
  }

  void use_material(const std::string& name) {
    const auto [known, added] =
        material_of_.emplace(name, static_cast<int>(file_.materials.size()));
    if (added) file_.materials.push_back(name);
    material_ = known->second;
  }

  Status check_index(const IndexSeen& seen) const {
    const std::string_view what = seen.what;
    const std::size_t count = what == "vertex"               ? file_.positions.size()
                              : what == "texture coordinate" ? file_.uvs.size()
                                                             : file_.normals.size();
    if (seen.index < static_cast<std::int64_t>(count)) return {};
    return Error{ErrorCode::bad_mesh, TextReader::line_place(seen.line),
                 fmt::format("there is no {} {}; the file has {}", what, seen.index + 1, count)};
  }

  TextReader reader_;
  std::string mesh_name_;
  ObjFile file_;
  std::string object_;
  std::string group_;
  int part_ = -1;  // of object_ and group_; -1 until a face asks for it
  int material_ = -1;
  std::size_t skipped_faces_ = 0;
  std::map<std::pair<std::string, std::string>, int> part_of_;
  std::map<std::string, int> material_of_;
  std::array<IndexSeen, 3> largest_ = {{{"vertex"}, {"texture coordinate"}, {"normal"}}};
};

/// The vertices of a part, in the order of the file's positions.
std::vector<ObjCorner> distinct_corners(const ObjFile& file, const ObjPart& part) {
  std::vector<ObjCorner> vertices = part.corners;
  vertices.insert(vertices.end(), part.line_ends.begin(), part.line_ends.end());
  if (file.parts.size() == 1) {
    std::vector<bool> used(file.positions.size(), false);
    for (const ObjCorner& corner : vertices) used[static_cast<std::size_t>(corner.position)] = true;
    for (std::size_t i = 0; i < used.size(); ++i)
      if (!used[i]) vertices.push_back({static_cast<int>(i), -1, -1});
  }
  std::ranges::sort(vertices);
  const auto repeated = std::ranges::unique(vertices);
  vertices.erase(repeated.begin(), repeated.end());
  return vertices;
}

reading::VertexTable make_table(const ObjFile& file, std::span<const ObjCorner> vertices) {
  reading::VertexTable table;
  table.count = vertices.size();
  table.width = 3;
  const auto has = [&](int ObjCorner::*member) {
    return std::ranges::any_of(vertices, [&](const ObjCorner& c) { return c.*member >= 0; });
  };
  const auto reserve = [&](std::size_t size) {
    return std::exchange(table.width, table.width + size);
  };
  if (has(&ObjCorner::normal)) table.normal_at = reserve(3);
  if (has(&ObjCorner::uv)) table.uvs_at.push_back(reserve(2));
  const bool coloured = file.colours.size() == file.positions.size();
  if (coloured) table.colours_at.push_back(reserve(4));
  table.values.assign(table.count * table.width, 0.0F);
  for (std::size_t i = 0; i < table.count; ++i) {
    float* row = table.row(i);
    const auto position = static_cast<std::size_t>(vertices[i].position);
    Eigen::Map<Eigen::Vector3f>{row} = file.positions[position].cast<float>();
    if (vertices[i].normal >= 0)
      Eigen::Map<Eigen::Vector3f>(row + table.normal_at) =
          file.normals[static_cast<std::size_t>(vertices[i].normal)]
              .stableNormalized()
              .cast<float>();
    if (vertices[i].uv >= 0)
      std::ranges::copy(file.uvs[static_cast<std::size_t>(vertices[i].uv)], row + table.uvs_at[0]);
    if (coloured) {
      std::ranges::copy(file.colours[position], row + table.colours_at[0]);
      row[table.colours_at[0] + 3] = 1;
    }
  }
  return table;
}

Json write_primitives(Document& document, const ObjFile& file, const ObjPart& part) {
  const std::vector<ObjCorner> vertices = distinct_corners(file, part);
  const auto vertex_of = [&](const ObjCorner& corner) {
    return static_cast<VertexIndex>(std::ranges::lower_bound(vertices, corner) - vertices.begin());
  };
  std::vector<Vec3> positions;
  for (const ObjCorner& vertex : vertices)
    positions.push_back(file.positions[static_cast<std::size_t>(vertex.position)]);
  std::map<int, std::vector<Triangle>> by_material;
  std::vector<VertexIndex> polygon;
  for (const ObjFace& face : part.faces) {
    polygon.clear();
    for (std::size_t i = 0; i < face.corner_count; ++i)
      polygon.push_back(vertex_of(part.corners[face.first_corner + i]));
    reading::cut_polygon(polygon, positions, by_material[face.material]);
  }
  reading::VertexTable table = make_table(file, vertices);
  std::vector<Triangle> all;
  for (const auto& [material, triangles] : by_material)
    all.insert(all.end(), triangles.begin(), triangles.end());
  reading::mend_normals(table, all);
  const Json attributes = reading::add_attributes(document, table, 0);
  Json primitives = Json::array();
  for (const auto& [material, triangles] : by_material) {
    Json primitive = reading::add_triangles(document, attributes, triangles);
    if (material >= 0) primitive["material"] = material;
    primitives.push_back(std::move(primitive));
  }
  std::vector<std::uint32_t> ends;
  for (const ObjCorner& end : part.line_ends) ends.push_back(vertex_of(end));
  if (!ends.empty()) primitives.push_back(reading::add_lines(document, attributes, ends));
  return primitives;
}

/// The materials of a library that can be read; what is malformed in it is passed over.
void read_library(std::span<const std::byte> file,
                  std::map<std::string, reading::MaterialInfo>& known) {
  TextReader reader(file, '#');
  reading::MaterialInfo* material = nullptr;
  const auto number = [&](float otherwise) {
    const auto value = reading::parse_number(reader.next_word_in_line());
    return value ? static_cast<float>(*value) : otherwise;
  };
  for (std::string_view word = reader.next_word(); !word.empty(); word = reader.next_word()) {
    if (word == "newmtl") {
      const std::string name = reading::to_utf8(reader.rest_of_line());
      material = &known[name];
      material->name = name;
    } else if (material != nullptr && word == "Kd") {
      for (std::size_t i = 0; i < 3; ++i) material->base_color[i] = number(1);
    } else if (material != nullptr && word == "d") {
      material->base_color[3] = number(1);
    } else if (material != nullptr && word == "Tr") {
      material->base_color[3] = 1 - number(0);
    } else if (material != nullptr && word == "map_Kd") {
      // Options come before the name; a name with spaces is taken whole when there are none.
      std::string_view name = reader.rest_of_line();
      if (name.starts_with('-')) name = name.substr(name.find_last_of(" \t") + 1);
      material->texture = name;
    }
    reader.rest_of_line();
  }
}

void write_materials(Imported& imported, const ObjFile& file, const std::filesystem::path& folder) {
  std::map<std::string, reading::MaterialInfo> known;
  for (const std::string& library : file.libraries) {
    const std::string uri = uri_of_path(library);
    const bool allowed = !folder.empty() && safe_relative_path(uri).has_value();
    const Result<Bytes> bytes = allowed ? folder_loader(folder)(uri, kMaxMaterialFileBytes)
                                        : Result<Bytes>(Error{ErrorCode::unsafe_path, "", ""});
    if (bytes)
      read_library(*bytes, known);
    else
      imported.notices.push_back(
          {Notice::Level::note, "materials_missing", reading::shown(library),
           "the materials cannot be read from the model's folder; names were kept"});
  }
  reading::MaterialWriter writer(imported.document, folder, imported.notices);
  for (const std::string& name : file.materials) {
    reading::MaterialInfo info = known[name];
    info.name = name;
    writer.add(info);
  }
}

}  // namespace

Result<Imported> parse_obj(std::span<const std::byte> file, const ObjOptions& options) {
  SINEW_TRY(ObjFile obj, ObjParser(file, reading::to_utf8(options.mesh_name)).parse());
  Imported imported{make_empty_document(), std::move(obj.notices), "OBJ"};
  imported.document.folder = options.folder;
  write_materials(imported, obj, options.folder);
  for (const ObjPart& part : obj.parts) {
    if (part.faces.empty() && part.line_ends.empty()) continue;
    Json primitives = write_primitives(imported.document, obj, part);
    Json& meshes = imported.document.json["meshes"];
    meshes.push_back({{"name", part.name}, {"primitives", std::move(primitives)}});
    reading::add_node(imported.document, {{"name", part.name}, {"mesh", meshes.size() - 1}});
  }
  if (!imported.document.json.contains("meshes"))
    return Error{ErrorCode::bad_mesh, "", "the file has no faces and no lines"};
  return imported;
}

}  // namespace sinew
