// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/quality/skin_surface.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "core/parallel.h"
#include "model/spine_rows.h"
#include "quality/arap_energy.h"
#include "quality/rows_and_spines.h"
#include "sinew/deform/spine_blend.h"

namespace sinew {
namespace {

/// Of the entries of a matrix: nearer to a rotation than this, it distorts by its square, which is
/// nothing. Matrices of clips are products of floats.
constexpr double kRotation = 1e-6;

/// Per bone, a number that bones which move alike have in common; -1 for those that do not move
/// rigidly.
std::vector<int> rigid_motions(const std::vector<Affine3>& transforms) {
  std::map<std::array<double, 12>, int> known;
  std::vector<int> motions;
  for (const Affine3& transform : transforms) {
    const Eigen::Matrix3d off =
        transform.linear().transpose() * transform.linear() - Eigen::Matrix3d::Identity();
    if (!(off.cwiseAbs().maxCoeff() <= kRotation) || transform.linear().determinant() < 0) {
      motions.push_back(-1);
      continue;
    }
    std::array<double, 12> entries;
    std::copy_n(Eigen::Matrix<double, 3, 4>(transform.matrix().topRows<3>()).data(), entries.size(),
                entries.begin());
    motions.push_back(known.try_emplace(entries, static_cast<int>(known.size())).first->second);
  }
  return motions;
}

/// Per vertex, 1 where all that it and its neighbours move with moves alike.
std::vector<unsigned char> rigid_vertices(const MeshGraph& graph, const SkinWeights& weights,
                                          const std::vector<int>& motions) {
  std::vector<int> motion(weights.vertex_count(), -1);
  parallel_for(motion.size(), [&](std::size_t v) {
    const std::span<const Influence> row = weights.row(v);
    if (row.empty()) return;
    const int first = motions[row.front().bone];
    const bool is_one = std::ranges::all_of(
        row, [&](const Influence& influence) { return motions[influence.bone] == first; });
    if (is_one) motion[v] = first;
  });
  std::vector<unsigned char> is_rigid(motion.size(), 0);
  parallel_for(motion.size(), [&](std::size_t v) {
    is_rigid[v] = motion[v] >= 0 && std::ranges::all_of(graph.neighbours_of(v), [&](VertexIndex k) {
                    return motion[k] == motion[v];
                  });
  });
  return is_rigid;
}

}  // namespace

SkinSurface make_skin_surface(const Character& character, std::span<const SpineBone> spines) {
  SkinSurface s;
  s.welded = weld(character.mesh);
  s.welded.mesh = surface_of(s.welded.mesh);
  s.parts = find_mesh_parts(s.welded.mesh);
  s.graph = make_mesh_graph(s.welded.mesh);
  const Box box = bounding_box(s.positions());
  s.diagonal = box.isEmpty() ? 0 : box.diagonal().norm();
  s.rest_energy = rest_energy(s.graph, s.positions());
  for (const double energy : s.rest_energy) s.rest_total += energy;
  s.spines = welded_spines(s.welded, character.skeleton, spines);
  s.stood_for = bones_stood_for(character.skeleton);
  for (std::size_t j = 0; j < s.stood_for.size(); ++j)
    s.has_rows = s.has_rows || s.stood_for[j] != static_cast<int>(j);
  return s;
}

SurfaceWeights weights_on(const SkinSurface& surface, const SkinWeights& of_copies) {
  return surface_weights(surface, mean_of_copies(surface.welded, of_copies));
}

SurfaceWeights surface_weights(const SkinSurface& surface, SkinWeights of_surface) {
  SurfaceWeights on;
  on.weights = std::move(of_surface);
  on.of_bones = surface.has_rows ? with_rows_as_bones(on.weights, surface.stood_for) : on.weights;
  on.dominant = dominant_bones(on.of_bones);
  return on;
}

void deform_surface(const SkinSurface& surface, const SkinWeights& weights, const SampledPose& pose,
                    std::vector<Vec3>& deformed) {
  deformed.resize(surface.vertex_count());
  if (surface.spines.empty() || pose.spines.empty())
    blend_positions(surface.positions(), weights, pose.transforms, deformed);
  else
    deformed = deform_with_spines(surface.positions(), weights, {pose.transforms, pose.spines},
                                  surface.spines);
}

void distort_surface(const SkinSurface& surface, const SkinWeights& weights,
                     const SampledPose& pose, std::span<const Vec3> deformed,
                     std::span<double> energy) {
  std::vector<unsigned char> is_rigid;
  if (surface.spines.empty() || pose.spines.empty())
    is_rigid = rigid_vertices(surface.graph, weights, rigid_motions(pose.transforms));
  arap_energy(surface.graph, surface.positions(), deformed, energy, is_rigid);
}

}  // namespace sinew
