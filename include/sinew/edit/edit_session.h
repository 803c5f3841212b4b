// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "sinew/arap/revision_cost.h"
#include "sinew/arap/weight_solver.h"
#include "sinew/core/result.h"
#include "sinew/edit/weight_edits.h"

namespace sinew {

struct EditOptions {
  enum class Rebuild {
    now,           // what cannot be factorised is refused, and steps take as long as ever
    at_next_step,  // of the whole mesh; step_near_edits does not need it: for a brush
  };
  Rebuild rebuild = Rebuild::now;
};

/// What an edit did, and what it took.
struct EditReport : RevisionCost {
  std::size_t changed = 0;      // vertices, or wires
  std::size_t passed_over = 0;  // vertices, or wires
};

/// How EditSession::step_near_edits goes on near edits alone.
struct NearOptions {
  int rings = 12;        // of edges around what was edited, whose weights are free too: weights are
                         // then about as near to where they go as after a step:
                         // docs/decisions/large-meshes.md
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

/// An artist's work on weights that are being optimised ([araplbs] section 6): a solver, what was
/// edited in it, and the way back. Lives as long as the work does, and is called from one thread at
/// a time.
///
///     EditSession session(*WeightSolver::create(problem, constraints));
///     // A stroke of the brush: milliseconds each.
///     SINEW_CHECK(session.edit(SetWeights{bone, vertices, 0.5},
///                              {EditOptions::Rebuild::at_next_step}));
///     SINEW_TRY(const NearStep near, session.step_near_edits());
///     show(near.vertices, session.solver().weights());  // beside solver().problem().maps.bones
///     // Nobody paints: the whole mesh follows. The first step is slow, as it catches up.
///     while (is_idle() && !session.solver().converged()) SINEW_CHECK(session.step());
///     // The artist takes the stroke back, whatever steps were taken since.
///     SINEW_CHECK(session.undo());
class EditSession {
 public:
  /// In a solver that was given constraints towards zero where influences end
  /// (neumann_constraints), those move with the ends from now on, whenever edits move these. Its
  /// option keeps_bones has to be off.
  explicit EditSession(WeightSolver solver);
  ~EditSession();
  EditSession(EditSession&&) noexcept;
  EditSession& operator=(EditSession&&) noexcept;

  /// Stays at its address when the session is moved. All of its functions may be called: the
  /// session notices steps, constraints and weights that the solver gets directly. It must not be
  /// moved away or replaced. After postponed edits, a function that needs what these left to do, as
  /// arap() does, does that first and takes longer.
  [[nodiscard]] WeightSolver& solver();
  [[nodiscard]] const WeightSolver& solver() const;
  /// Of FlattenWeights.
  [[nodiscard]] const std::vector<FlatConstraint>& flat_constraints() const;

  /// Makes edits, one after the other; undo takes them back together. They take effect in the next
  /// step. Only what belongs to the vertices they touch, and to neighbours of these, is computed
  /// again; clusters stay. Edits of constraints alone change the factor in place, or refactorise.
  /// Those that change which weights there are, or add wires, renumber the unknowns: the factor is
  /// analysed and made anew. With Rebuild::at_next_step all of that is left for the next step of
  /// the whole mesh, which then does it once for all edits before, and fails if it fails; undo
  /// helps. Fails with bad_argument, everything left as it was, when an edit makes no sense; the
  /// place is "edits[0].vertices[3]", for one. A solver of a problem with a mirror refuses edits.
  [[nodiscard]] Result<EditReport> edit(std::span<const WeightEdit> edits,
                                        const EditOptions& options = {});
  [[nodiscard]] Result<EditReport> edit(const WeightEdit& one, const EditOptions& options = {}) {
    return edit({&one, 1}, options);
  }
  /// Takes the last edits back: bones, edges, constraints and weights are again as they were right
  /// before them, whatever steps were taken since. The solver's steps() stay. Of more than 100
  /// edits the first cannot be taken back. Fails with bad_argument when there is nothing to take
  /// back.
  [[nodiscard]] Result<EditReport> undo(const EditOptions& options = {});
  /// How many times undo can be called.
  [[nodiscard]] std::size_t undo_count() const;
  /// Edits and undos in their order, for the history of steps.
  [[nodiscard]] std::span<const EditMark> edit_marks() const;

  /// A step of the whole mesh: as solver().step(), and gives memory back that only steps near edits
  /// want.
  [[nodiscard]] Status step(const StepOptions& options = {});
  /// Steps near what was edited since the last step of either kind, or, where nothing was, near the
  /// same again; after a step of the whole, nothing is left to do. The weights of vertices in some
  /// rings around are free and all others are held, which takes a fraction of the time that edits
  /// and steps of the whole take. The energy with its constraints gets no higher by it, and steps
  /// of the whole go on from there to where they would have gone. Neither in the solver's steps()
  /// nor in converged(); constraints for positivity are added by steps of the whole alone. Spines
  /// take part; with a filter, which is one of the whole, and where most of the mesh would be free,
  /// it is step(). Fails as step() does.
  [[nodiscard]] Result<NearStep> step_near_edits(const NearOptions& options = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sinew
