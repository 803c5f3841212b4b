// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "optimiser_flags.h"

#include <limits>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "value_checks.h"

namespace sinew::cli {
namespace {

constexpr int kMostIterations = 10000;
constexpr int kLeastCoarse = 1000;  // vertices: fewer are no shape of a character
constexpr int kMostCoarse = 10'000'000;
constexpr double kMostHarmonic = 1000;
constexpr const char* kGroup = "Optimisation";

}  // namespace

void OptimiserFlags::add_to(CLI::App& app, BindJobOptions& job) {
  add_poses_to(app, job);
  add_aims_to(app, job.bind);
  add_steps_to(app, job.bind);
  app.add_option("--edits", job.optimiser.edits,
                 "Change bones, wires, weights and attachments while optimising, as this .json "
                 "file says: docs/edits-format.md")
      ->option_text("FILE")
      ->group(kGroup);
  app.add_option("--log", job.log, "Write the energy of each step to this .csv file")
      ->option_text("FILE")
      ->group(kGroup);
}

void OptimiserFlags::add_poses_to(CLI::App& app, BindJobOptions& job) {
  BindExemplars& exemplars = job.bind.exemplars;
  app.add_option("--exemplars", exemplars.count,
                 fmt::format("Random poses to optimise for [{}, or down to {} where both sides are "
                             "solved as one and each counts for both]",
                             BindExemplars::kUsual, BindExemplars::kUsualMirrored))
      ->check(whole_number(0, kMostExemplars))
      ->option_text("N")
      ->group(kGroup);
  app.add_option("--limits", limits_,
                 "How far bones turn in random poses. bones: by their own limits, or 60 degrees "
                 "and 10 of twist; clips: as far as in the file's animations, and some [bones]")
      ->check(one_of({"bones", "clips"}))
      ->option_text("WHOSE")
      ->group(kGroup);
  add_list_option(app, "--animation", job.optimiser.clips,
                  "Optimise for frames of this clip too, by name, glob or index, or all; may be "
                  "repeated")
      ->option_text("NAME")
      ->group(kGroup);
  app.add_flag("--only-animations", only_animations_,
               "Optimise for frames of animations and for no random poses; all clips without "
               "--animation")
      ->group(kGroup);
  app.add_option("--pose-file", job.optimiser.poses,
                 "Optimise for the poses in this file too: .bvh, or .json as docs/pose-format.md "
                 "says")
      ->option_text("FILE")
      ->group(kGroup);
}

void OptimiserFlags::add_aims_to(CLI::App& app, BindOptions& options) {
  app.add_option("--obedience", options.obedience,
                 fmt::format("From the least distortion, 0, to skin that follows its "
                             "bones all the way, 1 [{}]",
                             options.obedience))
      ->check(number_within(0, 1))
      ->option_text("AMOUNT")
      ->group(kGroup);
  app.add_option("--smoothing", options.smoothing,
                 fmt::format("How gently weights change: as if bones were off by so "
                             "much, of the character's diagonal; 0.05 is much [{}]",
                             options.smoothing))
      ->check(number_within(0, 1))
      ->option_text("AMOUNT")
      ->group(kGroup);
  std::vector<std::string> domains;
  for (const BindDomain domain : kBindDomains) domains.emplace_back(to_string(domain));
  app.add_option("--domain", domain_,
                 "What is to stay rigid. surface: the triangles; volume: cubes that fill the mesh, "
                 "about --cells of them, so that parts which share an interior move together; "
                 "auto: the plan chooses, today the surface [auto]")
      ->check(one_of(domains))
      ->option_text("WHAT")
      ->group(kGroup);
  app.add_option("--rigid-parts", rigid_parts_,
                 "Separate parts that are bound to one bone: plates, eyes, the "
                 "limbs of machines. auto: those that look like it; on: all; off: "
                 "none [auto]")
      ->check(one_of({"auto", "on", "off"}))
      ->option_text("WHICH")
      ->group(kGroup);
  app.add_option("--mirror", mirror_,
                 "auto: skeletons that are symmetric by name and place get weights that are the "
                 "same on both sides, wherever the mesh is symmetric; x: across x, however little "
                 "is; off: sides are solved apart [auto]")
      ->check(one_of({"auto", "x", "off"}))
      ->option_text("ACROSS")
      ->group(kGroup);
}

void OptimiserFlags::add_steps_to(CLI::App& app, BindOptions& options) {
  WeightSolverOptions& solver = options.solver;
  app.add_option(
         "--constraints", constraints_,
         "What keeps the mesh with its bones. soft: bones lead the skin around their middle; "
         "paper: skin is held where weights peak and fades where they end [soft]")
      ->check(one_of({"soft", "paper"}))
      ->option_text("SET")
      ->group(kGroup);
  app.add_option("--rotations", rotations_,
                 "exact: every vertex turns by itself; clustered: in small groups, much faster; "
                 "auto: in groups where edges are short beside bones [auto]")
      ->check(one_of({"auto", "exact", "clustered"}))
      ->option_text("HOW")
      ->group(kGroup);
  app.add_option("--iterations", solver.max_iterations,
                 fmt::format("Steps of the optimisation at most [{}]", solver.max_iterations))
      ->check(whole_number(0, kMostIterations))
      ->option_text("N")
      ->group(kGroup);
  app.add_option("--coarse", coarse_,
                 fmt::format("Solve on a simplified mesh of about so many vertices and carry the "
                             "weights over; auto: on {} where there are more than {}; off: never "
                             "[auto]",
                             options.coarse.vertices, options.coarse.above))
      ->check(CLI::Validator(
          [](const std::string& text) -> std::string {
            if (text == "auto" || text == "off") return {};
            return whole_number(kLeastCoarse, kMostCoarse)(text);
          },
          "", "coarse"))
      ->option_text("N")
      ->group(kGroup);
  app.add_option("--filter", filter_,
                 "on: even out weights a little after each step, after which bones lead less; off: "
                 "never [off]")
      ->check(one_of({"on", "off"}))
      ->option_text("HOW")
      ->group(kGroup);
  app.add_option("--harmonic", solver.harmonic,
                 "Smooth weights by so much, at the cost of distortion and time; 0.00001 is little "
                 "and 0.001 is much [0]")
      ->check(number_within(0, kMostHarmonic))
      ->option_text("AMOUNT")
      ->group(kGroup);
}

void OptimiserFlags::apply(BindJobOptions& job) const {
  BindOptions& options = job.bind;
  options.constraints = *constraint_set_from(constraints_);
  options.rigid_parts = *rigid_parts_from(rigid_parts_);
  options.mirror = *mirror_choice_from(mirror_);
  options.domain = *bind_domain_from(domain_);
  if (coarse_ == "off") {
    options.coarse.above = std::numeric_limits<std::size_t>::max();
  } else if (coarse_ != "auto") {
    options.coarse.vertices = std::stoul(coarse_);
    options.coarse.above = options.coarse.vertices;
  }
  options.exemplars.limits =
      limits_ == "clips" ? BindExemplars::Limits::clips : BindExemplars::Limits::bones;
  options.rotations = rotation_mode_from(rotations_);  // neither where it says auto
  options.solver.filter =
      filter_ == "on" ? WeightSolverOptions::Filter::laplacian : WeightSolverOptions::Filter::off;
  job.optimiser.random_poses =
      only_animations_ ? OptimiserInputs::RandomPoses::none : OptimiserInputs::RandomPoses::drawn;
}

}  // namespace sinew::cli
