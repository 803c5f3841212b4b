// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "sinew/rig/bone_cells.h"

namespace sinew {

/// How far all bones are from a point, fast: which of them are worth a closer look, which
/// BoneSegments takes. Both are of the same formula and differ by rounding alone.
class NearSegments {
 public:
  /// Far above that rounding, of the diagonal, and far below any distance that decides.
  static constexpr double kSlack = 1e-9;

  /// The spokes of forks count as so many times as far.
  NearSegments(const BoneSegments& bones, double fork_distance) {
    begin_.push_back(0);
    for (const int bone : bones.bones()) {
      const double counts = bones.is_fork(bone) ? fork_distance : 1;
      for (const Segment& segment : bones.of(bone)) {
        const Vec3 along = segment.tail - segment.head;
        for (int axis = 0; axis < 3; ++axis) {
          head_[static_cast<std::size_t>(axis)].push_back(segment.head[axis]);
          along_[static_cast<std::size_t>(axis)].push_back(along[axis]);
        }
        const double length2 = along.squaredNorm();
        per_length2_.push_back(length2 > kPoint ? 1 / length2 : 0);
        counts2_.push_back(counts * counts);
      }
      begin_.push_back(counts2_.size());
    }
  }

  struct Squares {
    std::vector<double> of_bones;     // beside bones.bones(): of the nearest segment
    std::vector<double> of_segments;  // what those are found from
  };
  void find(const Vec3& point, Squares& squares) const {
    const double x = point.x(), y = point.y(), z = point.z();
    squares.of_segments.resize(counts2_.size());
    double* const of_segments = squares.of_segments.data();
    for (std::size_t s = 0; s < counts2_.size(); ++s) {
      const double dx = x - head_[0][s], dy = y - head_[1][s], dz = z - head_[2][s];
      const double t =
          (dx * along_[0][s] + dy * along_[1][s] + dz * along_[2][s]) * per_length2_[s];
      const double on = std::min(std::max(t, 0.0), 1.0);
      const double ex = dx - on * along_[0][s];
      const double ey = dy - on * along_[1][s];
      const double ez = dz - on * along_[2][s];
      of_segments[s] = (ex * ex + ey * ey + ez * ez) * counts2_[s];
    }
    squares.of_bones.resize(begin_.size() - 1);
    for (std::size_t b = 0; b < squares.of_bones.size(); ++b)
      squares.of_bones[b] = *std::min_element(of_segments + begin_[b], of_segments + begin_[b + 1]);
  }

 private:
  static constexpr double kPoint = 1e-200;  // of a length squared: shorter ones are points, whose
                                            // inverse might not be finite
  std::array<std::vector<double>, 3> head_;
  std::array<std::vector<double>, 3> along_;
  std::vector<double> per_length2_;
  std::vector<double> counts2_;
  std::vector<std::size_t> begin_;  // of each bone's segments
};

}  // namespace sinew
