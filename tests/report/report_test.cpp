// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/report/report.h"

#include <cmath>

#include <gtest/gtest.h>

#include "examples/characters/characters.h"
#include "sinew/poses/limb_poses.h"
#include "support/gltf_samples.h"
#include "support/temporary_folder.h"

namespace sinew::test {
namespace {

constexpr std::string_view kPage = "<p><!--SINEW-PAYLOAD--></p>";

struct LoadedFile {
  Document document;
  LoadedCharacter character;

  explicit LoadedFile(Document made)
      : document(std::move(made)), character(read_characters(document)->front()) {}
  [[nodiscard]] ReportFile file(const std::string& label) const {
    ReportFile file;
    file.name = label + ".glb";
    file.label = label;
    file.document = &document;
    file.character = &character;
    return file;
  }
};

const LoadedFile& tube() {
  static const LoadedFile loaded(make_tube_document());
  return loaded;
}

/// The same with every vertex on the bone that dominates it.
LoadedFile make_stiff(const LoadedFile& soft) {
  Document document = soft.document;
  std::vector<std::vector<Influence>> rows;
  for (const int bone : dominant_bones(soft.character.character.weights))
    rows.push_back({{static_cast<std::uint32_t>(bone), 1}});
  const std::size_t bones = soft.character.character.skeleton.bone_count();
  EXPECT_TRUE(write_weights(document, soft.character, SkinWeights::from_rows(bones, rows)).ok());
  return LoadedFile(std::move(document));
}

const LoadedFile& stiff_tube() {
  static const LoadedFile loaded = make_stiff(tube());
  return loaded;
}

ReportOptions few_poses() {
  ReportOptions options;
  options.judging.poses = 4;
  options.judging.clip_frames = 2;
  return options;
}

TEST(Report, FiguresAreThoseOfInspect) {
  const std::vector<ReportFile> files{tube().file("soft"), stiff_tube().file("stiff")};
  const Report report = *make_report(files, few_poses());
  InspectOptions inspect{few_poses().judging, nullptr};
  const Inspection soft = *inspect_character(tube().character, inspect);
  inspect.original = &tube().character.character;
  const Inspection stiff = *inspect_character(stiff_tube().character, inspect);
  for (const auto& [f, inspection] : {std::pair(0, soft), std::pair(1, stiff)})
    for (const Figure& figure : figures(inspection)) {
      const Json& told =
          report.payload["files"][static_cast<std::size_t>(f)]["figures"][std::string(figure.name)];
      if (std::isnan(figure.value))
        EXPECT_TRUE(told.is_null()) << figure.name;
      else
        EXPECT_EQ(told.get<double>(), figure.value) << figure.name;
    }
}

TEST(Report, EveryPoseHasATransformForEveryBoneOfEveryFile) {
  const LoadedFile biped(*make_document(make_example("biped", {.vertices = 2000})->character));
  const LoadedFile stiff = make_stiff(biped);
  const std::vector<ReportFile> files{biped.file("a"), stiff.file("b")};
  const Report report = *make_report(files, few_poses());
  const std::size_t floats = 12 * biped.character.character.skeleton.bone_count();
  std::size_t limbs = 0, random = 0, clips = 0;
  for (const Json& pose : report.payload["poses"]) {
    ASSERT_EQ(pose["per_file"].size(), 2u);
    ASSERT_EQ(pose["arap"].size(), 2u);
    limbs += pose["kind"] == "limb";
    random += pose["kind"] == "random";
    clips += pose["kind"] == "clip";
    for (const Json& in_file : pose["per_file"])
      if (pose["kind"] == "clip")
        EXPECT_EQ(in_file["clip"]["name"], "Walk");
      else
        EXPECT_EQ(in_file["transforms"].get<std::string>().size(), (4 * floats + 2) / 3 * 4);
    EXPECT_EQ(pose["per_file"][0], pose["per_file"][1]) << "one skeleton, one pose";
  }
  EXPECT_EQ(limbs, limb_poses(biped.character.character.skeleton, report.inspections[0].roles,
                              report.inspections[0].hierarchy)
                       .size());
  EXPECT_GE(limbs, 6u);
  EXPECT_EQ(random, 4u);
  EXPECT_EQ(clips, 1u);
}

TEST(Report, TheWorstPoseIsThatOfTheFileThatIsDistortedMost) {
  const std::vector<ReportFile> files{tube().file("soft"), stiff_tube().file("stiff")};
  const Report report = *make_report(files, few_poses());
  const Json& worst = report.payload["worst"];
  EXPECT_EQ(worst["file"], 1);
  EXPECT_EQ(report.payload["poses"][worst["pose"].get<std::size_t>()]["arap"][1],
            report.payload["files"][1]["figures"]["arap_worst"]);
  Vec3 place(worst["at"][0].get<double>(), worst["at"][1].get<double>(),
             worst["at"][2].get<double>());
  double nearest = 1;
  for (const Vec3& position : stiff_tube().character.character.mesh.positions())
    nearest = std::min(nearest, (position - place).norm());
  EXPECT_LT(nearest, 1e-9) << "the place is on the mesh at rest";
}

TEST(Report, AScaledCopyTakesThePosesOfTheFirstFile) {
  Document document = tube().document;
  Json root = {{"scale", {100, 100, 100}}, {"children", document.json["scenes"][0]["nodes"]}};
  document.json["scenes"][0]["nodes"] = Json::array({document.json["nodes"].size()});
  document.json["nodes"].push_back(std::move(root));
  const LoadedFile large(std::move(document));
  const std::vector<ReportFile> files{tube().file("metres"), large.file("centimetres")};
  const Report report = *make_report(files, few_poses());
  for (const Json& pose : report.payload["poses"]) {
    if (pose["kind"] == "clip") continue;
    EXPECT_NEAR(pose["arap"][1].get<double>(), pose["arap"][0].get<double>(),
                1e-6 + 1e-4 * pose["arap"][0].get<double>())
        << pose["name"];
  }
}

TEST(Report, FilesOfTheSameContentShareTheirBytes) {
  const std::vector<ReportFile> files{tube().file("a"), tube().file("b"), stiff_tube().file("c")};
  const Report report = *make_report(files, few_poses());
  EXPECT_EQ(report.blobs.size(), 2u);
  EXPECT_EQ(report.payload["files"][1]["blob"], 0);
  EXPECT_EQ(report.payload["files"][2]["blob"], 1);
}

TEST(Report, AFileWithoutWeightsIsShownAsAFailure) {
  Document bare = tube().document;
  for (Json& primitive : bare.json["meshes"][0]["primitives"]) {
    primitive["attributes"].erase("JOINTS_0");
    primitive["attributes"].erase("WEIGHTS_0");
  }
  const LoadedFile unbound(std::move(bare));
  const std::vector<ReportFile> files{tube().file("artist"), unbound.file("method")};
  const Report report = *make_report(files, few_poses());
  EXPECT_EQ(report.payload["files"][1]["failed"], "no vertex has any weight");
  EXPECT_FALSE(report.payload["files"][0].contains("failed"));
  EXPECT_EQ(report.payload["verdict"], "method failed: no vertex has any weight.");
}

TEST(Report, WarningsAreSentencesAndPlacesAreOnTheMesh) {
  ReportOptions options = few_poses();
  options.max_influences = 1;
  const Report report = *make_report(std::vector{tube().file("a")}, options);
  bool has_place = false;
  for (const Json& warning : report.payload["files"][0]["warnings"]) {
    EXPECT_TRUE(warning["message"].get<std::string>().ends_with(".")) << warning;
    has_place |= warning["code"] == "too_many_influences" && warning.contains("at");
  }
  EXPECT_TRUE(has_place);
}

TEST(Report, NamesThatLookLikeMarkupCannotEndTheScript) {
  ReportFile file = tube().file("</script><!--<script>");
  ReportOptions options = few_poses();
  options.judging.poses = 0;
  const Report report = *make_report(std::vector{file}, options);
  const std::string html = *write_report(report, kPage);
  const std::size_t begin = html.find('{');
  const std::size_t end = html.find("</script>");
  const std::string text = html.substr(begin, end - begin);
  EXPECT_EQ(text.find("<!--"), std::string::npos);
  EXPECT_EQ(Json::parse(text)["files"][0]["label"], file.label);
  EXPECT_TRUE(html.starts_with("<p><script type=\"application/json\" id=\"sinew-report\">"));
  EXPECT_TRUE(html.ends_with("</script></p>"));
}

TEST(Report, APageWithoutAPlaceForItsDataIsRefused) {
  EXPECT_FALSE(write_report({}, "<p></p>").ok());
  EXPECT_FALSE(write_report({}, "<!--SINEW-PAYLOAD--><!--SINEW-PAYLOAD-->").ok());
}

TEST(Report, TheBuiltPageHasItsPlace) {
  if (report_page().empty()) GTEST_SKIP() << "built without SINEW_WITH_REPORT";
  EXPECT_TRUE(write_report({}).ok());
}

TEST(EnergyLog, ColumnsAreFoundByTheirNames) {
  const TemporaryFolder folder;
  const auto points = *read_energy_log(
      folder.write("log.csv", "time, energy, iteration\r\n0.1, 5e-1, 0\r\n0.2,0.25,1\r\n\r\n"));
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].energy, 0.5);
  EXPECT_EQ(points[1].iteration, 1);
}

TEST(EnergyLog, ALineWithoutNumbersIsRefusedByItsNumber) {
  const TemporaryFolder folder;
  const auto refused = read_energy_log(folder.write("a.csv", "iteration,energy\n0,1\n1,much\n"));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().place, "line 3");
  EXPECT_FALSE(read_energy_log(folder.write("b.csv", "a,b\n1,2\n")).ok());
  EXPECT_FALSE(read_energy_log(folder.write("c.csv", "iteration,energy\n")).ok());
}

}  // namespace
}  // namespace sinew::test
