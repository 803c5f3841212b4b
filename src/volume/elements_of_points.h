// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/volume/elements.h"

namespace sinew {

/// One corner of one element.
struct ElementCorner {
  std::uint32_t element = 0;
  std::uint32_t corner = 0;
};

/// The elements around each point, in their order.
class ElementsOfPoints {
 public:
  explicit ElementsOfPoints(const Elements& elements) : begin_(elements.points.size() + 1, 0) {
    for (std::size_t e = 0; e < elements.size(); ++e)
      for (const ElementPoint point : elements.corners_of(e)) ++begin_[point + 1];
    for (std::size_t p = 0; p < elements.points.size(); ++p) begin_[p + 1] += begin_[p];
    corners_.resize(begin_.back());
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    for (std::uint32_t e = 0; e < elements.size(); ++e) {
      std::uint32_t corner = 0;
      for (const ElementPoint point : elements.corners_of(e))
        corners_[next[point]++] = {e, corner++};
    }
  }

  [[nodiscard]] std::span<const ElementCorner> around(std::size_t point) const {
    return std::span(corners_).subspan(begin_[point], begin_[point + 1] - begin_[point]);
  }

 private:
  std::vector<std::size_t> begin_;
  std::vector<ElementCorner> corners_;
};

}  // namespace sinew
