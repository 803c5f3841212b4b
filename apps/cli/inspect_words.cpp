// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "inspect_words.h"

#include <fmt/format.h>

#include "character_lines.h"
#include "interior_words.h"
#include "sinew/report/inspection_json.h"
#include "skin_words.h"
#include "text.h"

namespace sinew::cli {
namespace {

constexpr std::size_t kListedClips = 12;
constexpr std::size_t kListedProps = 6;
constexpr std::size_t kListedBones = 8;

std::string size_line(const Inspection& i) {
  return fmt::format("{:.3g} x {:.3g} x {:.3g} m (x, y, z)", i.size.x(), i.size.y(), i.size.z());
}

std::string clips_line(const Inspection& i) {
  std::vector<std::string> clips;
  for (const ClipSummary& clip : i.clips)
    clips.push_back(fmt::format("{} {:.3g} s", named(clip.name), clip.end_s - clip.start_s));
  return listed(clips, kListedClips);
}

std::string props_line(const Inspection& i) {
  std::vector<std::string> props;
  for (const PropSummary& prop : i.props)
    props.push_back(fmt::format("{} on {}", named(prop.name), named(prop.bone)));
  return listed(props, kListedProps);
}

std::string weights_line(const Inspection& i) {
  if (i.weighted == 0) return "none";
  std::string line = fmt::format("{} at most, {:.2g} on average, stored sums within {:.1g} of 1",
                                 counted(i.max_influences, "influence", "influences"),
                                 i.mean_influences, i.sum_error);
  if (i.unweighted > 0)
    line += fmt::format("; {} without weight", counted(i.unweighted, "vertex", "vertices"));
  if (i.unused_joints > 0)
    line += fmt::format("; {} without vertices", counted(i.unused_joints, "joint", "joints"));
  return line;
}

std::string roles_line(const Inspection& i) {
  std::vector<std::string> controls;
  for (std::size_t j = 0; j < i.roles.size(); ++j)
    if (!i.roles[j].deforms) controls.push_back(named(i.bones[j].name));
  std::string line = fmt::format("{} deform", i.deforming());
  if (!controls.empty())
    line += fmt::format(", {} {} not: {}", controls.size(), controls.size() == 1 ? "does" : "do",
                        listed(controls, kListedBones));
  return line;
}

/// Empty where no bone has become one.
std::string rows_line(const Inspection& i) {
  std::vector<std::string> rows;
  for (const RowOfJoints& row : rows_of_joints(i))
    rows.push_back(fmt::format(
        "{} ({}) as {}, {} to {}", named(i.bones[static_cast<std::size_t>(row.bone)].name),
        to_string(row.kind), counted(row.joints.size(), "joint", "joints"),
        named(i.bones[row.joints.front()].name), named(i.bones[row.joints.back()].name)));
  return listed(rows, kListedBones);
}

/// Empty where all bones are rigid.
std::string spines_line(const Inspection& i) {
  std::vector<std::string> spines;
  for (const BoneSummary& bone : i.bones)
    if (bone.kind != BoneKind::rigid)
      spines.push_back(fmt::format("{} ({})", named(bone.name), to_string(bone.kind)));
  return listed(spines, kListedBones);
}

std::string hierarchy_line(const Inspection& i) {
  std::vector<std::string> rehung;
  for (const Rehung& each : i.hierarchy.rehung)
    rehung.push_back(fmt::format("{} on {}",
                                 named(i.bones[static_cast<std::size_t>(each.bone)].name),
                                 named(i.bones[static_cast<std::size_t>(each.to)].name)));
  return fmt::format(
      "{} elsewhere than in the file: {}",
      rehung.size() == 1 ? "1 bone hangs" : fmt::format("{} bones hang", rehung.size()),
      listed(rehung, kListedBones));
}

void print_quality(Session& session, const Inspection& i) {
  if (!i.quality) return;
  const WeightQuality& q = *i.quality;
  std::string arap = fmt::format("{:.3g}", q.arap);
  if (q.clips) arap += fmt::format(", clips {:.3g}", *q.clips);
  session.print_row("arap", arap + fmt::format(", worst pose {:.3g}", q.arap_worst));
  session.print_row("follow", fmt::format("{:.2f}, least {:.2f}", q.follow, q.follow_min));
  if (i.parts > 1)
    session.print_row("drift", fmt::format("{:.2f}% over {} parts", q.drift, i.parts));
  if (q.worst_bone)
    session.print_row(
        "worst",
        fmt::format("{} {:.3g}{}",
                    printable(named(i.bones[static_cast<std::size_t>(*q.worst_bone)].name)),
                    q.worst_bone_arap, turned(q.worst_bone_turn_deg)));
  if (q.limbs)
    session.print_row(
        "limb",
        fmt::format(
            "{:.3g} at {}, {}", q.limbs->arap,
            q.limbs->worst.bone < 0
                ? std::string("nothing")
                : printable(named(i.bones[static_cast<std::size_t>(q.limbs->worst.bone)].name)),
            q.limbs->pose_name));
  if (q.skin)
    print_skin(session, *q.skin, std::nullopt, [&](int bone) {
      return printable(named(i.bones[static_cast<std::size_t>(bone)].name));
    });
  std::string maps = fmt::format("{} dead, {}, rough {:.2g}", counted(q.dead, "bone", "bones"),
                                 counted(q.islands, "island", "islands"), q.rough);
  if (q.lost) maps += fmt::format(", {} lost", counted(*q.lost, "bone", "bones"));
  if (q.control_weight > 0)
    maps += fmt::format(", {:.3g} of the weight where none belongs", q.control_share);
  session.print_row("maps", maps);
}

/// `file` is said where it is another than the one that the report is about.
void print_notices(Session& session, const std::string& file, const Notices& notices) {
  for (const Notice& notice : notices) {
    if (notice.code == "armature_scale") continue;  // the row of the bind pose says so
    const std::string place = notice.place.empty() ? "" : notice.place + ": ";
    session.print_row(notice.level == Notice::Level::warning ? "warning" : "note",
                      (file.empty() ? "" : file + ": ") + place + notice.message);
  }
}

void print_bones(Session& session, const InspectedCharacter& report) {
  for (const int index : report.listed_bones) {
    const BoneSummary& bone = report.inspection.bones[static_cast<std::size_t>(index)];
    const std::string parent =
        bone.parent < 0
            ? "a root"
            : "under " + named(report.inspection.bones[static_cast<std::size_t>(bone.parent)].name);
    const std::string kind = bone.part_of ? "of a row, "
                             : bone.kind == BoneKind::rigid
                                 ? std::string()
                                 : fmt::format("{}, ", to_string(bone.kind));
    const std::string length =
        bone.length > 0 ? fmt::format("length {:.3g} m", bone.length) : std::string("no tail");
    session.print_row(
        "bone", fmt::format("{} ({}), {}{}, {}, {:.1f}% of the weight, "
                            "strongest on {}",
                            named(bone.name), index, kind, parent, length, 100 * bone.weight_share,
                            counted(bone.dominated, "vertex", "vertices")));
  }
}

void print_character(Session& session, const LoadedInput& input, const InspectedCharacter& report) {
  const Inspection& i = report.inspection;
  session.print_row("size", size_line(i));
  if (i.joints > 0) session.print_row("bind pose", bind_pose_line(input.bind_pose, i.bind));
  if (!i.clips.empty()) session.print_row("clips", clips_line(i));
  if (!i.props.empty()) session.print_row("props", props_line(i));
  session.print_row("weights", weights_line(i));
  if (i.joints > 0) session.print_row("bones", roles_line(i));
  if (const std::string spines = spines_line(i); !spines.empty())
    session.print_row("spines", spines);
  if (const std::string rows = rows_line(i); !rows.empty()) session.print_row("rows", rows);
  if (!i.hierarchy.rehung.empty()) session.print_row("hierarchy", hierarchy_line(i));
  print_quality(session, i);
  if (report.interior) print_interior(session, *report.interior, i.bones);
  print_bones(session, report);
  print_notices(session, "", i.notices);
}

}  // namespace

void print_inspection(Session& session, const InspectJobResult& result) {
  const LoadedInput& input = result.input;
  const std::vector<InspectedCharacter>& characters = result.characters;
  const std::string file = input.path.filename().string();
  if (characters.size() == 1) {
    session.print_row(file, counts_line(characters[0].inspection));
    print_character(session, input, characters[0]);
  } else {
    session.print_row(file, counted(characters.size(), "character", "characters"));
    for (const InspectedCharacter& each : characters) {
      session.print("");
      session.print_row("character", fmt::format("{}: {}", named(each.inspection.name),
                                                 counts_line(each.inspection)));
      print_character(session, input, each);
    }
  }
  for (const FileNotices& each : input.notices)
    print_notices(session, each.file == input.path.string() ? "" : each.file, each.notices);
}

}  // namespace sinew::cli
