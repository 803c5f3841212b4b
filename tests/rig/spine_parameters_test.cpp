// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/rig/spine_parameters.h"

#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "support/checked.h"
#include "support/mesh_zoo.h"

namespace sinew::test {
namespace {

/// Two units tall, along +Y; the spine is its middle half.
class Tube : public ::testing::Test {
 protected:
  Mesh mesh_ = make_mesh(limb_data({16, 33, 0.2, 2}));
  MeshGraph graph_ = make_mesh_graph(mesh_);
  SpineRest rest_{{0, 0.5, 0}, {0, 1.5, 0}};

  [[nodiscard]] std::vector<double> harmonic() const {
    return checked(
        harmonic_parameters(rest_, mesh_, make_laplacian(mesh_), find_mesh_parts(mesh_)));
  }
};

TEST_F(Tube, LinearGradientsInsideAreThoseOfTheFormula) {
  const SpineBone spine = make_spine_bone(3, rest_, mesh_.positions(), graph_,
                                          linear_parameters(rest_, mesh_.positions()));
  EXPECT_EQ(spine.bone, 3);
  const Vec3 along = rest_.tail - rest_.head;
  const Vec3 expected = along / along.squaredNorm();
  std::size_t inside = 0, outside = 0;
  for (std::size_t i = 0; i < mesh_.vertex_count(); ++i) {
    const double y = mesh_.positions()[i].y();
    EXPECT_NEAR(spine.parameters[i], std::clamp(y - 0.5, 0.0, 1.0), 1e-15);
    if (y > 0.6 && y < 1.4) {
      EXPECT_LT((spine.gradients[i] - expected).norm(), 1e-12);
      ++inside;
    } else if (y < 0.4 || y > 1.6) {
      EXPECT_EQ(spine.gradients[i], Vec3(Vec3::Zero()));
      ++outside;
    } else {
      // At an end some neighbours have the slope and others none.
      EXPECT_GE(spine.gradients[i].y(), 0);
      EXPECT_LE(spine.gradients[i].y(), expected.y() + 1e-12);
    }
  }
  EXPECT_GT(inside, 100u);
  EXPECT_GT(outside, 100u);
}

TEST_F(Tube, HarmonicParametersAreLinearOnAStraightTube) {
  const std::vector<double> linear = linear_parameters(rest_, mesh_.positions());
  const std::vector<double> spread = harmonic();
  for (std::size_t i = 0; i < linear.size(); ++i) EXPECT_NEAR(spread[i], linear[i], 0.03);
}

TEST_F(Tube, HarmonicParametersStayBetweenTheirNeighbours) {
  const std::vector<double> spread = harmonic();
  for (std::size_t i = 0; i < spread.size(); ++i) {
    EXPECT_GE(spread[i], 0);
    EXPECT_LE(spread[i], 1);
    const double y = mesh_.positions()[i].y();
    if (y <= 0.5 || y >= 1.5) continue;
    double least = 1, most = 0;
    for (const VertexIndex k : graph_.neighbours_of(i)) {
      least = std::min(least, spread[k]);
      most = std::max(most, spread[k]);
    }
    EXPECT_LT(least, spread[i]);
    EXPECT_GT(most, spread[i]);
  }
}

TEST(SpineParameters, HarmonicOnesFollowABentLimb) {
  // Part of a ring of radius 1: along it the linear parameter of the chord runs unevenly.
  constexpr double kArcRad = 150 * std::numbers::pi / 180;
  constexpr double kBeyond = 0.1;  // of the arc, past both ends of the segment
  MeshData data = limb_data({12, 121, 0.02, 2});
  for (Vec3& p : data.positions) {
    const double angle = (p.y() / 2 * (1 + 2 * kBeyond) - kBeyond) * kArcRad;
    const double radius = 1 + p.x();
    p = Vec3(radius * std::cos(angle), radius * std::sin(angle), p.z());
  }
  const Mesh mesh = make_mesh(data);
  const SpineRest rest{{1, 0, 0}, {std::cos(kArcRad), std::sin(kArcRad), 0}};
  const std::vector<double> spread =
      checked(harmonic_parameters(rest, mesh, make_laplacian(mesh), find_mesh_parts(mesh)));
  const std::vector<double> linear = linear_parameters(rest, mesh.positions());
  double worst_spread = 0, worst_linear = 0;
  for (std::size_t i = 0; i < spread.size(); ++i) {
    const Vec3& p = mesh.positions()[i];
    const double along_ring = std::clamp(std::atan2(p.y(), p.x()) / kArcRad, 0.0, 1.0);
    worst_spread = std::max(worst_spread, std::abs(spread[i] - along_ring));
    worst_linear = std::max(worst_linear, std::abs(linear[i] - along_ring));
  }
  EXPECT_GT(worst_linear, 0.06);
  EXPECT_LT(worst_spread, 0.5 * worst_linear);
}

TEST(SpineParameters, PartsThatDoNotReachBothEndsAreLinear) {
  const MeshData eye = ball_data({0.3, 1, 0}, 0.05);
  const Mesh mesh = make_mesh(together(limb_data({16, 33, 0.2, 2}), eye));
  const SpineRest rest{{0, 0.5, 0}, {0, 1.5, 0}};
  const std::vector<double> spread =
      checked(harmonic_parameters(rest, mesh, make_laplacian(mesh), find_mesh_parts(mesh)));
  const std::vector<double> linear = linear_parameters(rest, mesh.positions());
  for (std::size_t i = mesh.vertex_count() - eye.positions.size(); i < mesh.vertex_count(); ++i)
    EXPECT_EQ(spread[i], linear[i]);
}

TEST(SpineParameters, EveryMeshOfTheZooHasThem) {
  const SpineRest rest{{0, 0.3, 0}, {0.1, 1.2, 0.1}};
  for (const ZooMesh& zoo : mesh_zoo()) {
    SCOPED_TRACE(zoo.name);
    const std::vector<double> spread = checked(
        harmonic_parameters(rest, zoo.mesh, make_laplacian(zoo.mesh), find_mesh_parts(zoo.mesh)));
    const std::vector<Vec3> gradients =
        parameter_gradients(rest, zoo.mesh.positions(), make_mesh_graph(zoo.mesh), spread);
    const Vec3 direction = (rest.tail - rest.head).normalized();
    for (std::size_t i = 0; i < spread.size(); ++i) {
      EXPECT_TRUE(spread[i] >= 0 && spread[i] <= 1);
      EXPECT_TRUE(gradients[i].allFinite());
      EXPECT_LE(gradients[i].cross(direction).norm(), 1e-12 * gradients[i].norm());
    }
  }
}

TEST(SpineParameters, AVertexWhoseNeighboursAreAllBesideItHasNoGradient) {
  // A disc across the spine: nothing is ahead or behind.
  const Mesh mesh = make_mesh(sheet_data(4, 4, 1, 1));
  const Vec3 normal = (mesh.positions()[1] - mesh.positions()[0])
                          .cross(mesh.positions()[4] - mesh.positions()[0])
                          .normalized();
  const SpineRest rest{-normal, normal};
  const std::vector<double> painted(mesh.vertex_count(), 0.25);
  for (const Vec3& gradient :
       parameter_gradients(rest, mesh.positions(), make_mesh_graph(mesh), painted))
    EXPECT_EQ(gradient, Vec3(Vec3::Zero()));
}

TEST(SpineParameters, PaintedOnesAreClampedAndNaNIsRefusedWithItsPlace) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(checked(painted_parameters(std::vector<double>{-0.5, 0, 0.25, 1, 7, kInfinity}, "_U")),
            (std::vector<double>{0, 0, 0.25, 1, 1, 1}));
  const Error error =
      painted_parameters(std::vector<double>{0.5, std::numeric_limits<double>::quiet_NaN()}, "_U")
          .error();
  EXPECT_EQ(error.code, ErrorCode::bad_mesh);
  EXPECT_EQ(error.to_string(), "_U[1]: is not a number");
}

TEST(SpineParameters, NamesReadBackAsWhatTheyName) {
  for (const SpineParametrisation each :
       {SpineParametrisation::linear, SpineParametrisation::harmonic})
    EXPECT_EQ(spine_parametrisation_from(to_string(each)), each);
  EXPECT_FALSE(spine_parametrisation_from("cubic").has_value());
}

}  // namespace
}  // namespace sinew::test
