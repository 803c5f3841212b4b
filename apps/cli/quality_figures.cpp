// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "quality_figures.h"

namespace sinew::cli {

std::vector<Figure> quality_figures(const WeightQuality& quality) {
  const auto number = [](std::size_t count) { return static_cast<double>(count); };
  std::vector<Figure> figures = {
      {"arap", quality.arap},
      {"arap_worst", quality.arap_worst},
      {"worst_bone_arap", quality.worst_bone_arap},
      {"follow", quality.follow},
      {"follow_min", quality.follow_min},
      {"drift", quality.drift},
      {"dead", number(quality.dead)},
      {"islands", number(quality.islands)},
      {"rough", quality.rough},
      {"control_weight", quality.control_weight},
  };
  if (quality.clips) figures.push_back({"clips_arap", *quality.clips});
  if (quality.lost) figures.push_back({"lost", number(*quality.lost)});
  return figures;
}

std::vector<std::string> quality_figure_names() {
  WeightQuality complete;
  complete.clips = 0;
  complete.lost = 0;
  std::vector<std::string> names;
  for (const Figure& figure : quality_figures(complete)) names.emplace_back(figure.name);
  return names;
}

}  // namespace sinew::cli
