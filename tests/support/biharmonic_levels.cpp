// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "support/biharmonic_levels.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <utility>

#include "sinew/model/mesh.h"
#include "sinew/volume/element_matrices.h"
#include "support/checked.h"

namespace sinew::test {
namespace {

double distance_to(const SegmentEnds& segment, const Vec3& point) {
  const Vec3 along = segment[1] - segment[0];
  const double t = std::clamp((point - segment[0]).dot(along) / along.squaredNorm(), 0.0, 1.0);
  return (point - segment[0] - t * along).norm();
}

/// The section of a MEDIT file: so many numbers each, the last of which is a label.
std::vector<std::vector<double>> read_section(const std::filesystem::path& path,
                                              const std::string& name, std::size_t numbers_each) {
  std::ifstream file(path);
  std::string word;
  while (file >> word && word != name) {
  }
  std::size_t count = 0;
  file >> count;
  std::vector<std::vector<double>> lines(count, std::vector<double>(numbers_each));
  for (std::vector<double>& line : lines)
    for (double& number : line) file >> number;
  return lines;
}

/// The edges of a TGF file, in its order and in doubles: which of two bones is nearer to the joint
/// between them is a matter of the last digit.
std::vector<SegmentEnds> read_bones(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::vector<Vec3> points;
  while (std::getline(file, line) && line.find('#') == std::string::npos) {
    std::istringstream words(line);
    double index = 0;
    Vec3 point = Vec3::Zero();
    words >> index >> point[0] >> point[1] >> point[2];
    points.push_back(point);
  }
  std::vector<SegmentEnds> bones;
  while (std::getline(file, line) && line.find('#') == std::string::npos) {
    std::istringstream words(line);
    std::size_t head = 0, tail = 0;
    if (words >> head >> tail) bones.push_back({points.at(head - 1), points.at(tail - 1)});
  }
  return bones;
}

}  // namespace

std::vector<int> held_by_segments(std::span<const Vec3> points,
                                  std::span<const SegmentEnds> segments, double radius) {
  std::vector<int> held(points.size(), -1);
  for (std::size_t p = 0; p < points.size(); ++p) {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t s = 0; s < segments.size(); ++s) {
      const double distance = distance_to(segments[s], points[p]);
      if (distance >= radius || distance >= nearest) continue;
      nearest = distance;
      held[p] = static_cast<int>(s);
    }
  }
  return held;
}

BiharmonicLevel level_of(const Elements& elements, std::vector<int> handle_of_point) {
  return {stiffness_of(elements), lumped_mass(elements), std::move(handle_of_point), {}};
}

Embedding embedded_in_cubes(const Elements& cubes, std::span<const Vec3> points) {
  const auto place_of = [&](const Vec3& point) {
    const Vec3 place = point / cubes.cell_size;
    return std::array{static_cast<int>(std::floor(place[0])),
                      static_cast<int>(std::floor(place[1])),
                      static_cast<int>(std::floor(place[2]))};
  };
  const Vec3 half = Vec3::Constant(cubes.cell_size / 2);
  std::map<std::array<int, 3>, std::uint32_t> cube_at;
  for (std::uint32_t c = 0; c < cubes.hexahedra.size(); ++c)
    cube_at[place_of(cubes.points[cubes.hexahedra[c][0]] + half)] = c;
  Embedding embedding;
  for (const Vec3& point : points) {
    embedding.begin.push_back(embedding.corner.size());
    // On the far face of a cube, or in it.
    for (int k = 0; k < 8; ++k) {
      const Vec3 towards((k & 1) != 0 ? -1 : 1, (k & 2) != 0 ? -1 : 1, (k & 4) != 0 ? -1 : 1);
      const auto found = cube_at.find(place_of(point + 1e-6 * cubes.cell_size * towards));
      if (found == cube_at.end()) continue;
      const Hexahedron& corners = cubes.hexahedra[found->second];
      const Vec3 at = (point - cubes.points[corners[0]]) / cubes.cell_size;
      for (int corner = 0; corner < 8; ++corner) {
        double coefficient = 1;
        for (int axis = 0; axis < 3; ++axis)
          coefficient *= (corner >> axis & 1) != 0 ? at[axis] : 1 - at[axis];
        embedding.corner.push_back(corners[static_cast<std::size_t>(corner)]);
        embedding.coefficient.push_back(coefficient);
      }
      embedding.element.push_back(found->second);
      break;
    }
  }
  embedding.begin.push_back(embedding.corner.size());
  return embedding;
}

CubeHand cube_hand(int fineness) {
  CubeHand hand;
  hand.elements.cell_size = 1.0 / fineness;
  std::map<std::array<int, 3>, ElementPoint> point_at;
  const auto add_block = [&](const std::array<int, 3>& from, const std::array<int, 3>& to) {
    for (int z = from[2] * fineness; z < to[2] * fineness; ++z)
      for (int y = from[1] * fineness; y < to[1] * fineness; ++y)
        for (int x = from[0] * fineness; x < to[0] * fineness; ++x) {
          Hexahedron corners{};
          for (int k = 0; k < 8; ++k) {
            const std::array place{x + (k & 1), y + (k >> 1 & 1), z + (k >> 2)};
            const auto [found, is_new] =
                point_at.try_emplace(place, static_cast<ElementPoint>(hand.elements.points.size()));
            if (is_new)
              hand.elements.points.push_back(Vec3(place[0], place[1], place[2]) / fineness);
            corners[static_cast<std::size_t>(k)] = found->second;
          }
          hand.elements.hexahedra.push_back(corners);
        }
  };
  add_block({0, 0, 0}, {19, 3, 12});
  for (int finger = 0; finger < 5; ++finger) {
    const int x = 4 * finger;
    add_block({x, 0, 12}, {x + 3, 3, 24});
    for (const auto& [head, tail] :
         {std::pair(1.0, 11.0), {12.5, 15.5}, {16.5, 19.5}, {20.5, 23.0}})
      hand.bones.push_back({Vec3(x + 1.5, 1.5, head), Vec3(x + 1.5, 1.5, tail)});
  }
  return hand;
}

std::vector<BiharmonicLevel> cube_hand_levels(std::span<const int> finenesses) {
  constexpr double kBoneRadius = 0.72;  // takes the four points around it that are coarsest
  std::vector<BiharmonicLevel> levels;
  Elements coarser;
  for (const int fineness : finenesses) {
    CubeHand hand = cube_hand(fineness);
    levels.push_back(
        level_of(hand.elements, held_by_segments(hand.elements.points, hand.bones, kBoneRadius)));
    if (levels.size() > 1)
      levels.back().from_coarser = embedded_in_cubes(coarser, hand.elements.points);
    coarser = std::move(hand.elements);
  }
  return levels;
}

ResearchHand research_hand(const std::filesystem::path& models) {
  constexpr double kOnBoneRel = 1e-4;  // of the diagonal: vertices were put on the bones
  const std::filesystem::path folder = models / "research";
  MeshData data;
  for (const std::vector<double>& line : read_section(folder / "hand.mesh", "Vertices", 4))
    data.positions.emplace_back(line[0], line[1], line[2]);
  for (const std::vector<double>& line : read_section(folder / "hand.mesh", "Tetrahedra", 5)) {
    Tetrahedron corners{};
    for (std::size_t k = 0; k < 4; ++k) corners[k] = static_cast<VertexIndex>(line[k]) - 1;
    data.tetrahedra.push_back(corners);
  }
  const Mesh mesh = checked(Mesh::create(std::move(data)));
  const std::vector<SegmentEnds> bones = read_bones(folder / "hand.tgf");
  const double radius = kOnBoneRel * bounding_box(mesh.positions()).diagonal().norm();
  return {level_of(elements_of(mesh), held_by_segments(mesh.positions(), bones, radius)),
          bones.size()};
}

}  // namespace sinew::test
