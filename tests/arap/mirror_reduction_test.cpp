// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "arap/mirror_reduction.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "math/random.h"
#include "sinew/core/threads.h"
#include "support/columns.h"

namespace sinew {
namespace {

/// Bones 0 and 1, and 3 and 4, are partners; 2 and 5 are in the plane.
const std::vector<int> kImages{1, 0, 2, 4, 3, 5};

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}
  std::size_t below(std::size_t count) {
    return static_cast<std::size_t>(random_.uniform() * static_cast<double>(count));
  }
  double number() { return 2 * random_.uniform() - 1; }
  double weight() { return random_.uniform() + 0.01; }
  std::set<int> bones() {
    std::set<int> bones;
    for (std::size_t n = below(4) + 1; n > 0; --n) bones.insert(static_cast<int>(below(6)));
    return bones;
  }

 private:
  Random random_;
};

std::set<int> images_of(const std::set<int>& bones) {
  std::set<int> images;
  for (const int bone : bones) images.insert(kImages[static_cast<std::size_t>(bone)]);
  return images;
}

/// Of five vertices in a row, the first and the fourth, and the second and the fifth, are images of
/// each other, and the third is in the plane, but for every second row, where it has no image.
/// Weights are any, so that the strongest bone of an image is not that of its partner's.
WeightProblem mirrored_problem(std::size_t rows) {
  Draw draw(3);
  WeightProblem problem;
  problem.positions.resize(5 * rows, Vec3::Zero());
  problem.maps.bone_count = kImages.size();
  problem.mirror.emplace();
  problem.mirror->bone = kImages;
  std::vector<std::set<int>> bones(5 * rows);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto at = static_cast<int>(5 * row);
    const std::size_t first = 5 * row;
    for (const std::size_t n : {0, 1}) {
      bones[first + n] = draw.bones();
      bones[first + n + 3] = images_of(bones[first + n]);
    }
    bones[first + 2] = draw.bones();
    const bool is_in_plane = row % 2 == 0;
    if (is_in_plane) bones[first + 2].merge(images_of(bones[first + 2]));
    for (const int image : {at + 3, at + 4, is_in_plane ? at + 2 : -1, at, at + 1})
      problem.mirror->vertex.push_back(image);
  }
  for (const std::set<int>& of_vertex : bones) {
    for (const int bone : of_vertex) {
      problem.maps.bones.push_back(static_cast<std::uint32_t>(bone));
      problem.maps.weights.push_back(draw.weight());
    }
    problem.maps.begin.push_back(problem.maps.bones.size());
  }
  return problem;
}

/// The lower triangle of a matrix with entries anywhere: not by blocks, as flat constraints add
/// them, and between vertices and their own images.
SparseMatrix any_matrix(Eigen::Index size) {
  Draw draw(4);
  std::vector<Eigen::Triplet<double>> entries;
  for (Eigen::Index c = 0; c < size; ++c) {
    entries.emplace_back(static_cast<int>(c), static_cast<int>(c), 4 + draw.number());
    for (int n = 0; n < 6; ++n) {
      const std::size_t near = n < 3 ? 25 : static_cast<std::size_t>(size);
      const auto row = std::min(size - 1, c + static_cast<Eigen::Index>(draw.below(near)));
      entries.emplace_back(static_cast<int>(row), static_cast<int>(c), draw.number());
    }
  }
  SparseMatrix lower(size, size);
  lower.setFromTriplets(entries.begin(), entries.end());
  return lower;
}

Eigen::MatrixXd map_of(const MirrorReduction& mirror, Eigen::Index unknowns) {
  Eigen::MatrixXd map(unknowns, mirror.count());
  const Eigen::VectorXd constant = mirror.expand(Eigen::VectorXd::Zero(mirror.count()));
  for (Eigen::Index c = 0; c < mirror.count(); ++c)
    map.col(c) = mirror.expand(Eigen::VectorXd::Unit(mirror.count(), c)) - constant;
  return map;
}

TEST(MirrorReduction, MatrixIsThatOfTheDenseProduct) {
  for (const std::size_t rows : {1, 7, 250}) {
    const WeightProblem problem = mirrored_problem(rows);
    const WeightUnknowns unknowns(problem.maps);
    const MirrorReduction mirror(problem, unknowns);
    const SparseMatrix lower = any_matrix(unknowns.count());
    const Eigen::MatrixXd whole = Eigen::MatrixXd(lower).selfadjointView<Eigen::Lower>();
    const Eigen::MatrixXd map = map_of(mirror, unknowns.count());
    const SparseMatrix reduced = mirror.matrix(lower);
    const Eigen::MatrixXd expected = (map.transpose() * whole * map).triangularView<Eigen::Lower>();
    ASSERT_EQ(reduced.rows(), mirror.count());
    EXPECT_LT((Eigen::MatrixXd(reduced) - expected).cwiseAbs().maxCoeff(), 1e-12) << rows;
    for (Eigen::Index c = 0; c < reduced.cols(); ++c)
      for (int e = reduced.outerIndexPtr()[c] + 1; e < reduced.outerIndexPtr()[c + 1]; ++e)
        EXPECT_LT(reduced.innerIndexPtr()[e - 1], reduced.innerIndexPtr()[e]);
  }
}

TEST(MirrorReduction, WeightsAreTheSameOnBothSidesAndSumToOne) {
  const WeightProblem problem = mirrored_problem(40);
  const WeightUnknowns unknowns(problem.maps);
  const MirrorReduction mirror(problem, unknowns);
  const Eigen::VectorXd y = test::some_columns(mirror.count(), 1);
  const Eigen::VectorXd x = mirror.expand(y);
  EXPECT_EQ(mirror.reduce(x), y);
  const std::vector<double> weights = unknowns.expand(problem.maps, x);
  for (std::size_t i = 0; i < problem.maps.vertex_count(); ++i) {
    if (problem.mirror->vertex[i] < 0) continue;
    const auto image = static_cast<std::size_t>(problem.mirror->vertex[i]);
    for (std::size_t b = problem.maps.begin[i]; b < problem.maps.begin[i + 1]; ++b) {
      const auto there =
          problem.maps.find(image, static_cast<std::uint32_t>(kImages[problem.maps.bones[b]]));
      ASSERT_TRUE(there);
      EXPECT_NEAR(weights[b], weights[*there], 1e-12) << i;
    }
  }
}

TEST(MirrorReduction, SameBitsForOneAndTwoThreads) {
  const WeightProblem problem = mirrored_problem(1000);
  const WeightUnknowns unknowns(problem.maps);
  const SparseMatrix lower = any_matrix(unknowns.count());
  const auto values = [&](int threads) {
    const ThreadLimit limit(threads);
    const SparseMatrix reduced = MirrorReduction(problem, unknowns).matrix(lower);
    return std::vector<double>(reduced.valuePtr(), reduced.valuePtr() + reduced.nonZeros());
  };
  EXPECT_EQ(values(1), values(2));
}

}  // namespace
}  // namespace sinew
