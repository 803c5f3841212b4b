// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "character_lines.h"
#include "input_flags.h"
#include "interior_flags.h"
#include "output_flags.h"
#include "sinew/jobs/volume_job.h"
#include "text.h"
#include "value_checks.h"
#include "verb.h"

namespace sinew::cli {
namespace {

constexpr double kMegabyte = 1e6;

/// "144,252 tetrahedra around 12,021 cells of 1.9% of the diagonal, 51,234 points; weights of 41
/// bones; 21.3 MB".
std::string contents_line(const VolumeJobResult& result, const FilledCharacter& filled) {
  std::string line = fmt::format("{} {} in {} cells of {:.2g}% of the diagonal (--cells), {}",
                                 fmt::group_digits(filled.elements), to_string(result.elements),
                                 fmt::group_digits(filled.cells), 100 * filled.cell_size_rel,
                                 counted(filled.points, "point", "points"));
  if (filled.weights == VolumeWeights::bbw)
    line += fmt::format("; weights of {}", counted(filled.fields.size(), "bone", "bones"));
  if (filled.unreached_points > 0)
    line +=
        fmt::format(", which do not reach {}", counted(filled.unreached_points, "point", "points"));
  return line + fmt::format("; {:.3g} MB", static_cast<double>(filled.bytes) / kMegabyte);
}

class VolumeVerb final : public Verb {
 public:
  std::string_view name() const override { return "volume"; }
  std::string_view summary() const override {
    return "Write the inside of a mesh, with weights, for ParaView and others";
  }
  std::vector<std::string> examples() const override {
    return {"sinew volume hero.glb -o hero.vtu                  # tetrahedra, weights per bone",
            "sinew volume hero.glb -o hero.vtu --elements cubes --cells 40000",
            "sinew volume body.obj -o body.mesh                 # tetrahedra of any mesh (MEDIT)"};
  }

  void add_options(CLI::App& app) override {
    add_file_argument(app, input_);
    add_selection_options(app, input_);
    add_skeleton_options(app, input_);
    add_bind_pose_option(app, input_);
    add_hierarchy_option(app, hierarchy_);
    app.add_option("--elements", elements_,
                   "tetrahedra: a lattice of them; cubes: the cells that it is cut from, which go "
                   "into a .vtu only [tetrahedra]")
        ->check(one_of({"tetrahedra", "cubes"}))
        ->option_text("KIND")
        ->group("Interior");
    app.add_option("--weights", weights_,
                   "bbw: bounded biharmonic weights of the bones, which go into a .vtu only; none: "
                   "the shape alone, in a tenth of the time [bbw for a .vtu]")
        ->check(one_of({"bbw", "none"}))
        ->option_text("WHICH")
        ->group("Interior");
    filling_.add_to(app, options_.interior, "");
    app.add_option("-o,--output", output_,
                   "Where to write; .vtu or .mesh decides the format. Of several characters each "
                   "has a file: OUT.0.vtu, OUT.1.vtu")
        ->option_text("FILE")
        ->group("Output");
  }

  ExitCode run(Session& session) override {
    VolumeJobOptions options = options_;
    filling_.apply(options.interior);
    options.hierarchy = *hierarchy_choice_from(hierarchy_);
    if (elements_ == "cubes") options.elements = VolumeElements::cubes;
    if (!weights_.empty())
      options.weights = weights_ == "bbw" ? VolumeWeights::bbw : VolumeWeights::none;
    const JobInput input = job_input(input_);
    if (output_.empty()) throw usage_failure("--output", "say where to write: -o FILE.vtu");
    options.output.path = output_;
    options.output.reserved = settings_files(session);
    const VolumeJobResult result = take(run_volume_job(input, options, session.progress()));
    session.erase_progress();
    for (const FilledCharacter& filled : result.characters)
      session.print_row(result.characters.size() == 1 ? result.input.path.filename().string()
                                                      : named(filled.name),
                        contents_line(result, filled));
    session.report.update(to_json(result));
    session.print_notices(result.notices);
    write_and_tell(session, result.outputs);
    return ExitCode::done;
  }

 private:
  InputFlags input_;
  InteriorFlags filling_;
  VolumeJobOptions options_;  // as far as flags fill it in as they are
  std::string hierarchy_ = "effective";
  std::string elements_, weights_;
  std::string output_;
};

}  // namespace

std::unique_ptr<Verb> make_volume_verb() { return std::make_unique<VolumeVerb>(); }

}  // namespace sinew::cli
