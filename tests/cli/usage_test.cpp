// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>

#include <gtest/gtest.h>

#include "support/sinew_process.h"
#include "support/tiny_character.h"

namespace sinew::test {
namespace {

using ::testing::Test;

class CliUsage : public Test {
 protected:
  Finished run(const std::vector<std::string>& arguments,
               const std::vector<std::string>& environment = {}) const {
    return run_sinew(folder_.path(), arguments, environment);
  }
  TemporaryFolder folder_;
};

std::size_t line_count(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

const std::vector<std::string> kVerbs = {"inspect", "copy", "pose", "example"};

TEST_F(CliUsage, WithoutArgumentsItShowsTheVerbs) {
  const Finished finished = run({});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_EQ(finished.err, "");
  for (const std::string& verb : kVerbs) EXPECT_TRUE(contains(finished.out, verb)) << verb;
}

TEST_F(CliUsage, VersionIsOneLine) {
  const Finished finished = run({"--version"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_TRUE(finished.out.starts_with("sinew "));
  EXPECT_EQ(line_count(finished.out), 1u);
}

TEST_F(CliUsage, HelpOfEveryVerbEndsWithExamplesOfThatVerb) {
  for (const std::string& verb : kVerbs) {
    const Finished finished = run({verb, "--help"});
    EXPECT_EQ(finished.exit_code, 0) << verb;
    const std::size_t examples = finished.out.find("Examples:");
    ASSERT_NE(examples, std::string::npos) << verb;
    EXPECT_NE(finished.out.find("sinew " + verb + " ", examples), std::string::npos) << verb;
    EXPECT_EQ(run({"help", verb}).out, finished.out) << verb;
    EXPECT_EQ(run({verb, "-h", "--no-such-flag"}).out, finished.out) << verb;
  }
}

TEST_F(CliUsage, MisspeltVerbExitsWithTwoAndASuggestion) {
  const Finished finished = run({"inspct", "hero.glb"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.out, "");
  EXPECT_EQ(finished.err, "sinew: inspct: no such verb, did you mean inspect?\n");
}

TEST_F(CliUsage, FileInPlaceOfAVerbIsToldHowToBeInspected) {
  folder_.write("hero.glb", "");
  const Finished finished = run({"hero.glb"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_TRUE(contains(finished.err, "sinew inspect hero.glb")) << finished.err;
}

TEST_F(CliUsage, MisspeltFlagExitsWithTwoAndASuggestion) {
  for (const std::string& verb : kVerbs) {
    const Finished finished = run({verb, "--threds", "2"});
    EXPECT_EQ(finished.exit_code, 2) << verb;
    EXPECT_EQ(finished.err, "sinew: --threds: unknown option, did you mean --threads?\n") << verb;
  }
  EXPECT_TRUE(contains(run({"inspect", "-threads", "2"}).err, "did you mean --threads?"));
  EXPECT_TRUE(contains(run({"inspect", "--reqire=vertices>1"}).err, "did you mean --require?"));
}

TEST_F(CliUsage, FlagThatResemblesNothingGetsNoSuggestion) {
  const Finished finished = run({"inspect", "--xyzzy"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.err, "sinew: --xyzzy: unknown option\n");
}

TEST_F(CliUsage, BadValuesNameTheFlagInOneLine) {
  const std::vector<std::vector<std::string>> commands = {
      {"inspect", "a.glb", "--threads", "many"},
      {"inspect", "a.glb", "--threads", "-1"},
      {"inspect", "a.glb", "--threads", "1.5"},
      {"inspect", "a.glb", "--seed", "-3"},
      {"inspect", "a.glb", "--progress", "baar"},
      {"inspect", "a.glb", "--threads"},
      {"inspect", "a.glb", "--bind-pose", "idm"},
      {"pose", "a.glb", "--time", "soon", "-o", "b.glb"},
      {"pose", "a.glb", "--deformer", "lps", "-o", "b.glb"},
      {"example", "biped", "--vertices", "0", "-o", "b.glb"}};
  for (const auto& command : commands) {
    const Finished finished = run(command);
    const auto flag = std::find_if(command.begin(), command.end(),
                                   [](const std::string& word) { return word.starts_with("--"); });
    EXPECT_EQ(finished.exit_code, 2) << *flag;
    EXPECT_TRUE(finished.err.starts_with("sinew: " + *flag + ": ")) << finished.err;
    EXPECT_EQ(line_count(finished.err), 1u) << finished.err;
  }
}

TEST_F(CliUsage, MisspeltChoiceGetsASuggestion) {
  const Finished finished = run({"pose", "a.glb", "-o", "b.glb", "--deformer", "lps"});
  EXPECT_TRUE(contains(finished.err, "did you mean lbs?")) << finished.err;
}

TEST_F(CliUsage, MissingOrSurplusArgumentsExitWithTwo) {
  EXPECT_EQ(run({"inspect"}).exit_code, 2);
  EXPECT_EQ(run({"copy"}).exit_code, 2);
  EXPECT_EQ(run({"copy", "a.glb"}).exit_code, 2);
  EXPECT_EQ(run({"example", "biped"}).exit_code, 2);
  const Finished surplus = run({"inspect", "a.glb", "b.glb"});
  EXPECT_EQ(surplus.exit_code, 2);
  EXPECT_EQ(surplus.err, "sinew: b.glb: one argument too many\n");
}

TEST_F(CliUsage, FlagBeforeTheVerbIsExplained) {
  const Finished finished = run({"--json", "inspect", "a.glb"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_TRUE(contains(finished.err, "a verb comes before its options"));
}

TEST_F(CliUsage, FailuresWithJsonAreOneObjectOnStdoutAndOneLineOnStderr) {
  folder_.write("broken.glb", "not a model at all");
  struct Case {
    std::vector<std::string> arguments;
    int exit_code;
    std::string code;
  };
  const std::vector<Case> cases = {{{"inspct", "--json"}, 2, "bad_argument"},
                                   {{"inspect", "--json"}, 2, "bad_argument"},
                                   {{"inspect", "--json", "--threds", "1"}, 2, "bad_argument"},
                                   {{"inspect", "--json", "--threads", "x"}, 2, "bad_argument"},
                                   {{"inspect", "nowhere.glb", "--json"}, 3, "file_not_found"},
                                   {{"inspect", "broken.glb", "--json"}, 3, "bad_file"}};
  for (const Case& each : cases) {
    const Finished finished = run(each.arguments);
    EXPECT_EQ(finished.exit_code, each.exit_code) << finished.err;
    const nlohmann::json json = finished.json();
    ASSERT_TRUE(json.is_object()) << finished.out;
    EXPECT_EQ(json["ok"], false);
    EXPECT_EQ(json["error"]["code"], each.code) << finished.out;
    EXPECT_TRUE(json["error"]["message"].is_string());
    EXPECT_TRUE(json["error"].contains("place"));
    EXPECT_EQ(line_count(finished.err), 1u) << finished.err;
  }
}

TEST_F(CliUsage, MissingAndBrokenFilesExitWithThreeAndNameTheFile) {
  folder_.write("broken.glb", "not a model at all");
  folder_.write("empty.glb", "");
  for (const std::string file : {"nowhere.glb", "broken.glb", "empty.glb"}) {
    const Finished finished = run({"inspect", file});
    EXPECT_EQ(finished.exit_code, 3) << file;
    EXPECT_TRUE(finished.err.starts_with("sinew: " + file + ": ")) << finished.err;
    EXPECT_EQ(finished.out, "");
    EXPECT_EQ(line_count(finished.err), 1u) << finished.err;
  }
}

TEST_F(CliUsage, ErrorNamesTheFileOnce) {
  EXPECT_EQ(run({"inspect", "nowhere.glb"}).err, "sinew: nowhere.glb: there is no such file\n");
}

TEST_F(CliUsage, ControlCharactersOfAFileNameNeverReachTheTerminal) {
  const Finished finished = run({"inspect", "evil\x1b[31m\xc2\x9b.glb"});
  EXPECT_EQ(finished.exit_code, 3);
  EXPECT_FALSE(contains(finished.err, "\x1b"));
  EXPECT_FALSE(contains(finished.err, "\xc2\x9b"));
  EXPECT_TRUE(contains(finished.err, "evil\\x1b[31m"));
}

TEST_F(CliUsage, NoColourWithoutATerminal) {
  write_tiny(folder_.path() / "tiny.glb");
  for (const auto& arguments :
       std::vector<std::vector<std::string>>{{"inspect", "tiny.glb"}, {"inspect", "nowhere.glb"}}) {
    const Finished finished = run(arguments);
    EXPECT_FALSE(contains(finished.out + finished.err, "\x1b"));
  }
}

TEST_F(CliUsage, UnwritableStandardOutputIsNotSuccess) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  for (const std::string arguments : {"--version", "inspect --help", "example --list --json"}) {
    const std::string command = SINEW_BINARY " " + arguments + " > /dev/full 2> /dev/null";
    const int status = std::system(command.c_str());
    EXPECT_EQ(WEXITSTATUS(status), 1) << arguments;
  }
}

}  // namespace
}  // namespace sinew::test
