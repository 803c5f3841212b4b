// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/prepare/surface_queries.h"

#include <algorithm>

#include <embree3/rtcore.h>

#include "sinew/math/segment.h"

namespace sinew {
namespace {

/// How much of a segment's far end does not count, in a mesh of unit size: a bone may itself lie in
/// the surface, or just under it, and rounding must not decide which.
constexpr double kFarEnd = 1e-3;
/// And of its near end, as a fraction: a coat that lies on the skin is hidden by it, however close.
constexpr double kNearEnd = 1e-4;
/// Rounding of floats in a mesh of unit size, with room to spare.
constexpr double kFloatMarginRel = 4e-6;
/// What strayed farther is moved to there: Embree's products of floats must not overflow.
constexpr double kFarthest = 1e9;
/// Embree reads whole 16-byte lanes, also past the last vertex.
constexpr std::size_t kPaddingFloats = 4;

using SharedDevice = std::unique_ptr<RTCDeviceTy, decltype(&rtcReleaseDevice)>;
using SharedScene = std::unique_ptr<RTCSceneTy, decltype(&rtcReleaseScene)>;

struct VisibilityContext {
  RTCIntersectContext context;  // first: Embree hands back a pointer to it
  const std::vector<Triangle>* triangles;
  VertexIndex vertex;
};

/// Refuses hits on the triangles at the vertex where the ray starts.
void ignore_own_triangles(const RTCFilterFunctionNArguments* arguments) {
  const auto* context = reinterpret_cast<const VisibilityContext*>(arguments->context);
  for (unsigned i = 0; i < arguments->N; ++i) {
    if (arguments->valid[i] != -1) continue;
    const Triangle& triangle =
        (*context->triangles)[RTCHitN_primID(arguments->hit, arguments->N, i)];
    if (std::find(triangle.begin(), triangle.end(), context->vertex) != triangle.end())
      arguments->valid[i] = 0;
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
  std::vector<Triangle> triangles;
  std::vector<float> buffer;
  SharedDevice device{nullptr, &rtcReleaseDevice};
  SharedScene scene{nullptr, &rtcReleaseScene};
};

SurfaceQueries::SurfaceQueries(const Mesh& mesh) : state_(std::make_unique<State>()) {
  State& state = *state_;
  state.positions = mesh.positions();
  state.triangles = surface_triangles(mesh);
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

bool SurfaceQueries::is_visible(VertexIndex vertex, const Vec3& point) const {
  const Vec3& start = state_->positions[vertex];
  const Vec3 direction = point - start;
  const double length = direction.norm();
  if (state_->scene == nullptr || length <= 2 * kFarEnd) return true;
  VisibilityContext context{};
  rtcInitIntersectContext(&context.context);
  context.context.filter = &ignore_own_triangles;
  context.triangles = &state_->triangles;
  context.vertex = vertex;

  RTCRay ray{};
  ray.org_x = static_cast<float>(start.x());
  ray.org_y = static_cast<float>(start.y());
  ray.org_z = static_cast<float>(start.z());
  ray.dir_x = static_cast<float>(direction.x());
  ray.dir_y = static_cast<float>(direction.y());
  ray.dir_z = static_cast<float>(direction.z());
  ray.tnear = static_cast<float>(kNearEnd);
  ray.tfar = static_cast<float>(1 - kFarEnd / length);
  ray.mask = ~0u;
  rtcOccluded1(state_->scene.get(), &context.context, &ray);
  return ray.tfar >= 0;  // Embree marks an occluded ray with minus infinity
}

std::optional<SurfacePoint> SurfaceQueries::closest_point(
    const Vec3& point, double radius,
    const std::function<bool(std::size_t triangle)>& counts) const {
  if (state_->scene == nullptr) return std::nullopt;
  struct Search {
    const State& state;
    const std::function<bool(std::size_t)>& counts;
    Vec3 point;
    double radius;
    std::optional<SurfacePoint> best;
  } search{*state_, counts, point, radius, std::nullopt};

  const auto visit = [](RTCPointQueryFunctionArguments* arguments) {
    auto& s = *static_cast<Search*>(arguments->userPtr);
    const std::size_t t = arguments->primID;
    if (!s.counts(t)) return false;
    const Triangle& corners = s.state.triangles[t];
    const Vec3& a = s.state.positions[corners[0]];
    const Vec3& b = s.state.positions[corners[1]];
    const Vec3& c = s.state.positions[corners[2]];
    const std::array<double, 3> at = closest_barycentric(s.point, a, b, c);
    const Vec3 closest = at[0] * a + at[1] * b + at[2] * c;
    const double distance = (closest - s.point).norm();
    if (distance > s.radius) return false;
    if (s.best &&
        (distance > s.best->distance || (distance == s.best->distance && t > s.best->triangle)))
      return false;
    s.best = SurfacePoint{t, closest, at, distance};
    // Wider than Embree's floats can err, so that the order in which it visits never matters.
    const auto narrowed = static_cast<float>(distance * (1 + kFloatMarginRel) + kFloatMarginRel);
    if (!(narrowed < arguments->query->radius)) return false;
    arguments->query->radius = narrowed;
    return true;
  };
  RTCPointQueryContext context;
  rtcInitPointQueryContext(&context);
  RTCPointQuery query{};
  query.x = static_cast<float>(point.x());
  query.y = static_cast<float>(point.y());
  query.z = static_cast<float>(point.z());
  query.radius =
      static_cast<float>(std::min(radius, 8 * kFarthest) * (1 + kFloatMarginRel) + kFloatMarginRel);
  rtcPointQuery(state_->scene.get(), &query, &context, visit, &search);
  return search.best;
}

}  // namespace sinew
