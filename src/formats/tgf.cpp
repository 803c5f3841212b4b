// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "formats/tgf.h"

#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "formats/text_reader.h"
#include "gltf/document_builder.h"
#include "model/forest.h"

namespace sinew {
namespace {

using reading::TextReader;

struct TgfEdge {
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::size_t line = 0;
};

struct TgfFile {
  std::map<std::int64_t, Vec3> points;
  std::vector<TgfEdge> bones;
  std::vector<TgfEdge> pseudo;
  std::size_t cage_edges = 0;
  std::size_t lone_points = 0;
  Notices notices;
};

std::optional<std::int64_t> to_index(std::string_view word) {
  std::int64_t index = 0;
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), index);
  if (status != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return index;
}

class TgfParser {
 public:
  explicit TgfParser(std::span<const std::byte> file) : reader_(file) {}

  Result<TgfFile> parse() {
    SINEW_CHECK(parse_points());
    SINEW_CHECK(parse_edges());
    if (file_.bones.empty()) return reader_.error("the graph has no edge that is a bone");
    file_.lone_points = file_.points.size() - used_.size();
    return std::move(file_);
  }

 private:
  Status parse_points() {
    for (std::string_view word = reader_.next_word(); !word.starts_with('#');
         word = reader_.next_word()) {
      if (word.empty()) return reader_.error("the file ends before the '#' that starts the edges");
      const std::optional<std::int64_t> index = to_index(word);
      if (!index)
        return reader_.error(
            fmt::format("expected the index of a point or '#', found '{}'", reading::shown(word)));
      Vec3 position;
      for (int axis = 0; axis < 3; ++axis) {
        const std::string_view coordinate = reader_.next_word_in_line();
        if (coordinate.empty())
          return reader_.error("a point needs an index and three coordinates");
        SINEW_TRY(position[axis], reader_.as_number(coordinate, "a coordinate"));
      }
      if (!file_.points.emplace(*index, position).second)
        return reader_.error(fmt::format("point {} is defined twice", *index));
      reader_.rest_of_line();
    }
    reader_.rest_of_line();
    return {};
  }

  Status parse_edges() {
    for (std::string_view word = reader_.next_word(); !word.empty() && !word.starts_with('#');
         word = reader_.next_word()) {
      TgfEdge edge;
      edge.line = reader_.line();
      SINEW_TRY(edge.from, end_point(word));
      SINEW_TRY(edge.to, end_point(reader_.next_word_in_line()));
      used_.insert({edge.from, edge.to});
      SINEW_CHECK(sort_in(edge));
    }
    return {};
  }

  Result<std::int64_t> end_point(std::string_view word) const {
    const std::optional<std::int64_t> index = to_index(word);
    if (!index)
      return reader_.error(
          fmt::format("an edge needs the indices of two points, found '{}'", reading::shown(word)));
    if (!file_.points.contains(*index))
      return reader_.error(fmt::format("there is no point {}", *index));
    return *index;
  }

  // An edge that is marked as a bone is one, whatever else it is marked as.
  Status sort_in(const TgfEdge& edge) {
    bool flags[3] = {true, false, false};
    for (bool& flag : flags) {
      const std::string_view word = reader_.next_word_in_line();
      if (word.empty()) break;
      const std::optional<std::int64_t> value = to_index(word);
      if (!value) return reader_.error(fmt::format("'{}' is no flag", reading::shown(word)));
      flag = *value != 0;
    }
    reader_.rest_of_line();
    if (flags[0]) return add_bone(edge);
    if (flags[1]) file_.pseudo.push_back(edge);
    if (flags[2]) ++file_.cage_edges;
    return {};
  }

  Status add_bone(const TgfEdge& edge) {
    if (edge.from == edge.to)
      return reader_.error(fmt::format("a bone goes from point {} to itself", edge.from));
    if (seen_.emplace(edge.from, edge.to).second)
      file_.bones.push_back(edge);
    else
      file_.notices.push_back(
          {Notice::Level::warning, "repeated_edge", reader_.place(),
           fmt::format("the edge {} {} is there twice; one was kept", edge.from, edge.to)});
    return {};
  }

  TextReader reader_;
  TgfFile file_;
  std::set<std::int64_t> used_;
  std::set<std::pair<std::int64_t, std::int64_t>> seen_;
};

/// Parents of bones: the bone that ends where one starts, then pseudo edges for the bones that are
/// still roots.
class BoneTree {
 public:
  explicit BoneTree(TgfFile& file) : file_(file), parents_(file.bones.size(), -1) {}

  Result<std::vector<int>> build() {
    index_ends();
    for (std::size_t i = 0; i < parents_.size(); ++i)
      if (const auto it = ending_at_.find(file_.bones[i].from); it != ending_at_.end())
        parents_[i] = it->second;
    SINEW_CHECK(check_loops());
    for (const TgfEdge& edge : file_.pseudo)
      if (!hang(edge.from, edge.to) && !hang(edge.to, edge.from))
        file_.notices.push_back(
            {Notice::Level::note, "idle_pseudo_edge", TextReader::line_place(edge.line),
             fmt::format("the pseudo edge {} {} connects no two bones", edge.from, edge.to)});
    return parents_;
  }

 private:
  void index_ends() {
    for (std::size_t i = 0; i < file_.bones.size(); ++i) {
      const TgfEdge& bone = file_.bones[i];
      starting_at_.emplace(bone.from, static_cast<int>(i));
      if (!ending_at_.emplace(bone.to, static_cast<int>(i)).second)
        file_.notices.push_back(
            {Notice::Level::warning, "two_bones_end", TextReader::line_place(bone.line),
             fmt::format("another bone ends at point {} already; bones that start there hang on "
                         "the first",
                         bone.to)});
    }
  }

  Status check_loops() const {
    // A bone is settled once its way to a root is known to end.
    std::vector<bool> settled(parents_.size(), false);
    std::vector<std::size_t> met_by(parents_.size(), parents_.size());
    for (std::size_t start = 0; start < parents_.size(); ++start) {
      std::vector<std::size_t> way;
      for (int bone = static_cast<int>(start); bone >= 0;) {
        const auto at = static_cast<std::size_t>(bone);
        if (settled[at]) break;
        if (met_by[at] == start)
          return Error{ErrorCode::bad_skin, TextReader::line_place(file_.bones[at].line),
                       "the bones form a loop"};
        met_by[at] = start;
        way.push_back(at);
        bone = parents_[at];
      }
      for (const std::size_t at : way) settled[at] = true;
    }
    return {};
  }

  bool hang(std::int64_t from, std::int64_t to) {
    auto holder = ending_at_.find(from);
    if (holder == ending_at_.end()) {
      holder = starting_at_.find(from);
      if (holder == starting_at_.end()) return false;
    }
    bool any = false;
    for (auto [it, end] = starting_at_all(to); it != end; ++it) {
      int& parent = parents_[static_cast<std::size_t>(it->second)];
      if (parent >= 0 || is_below(parents_, holder->second, it->second)) continue;
      parent = holder->second;
      any = true;
    }
    return any;
  }

  using BoneAt = std::multimap<std::int64_t, int>;
  [[nodiscard]] std::pair<BoneAt::const_iterator, BoneAt::const_iterator> starting_at_all(
      std::int64_t point) const {
    return starting_at_.equal_range(point);
  }

  TgfFile& file_;
  std::vector<int> parents_;
  BoneAt starting_at_;
  std::map<std::int64_t, int> ending_at_;  // the first in the file's order
};

void notice_leftovers(const TgfFile& file, Notices& notices) {
  if (file.cage_edges > 0)
    notices.push_back({Notice::Level::note, "cage_edges", "",
                       fmt::format("{} cage edges were left out", file.cage_edges)});
  if (file.lone_points > 0)
    notices.push_back({Notice::Level::note, "point_handles", "",
                       fmt::format("{} points without an edge were left out: only bones are read",
                                   file.lone_points)});
}

}  // namespace

Result<Imported> parse_tgf(std::span<const std::byte> file) {
  SINEW_TRY(TgfFile tgf, TgfParser(file).parse());
  SINEW_TRY(const std::vector<int> parents, BoneTree(tgf).build());
  Imported imported{make_empty_document(), std::move(tgf.notices), "TGF"};
  std::vector<int> joints;
  std::vector<Affine3> inverse_binds;
  for (std::size_t i = 0; i < tgf.bones.size(); ++i) {
    const Vec3& head = tgf.points.at(tgf.bones[i].from);
    const Vec3& tail = tgf.points.at(tgf.bones[i].to);
    Vec3 local = head;
    if (parents[i] >= 0)
      local -= tgf.points.at(tgf.bones[static_cast<std::size_t>(parents[i])].from);
    Json node = {{"name", fmt::format("bone{}", i)}, {"translation", reading::json_vector(local)}};
    if (tail != head) node["extras"]["sinew"]["tail"] = reading::json_vector(tail - head);
    joints.push_back(static_cast<int>(i));
    inverse_binds.emplace_back(Eigen::Translation3d(-head));
    imported.document.json["nodes"].push_back(std::move(node));
  }
  // Parents may come later in the file than their children.
  Json& nodes = imported.document.json["nodes"];
  for (std::size_t i = 0; i < parents.size(); ++i) {
    Json& siblings = parents[i] < 0 ? imported.document.json["scenes"][0]["nodes"]
                                    : nodes[static_cast<std::size_t>(parents[i])]["children"];
    siblings.push_back(i);
  }
  reading::give_common_root(imported.document);
  reading::add_skin(imported.document, "", joints, inverse_binds);
  notice_leftovers(tgf, imported.notices);
  return imported;
}

}  // namespace sinew
