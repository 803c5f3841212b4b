// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "bind/bind_report.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "model/spine_rows.h"

namespace sinew {
namespace {

/// What a bind knows at its end.
struct BindFindings {
  const Character& character;
  const PreparedBind& found;
  const PreparedMesh& prepared;
  const SkinWeights& weights;  // per welded vertex
};

constexpr double kZeroAreaRel = 1e-12;  // of the squared diagonal: floats cannot tell it from none
constexpr double kOnBoneRel = 1e-6;     // of the diagonal
constexpr double kOnePlaceRel = 1e-6;   // of the diagonal; joints nearer than that are at one place
constexpr double kFarRel = 0.05;        // of the diagonal; a part that floats so far off is odd
constexpr std::size_t kNamesInANotice = 6;  // more would not fit a line or two

std::string bone_name(const Skeleton& skeleton, int bone) {
  const std::string& name = skeleton.bone(bone).name;
  return name.empty() ? fmt::format("bone {}", bone) : name;
}

/// "A, B and 3 more".
std::string listed(std::span<const std::string> names) {
  const std::size_t shown = names.size() <= kNamesInANotice ? names.size() : kNamesInANotice - 1;
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) text += (i == 0 ? "" : ", ") + names[i];
  if (shown < names.size()) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

void describe_triangles(const PreparedMesh& prepared, BindReport& report) {
  std::vector<Triangle> sorted;
  sorted.reserve(prepared.mesh.triangles().size());
  for (Triangle triangle : prepared.mesh.triangles()) {
    const Vec3& a = prepared.mesh.positions()[triangle[0]];
    const Vec3 normal = (prepared.mesh.positions()[triangle[1]] - a)
                            .cross(prepared.mesh.positions()[triangle[2]] - a);
    if (normal.norm() / 2 <= kZeroAreaRel) ++report.zero_area_triangles;
    std::sort(triangle.begin(), triangle.end());
    sorted.push_back(triangle);
  }
  report.zero_area_triangles += prepared.welded.collapsed_triangles;
  std::sort(sorted.begin(), sorted.end());
  report.duplicate_triangles =
      sorted.size() -
      static_cast<std::size_t>(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
}

std::string mesh_name_at(const Character& character, const WeldedMesh& welded, VertexIndex place) {
  const std::size_t vertex = welded.copies[welded.copies_begin[place]];
  for (const MeshPart& part : character.parts)
    if (vertex >= part.first_vertex && vertex < part.first_vertex + part.vertex_count)
      return part.name;
  return {};
}

LinkedPart describe_link(const BindFindings& findings, const PartLink& link) {
  const std::vector<VertexIndex>& members =
      findings.prepared.parts.members[static_cast<std::size_t>(link.part)];
  LinkedPart described;
  described.name = mesh_name_at(findings.character, findings.prepared.welded, members.front());
  described.vertices = members.size();
  described.gap_rel = link.gap;
  described.far = link.gap > kFarRel;
  Box box;
  std::map<std::uint32_t, double> carried;
  for (const VertexIndex v : members) {
    box.extend(findings.prepared.welded.mesh.positions()[v]);
    for (const Influence& influence : findings.weights.row(v))
      carried[influence.bone] += influence.weight;
  }
  described.centre = box.center();
  const auto main_bone =
      std::max_element(carried.begin(), carried.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  if (main_bone != carried.end())
    described.bone = bone_name(findings.character.skeleton, static_cast<int>(main_bone->first));
  return described;
}

RigidPart describe_rigid(const BindFindings& findings, std::size_t part) {
  const std::vector<VertexIndex>& members = findings.prepared.parts.members[part];
  RigidPart described;
  described.name = mesh_name_at(findings.character, findings.prepared.welded, members.front());
  described.vertices = members.size();
  described.bone = bone_name(findings.character.skeleton, findings.found.first.rigid_parts[part]);
  Box box;
  for (const VertexIndex v : members) box.extend(findings.prepared.welded.mesh.positions()[v]);
  described.centre = box.center();
  return described;
}

void describe_bones(const BindFindings& findings, BindReport& report) {
  const Skeleton& skeleton = findings.character.skeleton;
  const std::vector<double> carried = findings.weights.weight_per_bone();
  std::set<int> stood_for;  // rows carry what these would
  for (const SpineRow& row : find_spine_rows(skeleton)) stood_for.insert(row.bone);
  std::vector<int> deforming;
  for (int bone = 0; bone < static_cast<int>(skeleton.bone_count()); ++bone) {
    if (!report.roles[static_cast<std::size_t>(bone)].deforms) continue;
    deforming.push_back(bone);
    if (carried[static_cast<std::size_t>(bone)] <= 0 && !stood_for.contains(bone))
      report.bones_without_vertices.push_back(bone);
  }
  for (std::size_t a = 0; a < deforming.size(); ++a)
    for (std::size_t b = a + 1; b < deforming.size(); ++b)
      if ((skeleton.bone(deforming[a]).head() - skeleton.bone(deforming[b]).head()).norm() <=
          kOnePlaceRel * findings.prepared.frame.diagonal)
        report.joints_at_one_place.emplace_back(deforming[a], deforming[b]);
}

/// Names of the bones that were left out for a reason.
std::vector<std::string> left_out(const Skeleton& skeleton, const BindReport& report,
                                  RoleReason reason) {
  std::vector<std::string> names;
  for (std::size_t bone = 0; bone < report.roles.size(); ++bone)
    if (!report.roles[bone].deforms && report.roles[bone].reason == reason)
      names.push_back(bone_name(skeleton, static_cast<int>(bone)));
  return names;
}

std::vector<std::string> names_of(const Skeleton& skeleton, std::span<const int> bones) {
  std::vector<std::string> names;
  for (const int bone : bones) names.push_back(bone_name(skeleton, bone));
  return names;
}

class NoticeList {
 public:
  void note(std::string code, std::string message, std::string place = {}) {
    notices_.push_back(
        {Notice::Level::note, std::move(code), std::move(place), std::move(message)});
  }
  void warn(std::string code, std::string message, std::string place = {}) {
    notices_.push_back(
        {Notice::Level::warning, std::move(code), std::move(place), std::move(message)});
  }
  Notices take() { return std::move(notices_); }

 private:
  Notices notices_;
};

void notice_bones(const Skeleton& skeleton, const BindReport& report, NoticeList& notices) {
  const auto skipped = [&](RoleReason reason, std::string_view why) {
    const std::vector<std::string> names = left_out(skeleton, report, reason);
    if (!names.empty())
      notices.note("control_bones",
                   fmt::format("nothing is bound to {}: {}; --bones NAME binds to them",
                               listed(names), why));
  };
  skipped(RoleReason::no_weights, "the file's own weights never use them");
  skipped(RoleReason::hardly_used, "the file's own weights hardly use them");
  skipped(RoleReason::carries_prop,
          "they carry rigid meshes, and the file's own weights never use them");
  skipped(RoleReason::name, "their names are those of controls");
  skipped(RoleReason::outside, "they lie outside the mesh");

  std::vector<std::string> moved;
  std::vector<std::string> chained;
  for (const Rehung& each : report.hierarchy.rehung)
    (each.why == Rehung::Why::flat ? chained : moved)
        .push_back(fmt::format("{} on {}", bone_name(skeleton, each.bone),
                               each.to < 0 ? "nothing" : bone_name(skeleton, each.to)));
  if (!moved.empty())
    notices.note("rehung_bones",
                 fmt::format("{} taken to hang on what they move with in the clips, not where "
                             "the file has them: {}; --hierarchy file keeps to the file",
                             counted(moved.size(), "bone is", "bones are"), listed(moved)));
  if (!chained.empty())
    notices.note("flat_skeleton",
                 fmt::format("all joints are children of one; chains were guessed from names "
                             "and distances: {}; --hierarchy file keeps to the file",
                             listed(chained)));
  if (!report.guessed_tails.empty())
    notices.note(
        "guessed_tails",
        fmt::format("the file does not say where {}: {}; taken as the end of the mesh there; "
                    "a tail in --rig says better",
                    report.guessed_tails.size() == 1 ? "this bone ends" : "these bones end",
                    listed(names_of(skeleton, report.guessed_tails))));
  if (!report.joints_at_one_place.empty()) {
    std::vector<std::string> pairs;
    for (const auto& [a, b] : report.joints_at_one_place)
      pairs.push_back(bone_name(skeleton, a) + " with " + bone_name(skeleton, b));
    notices.note(
        "joints_at_one_place",
        fmt::format("joints at one place: {}; vertices nearest to it are shared between them",
                    listed(pairs)));
  }
  if (!report.bones_without_vertices.empty())
    notices.warn(
        "bones_without_vertices",
        fmt::format("no vertex moves with {}: other bones are nearer, or the mesh hides them",
                    listed(names_of(skeleton, report.bones_without_vertices))));
}

/// One warning for all of them, about the largest first.
void notice_far_parts(const BindReport& report, NoticeList& notices) {
  std::vector<const LinkedPart*> far;
  for (const LinkedPart& part : report.linked)
    if (part.far) far.push_back(&part);
  if (far.empty()) return;
  std::stable_sort(far.begin(), far.end(), [](const LinkedPart* a, const LinkedPart* b) {
    return a->vertices > b->vertices;
  });
  std::vector<std::string> described;
  for (const LinkedPart* part : far)
    described.push_back(
        fmt::format("{} around ({:.3g}, {:.3g}, {:.3g}), {:.2g} times the character's size away, "
                    "moving with {}",
                    counted(part->vertices, "vertex", "vertices"), part->centre.x(),
                    part->centre.y(), part->centre.z(), part->gap_rel, part->bone));
  notices.warn("far_parts",
               fmt::format("{} far from the rest: {}",
                           counted(far.size(), "part floats", "parts float"), listed(described)),
               far.front()->name);
}

void notice_mesh(const BindReport& report, NoticeList& notices) {
  if (report.unreferenced_vertices > 0)
    notices.note("unreferenced_vertices",
                 fmt::format("{} no face; weighted by the nearest bone",
                             counted(report.unreferenced_vertices, "vertex belongs to",
                                     "vertices belong to")));
  if (report.zero_area_triangles > 0)
    notices.note("zero_area_triangles",
                 fmt::format("{} no area", counted(report.zero_area_triangles, "triangle has",
                                                   "triangles have")));
  if (report.duplicate_triangles > 0)
    notices.note("duplicate_triangles",
                 fmt::format("{} there already",
                             counted(report.duplicate_triangles, "triangle is", "triangles are")));
  if (report.vertices_on_bones > 0)
    notices.note("vertices_on_bones",
                 fmt::format("{} on a bone",
                             counted(report.vertices_on_bones, "vertex lies", "vertices lie")));
  if (report.parts_by_distance > 0)
    notices.warn("unseen_parts",
                 fmt::format("{} by no bone; weighted by distance, through whatever is in between",
                             counted(report.parts_by_distance, "part is seen", "parts are seen")));
  notice_far_parts(report, notices);
}

}  // namespace

void describe_bind(const Character& character, const PreparedBind& prepared,
                   const SkinWeights& weights, BindReport& report) {
  const BindFindings findings{character, prepared, prepared.mesh, weights};
  const PreparedMesh& mesh = prepared.mesh;
  report.welded_vertices = mesh.mesh.vertex_count();
  report.parts = mesh.parts.count();
  report.parts_by_distance = prepared.first.blind_parts.size();
  if (prepared.first.interior) report.interior = prepared.first.interior;
  describe_triangles(mesh, report);
  report.unreferenced_vertices =
      static_cast<std::size_t>(std::ranges::count(mesh.parts.of_vertex, -1));
  report.vertices_on_bones = static_cast<std::size_t>(std::ranges::count_if(
      prepared.cells.distance, [](double distance) { return distance <= kOnBoneRel; }));
  for (const PartLink& link : prepared.links)
    report.linked.push_back(describe_link(findings, link));
  const std::vector<int>& rigid = prepared.first.rigid_parts;
  for (std::size_t part = 0; part < rigid.size(); ++part)
    if (rigid[part] >= 0) report.rigid.push_back(describe_rigid(findings, part));
  describe_bones(findings, report);
}

Notices bind_notices(const Character& character, const BindReport& report) {
  NoticeList notices;
  notice_bones(character.skeleton, report, notices);
  notice_mesh(report, notices);
  if (report.solve && report.solve->is_mirror_missing)
    notices.warn("no_mirror",
                 "no two joints with names of left and right are images of each other across x: "
                 "the sides were solved apart");
  return notices.take();
}

}  // namespace sinew
