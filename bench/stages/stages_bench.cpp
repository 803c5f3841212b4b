// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
//
// Every stage of a bind by itself, on the biped at sizes from 5k to a million vertices: time, peak
// memory beside what was there before, and the bytes or floating-point operations that it cannot do
// without, so that the distance to the memory's bandwidth and the processor's peak can be seen.
// script/bench makes the table of docs/performance.md from them.
#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <benchmark/benchmark.h>

#include "arap/clusterings.h"
#include "arap/weight_system.h"
#include "bind/effort.h"
#include "characters/characters.h"
#include "math/cholesky_factor.h"
#include "rig/leaf_tails.h"
#include "sinew/arap/finish_weights.h"
#include "sinew/bind/bind.h"
#include "sinew/gltf/gltf_character.h"
#include "sinew/poses/exemplars.h"
#include "sinew/weights/heat.h"
#include "sinew/weights/sparsify.h"
#include "stages/memory_peak.h"

namespace sinew {
namespace {

constexpr int kExemplars = 80;
constexpr Eigen::Index kUpdateColumns = 20;  // constraints that come at once, as while painting
constexpr double kRotationFlops = 400;       // of a nearest rotation
constexpr double kIndexedEntryBytes = 12;    // a double and an int

CholeskyFactor make_factor() { return CholeskyFactor(WeightSolverOptions().cholesky.precision); }

constexpr ClusteringOptions kInClusters{.mode = RotationMode::clustered};

/// Of a factor, which consists of dense blocks.
double entry_bytes(const CholeskyFactor& factor) {
  return factor.precision() == CholeskyPrecision::single ? sizeof(float) : sizeof(double);
}

/// What each stage leaves for the next, made when it is first asked for.
class Chain {
 public:
  explicit Chain(int vertices) : vertices_(vertices) {}

  const Character& character() {
    if (!character_) {
      ExampleOptions options;
      options.vertices = vertices_;
      character_ = std::move(make_example("biped", options)->character);
      roles_ = decide_deforming_bones(*character_);
      hierarchy_ = find_effective_hierarchy(*character_, roles_);
      skeleton_ = guess_leaf_tails(effective_skeleton(character_->skeleton, roles_, hierarchy_),
                                   character_->mesh, character_->weights)
                      .skeleton;
    }
    return *character_;
  }
  const Skeleton& skeleton() {
    character();
    return skeleton_;
  }
  const Bytes& file() {
    if (file_.empty()) file_ = *encode_glb(*make_document(character()));
    return file_;
  }
  const PreparedMesh& mesh() {
    if (!mesh_) mesh_.emplace(prepare_mesh(character().mesh));
    return *mesh_;
  }
  const BoneCells& cells() {
    if (!cells_) cells_.emplace(find_bone_cells(mesh(), segments()));
    return *cells_;
  }
  BoneSegments segments() { return BoneSegments(skeleton(), mesh().frame); }
  std::vector<bool> all_parts() { return std::vector<bool>(mesh().parts.count(), true); }
  const SkinWeights& heat() {
    if (!heat_) heat_.emplace(std::move(heat_weights(mesh(), cells(), all_parts())->weights));
    return *heat_;
  }
  const ConstrainedProblem& constrained() {
    if (!constrained_) {
      ExemplarOptions options;
      options.count = kExemplars;
      const InfluenceMaps maps = widen_steep_edges(sparsify(heat(), mesh().graph, skeleton()),
                                                   mesh().graph, BindOptions().steep_edge);
      constrained_.emplace(constrain_as_paper(
          make_weight_problem(mesh(), maps,
                              sample_exemplars(character().skeleton, roles_, hierarchy_, options)),
          cells(), {}));
      constrained_->problem.turning = {
          mesh().parts.of_vertex,
          effort_of(find_edge_to_bone(mesh(), segments(), cells()), mesh().parts, {}).clusters};
    }
    return *constrained_;
  }
  const WeightProblem& problem() { return constrained().problem; }
  const std::vector<Clustering>& clusterings() {
    if (clusterings_.empty()) clusterings_ = make_clusterings(problem(), kInClusters);
    return clusterings_;
  }
  const std::vector<RotationTables>& tables() {
    if (tables_.empty())
      tables_ = rotation_tables(problem(), clusterings(), BindOptions().solver.rotation_precision);
    return tables_;
  }
  WeightSystem& system() {
    if (!system_) {
      system_.emplace(problem(), WeightTerms{.regulariser = 1e-6});
      system_->add_constraints(problem().maps, constrained().constraints, 1);
    }
    return *system_;
  }
  const std::vector<int>& order() {
    if (order_.empty()) {
      const std::vector<int> vertices = *vertex_elimination_order(problem());
      for (const int vertex : vertices)
        for (Eigen::Index p = 0; p < system().unknowns().count_of(static_cast<std::size_t>(vertex));
             ++p)
          order_.push_back(
              static_cast<int>(system().unknowns().first_of(static_cast<std::size_t>(vertex)) + p));
    }
    return order_;
  }
  /// Analysed alone.
  CholeskyFactor& analysed() {
    if (!factor_) {
      factor_.emplace(make_factor());
      benchmark::DoNotOptimize(factor_->analyse(system().matrix_without_flat(), order()));
    }
    return *factor_;
  }
  CholeskyFactor& factor() {
    if (!is_factorised_) is_factorised_ = analysed().factorise(system().matrix_without_flat()).ok();
    return *factor_;
  }
  const std::vector<double>& beta() {
    if (beta_.empty()) {
      beta_.assign(problem().maps.bones.size(), 0);
      RotationTables::add_linear(tables(), problem(), problem().maps.weights, beta_);
    }
    return beta_;
  }
  /// With what the stages before made let go, as bind does.
  WeightSolver& solver() {
    if (!solver_) {
      factor_.reset();
      is_factorised_ = false;
      system_.reset();
      tables_.clear();
      WeightSolverOptions options;
      options.rotations = RotationMode::clustered;
      solver_.emplace(*WeightSolver::create(problem(), constrained().constraints, options));
    }
    return *solver_;
  }

 private:
  int vertices_;
  std::optional<Character> character_;
  std::vector<BoneRole> roles_;
  EffectiveHierarchy hierarchy_;
  Skeleton skeleton_;
  Bytes file_;
  std::optional<PreparedMesh> mesh_;
  std::optional<BoneCells> cells_;
  std::optional<SkinWeights> heat_;
  std::optional<ConstrainedProblem> constrained_;
  std::vector<Clustering> clusterings_;
  std::vector<RotationTables> tables_;
  std::optional<WeightSystem> system_;
  std::vector<int> order_;
  std::optional<CholeskyFactor> factor_;
  bool is_factorised_ = false;
  std::vector<double> beta_;
  std::optional<WeightSolver> solver_;
};

/// One size at a time, or a million vertices would have to share the memory with all before.
Chain& chain_of(int vertices) {
  static int size = 0;
  static std::unique_ptr<Chain> chain;
  if (size != vertices) {
    chain.reset();
    chain = std::make_unique<Chain>(vertices);
    size = vertices;
  }
  return *chain;
}

/// What a stage moves or computes at least.
struct Work {
  double bytes = 0;
  double flops = 0;
};

template <class T>
double bytes_of(const std::vector<T>& values) {
  return static_cast<double>(values.size() * sizeof(T));
}

using Body = Work (*)(Chain& chain, const std::function<void(const std::function<void()>&)>& timed);

/// Runs `body`, which makes what it needs and then has the stage itself timed.
void run_stage(benchmark::State& state, Body body) {
  Chain& chain = chain_of(static_cast<int>(state.range(0)));
  Work work;
  double peak_mb = 0;
  for (auto _ : state)
    work = body(chain, [&](const std::function<void()>& stage) {
      const bench::MemoryPeak peak;
      const auto start = std::chrono::steady_clock::now();
      stage();
      const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
      state.SetIterationTime(time.count());
      peak_mb = std::max(peak_mb, peak.grown_mb());
    });
  state.counters["vertices"] = static_cast<double>(chain.character().mesh.vertex_count());
  state.counters["peak_mb"] = peak_mb;
  state.counters["whole_mb"] = bench::MemoryPeak::whole_mb();
  state.counters["gbytes"] = work.bytes / 1e9;
  state.counters["gflop"] = work.flops / 1e9;
}

using Timed = const std::function<void(const std::function<void()>&)>&;

Work read(Chain& chain, Timed timed) {
  const Bytes& file = chain.file();
  timed([&] {
    const Result<Document> document = parse_gltf(file, folder_loader({}));
    benchmark::DoNotOptimize(read_characters(*document));
  });
  return {bytes_of(file), 0};
}

Work weld(Chain& chain, Timed timed) {
  const Mesh& mesh = chain.character().mesh;
  timed([&] { benchmark::DoNotOptimize(sinew::weld(mesh)); });
  return {2 * (bytes_of(mesh.positions()) + bytes_of(mesh.triangles())), 0};
}

/// Welding with all that is made of the welded mesh: neighbours, Laplacian, rays.
Work prepare(Chain& chain, Timed timed) {
  const Mesh& mesh = chain.character().mesh;
  timed([&] { benchmark::DoNotOptimize(prepare_mesh(mesh)); });
  return {2 * (bytes_of(mesh.positions()) + bytes_of(mesh.triangles())), 0};
}

Work visibility(Chain& chain, Timed timed) {
  const BoneSegments segments = chain.segments();
  const PreparedMesh& mesh = chain.mesh();
  timed([&] { benchmark::DoNotOptimize(find_bone_cells(mesh, segments)); });
  return {bytes_of(mesh.mesh.positions()), 0};
}

Work heat(Chain& chain, Timed timed) {
  const BoneCells& cells = chain.cells();
  timed([&] { benchmark::DoNotOptimize(heat_weights(chain.mesh(), cells, chain.all_parts())); });
  return {static_cast<double>(chain.mesh().laplacian.nonZeros()) * kIndexedEntryBytes, 0};
}

Work sparsify(Chain& chain, Timed timed) {
  const SkinWeights& weights = chain.heat();
  timed([&] {
    benchmark::DoNotOptimize(sinew::sparsify(weights, chain.mesh().graph, chain.skeleton()));
  });
  return {static_cast<double>(weights.influence_count() * sizeof(Influence)), 0};
}

Work clusters(Chain& chain, Timed timed) {
  const WeightProblem& problem = chain.problem();
  timed([&] { benchmark::DoNotOptimize(make_clusterings(problem, kInClusters)); });
  return {};
}

Work tables(Chain& chain, Timed timed) {
  const std::vector<Clustering>& clusterings = chain.clusterings();
  timed([&] { benchmark::DoNotOptimize(rotation_tables(chain.problem(), clusterings)); });
  return {};
}

Work assembly(Chain& chain, Timed timed) {
  const WeightProblem& problem = chain.problem();
  timed([&] { benchmark::DoNotOptimize(WeightSystem(problem, {.regulariser = 1e-6})); });
  return {static_cast<double>(chain.system().matrix_without_flat().nonZeros()) * kIndexedEntryBytes,
          0};
}

Work order(Chain& chain, Timed timed) {
  const WeightProblem& problem = chain.problem();
  timed([&] { benchmark::DoNotOptimize(vertex_elimination_order(problem)); });
  return {};
}

Work analyse(Chain& chain, Timed timed) {
  const SparseMatrix& matrix = chain.system().matrix_without_flat();
  const std::vector<int>& order = chain.order();
  CholeskyFactor fresh = make_factor();
  timed([&] { benchmark::DoNotOptimize(fresh.analyse(matrix, order)); });
  return {static_cast<double>(matrix.nonZeros()) * kIndexedEntryBytes, 0};
}

Work factor(Chain& chain, Timed timed) {
  const SparseMatrix& matrix = chain.system().matrix_without_flat();
  CholeskyFactor& cholesky = chain.analysed();
  timed([&] { benchmark::DoNotOptimize(cholesky.factorise(matrix)); });
  chain.factor();
  return {cholesky.cost().entries * entry_bytes(cholesky), cholesky.cost().products};
}

Work local(Chain& chain, Timed timed) {
  const WeightProblem& problem = chain.problem();
  const std::vector<RotationTables>& all = chain.tables();
  std::vector<double> beta(problem.maps.bones.size(), 0);
  timed([&] { RotationTables::add_linear(all, problem, problem.maps.weights, beta); });
  Work work;
  for (const RotationTables& table : all) {
    const RotationTables::Size size = table.size();
    const auto entries = static_cast<double>(size.entries);
    const auto slots = static_cast<double>(size.slots);
    const auto turned = static_cast<double>(size.motions * size.exemplars);
    work.bytes += 2 * (32 * entries + 4 * slots) + 16 * slots + 40 * entries;
    work.flops += 48 * slots + 144 * turned +
                  kRotationFlops * static_cast<double>(table.cluster_count() * size.exemplars);
  }
  return work;
}

Work right_hand_side(Chain& chain, Timed timed) {
  const std::vector<double>& beta = chain.beta();
  const WeightSystem& system = chain.system();
  timed([&] { benchmark::DoNotOptimize(system.right_hand_side(chain.problem().maps, beta)); });
  return {3 * bytes_of(beta), bytes_of(beta) / 4};
}

Work energy(Chain& chain, Timed timed) {
  const WeightSystem& system = chain.system();
  const WeightProblem& problem = chain.problem();
  const std::vector<double>& weights = problem.maps.weights;
  timed([&] {
    benchmark::DoNotOptimize(
        system.fixed_energy(problem, weights, system.product(problem.maps, weights)));
  });
  const auto entries = static_cast<double>(system.matrix_without_flat().nonZeros());
  return {entries * kIndexedEntryBytes, 2 * entries};
}

Work solve(Chain& chain, Timed timed) {
  const Eigen::VectorXd right = chain.system().right_hand_side(chain.problem().maps, chain.beta());
  const CholeskyFactor& cholesky = chain.factor();
  Eigen::VectorXd solution(right.size());
  timed([&] { cholesky.solve(right.data(), solution.data(), 1); });
  return {2 * cholesky.cost().entries * entry_bytes(cholesky), 4 * cholesky.cost().entries};
}

/// Constraints on vertices here and there come, and go again outside the clock.
Work update(Chain& chain, Timed timed) {
  const WeightProblem& problem = chain.problem();
  std::vector<WeightConstraint> added;
  for (Eigen::Index c = 0; c < kUpdateColumns; ++c) {
    const auto vertex = static_cast<std::uint32_t>(problem.positions.size() *
                                                   static_cast<std::size_t>(c) / kUpdateColumns);
    added.push_back({vertex, problem.maps.bones_of(vertex).front(), 0.5, 1});
  }
  const SparseMatrix columns = chain.system().columns(problem.maps, added);
  CholeskyFactor& cholesky = chain.factor();
  timed([&] { benchmark::DoNotOptimize(cholesky.change(columns, FactorChange::update)); });
  benchmark::DoNotOptimize(cholesky.change(columns, FactorChange::downdate));
  return {};
}

Work finish(Chain& chain, Timed timed) {
  WeightSolver& solver = chain.solver();
  benchmark::DoNotOptimize(solver.step());
  timed([&] { benchmark::DoNotOptimize(finish_weights(solver)); });
  return {};
}

Work write(Chain& chain, Timed timed) {
  const Result<Document> document = parse_gltf(chain.file(), folder_loader({}));
  const Result<std::vector<LoadedCharacter>> loaded = read_characters(*document);
  timed([&] {
    Document copy = *document;
    benchmark::DoNotOptimize(
        write_weights(copy, loaded->front(), loaded->front().character.weights));
    benchmark::DoNotOptimize(encode_glb(copy));
  });
  return {2 * bytes_of(chain.file()), 0};
}

/// From a character without weights to finished ones, as users get them.
Work whole_bind(Chain& chain, Timed timed) {
  Character character = chain.character();
  character.weights = SkinWeights(character.mesh.vertex_count(), character.skeleton.bone_count());
  timed([&] { benchmark::DoNotOptimize(bind(character)); });
  return {};
}

struct Stage {
  const char* name;
  Body body;
};
constexpr Stage kStages[] = {
    {"read", read},         {"weld", weld},
    {"prepare", prepare},   {"visibility", visibility},
    {"heat", heat},         {"sparsify", sparsify},
    {"clusters", clusters}, {"tables", tables},
    {"assembly", assembly}, {"order", order},
    {"analyse", analyse},   {"factor", factor},
    {"local", local},       {"right_hand_side", right_hand_side},
    {"solve", solve},       {"energy", energy},
    {"update", update},     {"finish", finish},
    {"write", write},       {"bind", whole_bind},
};
constexpr int kSizes[] = {5'000, 10'000, 43'000, 170'000, 1'000'000};
constexpr int kLargestRepeated = 43'000;

const bool kAreRegistered = [] {
  for (const int size : kSizes)
    for (const Stage& stage : kStages)
      benchmark::RegisterBenchmark((std::string("stage/") + stage.name).c_str(), run_stage,
                                   stage.body)
          ->Arg(size)
          ->Iterations(size <= kLargestRepeated ? 3 : 1)
          ->Unit(benchmark::kMillisecond)
          ->UseManualTime();
  return true;
}();

}  // namespace
}  // namespace sinew
