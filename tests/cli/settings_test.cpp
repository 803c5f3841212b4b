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

TEST_F(CliSettings, SettingsInputAndOutputAreNeverTheSameFile) {
  folder_.write("s.gltf", "{}");
  std::filesystem::create_symlink("s.gltf", folder_.path() / "link.gltf");
  const std::vector<std::vector<std::string>> cases = {
      {"copy", "tiny.glb", "--settings", "s.gltf", "-o", "s.gltf"},
      {"copy", "tiny.glb", "--settings", "s.gltf", "-o", "link.gltf"},
      {"copy", "tiny.glb", "--settings", "s.gltf", "-o", "./s.gltf", "--in-place"},
      {"copy", "tiny.glb", "--save-settings", "new.gltf", "-o", "new.gltf"},
      {"copy", "tiny.glb", "--save-settings", "./new.gltf", "-o", "new.gltf"},
      {"copy", "tiny.glb", "--save-settings", "new.bin", "-o", "new.gltf"},
      {"copy", "tiny.glb", "--save-settings", "tiny.glb", "-o", "new.glb"},
      {"copy", "s.gltf", "--save-settings", "s.gltf", "-o", "new.glb"},
      {"inspect", "s.gltf", "--save-settings", "s.gltf"},
      {"inspect", "tiny.glb", "--rig", "s.gltf", "--save-settings", "s.gltf"}};
  const std::vector<std::string> before = folder_.listing();
  const std::string tiny = folder_.read("tiny.glb");
  for (const std::vector<std::string>& arguments : cases) {
    const Finished finished = run_sinew(folder_.path(), arguments);
    EXPECT_EQ(finished.exit_code, 2) << finished.err;
    EXPECT_TRUE(contains(finished.err, "give another name")) << finished.err;
    EXPECT_EQ(folder_.listing(), before);
    EXPECT_EQ(folder_.read("s.gltf"), "{}");
    EXPECT_EQ(folder_.read("tiny.glb"), tiny);
  }
}

TEST_F(CliSettings, FolderThatIsNotThereIsToldBeforeTheWork) {
  const Finished finished = run_sinew(
      folder_.path(), {"copy", "tiny.glb", "-o", "out.glb", "--save-settings", "nowhere/s.json"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_TRUE(contains(finished.err, "no such folder")) << finished.err;
  EXPECT_EQ(folder_.listing(), std::vector<std::string>{"tiny.glb"});
}

TEST_F(CliSettings, NothingIsSavedWhenAGateIsNotMet) {
  EXPECT_EQ(inspect({"--require", "vertices<3", "--save-settings", "s.json"}).exit_code, 4);
  EXPECT_EQ(folder_.listing(), std::vector<std::string>{"tiny.glb"});
}

TEST_F(CliSettings, ErrorNamesTheSettingsFileOnce) {
  EXPECT_TRUE(
      inspect({"--settings", "nowhere.json"}).err.starts_with("sinew: nowhere.json: there is no"));
}

}  // namespace
}  // namespace sinew::test
