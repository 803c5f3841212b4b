// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arap/clusterings.h"
#include "arap/mirror_reduction.h"
#include "arap/rotation_tables.h"
#include "arap/weight_patch.h"
#include "arap/weight_system.h"
#include "sinew/arap/weight_solver.h"

namespace sinew {

enum class ConstraintOrigin : std::uint8_t {
  given,       // with the problem, or by add_constraints
  positivity,  // because the weight went below zero
  painted,     // by an edit
};

/// All that edits can change, so that one can be prepared beside a solver and put into it at once,
/// and taken out again in the same way.
struct EditableParts {
  struct Row {
    std::vector<std::uint32_t> bones;
    std::vector<double> start;    // beside bones: what the problem starts from
    std::vector<double> weights;  // beside bones: what the solver has
  };
  std::map<VertexIndex, Row> rows;            // of vertices with other bones than in the solver
  std::vector<Edge> wires;                    // all that edits have added
  std::vector<WeightConstraint> constraints;  // all
  std::vector<ConstraintOrigin> origins;      // beside constraints
  std::vector<FlatConstraint> flat;           // all
  using Weight = std::pair<std::uint32_t, std::uint32_t>;  // vertex, bone
  /// Of painted weights: the given constraints that had to give way.
  std::map<Weight, std::vector<WeightConstraint>> gave_way;
};

struct WeightSolver::State {
  WeightProblem problem;
  WeightSolverOptions options;
  RotationMode mode;
  WeightSystem system;
  std::vector<WeightConstraint> constraints;
  std::vector<ConstraintOrigin> origins;  // beside constraints
  std::vector<FlatConstraint> flat;
  std::vector<Clustering> clusterings;
  std::vector<RotationTables> tables;  // of each clustering
  std::vector<int> vertex_order;       // in which their unknowns are eliminated
  std::optional<MirrorReduction>
      mirror;                            // of problems that have one; the factor is of its unknowns
  std::optional<SparseCholesky> factor;  // nothing where nothing is unknown, and once released
  bool is_factor_released = false;       // to be made again when it is needed
  bool is_factor_behind = false;         // and the matrix has other places since
  bool needs_full_precision = false;     // floats would not do, or did not
  std::vector<double> weights;
  /// Of these weights in this system, once somebody has asked; nothing after either has changed.
  struct Evaluated {
    std::optional<WeightSystem::Product> product;
    std::optional<WeightSystem::FixedEnergy> energy;
  };
  Evaluated evaluated;
  std::vector<StepEnergy> steps;

  bool has_fading_ends = false;      // was given constraints towards zero
  std::optional<MeshGraph> unwired;  // the graph before edits; while there are wires
  std::vector<Edge> wires;
  std::map<EditableParts::Weight, std::vector<WeightConstraint>> gave_way;
  struct Undo {
    EditableParts parts;
    std::vector<double> weights;
    std::string what;
  };
  std::deque<Undo> undos;
  std::vector<EditMark> marks;

  /// What tables, system and factor do not know of edits yet.
  struct Behind {
    std::vector<VertexIndex> touched;  // whose bones or edges have changed; ascending
    bool edges_change = false;
    std::vector<WeightConstraint> constraints;  // that the system has
    std::vector<FlatConstraint> flat;           // that the system has
  };
  std::optional<Behind> behind;
  struct Recent {
    std::vector<VertexIndex> vertices;  // ascending
    bool is_stepped = false;            // step_near_edits was here
  };
  Recent recent;  // where edits were made since the last step, or before it stepped near them
  std::optional<WeightPatch> patch;  // around what is recent
  int patch_rings = 0;

  State(WeightProblem given, const WeightSolverOptions& chosen);
  /// Makes all that is made from the problem. Tables may be there already, of the same edges,
  /// clusters and exemplars with other bones.
  Status initialise(const Progress& progress,
                    const std::vector<RotationTables>* tables_before = nullptr);
  /// The local step, as the energy sees it.
  struct Fitted {
    std::vector<double> beta;   // of the rotations that fit weights best; beside maps.bones
    double stretch_energy = 0;  // beside the energy of rotations, where spines stretch
  };
  [[nodiscard]] Fitted fit(const std::vector<double>& weights_to_fit) const;
  /// Of the weights as they are, relative to X Σ a|e|².
  struct Energies {
    double all = 0;
    double arap = 0;  // without regulariser, smoothing, constraints and the harmonic term
  };
  [[nodiscard]] Energies energies(const Fitted& fitted);
  Status order_and_factor();
  Status refactor();
  /// Frees the memory of the factor until the next step.
  void release_factor();
  /// The matrix has changed by these constraints already.
  Status change_factor(std::span<const WeightConstraint> changed, double sign);
  void add(std::span<const WeightConstraint> added, ConstraintOrigin origin);
  /// Calls use(matrix) without a copy where nothing is flat.
  template <class Use>
  void with_matrix(const Use& use) const {
    if (flat.empty())
      use(system.matrix_without_flat());
    else
      use(system.matrix());
  }
  [[nodiscard]] const WeightSystem::Product& product() {
    if (!evaluated.product) evaluated.product = system.product(problem.maps, weights);
    return *evaluated.product;
  }
  [[nodiscard]] const WeightSystem::FixedEnergy& fixed_energy() {
    if (!evaluated.energy) evaluated.energy = system.fixed_energy(problem, weights, product());
    return *evaluated.energy;
  }
  /// The global step: the weights that fit β best, or as far towards them, or beyond.
  Status solve(const std::vector<double>& beta, double reach);
  void set(const Eigen::VectorXd& solved);

  [[nodiscard]] const MeshGraph& graph_without_wires() const {
    return unwired ? *unwired : problem.graph;
  }
  /// Everything but rows, as it is.
  [[nodiscard]] EditableParts editable_parts() const;
  /// What has to be put in to take these parts out again.
  [[nodiscard]] EditableParts inverse_of(const EditableParts& parts) const;
  /// Puts parts in place of what is there; tables, system and factor then are behind.
  void install(EditableParts parts, EditReport& report);
  /// Does what edits have left to do. A failure, of the factor alone, leaves all but that done.
  Status catch_up(EditReport& report);
  Status catch_up() {
    EditReport ignored;
    return catch_up(ignored);
  }
  /// Tables and system alone; nothing where only constraints are behind.
  void catch_up_rows(EditReport& report);
  Status catch_up_constraints(EditReport& report);
  [[nodiscard]] WeightTerms terms() const {
    return {options.regulariser, options.harmonic, options.smoothing};
  }
};

}  // namespace sinew
