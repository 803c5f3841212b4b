// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "weights/bounded_biharmonic_checks.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace sinew {
namespace {

Error bad(std::string place, std::string message) {
  return {ErrorCode::bad_argument, std::move(place), std::move(message)};
}

Status check_matrix(const BiharmonicLevel& level, const std::string& name) {
  const auto points = static_cast<Eigen::Index>(level.handle.size());
  if (level.stiffness.rows() != points || level.stiffness.cols() != points)
    return bad(name + ".stiffness", fmt::format("is not a matrix of {0} by {0} points", points));
  for (Eigen::Index c = 0; c < points; ++c)
    for (SparseMatrix::InnerIterator entry(level.stiffness, c); entry; ++entry)
      if (!std::isfinite(entry.value()))
        return bad(name + ".stiffness", fmt::format("has an entry at row {} and column {} that is "
                                                    "not finite",
                                                    entry.row(), c));
  if (level.mass.size() != level.handle.size())
    return bad(name + ".mass",
               fmt::format("has {} entries for {} points", level.mass.size(), level.handle.size()));
  for (std::size_t p = 0; p < level.mass.size(); ++p)
    if (!(level.mass[p] > 0 && std::isfinite(level.mass[p])))
      return bad(fmt::format("{}.mass[{}]", name, p), "is not positive");
  return {};
}

Status check_handles(const BiharmonicLevel& level, std::size_t handle_count,
                     const std::string& name) {
  std::vector<bool> is_met(handle_count, false);
  for (std::size_t p = 0; p < level.handle.size(); ++p) {
    const int handle = level.handle[p];
    if (handle < -1 || handle >= static_cast<int>(handle_count))
      return bad(fmt::format("{}.handle[{}]", name, p),
                 fmt::format("names handle {} of {}", handle, handle_count));
    if (handle >= 0) is_met[static_cast<std::size_t>(handle)] = true;
  }
  const auto unmet = std::ranges::find(is_met, false);
  if (unmet != is_met.end())
    return bad(name + ".handle", fmt::format("handle {} holds no point", unmet - is_met.begin()));
  return {};
}

/// From every handle through everything that hangs together.
Status check_pieces(const BiharmonicLevel& level, const std::string& name) {
  std::vector<bool> is_held(level.handle.size(), false);
  std::vector<std::size_t> held;
  const auto hold = [&](std::size_t p) {
    if (is_held[p]) return;
    is_held[p] = true;
    held.push_back(p);
  };
  for (std::size_t p = 0; p < level.handle.size(); ++p)
    if (level.handle[p] >= 0) hold(p);
  for (std::size_t next = 0; next < held.size(); ++next)
    for (SparseMatrix::InnerIterator entry(level.stiffness, static_cast<Eigen::Index>(held[next]));
         entry; ++entry)
      if (entry.value() != 0) hold(static_cast<std::size_t>(entry.row()));
  const auto loose = std::ranges::find(is_held, false);
  if (loose != is_held.end())
    return bad(fmt::format("{}.handle[{}]", name, loose - is_held.begin()),
               "is on a piece of the level that no handle is on");
  return {};
}

Status check_embedding(const Embedding& embedding, std::size_t points, std::size_t coarser_points,
                       const std::string& name) {
  if (embedding.size() != points || embedding.begin.size() != points + 1 ||
      embedding.begin.front() != 0 || !std::ranges::is_sorted(embedding.begin) ||
      embedding.begin.back() != embedding.corner.size() ||
      embedding.corner.size() != embedding.coefficient.size())
    return bad(name, fmt::format("does not embed {} points", points));
  for (std::size_t c = 0; c < embedding.corner.size(); ++c) {
    const auto place = [&] { return fmt::format("{}.corner[{}]", name, c); };
    if (embedding.corner[c] >= coarser_points)
      return bad(place(), fmt::format("names point {} of {} of the level before",
                                      embedding.corner[c], coarser_points));
    if (!std::isfinite(embedding.coefficient[c])) return bad(place(), "has no finite coefficient");
  }
  return {};
}

}  // namespace

Status check_levels(std::span<const BiharmonicLevel> levels, std::size_t handle_count) {
  if (levels.empty()) return bad("levels", "there is none");
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const std::string name = fmt::format("levels[{}]", l);
    SINEW_CHECK(check_matrix(levels[l], name));
    SINEW_CHECK(check_handles(levels[l], handle_count, name));
    SINEW_CHECK(check_pieces(levels[l], name));
    if (levels[l].from_coarser.has_value() != (l > 0))
      return bad(name + ".from_coarser",
                 l > 0 ? "is missing" : "is given, and there is no coarser level");
    if (l > 0)
      SINEW_CHECK(check_embedding(*levels[l].from_coarser, levels[l].handle.size(),
                                  levels[l - 1].handle.size(), name + ".from_coarser"));
  }
  return {};
}

Status check_options(const BoundedBiharmonicOptions& options) {
  if (!(options.tolerance >= 0 && options.tolerance < 1))
    return bad("tolerance", "is not between 0 and 1");
  if (options.most_rounds < 0) return bad("most_rounds", "is negative");
  if (options.polish_steps < 0) return bad("polish_steps", "is negative");
  return {};
}

}  // namespace sinew
