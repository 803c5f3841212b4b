// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/spine_bones.h"
#include "sinew/geometry/mesh_graph.h"
#include "sinew/geometry/mesh_parts.h"
#include "sinew/geometry/weld.h"
#include "sinew/model/character.h"
#include "sinew/poses/sampled_pose.h"

namespace sinew {

/// What figures of quality are taken on: the welded surface of a character, and what it takes to
/// bend it. Vertices in the headers of this room are its vertices, one per place.
struct SkinSurface {
  WeldedMesh welded;  // its mesh is the surface alone
  MeshParts parts;
  MeshGraph graph;
  double diagonal = 0;              // of the box around it, model units
  std::vector<double> rest_energy;  // of each vertex, Σ a_ik |e_ik|²: how much it counts
  double rest_total = 0;
  std::vector<SpineBone> spines;  // of the skeleton, on these vertices
  std::vector<int> stood_for;     // per bone: of a joint of a row the bone it stands for, or itself
  bool has_rows = false;

  [[nodiscard]] const std::vector<Vec3>& positions() const { return welded.mesh.positions(); }
  [[nodiscard]] std::size_t vertex_count() const { return positions().size(); }
  [[nodiscard]] bool has_face(std::size_t vertex) const { return parts.of_vertex[vertex] >= 0; }
};

/// `spines` says where the character's vertices sit on its spines; on others they sit linearly.
/// Cost: a weld.
[[nodiscard]] SkinSurface make_skin_surface(const Character& character,
                                            std::span<const SpineBone> spines = {});

/// Weights of a surface: the mean of those of the copies of each vertex.
struct SurfaceWeights {
  SkinWeights weights;        // as programs use them
  SkinWeights of_bones;       // with rows of joints as the bones that they stand for
  std::vector<int> dominant;  // of_bones: the bone that weighs most, the first of equals; -1: none
};

/// `of_copies` has a row per vertex of the character.
[[nodiscard]] SurfaceWeights weights_on(const SkinSurface& surface, const SkinWeights& of_copies);

/// The same of weights that have a row per vertex of the surface.
[[nodiscard]] SurfaceWeights surface_weights(const SkinSurface& surface, SkinWeights of_surface);

/// Where the vertices are in a pose. `weights` are SurfaceWeights::weights.
void deform_surface(const SkinSurface& surface, const SkinWeights& weights, const SampledPose& pose,
                    std::vector<Vec3>& deformed);

/// Per vertex, Σ a_ik |e'_ik − R_i e_ik|² of a pose; its part of rest_energy is the distortion.
/// `deformed` is what deform_surface made of the same weights and pose: of skin that moves with
/// bones that move alike, as most does where few joints turn, nothing is computed, since it is 0.
void distort_surface(const SkinSurface& surface, const SkinWeights& weights,
                     const SampledPose& pose, std::span<const Vec3> deformed,
                     std::span<double> energy);

}  // namespace sinew
