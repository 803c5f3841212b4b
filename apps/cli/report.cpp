// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "interior_flags.h"
#include "report_flags.h"
#include "text.h"
#include "value_checks.h"
#include "verb.h"

namespace sinew::cli {
namespace {

class ReportVerb final : public Verb {
 public:
  std::string_view name() const override { return "report"; }
  std::string_view summary() const override {
    return "Make a page that shows characters, their weights and what is wrong with them";
  }
  std::vector<std::string> examples() const override {
    return {"sinew report hero.glb -o hero.html              # open it in any browser",
            "sinew report hero.glb bound.glb -o compare.html  # side by side, on the same poses",
            "sinew report artist.glb a.glb b.glb --label artist --label heat --label distance",
            "sinew report hero.glb --interior --cells 40000   # the cubes inside, and slices"};
  }

  void add_options(CLI::App& app) override {
    add_report_arguments(app, arguments_);
    app.add_option("--log", arguments_.options.log,
                   "Plot how the last file's weights converged: a .csv with the columns "
                   "'iteration' and 'energy'")
        ->option_text("FILE")
        ->group("Input");
    add_list_option(
        app, "--seconds", arguments_.seconds,
        "How long the weights of a file took to make, as LABEL=SECONDS; may be repeated")
        ->option_text("TEXT");
    add_list_option(app, "--failed", arguments_.failed,
                    "Mark a file as one whose weights could not be made, as LABEL=REASON; may be "
                    "repeated")
        ->option_text("TEXT");
    app.add_option("--title", arguments_.options.report.title,
                   "What the page is about [the labels]")
        ->option_text("TEXT")
        ->group("Output");
    app.add_flag("--interior", interior_,
                 "Show the cubes that fill the mesh, too, slices through them, and there the "
                 "weights that bind --method bbw would make")
        ->group("Interior");
    interior_flags_.add_to(app, interior_options_, "For --interior: ");
    app.add_option("-o,--output", output_,
                   "Where to write; it replaces an older report [NAME-report.html]")
        ->option_text("FILE")
        ->group("Output");
  }

  ExitCode run(Session& session) override {
    check_report_arguments(arguments_);
    take_interior();
    if (output_.empty())
      output_ = std::filesystem::path(arguments_.files.front()).stem().string() + "-report.html";
    const std::filesystem::path path = checked_output(output_, ".html");
    const ReportJobResult result = make_report(session, arguments_);
    session.erase_progress();
    print_summary(session, result.report.payload);
    session.report.update(to_json(result));
    session.print_notices(result.notices);
    const std::string html = take(path, write_report(result.report));
    write_and_tell(session, std::as_bytes(std::span(html)), path, result.files_read);
    return ExitCode::done;
  }

 private:
  void take_interior() {
    if (const std::string given = interior_flags_.first_given(); !given.empty() && !interior_)
      throw usage_failure(given, "is for --interior alone");
    if (!interior_) return;
    interior_flags_.apply(interior_options_);
    arguments_.options.report.interior = interior_options_;
  }

  static void print_summary(Session& session, const Json& payload) {
    session.print(printable(payload["verdict"].get<std::string>()));
    for (const Json& entry : payload["files"]) {
      std::string line = "not judged";
      if (entry.contains("failed")) {
        line = "failed: " + entry["failed"].get<std::string>();
      } else if (const Json& figures = entry["figures"]; figures["arap"].is_number()) {
        line =
            fmt::format("arap {:.3g}, follow {:.2f}, drift {:.2g}%", figures["arap"].get<double>(),
                        figures["follow"].get<double>(), figures["drift"].get<double>());
      }
      session.print_row(printable(entry["label"].get<std::string>()), printable(line));
      if (entry.contains("textures_note"))
        session.print_row("", printable(entry["textures_note"].get<std::string>()));
      if (entry.contains("interior"))
        session.print_row(
            "", interior_line(payload["interiors"][entry["interior"].get<std::size_t>()]));
    }
  }

  static std::string interior_line(const Json& interior) {
    return fmt::format("interior of {} cells, each {:.2g}% of the diagonal",
                       fmt::group_digits(interior["cells"].get<std::size_t>()),
                       100 * interior["cell_size"].get<double>());
  }

  ReportArguments arguments_;
  InteriorFlags interior_flags_;
  InteriorOptions interior_options_;
  std::string output_;
  bool interior_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_report_verb() { return std::make_unique<ReportVerb>(); }

}  // namespace sinew::cli
