// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "characters/characters.h"
#include "failure.h"
#include "output_flags.h"
#include "sinew/gltf/gltf_character.h"
#include "text.h"
#include "value_checks.h"
#include "verb.h"

namespace sinew::cli {
namespace {

class ExampleVerb final : public Verb {
 public:
  std::string_view name() const override { return "example"; }
  std::string_view summary() const override { return "Make a character to try things on"; }
  std::vector<std::string> examples() const override {
    return {"sinew example --list", "sinew example biped -o biped.glb --vertices 40000"};
  }

  void add_options(CLI::App& app) override {
    app.add_option("name", character_, "Which one; --list shows them")->option_text(" ");
    app.add_flag("--list", list_, "List the characters that can be made, and exit");
    app.add_option("--vertices", options_.vertices,
                   fmt::format("How finely to make it, within 5% [{}]", options_.vertices))
        ->check(whole_number(kMinExampleVertices, kMaxExampleVertices))
        ->option_text("N");
    add_output_option(app, output_);
  }

  ExitCode run(Session& session) override {
    if (list_) {
      print_list(session);
      return ExitCode::done;
    }
    check_name();
    const OutputOptions output = output_options(session, output_);
    const ExampleCharacter example =
        take(character_, make_example(character_, options_, session.progress()));
    JobOutputs outputs;
    outputs.documents.push_back(
        {take(character_, make_document(example.character, example.normals)), output.path});
    outputs.options = output;
    write_and_tell(session, outputs);
    session.report["character"] = character_;
    session.report["vertices"] = example.character.mesh.vertex_count();
    session.report["joints"] = example.character.skeleton.bone_count();
    return ExitCode::done;
  }

 private:
  void check_name() const {
    std::vector<std::string> known;
    for (const ExampleInfo& info : example_characters()) known.emplace_back(info.name);
    if (character_.empty())
      throw usage_failure("name", "say which one: " + listed(known, known.size()));
    if (std::find(known.begin(), known.end(), character_) == known.end())
      throw usage_failure(character_, "no such character" + did_you_mean(character_, known) +
                                          " (known: " + listed(known, known.size()) + ")");
  }

  static void print_list(Session& session) {
    Json& list = session.report["characters"] = Json::array();
    for (const ExampleInfo& info : example_characters()) {
      session.print_row(info.name, info.description);
      list.push_back({{"name", info.name}, {"description", info.description}});
    }
  }

  std::string character_;
  bool list_ = false;
  ExampleOptions options_;
  OutputFlags output_;
};

}  // namespace

std::unique_ptr<Verb> make_example_verb() { return std::make_unique<ExampleVerb>(); }

}  // namespace sinew::cli
