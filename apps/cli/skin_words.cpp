// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "skin_words.h"

#include <cmath>

#include <fmt/format.h>

namespace sinew::cli {
namespace {

constexpr double kWholePercent = 10;  // from here on, digits behind the point are noise
constexpr double kNoPercent = 5e-3;   // below it, there is nothing to tell

std::string percent(double value) {
  if (std::abs(value) >= kWholePercent) return fmt::format("{:.0f}%", value);
  // No minus before zeros.
  return fmt::format("{:.2g}%", std::abs(value) < kNoPercent ? 0.0 : value);
}

std::string share_words(const SkinShare& share, std::string_view most,
                        const std::function<std::string(int)>& bone_name) {
  std::string words = percent(share.percent);
  if (share.most && share.most->percent > 0)
    words +=
        fmt::format(", {} {} {}", most, bone_name(share.most->bone), percent(share.most->percent));
  return words;
}

}  // namespace

void print_skin(Session& session, const SkinQuality& skin, const std::optional<SkinQuality>& before,
                const std::function<std::string(int)>& bone_name) {
  if (skin.stolen) session.print_row("stolen", share_words(*skin.stolen, "most from", bone_name));
  if (skin.head) session.print_row("head", percent(skin.head->percent) + " of it goes elsewhere");
  if (skin.folded) {
    std::string words = percent(skin.folded->percent);
    if (before && before->folded) words = percent(before->folded->percent) + " -> " + words;
    if (skin.folded->bone >= 0)
      words += fmt::format(" around {}, raised", bone_name(skin.folded->bone));
    session.print_row("folded", words);
  }
  if (skin.worse && skin.touching)
    session.print_row(
        "beside",
        fmt::format("worse {}; apart {}, sunk {}", share_words(*skin.worse, "most at", bone_name),
                    percent(skin.touching->apart), percent(skin.touching->sunk)));
}

std::string skin_words(const SkinQuality& skin) {
  std::string words;
  const auto add = [&](std::string_view name, double value) {
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", name, percent(value));
  };
  if (skin.stolen) add("stolen", skin.stolen->percent);
  if (skin.head) add("head", skin.head->percent);
  if (skin.folded) add("folded", skin.folded->percent);
  if (skin.worse) add("worse", skin.worse->percent);
  if (skin.touching) {
    add("apart", skin.touching->apart);
    add("sunk", skin.touching->sunk);
  }
  return words;
}

}  // namespace sinew::cli
