// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "pipeline/bind_coarsely.h"

#include <algorithm>
#include <limits>

#include "pipeline/optimise_weights.h"
#include "pipeline/round_for_delivery.h"
#include "pipeline/stopwatch.h"
#include "sinew/core/parallel.h"
#include "sinew/prepare/simplify_mesh.h"
#include "sinew/weights/cap_influences.h"
#include "sinew/weights/laplacian_filter.h"
#include "sinew/weights/transfer.h"

namespace sinew {
namespace {

constexpr double kAnywhere = 10;     // diagonals: no vertex lies so far from its own part
constexpr int kSmoothingRounds = 2;  // further ones change nothing that can be measured

/// The simplified mesh as a character of its own: the same bones, clips and old weights.
Character coarse_character(const Character& character, const PreparedMesh& prepared,
                           const SimplifiedMesh& simplified) {
  Character coarse = character;
  MeshData data = simplified.mesh.data();
  std::vector<std::vector<Influence>> rows;
  std::vector<VertexIndex> originals;
  for (std::size_t v = 0; v < simplified.kept.size(); ++v) {
    const VertexIndex place = simplified.kept[v];
    data.positions[v] = prepared.welded.mesh.positions()[place];
    originals.push_back(prepared.welded.copies[prepared.welded.copies_begin[place]]);
    const std::span<const Influence> row = character.weights.row(originals.back());
    rows.emplace_back(row.begin(), row.end());
  }
  coarse.mesh = *Mesh::create(std::move(data));
  coarse.weights = SkinWeights::from_rows(character.skeleton.bone_count(), rows);
  auto next = originals.begin();  // places are numbered by their first copy
  for (MeshPart& part : coarse.parts) {
    const std::size_t end = part.first_vertex + part.vertex_count;
    const auto last = std::lower_bound(next, originals.end(), end);
    part.first_vertex = static_cast<std::size_t>(next - originals.begin());
    part.vertex_count = static_cast<std::size_t>(last - next);
    next = last;
  }
  return coarse;
}

/// The closest point of every vertex's own part on the simplified mesh, or of any where nothing is
/// left of it.
std::vector<SurfacePoint> places_on_coarse(const PreparedMesh& prepared,
                                           const SimplifiedMesh& simplified,
                                           const SurfaceQueries& surface) {
  std::vector<int> part_of_triangle;
  std::vector<bool> has_triangles(prepared.parts.count(), false);
  for (const Triangle& triangle : surface.triangles()) {
    part_of_triangle.push_back(prepared.parts.of_vertex[simplified.kept[triangle[0]]]);
    has_triangles[static_cast<std::size_t>(part_of_triangle.back())] = true;
  }
  const bool is_one = prepared.parts.count() <= 1;
  const std::vector<Vec3>& points = prepared.mesh.positions();
  std::vector<SurfacePoint> places(points.size());
  parallel_for(
      points.size(),
      [&](std::size_t v) {
        const int part = prepared.parts.of_vertex[v];
        const bool is_any = is_one || part < 0 || !has_triangles[static_cast<std::size_t>(part)];
        const auto found = surface.closest_point(points[v], kAnywhere, [&](std::size_t triangle) {
          return is_any || part_of_triangle[triangle] == part;
        });
        if (found)
          places[v] = *found;
        else  // triangles without area have no closest point: the first corner serves
          places[v].barycentric = {1, 0, 0};
      },
      256);
  return places;
}

}  // namespace

bool binds_coarsely(const Character& character, const BindOptions& options) {
  const bool bends = !options.spines.empty() || options.find_twist_bones ||
                     std::ranges::any_of(character.skeleton.bones(), [](const Bone& bone) {
                       return bone.kind != BoneKind::rigid;
                     });
  return options.method == BindMethod::araplbs && options.init == BindOptions::Init::fresh &&
         character.mesh.vertex_count() > options.coarse.above && !bends && options.edits.empty() &&
         options.lock.empty() && options.only.empty() && options.may_change.empty() &&
         options.mix == 1 && options.mirror != MirrorChoice::x &&
         character.mesh.tetrahedra().empty() && character.mesh.wires().empty() &&
         !character.mesh.triangles().empty();
}

Result<Bound> bind_coarsely(const Character& character, const BindOptions& options,
                            const Progress& progress) {
  std::vector<StageTime> times;
  Stopwatch watch;
  SINEW_CHECK(progress.checkpoint("mesh", 0));
  const PreparedMesh prepared = prepare_mesh(character.mesh);
  watch.lap("mesh", times);
  SINEW_CHECK(progress.checkpoint("simplify", 0.1));
  const SimplifiedMesh simplified =
      simplify_mesh(prepared.mesh, prepared.parts, options.coarse.vertices);
  const Character coarse = coarse_character(character, prepared, simplified);
  watch.lap("simplify", times);

  BindOptions of_coarse = options;
  of_coarse.coarse.above = std::numeric_limits<std::size_t>::max();
  of_coarse.format = WeightFormat::f32;  // what is carried over is rounded, not what it comes from
  SINEW_TRY(Bound bound, bind(coarse, of_coarse, progress.within(0.15, 0.7)));
  watch.lap("coarse bind", times);

  SINEW_CHECK(progress.checkpoint("carry over", 0.7));
  const SurfaceQueries surface(simplified.mesh);
  const std::vector<SurfacePoint> places = places_on_coarse(prepared, simplified, surface);
  BindReport& report = bound.report;
  std::vector<std::vector<Affine3>> poses;
  if (options.format != WeightFormat::f32)
    poses =
        poses_in_frame(draw_exemplars(character, report.roles, report.hierarchy, options.exemplars),
                       prepared.frame);
  const auto carry_over = [&](const SkinWeights& weights,
                              BudgetReport& budget) -> Result<SkinWeights> {
    SkinWeights carried = weights_at(surface, weights, places);
    for (int round = 0; round < kSmoothingRounds; ++round)
      carried = laplacian_filter(carried, prepared.laplacian);
    carried = cap_influences(carried, budget.max_influences);
    if (options.format != WeightFormat::f32) {
      SINEW_TRY(budget.rounding, round_for_delivery(carried, prepared, poses, options.format,
                                                    progress.within(0.8, 1)));
    }
    return spread_to_copies(prepared.welded, carried);
  };
  SINEW_TRY(bound.weights, carry_over(bound.weights, report.budgets.front()));
  for (std::size_t b = 0; b < bound.further.size(); ++b) {
    SINEW_TRY(bound.further[b], carry_over(bound.further[b], report.budgets[b + 1]));
  }
  watch.lap("carry over", times);
  report.coarse_vertices = report.welded_vertices;
  report.welded_vertices = prepared.mesh.vertex_count();
  report.times = std::move(times);
  return bound;
}

}  // namespace sinew
