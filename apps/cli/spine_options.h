// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "input.h"
#include "sinew/bind/bind.h"
#include "sinew/core/atomic_file.h"
#include "sinew/spines/spines.h"
#include "sinew/spines/twist_bones.h"

namespace CLI {
class App;
}

namespace sinew::cli {

/// What of a character bends or twists, as the flags say; helpers that only weights can tell of
/// come later.
struct SpinePlan {
  std::vector<SpineRequest> requests;
  std::vector<const char*> flags;  // that asked for each
};

/// What was made of it, for one document.
struct MadeSpines {
  ConvertedSpines converted;
  std::vector<TwistLimb> limbs;  // that were looked at
  [[nodiscard]] bool any() const { return !converted.spines.empty(); }
};

/// Bones that bend and twist in `sinew bind`: the flags, and what they mean.
class SpineOptions {
 public:
  void add_to(CLI::App& app);

  /// Puts --spine-parameters, where it is given, into the bones that the file or --rig says are
  /// spines. Throws a usage Failure where it makes no sense.
  void set_parameters(Input& input) const;

  /// Puts what bends and twists into the options of each character. `meshes` are those that get new
  /// weights. Throws a usage Failure for bones that are not there, cannot be spines, are asked for
  /// as two things, or whose row would tear a mesh that keeps its weights.
  void apply(const Input& input, const std::set<int>& meshes, std::span<BindOptions> options) const;

  /// A notice that names the flags that nothing of these options, as applied, goes by.
  void tell_ignored(std::span<const BindOptions> options, Notices& notices) const;

  /// Whether limbs that collapse are looked for.
  [[nodiscard]] bool finds_twist() const;

 private:
  /// Bones per character.
  struct Chosen {
    std::vector<std::vector<int>> spines, stretch_twist, twist;
  };
  [[nodiscard]] Chosen chosen_bones(const Input& input) const;
  [[nodiscard]] std::vector<SpinePlan> resolve(const Input& input) const;
  [[nodiscard]] SpineJointCount joint_count() const;
  [[nodiscard]] std::vector<std::optional<double>> painted_values(
      const Document& document, const LoadedCharacter& loaded) const;
  [[nodiscard]] SpineRequest row_for(int bone, BoneKind kind) const;
  [[nodiscard]] SpineRequest helpers_for(const Character& character, int bone) const;
  /// With --spine-bones, those that the file or --rig says are spines become rows too.
  void add_own(const Input& input, const LoadedCharacter& loaded, SpinePlan& plan) const;

  std::vector<std::string> spines_;
  std::vector<std::string> stretch_twist_;
  std::vector<std::string> twist_bones_;
  std::optional<int> twist_joints_;
  std::string joints_;
  std::string parameters_;
};

/// Turns the spines of a bind into joints of the document. Without any, nothing changes.
[[nodiscard]] Result<MadeSpines> make_spine_joints(Document& document,
                                                   const LoadedCharacter& loaded,
                                                   const SkinWeights& weights, const Bound& bound,
                                                   int max_influences);

/// The bones that were turned into rows are rigid from here on.
[[nodiscard]] Skeleton without_spines(const Skeleton& skeleton, const MadeSpines& made);

/// What is known of the bones, for a file that was read again and may have more of them.
struct KnownBones {
  std::vector<BoneRole> roles;
  EffectiveHierarchy hierarchy;
};
[[nodiscard]] KnownBones known_bones(const Skeleton& reread, const Bound& bound);

/// `output` is where the document goes.
void print_spines(Session& session, const MadeSpines& made, const std::filesystem::path& output);
/// What was found out about limbs, where they were looked for: who gets helpers, or why nobody
/// does. `skeleton` is the one that was bound.
void print_twist(Session& session, const MadeSpines& made, const Skeleton& skeleton);
[[nodiscard]] Json spines_json(const MadeSpines& made, const Skeleton& before);

/// NAME.drivers.json beside NAME.glb, on the disk but not in its place until it is committed, with
/// the .glb; nothing without drivers. Throws a Failure.
struct StagedDrivers {
  std::filesystem::path path;
  AtomicFile file;
};
[[nodiscard]] std::optional<StagedDrivers> stage_drivers(const std::filesystem::path& path,
                                                         std::span<const TwistDriver> drivers);

}  // namespace sinew::cli
