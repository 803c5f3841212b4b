// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "sinew/core/atomic_file.h"
#include "sinew/report/report.h"

namespace sinew {
namespace {

constexpr std::uint64_t kLargestLog = 100'000'000;  // bytes; a million steps are 20 MB

/// The comma that ends the first cell; names in quotes may hold some.
std::size_t end_of_cell(std::string_view line) {
  bool quoted = false;
  for (std::size_t c = 0; c < line.size(); ++c) {
    if (line[c] == '"') quoted = !quoted;
    if (line[c] == ',' && !quoted) return c;
  }
  return std::string_view::npos;
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  while (true) {
    const std::size_t comma = end_of_cell(line);
    std::string_view cell = line.substr(0, comma);
    const std::size_t begin = std::min(cell.find_first_not_of(" \t\r"), cell.size());
    cell = cell.substr(begin, cell.find_last_not_of(" \t\r") + 1 - begin);
    cells.push_back(cell);
    if (comma == std::string_view::npos) return cells;
    line.remove_prefix(comma + 1);
  }
}

std::optional<double> number_in(const std::vector<std::string_view>& cells, std::size_t column) {
  if (column >= cells.size()) return std::nullopt;
  const std::string_view cell = cells[column];
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

}  // namespace

Result<std::vector<ConvergencePoint>> read_energy_log(const std::filesystem::path& path) {
  SINEW_TRY(const std::vector<std::byte> bytes, read_whole_file(path, kLargestLog));
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::vector<ConvergencePoint> points;
  std::size_t iteration_column = 0, energy_column = 0;
  for (int line_number = 1; !text.empty(); ++line_number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::vector<std::string_view> cells = cells_of(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line_number == 1) {
      const auto column = [&](std::string_view name) {
        return static_cast<std::size_t>(std::find(cells.begin(), cells.end(), name) -
                                        cells.begin());
      };
      iteration_column = column("iteration");
      energy_column = column("energy");
      if (std::max(iteration_column, energy_column) >= cells.size())
        return Error{ErrorCode::bad_file, "line 1", "names no columns 'iteration' and 'energy'"};
      continue;
    }
    if (cells.size() == 1 && cells[0].empty()) continue;
    const std::optional<double> iteration = number_in(cells, iteration_column);
    const std::optional<double> energy = number_in(cells, energy_column);
    if (!iteration || !energy)
      return Error{ErrorCode::bad_file, fmt::format("line {}", line_number),
                   "has no number for the iteration and the energy"};
    if (!points.empty() && *iteration <= points.back().iteration) break;  // another character
    points.push_back({*iteration, *energy});
  }
  if (points.empty()) return Error{ErrorCode::bad_file, "", "has no rows 'iteration,energy'"};
  return points;
}

}  // namespace sinew
