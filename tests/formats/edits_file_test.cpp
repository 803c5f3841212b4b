// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/formats/edits_file.h"

#include <random>
#include <string>

#include <gtest/gtest.h>

#include "gltf/gltf_json.h"
#include "support/mesh_zoo.h"
#include "support/models.h"

namespace sinew {
namespace {

/// A limb and a button, on a thigh and a shin.
const Character& limb_with_button() {
  static const Character character = [] {
    const MeshData limb = test::limb_data();
    Character made = test::limb_character(test::together(limb, test::ball_data({0.3, 1, 0}, 0.05)));
    const std::size_t first = limb.positions.size();
    made.parts = {{"Skin", 0, first}, {"Button", first, made.mesh.vertex_count() - first}};
    return made;
  }();
  return character;
}

constexpr std::string_view kEdits = R"({
  "sinew_edits": 1,
  "edits": [
    {"edit": "connect_wires", "from": {"mesh": "Button"}, "to": {"mesh": "Skin"}, "within": 0.4},
    {"edit": "connect_wires", "pairs": [[0, 9], [1, 10]], "after": 3},
    {"edit": "set_weights", "bone": "Shin", "weight": 0.25, "stiffness": 0.5, "after": 5,
     "where": {"box": {"min": [-1, 0.9, -1], "max": [1, 1.1, 1]}, "bone": "Shin", "above": 0.3}},
    {"edit": "add_influence", "bone": "*", "where": {"vertices": [3, 1, 3]}},
    {"edit": "remove_influence", "bone": "thigh",
     "where": {"mesh": "butt*", "vertices": [0], "sphere": {"centre": [0, 1, 0], "radius": 2}}},
    {"edit": "flatten_weights", "bone": "shin", "where": {"vertices": [5]}, "stiffness": 0.01},
    {"edit": "clear_weights", "bone": "shin", "after": 9},
    {"edit": "release_attachments", "bone": "thigh"}
  ]
})";

Result<std::vector<PlannedEdit>> parse(std::string_view text) {
  Result<Json> json = parse_json(test::as_bytes(text));
  if (!json.ok()) return std::move(json).error();
  return parse_edits(*json, limb_with_button());
}

std::string error_of(std::string_view text) {
  const auto edits = parse(text);
  return edits.ok() ? "no error" : edits.error().to_string();
}

std::string edit_error(const std::string& edit) {
  return error_of(R"({"sinew_edits": 1, "edits": [)" + edit + "]}");
}

std::string where_error(const std::string& where) {
  return edit_error(R"({"edit": "add_influence", "bone": "Shin", "where": )" + where + "}");
}

TEST(Edits, AFileSaysWhatItMeans) {
  const auto edits = parse(kEdits);
  ASSERT_TRUE(edits.ok()) << edits.error().to_string();
  ASSERT_EQ(edits->size(), 8u);
  const std::vector<PlannedEdit>& e = *edits;
  const auto first = static_cast<VertexIndex>(limb_with_button().parts[1].first_vertex);
  EXPECT_EQ(e[0].kind, EditKind::connect_wires);
  EXPECT_EQ(e[0].where.vertices->front(), first);
  EXPECT_EQ(e[0].to.vertices->size(), first);
  EXPECT_EQ(e[0].within, 0.4);
  EXPECT_EQ(e[1].pairs, (std::vector<Edge>{{0, 9}, {1, 10}}));
  EXPECT_EQ(e[1].after, 3);
  EXPECT_EQ(e[2].kind, EditKind::set_weights);
  EXPECT_EQ(e[2].bones, std::vector<int>{1});
  EXPECT_EQ(e[2].target, 0.25);
  EXPECT_EQ(e[2].stiffness_rel, 0.5);
  EXPECT_EQ(e[2].after, 5);
  EXPECT_EQ(e[2].where.box->min(), Vec3(-1, 0.9, -1));
  EXPECT_EQ(e[2].where.weighed->bone, 1);
  EXPECT_EQ(e[2].where.weighed->above, 0.3);
  EXPECT_EQ(e[3].bones, (std::vector<int>{0, 1}));
  EXPECT_EQ(e[4].where.vertices, std::vector<VertexIndex>{first}) << "counted within the mesh";
  EXPECT_EQ(e[4].where.sphere->radius, 2);
  EXPECT_EQ(e[5].stiffness_rel, 0.01);
  EXPECT_FALSE(e[6].where.vertices) << "all of them";
}

TEST(Edits, WhatIsWrongIsRefusedWithItsPlace) {
  EXPECT_EQ(error_of("{}"), "sinew_edits: is missing: this is not a file of edits");
  EXPECT_EQ(error_of(R"({"sinew_edits": 2})"), "sinew_edits: is 2; this program reads version 1");
  EXPECT_EQ(error_of(R"({"sinew_edits": 1})"), "edits: is missing");
  EXPECT_EQ(error_of(R"({"sinew_edits": 1, "edits": {}})"), "edits: is not a list");
  EXPECT_EQ(error_of(R"({"sinew_edits": 1, "edits": [], "bones": 1})"),
            "bones: means nothing here; there are sinew_edits, edits");
  EXPECT_EQ(edit_error("3"), "edits[0]: is not an object");
  EXPECT_EQ(edit_error("{}"), "edits[0].edit: is missing");
  EXPECT_EQ(edit_error(R"({"edit": "paint"})"),
            "edits[0].edit: is 'paint'; there are add_influence, remove_influence, connect_wires, "
            "set_weights, flatten_weights, clear_weights, release_attachments");
  EXPECT_EQ(edit_error(R"({"edit": "add_influence"})"), "edits[0].bone: is missing");
  EXPECT_EQ(edit_error(R"({"edit": "add_influence", "bone": "Shim"})"),
            "edits[0].bone: no bone matches 'Shim'; the nearest name is 'shin'");
  EXPECT_EQ(edit_error(R"({"edit": "add_influence", "bone": "Shin"})"),
            "edits[0].where: is missing");
  EXPECT_EQ(edit_error(R"({"edit": "add_influence", "bone": "Shin", "weight": 1})"),
            "edits[0].weight: means nothing here; there are edit, after, bone, where");
  EXPECT_EQ(edit_error(R"({"edit": "clear_weights", "bone": "Shin", "after": -1})"),
            "edits[0].after: is not a number of steps");
  EXPECT_EQ(edit_error(R"({"edit": "set_weights", "bone": "Shin", "where": {"vertices": [0]}})"),
            "edits[0].weight: is missing");
  EXPECT_EQ(edit_error(R"({"edit": "set_weights", "bone": "Shin", "where": {"vertices": [0]},
                          "weight": 1.5})"),
            "edits[0].weight: is not between 0 and 1");
  EXPECT_EQ(where_error("{}"), "edits[0].where: says nothing; without it, all vertices are meant");
  EXPECT_EQ(where_error(R"({"vertices": [0, 100000]})").substr(0, 50),
            "edits[0].where.vertices[1]: there is no vertex 100");
  EXPECT_EQ(where_error(R"({"vertices": [0.5]})"),
            "edits[0].where.vertices[0]: is not the index of a vertex");
  EXPECT_EQ(where_error(R"({"mesh": "Skim"})"),
            "edits[0].where.mesh: no mesh matches 'Skim'; the nearest name is 'Skin'");
  EXPECT_EQ(where_error(R"({"box": {"min": [0, 0, 0], "max": [0, -1, 0]}})"),
            "edits[0].where.box: has its min above its max");
  EXPECT_EQ(where_error(R"({"sphere": {"centre": [0, 0, 0], "radius": -1}})").substr(0, 34),
            "edits[0].where.sphere.radius: is n");
  EXPECT_EQ(where_error(R"({"bone": "Shin"})"),
            "edits[0].where: needs both a bone and what its weight is above, or neither");
  EXPECT_EQ(where_error(R"({"bone": "*", "above": 0})"), "edits[0].where.bone: is not one bone");
  EXPECT_EQ(edit_error(R"({"edit": "connect_wires"})"),
            "edits[0]: needs pairs of vertices, or a from and a to");
  EXPECT_EQ(edit_error(R"({"edit": "connect_wires", "pairs": [[0, 0]]})"),
            "edits[0].pairs[0]: joins a vertex to itself");
  EXPECT_EQ(edit_error(R"({"edit": "connect_wires", "from": {"bone": "Shin", "above": 0.5},
                          "to": {"mesh": "Skin"}})"),
            "edits[0]: chooses by weights, which wires of the start are there before; \"after\": 1 "
            "waits for some");
}

TEST(Edits, DamagedFilesAreRefusedOrMeanSomething) {
  const auto expect_sound = [](const std::string& text) {
    const auto edits = parse(text);
    if (!edits.ok()) {
      EXPECT_FALSE(edits.error().message.empty());
      return;
    }
    const std::size_t vertices = limb_with_button().mesh.vertex_count();
    for (const PlannedEdit& edit : *edits) {
      EXPECT_GE(edit.after, 0);
      EXPECT_TRUE(edit.target >= 0 && edit.target <= 1);
      EXPECT_GT(edit.stiffness_rel, 0);
      for (const int bone : edit.bones) EXPECT_TRUE(bone == 0 || bone == 1);
      for (const Edge& pair : edit.pairs) EXPECT_LT(std::max(pair[0], pair[1]), vertices);
      if (edit.where.vertices) {
        for (const VertexIndex v : *edit.where.vertices) EXPECT_LT(v, vertices);
      }
    }
  };
  for (std::size_t length = 0; length < kEdits.size(); ++length) {
    EXPECT_FALSE(parse(std::string(kEdits.substr(0, length))).ok()) << length;
  }
  std::mt19937 random(20261115);
  constexpr std::string_view kNasty[] = {"-1", "1e400",  "null",        "{",    "]",  "\"",
                                         "0",  "1e-322", "99999999999", "\xff", "[]", ","};
  for (int i = 0; i < 3000; ++i) {
    std::string text(kEdits);
    const std::size_t at = random() % text.size();
    if (random() % 2 == 0)
      text.replace(at, 1 + random() % 8, kNasty[random() % std::size(kNasty)]);
    else
      text.insert(at, text.substr(random() % text.size(), random() % 30));
    SCOPED_TRACE(text);
    expect_sound(text);
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace sinew
