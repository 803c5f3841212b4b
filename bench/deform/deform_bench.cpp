// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT

// Vertices per second of the deformers on one thread, and how near that is to copying the same
// bytes.
//
// The mesh is a long tube whose vertices come ring by ring, along 50 bones in a row; every vertex
// is carried by the four bones nearest to it, as in the limbs of a character. Columns: `vertices`
// per second; `copy` is the copy of as many bytes as the kernel reads and writes, in vertices per
// second; `fraction_of_copy` is the first over the second.
#include <chrono>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include <benchmark/benchmark.h>

#include "sinew/deform/dual_quaternion_blend.h"
#include "sinew/deform/linear_blend.h"
#include "sinew/deform/packed_influences.h"

namespace sinew {
namespace {

constexpr std::size_t kBones = 50;
constexpr std::size_t kInfluences = 4;
constexpr std::size_t kRing = 60;  // vertices around the tube

struct Fixture {
  std::vector<float> positions, normals, out_positions, out_normals;
  PackedInfluences influences;
  std::vector<Affine3> bones;
};

std::vector<Affine3> posed_bones() {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> angle(-0.5, 0.5);
  std::vector<Affine3> bones(kBones, Affine3::Identity());
  for (Affine3& bone : bones) {
    const Vec3 axis = Vec3(angle(random), angle(random), 0.7).normalized();
    bone.rotate(Eigen::AngleAxisd(angle(random), axis));
    bone.translation() = Vec3(angle(random), angle(random), angle(random));
  }
  return bones;
}

Fixture make_fixture(std::size_t vertices) {
  Fixture fixture;
  std::vector<std::size_t> row_begin{0};
  std::vector<Influence> influences;
  for (std::size_t v = 0; v < vertices; ++v) {
    const double along = static_cast<double>(v) / static_cast<double>(vertices) * kBones;
    const double around = 2 * M_PI * static_cast<double>(v % kRing) / kRing;
    const double normal[3] = {std::cos(around), 0, std::sin(around)};
    for (int k = 0; k < 3; ++k) {
      fixture.normals.push_back(static_cast<float>(normal[k]));
      fixture.positions.push_back(static_cast<float>(k == 1 ? along : 0.5 * normal[k]));
    }
    const auto nearest = static_cast<std::size_t>(std::clamp(along - 1.5, 0.0, kBones - 4.0));
    for (std::size_t b = nearest; b < nearest + kInfluences; ++b)
      influences.push_back({static_cast<std::uint32_t>(b),
                            1 / (0.1 + std::abs(along - static_cast<double>(b) - 0.5))});
    row_begin.push_back(influences.size());
  }
  fixture.influences = *PackedInfluences::create(
      SkinWeights::mend(kBones, std::move(row_begin), std::move(influences)));
  fixture.out_positions.resize(fixture.positions.size());
  fixture.out_normals.resize(fixture.normals.size());
  fixture.bones = posed_bones();
  return fixture;
}

// What a kernel moves per vertex: bone indices and weights, positions in and out, normals in and
// out.
std::size_t bytes_per_vertex(bool normals) {
  return kInfluences * (sizeof(std::uint16_t) + sizeof(float)) + (normals ? 12 : 6) * sizeof(float);
}

// Seconds to read half of `bytes` and write the other half, the fastest of many.
double copy_seconds(std::size_t bytes) {
  std::vector<char> from(bytes / 2, 1), to(bytes / 2, 2);
  double fastest = 1e9;
  for (int repeat = 0; repeat < 200; ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    std::memcpy(to.data(), from.data(), from.size());
    benchmark::DoNotOptimize(to.data());
    benchmark::ClobberMemory();
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    fastest = std::min(fastest, spent.count());
  }
  return fastest;
}

template <class Deform>
void measure(benchmark::State& state, bool with_normals, const Deform& deform) {
  const auto kernel = static_cast<DeformKernel>(state.range(1));
  if (!is_available(kernel)) return state.SkipWithError("not on this processor");
  Fixture fixture = make_fixture(static_cast<std::size_t>(state.range(0)));
  DeformSpans spans{fixture.positions, {}, fixture.out_positions, {}};
  if (with_normals) {
    spans.normals = fixture.normals;
    spans.out_normals = fixture.out_normals;
  }
  const DeformOptions options{DeformOptions::Threads::one, kernel};
  double fastest = 1e9;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    deform(fixture, spans, options);
    benchmark::ClobberMemory();
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    fastest = std::min(fastest, spent.count());
  }
  const auto vertices = static_cast<double>(state.range(0));
  const double copy =
      copy_seconds(static_cast<std::size_t>(state.range(0)) * bytes_per_vertex(with_normals));
  state.counters["vertices"] =
      benchmark::Counter(vertices, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["best"] = vertices / fastest;
  state.counters["copy"] = vertices / copy;
  state.counters["fraction_of_copy"] = copy / fastest;
}

void linear(benchmark::State& state, bool with_normals) {
  BoneMatrices bones;
  measure(state, with_normals,
          [&](const Fixture& fixture, const DeformSpans& spans, const DeformOptions& options) {
            bones.set(fixture.bones);
            linear_blend(fixture.influences, bones, spans, options);
          });
}

void dual(benchmark::State& state, bool with_normals) {
  BoneDualQuaternions bones;
  measure(state, with_normals,
          [&](const Fixture& fixture, const DeformSpans& spans, const DeformOptions& options) {
            bones.set(fixture.bones);
            dual_quaternion_blend(fixture.influences, bones, spans, options);
          });
}

void sizes_and_kernels(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"vertices", "kernel"});
  for (const DeformKernel kernel : {DeformKernel::fastest, DeformKernel::baseline})
    for (const int vertices : {30'000, 300'000}) bench->Args({vertices, static_cast<int>(kernel)});
  bench->Unit(benchmark::kMicrosecond);
}

BENCHMARK_CAPTURE(linear, positions, false)->Apply(sizes_and_kernels);
BENCHMARK_CAPTURE(linear, normals, true)->Apply(sizes_and_kernels);
BENCHMARK_CAPTURE(dual, positions, false)->Apply(sizes_and_kernels);
BENCHMARK_CAPTURE(dual, normals, true)->Apply(sizes_and_kernels);

}  // namespace
}  // namespace sinew
