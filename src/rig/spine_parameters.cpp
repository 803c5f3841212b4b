// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/rig/spine_parameters.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "core/parallel.h"
#include "sinew/geometry/prepared_mesh.h"

namespace sinew {
namespace {

/// Of the segment's length: a vertex that is nearer to an end's plane than rounding can tell is
/// beyond it.
constexpr double kAtEnd = 1e-9;
/// Of what the edges of a vertex have in length, squared: with less along the segment they say
/// nothing about how u changes along it.
constexpr double kAcrossRel = 1e-12;

/// Replaces the values of one part's inner vertices by the harmonic ones. Fails with bad_argument
/// where there is no solution.
Status solve_inside(const SparseMatrix& laplacian, const std::vector<VertexIndex>& inside,
                    std::vector<double>& parameters) {
  const auto index_of = [&](VertexIndex v) -> Eigen::Index {
    const auto found = std::lower_bound(inside.begin(), inside.end(), v);
    return found != inside.end() && *found == v ? found - inside.begin() : -1;
  };
  const auto size = static_cast<Eigen::Index>(inside.size());
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::MatrixXd from_ends = Eigen::MatrixXd::Zero(size, 1);
  for (Eigen::Index m = 0; m < size; ++m)
    for (SparseMatrix::InnerIterator entry(laplacian, inside[static_cast<std::size_t>(m)]); entry;
         ++entry) {
      const auto other = static_cast<VertexIndex>(entry.row());
      const Eigen::Index row = index_of(other);
      if (row < 0)
        from_ends(m, 0) -= entry.value() * parameters[other];
      else if (row >= m)
        entries.emplace_back(static_cast<int>(row), static_cast<int>(m), entry.value());
    }
  SparseMatrix matrix(size, size);
  matrix.setFromTriplets(entries.begin(), entries.end());
  SINEW_TRY(const SparseCholesky factor, SparseCholesky::factor(matrix));
  const Eigen::MatrixXd solved = factor.solve(from_ends);
  if (!solved.allFinite())
    return Error{ErrorCode::bad_argument, "", "the system has no solution in doubles"};
  for (Eigen::Index m = 0; m < size; ++m)
    parameters[inside[static_cast<std::size_t>(m)]] = std::clamp(solved(m, 0), 0.0, 1.0);
  return {};
}

}  // namespace

std::vector<double> linear_parameters(const SpineRest& rest, std::span<const Vec3> positions) {
  std::vector<double> parameters(positions.size());
  parallel_for(positions.size(),
               [&](std::size_t i) { parameters[i] = spine_parameter(rest, positions[i]); });
  return parameters;
}

Result<std::vector<double>> harmonic_parameters(const SpineRest& rest, const Mesh& mesh,
                                                const SparseMatrix& laplacian,
                                                const MeshParts& parts) {
  std::vector<double> parameters = linear_parameters(rest, mesh.positions());
  for (const std::vector<VertexIndex>& members : parts.members) {
    std::vector<VertexIndex> inside;
    bool reaches_head = false, reaches_tail = false;
    for (const VertexIndex v : members) {
      if (parameters[v] <= kAtEnd)
        reaches_head = true;
      else if (parameters[v] >= 1 - kAtEnd)
        reaches_tail = true;
      else
        inside.push_back(v);
    }
    if (!reaches_head || !reaches_tail || inside.empty()) continue;
    const Status status = solve_inside(laplacian, inside, parameters);
    if (!status.ok() && status.error().code != ErrorCode::bad_argument) return status.error();
  }
  return parameters;
}

Result<std::vector<double>> painted_parameters(std::span<const double> values,
                                               std::string_view what) {
  std::vector<double> parameters;
  parameters.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i]))
      return Error{ErrorCode::bad_mesh, fmt::format("{}[{}]", what, i), "is not a number"};
    parameters.push_back(std::clamp(values[i], 0.0, 1.0));
  }
  return parameters;
}

Result<std::vector<double>> spine_parameters(const SpineRest& rest, const Mesh& mesh,
                                             SpineParametrisation parametrisation) {
  if (parametrisation == SpineParametrisation::linear)
    return linear_parameters(rest, mesh.positions());
  const PreparedMesh prepared = prepare_mesh(mesh);
  const SpineRest in_frame{prepared.frame.from_model(rest.head),
                           prepared.frame.from_model(rest.tail)};
  SINEW_TRY(const std::vector<double> welded,
            harmonic_parameters(in_frame, prepared.mesh, prepared.laplacian, prepared.parts));
  std::vector<double> parameters;
  for (const VertexIndex place : prepared.welded.welded) parameters.push_back(welded[place]);
  return parameters;
}

Status paint_parameters(std::span<const std::optional<double>> painted,
                        std::vector<double>& parameters) {
  if (painted.size() != parameters.size())
    return Error{ErrorCode::bad_argument, "painted", "there is not one value for every vertex"};
  std::vector<double> values = parameters;
  for (std::size_t v = 0; v < values.size(); ++v) values[v] = painted[v].value_or(values[v]);
  SINEW_TRY(parameters, painted_parameters(values, "painted"));
  return {};
}

std::vector<Vec3> parameter_gradients(const SpineRest& rest, std::span<const Vec3> positions,
                                      const MeshGraph& graph, std::span<const double> parameters) {
  assert(positions.size() == graph.vertex_count() && parameters.size() == positions.size());
  const Vec3 along = rest.tail - rest.head;
  std::vector<Vec3> gradients(positions.size(), Vec3::Zero());
  // With g = s d the sum is a parabola in s; Λ_i is common to all of its terms.
  parallel_for(positions.size(), [&](std::size_t i) {
    const std::span<const VertexIndex> neighbours = graph.neighbours_of(i);
    const std::span<const double> measures = graph.edge_measures_of(i);
    double ahead2 = 0, rising = 0, length2 = 0;
    for (std::size_t n = 0; n < neighbours.size(); ++n) {
      const Vec3 edge = positions[neighbours[n]] - positions[i];
      const double ahead = along.dot(edge);
      ahead2 += measures[n] * ahead * ahead;
      rising += measures[n] * ahead * (parameters[neighbours[n]] - parameters[i]);
      length2 += measures[n] * edge.squaredNorm();
    }
    if (ahead2 > kAcrossRel * length2 * along.squaredNorm())
      gradients[i] = along * (rising / ahead2);
  });
  return gradients;
}

SpineBone make_spine_bone(int bone, const SpineRest& rest, std::span<const Vec3> positions,
                          const MeshGraph& graph, std::vector<double> parameters) {
  std::vector<Vec3> gradients = parameter_gradients(rest, positions, graph, parameters);
  return {bone, rest, std::move(parameters), std::move(gradients)};
}

}  // namespace sinew
