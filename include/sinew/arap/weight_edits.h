// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sinew/model/mesh.h"

namespace sinew {

/// What an artist may change about weights while they are optimised ([araplbs] section 6).
/// WeightSolver::edit makes such edits and WeightSolver::undo takes them back. Vertices are those
/// of the solver's problem, in any order; one that is listed twice counts once. Where an edit means
/// nothing for a vertex, the vertex is passed over and counted: a brush need not know what it will
/// meet.

/// The bone may influence these vertices too, and starts there with no weight. Passed over: where
/// it may already.
struct AddInfluence {
  std::uint32_t bone = 0;
  std::vector<VertexIndex> vertices;
};

/// The bone does not influence these vertices any more: its weights there are gone from the
/// problem, not held at zero. What it had goes to the vertex's other bones in proportion. All that
/// constrained those weights goes too. Passed over: where the bone has no influence, and where it
/// is the only one.
///
/// In a solver that was given constraints towards zero where influences end (neumann_constraints),
/// those move with the ends, both when influences are added and when they are removed.
struct RemoveInfluence {
  std::uint32_t bone = 0;
  std::vector<VertexIndex> vertices;
};

/// Joins vertices by edges that count in the energy, both ways, with the paper's λ: see with_wires
/// in geometry/mesh_graph.h, where the graph that the solver was made with is what was there
/// before. Each end may be influenced by the bones of the other from then on. Passed over: wires
/// that are there already.
struct ConnectWires {
  std::vector<Edge> wires;
};

/// Holds the bone's weight at a value. Whatever held that weight before gives way, and so does what
/// the solver was given for other bones of the vertex if the values no longer fit into one. Where
/// the bone has no influence it gets some, or, for a value of zero, the vertex is passed over.
struct SetWeights {
  std::uint32_t bone = 0;
  std::vector<VertexIndex> vertices;
  double target = 1;         // 0 to 1
  double stiffness_rel = 1;  // of the paper's c_i, at which the weight is within 1% or so
};

/// Draws the bone's weight at each of these vertices to the mean around it: a null-Laplacian
/// constraint, [araplbs] Eq. 13 at chosen places. Needs WeightProblem::laplacian. Such a constraint
/// couples vertices that are no neighbours, for which the matrix has no places: few are put into
/// the factor as it is, many make it be analysed anew. Passed over: where neither the vertex nor a
/// neighbour has the bone. One that is there already is replaced.
struct FlattenWeights {
  std::uint32_t bone = 0;
  std::vector<VertexIndex> vertices;
  double stiffness_rel = 1;  // of the paper's c_i; 0.001 only evens out
};

/// Takes back what SetWeights and FlattenWeights hold of this bone at these vertices. What had to
/// give way for it comes back. Passed over: where there is nothing of either.
struct ClearWeights {
  std::uint32_t bone = 0;
  std::vector<VertexIndex> vertices;
};

/// Takes away the constraints towards a value above zero that the solver was given for this bone,
/// at these vertices; at all of them where the list is empty. Passed over: vertices without any.
struct ReleaseAttachments {
  std::uint32_t bone = 0;
  std::vector<VertexIndex> vertices;
};

using WeightEdit = std::variant<AddInfluence, RemoveInfluence, ConnectWires, SetWeights,
                                FlattenWeights, ClearWeights, ReleaseAttachments>;

/// "add_influence", "connect_wires", ...: as files and reports call it.
[[nodiscard]] std::string_view name_of(const WeightEdit& edit);

struct EditOptions {
  enum class Rebuild {
    now,           // what cannot be factorised is refused, and steps take as long as ever
    at_next_step,  // of the whole mesh; step_near_edits does not need it: for a brush
  };
  Rebuild rebuild = Rebuild::now;
};

/// What an edit did, and what it took.
struct EditReport {
  std::size_t changed = 0;      // vertices, or wires
  std::size_t passed_over = 0;  // vertices, or wires
  enum class Factor {
    kept,        // nothing that is factorised has changed
    updated,     // changed in place, by `columns` columns
    factorised,  // made anew, on the same places
    analysed,    // made anew on other places, which first had to be put in order
    postponed,   // as Rebuild::at_next_step wants it
  };
  Factor factor = Factor::kept;
  std::size_t columns = 0;
  double tables_s = 0;  // the rows of rotation tables, and all that is numbered by weights
  double matrix_s = 0;
  double factor_s = 0;
};

/// How WeightSolver::step_near_edits goes on near edits alone.
struct NearOptions {
  int rings = 12;        // of edges around what was edited, whose weights are free too: weights are
                         // then about as near to where they go as after a step: decision 15
  int alternations = 3;  // of rotations and weights: one more costs a tenth of a first step, and
                         // wires want several
  double most_rel = 0.5;  // of the vertices: where more are free, a step of the whole costs no more
};

/// What such a step did, and what it took.
struct NearStep {
  std::vector<VertexIndex> vertices;  // ascending: only their weights may have changed
  bool is_whole = false;              // was an ordinary step; figures below are then zero
  double gain = 0;        // of the energy, relative to X Σ a|e|²; below zero only with spines
  double assemble_s = 0;  // tables and matrix of the patch, unless they were there already
  double factor_s = 0;
  double local_s = 0;  // rotations
  double solve_s = 0;  // weights and energies
};

/// Where in the history of steps an edit was made.
struct EditMark {
  std::size_t after_steps = 0;
  std::string
      what;  // names of edits, with semicolons between; "undo ..." when they were taken back
};

}  // namespace sinew
