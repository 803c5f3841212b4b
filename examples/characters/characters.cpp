// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "characters/characters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>

#include "characters/blueprint.h"
#include "characters/chain_weights.h"
#include "characters/decimate.h"
#include "characters/relax.h"

namespace sinew {
namespace {

using sculpt::Blueprint;
using sculpt::BodyPlan;
using sculpt::FieldCache;
using sculpt::Surface;

struct Entry {
  ExampleInfo info;
  Blueprint (*blueprint)();
};

constexpr std::array<Entry, 5> kEntries = {{
    {{"biped", "a person of 1.75 m with fingers, walking"}, sculpt::biped_blueprint},
    {{"quadruped", "a hound with ears and a tail, trotting"}, sculpt::quadruped_blueprint},
    {{"hand", "a hand with five fingers, closing to a fist"}, sculpt::hand_blueprint},
    {{"tentacle", "a tapering arm of twelve bones, curling"}, sculpt::tentacle_blueprint},
    {{"robot", "a machine of separate rigid parts, marching"}, sculpt::robot_blueprint},
}};

// A lattice makes this many times the vertices wanted, and decimation puts the rest where shape
// needs them.
constexpr double kOversampling = 1.6;

// Above this many vertices the lattice is fine enough by itself, and decimation only costs time.
constexpr std::size_t kDecimateBelow = 100'000;

constexpr double kCountTolerance =
    0.03;  // of the vertices wanted, when the lattice alone must meet them
constexpr double kCacheMargin =
    1.5;  // lattice spacings: the ends of an edge that crosses are nearer than that
constexpr int kMaxCountPasses = 4;
constexpr int kRelaxRounds = 5;

// Decimation judges planes and keeps triangles from turning: it gets stuck on the slivers of a raw
// lattice.
constexpr int kLatticeRelaxRounds = 3;

constexpr std::size_t kMinPartVertices = 30;  // a rounded box is still a rounded box with this many

/// The surface of one body with about `target` vertices, from `surface` at the safe spacing.
Surface mesh_body(const FieldCache& field, const BodyPlan& plan, Surface surface,
                  std::size_t target) {
  const bool decimates = target < kDecimateBelow;
  const double wanted = static_cast<double>(target) * (decimates ? kOversampling : 1);
  double spacing = plan.safe_spacing;
  for (int pass = 0; pass < kMaxCountPasses; ++pass) {
    const double ratio = static_cast<double>(surface.positions.size()) / wanted;
    const bool good = decimates ? ratio > 0.9 : std::abs(ratio - 1) < kCountTolerance;
    if (good) break;
    spacing *= std::sqrt(ratio);  // vertices go with the area over the spacing squared
    surface = polygonise(field, plan.warp, spacing);
  }
  if (decimates) {
    relax(surface, field, kLatticeRelaxRounds);
    surface = decimate(surface, target);
  }
  relax(surface, field, kRelaxRounds);
  return surface;
}

double area(const Surface& surface) {
  double sum = 0;
  for (const Triangle& t : surface.triangles) {
    const Vec3& a = surface.positions[t[0]];
    sum += (surface.positions[t[1]] - a).cross(surface.positions[t[2]] - a).norm() / 2;
  }
  return sum;
}

/// Vertices per body, by area, none below kMinPartVertices; they sum to the total.
std::vector<std::size_t> share_vertices(std::span<const Surface> surfaces, std::size_t total) {
  if (surfaces.size() == 1) return {total};
  std::vector<double> areas;
  for (const Surface& surface : surfaces) areas.push_back(area(surface));
  const double whole = std::accumulate(areas.begin(), areas.end(), 0.0);
  const std::size_t spare = total - kMinPartVertices * areas.size();
  std::vector<std::size_t> counts;
  for (const double a : areas)
    counts.push_back(kMinPartVertices +
                     static_cast<std::size_t>(static_cast<double>(spare) * a / whole));
  return counts;
}

Error unknown_name(std::string_view name) {
  std::string known;
  for (const Entry& entry : kEntries) {
    if (!known.empty()) known += ", ";
    known += entry.info.name;
  }
  return {ErrorCode::bad_argument, "name",
          "there is no example \"" + std::string(name) + "\"; choose one of " + known};
}

Result<ExampleCharacter> build(const Entry& entry, std::size_t vertices, const Progress& progress) {
  const Blueprint blueprint = entry.blueprint();
  std::vector<FieldCache> fields;
  fields.reserve(blueprint.bodies.size());
  for (const BodyPlan& plan : blueprint.bodies)
    fields.emplace_back(plan.body, kCacheMargin * plan.safe_spacing);
  std::vector<Surface> surfaces;
  for (std::size_t b = 0; b < fields.size(); ++b) {
    const BodyPlan& plan = blueprint.bodies[b];
    surfaces.push_back(polygonise(fields[b], plan.warp, plan.safe_spacing));
  }
  const std::vector<std::size_t> counts = share_vertices(surfaces, vertices);

  ExampleCharacter example;
  Character& character = example.character;
  character.name = entry.info.name;
  MeshData mesh;
  std::vector<std::size_t> row_begin;
  std::vector<Influence> influences;
  for (std::size_t b = 0; b < fields.size(); ++b) {
    SINEW_CHECK(
        progress.checkpoint("sculpt", static_cast<double>(b) / static_cast<double>(fields.size())));
    const BodyPlan& plan = blueprint.bodies[b];
    const Surface surface = mesh_body(fields[b], plan, std::move(surfaces[b]), counts[b]);
    const std::vector<Vec3> normals = surface_normals(surface, fields[b]);
    append_chain_weights(plan, blueprint.rig, surface.positions, row_begin, influences);
    const std::size_t first = mesh.positions.size();
    character.parts.push_back({plan.name, first, surface.positions.size()});
    mesh.positions.insert(mesh.positions.end(), surface.positions.begin(), surface.positions.end());
    example.normals.insert(example.normals.end(), normals.begin(), normals.end());
    for (Triangle t : surface.triangles) {
      for (VertexIndex& v : t) v += static_cast<VertexIndex>(first);
      mesh.triangles.push_back(t);
    }
  }
  SINEW_CHECK(progress.checkpoint("sculpt", 1));
  SINEW_TRY(character.mesh, Mesh::create(std::move(mesh)));
  SINEW_TRY(character.skeleton, Skeleton::create(blueprint.rig.bones()));
  SINEW_TRY(character.nodes, make_node_tree(blueprint.rig.nodes()));
  character.weights =
      SkinWeights::mend(blueprint.rig.bones().size(), std::move(row_begin), std::move(influences));
  character.clips = blueprint.clips;
  return example;
}

}  // namespace

std::span<const ExampleInfo> example_characters() {
  static const std::array<ExampleInfo, kEntries.size()> kInfos = [] {
    std::array<ExampleInfo, kEntries.size()> infos;
    for (std::size_t i = 0; i < infos.size(); ++i) infos[i] = kEntries[i].info;
    return infos;
  }();
  return kInfos;
}

Result<ExampleCharacter> make_example(std::string_view name, const ExampleOptions& options,
                                      const Progress& progress) {
  const auto entry = std::find_if(kEntries.begin(), kEntries.end(),
                                  [&](const Entry& e) { return e.info.name == name; });
  if (entry == kEntries.end()) return unknown_name(name);
  if (options.vertices < kMinExampleVertices || options.vertices > kMaxExampleVertices)
    return Error{ErrorCode::bad_argument, "vertices",
                 std::to_string(options.vertices) + " is not between " +
                     std::to_string(kMinExampleVertices) + " and " +
                     std::to_string(kMaxExampleVertices)};
  return build(*entry, static_cast<std::size_t>(options.vertices), progress);
}

}  // namespace sinew
