// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include "core/disjoint_sets.h"
#include "gltf/gltf_json.h"
#include "gltf/gltf_mesh_read.h"
#include "gltf/gltf_scene.h"
#include "math/affine.h"
#include "sinew/gltf/bone_settings.h"
#include "sinew/gltf/gltf_accessor.h"
#include "sinew/gltf/gltf_character.h"

namespace sinew {
namespace {

constexpr double kPoseDiffersRel = 1e-3;  // of the diagonal: what a rigger would see
/// Floats that were multiplied a few times differ by so much, relative to the largest of them.
constexpr double kFewRoundings = 16.0 / (1 << 24);
/// From the origin, of the joints' box: up to here matrices have every digit that counts.
constexpr double kNearSizes = 4;
constexpr double kMostJoinedRel = 1e-3;    // of the joints' box: rounding that matters more
constexpr std::size_t kMostCompared = 64;  // joints with one: so that crowds take no time
constexpr double kShearVisible = 1e-3;     // off-diagonal of RᵀR over its trace / 3
constexpr double kScaleVisible = 1e-3;     // how far axes may differ in length, relatively

double mean_scale(const Affine3& affine) {
  return std::cbrt(std::abs(affine.linear().determinant()));
}

/// A skin of the document with its matrices.
struct SkinData {
  int index = -1;
  std::vector<int> joints;            // node indices
  std::vector<Affine3> inverse_bind;  // one per joint; identity where the file has none
  std::vector<bool> is_broken;        // per joint: cannot be inverted
  bool has_matrices = false;
};

Result<SkinData> read_skin(const Document& document, int index) {
  const Json& json = element(document, "skins", index);
  SkinData skin;
  skin.index = index;
  for (const Json& joint : json["joints"]) skin.joints.push_back(joint.get<int>());
  skin.inverse_bind.assign(skin.joints.size(), Affine3::Identity());
  skin.is_broken.assign(skin.joints.size(), false);
  const int accessor = index_or_none(json, "inverseBindMatrices");
  if (accessor < 0) return skin;
  skin.has_matrices = true;
  SINEW_TRY(const std::vector<float> values, read_floats(document, accessor, "MAT4"));
  for (std::size_t j = 0; j < skin.joints.size(); ++j) {
    for (int c = 0; c < 4; ++c)
      for (int r = 0; r < 3; ++r)
        skin.inverse_bind[j].matrix()(r, c) = values[16 * j + static_cast<std::size_t>(4 * c + r)];
    if (!skin.inverse_bind[j].matrix().allFinite())
      return refuse(ErrorCode::bad_skin, fmt::format("skins[{}].inverseBindMatrices[{}]", index, j),
                    "is not finite");
    skin.is_broken[j] = !is_invertible(skin.inverse_bind[j]);
  }
  return skin;
}

/// Groups skins that share a joint, directly or through others; each group ascending, groups by
/// their first skin.
std::vector<std::vector<int>> group_skins(const std::vector<SkinData>& skins) {
  DisjointSets sharing(skins.size());
  std::map<int, std::size_t> owner_of_joint;
  for (std::size_t s = 0; s < skins.size(); ++s)
    for (const int joint : skins[s].joints) {
      const auto [found, is_new] = owner_of_joint.try_emplace(joint, s);
      if (!is_new) sharing.join(found->second, s);
    }
  std::map<std::uint32_t, std::vector<int>> groups;
  for (std::size_t s = 0; s < skins.size(); ++s)
    groups[sharing.find(s)].push_back(static_cast<int>(s));
  std::vector<std::vector<int>> result;
  for (auto& [first, members] : groups) result.push_back(std::move(members));
  return result;
}

/// Builds one character from a group of skins, or from none.
class CharacterReader {
 public:
  CharacterReader(const Document& document, const NodeTree& nodes, const std::vector<Clip>& clips,
                  const ReadOptions& options)
      : document_(document), options_(options) {
    loaded_.character.nodes = nodes;
    loaded_.character.clips = clips;
  }

  Result<LoadedCharacter> read(std::vector<const SkinData*> skins, bool for_unskinned) {
    skins_ = std::move(skins);
    std::stable_sort(skins_.begin(), skins_.end(), [](const SkinData* a, const SkinData* b) {
      return a->joints.size() > b->joints.size();
    });
    for (const SkinData* skin : skins_)
      if (skin->index >= 0) loaded_.skins.push_back(skin->index);
    SINEW_CHECK(choose_bind_pose());
    place_skins();
    SINEW_CHECK(make_skeleton());
    SINEW_CHECK(collect_meshes(for_unskinned));
    find_props();
    name_it();
    judge_bind_pose();
    judge_weights();
    return std::move(loaded_);
  }

 private:
  /// Where every node stands when the mesh is at rest, and as stored.
  Status choose_bind_pose() {
    stored_world_ = loaded_.character.nodes.world_transforms();
    bind_world_ = stored_world_;
    const BindPose& pose = options_.bind_pose;
    loaded_.bind.from = pose.from;
    const bool has_any = std::any_of(skins_.begin(), skins_.end(),
                                     [](const SkinData* s) { return s->has_matrices; });
    if (pose.from == BindPose::From::inverse_bind_matrices) {
      if (!has_any) loaded_.bind.from = BindPose::From::nodes;
    } else if (pose.from == BindPose::From::clip) {
      const auto& clips = loaded_.character.clips;
      auto clip = std::find_if(clips.begin(), clips.end(),
                               [&](const Clip& c) { return c.name == pose.clip; });
      // An unnamed clip can only be meant by its number.
      for (std::size_t c = 0; c < clips.size() && clip == clips.end(); ++c)
        if (pose.clip == std::to_string(c)) clip = clips.begin() + static_cast<std::ptrdiff_t>(c);
      if (clip == clips.end()) {
        std::string known;
        for (std::size_t c = 0; c < clips.size(); ++c)
          known += fmt::format("{}'{}'", known.empty() ? "" : ", ",
                               clips[c].name.empty() ? std::to_string(c) : clips[c].name);
        return refuse(ErrorCode::bad_argument, "bind pose", "there is no clip '{}'; there is {}",
                      pose.clip, known.empty() ? "none" : known);
      }
      bind_world_ = sample_clip(loaded_.character.nodes, *clip, pose.time_s).world_transforms();
    }
    return {};
  }

  [[nodiscard]] bool uses_matrices() const {
    return loaded_.bind.from == BindPose::From::inverse_bind_matrices;
  }

  /// The joint that says how bind space lies in the scene: the root with most joints below it.
  [[nodiscard]] std::size_t anchor_joint(const SkinData& skin) const {
    const auto& nodes = loaded_.character.nodes.nodes;
    std::map<int, std::size_t> slot;
    for (std::size_t j = 0; j < skin.joints.size(); ++j) slot[skin.joints[j]] = j;
    std::vector<std::size_t> below(skin.joints.size(), 0);
    for (std::size_t j = 0; j < skin.joints.size(); ++j) {
      std::size_t top = j;
      for (int n = skin.joints[j]; n >= 0; n = nodes[static_cast<std::size_t>(n)].parent)
        if (const auto found = slot.find(n); found != slot.end() && !skin.is_broken[found->second])
          top = found->second;
      ++below[top];
    }
    return static_cast<std::size_t>(std::max_element(below.begin(), below.end()) - below.begin());
  }

  /// How each skin's mesh space maps to the model, and where that leaves every joint.
  void place_skins() {
    for (const SkinData* skin : skins_) {
      Affine3 model_from_skin = Affine3::Identity();
      if (uses_matrices()) {
        if (rest_.empty()) {
          const std::size_t anchor = anchor_joint(*skin);
          model_from_skin = stored_world_[static_cast<std::size_t>(skin->joints[anchor])] *
                            skin->inverse_bind[anchor];
          if (!is_invertible(model_from_skin)) {
            model_from_skin = Affine3::Identity();
            note("flat_armature", fmt::format("nodes[{}]", skin->joints[anchor]),
                 "is scaled to nothing in the scene; the mesh is taken as it is stored");
          }
        } else {
          model_from_skin = align_to_known(*skin);
        }
      }
      model_from_skin_[skin->index] = model_from_skin;
      for (std::size_t j = 0; j < skin->joints.size(); ++j) place_joint(*skin, j, model_from_skin);
      if (uses_matrices() && skin == skins_.front()) place_along_nodes(*skin, model_from_skin);
    }
    if (!skins_.empty()) loaded_.bind.scene_scale = mean_scale(model_from_skin_[skins_[0]->index]);
  }

  void place_joint(const SkinData& skin, std::size_t j, const Affine3& model_from_skin) {
    const int node = skin.joints[j];
    if (rest_.contains(node)) return;
    Affine3 rest = bind_world_[static_cast<std::size_t>(node)];
    if (uses_matrices()) {
      if (skin.is_broken[j])
        warn("flat_bind_matrix", fmt::format("skins[{}].inverseBindMatrices[{}]", skin.index, j),
             fmt::format("cannot be inverted; joint '{}' is taken where its node stands",
                         node_name(node)));
      else
        rest = model_from_skin * skin.inverse_bind[j].inverse(Eigen::Affine);
    }
    rest_[node] = rest;
    joint_nodes_.push_back(node);
  }

  /// Joints that stand where their nodes have them, seen from their parents and but for rounding,
  /// are put exactly there. Nodes are stored relative to each other, while the matrices of a
  /// character far from the origin have lost the digits that tell one toe from the next. Where all
  /// of a chain stands is what its matrices say in the mean.
  void place_along_nodes(const SkinData& skin, const Affine3& model_from_skin) {
    const double scale = mean_scale(model_from_skin);
    std::map<int, double> rounding;  // of joints with a matrix, in their place
    Box box;
    double farthest = 0;
    for (std::size_t j = 0; j < skin.joints.size(); ++j) {
      if (skin.is_broken[j] || !rest_.at(skin.joints[j]).matrix().allFinite()) continue;
      const Vec3 head = skin.inverse_bind[j].inverse(Eigen::Affine).translation();
      rounding[skin.joints[j]] = kFewRoundings * scale * head.norm();
      box.extend(head);
      farthest = std::max(farthest, head.norm());
    }
    if (rounding.empty() || farthest <= kNearSizes * box.diagonal().norm()) return;
    std::vector<JointChain> chains = chain_joints(rounding);
    for (const JointChain& chain : chains)
      move_chain(chain, -chain.moved / static_cast<double>(chain.joints.size()));
    join_chains(chains, rounding);
  }

  /// Joints of which each but the first was put where its node stands below its parent.
  struct JointChain {
    std::vector<int> joints;    // nodes
    Vec3 moved = Vec3::Zero();  // all of them, added up
  };

  std::vector<JointChain> chain_joints(const std::map<int, double>& rounding) {
    const auto& nodes = loaded_.character.nodes;
    std::vector<JointChain> chains;
    std::map<int, std::size_t> chain_of;
    for (const int node : nodes.order) {
      const auto own = rounding.find(node);
      if (own == rounding.end()) continue;
      const Node& here = nodes.nodes[static_cast<std::size_t>(node)];
      if (const auto above = chain_of.find(here.parent); above != chain_of.end()) {
        const Vec3 stands = rest_.at(here.parent) * here.local.to_affine().translation();
        const Vec3 move = stands - rest_.at(node).translation();
        if (move.norm() <= std::max(own->second, rounding.at(here.parent))) {
          rest_.at(node).translation() = stands;
          chain_of[node] = above->second;
          chains[above->second].joints.push_back(node);
          chains[above->second].moved += move;
          continue;
        }
      }
      chain_of[node] = chains.size();
      chains.push_back({{node}, Vec3::Zero()});
    }
    return chains;
  }

  void move_chain(const JointChain& chain, const Vec3& move) {
    for (const int node : chain.joints) rest_.at(node).translation() += move;
  }

  /// Joints of two chains at one place, as an ankle and the control of its foot, stay at one: the
  /// shorter chain moves, once, unless rounding is all that is left of the character.
  void join_chains(std::vector<JointChain>& chains, const std::map<int, double>& rounding) {
    struct Placed {
      double x;
      int node;
      std::size_t chain;
      auto operator<=>(const Placed&) const = default;
    };
    std::vector<Placed> joints;
    Box box;
    for (std::size_t c = 0; c < chains.size(); ++c)
      for (const int node : chains[c].joints) {
        const Vec3 head = rest_.at(node).translation();
        joints.push_back({head.x(), node, c});
        box.extend(head);
      }
    if (joints.empty()) return;
    const double most = kMostJoinedRel * box.diagonal().norm();
    std::ranges::sort(joints);
    std::vector<bool> is_moved(chains.size(), false);
    for (std::size_t a = 0; a < joints.size(); ++a)
      for (std::size_t b = a + 1; b < std::min(joints.size(), a + kMostCompared); ++b) {
        const double near =
            std::min(most, std::max(rounding.at(joints[a].node), rounding.at(joints[b].node)));
        if (joints[b].x > joints[a].x + 2 * near) break;
        const bool is_first_longer =
            chains[joints[a].chain].joints.size() >= chains[joints[b].chain].joints.size();
        const Placed& stays = is_first_longer ? joints[a] : joints[b];
        const Placed& moves = is_first_longer ? joints[b] : joints[a];
        const Vec3 move = rest_.at(stays.node).translation() - rest_.at(moves.node).translation();
        if (stays.chain == moves.chain || is_moved[moves.chain] || !(move.norm() <= near)) continue;
        is_moved[moves.chain] = true;
        move_chain(chains[moves.chain], move);
      }
  }

  /// A further skin over the same skeleton: the joints that it shares say where its mesh is.
  Affine3 align_to_known(const SkinData& skin) {
    std::optional<Affine3> model_from_skin;
    double worst = 0;
    for (std::size_t j = 0; j < skin.joints.size(); ++j) {
      const auto known = rest_.find(skin.joints[j]);
      if (known == rest_.end() || skin.is_broken[j]) continue;
      const Affine3 candidate = known->second * skin.inverse_bind[j];
      if (!model_from_skin)
        model_from_skin = candidate;
      else
        worst = std::max(worst, (candidate.matrix() - model_from_skin->matrix()).norm() /
                                    std::max(candidate.matrix().norm(), 1e-300));
    }
    if (worst > kPoseDiffersRel)
      warn("bind_matrices_disagree", fmt::format("skins[{}].inverseBindMatrices", skin.index),
           fmt::format("disagree with skins[{}] by up to {:.2g}%; skins[{}] is believed",
                       skins_[0]->index, 100 * worst, skins_[0]->index));
    return model_from_skin.value_or(Affine3::Identity());
  }

  Status make_skeleton() {
    std::map<int, int> bone_of_node;
    for (std::size_t b = 0; b < joint_nodes_.size(); ++b)
      bone_of_node[joint_nodes_[b]] = static_cast<int>(b);
    std::vector<Bone> bones;
    for (const int node : joint_nodes_) {
      Bone bone;
      bone.name = node_name(node);
      bone.rest = rest_[node];
      bone.source_node = node;
      const auto& nodes = loaded_.character.nodes.nodes;
      for (int n = nodes[static_cast<std::size_t>(node)].parent; n >= 0;
           n = nodes[static_cast<std::size_t>(n)].parent)
        if (const auto found = bone_of_node.find(n); found != bone_of_node.end()) {
          bone.parent = found->second;
          break;
        }
      bones.push_back(std::move(bone));
    }
    SINEW_CHECK(read_node_settings(document_, bones, loaded_.notices));
    SINEW_TRY(loaded_.character.skeleton, Skeleton::create(std::move(bones)));
    bone_of_node_ = std::move(bone_of_node);
    return {};
  }

  Status collect_meshes(bool for_unskinned) {
    MeshCollector collector(document_, joint_nodes_.size());
    std::map<int, int> shown_by;  // mesh to the first node that shows it
    const Json& nodes = array_or_empty(document_.json, "nodes");
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      const int node = static_cast<int>(n);
      const int mesh = index_or_none(nodes[n], "mesh");
      if (mesh < 0) continue;
      const int skin = index_or_none(nodes[n], "skin");
      const bool is_ours = skin >= 0 && std::find(loaded_.skins.begin(), loaded_.skins.end(),
                                                  skin) != loaded_.skins.end();
      if (!is_ours && !(for_unskinned && skin < 0)) continue;
      // A skinned node ignores its transform, so that instances coincide; plain ones stand apart.
      const auto [first, is_new] = shown_by.try_emplace(mesh, node);
      if (!is_new && skin >= 0) {
        const int first_skin =
            index_or_none(nodes[static_cast<std::size_t>(first->second)], "skin");
        if (first_skin == skin)
          note("instance", fmt::format("nodes[{}]", n),
               fmt::format("shows the same mesh as node {}; its weights are stored once",
                           first->second));
        else
          warn("instance_with_other_skin", fmt::format("nodes[{}]", n),
               fmt::format(
                   "shows the same mesh as node {} with another skin; only the first is looked at",
                   first->second));
        continue;
      }
      std::vector<int> bone_of_joint;
      if (is_ours)
        for (const Json& joint : element(document_, "skins", skin)["joints"])
          bone_of_joint.push_back(bone_of_node_.at(joint.get<int>()));
      const Affine3 model_from_part =
          is_ours && uses_matrices() ? model_from_skin_.at(skin) : bind_world_[n];
      SINEW_CHECK(collector.add_mesh(node, mesh, skin, model_from_part,
                                     is_ours ? &bone_of_joint : nullptr));
    }
    return std::move(collector).finish(loaded_);
  }

  void find_props() {
    const Json& nodes = array_or_empty(document_.json, "nodes");
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      if (index_or_none(nodes[n], "mesh") < 0 || index_or_none(nodes[n], "skin") >= 0) continue;
      for (int up = static_cast<int>(n); up >= 0;
           up = loaded_.character.nodes.nodes[static_cast<std::size_t>(up)].parent)
        if (const auto found = bone_of_node_.find(up); found != bone_of_node_.end()) {
          loaded_.character.props.push_back(
              {node_name(static_cast<int>(n)), found->second, static_cast<int>(n)});
          break;
        }
    }
  }

  /// The name of the mesh with most vertices; what a rigger would call the character.
  void name_it() {
    const auto& parts = loaded_.character.parts;
    const auto largest = std::max_element(
        parts.begin(), parts.end(),
        [](const MeshPart& a, const MeshPart& b) { return a.vertex_count < b.vertex_count; });
    if (largest != parts.end()) loaded_.character.name = largest->name;
    if (loaded_.character.name.empty() && !joint_nodes_.empty())
      loaded_.character.name = node_name(joint_nodes_[0]);
  }

  void judge_bind_pose() {
    const Character& character = loaded_.character;
    Box box = bounding_box(character.mesh.positions());
    for (const Bone& bone : character.skeleton.bones()) box.extend(bone.head());
    const double diagonal = box.isEmpty() ? 0 : box.diagonal().norm();
    if (!(diagonal > 0)) return;
    double worst_shear = 0, worst_scale = 0;
    std::size_t sheared = 0, uneven = 0, mirrored = 0;
    std::string sheared_name, uneven_name, mirrored_name;
    for (const Bone& bone : character.skeleton.bones()) {
      const Vec3 stored = stored_world_[static_cast<std::size_t>(bone.source_node)].translation();
      const double moved = (stored - bone.head()).norm() / diagonal;
      if (moved > loaded_.bind.node_deviation_rel) {
        loaded_.bind.node_deviation_rel = moved;
        loaded_.bind.node_deviation_bone = bone.name;
      }
      const Eigen::Matrix3d linear = bone.rest.linear();
      const Eigen::Matrix3d gram = linear.transpose() * linear;
      const double unit = gram.trace() / 3;
      if (!(unit > 0)) continue;
      const double shear =
          std::max({std::abs(gram(0, 1)), std::abs(gram(0, 2)), std::abs(gram(1, 2))}) / unit;
      const Vec3 lengths = gram.diagonal().cwiseSqrt();
      const double spread = lengths.maxCoeff() / std::max(lengths.minCoeff(), 1e-300) - 1;
      if (shear > kShearVisible && ++sheared && shear > worst_shear)
        worst_shear = shear, sheared_name = bone.name;
      if (spread > kScaleVisible && ++uneven && spread > worst_scale)
        worst_scale = spread, uneven_name = bone.name;
      if (linear.determinant() < 0 && ++mirrored) mirrored_name = bone.name;
    }
    if (loaded_.bind.from != BindPose::From::clip &&
        loaded_.bind.node_deviation_rel > kPoseDiffersRel)
      note("posed_nodes", "",
           fmt::format("the nodes are posed away from the bind pose by up to {:.3g}% of the size "
                       "(at '{}'); --bind-pose nodes would take them instead",
                       100 * loaded_.bind.node_deviation_rel, loaded_.bind.node_deviation_bone));
    if (sheared > 0)
      warn("sheared_bind", "",
           fmt::format("{} bones are sheared in the bind pose, '{}' by {:.2g}", sheared,
                       sheared_name, worst_shear));
    if (uneven > 0)
      warn("uneven_bind", "",
           fmt::format("{} bones are scaled unevenly in the bind pose, '{}' by {:.2g}%", uneven,
                       uneven_name, 100 * worst_scale));
    if (mirrored > 0)
      warn("mirrored_bind", "",
           fmt::format("{} bones are mirrored in the bind pose, '{}' among them", mirrored,
                       mirrored_name));
    if (std::abs(loaded_.bind.scene_scale - 1) > kScaleVisible)
      note("armature_scale", "",
           fmt::format("the mesh is stored at 1/{:.6g} of its size in the scene; handled",
                       loaded_.bind.scene_scale));
  }

  void judge_weights() {
    const WeightRepairs& repairs = loaded_.repairs;
    if (repairs.not_finite > 0)
      warn("nan_weight", "",
           fmt::format("{} old weights are not numbers; they count as zero", repairs.not_finite));
    if (repairs.negative > 0)
      warn("negative_weight", "",
           fmt::format("{} old weights are negative; they count as zero", repairs.negative));
    if (repairs.out_of_range > 0)
      warn("weight_out_of_range", "",
           fmt::format("{} old weights name a joint past the end of the skin; they count as zero",
                       repairs.out_of_range));
    if (repairs.sum_not_one > 0)
      warn("weight_sum", "",
           fmt::format("the old weights of {} vertices do not sum to 1 (the worst to {:.4g}); "
                       "they are read as if scaled",
                       repairs.sum_not_one, repairs.worst_sum));
    if (!joint_nodes_.empty() && repairs.unweighted > 0 &&
        repairs.unweighted < loaded_.character.mesh.vertex_count())
      warn("unweighted", "", fmt::format("{} vertices have no weight", repairs.unweighted));
  }

  [[nodiscard]] std::string node_name(int node) const {
    return loaded_.character.nodes.nodes[static_cast<std::size_t>(node)].name;
  }
  void note(std::string code, std::string place, std::string message) {
    loaded_.notices.push_back(
        {Notice::Level::note, std::move(code), std::move(place), std::move(message)});
  }
  void warn(std::string code, std::string place, std::string message) {
    loaded_.notices.push_back(
        {Notice::Level::warning, std::move(code), std::move(place), std::move(message)});
  }

  const Document& document_;
  const ReadOptions& options_;
  LoadedCharacter loaded_;
  std::vector<const SkinData*> skins_;  // the reference, with most joints, first
  std::vector<Affine3> stored_world_;   // nodes as the file stores them
  std::vector<Affine3> bind_world_;  // nodes in the chosen bind pose, where that is a pose of nodes
  std::map<int, Affine3> model_from_skin_;  // by skin
  std::map<int, Affine3> rest_;             // by joint node
  std::vector<int> joint_nodes_;            // bones in order
  std::map<int, int> bone_of_node_;
};

bool is_for_unskinned(const Json& skin) {
  const Json* extras = member(skin, "extras");
  const Json* ours = extras == nullptr ? nullptr : member(*extras, "sinew");
  const Json* flag = ours == nullptr ? nullptr : member(*ours, "for_unskinned");
  return flag != nullptr && *flag == true;
}

}  // namespace

Result<BindPose> BindPose::parse(std::string_view text) {
  BindPose pose;
  if (text == "ibm") return pose;
  if (text == "nodes") {
    pose.from = From::nodes;
    return pose;
  }
  const std::size_t colon = text.rfind(':');
  double time_s = 0;
  if (colon != std::string_view::npos && colon > 0) {
    const std::string_view digits = text.substr(colon + 1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), time_s);
    if (error == std::errc() && end == digits.data() + digits.size() && std::isfinite(time_s)) {
      pose.from = From::clip;
      pose.clip = text.substr(0, colon);
      pose.time_s = time_s;
      return pose;
    }
  }
  return Error{ErrorCode::bad_argument, "--bind-pose",
               fmt::format("'{}' is not ibm, nodes or CLIP:SECONDS", text)};
}

Result<std::vector<LoadedCharacter>> read_characters(const Document& document,
                                                     const ReadOptions& options) {
  SINEW_TRY(const NodeTree nodes, read_nodes(document));
  Notices clip_notices;
  const std::vector<Clip> clips = read_clips(document, clip_notices);

  std::set<int> shown;
  bool has_meshes = false;
  for (const Json& node : array_or_empty(document.json, "nodes")) {
    if (index_or_none(node, "mesh") < 0) continue;
    has_meshes = true;
    if (const int skin = index_or_none(node, "skin"); skin >= 0) shown.insert(skin);
  }
  const bool nothing_is_skinned = shown.empty();
  std::vector<SkinData> skins;
  const Json& skins_json = array_or_empty(document.json, "skins");
  for (std::size_t s = 0; s < skins_json.size(); ++s) {
    const int index = static_cast<int>(s);
    // A skin that no mesh is shown with counts only where it is all there is.
    const bool counts = nothing_is_skinned ? (!has_meshes || is_for_unskinned(skins_json[s]))
                                           : shown.contains(index);
    if (!counts) continue;
    SINEW_TRY(SkinData skin, read_skin(document, index));
    skins.push_back(std::move(skin));
  }

  if (!has_meshes && skins.empty() && !nodes.nodes.empty()) {
    SkinData all_nodes;  // a file that is nothing but a skeleton
    for (std::size_t n = 0; n < nodes.nodes.size(); ++n)
      all_nodes.joints.push_back(static_cast<int>(n));
    all_nodes.inverse_bind.assign(all_nodes.joints.size(), Affine3::Identity());
    all_nodes.is_broken.assign(all_nodes.joints.size(), false);
    skins.push_back(std::move(all_nodes));
  }

  std::vector<std::vector<int>> groups = group_skins(skins);
  if (groups.empty()) groups.emplace_back();
  std::vector<LoadedCharacter> characters;
  for (const std::vector<int>& group : groups) {
    std::vector<const SkinData*> members;
    for (const int s : group) members.push_back(&skins[static_cast<std::size_t>(s)]);
    CharacterReader reader(document, nodes, clips, options);
    SINEW_TRY(LoadedCharacter loaded, reader.read(std::move(members), nothing_is_skinned));
    loaded.notices.insert(loaded.notices.end(), clip_notices.begin(), clip_notices.end());
    characters.push_back(std::move(loaded));
  }
  return characters;
}

}  // namespace sinew
