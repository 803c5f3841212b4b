// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "sinew/report/report.h"
#include "sinew/weights/interior_weights.h"
#include "src/gltf/uri.h"
#include "support/binding.h"
#include "support/models.h"

namespace sinew::test {
namespace {

struct LoadedFile {
  Document document;
  LoadedCharacter loaded;

  explicit LoadedFile(Document made)
      : document(std::move(made)), loaded(checked(read_characters(document)).front()) {}
  [[nodiscard]] ReportFile file(const std::string& label) const {
    ReportFile file;
    file.name = label + ".glb";
    file.label = label;
    file.document = &document;
    file.character = &loaded;
    return file;
  }
};

LoadedFile example_file(const std::string& name) {
  return LoadedFile(checked(make_document(example(name, 2'000))));
}

Json payload_of(const std::vector<ReportFile>& files, int cells) {
  ReportOptions options;
  options.judging.poses = 0;
  if (cells > 0) options.interior.emplace().cells = cells;
  return checked(make_report(files, options)).payload;
}

/// The other side of src/report/report_interior.cpp, from docs/report-format.md alone.
class Unpacked {
 public:
  explicit Unpacked(const Json& text)
      : bytes_(*decode_data_uri("data:;base64," + text.get<std::string>())) {}
  [[nodiscard]] bool is_at_end() const { return at_ == bytes_.size(); }
  std::size_t byte() { return std::to_integer<std::size_t>(bytes_.at(at_++)); }
  std::size_t little_endian(int bytes) {
    std::size_t value = 0;
    for (int k = 0; k < bytes; ++k) value |= byte() << (8 * k);
    return value;
  }
  std::size_t count() {
    std::size_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const std::size_t next = byte();
      value |= (next & 127) << shift;
      if (next < 128) return value;
    }
  }

 private:
  Bytes bytes_;
  std::size_t at_ = 0;
};

using Place = std::array<std::size_t, 3>;

struct ShownCells {
  std::vector<Place> place;
  std::vector<std::array<std::size_t, 8>> points;  // of each cell, numbered as they come

  explicit ShownCells(const Json& interior) {
    Unpacked places(interior["places"]), branched(interior["branched"]), copies(interior["copies"]);
    std::map<std::size_t, std::array<std::size_t, 8>> copies_of;
    while (!branched.is_at_end())
      for (std::size_t& copy : copies_of[branched.little_endian(4)]) copy = copies.byte();
    EXPECT_TRUE(copies.is_at_end());
    std::map<std::pair<Place, std::size_t>, std::size_t> met;
    while (!places.is_at_end()) {
      Place& mine = place.emplace_back();
      for (std::size_t& along : mine) along = places.count();
      const auto copy = copies_of.find(place.size() - 1);
      std::array<std::size_t, 8>& of_cell = points.emplace_back();
      for (std::size_t k = 0; k < 8; ++k) {
        const Place at{mine[0] + (k & 1), mine[1] + (k >> 1 & 1), mine[2] + (k >> 2)};
        const std::size_t which = copy == copies_of.end() ? 0 : copy->second[k];
        of_cell[k] = met.try_emplace({at, which}, met.size()).first->second;
      }
    }
    EXPECT_EQ(met.size(), interior["points"]);
    EXPECT_EQ(place.size(), interior["cells"]);
  }
};

/// In steps of 1/255, of every point; empty for a bone that weighs nothing.
std::vector<int> weights_of(const Json& interior, std::size_t bone) {
  const Json& text = interior["weights"][bone];
  if (text.is_null()) return {};
  std::vector<int> weights;
  for (Unpacked runs(text); !runs.is_at_end();) {
    weights.resize(weights.size() + runs.count(), 0);
    for (std::size_t left = runs.count(); left > 0; --left)
      weights.push_back(static_cast<int>(runs.byte()));
  }
  weights.resize(interior["points"].get<std::size_t>(), 0);
  return weights;
}

TEST(ReportInterior, CellsAreThoseOfTheGrid) {
  const LoadedFile hand = example_file("hand");
  const Json payload = payload_of({hand.file("hand")}, 3'000);
  const Json& interior = payload["interiors"][0];
  const PreparedMesh prepared = prepare_mesh(hand.loaded.character.mesh);
  VoxelGridOptions filling;
  filling.cells = 3'000;
  const VoxelGrid grid = checked(make_voxel_grid(prepared.mesh, filling));
  const ShownCells shown(interior);
  ASSERT_EQ(shown.place.size(), grid.place.size());
  Unpacked kinds(interior["kinds"]);
  std::map<std::size_t, ElementPoint> point;  // of the grid, for each that is shown
  for (std::size_t cell = 0; cell < grid.place.size(); ++cell) {
    EXPECT_EQ(kinds.byte(), static_cast<std::size_t>(grid.kind[cell]));
    for (std::size_t k = 0; k < 8; ++k) {
      const ElementPoint of_grid = grid.elements.hexahedra[cell][k];
      EXPECT_EQ(point.try_emplace(shown.points[cell][k], of_grid).first->second, of_grid);
    }
  }
  EXPECT_EQ(point.size(), grid.elements.points.size()) << "no two points are shown as one";
  const Vec3 origin(interior["origin"][0].get<double>(), interior["origin"][1].get<double>(),
                    interior["origin"][2].get<double>());
  const double edge = interior["cell_edge"].get<double>();
  for (const auto& [shown_point, of_grid] : point) {
    const Vec3 in_model =
        prepared.frame.centre + prepared.frame.diagonal * grid.elements.points[of_grid];
    const Vec3 in_edges = (in_model - origin) / edge;
    EXPECT_LT((in_edges - in_edges.array().round().matrix()).norm(), 1e-6);
  }
  EXPECT_NEAR(interior["cell_size"].get<double>(), grid.elements.cell_size, 1e-12);
}

TEST(ReportInterior, WeightsAreThoseThatAreSolvedThereInEightBits) {
  const LoadedFile tentacle = example_file("tentacle");
  const Json payload = payload_of({tentacle.file("tentacle")}, 2'000);
  const Json& interior = payload["interiors"][0];
  const Character& character = tentacle.loaded.character;
  ASSERT_EQ(interior["weights"].size(), character.skeleton.bone_count());
  const std::size_t points = interior["points"].get<std::size_t>();
  std::vector<int> sums(points, 0);
  std::size_t holding = 0;
  for (std::size_t bone = 0; bone < character.skeleton.bone_count(); ++bone) {
    const std::vector<int> weights = weights_of(interior, bone);
    if (weights.empty()) continue;
    ++holding;
    for (std::size_t p = 0; p < points; ++p) sums[p] += weights[p];
    EXPECT_EQ(*std::ranges::max_element(weights), 255) << "its own points are its own alone";
  }
  EXPECT_GE(holding, 2u);
  for (const int sum : sums) EXPECT_NEAR(sum, 255, static_cast<double>(holding) / 2);
}

TEST(ReportInterior, WhereFingersTouchCellsOfOnePlaceHavePointsOfTheirOwn) {
  const LoadedFile hand = example_file("hand");
  const Json payload = payload_of({hand.file("hand")}, 1'000);
  const Json& interior = payload["interiors"][0];
  const ShownCells shown(interior);
  ASSERT_GT(interior["split_places"], 0);
  std::map<Place, std::vector<std::size_t>> at;
  for (std::size_t cell = 0; cell < shown.place.size(); ++cell)
    at[shown.place[cell]].push_back(cell);
  std::size_t shared = 0, apart = 0;
  for (const auto& [place, cells] : at) {
    if (cells.size() < 2) continue;
    ++shared;
    std::set<std::size_t> points;
    for (const std::size_t cell : cells)
      points.insert(shown.points[cell].begin(), shown.points[cell].end());
    apart += points.size() > 8;
  }
  EXPECT_EQ(shared, interior["split_places"]);
  EXPECT_EQ(apart, shared);
}

TEST(ReportInterior, FilesOfOneMeshAndOneSkeletonShareTheirInterior) {
  const LoadedFile tentacle = example_file("tentacle");
  Document stiff = tentacle.document;
  const Character& character = tentacle.loaded.character;
  std::vector<std::vector<Influence>> rows;
  for (const int bone : dominant_bones(character.weights))
    rows.push_back({{static_cast<std::uint32_t>(bone), 1}});
  ASSERT_TRUE(write_weights(stiff, tentacle.loaded,
                            SkinWeights::from_rows(character.skeleton.bone_count(), rows))
                  .ok());
  const LoadedFile bound(std::move(stiff));
  const LoadedFile hand = example_file("hand");
  const Json payload = payload_of({tentacle.file("a"), bound.file("b"), hand.file("c")}, 1'000);
  EXPECT_EQ(payload["interiors"].size(), 2u);
  EXPECT_EQ(payload["files"][1]["interior"], 0);
  EXPECT_EQ(payload["files"][2]["interior"], 1);
}

TEST(ReportInterior, IsThereOnlyWhereItIsAskedFor) {
  const LoadedFile tentacle = example_file("tentacle");
  const Json payload = payload_of({tentacle.file("a")}, 0);
  EXPECT_FALSE(payload.contains("interiors"));
  EXPECT_FALSE(payload["files"][0].contains("interior"));
}

TEST(ReportInterior, AMeshWithoutBonesHasCellsAndNoWeights) {
  Document document = example_file("tentacle").document;
  document.json.erase("skins");
  for (Json& node : document.json["nodes"]) node.erase("skin");
  const LoadedFile bare(std::move(document));
  const Json payload = payload_of({bare.file("bare")}, 1'000);
  const Json& interior = payload["interiors"][0];
  EXPECT_GT(interior["cells"], 500);
  for (const Json& of_bone : interior["weights"]) EXPECT_TRUE(of_bone.is_null());
}

void expect_small(const LoadedFile& file) {
  const std::string text = payload_of({file.file("a")}, 12'000)["interiors"].dump();
  EXPECT_LT(text.size(), 1'000'000u);
}

TEST(ReportInterior, TwelveThousandCellsTakeLessThanAMegabyte) {
  expect_small(example_file("biped"));
}

TEST(ReportInterior, TwelveThousandCellsOfACharacterOfManyBonesTakeLessThanAMegabyte) {
  SINEW_REAL_MODEL(path, "makehuman/mh_male_dressed.glb");
  expect_small(LoadedFile(checked(read_gltf(path))));
}

}  // namespace
}  // namespace sinew::test
