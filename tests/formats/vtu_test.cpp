// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "formats/vtu.h"

#include <gtest/gtest.h>

#include "support/vtu_reader.h"

namespace sinew::test {
namespace {

/// A cube of eight points and a tetrahedron on its top.
UnstructuredGrid cube_and_tetrahedron() {
  UnstructuredGrid grid;
  for (int k = 0; k < 8; ++k) grid.points.emplace_back(k & 1, k >> 1 & 1, k >> 2 & 1);
  grid.points.emplace_back(0.1, 0.2, 2.5);
  grid.hexahedra.push_back({0, 1, 2, 3, 4, 5, 6, 7});
  grid.tetrahedra.push_back({4, 5, 6, 8});
  return grid;
}

TEST(Vtu, PointsAndCellsComeBackAsTheyAre) {
  const UnstructuredGrid grid = cube_and_tetrahedron();
  const std::string text = write_vtu(grid);
  const VtuReader read(text);
  EXPECT_EQ(read.points, 9u);
  EXPECT_EQ(read.cells, 2u);
  EXPECT_EQ(read.at("Points/Points").components, 3);
  const auto coordinates = read.at("Points/Points").as<double>();
  ASSERT_EQ(coordinates.size(), 27u);
  for (std::size_t p = 0; p < grid.points.size(); ++p)
    for (std::size_t axis = 0; axis < 3; ++axis)
      EXPECT_EQ(coordinates[3 * p + axis], grid.points[p][static_cast<int>(axis)]);
  EXPECT_EQ(read.at("Cells/types").as<std::uint8_t>(), (std::vector<std::uint8_t>{12, 10}));
  EXPECT_EQ(read.at("Cells/offsets").as<std::int32_t>(), (std::vector<std::int32_t>{8, 12}));
}

TEST(Vtu, CubesGoAroundTheirFacesAsVtkHasThem) {
  const UnstructuredGrid grid = cube_and_tetrahedron();
  const std::string text = write_vtu(grid);
  const auto corners = VtuReader(text).at("Cells/connectivity").as<std::int32_t>();
  ASSERT_EQ(corners.size(), 12u);
  const auto point = [&](std::size_t k) {
    return grid.points[static_cast<std::size_t>(corners[k])];
  };
  for (const std::size_t face : {0u, 4u})
    for (std::size_t k = 0; k < 4; ++k)
      EXPECT_EQ((point(face + (k + 1) % 4) - point(face + k)).norm(), 1)
          << "one edge further on the same face";
  for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(point(k + 4) - point(k), Vec3(0, 0, 1));
  const Vec3 normal = (point(1) - point(0)).cross(point(2) - point(0));
  EXPECT_GT(normal.z(), 0) << "the first face is seen counterclockwise from within";
}

TEST(Vtu, FieldsOfEveryLengthComeBackAsTheyAre) {
  for (const std::size_t count : {0u, 1u, 2u, 3u, 4u, 5u, 100u}) {
    UnstructuredGrid grid;
    std::vector<float> floats;
    std::vector<std::int32_t> integers;
    for (std::size_t i = 0; i < count; ++i) {
      grid.points.emplace_back(static_cast<double>(i), 0, 0);
      floats.push_back(0.1F * static_cast<float>(i));
      integers.push_back(-static_cast<std::int32_t>(i * i));
    }
    grid.point_fields = {{"weights", floats}, {"numbers", integers}};
    const std::string text = write_vtu(grid);
    const VtuReader read(text);
    EXPECT_EQ(read.at("PointData/weights").type, "Float32");
    EXPECT_EQ(read.at("PointData/weights").as<float>(), floats);
    EXPECT_EQ(read.at("PointData/numbers").type, "Int32");
    EXPECT_EQ(read.at("PointData/numbers").as<std::int32_t>(), integers);
  }
}

TEST(Vtu, NamesThatXmlCouldNotHoldAreHeldAllTheSame) {
  UnstructuredGrid grid = cube_and_tetrahedron();
  const std::vector<float> values(9, 0.5F);
  for (const std::string name : {"a<b>&\"c\"'", "tab\tand\nline", "\xFF\xFE", "骨", "\xEF\xBF\xBF"})
    grid.point_fields.push_back({name, values});
  const std::string text = write_vtu(grid);
  const VtuReader read(text);
  for (const std::string name : {"a<b>&\"c\"'", "tab_and_line", "ÿþ", "骨", "_"})
    EXPECT_EQ(read.arrays.count("PointData/" + name), 1u) << name;
  for (const char c : text)
    EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n') << static_cast<int>(c);
}

}  // namespace
}  // namespace sinew::test
