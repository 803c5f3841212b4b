// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "math/supernodal_solve.h"
#include "sinew/math/sparse_cholesky.h"

namespace sinew {

/// Computes the values of a supernodal LLᵀ whose structure is known, of a symmetric matrix that is
/// given by its lower triangle; place_of[i] is where the factor's ordering puts row i. Pieces, and
/// what is large above them, run in parallel; the same bits come out for any number of threads.
/// False if the matrix is not positive definite; for floats, not clearly so.
template <class Scalar>
[[nodiscard]] bool factorise_supernodes(const SupernodeStructure& structure,
                                        const SupernodePieces& pieces,
                                        std::span<const int> place_of, const SparseMatrix& lower,
                                        Scalar* values);

}  // namespace sinew
