// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>

#include "input.h"
#include "output.h"
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
    const std::filesystem::path path = output_path(output_, required_file(input_));
    Input input = load_input(session, input_);
    session.report["input"] = input.path.string();
    session.report["format"] = input.format;
    store_bind_pose(input);
    session.report_notices(all_notices(input));
    write_output(session, input.document, path, output_, input.files);
    return ExitCode::done;
  }

 private:
  InputOptions input_;
  OutputOptions output_;
};

}  // namespace

std::unique_ptr<Verb> make_copy_verb() { return std::make_unique<CopyVerb>(); }

}  // namespace sinew::cli
