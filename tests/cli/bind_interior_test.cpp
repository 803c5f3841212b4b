// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sinew/gltf/gltf_character.h"
#include "support/binding.h"
#include "support/detail_levels.h"
#include "support/mesh_zoo.h"
#include "support/sinew_process.h"
#include "support/tiny_character.h"
#include "support/tiny_crowd.h"

namespace sinew::test {
namespace {

using nlohmann::json;

struct Wrong {
  std::vector<std::string> flags;
  std::string told;
};

class CliBindInterior : public ::testing::Test {
 protected:
  CliBindInterior() { write_tiny(folder_.path() / "tiny.glb", {.rows = 40}); }
  Finished run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"bind", "-o", "out.glb"});
    return run_sinew(folder_.path(), arguments);
  }
  Finished by_bbw(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--method", "bbw", "--poses", "0"});
    return run(arguments);
  }
  TemporaryFolder folder_;
};

TEST_F(CliBindInterior, IsToldInTheTableAndInTheReport) {
  const Finished told = by_bbw({"tiny.glb", "--cells", "1500"});
  ASSERT_EQ(told.exit_code, 0) << told.err;
  EXPECT_TRUE(contains(told.out, "interior   1,")) << told.out;
  EXPECT_TRUE(contains(told.out, "% of the diagonal (--cells)")) << told.out;
  const json report = by_bbw({"tiny.glb", "--cells", "1500", "--json"}).json();
  EXPECT_EQ(report["cells"], 1500);
  EXPECT_EQ(report["bone_radius"], 0.35);
  const json& interior = report["characters"][0]["interior"];
  EXPECT_NEAR(interior["cells"].get<double>(), 1500, 150);
  EXPECT_EQ(interior["levels"].size(), 1u);
  EXPECT_EQ(interior["pieces"], 1);
  const json other = run({"tiny.glb", "--method", "heat", "--poses", "0", "--json"}).json();
  EXPECT_TRUE(other["characters"][0]["interior"].is_null());
  EXPECT_FALSE(other.contains("cells"));
}

TEST_F(CliBindInterior, IsPartOfThePlan) {
  const Finished told = by_bbw({"tiny.glb", "--explain", "--cells", "1500"});
  EXPECT_TRUE(contains(told.out, "bounded biharmonic, on about 1500 cells")) << told.out;
}

TEST_F(CliBindInterior, IsWhereAraplbsStartsIfAskedTo) {
  const std::vector<std::string> quick{"--exemplars", "4", "--iterations", "2", "--poses", "0"};
  const auto started = [&](std::vector<std::string> from) {
    from.insert(from.begin(), "tiny.glb");
    from.insert(from.end(), quick.begin(), quick.end());
    return run(from);
  };
  const Finished told = started({"--init", "bbw", "--cells", "1500", "--explain"});
  ASSERT_EQ(told.exit_code, 0) << told.err;
  EXPECT_TRUE(contains(told.out,
                       "bounded biharmonic, on about 1500 cells, and where bones outside "
                       "will lead, rigid parts auto: it was asked for"))
      << told.out;
  EXPECT_TRUE(contains(told.out, "interior   1,")) << told.out;
  const json report = started({"--init", "bbw", "--cells", "1500", "--json"}).json();
  EXPECT_EQ(report["init"], "bbw");
  EXPECT_EQ(report["cells"], 1500);
  const json heat = started({"--init", "heat", "--json"}).json();
  EXPECT_EQ(heat["init"], "heat");
  EXPECT_TRUE(heat["characters"][0]["interior"].is_null());
  const auto start = [](const json& of) { return of["characters"][0]["solve"]["arap_start"]; };
  EXPECT_NE(start(report), start(heat)) << "another start";
  EXPECT_EQ(start(started({"--json"}).json()), start(heat)) << "which the plan chooses today";
  const json paper =
      started({"--init", "bbw", "--cells", "1500", "--constraints", "paper", "--json"}).json();
  ASSERT_EQ(paper["ok"], true) << paper;
  EXPECT_FALSE(paper["characters"][0]["interior"].is_null());
}

TEST_F(CliBindInterior, IsWhatStaysRigidIfAskedTo) {
  const std::vector<std::string> quick{"--domain",    "volume", "--cells", "1500",
                                       "--exemplars", "4",      "--poses", "0"};
  const auto solved = [&](std::vector<std::string> more) {
    more.insert(more.end(), quick.begin(), quick.end());
    return run(more);
  };
  const Finished told = solved({"tiny.glb", "--explain"});
  ASSERT_EQ(told.exit_code, 0) << told.err;
  EXPECT_TRUE(contains(told.out,
                       "the interior, of about 1500 cells, sampled at the vertices: it "
                       "was asked for"))
      << told.out;
  EXPECT_TRUE(contains(told.out, "interior   1,")) << told.out;
  EXPECT_FALSE(contains(told.out, "no skin")) << told.out;
  const json report = solved({"tiny.glb", "--json"}).json();
  EXPECT_EQ(report["domain"], "volume");
  EXPECT_EQ(report["cells"], 1500);
  const json& interior = report["characters"][0]["interior"];
  EXPECT_NEAR(interior["cells"].get<double>(), 1500, 150);
  EXPECT_EQ(interior["levels"], json::array());
  const json usual = run({"tiny.glb", "--exemplars", "4", "--poses", "0", "--json"}).json();
  EXPECT_EQ(usual["domain"], "auto");
  EXPECT_TRUE(usual["characters"][0]["interior"].is_null());
  EXPECT_NE(report["characters"][0]["solve"]["unknowns"],
            usual["characters"][0]["solve"]["unknowns"])
      << "of points, not of vertices";

  write_document(folder_.path() / "two.glb", two_characters("Ann", "Bob"));
  const json crowd = solved({"two.glb", "--json"}).json();
  ASSERT_EQ(crowd["characters"].size(), 2u) << crowd;
  for (const json& character : crowd["characters"]) EXPECT_FALSE(character["interior"].is_null());
}

TEST_F(CliBindInterior, WhatWantsTheSurfaceIsRefusedWithTheVolume) {
  for (const Wrong& wrong : std::vector<Wrong>{
           {{"--domain", "inside"}, "--domain"},
           {{"--method", "heat"}, "--domain: volume is for new weights by araplbs"},
           {{"--method", "bbw"}, "--domain: volume is for new weights by araplbs"},
           {{"--constraints", "paper"}, "--domain: volume is for new weights by araplbs"},
           {{"--init", "existing"}, "--domain: volume is for new weights by araplbs"},
           {{"--init", "bbw"}, "--domain: volume has a start of its own"},
           {{"--mix", "0.5"}, "--domain: old weights stay vertex by vertex"},
           {{"--mirror", "x"}, "--domain: sides that have to be the same"},
           {{"--links", "off"}, "--domain: what shares an interior moves together"},
           {{"--twist-bones", "auto"}, "--domain: bones that bend or twist"},
           {{"--fit-joints"}, "--domain: joints are fitted along with the surface"}}) {
    std::vector<std::string> arguments = wrong.flags;
    if (wrong.flags.front() != "--domain")
      arguments.insert(arguments.begin(), {"--domain", "volume"});
    arguments.insert(arguments.begin(), "tiny.glb");
    const Finished refused = run(arguments);
    EXPECT_EQ(refused.exit_code, 2) << wrong.told << ": " << refused.err;
    EXPECT_TRUE(contains(refused.err, wrong.told)) << wrong.told << ": " << refused.err;
    EXPECT_EQ(folder_.listing(), std::vector<std::string>{"tiny.glb"});
  }
}

TEST_F(CliBindInterior, BonesMayBeAsThickAsOneLikes) {
  write_document(folder_.path() / "arm.glb", checked(make_document(example("tentacle", 2'000))));
  std::set<double> energies;
  for (const std::string radius : {"0.2", "0.9", "voxels"}) {
    const json report =
        by_bbw({"arm.glb", "--cells", "20000", "--bone-radius", radius, "--json"}).json();
    ASSERT_EQ(report["ok"], true) << report;
    const json& levels = report["characters"][0]["interior"]["levels"];
    energies.insert(levels.back()["energy"].get<double>());
  }
  EXPECT_EQ(energies.size(), 3u);
}

/// A MEDIT file of the limb of tetrahedra, and a skeleton of two bones beside it.
void write_limb(const std::filesystem::path& folder, std::vector<Tetrahedron> tetrahedra) {
  const MeshData limb = tetrahedral_data();
  const std::vector<Triangle> triangles = boundary_triangles(limb.tetrahedra);
  std::string text =
      fmt::format("MeshVersionFormatted 1\nDimension 3\nVertices\n{}\n", limb.positions.size() + 1);
  for (const Vec3& p : limb.positions) text += fmt::format("{} {} {} 0\n", p.x(), p.y(), p.z());
  text += "0.3 1.9 0 0\n";  // that no tetrahedron refers to
  text += fmt::format("Triangles\n{}\n", triangles.size() + 1);
  for (const auto& [a, b, c] : triangles) text += fmt::format("{} {} {} 0\n", a + 1, b + 1, c + 1);
  const std::size_t last = limb.positions.size();
  text += fmt::format("{} {} {} 0\n", last + 1, last, last - 1);
  text += fmt::format("Tetrahedra\n{}\n", tetrahedra.size());
  for (const auto& [a, b, c, d] : tetrahedra)
    text += fmt::format("{} {} {} {} 0\n", a + 1, b + 1, c + 1, d + 1);
  std::ofstream(folder / "limb.mesh") << text << "End\n";
  std::ofstream(folder / "limb.tgf") << "1 0 0.1 0\n2 0 1 0\n3 0 1.9 0\n#\n1 2 1 0 0\n2 3 1 0 0\n";
}

TEST_F(CliBindInterior, TetrahedraThatAFileBringsAreSolvedOn) {
  write_limb(folder_.path(), tetrahedral_data().tetrahedra);
  const std::vector<std::string> limb{"limb.mesh", "--skeleton", "limb.tgf"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), limb.begin(), limb.end());
    return by_bbw(more);
  };
  const Finished told = with({"--explain"});
  ASSERT_EQ(told.exit_code, 0) << told.err;
  EXPECT_TRUE(contains(told.out, "bounded biharmonic, on the mesh's own 192 tetrahedra"))
      << told.out;
  EXPECT_TRUE(contains(told.out, "the mesh's own 192 tetrahedra, with edges of")) << told.out;
  EXPECT_TRUE(contains(told.out, "1 vertex in none of them, moving with the nearest")) << told.out;
  const json report = with({"--json"}).json();
  const json& interior = report["characters"][0]["interior"];
  EXPECT_EQ(interior["kind"], "tetrahedra");
  EXPECT_EQ(interior["cells"], 192);
  EXPECT_EQ(interior["outside_vertices"], 1);
  const json cubes = with({"--json", "--cells", "1000"}).json();
  EXPECT_EQ(cubes["cells"], 1000);
  EXPECT_EQ(cubes["characters"][0]["interior"]["kind"], "cubes");
}

TEST_F(CliBindInterior, TetrahedraWithoutVolumeAreNoInterior) {
  write_limb(folder_.path(), {{0, 1, 2, 2}});
  const Finished flat = by_bbw({"limb.mesh", "--skeleton", "limb.tgf", "--json", "--explain"});
  ASSERT_EQ(flat.exit_code, 0) << flat.err;
  EXPECT_EQ(flat.json()["characters"][0]["interior"]["kind"], "cubes");
}

TEST_F(CliBindInterior, WrongWordsGetOneSentenceAndNothingIsWritten) {
  for (const Wrong& wrong : std::vector<Wrong>{
           {{"--method", "bbw", "--cells", "0"}, "--cells"},
           {{"--method", "bbw", "--cells", "99"}, "--cells"},
           {{"--method", "bbw", "--cells", "200001"}, "--cells"},
           {{"--method", "bbw", "--cells", "many"}, "--cells"},
           {{"--method", "bbw", "--cells", "12.5"}, "--cells"},
           {{"--method", "bbw", "--bone-radius", "-0.1"}, "--bone-radius"},
           {{"--method", "bbw", "--bone-radius", "1.1"}, "--bone-radius"},
           {{"--method", "bbw", "--bone-radius", "nan"}, "--bone-radius"},
           {{"--method", "bbw", "--bone-radius", "voxel"}, "voxels"},
           {{"--cells", "5000"},
            "--cells: is for --method bbw, --init bbw and --domain volume alone"},
           {{"--method", "heat", "--bone-radius", "0.5"},
            "is for --method bbw, --init bbw and --domain volume alone"},
           {{"--method", "bbw", "--init", "existing"}, "--init"},
           {{"--method", "bbw", "--init", "bbw"}, "--init: bbw is a start for araplbs; bbw"},
           {{"--method", "heat", "--init", "bbw"}, "--init: bbw is a start for araplbs; heat"},
           {{"--method", "distance", "--init", "heat"}, "--init: heat is a start for araplbs"},
           {{"--method", "heat", "--init", "owners"},
            "--init: owners is a start for araplbs; heat"},
           {{"--init", "owners", "--domain", "volume"}, "--domain: volume has a start of its own"},
           {{"--init", "heat", "--cells", "5000"}, "--cells: is for --method bbw, --init bbw"},
           {{"--init", "elastic"}, "--init"},
           {{"--method", "bbw", "--obedience", "0.7"}, "--obedience"},
           {{"--method", "bbw", "--fit-joints"}, "--fit-joints"},
           {{"--method", "bbw", "--log", "energy.csv"}, "--log"}}) {
    std::vector<std::string> arguments = wrong.flags;
    arguments.insert(arguments.begin(), "tiny.glb");
    const Finished refused = run(arguments);
    EXPECT_EQ(refused.exit_code, 2) << refused.err;
    EXPECT_TRUE(contains(refused.err, wrong.told)) << wrong.told << ": " << refused.err;
    EXPECT_EQ(folder_.listing(), std::vector<std::string>{"tiny.glb"});
  }
}

TEST_F(CliBindInterior, OfSeveralCharactersEachHasItsOwn) {
  write_document(folder_.path() / "two.glb", two_characters("Ann", "Bob"));
  const Finished bound = by_bbw({"two.glb", "--cells", "1000", "--json"});
  ASSERT_EQ(bound.exit_code, 0) << bound.err;
  const json report = bound.json();
  ASSERT_EQ(report["characters"].size(), 2u);
  for (const json& character : report["characters"])
    EXPECT_NEAR(character["interior"]["cells"].get<double>(), 1000, 100);
}

TEST_F(CliBindInterior, LocksAndSeveralLimitsHold) {
  write_document(folder_.path() / "hand.glb", checked(make_document(example("hand", 2'000))));
  ASSERT_EQ(run({"hand.glb", "--method", "heat", "--poses", "0"}).exit_code, 0);
  const Finished limits =
      run_sinew(folder_.path(), {"bind", "out.glb", "-o", "more.glb", "--method", "bbw", "--poses",
                                 "0", "--max-influences", "2,4", "--cells", "1500"});
  ASSERT_EQ(limits.exit_code, 0) << limits.err;
  const Finished locked =
      run_sinew(folder_.path(), {"bind", "out.glb", "-o", "locked.glb", "--method", "bbw",
                                 "--poses", "0", "--lock", "*1", "--cells", "1500"});
  ASSERT_EQ(locked.exit_code, 0) << locked.err;
  const Character before = load(folder_.path() / "out.glb").at(0).character;
  const Character after = load(folder_.path() / "locked.glb").at(0).character;
  std::size_t changed = 0, locked_bones = 0;
  for (std::size_t b = 0; b < before.skeleton.bone_count(); ++b) {
    const bool is_locked = before.skeleton.bone(static_cast<int>(b)).name.ends_with("1");
    locked_bones += is_locked;
    for (std::size_t v = 0; v < before.mesh.vertex_count(); ++v) {
      const auto weight = [&](const Character& character) {
        for (const Influence& each : character.weights.row(v))
          if (each.bone == b) return each.weight;
        return 0.0;
      };
      if (is_locked) {
        EXPECT_NEAR(weight(before), weight(after), 1e-7) << "rows are scaled as they are read";
      }
      changed += weight(before) != weight(after);
    }
  }
  EXPECT_GT(locked_bones, 0u);
  EXPECT_GT(changed, 0u);
  for (const auto& [file, most] : {std::pair("more.2.glb", 2u), std::pair("more.4.glb", 4u)})
    EXPECT_EQ(load(folder_.path() / file).at(0).character.weights.max_influences(), most);
}

}  // namespace
}  // namespace sinew::test
