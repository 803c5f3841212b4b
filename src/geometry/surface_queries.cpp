// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/geometry/surface_queries.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include <embree3/rtcore.h>

#include "core/parallel.h"
#include "math/segment.h"
#include "math/triangle.h"

namespace sinew {
namespace {

/// What hides a point hides it the more, the deeper the line of sight runs behind it, and wholly
/// from here on (mesh of unit size): a line that grazes a bulge must not see or miss its bone
/// because a position was rounded, nor a bone that lies in the surface be seen by chance. See
/// docs/decisions/visibility.md.
constexpr double kHidingDepth = 2e-3;
/// How steeply a line of sight leaves the surface for its next crossing to count as coming back.
constexpr double kLeavingCosine = 0.2;
/// A coat that lies on the skin is hidden by it, however close, down to where rounding would decide
/// which of the two is above.
constexpr double kHidingDistance = 3e-4;
/// More crossings than this hide whatever they are.
constexpr std::size_t kMostCrossings = 64;
/// Rounding of floats in a mesh of unit size, with room to spare.
constexpr double kFloatMarginRel = 4e-6;
/// What strayed farther is moved to there: Embree's products of floats must not overflow.
constexpr double kFarthest = 1e9;
/// Embree reads whole 16-byte lanes, also past the last vertex.
constexpr std::size_t kPaddingFloats = 4;

using SharedDevice = std::unique_ptr<RTCDeviceTy, decltype(&rtcReleaseDevice)>;
using SharedScene = std::unique_ptr<RTCSceneTy, decltype(&rtcReleaseScene)>;

/// Where a line of sight goes through the surface.
struct Crossing {
  double at = 0;         // fraction of the line
  bool goes_in = false;  // to the side that the triangle turns its back to
  int part = 0;          // of the mesh
  std::size_t triangle = 0;
};

struct SightContext {
  RTCIntersectContext context;  // first: Embree hands back a pointer to it
  const std::vector<Triangle>* triangles;
  VertexIndex vertex;
  std::array<Crossing, kMostCrossings> crossings;
  std::size_t count;
};

/// Notes every hit but those on the triangles at the vertex where the ray starts, and lets the ray
/// go on.
void note_crossings(const RTCFilterFunctionNArguments* arguments) {
  auto* sight = reinterpret_cast<SightContext*>(arguments->context);
  for (unsigned i = 0; i < arguments->N; ++i) {
    if (arguments->valid[i] != -1) continue;
    arguments->valid[i] = 0;
    const std::size_t index = RTCHitN_primID(arguments->hit, arguments->N, i);
    const Triangle& triangle = (*sight->triangles)[index];
    if (std::find(triangle.begin(), triangle.end(), sight->vertex) != triangle.end()) continue;
    if (sight->count < kMostCrossings)
      sight->crossings[sight->count] = {double{RTCRayN_tfar(arguments->ray, arguments->N, i)},
                                        false, 0, index};
    ++sight->count;
  }
}

/// Far above what rounding does to the distance of a plane, of the size of its triangle and of how
/// far away that is.
constexpr double kPlaneSlackRel = 1e-9;
/// The sine of a triangle's corner: a flatter one has no plane, only rounding.
constexpr double kNoPlane = 1e-6;

/// Whether the plane of a triangle is clearly farther away than this, and so the triangle is.
bool is_plane_beyond(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c, double distance) {
  const Vec3 ab = b - a;
  const Vec3 ac = c - a;
  const Vec3 to_p = p - a;
  const Vec3 normal = ab.cross(ac);
  const double sides2 = ab.squaredNorm() + ac.squaredNorm();
  if (!(normal.squaredNorm() > kNoPlane * kNoPlane * sides2 * sides2)) return false;
  const double most = distance + kPlaneSlackRel * std::sqrt(sides2 + to_p.squaredNorm());
  const double along = to_p.dot(normal);
  return along * along > most * most * normal.squaredNorm();
}

/// Where a surface ends: at edges that only one triangle has.
struct Rim {
  std::vector<std::array<bool, 3>> edges;  // of each triangle, from its first corner on
  std::vector<bool> vertices;
};

Rim find_rim(const std::vector<Triangle>& triangles, std::size_t vertex_count) {
  std::vector<std::uint32_t> begin(vertex_count + 1, 0);  // of the triangles at each vertex
  for (const Triangle& triangle : triangles)
    for (const VertexIndex v : triangle) ++begin[v + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::uint32_t> around(3 * triangles.size());
  std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (const VertexIndex v : triangles[t]) around[next[v]++] = static_cast<std::uint32_t>(t);

  Rim rim{std::vector<std::array<bool, 3>>(triangles.size()),
          std::vector<bool>(vertex_count, false)};
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      VertexIndex a = triangles[t][k];
      VertexIndex b = triangles[t][(k + 1) % 3];
      if (begin[b + 1] - begin[b] < begin[a + 1] - begin[a]) std::swap(a, b);  // a fan has many
      const auto shares = [&](std::uint32_t other) {
        const Triangle& corners = triangles[other];
        return other != t && std::find(corners.begin(), corners.end(), b) != corners.end();
      };
      rim.edges[t][k] =
          std::none_of(around.begin() + begin[a], around.begin() + begin[a + 1], shares);
      if (rim.edges[t][k]) rim.vertices[a] = rim.vertices[b] = true;
    }
  return rim;
}

}  // namespace

struct SurfaceQueries::State {
  std::vector<Vec3> positions;
  std::vector<Vec3> normals;  // of vertices, unit or zero
  std::vector<Triangle> triangles;
  Rim rim;
  std::vector<int> part_of_vertex;
  std::vector<float> buffer;
  SharedDevice device{nullptr, &rtcReleaseDevice};
  SharedScene scene{nullptr, &rtcReleaseScene};

  /// How far a point of a triangle is from the rim of its surface, as far as the triangle's own
  /// corners and edges tell.
  [[nodiscard]] double distance_from_rim(std::size_t triangle, const Vec3& point) const {
    const Triangle& corners = triangles[triangle];
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3& head = positions[corners[k]];
      const Vec3& tail = positions[corners[(k + 1) % 3]];
      if (rim.edges[triangle][k]) {
        const double along = closest_on_segment(point, head, tail);
        least = std::min(least, (head + along * (tail - head) - point).norm());
      } else if (rim.vertices[corners[k]]) {
        least = std::min(least, (head - point).norm());
      }
    }
    return least;
  }
};

SurfaceQueries::SurfaceQueries(const Mesh& mesh) : SurfaceQueries(mesh, find_mesh_parts(mesh)) {}

SurfaceQueries::SurfaceQueries(const Mesh& mesh, const MeshParts& parts)
    : state_(std::make_unique<State>()) {
  assert(parts.of_vertex.size() == mesh.vertex_count());
  State& state = *state_;
  state.part_of_vertex = parts.of_vertex;
  state.positions = mesh.positions();
  state.triangles = surface_triangles(mesh);
  state.rim = find_rim(state.triangles, state.positions.size());
  state.normals.assign(state.positions.size(), Vec3::Zero());
  for (const auto& [a, b, c] : state.triangles) {
    const Vec3 area =
        (state.positions[b] - state.positions[a]).cross(state.positions[c] - state.positions[a]);
    for (const VertexIndex v : {a, b, c}) state.normals[v] += area;
  }
  for (Vec3& normal : state.normals) normal.normalize();
  state.buffer.reserve(3 * state.positions.size() + kPaddingFloats);
  for (const Vec3& position : state.positions)
    for (int c = 0; c < 3; ++c)
      state.buffer.push_back(static_cast<float>(std::clamp(position[c], -kFarthest, kFarthest)));
  state.buffer.resize(state.buffer.size() + kPaddingFloats, 0);
  if (state.triangles.empty()) return;

  state.device.reset(rtcNewDevice(nullptr));
  state.scene.reset(rtcNewScene(state.device.get()));
  rtcSetSceneFlags(
      state.scene.get(),
      static_cast<RTCSceneFlags>(RTC_SCENE_FLAG_ROBUST | RTC_SCENE_FLAG_CONTEXT_FILTER_FUNCTION));
  RTCGeometry geometry = rtcNewGeometry(state.device.get(), RTC_GEOMETRY_TYPE_TRIANGLE);
  rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                             state.buffer.data(), 0, 3 * sizeof(float), state.positions.size());
  rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                             state.triangles.data(), 0, sizeof(Triangle), state.triangles.size());
  rtcCommitGeometry(geometry);
  rtcAttachGeometry(state.scene.get(), geometry);
  rtcReleaseGeometry(geometry);
  const ParallelWork work;  // Embree's own
  rtcCommitScene(state.scene.get());
}

SurfaceQueries::~SurfaceQueries() = default;
SurfaceQueries::SurfaceQueries(SurfaceQueries&&) noexcept = default;
SurfaceQueries& SurfaceQueries::operator=(SurfaceQueries&&) noexcept = default;

const std::vector<Triangle>& SurfaceQueries::triangles() const { return state_->triangles; }

/// A line of sight from a vertex.
struct SurfaceQueries::Sight {
  const SurfaceQueries& surface;
  VertexIndex vertex;
  Vec3 start;
  Vec3 direction;
  double length;
  double leaves;  // positive when it leaves the vertex to the outside; 1 when clearly so

  /// What Embree does not tell of a crossing, and where it is to more than the digits of floats,
  /// which depend on the order of a triangle's corners.
  void complete(Crossing& crossing) const {
    const State& state = *surface.state_;
    const auto& [a, b, c] = state.triangles[crossing.triangle];
    const Vec3 normal =
        (state.positions[b] - state.positions[a]).cross(state.positions[c] - state.positions[a]);
    const double towards = normal.dot(direction);
    const double at = normal.dot(state.positions[a] - start) / towards;
    if (std::abs(at - crossing.at) * length < kFloatMarginRel)
      crossing.at = std::clamp(at, 0.0, 1.0);
    crossing.goes_in = towards < 0;
    crossing.part = state.part_of_vertex[a];
  }

  /// How deep it runs below the surface of a part half way between two crossings or ends, 1 where
  /// nothing is seen.
  [[nodiscard]] double lost_between(double from, double to, int part) const {
    const State& state = *surface.state_;
    const auto nearest = surface.closest_point(
        start + (from + to) / 2 * direction, kHidingDepth, [&](std::size_t triangle) {
          return state.part_of_vertex[state.triangles[triangle][0]] == part;
        });
    return nearest ? nearest->distance / kHidingDepth : 1;
  }

  /// How much a crossing hides that is not one of a pair.
  [[nodiscard]] double hidden_alone(const Crossing& crossing) const {
    const State& state = *surface.state_;
    const double hidden = std::min(
        {lost_between(crossing.at, 1, crossing.part), crossing.at * length / kHidingDistance,
         state.distance_from_rim(crossing.triangle, start + crossing.at * direction) /
             kHidingDepth});
    // It can be one of a pair with the start all the same. Through its own part, the line may have
    // left or entered by a triangle at the vertex, where no crossing is noted.
    const double comes_back = crossing.part == state.part_of_vertex[vertex]
                                  ? 1
                                  : std::clamp(crossing.goes_in ? leaves : -leaves, 0.0, 1.0);
    if (comes_back <= 0) return hidden;
    return std::min(hidden, 1 - comes_back * (1 - lost_between(0, crossing.at, crossing.part)));
  }

  /// How much the crossings with one part hide, in the order of the line: they cancel in pairs as
  /// well as they can, also with the line's ends, and what is left hides. Only with their own
  /// part: one that grazes comes and goes with rounding, and must not take another's along.
  [[nodiscard]] double hidden_by_part(std::span<const Crossing> crossings) const {
    double least = 0;       // what the crossings so far hide
    double least_open = 0;  // the same without the last of them
    const Crossing* previous = nullptr;
    for (const Crossing& crossing : crossings) {
      double next = least + hidden_alone(crossing);
      double next_open = least;
      if (previous != nullptr && crossing.goes_in != previous->goes_in) {
        next = std::min(next, least_open + lost_between(previous->at, crossing.at, crossing.part));
      } else if (previous != nullptr) {  // close to each other, the two are one
        const double apart = (crossing.at - previous->at) * length / kHidingDistance;
        next = std::min(next, least + apart);
        next_open = std::min(next_open, least_open + apart);
      }
      least = next;
      least_open = next_open;
      previous = &crossing;
    }
    return least;
  }
};

double SurfaceQueries::visibility(VertexIndex vertex, const Vec3& point) const {
  const Vec3& start = state_->positions[vertex];
  const Vec3 direction = point - start;
  const double length = direction.norm();
  if (state_->scene == nullptr || length <= kHidingDepth) return 1;
  SightContext context{};
  rtcInitIntersectContext(&context.context);
  context.context.filter = &note_crossings;
  context.triangles = &state_->triangles;
  context.vertex = vertex;

  RTCRay ray{};
  ray.org_x = static_cast<float>(start.x());
  ray.org_y = static_cast<float>(start.y());
  ray.org_z = static_cast<float>(start.z());
  ray.dir_x = static_cast<float>(direction.x());
  ray.dir_y = static_cast<float>(direction.y());
  ray.dir_z = static_cast<float>(direction.z());
  ray.tnear = 0;
  ray.tfar = 1;
  ray.mask = ~0u;
  rtcOccluded1(state_->scene.get(), &context.context, &ray);
  if (context.count == 0) return 1;
  if (context.count > kMostCrossings) return 0;

  const Sight sight{*this,  vertex,
                    start,  direction,
                    length, state_->normals[vertex].dot(direction) / length / kLeavingCosine};
  // Faces on top of each other are crossed as from where the line starts: Embree's order is its
  // own, and must not be that of a mesh inside out either.
  const std::span<Crossing> crossings = std::span(context.crossings).first(context.count);
  for (Crossing& crossing : crossings) sight.complete(crossing);
  std::sort(crossings.begin(), crossings.end(), [&](const Crossing& a, const Crossing& b) {
    const auto comes_later = [&](const Crossing& each) {
      return sight.leaves != 0 && each.goes_in != (sight.leaves > 0);
    };
    return std::tuple(a.part, a.at, comes_later(a), a.triangle) <
           std::tuple(b.part, b.at, comes_later(b), b.triangle);
  });
  double hidden = 0;
  for (std::size_t begin = 0, end = 0; begin < crossings.size() && hidden < 1; begin = end) {
    while (end < crossings.size() && crossings[end].part == crossings[begin].part) ++end;
    hidden += sight.hidden_by_part(crossings.subspan(begin, end - begin));
  }
  return 1 - std::min(1.0, hidden);
}

/// What a search around a point has asked for and found. Embree calls back for every triangle whose
/// box is within the radius, in an order of its own.
struct SurfaceQueries::Search {
  const State& state;
  const std::function<bool(std::size_t)>& counts;
  const Vec3& point;
  double radius;

  /// The closest point of a triangle that counts and is near enough: not beyond `most` either.
  [[nodiscard]] std::optional<SurfacePoint> closest_of(std::size_t triangle, double most) const {
    if (!counts(triangle)) return std::nullopt;
    const Triangle& corners = state.triangles[triangle];
    const Vec3& a = state.positions[corners[0]];
    const Vec3& b = state.positions[corners[1]];
    const Vec3& c = state.positions[corners[2]];
    if (is_plane_beyond(point, a, b, c, most)) return std::nullopt;
    const std::array<double, 3> at = closest_on_triangle(point, a, b, c);
    const Vec3 closest = at[0] * a + at[1] * b + at[2] * c;
    const double distance = (closest - point).norm();
    if (distance > radius) return std::nullopt;
    return SurfacePoint{triangle, closest, at, distance};
  }

  /// Calls `visit(arguments, its own data)` for every triangle near the point.
  void run(RTCPointQueryFunction visit, void* data) const {
    RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    RTCPointQuery query{};
    query.x = static_cast<float>(point.x());
    query.y = static_cast<float>(point.y());
    query.z = static_cast<float>(point.z());
    query.radius = static_cast<float>(with_margin(std::min(radius, 8 * kFarthest)));
    rtcPointQuery(state.scene.get(), &query, &context, visit, data);
  }

  /// Wider than Embree's floats can err, so that the order in which it visits never matters.
  static double with_margin(double distance) {
    return distance * (1 + kFloatMarginRel) + kFloatMarginRel;
  }
};

std::optional<SurfacePoint> SurfaceQueries::closest_point(
    const Vec3& point, double radius,
    const std::function<bool(std::size_t triangle)>& counts) const {
  if (state_->scene == nullptr) return std::nullopt;
  struct Nearest {
    Search search;
    std::optional<SurfacePoint> best;
  } nearest{{*state_, counts, point, radius}, std::nullopt};
  const auto visit = [](RTCPointQueryFunctionArguments* arguments) {
    auto& [search, best] = *static_cast<Nearest*>(arguments->userPtr);
    const std::optional<SurfacePoint> found =
        search.closest_of(arguments->primID, best ? best->distance : search.radius);
    if (!found) return false;
    if (best && (found->distance > best->distance ||
                 (found->distance == best->distance && found->triangle > best->triangle)))
      return false;
    best = found;
    const auto narrowed = static_cast<float>(Search::with_margin(found->distance));
    if (!(narrowed < arguments->query->radius)) return false;
    arguments->query->radius = narrowed;
    return true;
  };
  nearest.search.run(visit, &nearest);
  return nearest.best;
}

std::vector<SurfacePoint> SurfaceQueries::points_within(
    const Vec3& point, double radius,
    const std::function<bool(std::size_t triangle)>& counts) const {
  if (state_->scene == nullptr) return {};
  struct Within {
    Search search;
    std::vector<SurfacePoint> found;
  } within{{*state_, counts, point, radius}, {}};
  const auto visit = [](RTCPointQueryFunctionArguments* arguments) {
    auto& [search, found] = *static_cast<Within*>(arguments->userPtr);
    if (const auto closest = search.closest_of(arguments->primID, search.radius))
      found.push_back(*closest);
    return false;
  };
  within.search.run(visit, &within);
  std::sort(within.found.begin(), within.found.end(),
            [](const SurfacePoint& a, const SurfacePoint& b) { return a.triangle < b.triangle; });
  return std::move(within.found);
}

}  // namespace sinew
