// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "keeping_options.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "failure.h"
#include "name_lists.h"
#include "sinew/gltf/vertex_mask.h"
#include "value_checks.h"

namespace sinew::cli {
namespace {

constexpr const char* kGroup = "Weights that are there";

}  // namespace

void KeepingOptions::add_to(CLI::App& app, BindOptions& options) {
  app.add_option("--init", init_,
                 "fresh: make weights anew; existing: make those in the file better, or leave them "
                 "as they are where that does not work [fresh]")
      ->check(one_of({"fresh", "existing"}))
      ->option_text("FROM")
      ->group(kGroup);
  add_list_option(app, "--lock", lock_,
                  "Keep the weights of these bones exactly, named as for --bones; may be repeated")
      ->option_text("NAME,...")
      ->group(kGroup);
  add_list_option(app, "--only", only_,
                  "Change the weights of these bones alone, named as for --bones; may be repeated")
      ->option_text("NAME,...")
      ->group(kGroup);
  app.add_option("--vertices", vertices_,
                 "Change weights only where this vertex attribute is above 0.5, _MASK say; of "
                 "COLOR_0 its red counts")
      ->option_text("ATTRIBUTE")
      ->group(kGroup);
  app.add_option("--mix", options.mix, "From the file's weights, 0, to the new ones, 1 [1]")
      ->check(number_within(0, 1))
      ->option_text("AMOUNT")
      ->group(kGroup);
}

void KeepingOptions::apply(const Input& input, std::vector<BindOptions>& options) const {
  std::vector<const Skeleton*> skeletons;
  for (const LoadedCharacter& loaded : input.characters)
    skeletons.push_back(&loaded.character.skeleton);
  const std::vector<std::vector<int>> lock = match_bone_lists("--lock", lock_, skeletons);
  const std::vector<std::vector<int>> only = match_bone_lists("--only", only_, skeletons);
  for (std::size_t c = 0; c < options.size(); ++c) {
    options[c].init = init_ == "existing" ? BindOptions::Init::existing : BindOptions::Init::fresh;
    options[c].lock = lock[c];
    options[c].only = only[c];
    if (!only_.empty() && only[c].empty()) {  // the pattern is of another character
      for (std::size_t bone = 0; bone < skeletons[c]->bone_count(); ++bone)
        options[c].lock.push_back(static_cast<int>(bone));
    }
  }
  if (!vertices_.empty()) apply_mask(input, options);
}

void KeepingOptions::apply_mask(const Input& input, std::vector<BindOptions>& options) const {
  bool is_found = false;
  Error missing;
  for (std::size_t c = 0; c < options.size(); ++c) {
    const LoadedCharacter& loaded = input.characters[c];
    Result<std::vector<bool>> mask = read_vertex_mask(input.document, loaded, vertices_);
    if (mask.ok()) {
      is_found = true;
      options[c].may_change = *std::move(mask);
    } else if (mask.error().code == ErrorCode::bad_argument) {
      missing = std::move(mask).error();
      options[c].may_change.assign(loaded.character.mesh.vertex_count(), false);
    } else {
      throw usage_failure("--vertices", mask.error().to_string());
    }
  }
  if (!is_found) throw usage_failure("--vertices", missing.to_string());
}

Failure bind_failure(const std::filesystem::path& input, const std::string& edits_file,
                     Error error) {
  constexpr std::array<std::pair<std::string_view, const char*>, 7> kFlags{
      {{"max_influences", "--max-influences"},
       {"lock", "--lock"},
       {"only", "--only"},
       {"skip_bones", "--skip-bones"},
       {"mix", "--mix"},
       {"init", "--init"},
       {"edits", "--edits"}}};
  if (error.code == ErrorCode::bad_argument)
    for (const auto& [place, flag] : kFlags)
      if (error.place == place) return usage_failure(flag, std::move(error.message));
  if (error.place.starts_with("edits[")) return file_failure(edits_file, std::move(error));
  return file_failure(input, std::move(error));
}

void leave_out_idle_warnings(std::span<Notices* const> of_characters) {
  const auto is_idle = [](const Notice& notice) { return notice.code == "nothing_may_change"; };
  const auto may_change = [&](const Notices* notices) {
    return std::ranges::none_of(*notices, is_idle);
  };
  if (std::ranges::none_of(of_characters, may_change)) return;
  for (Notices* const notices : of_characters) std::erase_if(*notices, is_idle);
}

}  // namespace sinew::cli
