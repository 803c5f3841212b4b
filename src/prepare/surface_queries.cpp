// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/prepare/surface_queries.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include <embree3/rtcore.h>

#include "sinew/math/segment.h"

namespace sinew {
namespace {

/// What hides a point hides it the more, the deeper the line of sight runs behind it, and wholly
/// from here on (mesh of unit size): a line that grazes a bulge must not see or miss its bone
/// because a position was rounded, nor a bone that lies in the surface be seen by chance.
constexpr double kHidingDepth = 1e-3;
/// How steeply a line of sight leaves the surface for its next crossing to count as coming back.
constexpr double kLeavingCosine = 0.2;
/// Two crossings the same way this close are one, on the edge that two triangles share.
constexpr double kSameCrossing = 1e-6;
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
};

struct SightContext {
  RTCIntersectContext context;  // first: Embree hands back a pointer to it
  const std::vector<Triangle>* triangles;
  VertexIndex vertex;
  Vec3 direction;
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
    RTCHitN* hit = arguments->hit;
    const Triangle& triangle = (*sight->triangles)[RTCHitN_primID(hit, arguments->N, i)];
    if (std::find(triangle.begin(), triangle.end(), sight->vertex) != triangle.end()) continue;
    if (sight->count < kMostCrossings) {
      const Vec3 normal(RTCHitN_Ng_x(hit, arguments->N, i), RTCHitN_Ng_y(hit, arguments->N, i),
                        RTCHitN_Ng_z(hit, arguments->N, i));
      sight->crossings[sight->count] = {double{RTCRayN_tfar(arguments->ray, arguments->N, i)},
                                        normal.dot(sight->direction) < 0};
    }
    ++sight->count;
  }
}

/// The closest point of a triangle, by the region of its plane that the point projects into
/// (C. Ericson, Real-Time Collision Detection, 5.1.5). A triangle without area is its longest edge.
std::array<double, 3> closest_barycentric(const Vec3& p, const Vec3& a, const Vec3& b,
                                          const Vec3& c) {
  const Vec3 ab = b - a;
  const Vec3 ac = c - a;
  const Vec3 normal = ab.cross(ac);
  const double squared_area = normal.squaredNorm();
  if (squared_area > 0) {
    const double v = (p - a).cross(ac).dot(normal) / squared_area;
    const double w = ab.cross(p - a).dot(normal) / squared_area;
    if (v >= 0 && w >= 0 && v + w <= 1) return {1 - v - w, v, w};
  }
  // Outside: the closest point is on an edge.
  const double on_ab = closest_on_segment(p, a, b);
  const double on_bc = closest_on_segment(p, b, c);
  const double on_ca = closest_on_segment(p, c, a);
  const std::array<std::array<double, 3>, 3> candidates{
      {{1 - on_ab, on_ab, 0}, {0, 1 - on_bc, on_bc}, {on_ca, 0, 1 - on_ca}}};
  const auto squared_distance = [&](const std::array<double, 3>& at) {
    return (at[0] * a + at[1] * b + at[2] * c - p).squaredNorm();
  };
  return *std::min_element(candidates.begin(), candidates.end(), [&](const auto& x, const auto& y) {
    return squared_distance(x) < squared_distance(y);
  });
}

}  // namespace

struct SurfaceQueries::State {
  std::vector<Vec3> positions;
  std::vector<Vec3> normals;  // of vertices, unit or zero
  std::vector<Triangle> triangles;
  std::vector<float> buffer;
  SharedDevice device{nullptr, &rtcReleaseDevice};
  SharedScene scene{nullptr, &rtcReleaseScene};
};

SurfaceQueries::SurfaceQueries(const Mesh& mesh) : state_(std::make_unique<State>()) {
  State& state = *state_;
  state.positions = mesh.positions();
  state.triangles = surface_triangles(mesh);
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
  rtcCommitScene(state.scene.get());
}

SurfaceQueries::~SurfaceQueries() = default;
SurfaceQueries::SurfaceQueries(SurfaceQueries&&) noexcept = default;
SurfaceQueries& SurfaceQueries::operator=(SurfaceQueries&&) noexcept = default;

const std::vector<Triangle>& SurfaceQueries::triangles() const { return state_->triangles; }

double SurfaceQueries::visibility(VertexIndex vertex, const Vec3& point) const {
  const Vec3& start = state_->positions[vertex];
  const Vec3 direction = point - start;
  const double length = direction.norm();
  if (state_->scene == nullptr || length <= kHidingDepth) return 1;
  SightContext sight{};
  rtcInitIntersectContext(&sight.context);
  sight.context.filter = &note_crossings;
  sight.triangles = &state_->triangles;
  sight.vertex = vertex;
  sight.direction = direction;

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
  rtcOccluded1(state_->scene.get(), &sight.context, &ray);
  if (sight.count == 0) return 1;
  if (sight.count > kMostCrossings) return 0;

  const std::span<Crossing> crossings = std::span(sight.crossings).first(sight.count);
  // Positive when the line leaves the vertex to the outside.
  const double leaves = state_->normals[vertex].dot(direction) / length / kLeavingCosine;
  // Faces on top of each other are crossed as from where the line starts: Embree's order is its
  // own.
  std::sort(crossings.begin(), crossings.end(), [&](const Crossing& a, const Crossing& b) {
    const bool a_first = a.goes_in == (leaves > 0);
    const bool b_first = b.goes_in == (leaves > 0);
    return std::pair(a.at, !a_first) < std::pair(b.at, !b_first);
  });
  const auto lost_between = [&](double from, double to) {
    const auto nearest = closest_point(start + (from + to) / 2 * direction, kHidingDepth,
                                       [](std::size_t) { return true; });
    return nearest ? nearest->distance / kHidingDepth : 1;
  };
  // Crossings cancel in pairs as well as they can, also with the line's ends; what is left hides.
  double least_before = 0;
  double least = 0;
  const Crossing* previous = nullptr;
  for (const Crossing& crossing : crossings) {
    if (previous != nullptr && (crossing.at - previous->at) * length < kSameCrossing &&
        crossing.goes_in == previous->goes_in)
      continue;
    double alone = std::min(lost_between(crossing.at, 1), crossing.at * length / kHidingDistance);
    const double comes_back = std::clamp(crossing.goes_in ? leaves : -leaves, 0.0, 1.0);
    if (comes_back > 0)
      alone = std::min(alone, 1 - comes_back * (1 - lost_between(0, crossing.at)));
    double next = least + alone;
    if (previous != nullptr && crossing.goes_in != previous->goes_in)
      next = std::min(next, least_before + lost_between(previous->at, crossing.at));
    least_before = least;
    least = next;
    previous = &crossing;
  }
  return 1 - std::min(1.0, least);
}

/// What a search around a point has asked for and found. Embree calls back for every triangle whose
/// box is within the radius, in an order of its own.
struct SurfaceQueries::Search {
  const State& state;
  const std::function<bool(std::size_t)>& counts;
  const Vec3& point;
  double radius;

  /// The closest point of a triangle that counts and is near enough.
  [[nodiscard]] std::optional<SurfacePoint> closest_of(std::size_t triangle) const {
    if (!counts(triangle)) return std::nullopt;
    const Triangle& corners = state.triangles[triangle];
    const Vec3& a = state.positions[corners[0]];
    const Vec3& b = state.positions[corners[1]];
    const Vec3& c = state.positions[corners[2]];
    const std::array<double, 3> at = closest_barycentric(point, a, b, c);
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
    const std::optional<SurfacePoint> found = search.closest_of(arguments->primID);
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
    if (const auto closest = search.closest_of(arguments->primID)) found.push_back(*closest);
    return false;
  };
  within.search.run(visit, &within);
  std::sort(within.found.begin(), within.found.end(),
            [](const SurfacePoint& a, const SurfacePoint& b) { return a.triangle < b.triangle; });
  return std::move(within.found);
}

}  // namespace sinew
