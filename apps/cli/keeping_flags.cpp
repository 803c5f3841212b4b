// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "keeping_flags.h"

#include <CLI/CLI.hpp>

#include "value_checks.h"

namespace sinew::cli {
namespace {

constexpr const char* kGroup = "Weights that are there";

}  // namespace

void KeepingFlags::add_to(CLI::App& app, BindJobOptions& options) {
  std::vector<std::string> inits;
  for (const BindInit init : kBindInits) inits.emplace_back(to_string(init));
  app.add_option(
         "--init", init_,
         "fresh: make weights anew; heat, bbw: anew, and araplbs starts from what that "
         "method makes; owners: anew, and bones start with the skin that artists "
         "would most likely give them; existing: make those in the file better, or leave them "
         "as they are where that does not work [fresh]")
      ->check(one_of(inits))
      ->option_text("FROM")
      ->group(kGroup);
  add_list_option(app, "--lock", options.keep.lock,
                  "Keep the weights of these bones exactly, named as for --bones; may be repeated")
      ->option_text("NAME,...")
      ->group(kGroup);
  add_list_option(app, "--only", options.keep.only,
                  "Change the weights of these bones alone, named as for --bones; may be repeated")
      ->option_text("NAME,...")
      ->group(kGroup);
  app.add_option("--vertices", options.keep.vertices,
                 "Change weights only where this vertex attribute is above 0.5, _MASK say; of "
                 "COLOR_0 its red counts")
      ->option_text("ATTRIBUTE")
      ->group(kGroup);
  app.add_option("--mix", options.bind.mix, "From the file's weights, 0, to the new ones, 1 [1]")
      ->check(number_within(0, 1))
      ->option_text("AMOUNT")
      ->group(kGroup);
}

void KeepingFlags::apply(BindJobOptions& options) const {
  options.bind.init = *bind_init_from(init_);
}

}  // namespace sinew::cli
