// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "bind/interior_domain.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "sinew/core/threads.h"
#include "support/binding.h"
#include "support/made_skeletons.h"
#include "support/mesh_zoo.h"
#include "support/prepared_character.h"

namespace sinew::test {
namespace {

InteriorDomain inside(const PreparedCharacter& character, int cells = 2'000) {
  InteriorOptions options;
  options.cells = cells;
  return checked(make_interior_domain(character.prepared, character.segments, options, {}));
}

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

TEST(InteriorDomain, PointsMeasureTheVolumeThatTheMeshFills) {
  const PreparedCharacter box = prepared(
      make_boxed_character({{"root", -1, {0, 0, 0}}, {"tip", 0, {0, 1, 0}}}, {0, 0, 0}, {1, 2, 1}));
  const double volume = 2 / std::pow(box.prepared.frame.diagonal, 3);
  for (const int cells : {500, 4'000}) {
    const InteriorDomain domain = inside(box, cells);
    EXPECT_NEAR(sum(domain.mesh.graph.vertex_measure) / volume, 1, 0.15) << cells;
  }
}

TEST(InteriorDomain, EdgesShareWhatTheirPointsMeasureAndLeadBack) {
  const InteriorDomain domain = inside(prepared(limb_character(limb_data())));
  const MeshGraph& graph = domain.mesh.graph;
  for (std::size_t v = 0; v < graph.vertex_count(); ++v) {
    const std::span<const double> edges = graph.edge_measures_of(v);
    EXPECT_NEAR(std::accumulate(edges.begin(), edges.end(), 0.0), graph.vertex_measure[v],
                1e-9 * graph.vertex_measure[v]);
    for (std::size_t e = graph.begin[v]; e < graph.begin[v + 1]; ++e)
      EXPECT_NEAR(graph.edge_measure[edge_back(graph, v, e)], graph.edge_measure[e],
                  1e-12 * graph.edge_measure[e]);
  }
}

TEST(InteriorDomain, TheLaplacianOfALinearFieldHasTheEnergyOfTheVolume) {
  const InteriorDomain domain = inside(prepared(limb_character(limb_data())));
  ASSERT_EQ(domain.report.tied_pieces, 0u);
  const std::vector<Vec3>& points = domain.mesh.mesh.positions();
  const Vec3 gradient(0.3, -2, 1);
  Eigen::VectorXd field(static_cast<Eigen::Index>(points.size()));
  for (std::size_t p = 0; p < points.size(); ++p)
    field[static_cast<Eigen::Index>(p)] = gradient.dot(points[p]);
  const double energy = field.dot(domain.mesh.laplacian * field);
  EXPECT_NEAR(energy, gradient.squaredNorm() * sum(domain.mesh.graph.vertex_measure),
              1e-9 * energy);
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(field.size());
  EXPECT_LT((domain.mesh.laplacian * ones).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(InteriorDomain, WhatIsSmoothInsideIsSampledExactlyWhereItIsLinear) {
  const PreparedCharacter limb = prepared(limb_character(limb_data()));
  const InteriorDomain domain = inside(limb);
  const auto upper = [](const Vec3& point) { return 0.5 + 0.4 * point.y(); };
  std::vector<std::vector<Influence>> rows;
  for (const Vec3& point : domain.mesh.mesh.positions())
    rows.push_back({{0, 1 - upper(point)}, {1, upper(point)}});
  const SkinWeights weights = sample(domain.embedding, SkinWeights::from_rows(2, rows));
  const std::vector<Vec3>& positions = limb.prepared.mesh.positions();
  ASSERT_EQ(weights.vertex_count(), positions.size());
  for (std::size_t v = 0; v < positions.size(); ++v) {
    ASSERT_EQ(weights.row(v).size(), 2u);
    EXPECT_NEAR(weights.row(v)[1].weight, upper(positions[v]), 1e-9);
    EXPECT_NEAR(weights.row(v)[0].weight + weights.row(v)[1].weight, 1, 1e-12);
  }
}

TEST(InteriorDomain, APieceWithoutABoneHangsOnWhatIsNear) {
  const Character character = limb_character(together(limb_data(), ball_data({0.6, 1.5, 0}, 0.1)));
  const InteriorDomain domain = inside(prepared(character));
  EXPECT_EQ(domain.report.pieces, 2u);
  EXPECT_EQ(domain.report.tied_pieces, 1u);
  EXPECT_EQ(domain.mesh.parts.count(), 1u) << "wires make one of them";
}

TEST(InteriorDomain, CubesThatOnlyTouchStayApart) {
  // Two limbs side by side, closer than a cube is wide.
  MeshData other = limb_data();
  for (Vec3& position : other.positions) position.x() += 0.45;
  Character character = limb_character(together(limb_data(), other));
  character.skeleton = placed_skeleton(
      {{"one", -1, {0, 0, 0}, Vec3(0, 2, 0)}, {"other", -1, {0.45, 0, 0}, Vec3(0.45, 2, 0)}});
  const InteriorDomain domain = inside(prepared(character), 1'000);
  ASSERT_GT(domain.report.cell_size_rel * 2.2, 0.05);
  EXPECT_EQ(domain.report.pieces, 2u);
  EXPECT_EQ(domain.mesh.parts.count(), 2u);
}

TEST(InteriorDomain, SameBitsForAnyNumberOfThreads) {
  const PreparedCharacter biped = prepared(example("biped", 3'000));
  std::vector<InteriorDomain> domains;
  for (const int threads : {1, 2, 5}) {
    const ThreadLimit limit(threads);
    domains.push_back(inside(biped, 4'000));
    EXPECT_EQ(domains.back().mesh.graph.edge_measure, domains.front().mesh.graph.edge_measure);
    EXPECT_EQ(domains.back().embedding.coefficient, domains.front().embedding.coefficient);
    EXPECT_EQ((domains.back().mesh.laplacian - domains.front().mesh.laplacian).norm(), 0);
  }
}

}  // namespace
}  // namespace sinew::test
