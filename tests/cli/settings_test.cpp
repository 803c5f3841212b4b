// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "support/sinew_process.h"
#include "support/tiny_character.h"

namespace sinew::test {
namespace {

class CliSettings : public ::testing::Test {
 protected:
  CliSettings() { write_tiny(folder_.path() / "tiny.glb"); }
  Finished inspect(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"inspect", "tiny.glb"});
    return run_sinew(folder_.path(), arguments);
  }
  nlohmann::json saved(const std::string& file) const {
    return nlohmann::json::parse(folder_.read(file), nullptr, false);
  }
  TemporaryFolder folder_;
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(CliSettings, ReplayEqualsTheFlagsThatWereSaved) {
  const std::vector<std::string> flags = {"--json",    "--bones",   "knee",      "--bones", "h*",
                                          "--require", "joints<=2", "--threads", "2"};
  std::vector<std::string> saving = flags;
  saving.insert(saving.end(), {"--save-settings", "hero.sinew.json"});
  const Finished direct = inspect(saving);
  ASSERT_EQ(direct.exit_code, 0) << direct.err;
  EXPECT_EQ(saved("hero.sinew.json"),
            nlohmann::json::parse(R"({"inspect": {"json": true, "bones": ["knee", "h*"],
                                                  "require": ["joints<=2"], "threads": 2}})"));
  const Finished replayed = inspect({"--settings", "hero.sinew.json"});
  EXPECT_EQ(replayed.exit_code, 0) << replayed.err;
  EXPECT_EQ(replayed.out, direct.out);
}

TEST_F(CliSettings, TheCommandLineOverridesTheFile) {
  folder_.write("s.json", R"({"inspect": {"require": "vertices<3", "bones": "knee"}})");
  EXPECT_EQ(inspect({"--settings", "s.json"}).exit_code, 4);
  EXPECT_EQ(inspect({"--settings", "s.json", "--require", "vertices>3"}).exit_code, 0);
}

TEST_F(CliSettings, SectionsOfOtherVerbsAreLeftAloneBothWays) {
  folder_.write("s.json", R"({"copy": {"bind_pose": "nodes"}})");
  EXPECT_EQ(inspect({"--settings", "s.json"}).exit_code, 0);
  EXPECT_EQ(inspect({"--bones", "knee", "--save-settings", "s.json"}).exit_code, 0);
  EXPECT_EQ(
      saved("s.json"),
      nlohmann::json::parse(R"({"copy": {"bind_pose": "nodes"}, "inspect": {"bones": ["knee"]}})"));
}

TEST_F(CliSettings, HyphensAndUnderscoresAreTheSame) {
  for (const std::string key : {"bind_pose", "bind-pose"}) {
    folder_.write("s.json", "{\"inspect\": {\"" + key + "\": \"sideways\"}}");
    EXPECT_EQ(inspect({"--settings", "s.json"}).exit_code, 2) << key;
    folder_.write("s.json", "{\"inspect\": {\"" + key + "\": \"nodes\"}}");
    EXPECT_EQ(inspect({"--settings", "s.json"}).exit_code, 0) << key;
  }
}

TEST_F(CliSettings, MistakesInTheFileExitWithTwoAndSayWhere) {
  struct Case {
    std::string text;
    std::string expected;
  };
  const std::vector<Case> cases = {
      {R"({"inspect": {"requir": "vertices>1"}})",
       "s.json: inspect.requir: unknown setting, did you mean require?"},
      {R"({"inspct": {}})", "s.json: inspct: unknown verb, did you mean inspect?"},
      {R"({"inspect": {"threads": "many"}})", "s.json: inspect.threads: 'many' is not a whole"},
      {R"({"inspect": {"threads": [1, 2]}})", "s.json: inspect.threads: "},
      {R"({"inspect": {"json": "yes"}})", "s.json: inspect.json: true or false is expected"},
      {R"({"inspect": {"bones": {"a": 1}}})", "s.json: inspect.bones: "},
      {R"({"copy": {"output": "a.glb"}})", ""},
      {R"({"inspect": []})", "s.json: inspect: "},
      {R"([1, 2])", "s.json: not a settings file"},
      {"max_influences: 4", "s.json: not a settings file"},
  };
  for (const Case& each : cases) {
    folder_.write("s.json", each.text);
    const Finished finished = inspect({"--settings", "s.json"});
    EXPECT_EQ(finished.exit_code, each.expected.empty() ? 0 : 2) << each.text;
    EXPECT_TRUE(contains(finished.err, each.expected)) << each.text << '\n' << finished.err;
  }
  EXPECT_EQ(inspect({"--settings", "nowhere.json"}).exit_code, 2);
}

TEST_F(CliSettings, LeaveToReplaceAFileCannotBeSaved) {
  folder_.write("s.json", R"({"copy": {"in_place": true}})");
  const std::string before = folder_.read("tiny.glb");
  const Finished finished =
      run_sinew(folder_.path(), {"copy", "tiny.glb", "-o", "tiny.glb", "--settings", "s.json"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_TRUE(contains(finished.err, "s.json: copy.in_place: ")) << finished.err;
  EXPECT_EQ(folder_.read("tiny.glb"), before);
}

TEST_F(CliSettings, SavingNeverReplacesAFileThatHoldsSomethingElse) {
  const std::string before = folder_.read("tiny.glb");
  EXPECT_EQ(inspect({"--save-settings", "tiny.glb"}).exit_code, 2);
  EXPECT_EQ(folder_.read("tiny.glb"), before);
}

TEST_F(CliSettings, NothingIsSavedWhenTheCommandFails) {
  const Finished finished =
      run_sinew(folder_.path(), {"inspect", "nowhere.glb", "--save-settings", "s.json"});
  EXPECT_EQ(finished.exit_code, 3);
  EXPECT_EQ(folder_.listing(), std::vector<std::string>{"tiny.glb"});
}

}  // namespace
}  // namespace sinew::test
