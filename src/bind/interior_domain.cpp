// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "bind/interior_domain.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <numeric>

#include "core/parallel.h"
#include "sinew/volume/piece_ties.h"
#include "sinew/volume/voxel_grid.h"

namespace sinew {
namespace {

constexpr double kPiecesPerCell = 64;  // VoxelGrid::filled has a bit for each
constexpr std::size_t kCorners = 8;
constexpr std::size_t kAxes = 3;

/// How much of a cube the mesh fills, in (0, 1]: a sheet that passes through fills the pieces that
/// it passes through, and what only touches a cube at a corner counts as one piece.
double filled_share(const VoxelGrid& grid, std::size_t cell) {
  return std::max(1, std::popcount(grid.filled[cell])) / kPiecesPerCell;
}

struct MeasuredEdge {
  VertexIndex to = 0;
  double measure = 0;
};

/// Edges of cubes with their shares of volume; those that several cubes have are added up in the
/// order of cubes.
MeshGraph graph_of(const VoxelGrid& grid) {
  const Elements& elements = grid.elements;
  const std::size_t count = elements.points.size();
  const double volume = std::pow(elements.cell_size, 3);
  std::vector<std::vector<MeasuredEdge>> edges(count);
  MeshGraph graph;
  graph.vertex_measure.assign(count, 0);
  for (std::size_t cell = 0; cell < elements.hexahedra.size(); ++cell) {
    const Hexahedron& cube = elements.hexahedra[cell];
    const double of_corner = volume * filled_share(grid, cell) / kCorners;
    for (std::size_t corner = 0; corner < kCorners; ++corner) {
      graph.vertex_measure[cube[corner]] += of_corner;
      for (std::size_t axis = 0; axis < kAxes; ++axis)
        edges[cube[corner]].push_back({cube[corner ^ (std::size_t{1} << axis)], of_corner / kAxes});
    }
  }
  graph.begin.push_back(0);
  for (std::vector<MeasuredEdge>& of_point : edges) {
    std::ranges::stable_sort(of_point, {}, &MeasuredEdge::to);
    for (const MeasuredEdge& edge : of_point) {
      const bool is_new =
          graph.neighbours.size() == graph.begin.back() || graph.neighbours.back() != edge.to;
      if (is_new) {
        graph.neighbours.push_back(edge.to);
        graph.edge_measure.push_back(0);
      }
      graph.edge_measure.back() += edge.measure;
    }
    graph.begin.push_back(graph.neighbours.size());
  }
  return graph;
}

/// Finite differences: a cube's edge conducts through a quarter of its section. A tie conducts as
/// its spring is stiff.
SparseMatrix laplacian_of(const VoxelGrid& grid, std::span<const PointSpring> springs) {
  const Elements& elements = grid.elements;
  std::vector<Eigen::Triplet<double>> entries;
  const auto conduct = [&](std::size_t a, std::size_t b, double conductance) {
    const auto i = static_cast<int>(a), k = static_cast<int>(b);
    entries.emplace_back(i, i, conductance);
    entries.emplace_back(k, k, conductance);
    entries.emplace_back(i, k, -conductance);
    entries.emplace_back(k, i, -conductance);
  };
  for (std::size_t cell = 0; cell < elements.hexahedra.size(); ++cell) {
    const Hexahedron& cube = elements.hexahedra[cell];
    for (std::size_t corner = 0; corner < kCorners; ++corner)
      for (std::size_t axis = 0; axis < kAxes; ++axis)
        if (const std::size_t other = corner | std::size_t{1} << axis; other != corner)
          conduct(cube[corner], cube[other], elements.cell_size * filled_share(grid, cell) / 4);
  }
  for (const PointSpring& spring : springs) conduct(spring.point, spring.other, spring.stiffness);
  const auto size = static_cast<Eigen::Index>(elements.points.size());
  SparseMatrix laplacian(size, size);
  laplacian.setFromTriplets(entries.begin(), entries.end());
  return laplacian;
}

/// The real surface as it is seen from points inside: these come first, and belong to nothing.
SurfaceQueries surface_from(const std::vector<Vec3>& points, const PreparedMesh& surface) {
  MeshData data;
  data.positions = points;
  const std::vector<Vec3>& positions = surface.mesh.positions();
  data.positions.insert(data.positions.end(), positions.begin(), positions.end());
  const auto first = static_cast<VertexIndex>(points.size());
  for (const auto& [a, b, c] : surface.surface.triangles())
    data.triangles.push_back({a + first, b + first, c + first});
  MeshParts parts;
  parts.of_vertex.assign(points.size(), -1);
  parts.of_vertex.insert(parts.of_vertex.end(), surface.parts.of_vertex.begin(),
                         surface.parts.of_vertex.end());
  return SurfaceQueries(*Mesh::create(std::move(data)), parts);
}

/// Points that are all places of their own, though several may be at one place: cubes that only
/// touch are not to be welded.
WeldedMesh all_apart(std::vector<Vec3> points, const UnitFrame& frame) {
  for (Vec3& point : points) point = frame.centre + frame.diagonal * point;
  WeldedMesh welded;
  welded.welded.resize(points.size());
  std::iota(welded.welded.begin(), welded.welded.end(), VertexIndex{0});
  welded.copies = welded.welded;
  welded.copies_begin.resize(points.size() + 1);
  std::iota(welded.copies_begin.begin(), welded.copies_begin.end(), std::size_t{0});
  welded.mesh = *Mesh::create({std::move(points), {}, {}, {}});
  return welded;
}

PieceTies ties_of(const VoxelGrid& grid, const PreparedMesh& surface, const BoneSegments& bones,
                  const BoneRadius& radius) {
  std::vector<Segment> segments;
  for (const int bone : bones.bones())
    std::ranges::copy(bones.of(bone), std::back_inserter(segments));
  const BoneAttachment attached =
      attach_bones(grid, surface.surface, segments, bones.bone_count(), radius);
  return tie_pieces(grid.elements, attached.bone_of_point);
}

InteriorReport report_of(const VoxelGrid& grid, const PieceTies& ties) {
  InteriorReport report;
  report.cells = grid.elements.size();
  report.points = grid.elements.points.size();
  report.cell_size_rel = grid.elements.cell_size;
  report.pieces = grid.report.pieces;
  report.tied_pieces = ties.ties.size();
  report.distant_pieces =
      static_cast<std::size_t>(std::ranges::count_if(ties.ties, &PieceTie::is_distant));
  return report;
}

}  // namespace

Result<InteriorDomain> make_interior_domain(const PreparedMesh& surface, const BoneSegments& bones,
                                            const InteriorOptions& options,
                                            const Progress& progress) {
  VoxelGridOptions cells;
  cells.cells = options.cells;
  SINEW_TRY(VoxelGrid grid, make_voxel_grid(surface.mesh, cells, progress));
  const PieceTies ties = ties_of(grid, surface, bones, options.radius);
  std::vector<Edge> wires;
  for (const PointSpring& spring : ties.springs) wires.push_back({spring.point, spring.other});
  MeshGraph graph = graph_of(grid);
  if (!wires.empty()) graph = with_wires(graph, wires);
  MeshParts parts = find_graph_parts(graph);
  const InteriorReport report = report_of(grid, ties);
  const std::vector<Vec3>& points = grid.elements.points;
  return InteriorDomain{{all_apart(points, surface.frame), surface.frame,
                         *Mesh::create({points, {}, {}, {}}), std::move(graph), std::move(parts),
                         laplacian_of(grid, ties.springs), surface_from(points, surface)},
                        std::move(grid.embedding),
                        report};
}

SkinWeights sample(const Embedding& embedding, const SkinWeights& of_points) {
  std::vector<std::vector<Influence>> rows(embedding.size());
  parallel_for(rows.size(), [&](std::size_t v) {
    const std::span<const ElementPoint> corners = embedding.corners_of(v);
    const std::span<const double> coefficients = embedding.coefficients_of(v);
    for (std::size_t c = 0; c < corners.size(); ++c)
      if (coefficients[c] > 0)
        for (const Influence& each : of_points.row(corners[c]))
          rows[v].push_back({each.bone, coefficients[c] * each.weight});
    add_up_repeated(rows[v]);
  });
  return SkinWeights::from_rows(of_points.bone_count(), rows);
}

}  // namespace sinew
