// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "report/report_interior.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>

#include "bind/prepared_bind.h"
#include "model/spine_rows.h"
#include "rig/leaf_tails.h"
#include "sinew/weights/interior_weights.h"

namespace sinew {
namespace {

/// Weights are shown in so many steps: as many as a ramp of the page has colours.
constexpr double kWeightSteps = 255;
/// Bits of a number that a byte holds; its highest bit says that more follow.
constexpr unsigned kPackedBits = 7;
/// Points in a run that weigh nothing: as few as a new run takes bytes.
constexpr std::size_t kLeastGap = 3;

class Packed {
 public:
  void add_byte(std::uint8_t value) { bytes_.push_back(std::byte{value}); }
  template <class Integer>
  void add_little_endian(Integer value) {
    for (unsigned k = 0; k < sizeof(Integer); ++k)
      add_byte(static_cast<std::uint8_t>(value >> (8 * k) & 0xFF));
  }
  /// Seven bits to a byte, the lowest first.
  void add_count(std::size_t value) {
    for (; value >> kPackedBits != 0; value >>= kPackedBits)
      add_byte(static_cast<std::uint8_t>((value & 0x7F) | 0x80));
    add_byte(static_cast<std::uint8_t>(value));
  }
  [[nodiscard]] std::string text() const { return to_base64(bytes_); }

 private:
  Bytes bytes_;
};

/// Points in the order that the page meets them in: cell by cell, corner by corner.
struct PageOrder {
  std::vector<ElementPoint> point;  // of the grid, of each of the page's
  /// Of each cell, of each corner: which of the points at that place of the lattice it is, in the
  /// same order. Another one than the first where parts only touch.
  std::vector<std::array<std::uint8_t, 8>> copy;
};

PageOrder order_points(const VoxelGrid& grid) {
  constexpr auto kUnmet = std::numeric_limits<std::uint32_t>::max();
  PageOrder order;
  order.copy.reserve(grid.place.size());
  std::vector<std::uint32_t> met(grid.elements.points.size(), kUnmet);
  std::vector<std::uint8_t> copy_of_point(grid.elements.points.size(), 0);
  std::map<std::array<int, 3>, std::uint8_t> met_at;  // how many points, of each place
  for (std::size_t cell = 0; cell < grid.place.size(); ++cell) {
    std::array<std::uint8_t, 8>& copies = order.copy.emplace_back();
    for (int k = 0; k < 8; ++k) {
      const auto corner = static_cast<std::size_t>(k);
      const ElementPoint point = grid.elements.hexahedra[cell][corner];
      if (met[point] == kUnmet) {
        met[point] = static_cast<std::uint32_t>(order.point.size());
        order.point.push_back(point);
        const auto [x, y, z] = grid.place[cell];
        copy_of_point[point] = met_at[{x + (k & 1), y + (k >> 1 & 1), z + (k >> 2)}]++;
      }
      copies[corner] = copy_of_point[point];
    }
  }
  return order;
}

void add_cells(const VoxelGrid& grid, const PageOrder& order, Json& interior) {
  Packed places, kinds, branched, copies, pieces;
  for (std::size_t cell = 0; cell < grid.place.size(); ++cell) {
    for (const int along : grid.place[cell]) places.add_count(static_cast<std::size_t>(along));
    kinds.add_byte(static_cast<std::uint8_t>(grid.kind[cell]));
    const bool shares_place =
        (cell > 0 && grid.place[cell - 1] == grid.place[cell]) ||
        (cell + 1 < grid.place.size() && grid.place[cell + 1] == grid.place[cell]);
    if (!shares_place && order.copy[cell] == std::array<std::uint8_t, 8>{}) continue;
    branched.add_little_endian(static_cast<std::uint32_t>(cell));
    for (const std::uint8_t copy : order.copy[cell]) copies.add_byte(copy);
    pieces.add_little_endian(grid.filled[cell]);
  }
  interior["places"] = places.text();
  interior["kinds"] = kinds.text();
  interior["branched"] = branched.text();
  interior["copies"] = copies.text();
  interior["pieces"] = pieces.text();
}

/// Per bone, of each of the page's points; nothing for a bone that weighs nothing anywhere.
std::vector<std::vector<std::uint8_t>> weights_in_steps(
    const std::vector<std::vector<Influence>>& of_points, const PageOrder& order,
    std::size_t bone_count) {
  std::vector<std::vector<std::uint8_t>> steps(bone_count);
  for (std::size_t p = 0; p < order.point.size(); ++p) {
    const std::vector<Influence>& row = of_points[order.point[p]];
    double sum = 0;
    for (const Influence& each : row) sum += each.weight;
    for (const Influence& each : row) {
      const long step = std::lround(kWeightSteps * each.weight / sum);
      if (step == 0) continue;
      if (steps[each.bone].empty()) steps[each.bone].assign(order.point.size(), 0);
      steps[each.bone][p] = static_cast<std::uint8_t>(step);
    }
  }
  return steps;
}

/// Runs: how many points to pass over, how many follow, and a byte for each of these.
std::string packed_runs(const std::vector<std::uint8_t>& steps) {
  Packed packed;
  std::size_t told = 0;
  for (std::size_t p = 0; p < steps.size();) {
    if (steps[p] == 0) {
      ++p;
      continue;
    }
    std::size_t end = p + 1;  // behind the last that weighs something
    for (std::size_t q = end; q < steps.size() && q < end + kLeastGap; ++q)
      if (steps[q] != 0) end = q + 1;
    packed.add_count(p - told);
    packed.add_count(end - p);
    for (std::size_t q = p; q < end; ++q) packed.add_byte(steps[q]);
    told = p = end;
  }
  return packed.text();
}

/// Of matrices: what went through floats once more is still the same skeleton.
constexpr double kSameRestRel = 1e-6;

bool are_alike(const Bone& one, const Bone& other) {
  const bool have_one_tail = one.tail.has_value() == other.tail.has_value() &&
                             (!one.tail || one.tail->isApprox(*other.tail, kSameRestRel));
  return one.rest.matrix().isApprox(other.rest.matrix(), kSameRestRel) && have_one_tail &&
         one.kind == other.kind && one.part_of.has_value() == other.part_of.has_value();
}

}  // namespace

bool are_filled_alike(const JudgedFile& one, const JudgedFile& other) {
  const Mesh& mesh = one.character().mesh;
  const Mesh& other_mesh = other.character().mesh;
  const auto deforms = [](const BoneRole& role) { return role.deforms; };
  return mesh.positions() == other_mesh.positions() && mesh.triangles() == other_mesh.triangles() &&
         mesh.tetrahedra() == other_mesh.tetrahedra() && mesh.wires() == other_mesh.wires() &&
         std::ranges::equal(one.character().skeleton.bones(), other.character().skeleton.bones(),
                            are_alike) &&
         std::ranges::equal(one.inspection().roles, other.inspection().roles, {}, deforms,
                            deforms) &&
         one.inspection().hierarchy.parent == other.inspection().hierarchy.parent;
}

Result<Json> describe_interior(const JudgedFile& judged, const InteriorOptions& options,
                               const Progress& progress) {
  const Character& character = judged.character();
  const Inspection& inspection = judged.inspection();
  const Skeleton with_tails = with_row_tails(character.skeleton);
  const Skeleton skeleton = with_rows_alone(
      guess_leaf_tails(effective_skeleton(with_tails, inspection.roles, inspection.hierarchy),
                       character.mesh, character.weights)
          .skeleton,
      with_tails, inspection.roles);
  const PreparedMesh prepared = prepare_mesh(character.mesh);
  SINEW_TRY(const SolvedInterior solved,
            solve_interior(prepared, BoneSegments(skeleton, prepared.frame), options, progress));
  const VoxelGrid& grid = solved.interior.grid;
  const PageOrder order = order_points(grid);
  const Vec3 origin = prepared.frame.centre + prepared.frame.diagonal * grid.origin;
  Json interior = {{"cells", grid.place.size()},
                   {"points", order.point.size()},
                   {"origin", vector_to_json(origin)},
                   {"cell_edge", prepared.frame.diagonal * grid.elements.cell_size},
                   {"cell_size", grid.elements.cell_size},
                   {"split_places", grid.report.split_places}};
  add_cells(grid, order, interior);
  Json& weights = interior["weights"] = Json::array();
  for (const std::vector<std::uint8_t>& steps :
       weights_in_steps(solved.of_points, order, character.skeleton.bone_count()))
    weights.push_back(steps.empty() ? Json(nullptr) : Json(packed_runs(steps)));
  return interior;
}

}  // namespace sinew
