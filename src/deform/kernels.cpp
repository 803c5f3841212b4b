// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "deform/kernels.h"

#include <algorithm>
#include <cassert>

#include "core/parallel.h"

namespace sinew {

bool is_available(DeformKernel kernel) {
  if (kernel != DeformKernel::avx2) return true;
#ifdef SINEW_HAS_AVX_KERNELS
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return false;
#endif
}

namespace deform_kernels {
namespace {

constexpr std::size_t kBlock = PackedInfluences::kBlockSize;
constexpr std::size_t kBlocksPerChunk =
    512;  // about 20 microseconds: enough to hide the cost of a task

// The last block of a chunk goes through buffers of its own: it may be cut short, and what a kernel
// reads or writes past its end belongs to somebody else.
void run_last_block(Kernel kernel, const Job& job, const Arrays& arrays, std::size_t block,
                    std::size_t vertices) {
  constexpr std::size_t kPadded = kBlock * 3 + 1;
  float positions[kPadded] = {}, normals[kPadded] = {};
  float out_positions[kPadded], out_normals[kPadded];
  Arrays local{positions, nullptr, out_positions, nullptr};
  std::copy_n(arrays.positions, vertices * 3, positions);
  if (arrays.normals != nullptr) {
    std::copy_n(arrays.normals, vertices * 3, normals);
    local.normals = normals;
    local.out_normals = out_normals;
  }
  kernel(job, local, block, block + 1);
  std::copy_n(out_positions, vertices * 3, arrays.out_positions);
  if (arrays.normals != nullptr) std::copy_n(out_normals, vertices * 3, arrays.out_normals);
}

Arrays advance(const Arrays& arrays, std::size_t blocks) {
  const std::size_t offset = blocks * kBlock * 3;
  Arrays moved{arrays.positions + offset, nullptr, arrays.out_positions + offset, nullptr};
  if (arrays.normals != nullptr) {
    moved.normals = arrays.normals + offset;
    moved.out_normals = arrays.out_normals + offset;
  }
  return moved;
}

}  // namespace

const KernelSet& select(DeformKernel kernel) {
  assert(is_available(kernel));
#ifdef SINEW_HAS_AVX_KERNELS
  if (kernel != DeformKernel::baseline && is_available(DeformKernel::avx2)) return avx2::kKernels;
#endif
  return baseline::kKernels;
}

void run(Kernel kernel, const Job& job, const DeformSpans& spans, const DeformOptions& options) {
  const PackedInfluences& influences = *job.influences;
  const std::size_t vertices = influences.vertex_count();
  const bool with_normals = !spans.normals.empty() && !spans.out_normals.empty();
  assert(spans.positions.size() == 3 * vertices && spans.out_positions.size() == 3 * vertices);
  assert(!with_normals ||
         (spans.normals.size() == 3 * vertices && spans.out_normals.size() == 3 * vertices));

  const Arrays arrays{spans.positions.data(), with_normals ? spans.normals.data() : nullptr,
                      spans.out_positions.data(),
                      with_normals ? spans.out_normals.data() : nullptr};
  const auto run_chunk = [&](ChunkRange blocks) {
    const std::size_t last = blocks.end - 1;
    kernel(job, advance(arrays, blocks.begin), blocks.begin, last);
    run_last_block(kernel, job, advance(arrays, last), last,
                   std::min(kBlock, vertices - last * kBlock));
  };
  const std::size_t blocks = influences.block_count();
  if (blocks == 0) return;
  if (options.threads == DeformOptions::Threads::one)
    run_chunk({0, blocks});
  else
    parallel_for_chunks(blocks, kBlocksPerChunk, run_chunk);
}

}  // namespace deform_kernels
}  // namespace sinew
