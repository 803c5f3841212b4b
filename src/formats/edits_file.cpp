// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/formats/edits_file.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "formats/text_reader.h"
#include "gltf/gltf_json.h"
#include "gltf/json_values.h"
#include "sinew/core/atomic_file.h"
#include "sinew/model/bone_names.h"

namespace sinew {
namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t{64} << 20;  // parsed, it takes ten times that
constexpr std::size_t kMaxEdits = 10'000;  // one of few letters may be about every vertex
constexpr int kMostSteps = 1'000'000;      // a bind makes some dozens
constexpr double kLeastStiffness = 1e-12;  // below it, a constraint is rounding
constexpr double kMostStiffness = 1e6;     // beyond it, a constraint leaves no digits for the rest

constexpr std::array kKinds = {EditKind::add_influence,      EditKind::remove_influence,
                               EditKind::connect_wires,      EditKind::set_weights,
                               EditKind::flatten_weights,    EditKind::clear_weights,
                               EditKind::release_attachments};

Error bad_value(const std::string& place, std::string message) {
  return {ErrorCode::bad_file, place, std::move(message)};
}

Status check_keys(const Json& object, std::span<const std::string_view> known,
                  const std::string& place) {
  if (!object.is_object()) return bad_value(place, "is not an object");
  for (const auto& [key, value] : object.items())
    if (std::find(known.begin(), known.end(), key) == known.end())
      return bad_value(place.empty() ? reading::shown(key) : place + "." + reading::shown(key),
                       fmt::format("means nothing here; there are {}", fmt::join(known, ", ")));
  return {};
}

Result<double> number_within(const Json& json, double least, double most,
                             const std::string& place) {
  SINEW_TRY(const double number, reading::json_number(json, place));
  if (!(number >= least && number <= most))
    return bad_value(place, fmt::format("is not between {:g} and {:g}", least, most));
  return number;
}

Result<VertexIndex> parse_index(const Json& json, std::size_t count, const std::string& place) {
  if (!json.is_number_unsigned()) return bad_value(place, "is not the index of a vertex");
  const auto index = json.get<std::uint64_t>();
  if (index >= count)
    return bad_value(place, fmt::format("there is no vertex {}: there are {}", index, count));
  return static_cast<VertexIndex>(index);
}

Result<std::vector<int>> parse_bones(const Json& json, const Skeleton& skeleton,
                                     const std::string& place) {
  if (!json.is_string()) return bad_value(place, "is not the name of a bone");
  Result<std::vector<int>> matched = match_bones(skeleton, std::array{json.get<std::string>()});
  if (!matched.ok()) return bad_value(place, matched.error().message);
  return matched;
}

/// The vertices of all meshes that the pattern matches, in order.
Result<std::vector<VertexIndex>> vertices_of_mesh(const Json& json, const Character& character,
                                                  const std::string& place) {
  if (!json.is_string()) return bad_value(place, "is not the name of a mesh");
  const auto pattern = json.get<std::string>();
  std::vector<VertexIndex> vertices;
  std::vector<std::string> names;
  for (const MeshPart& part : character.parts) {
    names.push_back(part.name);
    if (!name_matches(pattern, part.name)) continue;
    for (std::size_t v = 0; v < part.vertex_count; ++v)
      vertices.push_back(static_cast<VertexIndex>(part.first_vertex + v));
  }
  if (!vertices.empty()) return vertices;
  const int nearest = nearest_name(names, pattern);
  return bad_value(
      place,
      fmt::format("no mesh matches '{}'{}", reading::shown(pattern),
                  nearest < 0
                      ? std::string()
                      : fmt::format("; the nearest name is '{}'",
                                    reading::shown(names[static_cast<std::size_t>(nearest)]))));
}

Result<Box> parse_box(const Json& json, const std::string& place) {
  constexpr std::array<std::string_view, 2> kKeys = {"min", "max"};
  SINEW_CHECK(check_keys(json, kKeys, place));
  const Json *low = member(json, "min"), *high = member(json, "max");
  if (low == nullptr || high == nullptr) return bad_value(place, "needs a min and a max");
  SINEW_TRY(const Vec3 least, reading::json_vector(*low, place + ".min"));
  SINEW_TRY(const Vec3 most, reading::json_vector(*high, place + ".max"));
  if ((least.array() > most.array()).any()) return bad_value(place, "has its min above its max");
  return Box(least, most);
}

Result<VertexChoice::Sphere> parse_sphere(const Json& json, const std::string& place) {
  constexpr std::array<std::string_view, 2> kKeys = {"centre", "radius"};
  SINEW_CHECK(check_keys(json, kKeys, place));
  const Json *centre = member(json, "centre"), *radius = member(json, "radius");
  if (centre == nullptr || radius == nullptr)
    return bad_value(place, "needs a centre and a radius");
  VertexChoice::Sphere sphere;
  SINEW_TRY(sphere.centre, reading::json_vector(*centre, place + ".centre"));
  SINEW_TRY(sphere.radius,
            number_within(*radius, 0, reading::kLargestCoordinate, place + ".radius"));
  return sphere;
}

Result<VertexChoice> parse_choice(const Json& json, const Character& character,
                                  const std::string& place) {
  constexpr std::array<std::string_view, 6> kKeys = {"mesh",   "vertices", "box",
                                                     "sphere", "bone",     "above"};
  SINEW_CHECK(check_keys(json, kKeys, place));
  if (json.empty()) return bad_value(place, "says nothing; without it, all vertices are meant");
  VertexChoice choice;
  if (const Json* mesh = member(json, "mesh")) {
    SINEW_TRY(choice.vertices, vertices_of_mesh(*mesh, character, place + ".mesh"));
  }
  if (const Json* list = member(json, "vertices")) {
    const std::string list_place = place + ".vertices";
    if (!list->is_array() || list->empty())
      return bad_value(list_place, "is not a list of vertices");
    const std::size_t count =
        choice.vertices ? choice.vertices->size() : character.mesh.vertex_count();
    std::vector<VertexIndex> vertices;
    for (std::size_t v = 0; v < list->size(); ++v) {
      SINEW_TRY(const VertexIndex index,
                parse_index((*list)[v], count, fmt::format("{}[{}]", list_place, v)));
      vertices.push_back(choice.vertices ? (*choice.vertices)[index] : index);
    }
    choice.vertices = std::move(vertices);
  }
  if (const Json* box = member(json, "box")) {
    SINEW_TRY(choice.box, parse_box(*box, place + ".box"));
  }
  if (const Json* sphere = member(json, "sphere")) {
    SINEW_TRY(choice.sphere, parse_sphere(*sphere, place + ".sphere"));
  }
  const Json *bone = member(json, "bone"), *above = member(json, "above");
  if ((bone == nullptr) != (above == nullptr))
    return bad_value(place, "needs both a bone and what its weight is above, or neither");
  if (bone != nullptr) {
    SINEW_TRY(const std::vector<int> bones,
              parse_bones(*bone, character.skeleton, place + ".bone"));
    if (bones.size() != 1) return bad_value(place + ".bone", "is not one bone");
    SINEW_TRY(const double least, number_within(*above, 0, 1, place + ".above"));
    choice.weighed = {bones[0], least};
  }
  return choice;
}

Status parse_wires(const Json& json, const Character& character, const std::string& place,
                   PlannedEdit& edit) {
  constexpr std::array<std::string_view, 6> kKeys = {"edit", "after", "pairs",
                                                     "from", "to",    "within"};
  SINEW_CHECK(check_keys(json, kKeys, place));
  const Json *pairs = member(json, "pairs"), *from = member(json, "from");
  const Json *to = member(json, "to"), *within = member(json, "within");
  if (pairs != nullptr) {
    if (from != nullptr || to != nullptr || within != nullptr)
      return bad_value(place, "has pairs, and then nothing else to join");
    if (!pairs->is_array() || pairs->empty())
      return bad_value(place + ".pairs", "is not a list of pairs of vertices");
    for (std::size_t p = 0; p < pairs->size(); ++p) {
      const Json& pair = (*pairs)[p];
      const std::string pair_place = fmt::format("{}.pairs[{}]", place, p);
      if (!pair.is_array() || pair.size() != 2)
        return bad_value(pair_place, "is not a pair of vertices");
      Edge wire;
      for (std::size_t end = 0; end < 2; ++end) {
        SINEW_TRY(wire[end], parse_index(pair[end], character.mesh.vertex_count(),
                                         fmt::format("{}[{}]", pair_place, end)));
      }
      if (wire[0] == wire[1]) return bad_value(pair_place, "joins a vertex to itself");
      edit.pairs.push_back(wire);
    }
    return {};
  }
  if (from == nullptr || to == nullptr)
    return bad_value(place, "needs pairs of vertices, or a from and a to");
  SINEW_TRY(edit.where, parse_choice(*from, character, place + ".from"));
  SINEW_TRY(edit.to, parse_choice(*to, character, place + ".to"));
  if (within != nullptr) {
    SINEW_TRY(edit.within,
              number_within(*within, 0, reading::kLargestCoordinate, place + ".within"));
  }
  if (edit.after == 0 && (edit.where.weighed || edit.to.weighed))
    return bad_value(place,
                     "chooses by weights, which wires of the start are there before; "
                     "\"after\": 1 waits for some");
  return {};
}

Status parse_brush(const Json& json, const Character& character, const std::string& place,
                   PlannedEdit& edit) {
  std::vector<std::string_view> keys = {"edit", "after", "bone", "where"};
  const bool sets = edit.kind == EditKind::set_weights;
  if (sets) keys.push_back("weight");
  if (sets || edit.kind == EditKind::flatten_weights) keys.push_back("stiffness");
  SINEW_CHECK(check_keys(json, keys, place));
  const Json *bone = member(json, "bone"), *where = member(json, "where");
  if (bone == nullptr) return bad_value(place + ".bone", "is missing");
  SINEW_TRY(edit.bones, parse_bones(*bone, character.skeleton, place + ".bone"));
  if (where == nullptr && edit.kind != EditKind::release_attachments &&
      edit.kind != EditKind::clear_weights)
    return bad_value(place + ".where", "is missing");
  if (where != nullptr) {
    SINEW_TRY(edit.where, parse_choice(*where, character, place + ".where"));
  }
  if (sets && member(json, "weight") == nullptr) return bad_value(place + ".weight", "is missing");
  if (const Json* weight = member(json, "weight")) {
    SINEW_TRY(edit.target, number_within(*weight, 0, 1, place + ".weight"));
  }
  if (const Json* stiffness = member(json, "stiffness")) {
    SINEW_TRY(edit.stiffness_rel,
              number_within(*stiffness, kLeastStiffness, kMostStiffness, place + ".stiffness"));
  }
  return {};
}

Result<PlannedEdit> parse_edit(const Json& json, const Character& character,
                               const std::string& place) {
  if (!json.is_object()) return bad_value(place, "is not an object");
  const Json* kind = member(json, "edit");
  if (kind == nullptr || !kind->is_string())
    return bad_value(place + ".edit",
                     kind == nullptr ? "is missing" : "is not the name of an edit");
  const auto name = kind->get<std::string>();
  const auto known = std::find_if(kKinds.begin(), kKinds.end(),
                                  [&](EditKind each) { return name == to_string(each); });
  if (known == kKinds.end()) {
    std::vector<std::string_view> names;
    for (const EditKind each : kKinds) names.push_back(to_string(each));
    return bad_value(place + ".edit", fmt::format("is '{}'; there are {}", reading::shown(name),
                                                  fmt::join(names, ", ")));
  }
  PlannedEdit edit;
  edit.kind = *known;
  if (const Json* after = member(json, "after")) {
    if (!after->is_number_unsigned() || after->get<std::uint64_t>() > kMostSteps)
      return bad_value(place + ".after", "is not a number of steps");
    edit.after = after->get<int>();
  }
  SINEW_CHECK(edit.kind == EditKind::connect_wires ? parse_wires(json, character, place, edit)
                                                   : parse_brush(json, character, place, edit));
  return edit;
}

}  // namespace

Result<std::vector<PlannedEdit>> parse_edits(const Json& json, const Character& character) {
  const Json* version = member(json, "sinew_edits");
  if (version == nullptr)
    return bad_value("sinew_edits", "is missing: this is not a file of edits");
  if (*version != 1)
    return Error{
        ErrorCode::unsupported, "sinew_edits",
        fmt::format("is {}; this program reads version 1",
                    reading::shown(version->dump(-1, ' ', false, Json::error_handler_t::replace)))};
  constexpr std::array<std::string_view, 2> kKeys = {"sinew_edits", "edits"};
  SINEW_CHECK(check_keys(json, kKeys, ""));
  const Json* list = member(json, "edits");
  if (list == nullptr || !list->is_array())
    return bad_value("edits", list == nullptr ? "is missing" : "is not a list");
  if (list->size() > kMaxEdits)
    return Error{ErrorCode::too_large, "edits", fmt::format("has more than {} edits", kMaxEdits)};
  std::vector<PlannedEdit> edits;
  for (std::size_t e = 0; e < list->size(); ++e) {
    SINEW_TRY(PlannedEdit edit, parse_edit((*list)[e], character, fmt::format("edits[{}]", e)));
    edits.push_back(std::move(edit));
  }
  return edits;
}

Result<std::vector<PlannedEdit>> read_edits(const std::filesystem::path& path,
                                            const Character& character) {
  SINEW_TRY(const Bytes file, read_whole_file(path, kMaxBytes));
  SINEW_TRY(const Json json, parse_json(file));
  return parse_edits(json, character);
}

}  // namespace sinew
