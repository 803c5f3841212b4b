// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/model/bone_names.h"

#include <random>

#include <gtest/gtest.h>

namespace sinew {
namespace {

Skeleton skeleton_of(const std::vector<std::string>& names) {
  std::vector<Bone> bones;
  for (const std::string& name : names) {
    Bone bone;
    bone.name = name;
    bone.parent = static_cast<int>(bones.size()) - 1;
    bones.push_back(bone);
  }
  return *Skeleton::create(std::move(bones));
}

std::vector<int> matched(const Skeleton& skeleton, const std::vector<std::string>& patterns) {
  const auto bones = match_bones(skeleton, patterns);
  EXPECT_TRUE(bones.ok());
  return bones.ok() ? *bones : std::vector<int>{};
}

TEST(BoneNames, GlobsMatchRunsSingleCharactersAndSets) {
  EXPECT_TRUE(name_matches("Spine*", "Spine"));
  EXPECT_TRUE(name_matches("Spine*", "Spine1"));
  EXPECT_TRUE(name_matches("*Arm*", "LeftForeArmTwist"));
  EXPECT_TRUE(name_matches("Spine?", "Spine1"));
  EXPECT_FALSE(name_matches("Spine?", "Spine"));
  EXPECT_FALSE(name_matches("Spine?", "Spine12"));
  EXPECT_TRUE(name_matches("finger[123]", "finger2"));
  EXPECT_FALSE(name_matches("finger[123]", "finger4"));
  EXPECT_TRUE(name_matches("finger[1-3]", "finger2"));
  EXPECT_TRUE(name_matches("finger[!123]", "finger4"));
  EXPECT_FALSE(name_matches("finger[!123]", "finger1"));
  EXPECT_TRUE(name_matches("a[]]b", "a]b"));
  EXPECT_TRUE(name_matches("*", ""));
  EXPECT_FALSE(name_matches("?", ""));
  EXPECT_FALSE(name_matches("", "Spine"));
}

TEST(BoneNames, CaseDoesNotMatterInLatinGreekAndCyrillic) {
  EXPECT_TRUE(name_matches("spine", "SPINE"));
  EXPECT_TRUE(name_matches("RÜCKEN", "rücken"));
  EXPECT_TRUE(name_matches("ΩΜΟΣ", "ωμος"));
  EXPECT_TRUE(name_matches("РУКА.Ё", "рука.ё"));
}

TEST(BoneNames, AQuestionMarkIsOneCharacterWhateverItsBytes) {
  EXPECT_TRUE(name_matches("r?cken", "rücken"));
  EXPECT_TRUE(name_matches("?", "骨"));
  EXPECT_TRUE(name_matches("[骨筋]1", "筋1"));
  EXPECT_FALSE(name_matches("??", "骨"));
}

TEST(BoneNames, BytesThatAreNotUtf8MatchOnlyThemselves) {
  EXPECT_TRUE(name_matches("\xFF\xC3", "\xFF\xC3"));
  EXPECT_FALSE(name_matches("\xFF", "\xFE"));
  EXPECT_FALSE(name_matches("\xE3", "\xC3"));
  EXPECT_TRUE(name_matches("a*", "a\xFF\x80"));
}

TEST(BoneNames, APatternWithoutPrefixMatchesBehindEveryPrefix) {
  for (const char* name :
       {"Hips", "mixamorig:Hips", "Armature|Hips", "rig:Hips", "Scene|mixamorig:Hips"})
    EXPECT_TRUE(name_matches("hips", name)) << name;
  EXPECT_FALSE(name_matches("mixa*", "mixamorig:Hips"));
  EXPECT_TRUE(name_matches("odd:", "odd:"));
}

TEST(BoneNames, APatternWithPrefixMatchesOnlyUnderThatPrefix) {
  EXPECT_TRUE(name_matches("mixamorig:Hips", "mixamorig:Hips"));
  EXPECT_TRUE(name_matches("mixamorig:Hips", "Armature|mixamorig:Hips"));
  EXPECT_TRUE(name_matches("*:Hips", "rig:Hips"));
  EXPECT_FALSE(name_matches("mixamorig:Hips", "Hips"));
  EXPECT_FALSE(name_matches("mixamorig:Hips", "rig:Hips"));
}

TEST(BoneNames, ANameMatchesItselfWhateverItContains) {
  for (const char* name : {"a*b", "[", "[x]", "what?", "a[b", "*", "[!", "[]"})
    EXPECT_TRUE(name_matches(name, name)) << name;
}

TEST(BoneNames, AllBonesThatShareANameMatch) {
  const Skeleton skeleton = skeleton_of({"Root", "Arm", "arm", "rig:ARM", "Leg"});
  EXPECT_EQ(matched(skeleton, {"arm"}), (std::vector<int>{1, 2, 3}));
}

TEST(BoneNames, PatternsThatOverlapGiveEachBoneOnceAscending) {
  const Skeleton skeleton = skeleton_of({"Root", "Arm", "Leg", "ArmTwist"});
  EXPECT_EQ(matched(skeleton, {"leg", "arm*", "*t*"}), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(matched(skeleton, {}), std::vector<int>{});
}

TEST(BoneNames, APatternThatMatchesNothingNamesTheNearestBone) {
  const Skeleton skeleton = skeleton_of({"Hips", "mixamorig:Spine", "LeftShoulder"});
  const std::vector<std::string> misspelt{"Hips", "LeftShuolder"};
  const auto result = match_bones(skeleton, misspelt);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::bad_argument);
  EXPECT_EQ(result.error().message,
            "no bone matches 'LeftShuolder'; the nearest name is 'LeftShoulder'");

  const std::vector<std::string> glob{"spime*"};
  EXPECT_EQ(match_bones(skeleton, glob).error().message,
            "no bone matches 'spime*'; the nearest name is 'mixamorig:Spine'");
  EXPECT_EQ(match_bones(Skeleton(), glob).error().message,
            "no bone matches 'spime*'; there are no bones");
}

// A second, literal matcher: recursion over the definition.
bool literal_match(std::string_view glob, std::string_view name) {
  if (glob.empty()) return name.empty();
  if (glob[0] == '*')
    return literal_match(glob.substr(1), name) ||
           (!name.empty() && literal_match(glob, name.substr(1)));
  if (name.empty()) return false;
  return (glob[0] == '?' || glob[0] == name[0]) && literal_match(glob.substr(1), name.substr(1));
}

TEST(BoneNames, AgreesWithALiteralMatcherOnRandomGlobs) {
  std::mt19937 random(7);
  const auto word = [&](std::string_view letters, unsigned max_length) {
    std::string text(random() % (max_length + 1), ' ');
    for (char& c : text) c = letters[random() % letters.size()];
    return text;
  };
  for (int trial = 0; trial < 20000; ++trial) {
    const std::string glob = word("ab*?", 6), name = word("ab", 8);
    EXPECT_EQ(name_matches(glob, name), literal_match(glob, name)) << glob << " against " << name;
  }
}

TEST(BoneNames, AnyBytesAreAPatternAndAName) {
  std::mt19937 random(11);
  for (int trial = 0; trial < 5000; ++trial) {
    std::string glob(random() % 12, ' '), name(random() % 12, ' ');
    for (char& c : glob) c = random() % 2 ? "[]!*?-:|"[random() % 8] : static_cast<char>(random());
    for (char& c : name) c = static_cast<char>(random());
    (void)name_matches(glob, name);
    EXPECT_TRUE(name_matches(name, name));
    EXPECT_TRUE(name_matches("*", name));
  }
}

}  // namespace
}  // namespace sinew
