// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/weights/bounded_biharmonic.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "sinew/core/threads.h"
#include "sinew/volume/element_matrices.h"
#include "support/biharmonic_levels.h"
#include "support/checked.h"
#include "support/literal_bounded_biharmonic.h"
#include "support/made_elements.h"
#include "support/models.h"

namespace sinew {
namespace {

using test::checked;
using test::cube_hand_levels;
using test::level_of;

constexpr BoundedBiharmonicOptions kExact{.tolerance = 0, .most_rounds = 300};

struct NamedLevel {
  std::string name;
  BiharmonicLevel level;
  std::size_t handles = 0;
};

/// A block with a bone along it, one beside it and two points.
NamedLevel block_with_four_handles() {
  const Elements block = test::block_of_cubes(5, 4, 7, 0.3);
  const std::vector<test::SegmentEnds> bones{{Vec3(0.6, 0.6, 0.3), Vec3(0.6, 0.6, 0.9)},
                                             {Vec3(0.6, 0.6, 1.5), Vec3(0.6, 0.9, 2.1)},
                                             {Vec3(1.5, 0, 1.2), Vec3(1.5, 0, 1.21)},
                                             {Vec3(0, 1.2, 2.1), Vec3(0, 1.2, 2.11)}};
  return {"cubes", level_of(block, test::held_by_segments(block.points, bones, 0.05)), 4};
}

NamedLevel tetrahedra_with_three_handles() {
  const Elements elements = test::uneven_tetrahedra();
  std::vector<int> handle(elements.points.size(), -1);
  handle.front() = 0;
  handle[handle.size() / 2] = 1;
  handle.back() = 2;
  return {"tetrahedra", level_of(elements, std::move(handle)), 3};
}

std::vector<NamedLevel> small_levels() {
  return {block_with_four_handles(), tetrahedra_with_three_handles()};
}

/// 4 by 4 by n cells of one unit in length together.
Elements bar_of(int cells_along) {
  return test::block_of_cubes(4, 4, cells_along, 1.0 / cells_along);
}

/// Held at its ends, up to a depth.
BiharmonicLevel held_bar(int cells_along, double depth) {
  const Elements bar = bar_of(cells_along);
  std::vector<int> handle;
  for (const Vec3& point : bar.points)
    handle.push_back(point[2] < depth + 1e-9 ? 0 : point[2] > 1 - depth - 1e-9 ? 1 : -1);
  return level_of(bar, std::move(handle));
}

/// The most that the weight of a held bar differs from the cubic that leaves and reaches the
/// handles without a slope.
double farthest_from_cubic(int cells_along, double depth) {
  const BiharmonicLevel level = held_bar(cells_along, depth);
  const auto weights = checked(bounded_biharmonic_weights(std::span(&level, 1), 2));
  const Eigen::VectorXd weight = weights.of_handle[1];
  const Elements bar = bar_of(cells_along);
  double farthest = 0;
  for (std::size_t p = 0; p < bar.points.size(); ++p) {
    const double u = std::clamp((bar.points[p][2] - depth) / (1 - 2 * depth), 0.0, 1.0);
    farthest =
        std::max(farthest, std::abs(weight[static_cast<Eigen::Index>(p)] - u * u * (3 - 2 * u)));
  }
  return farthest;
}

BoundedBiharmonicWeights weights_of(std::span<const BiharmonicLevel> levels, std::size_t handles,
                                    const BoundedBiharmonicOptions& options = {}) {
  return checked(bounded_biharmonic_weights(levels, handles, options));
}

BoundedBiharmonicWeights weights_of(const BiharmonicLevel& level, std::size_t handles,
                                    const BoundedBiharmonicOptions& options = {}) {
  return weights_of(std::span(&level, 1), handles, options);
}

Eigen::MatrixXd dense(const BoundedBiharmonicWeights& weights) {
  Eigen::MatrixXd columns(weights.of_handle.front().size(),
                          static_cast<Eigen::Index>(weights.of_handle.size()));
  for (std::size_t h = 0; h < weights.of_handle.size(); ++h)
    columns.col(static_cast<Eigen::Index>(h)) = Eigen::VectorXd(weights.of_handle[h]);
  return columns;
}

double energy_of(std::span<const BiharmonicLevel> levels, std::size_t handles, int polish_steps) {
  return weights_of(levels, handles, {.polish_steps = polish_steps}).report.levels.back().energy;
}

void expect_bounds_to_the_bit(const BiharmonicLevel& level,
                              const BoundedBiharmonicWeights& weights) {
  const Eigen::MatrixXd columns = dense(weights);
  for (Eigen::Index p = 0; p < columns.rows(); ++p)
    for (Eigen::Index h = 0; h < columns.cols(); ++h) {
      const int holder = level.handle[static_cast<std::size_t>(p)];
      const double weight = columns(p, h);
      if (holder >= 0)
        ASSERT_EQ(weight, holder == h ? 1 : 0) << p << " " << h;
      else
        ASSERT_TRUE(weight >= 0 && weight <= 1) << p << " " << h << " " << weight;
    }
}

void expect_error(const Result<BoundedBiharmonicWeights>& weights, ErrorCode code,
                  std::string_view place, std::string_view message) {
  ASSERT_FALSE(weights.ok());
  EXPECT_EQ(weights.error().code, code);
  EXPECT_EQ(weights.error().place, place);
  EXPECT_EQ(weights.error().message, message);
}

TEST(BoundedBiharmonic, ExactWeightsAreThoseOfTheLiteralMethod) {
  for (const auto& [name, level, handles] : small_levels()) {
    const Eigen::MatrixXd literal =
        test::literal_bounded_biharmonic(level, static_cast<int>(handles));
    ASSERT_LT(test::dense_residual(level, literal), 1e-11) << name << ": that is the minimum";
    const BoundedBiharmonicWeights weights = weights_of(level, handles, kExact);
    EXPECT_EQ(weights.report.unsettled_handles, 0U) << name;
    EXPECT_LT((dense(weights) - literal).cwiseAbs().maxCoeff(), 1e-10) << name;
    EXPECT_GT((literal.array() == 0).count(), 50) << name << " has contacts";
  }
}

TEST(BoundedBiharmonic, ResidualIsWithinTheTolerance) {
  for (const auto& [name, level, handles] : small_levels())
    for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-6}) {
      const BoundedBiharmonicWeights weights =
          weights_of(level, handles, {.tolerance = tolerance, .most_rounds = 100});
      EXPECT_EQ(weights.report.unsettled_handles, 0U) << name;
      const double residual = weights.report.levels.front().residual;
      EXPECT_LE(residual, tolerance) << name;
      EXPECT_NEAR(residual, test::dense_residual(level, dense(weights)), 1e-12) << name;
    }
}

TEST(BoundedBiharmonic, ReportedEnergyIsThatOfTheDenseMatrix) {
  for (const auto& [name, level, handles] : small_levels()) {
    const BoundedBiharmonicWeights weights = weights_of(level, handles);
    const Eigen::MatrixXd columns = dense(weights);
    const double energy = columns.cwiseProduct(test::dense_biharmonic(level) * columns).sum();
    EXPECT_NEAR(weights.report.levels.front().energy, energy, 1e-12 * energy) << name;
  }
}

TEST(BoundedBiharmonic, WeightsOfTwoHandlesSumToOne) {
  for (const double depth : {0.0, 1.0 / 16}) {
    const Eigen::MatrixXd columns = dense(weights_of(held_bar(16, depth), 2, kExact));
    EXPECT_LT((columns.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-12) << depth;
  }
}

TEST(BoundedBiharmonic, BarHeldByItsEndCellsComesNearTheCubicAsCellsShrink) {
  const double of_16 = farthest_from_cubic(16, 1.0 / 16), of_32 = farthest_from_cubic(32, 1.0 / 32);
  EXPECT_NEAR(of_16, 0.0176, 1e-4);
  EXPECT_NEAR(of_32, 0.0089, 1e-4);
}

TEST(BoundedBiharmonic, BarHeldByItsEndFacesComesNearTheCubicWithTheSquareOfCells) {
  const double of_16 = farthest_from_cubic(16, 0), of_32 = farthest_from_cubic(32, 0);
  EXPECT_LT(of_16, 8e-4);
  EXPECT_NEAR(of_16 / of_32, 4, 0.1);
}

TEST(BoundedBiharmonic, WeightsKeepTheirBoundsToTheBit) {
  for (const auto& [name, level, handles] : small_levels()) {
    SCOPED_TRACE(name);
    expect_bounds_to_the_bit(level, weights_of(level, handles));
    expect_bounds_to_the_bit(level, weights_of(level, handles, {.most_rounds = 0}));
    expect_bounds_to_the_bit(level, weights_of(level, handles, {.tolerance = 0.1}));
  }
  const std::vector<BiharmonicLevel> levels = cube_hand_levels(std::array{1, 2});
  expect_bounds_to_the_bit(levels.back(), weights_of(levels, 20));
}

TEST(BoundedBiharmonic, MorePolishingIsLessEnergy) {
  const std::vector<BiharmonicLevel> levels = cube_hand_levels(std::array{1, 2});
  const double lifted = energy_of(levels, 20, 0);
  double before = lifted;
  for (const int steps : {1, 3, 10, 30, 100, 300}) {
    const double energy = energy_of(levels, 20, steps);
    EXPECT_LT(energy, before) << steps;
    before = energy;
  }
  EXPECT_LT(before, 0.9 * lifted) << "kinks at the handles are costly";
}

TEST(BoundedBiharmonic, HundredStepsOnALevelComeNearManyMore) {
  const std::vector<BiharmonicLevel> levels = cube_hand_levels(std::array{1, 2});
  EXPECT_LT(energy_of(levels, 20, 100), 1.0003 * energy_of(levels, 20, 1000));
}

TEST(BoundedBiharmonic, PolishedWeightsAreThoseOfTheFineLevelAlone) {
  const std::vector<BiharmonicLevel> levels = cube_hand_levels(std::array{1, 2});
  BiharmonicLevel alone = levels.back();
  alone.from_coarser.reset();
  const BoundedBiharmonicWeights exact = weights_of(alone, 20);
  const BoundedBiharmonicWeights polished = weights_of(levels, 20);
  EXPECT_LT(polished.report.levels.back().energy, 1.001 * exact.report.levels.back().energy);
  EXPECT_LT(std::sqrt((dense(polished) - dense(exact)).array().square().mean()), 0.01);
}

TEST(BoundedBiharmonic, WeightsGoOnWhereTheLevelBeforeWasCutThrough) {
  // A bar whose coarse cells are in two pieces, with a handle each: there both weigh one or
  // nothing.
  std::vector<test::PlacedCube> cubes = test::block_of_places(2, 2, 8);
  for (test::PlacedCube& cube : cubes) cube.group = cube.place[2] < 4 ? 0 : 1;
  const Elements cut = test::placed_cubes(cubes, 1.0 / 8);
  std::vector<int> handle;
  for (const Vec3& point : cut.points)
    handle.push_back(point[2] < 1e-9 ? 0 : point[2] > 1 - 1e-9 ? 1 : -1);
  std::vector<BiharmonicLevel> levels{level_of(cut, handle), held_bar(16, 0)};
  levels[1].from_coarser = test::embedded_in_cubes(cut, bar_of(16).points);
  const BoundedBiharmonicWeights polished = weights_of(levels, 2);
  const BoundedBiharmonicWeights exact = weights_of(held_bar(16, 0), 2);
  EXPECT_LT(polished.report.levels.back().residual, 4e-3);
  // Of the step of height one half, as much as the slowest waves along the bar keep.
  EXPECT_LT((dense(polished) - dense(exact)).cwiseAbs().maxCoeff(), 0.1);
}

TEST(BoundedBiharmonic, HandlesThatDoNotSettleArePolished) {
  const auto [name, level, handles] = block_with_four_handles();
  const BoundedBiharmonicWeights hasty = weights_of(level, handles, {.most_rounds = 0});
  const BoundedBiharmonicWeights settled = weights_of(level, handles);
  EXPECT_EQ(hasty.report.unsettled_handles, handles);
  EXPECT_EQ(settled.report.unsettled_handles, 0U);
  EXPECT_LT(hasty.report.levels.front().energy, 1.001 * settled.report.levels.front().energy);
}

TEST(BoundedBiharmonic, SameBitsForAnyNumberOfThreads) {
  const std::vector<BiharmonicLevel> levels = cube_hand_levels(std::array{1, 2});
  const auto with_threads = [&](int threads) {
    const ThreadLimit limit(threads);
    return weights_of(levels, 20, {.polish_steps = 20});
  };
  const BoundedBiharmonicWeights one = with_threads(1);
  for (const int threads : {2, 5}) {
    const BoundedBiharmonicWeights many = with_threads(threads);
    EXPECT_TRUE(dense(one) == dense(many)) << threads;
    for (std::size_t l = 0; l < levels.size(); ++l) {
      EXPECT_EQ(one.report.levels[l].energy, many.report.levels[l].energy);
      EXPECT_EQ(one.report.levels[l].residual, many.report.levels[l].residual);
    }
  }
}

TEST(BoundedBiharmonic, SizeDoesNotMatter) {
  for (const auto& [name, level, handles] : small_levels())
    for (const double size : {1e-3, 1e3}) {
      BiharmonicLevel scaled = level;
      scaled.stiffness *= size;
      for (double& mass : scaled.mass) mass *= size * size * size;
      const BoundedBiharmonicWeights weights = weights_of(level, handles, kExact);
      const BoundedBiharmonicWeights of_scaled = weights_of(scaled, handles, kExact);
      EXPECT_LT((dense(weights) - dense(of_scaled)).cwiseAbs().maxCoeff(), 1e-10) << name;
      EXPECT_NEAR(of_scaled.report.levels[0].energy / weights.report.levels[0].energy, 1, 1e-10);
    }
}

TEST(BoundedBiharmonic, MirroredHandlesHaveMirroredWeights) {
  const std::vector<BiharmonicLevel> levels = cube_hand_levels(std::array{1, 2});
  const Eigen::MatrixXd columns = dense(weights_of(levels, 20, kExact));
  const Elements elements = test::cube_hand(2).elements;
  std::vector<std::pair<std::array<int, 3>, Eigen::Index>> places, mirrored;
  for (std::size_t p = 0; p < elements.points.size(); ++p) {
    const Eigen::Vector3i place = (2 * elements.points[p]).array().round().cast<int>();
    places.push_back({{place[0], place[1], place[2]}, static_cast<Eigen::Index>(p)});
    mirrored.push_back({{38 - place[0], place[1], place[2]}, static_cast<Eigen::Index>(p)});
  }
  std::ranges::sort(places);
  std::ranges::sort(mirrored);
  double farthest = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    ASSERT_EQ(places[i].first, mirrored[i].first);
    for (Eigen::Index bone = 0; bone < 20; ++bone)
      farthest =
          std::max(farthest, std::abs(columns(places[i].second, bone) -
                                      columns(mirrored[i].second, 4 * (4 - bone / 4) + bone % 4)));
  }
  EXPECT_LT(farthest, 1e-9);
}

TEST(BoundedBiharmonic, PolishingLeavesExactWeightsAsTheyAre) {
  for (const auto& [name, level, handles] : small_levels()) {
    const std::size_t count = level.handle.size();
    Embedding same{{0}, {}, std::vector<double>(count, 1), std::vector<std::uint32_t>(count, 0)};
    for (std::size_t p = 0; p < count; ++p) {
      same.corner.push_back(static_cast<ElementPoint>(p));
      same.begin.push_back(p + 1);
    }
    std::vector<BiharmonicLevel> levels{level, level};
    levels[1].from_coarser = same;
    const Eigen::MatrixXd once = dense(weights_of(level, handles, kExact));
    const Eigen::MatrixXd twice = dense(weights_of(levels, handles, kExact));
    EXPECT_LT((once - twice).cwiseAbs().maxCoeff(), 1e-5)
        << name << ", but for what no one notices";
  }
}

TEST(BoundedBiharmonic, LevelThatIsHeldAltogetherHasItsHandles) {
  const Elements cube = test::block_of_cubes(1, 1, 1, 1);
  const BiharmonicLevel level = level_of(cube, {0, 0, 0, 0, 1, 1, 1, 1});
  const BoundedBiharmonicWeights weights = weights_of(level, 2);
  expect_bounds_to_the_bit(level, weights);
  EXPECT_EQ(weights.report.unsettled_handles, 0U);
  EXPECT_EQ(weights.report.unreached_points, 0U);
}

TEST(BoundedBiharmonic, HandleAloneIsOneEverywhere) {
  const Elements block = test::block_of_cubes(2, 3, 4, 0.1);
  std::vector<int> handle(block.points.size(), -1);
  handle[7] = 0;
  const Eigen::MatrixXd columns = dense(weights_of(level_of(block, handle), 1));
  EXPECT_LT((columns.array() - 1).abs().maxCoeff(), 1e-9);
}

TEST(BoundedBiharmonic, NothingCrossesBetweenPieces) {
  std::vector<test::PlacedCube> cubes = test::block_of_places(2, 2, 5);
  for (test::PlacedCube cube : test::block_of_places(2, 2, 5, 1)) {
    cube.place[0] += 2;
    cubes.push_back(cube);
  }
  const Elements two = test::placed_cubes(cubes, 0.5);
  const std::vector<int> piece_of_cube = pieces_of(two);
  std::vector<int> piece(two.points.size()), handle(two.points.size(), -1);
  for (std::size_t c = 0; c < two.hexahedra.size(); ++c)
    for (const ElementPoint p : two.hexahedra[c]) piece[p] = piece_of_cube[c];
  handle[0] = 0;
  handle[1] = 1;
  handle.back() = 2;
  const Eigen::MatrixXd columns = dense(weights_of(level_of(two, handle), 3, kExact));
  for (Eigen::Index p = 0; p < columns.rows(); ++p) {
    if (piece[static_cast<std::size_t>(p)] == 0)
      EXPECT_EQ(columns(p, 2), 0);
    else
      EXPECT_EQ(columns.row(p).head(2).maxCoeff(), 0);
  }
}

TEST(BoundedBiharmonic, PieceWithoutAHandleIsAnError) {
  std::vector<test::PlacedCube> cubes = test::block_of_places(1, 1, 1);
  cubes.push_back({{5, 0, 0}});
  const Elements two = test::placed_cubes(cubes, 1);
  std::vector<int> handle(16, -1);
  handle[2] = 0;
  const BiharmonicLevel level = level_of(two, handle);
  expect_error(bounded_biharmonic_weights(std::span(&level, 1), 1), ErrorCode::bad_argument,
               "levels[0].handle[8]", "is on a piece of the level that no handle is on");
}

TEST(BoundedBiharmonic, HandleWithoutAPointIsAnError) {
  std::vector<BiharmonicLevel> levels = cube_hand_levels(std::array{1, 2});
  std::ranges::replace(levels[1].handle, 7, -1);
  expect_error(bounded_biharmonic_weights(levels, 20), ErrorCode::bad_argument, "levels[1].handle",
               "handle 7 holds no point");
}

TEST(BoundedBiharmonic, LevelsThatDoNotFitAreErrors) {
  const std::vector<BiharmonicLevel> good = cube_hand_levels(std::array{1, 2});
  const auto place_after = [&](const std::function<void(std::vector<BiharmonicLevel>&)>& spoil) {
    std::vector<BiharmonicLevel> levels = good;
    spoil(levels);
    const auto weights = bounded_biharmonic_weights(levels, 20);
    if (weights.ok() || weights.error().code != ErrorCode::bad_argument) return std::string("none");
    return weights.error().place;
  };
  using Levels = std::vector<BiharmonicLevel>;
  EXPECT_EQ(place_after([](Levels& levels) { levels.clear(); }), "levels");
  EXPECT_EQ(place_after([](Levels& levels) { levels[1].from_coarser.reset(); }),
            "levels[1].from_coarser");
  EXPECT_EQ(place_after([](Levels& levels) { levels[0].from_coarser = Embedding{}; }),
            "levels[0].from_coarser");
  EXPECT_EQ(place_after([](Levels& levels) { levels[1].from_coarser->element.pop_back(); }),
            "levels[1].from_coarser");
  EXPECT_EQ(place_after([](Levels& levels) { levels[1].from_coarser->corner[5] = 1u << 30; }),
            "levels[1].from_coarser.corner[5]");
  EXPECT_EQ(place_after([](Levels& levels) { levels[0].handle.pop_back(); }),
            "levels[0].stiffness");
  EXPECT_EQ(place_after([](Levels& levels) { levels[0].mass.pop_back(); }), "levels[0].mass");
  EXPECT_EQ(place_after([](Levels& levels) { levels[0].mass[3] = 0; }), "levels[0].mass[3]");
  EXPECT_EQ(place_after([](Levels& levels) { levels[0].handle[9] = 20; }), "levels[0].handle[9]");
  EXPECT_EQ(place_after([](Levels& levels) { levels[1].stiffness.coeffRef(4, 4) = NAN; }),
            "levels[1].stiffness");
  EXPECT_EQ(place_after([](Levels& levels) { levels[0].stiffness *= 1e200; }),
            "levels[0].stiffness")
      << "its square is infinite";
}

TEST(BoundedBiharmonic, OptionsThatMakeNoSenseAreErrors) {
  const NamedLevel block = block_with_four_handles();
  const auto place_with = [&](const BoundedBiharmonicOptions& options) {
    const auto weights =
        bounded_biharmonic_weights(std::span(&block.level, 1), block.handles, options);
    return weights.ok() ? std::string("none") : weights.error().place;
  };
  EXPECT_EQ(place_with({.tolerance = -1e-9}), "tolerance");
  EXPECT_EQ(place_with({.tolerance = NAN}), "tolerance");
  EXPECT_EQ(place_with({.most_rounds = -1}), "most_rounds");
  EXPECT_EQ(place_with({.polish_steps = -1}), "polish_steps");
}

TEST(BoundedBiharmonic, StopsOnRequestAtEveryCheckpoint) {
  const std::vector<BiharmonicLevel> levels = cube_hand_levels(std::array{1, 2});
  std::vector<double> fractions;
  checked(bounded_biharmonic_weights(
      levels, 20, {}, Progress([&](std::string_view, double f) { fractions.push_back(f); })));
  EXPECT_TRUE(std::ranges::is_sorted(fractions));
  EXPECT_EQ(fractions.front(), 0);
  EXPECT_EQ(fractions.back(), 1);
  for (std::size_t last = 0; last < fractions.size(); ++last) {
    std::atomic<bool> cancel = false;
    std::size_t calls = 0;
    const Progress progress([&](std::string_view, double) { cancel = calls++ == last; }, &cancel);
    expect_error(bounded_biharmonic_weights(levels, 20, {}, progress), ErrorCode::cancelled,
                 "weights", "stopped on request");
    EXPECT_EQ(calls, last + 1);
  }
}

TEST(BoundedBiharmonic, ResearchHandHasTheLeastEnergy) {
  SINEW_REAL_MODEL(path, "research/hand.mesh");
  const test::ResearchHand hand = test::research_hand(test::models_folder());
  const BoundedBiharmonicWeights weights = weights_of(hand.level, hand.bone_count);
  EXPECT_EQ(weights.report.unsettled_handles, 0U);
  // What tolerances from 1e-6 to 1e-14 agree on.
  EXPECT_NEAR(weights.report.levels.front().energy, 2.404145, 2e-5);
  expect_bounds_to_the_bit(hand.level, weights);
}

}  // namespace
}  // namespace sinew
