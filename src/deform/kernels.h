// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "sinew/deform/deform_spans.h"
#include "sinew/deform/dual_quaternion_blend.h"
#include "sinew/deform/linear_blend.h"
#include "sinew/deform/packed_influences.h"

// The inner loops of the deformers. kernel_body.inc is compiled once per instruction set, each
// function with a target attribute, and the best that the processor has is chosen at run time:
// release builds are for any x86-64, and AVX is worth a factor of two. Separate compiler flags per
// file would do the same, but inline functions of the standard library compiled with them could end
// up in code that runs on older processors.
namespace sinew::deform_kernels {

struct Job {
  const PackedInfluences* influences = nullptr;
  const BoneMatrix* matrices = nullptr;  // linear blend: the bones; dual: the stretches, or null
  const BoneMatrix* normal_matrices = nullptr;  // null when `matrices` serve normals too
  const BoneDualQuaternion* motions = nullptr;  // dual quaternions only
};

/// Where the vertices of the first block begin. Normals: both or neither.
struct Arrays {
  const float* positions = nullptr;
  const float* normals = nullptr;
  float* out_positions = nullptr;
  float* out_normals = nullptr;
};

/// Deforms the blocks [block_begin, block_end), all of them full. Loads and stores are four floats
/// wide: one float past the last vertex is read in every array, and overwritten in the outputs.
using Kernel = void (*)(const Job& job, const Arrays& arrays, std::size_t block_begin,
                        std::size_t block_end);
struct KernelSet {
  Kernel linear;
  Kernel dual_quaternion;
};

namespace baseline {
extern const KernelSet kKernels;
}
#if defined(__x86_64__)
#define SINEW_HAS_AVX_KERNELS 1
namespace avx2 {
extern const KernelSet kKernels;
}
#endif

[[nodiscard]] const KernelSet& select(DeformKernel kernel);

/// Runs a kernel over all vertices, in chunks of blocks that are the same for any number of
/// threads.
void run(Kernel kernel, const Job& job, const DeformSpans& spans, const DeformOptions& options);

}  // namespace sinew::deform_kernels
