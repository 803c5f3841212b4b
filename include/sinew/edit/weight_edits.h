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
/// EditSession::edit makes such edits and EditSession::undo takes them back. Vertices are those of
/// the solver's problem, in any order; one that is listed twice counts once. Where an edit means
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
/// in geometry/mesh_graph.h, where the graph that the session was made with is what was there
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

/// Where in the history of steps an edit was made.
struct EditMark {
  std::size_t after_steps = 0;
  std::string
      what;  // names of edits, with semicolons between; "undo ..." when they were taken back
};

}  // namespace sinew
