// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "gltf/json_values.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sinew::reading {

Result<double> json_number(const Json& json, const std::string& place) {
  if (!json.is_number()) return Error{ErrorCode::bad_file, place, "is not a number"};
  const auto number = json.get<double>();
  if (!std::isfinite(number)) return Error{ErrorCode::bad_file, place, "is not a finite number"};
  return number;
}

Result<Vec3> json_vector(const Json& json, const std::string& place) {
  if (!json.is_array() || json.size() != 3)
    return Error{ErrorCode::bad_file, place, "is not [x, y, z]"};
  Vec3 vector;
  for (std::size_t k = 0; k < 3; ++k) {
    SINEW_TRY(vector[static_cast<Eigen::Index>(k)],
              json_number(json[k], fmt::format("{}[{}]", place, k)));
  }
  return vector;
}

Result<Vec3> json_direction(const Json& json, const std::string& place) {
  SINEW_TRY(const Vec3 vector, json_vector(json, place));
  const Vec3 direction = vector.stableNormalized();
  if (!(std::abs(direction.norm() - 1) < 1e-6))
    return Error{ErrorCode::bad_file, place, "has no direction"};
  return direction;
}

void note_unknown_keys(const Json& object, std::span<const std::string_view> known,
                       const std::string& place, std::string_view code, Notices& notices) {
  for (const auto& [key, value] : object.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    notices.push_back(
        {Notice::Level::warning, std::string(code), place.empty() ? key : place + "." + key,
         fmt::format("is not a setting and does nothing; there are {}", fmt::join(known, ", "))});
  }
}

}  // namespace sinew::reading
