// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>

#include "input_flags.h"
#include "output_flags.h"
#include "sinew/jobs/copy_job.h"
#include "verb.h"

namespace sinew::cli {
namespace {

class CopyVerb final : public Verb {
 public:
  std::string_view name() const override { return "copy"; }
  std::string_view summary() const override {
    return "Read a file and write it again as glTF, unchanged";
  }
  std::vector<std::string> examples() const override {
    return {
        "sinew copy hero.gltf -o hero.glb                      # .gltf with its files to one .glb",
        "sinew copy hero.fbx -o hero.glb",
        "sinew copy body.obj --skeleton bones.tgf -o hero.glb  # a mesh and a skeleton in one "
        "file"};
  }

  void add_options(CLI::App& app) override {
    add_file_argument(app, input_);
    add_skeleton_options(app, input_);
    add_bind_pose_option(app, input_);
    add_output_option(app, output_);
    add_in_place_option(app, output_);
  }

  ExitCode run(Session& session) override {
    const OutputOptions output = output_options(session, output_, required_file(input_));
    const CopyJobResult result = take(run_copy_job(job_input(input_), output, session.progress()));
    session.report.update(to_json(result));
    session.print_notices(result.notices);
    write_and_tell(session, result.outputs);
    return ExitCode::done;
  }

 private:
  InputFlags input_;
  OutputFlags output_;
};

}  // namespace

std::unique_ptr<Verb> make_copy_verb() { return std::make_unique<CopyVerb>(); }

}  // namespace sinew::cli
