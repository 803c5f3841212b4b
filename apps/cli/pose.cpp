// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "input.h"
#include "output.h"
#include "sinew/gltf/selection.h"
#include "sinew/spines/gltf_pose.h"
#include "value_checks.h"
#include "verb.h"

namespace sinew::cli {
namespace {

class PoseVerb final : public Verb {
 public:
  std::string_view name() const override { return "pose"; }
  std::string_view summary() const override {
    return "Write the mesh as it stands at one moment of a clip";
  }
  std::vector<std::string> examples() const override {
    return {"sinew pose hero.glb --animation Walk --time 0.5 -o posed.glb",
            "sinew pose hero.glb --animation 0 --time 1 --deformer dqs -o posed.glb",
            "sinew pose hero.glb -o posed.glb     # as the nodes of the file stand"};
  }

  void add_options(CLI::App& app) override {
    add_file_argument(app, input_);
    app.add_option("--animation", options_.clip,
                   "The clip, by name, glob or index, any case, with or without a prefix such as "
                   "Armature|; without it, the pose that the nodes store")
        ->option_text("NAME");
    app.add_option("--time", time_s_,
                   "Seconds on the clip's clock [0]; a file with one clip needs no --animation")
        ->check(finite_number())
        ->option_text("T");
    app.add_option("--deformer", deformer_,
                   "lbs: linear blend, what engines do; dqs: dual quaternions, which keep volume "
                   "under twists [lbs]")
        ->check(one_of({"lbs", "dqs"}))
        ->option_text("KIND");
    add_bind_pose_option(app, input_);
    add_output_option(app, output_);
    add_in_place_option(app, output_);
  }

  ExitCode run(Session& session) override {
    const std::filesystem::path path = output_path(output_, required_file(input_));
    options_.deformer = deformer_ == "dqs" ? Deformer::dual_quaternion : Deformer::linear_blend;
    Input input = load_input(session, input_);
    store_bind_pose(input);

    session.checkpoint("posing", 0);
    Notices notices;
    options_.time_s = time_s_.value_or(0);
    if (time_s_ && options_.clip.empty()) take_only_clip(input, notices);
    Result<Document> posed = pose_document(input.document, options_, &notices);
    if (!posed.ok() && posed.error().code == ErrorCode::bad_argument)
      throw usage_failure("--animation", posed.error().message);
    const Document document = take(input.path, std::move(posed));

    session.report["input"] = input.path.string();
    session.report["format"] = input.format;
    session.report["animation"] = options_.clip;
    session.report["time_s"] = options_.time_s;
    session.report["deformer"] = deformer_;
    std::vector<FileNotices> told = all_notices(input);
    told.push_back({input.path.string(), std::move(notices)});
    session.report_notices(told);
    write_output(session, document, path, output_, input.files);
    return ExitCode::done;
  }

 private:
  /// A time without a clip can mean one thing only if there is one clip.
  void take_only_clip(const Input& input, Notices& notices) {
    const std::vector<std::string> names = clip_names(input.document);
    if (names.empty()) throw usage_failure("--time", "means nothing: the file has no clip");
    if (names.size() > 1)
      throw usage_failure("--time",
                          "means nothing without --animation; there is " + list_clips(names));
    options_.clip = "0";
    notices.push_back({Notice::Level::note, "only_clip", "animations[0]",
                       names[0].empty()
                           ? "is taken: the file has no other clip"
                           : fmt::format("'{}' is taken: the file has no other clip", names[0])});
  }

  InputOptions input_;
  OutputOptions output_;
  PoseOptions options_;
  std::optional<double> time_s_;
  std::string deformer_ = "lbs";
};

}  // namespace

std::unique_ptr<Verb> make_pose_verb() { return std::make_unique<PoseVerb>(); }

}  // namespace sinew::cli
