// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "edit/edit_draft.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace sinew {
namespace {

/// What a removed bone leaves to the others must be worth scaling them up by.
constexpr double kLeastRest = 1e-3;
constexpr double kSumSlack = 1e-9;  // values that sum to more than one by rounding still fit
constexpr ConstraintOrigin kPainted = ConstraintOrigin::revision;  // nothing else is revised in

Error wrong(std::string place, std::string what) {
  return Error{ErrorCode::bad_argument, std::move(place), std::move(what)};
}

Status check_stiffness(double stiffness_rel, const std::string& place) {
  if (stiffness_rel > 0 && std::isfinite(stiffness_rel)) return {};
  return wrong(place + ".stiffness_rel", "must be above zero");
}

/// The row without one place, which the others take over.
void remove_place(std::vector<double>& row, std::size_t place) {
  const double lost = row[place];
  row.erase(row.begin() + static_cast<std::ptrdiff_t>(place));
  const double rest = 1 - lost;
  if (rest > kLeastRest)
    for (double& weight : row) weight /= rest;
  else
    *std::max_element(row.begin(), row.end()) += lost;
}

using Weight = EditedParts::Weight;

}  // namespace

std::string_view name_of(const WeightEdit& edit) {
  constexpr std::array<std::string_view, std::variant_size_v<WeightEdit>> names{
      "add_influence",   "remove_influence", "connect_wires",      "set_weights",
      "flatten_weights", "clear_weights",    "release_attachments"};
  return names[edit.index()];
}

EditDraft::EditDraft(const Solver& solver, EditedParts parts)
    : solver_(solver), parts_(std::move(parts)) {}

Status EditDraft::apply(const WeightEdit& edit, const std::string& place) {
  return std::visit([&](const auto& each) { return apply_one(each, place); }, edit);
}

Result<std::vector<VertexIndex>> EditDraft::checked(std::uint32_t bone,
                                                    const std::vector<VertexIndex>& vertices,
                                                    const std::string& place) const {
  if (bone >= solver_.problem.maps.bone_count)
    return wrong(place + ".bone", fmt::format("there is no bone {}", bone));
  for (std::size_t v = 0; v < vertices.size(); ++v)
    if (vertices[v] >= solver_.problem.positions.size())
      return wrong(fmt::format("{}.vertices[{}]", place, v),
                   fmt::format("there is no vertex {}", vertices[v]));
  std::vector<VertexIndex> sorted = vertices;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return sorted;
}

std::span<const std::uint32_t> EditDraft::bones_of(std::size_t vertex) const {
  const auto edited = parts_.rows.find(static_cast<VertexIndex>(vertex));
  if (edited != parts_.rows.end()) return edited->second.bones;
  return solver_.problem.maps.bones_of(vertex);
}

std::span<const double> EditDraft::start_of(std::size_t vertex) const {
  const auto edited = parts_.rows.find(static_cast<VertexIndex>(vertex));
  if (edited != parts_.rows.end()) return edited->second.start;
  return solver_.problem.maps.weights_of(vertex);
}

bool EditDraft::has(std::size_t vertex, std::uint32_t bone) const {
  return std::ranges::binary_search(bones_of(vertex), bone);
}

SolverRevision::Row& EditDraft::row_to_change(VertexIndex vertex) {
  const auto [row, is_new] = parts_.rows.try_emplace(vertex);
  if (is_new) {
    const InfluenceMaps& maps = solver_.problem.maps;
    const auto bones = maps.bones_of(vertex);
    const auto start = maps.weights_of(vertex);
    const auto weights = std::span(solver_.weights).subspan(maps.begin[vertex], bones.size());
    row->second = {{bones.begin(), bones.end()},
                   {start.begin(), start.end()},
                   {weights.begin(), weights.end()}};
  }
  return row->second;
}

void EditDraft::add_bone(VertexIndex vertex, std::uint32_t bone) {
  SolverRevision::Row& row = row_to_change(vertex);
  const auto at = std::lower_bound(row.bones.begin(), row.bones.end(), bone) - row.bones.begin();
  row.bones.insert(row.bones.begin() + at, bone);
  row.start.insert(row.start.begin() + at, 0);
  row.weights.insert(row.weights.begin() + at, 0);
}

void EditDraft::remove_bone(VertexIndex vertex, std::uint32_t bone) {
  SolverRevision::Row& row = row_to_change(vertex);
  const auto at = std::lower_bound(row.bones.begin(), row.bones.end(), bone) - row.bones.begin();
  row.bones.erase(row.bones.begin() + at);
  remove_place(row.start, static_cast<std::size_t>(at));
  remove_place(row.weights, static_cast<std::size_t>(at));
}

template <class Unwanted>
void EditDraft::erase_constraints(const Unwanted& unwanted) {
  std::size_t kept = 0;
  for (std::size_t c = 0; c < parts_.held.constraints.size(); ++c) {
    if (unwanted(parts_.held.constraints[c], parts_.held.origins[c])) continue;
    parts_.held.constraints[kept] = parts_.held.constraints[c];
    parts_.held.origins[kept++] = parts_.held.origins[c];
  }
  parts_.held.constraints.resize(kept);
  parts_.held.origins.resize(kept);
}

void EditDraft::add_constraint(const WeightConstraint& constraint, ConstraintOrigin origin) {
  parts_.held.constraints.push_back(constraint);
  parts_.held.origins.push_back(origin);
}

Status EditDraft::apply_one(const AddInfluence& edit, const std::string& place) {
  SINEW_TRY(const std::vector<VertexIndex> vertices, checked(edit.bone, edit.vertices, place));
  for (const VertexIndex v : vertices) {
    const bool is_new = !has(v, edit.bone);
    if (is_new) add_bone(v, edit.bone);
    count(is_new);
  }
  return {};
}

Status EditDraft::apply_one(const RemoveInfluence& edit, const std::string& place) {
  SINEW_TRY(const std::vector<VertexIndex> vertices, checked(edit.bone, edit.vertices, place));
  std::set<VertexIndex> removed;
  for (const VertexIndex v : vertices) {
    const bool goes = has(v, edit.bone) && bones_of(v).size() > 1;
    count(goes);
    if (!goes) continue;
    remove_bone(v, edit.bone);
    removed.insert(v);
    parts_.gave_way.erase({v, edit.bone});
  }
  const auto is_removed = [&](const auto& constraint) {
    return constraint.bone == edit.bone && removed.contains(constraint.vertex);
  };
  erase_constraints(
      [&](const WeightConstraint& each, ConstraintOrigin) { return is_removed(each); });
  std::erase_if(parts_.held.flat, is_removed);
  for (auto& [weight, given] : parts_.gave_way) std::erase_if(given, is_removed);
  return {};
}

Status EditDraft::apply_one(const ConnectWires& edit, const std::string& place) {
  const auto sorted = [](const Edge& wire) { return std::minmax({wire[0], wire[1]}); };
  std::set<std::pair<VertexIndex, VertexIndex>> known;
  for (const Edge& wire : parts_.wires) known.insert(sorted(wire));
  for (std::size_t w = 0; w < edit.wires.size(); ++w) {
    const auto [a, b] = edit.wires[w];
    if (std::max(a, b) >= solver_.problem.positions.size())
      return wrong(fmt::format("{}.wires[{}]", place, w),
                   fmt::format("there is no vertex {}", std::max(a, b)));
    if (a == b)
      return wrong(fmt::format("{}.wires[{}]", place, w),
                   fmt::format("joins vertex {} to itself", a));
  }
  for (const Edge& wire : edit.wires) {
    const bool is_new = known.insert(sorted(wire)).second;
    count(is_new);
    if (!is_new) continue;
    parts_.wires.push_back(wire);
    for (const auto& [to, from] : {wire, Edge{wire[1], wire[0]}}) {
      const std::vector<std::uint32_t> theirs(bones_of(from).begin(), bones_of(from).end());
      for (const std::uint32_t bone : theirs)
        if (!has(to, bone)) add_bone(to, bone);
    }
  }
  return {};
}

Status EditDraft::apply_one(const SetWeights& edit, const std::string& place) {
  SINEW_TRY(const std::vector<VertexIndex> vertices, checked(edit.bone, edit.vertices, place));
  if (!(edit.target >= 0 && edit.target <= 1))
    return wrong(place + ".target", "a weight is between 0 and 1");
  SINEW_CHECK(check_stiffness(edit.stiffness_rel, place));
  std::set<VertexIndex> held;
  for (const VertexIndex v : vertices) {
    const bool is_there = has(v, edit.bone);
    count(is_there || edit.target > 0);
    if (!is_there && !(edit.target > 0)) continue;
    if (!is_there) add_bone(v, edit.bone);
    held.insert(v);
    parts_.gave_way.try_emplace({v, edit.bone});
  }
  erase_constraints([&](const WeightConstraint& each, ConstraintOrigin origin) {
    if (!held.contains(each.vertex)) return false;
    const bool is_same = each.bone == edit.bone;
    const bool fits = edit.target + each.target <= 1 + kSumSlack;
    if (!is_same && (fits || origin != ConstraintOrigin::given)) return false;
    if (origin == ConstraintOrigin::given)
      parts_.gave_way[{each.vertex, edit.bone}].push_back(each);
    return true;
  });
  for (const VertexIndex v : held)
    add_constraint(
        {v, edit.bone, edit.target, edit.stiffness_rel * paper_stiffness(solver_.problem, v)},
        kPainted);
  return {};
}

Status EditDraft::apply_one(const FlattenWeights& edit, const std::string& place) {
  SINEW_TRY(const std::vector<VertexIndex> vertices, checked(edit.bone, edit.vertices, place));
  SINEW_CHECK(check_stiffness(edit.stiffness_rel, place));
  const SparseMatrix& laplacian = solver_.problem.laplacian;
  if (laplacian.rows() != static_cast<Eigen::Index>(solver_.problem.positions.size()))
    return wrong(place, "the problem has no Laplacian to flatten by");
  std::set<VertexIndex> flat;
  for (const VertexIndex v : vertices) {
    bool is_near = false;
    for (SparseMatrix::InnerIterator entry(laplacian, v); entry && !is_near; ++entry)
      is_near = has(static_cast<std::size_t>(entry.row()), edit.bone);
    count(is_near);
    if (is_near) flat.insert(v);
  }
  std::erase_if(parts_.held.flat, [&](const FlatConstraint& each) {
    return each.bone == edit.bone && flat.contains(each.vertex);
  });
  for (const VertexIndex v : flat)
    parts_.held.flat.push_back(
        {v, edit.bone, edit.stiffness_rel * paper_stiffness(solver_.problem, v)});
  return {};
}

Status EditDraft::apply_one(const ClearWeights& edit, const std::string& place) {
  SINEW_TRY(const std::vector<VertexIndex> vertices, checked(edit.bone, edit.vertices, place));
  std::set<VertexIndex> cleared;
  std::set<VertexIndex> flat;
  for (const FlatConstraint& each : parts_.held.flat)
    if (each.bone == edit.bone) flat.insert(each.vertex);
  for (const VertexIndex v : vertices) {
    const bool is_painted = parts_.gave_way.contains({v, edit.bone});
    count(is_painted || flat.contains(v));
    cleared.insert(v);
  }
  erase_constraints([&](const WeightConstraint& each, ConstraintOrigin origin) {
    return origin == kPainted && each.bone == edit.bone && cleared.contains(each.vertex);
  });
  std::erase_if(parts_.held.flat, [&](const FlatConstraint& each) {
    return each.bone == edit.bone && cleared.contains(each.vertex);
  });
  for (const VertexIndex v : cleared) {
    const auto painted = parts_.gave_way.extract(Weight{v, edit.bone});
    if (painted.empty()) continue;
    for (const WeightConstraint& each : painted.mapped()) {
      // Another bone of the vertex may have been painted meanwhile.
      const auto still = parts_.gave_way.find({each.vertex, each.bone});
      if (still != parts_.gave_way.end())
        still->second.push_back(each);
      else
        add_constraint(each, ConstraintOrigin::given);
    }
  }
  return {};
}

Status EditDraft::apply_one(const ReleaseAttachments& edit, const std::string& place) {
  SINEW_TRY(const std::vector<VertexIndex> vertices, checked(edit.bone, edit.vertices, place));
  std::set<VertexIndex> released;
  erase_constraints([&](const WeightConstraint& each, ConstraintOrigin origin) {
    const bool goes = origin == ConstraintOrigin::given && each.target > 0 &&
                      each.bone == edit.bone &&
                      (vertices.empty() || std::ranges::binary_search(vertices, each.vertex));
    if (goes) released.insert(each.vertex);
    return goes;
  });
  changed_ += released.size();
  passed_over_ += vertices.empty() ? 0 : vertices.size() - released.size();
  return {};
}

bool EditDraft::ends_at(std::size_t vertex, std::uint32_t bone) const {
  const MeshGraph& graph = solver_.graph;
  for (std::size_t e = graph.begin[vertex]; e < graph.begin[vertex + 1]; ++e) {
    // A link counts one way only: a weight does not end because what sits there is without it.
    if (!(graph.edge_measure[e] > 0) || !(graph.edge_measure[edge_back(graph, vertex, e)] > 0))
      continue;
    if (!has(graph.neighbours[e], bone)) return true;
  }
  return false;
}

void EditDraft::move_fading_ends() {
  std::set<VertexIndex> around;
  for (const auto& [vertex, row] : parts_.rows) {
    around.insert(vertex);
    for (const VertexIndex k : solver_.graph.neighbours_of(vertex)) around.insert(k);
  }
  erase_constraints([&](const WeightConstraint& each, ConstraintOrigin origin) {
    return origin == ConstraintOrigin::given && each.target == 0 && around.contains(each.vertex);
  });
  for (const VertexIndex v : around) {
    const std::span<const std::uint32_t> bones = bones_of(v);
    std::vector<std::uint32_t> ending;
    for (const std::uint32_t bone : bones)
      if (ends_at(v, bone)) ending.push_back(bone);
    if (ending.size() == bones.size()) {
      const std::span<const double> start = start_of(v);
      const auto strongest = std::max_element(start.begin(), start.end()) - start.begin();
      ending.erase(ending.begin() + strongest);
    }
    for (const std::uint32_t bone : ending)
      if (!parts_.gave_way.contains({v, bone}))
        add_constraint({v, bone, 0, paper_stiffness(solver_.problem, v)}, ConstraintOrigin::given);
  }
}

EditedParts EditDraft::finish() && {
  if (solver_.has_fading_ends && !parts_.rows.empty()) move_fading_ends();
  return std::move(parts_);
}

}  // namespace sinew
