// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/edit/planned_edits.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "geometry/nearest_vertex.h"

namespace sinew {
namespace {

/// Welded.
using Vertices = std::vector<VertexIndex>;

Status check_vertex(const WeldedMesh& welded, VertexIndex vertex) {
  if (vertex < welded.welded.size()) return {};
  return Error{
      ErrorCode::bad_argument, "vertices",
      fmt::format("there is no vertex {}: the character has {}", vertex, welded.welded.size())};
}

/// Everything that a choice allows.
Result<Vertices> chosen(const VertexChoice& choice, const EditScene& scene) {
  const WeldedMesh& welded = scene.prepared.welded;
  Vertices vertices;
  if (choice.vertices) {
    for (const VertexIndex v : *choice.vertices) {
      SINEW_CHECK(check_vertex(welded, v));
      vertices.push_back(welded.welded[v]);
    }
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  } else {
    for (VertexIndex v = 0; v < welded.mesh.vertex_count(); ++v) vertices.push_back(v);
  }
  if (choice.weighed && scene.maps == nullptr)
    return Error{ErrorCode::bad_argument, "weighs",
                 "there are no weights yet to choose by; \"after\": 1 waits for some"};
  std::erase_if(vertices, [&](VertexIndex v) {
    const Vec3& position = welded.mesh.positions()[v];
    if (choice.box && !choice.box->contains(position)) return true;
    if (choice.sphere && !((position - choice.sphere->centre).norm() <= choice.sphere->radius))
      return true;
    if (!choice.weighed) return false;
    const auto found = scene.maps->find(v, static_cast<std::uint32_t>(choice.weighed->bone));
    return !found || !((*scene.weights)[*found] > choice.weighed->above);
  });
  return vertices;
}

Result<ConnectWires> wires_of(const PlannedEdit& planned, const EditScene& scene) {
  const WeldedMesh& welded = scene.prepared.welded;
  ConnectWires connect;
  for (const auto& [a, b] : planned.pairs) {
    SINEW_CHECK(check_vertex(welded, a));
    SINEW_CHECK(check_vertex(welded, b));
    if (welded.welded[a] != welded.welded[b])  // copies at a seam are joined as they are
      connect.wires.push_back({welded.welded[a], welded.welded[b]});
  }
  if (!planned.pairs.empty()) return connect;
  SINEW_TRY(const Vertices from, chosen(planned.where, scene));
  SINEW_TRY(Vertices to, chosen(planned.to, scene));
  const NearestVertex nearest(welded.mesh.positions(), std::move(to));
  const double farthest = planned.within.value_or(std::numeric_limits<double>::infinity());
  for (const VertexIndex v : from) {
    const std::optional<VertexIndex> end =
        nearest.find(welded.mesh.positions()[v], farthest, [&](VertexIndex k) { return k != v; });
    if (end) connect.wires.push_back({v, *end});
  }
  return connect;
}

}  // namespace

Result<std::vector<WeightEdit>> edits_of(const PlannedEdit& planned, const EditScene& scene) {
  std::vector<WeightEdit> edits;
  if (planned.kind == EditKind::connect_wires) {
    SINEW_TRY(ConnectWires connect, wires_of(planned, scene));
    edits.emplace_back(std::move(connect));
    return edits;
  }
  SINEW_TRY(const Vertices vertices, chosen(planned.where, scene));
  if (vertices.empty()) return edits;  // an empty list would mean all where attachments go
  for (const int each : planned.bones) {
    const auto bone = static_cast<std::uint32_t>(each);
    switch (planned.kind) {
      case EditKind::add_influence:
        edits.emplace_back(AddInfluence{bone, vertices});
        break;
      case EditKind::remove_influence:
        edits.emplace_back(RemoveInfluence{bone, vertices});
        break;
      case EditKind::set_weights:
        edits.emplace_back(SetWeights{bone, vertices, planned.target, planned.stiffness_rel});
        break;
      case EditKind::flatten_weights:
        edits.emplace_back(FlattenWeights{bone, vertices, planned.stiffness_rel});
        break;
      case EditKind::clear_weights:
        edits.emplace_back(ClearWeights{bone, vertices});
        break;
      case EditKind::release_attachments:
        edits.emplace_back(ReleaseAttachments{bone, vertices});
        break;
      case EditKind::connect_wires:
        break;
    }
  }
  return edits;
}

}  // namespace sinew
