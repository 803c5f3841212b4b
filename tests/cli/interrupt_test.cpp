// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <chrono>
#include <random>
#include <signal.h>
#include <thread>

#include <gtest/gtest.h>

#include "support/sinew_process.h"
#include "support/tiny_character.h"

namespace sinew::test {
namespace {

using std::chrono::microseconds;
using Clock = std::chrono::steady_clock;

constexpr int kManyRows =
    60000;  // a file of several megabytes: writing it takes long enough to hit

class CliInterrupt : public ::testing::Test {
 protected:
  std::vector<std::string> litter(const std::vector<std::string>& known) const {
    std::vector<std::string> names;
    for (const std::string& name : folder_.listing())
      if (std::find(known.begin(), known.end(), name) == known.end()) names.push_back(name);
    return names;
  }
  TemporaryFolder folder_;
};

/// How long an undisturbed run takes, so that signals can be spread over it.
microseconds duration_of(const TemporaryFolder& folder, const std::vector<std::string>& arguments) {
  const Clock::time_point start = Clock::now();
  EXPECT_EQ(run_sinew(folder.path(), arguments).exit_code, 0);
  return std::chrono::duration_cast<microseconds>(Clock::now() - start);
}

TEST_F(CliInterrupt, KillWhileWritingLeavesTheInputAndTheOldOrNewOutputWhole) {
  write_tiny(folder_.path() / "big.glb", {.rows = kManyRows});
  const std::string input = folder_.read("big.glb");
  const std::vector<std::string> copy = {"copy", "big.glb", "-o", "out.glb"};
  const microseconds whole = duration_of(folder_, copy);
  const std::string fresh = folder_.read("out.glb");

  std::mt19937 random(1);
  int killed = 0;
  for (int attempt = 0; attempt < 12; ++attempt) {
    write_tiny(folder_.path() / "out.glb");
    const std::string old = folder_.read("out.glb");
    SinewProcess process(folder_.path(), copy);
    std::this_thread::sleep_for(microseconds(
        std::uniform_int_distribution<long>(whole.count() / 4, whole.count())(random)));
    process.send(SIGKILL);
    killed += process.wait().exit_code == 128 + SIGKILL;
    EXPECT_EQ(folder_.read("big.glb"), input);
    const std::string now = folder_.read("out.glb");
    EXPECT_TRUE(now == old || now == fresh) << "half a file: " << now.size() << " bytes";
    for (const std::string& name : litter({"big.glb", "out.glb"}))
      EXPECT_NE(name.find("sinew-"), std::string::npos) << name << " is not recognisably ours";
  }
  EXPECT_GT(killed, 0) << "no signal came in time; the test has shown nothing";
  EXPECT_EQ(run_sinew(folder_.path(), copy).exit_code, 0);
  EXPECT_EQ(folder_.read("out.glb"), fresh);
}

TEST_F(CliInterrupt, CtrlCExitsWith130AndLeavesNoTemporaryFile) {
  write_tiny(folder_.path() / "big.glb", {.rows = kManyRows});
  const std::vector<std::string> copy = {"copy", "big.glb", "-o", "out.glb"};
  const microseconds whole = duration_of(folder_, copy);
  const std::string fresh = folder_.read("out.glb");

  int interrupted = 0;
  for (int attempt = 1; attempt <= 8; ++attempt) {
    std::filesystem::remove(folder_.path() / "out.glb");
    SinewProcess process(folder_.path(), copy);
    std::this_thread::sleep_for(whole * attempt / 10);
    process.send(SIGINT);
    const Finished finished = process.wait();
    EXPECT_TRUE(finished.exit_code == 130 || finished.exit_code == 0) << finished.exit_code;
    interrupted += finished.exit_code == 130;
    EXPECT_TRUE(litter({"big.glb", "out.glb"}).empty());
    if (std::filesystem::exists(folder_.path() / "out.glb")) {
      EXPECT_EQ(folder_.read("out.glb"), fresh);
    } else {
      EXPECT_EQ(finished.exit_code, 130);
    }
  }
  EXPECT_GT(interrupted, 0) << "no signal came in time; the test has shown nothing";
}

TEST_F(CliInterrupt, BindThatIsStoppedLeavesTheOldOutputOrTheWholeNewOne) {
  write_tiny(folder_.path() / "in.glb", {.rows = 1500});
  const std::string input = folder_.read("in.glb");
  const std::vector<std::string> bind = {"bind", "in.glb", "-o", "out.glb"};
  const microseconds whole = duration_of(folder_, bind);
  const std::string fresh = folder_.read("out.glb");

  int stopped = 0;
  for (int attempt = 0; attempt < 8; ++attempt) {
    const int signal = attempt % 2 == 0 ? SIGINT : SIGKILL;
    folder_.write("out.glb", "what was here before");
    SinewProcess process(folder_.path(), bind);
    std::this_thread::sleep_for(whole * (attempt + 1) / 9);
    process.send(signal);
    const Finished finished = process.wait();
    const int expected = signal == SIGINT ? 130 : 128 + SIGKILL;
    EXPECT_TRUE(finished.exit_code == expected || finished.exit_code == 0) << finished.exit_code;
    stopped += finished.exit_code == expected;
    EXPECT_EQ(folder_.read("in.glb"), input);
    const std::string now = folder_.read("out.glb");
    EXPECT_TRUE(now == "what was here before" || now == fresh) << now.size() << " bytes";
    if (signal == SIGINT) {
      EXPECT_TRUE(litter({"in.glb", "out.glb"}).empty());
    }
    for (const std::string& name : litter({"in.glb", "out.glb"}))
      std::filesystem::remove(folder_.path() / name);
  }
  EXPECT_GT(stopped, 0) << "no signal came in time; the test has shown nothing";
}

TEST_F(CliInterrupt, CtrlCStopsALongComputationSoon) {
  constexpr std::chrono::seconds kSoon{10};  // an example this fine takes minutes
  SinewProcess process(folder_.path(), {"example", "biped", "-o", "b.glb", "--vertices", "500000"});
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const Clock::time_point sent = Clock::now();
  process.send(SIGINT);
  const Finished finished = process.wait();
  EXPECT_EQ(finished.exit_code, 130);
  EXPECT_LT(Clock::now() - sent, kSoon);
  EXPECT_TRUE(folder_.listing().empty());
}

}  // namespace
}  // namespace sinew::test
