// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/spines/gltf_pose.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <climits>

#include "gltf/gltf_compression.h"
#include "gltf/gltf_json.h"
#include "gltf/gltf_scene.h"
#include "gltf/gltf_store.h"
#include "sinew/deform/dual_quaternion_blend.h"
#include "sinew/deform/linear_blend.h"
#include "sinew/gltf/gltf_accessor.h"
#include "sinew/gltf/selection.h"
#include "spines/skin_spines.h"

namespace sinew {
namespace {

// A small file can show one mesh through many nodes, and each becomes a mesh of its own.
constexpr std::size_t kMaxPosedVertices = 50'000'000;

// Below it a direction carries no digits in floats; glTF wants unit vectors within 5e-4.
constexpr double kNoDirection = 1e-6;

/// The vertices of a primitive as they are before skinning.
struct Vertices {
  std::vector<float> positions, normals, tangents;  // 3 per vertex; empty where the file has none
  std::vector<float> tangent_signs;                 // the fourth number of each tangent
  [[nodiscard]] std::size_t count() const { return positions.size() / 3; }
};

class Poser {
 public:
  Poser(const Document& document, const PoseOptions& options, Notices& notices)
      : source_(document), options_(options), notices_(notices), result_(document) {}

  Result<Document> pose() {
    SINEW_CHECK(pose_nodes());
    const Json& nodes = array_or_empty(source_.json, "nodes");
    for (const Json& node : nodes)
      if (const int mesh = index_or_none(node, "mesh"); mesh >= 0) ++nodes_showing_[mesh];
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      if (index_or_none(nodes[n], "mesh") < 0) continue;
      if (index_or_none(nodes[n], "skin") >= 0)
        SINEW_CHECK(bake(static_cast<int>(n)));
      else
        store_morph_weights(static_cast<int>(n));
    }
    if (!something_moves_)
      notices_.push_back({Notice::Level::warning, "nothing_skinned", "",
                          "no mesh in the file has weights: nothing moves"});
    drop_what_is_over();
    return std::move(result_);
  }

 private:
  Status pose_nodes() {
    if (!std::isfinite(options_.time_s))
      return Error{ErrorCode::bad_argument, "time", "is not a finite number of seconds"};
    SINEW_TRY(posed_, read_nodes(source_));
    NodeTree stored;
    Clip played;
    std::optional<ClipMoment> moment;
    if (!options_.clip.empty()) {
      const std::vector<Clip> clips = read_clips(source_, notices_);
      std::vector<std::string> names;
      for (const Clip& each : clips) names.push_back(each.name);
      SINEW_TRY(const int index, match_clip(names, options_.clip));
      const Clip* const clip = &clips[static_cast<std::size_t>(index)];
      const double time_s = std::clamp(options_.time_s, clip->start_s, clip->end_s);
      if (time_s != options_.time_s)
        notices_.push_back(
            {Notice::Level::note, "time_clamped", fmt::format("animations[{}]", index),
             fmt::format("runs from {:.4g} to {:.4g} s; {:.4g} s is taken for {:.4g} s",
                         clip->start_s, clip->end_s, options_.time_s, time_s)});
      stored = posed_;
      played = *clip;
      moment.emplace(ClipMoment{stored, played, time_s});
      posed_ = sample_clip(posed_, *clip, time_s);
      for (const Channel& channel : clip->channels)
        if (channel.path != ChannelPath::morph_weights)
          write_node_transform(element(result_, "nodes", channel.node),
                               posed_node(channel.node).local);
      something_moves_ = moves_a_whole_mesh(stored);
    }
    world_ = posed_.world_transforms();
    SINEW_TRY(spines_, DocumentSpines::create(source_, posed_, moment, notices_));
    if (spines_.any() && options_.deformer != Deformer::linear_blend) {
      notices_.push_back({Notice::Level::warning, "straight_spines", "",
                          "dual quaternions know rigid bones only: spines do not bend"});
      spines_ = {};
    }
    for (const auto& [node, local] : spines_.carry_nodes(posed_, world_))
      write_node_transform(element(result_, "nodes", node), local);
    return {};
  }

  /// Whether a node with a mesh stands elsewhere than in the stored pose, or is morphed otherwise.
  [[nodiscard]] bool moves_a_whole_mesh(const NodeTree& stored) const {
    const std::vector<Affine3> before = stored.world_transforms();
    const std::vector<Affine3> after = posed_.world_transforms();
    const Json& nodes = array_or_empty(source_.json, "nodes");
    for (std::size_t n = 0; n < nodes.size(); ++n)
      if (index_or_none(nodes[n], "mesh") >= 0 &&
          (before[n].matrix() != after[n].matrix() ||
           stored.nodes[n].morph_weights != posed_.nodes[n].morph_weights))
        return true;
    return false;
  }

  [[nodiscard]] const Node& posed_node(int node) const {
    return posed_.nodes[static_cast<std::size_t>(node)];
  }

  void store_morph_weights(int node) {
    const int mesh = index_or_none(element(source_, "nodes", node), "mesh");
    const Json& primitives = array_or_empty(element(source_, "meshes", mesh), "primitives");
    const std::vector<double>& weights = posed_node(node).morph_weights;
    if (options_.clip.empty() || primitives.empty() || weights.empty()) return;
    if (array_or_empty(primitives[0], "targets").size() != weights.size()) return;
    element(result_, "nodes", node)["weights"] = weights;
  }

  /// Puts the deformed mesh of a skinned node into the scene.
  Status bake(int node) {
    const Json& old_node = element(source_, "nodes", node);
    const int mesh = index_or_none(old_node, "mesh");
    SINEW_TRY(const PosedSkin skin, posed_skin(index_or_none(old_node, "skin")));
    Json posed_mesh = element(source_, "meshes", mesh);
    Json& primitives = posed_mesh["primitives"];
    std::map<std::string, Json> done;  // primitives often share their vertices
    for (std::size_t p = 0; p < primitives.size(); ++p) {
      store_draco_plainly(result_, mesh, static_cast<int>(p));
      Json& primitive = primitives[p];
      erase_extension(primitive, kDracoExtension);
      const std::string identity =
          primitive["attributes"].dump() + array_or_empty(primitive, "targets").dump();
      auto found = done.find(identity);
      if (found == done.end()) {
        const std::string place = fmt::format("meshes[{}].primitives[{}]", mesh, p);
        SINEW_TRY(Json attributes,
                  bake_vertices(primitive, {mesh, static_cast<int>(p)}, node, skin, place));
        found = done.emplace(identity, std::move(attributes)).first;
      }
      collect_accessors(primitive["attributes"], true, orphans_);
      collect_accessors(array_or_empty(primitive, "targets"), true, orphans_);
      primitive["attributes"] = found->second;
      primitive.erase("targets");
    }
    posed_mesh.erase("weights");
    if (posed_mesh.contains("extras") && posed_mesh["extras"].is_object()) {
      posed_mesh["extras"].erase("targetNames");
      if (posed_mesh["extras"].empty()) posed_mesh.erase("extras");
    }
    show_in_scene(node, store_mesh(mesh, std::move(posed_mesh)));
    return {};
  }

  /// The last node that shows a mesh leaves its slot free: no mesh is left that nothing shows.
  int store_mesh(int old_mesh, Json mesh) {
    Json& meshes = result_.json["meshes"];
    if (--nodes_showing_[old_mesh] == 0) {
      meshes[static_cast<std::size_t>(old_mesh)] = std::move(mesh);
      return old_mesh;
    }
    meshes.push_back(std::move(mesh));
    return static_cast<int>(meshes.size()) - 1;
  }

  void show_in_scene(int old_node, int mesh) {
    Json& nodes = result_.json["nodes"];
    Json& old_json = nodes[static_cast<std::size_t>(old_node)];
    Json shown = Json::object();
    if (const Json* name = member(old_json, "name")) shown["name"] = *name;
    shown["mesh"] = mesh;
    for (const char* key : {"mesh", "skin", "weights"}) old_json.erase(key);
    const std::size_t new_node = nodes.size();
    nodes.push_back(std::move(shown));

    int root = old_node;
    while (posed_node(root).parent >= 0) root = posed_node(root).parent;
    if (!result_.json.contains("scenes")) return;
    for (Json& scene : result_.json["scenes"]) {
      const Json& roots = array_or_empty(scene, "nodes");
      if (std::find(roots.begin(), roots.end(), root) != roots.end())
        scene["nodes"].push_back(new_node);
    }
  }

  Result<PosedSkin> posed_skin(int index) {
    const Json& json = element(source_, "skins", index);
    PosedSkin skin;
    for (const Json& joint : json["joints"]) skin.joints.push_back(joint.get<int>());
    skin.inverse_bind.assign(skin.joints.size(), Affine3::Identity());
    const int accessor = index_or_none(json, "inverseBindMatrices");
    if (accessor >= 0) {
      SINEW_TRY(const std::vector<float> values, read_floats(source_, accessor, "MAT4"));
      for (std::size_t j = 0; j < skin.joints.size(); ++j)
        for (int c = 0; c < 4; ++c)
          for (int r = 0; r < 3; ++r)
            skin.inverse_bind[j].matrix()(r, c) =
                values[16 * j + static_cast<std::size_t>(4 * c + r)];
    }
    for (std::size_t j = 0; j < skin.joints.size(); ++j) {
      const Affine3& world = world_[static_cast<std::size_t>(skin.joints[j])];
      skin.matrices.push_back(accessor < 0 ? world : Affine3(world * skin.inverse_bind[j]));
      if (!skin.matrices[j].matrix().allFinite())
        return refuse(ErrorCode::bad_skin, fmt::format("skins[{}].joints[{}]", index, j),
                      "does not stand at a finite place");
    }
    return skin;
  }

  Result<Json> bake_vertices(const Json& primitive, PrimitiveIndex index, int node,
                             const PosedSkin& skin, const std::string& place) {
    if (index_or_none(primitive["attributes"], "POSITION") < 0)
      return store_vertices(primitive["attributes"], {});
    SINEW_TRY(Vertices vertices, read_vertices(primitive["attributes"]));
    posed_vertices_ += vertices.count();
    if (posed_vertices_ > kMaxPosedVertices)
      return refuse(ErrorCode::too_large, place, "the file shows the same vertices too many times");
    const Json& targets = array_or_empty(primitive, "targets");
    const std::vector<double>& morph_weights = posed_node(node).morph_weights;
    for (std::size_t t = 0; t < std::min(targets.size(), morph_weights.size()); ++t)
      SINEW_CHECK(add_target(targets[t], static_cast<float>(morph_weights[t]), vertices));
    SINEW_TRY(const SkinWeights weights,
              read_weights(primitive["attributes"], skin.joints.size(), vertices.count(), place));
    SINEW_CHECK(deform(weights, index, skin, vertices));
    for (std::size_t i = 0; i < vertices.positions.size(); ++i)
      if (!std::isfinite(vertices.positions[i]))
        return refuse(ErrorCode::bad_mesh, fmt::format("{}.attributes.POSITION[{}]", place, i / 3),
                      "does not stand at a finite place in this pose");
    return store_vertices(primitive["attributes"], vertices);
  }

  Result<Vertices> read_vertices(const Json& attributes) const {
    Vertices vertices;
    SINEW_TRY(vertices.positions,
              read_floats(source_, index_or_none(attributes, "POSITION"), "VEC3"));
    if (const int normals = index_or_none(attributes, "NORMAL"); normals >= 0) {
      SINEW_TRY(vertices.normals, read_floats(source_, normals, "VEC3"));
    }
    if (const int tangents = index_or_none(attributes, "TANGENT"); tangents >= 0) {
      SINEW_TRY(const std::vector<float> xyzw, read_floats(source_, tangents, "VEC4"));
      for (std::size_t i = 0; i < xyzw.size(); ++i)
        (i % 4 == 3 ? vertices.tangent_signs : vertices.tangents).push_back(xyzw[i]);
    }
    return vertices;
  }

  Status add_target(const Json& target, float weight, Vertices& vertices) const {
    if (weight == 0) return {};
    const std::pair<const char*, std::vector<float>*> lists[] = {{"POSITION", &vertices.positions},
                                                                 {"NORMAL", &vertices.normals},
                                                                 {"TANGENT", &vertices.tangents}};
    for (const auto& [name, values] : lists) {
      const int accessor = index_or_none(target, name);
      if (accessor < 0 || values->empty()) continue;
      SINEW_TRY(const std::vector<float> offsets, read_floats(source_, accessor, "VEC3"));
      for (std::size_t i = 0; i < std::min(values->size(), offsets.size()); ++i)
        (*values)[i] += weight * offsets[i];
    }
    return {};
  }

  Result<SkinWeights> read_weights(const Json& attributes, std::size_t bones, std::size_t vertices,
                                   const std::string& place) {
    std::vector<std::vector<Influence>> rows(vertices);
    for (int set = 0;; ++set) {
      const int joints_accessor = index_or_none(attributes, fmt::format("JOINTS_{}", set));
      const int weights_accessor = index_or_none(attributes, fmt::format("WEIGHTS_{}", set));
      if (joints_accessor < 0 || weights_accessor < 0) break;
      SINEW_TRY(const std::vector<std::uint32_t> joints,
                read_integers(source_, joints_accessor, "VEC4"));
      SINEW_TRY(const std::vector<float> weights, read_floats(source_, weights_accessor, "VEC4"));
      for (std::size_t i = 0; i < std::min({joints.size(), weights.size(), 4 * vertices}); ++i)
        if (weights[i] != 0) rows[i / 4].push_back({joints[i], weights[i]});
      something_moves_ = true;
    }
    std::vector<std::size_t> row_begin{0};
    std::vector<Influence> influences;
    for (const std::vector<Influence>& row : rows) {
      const bool has_any = std::any_of(row.begin(), row.end(), [&](const Influence& influence) {
        return influence.weight > 0 && std::isfinite(influence.weight) && influence.bone < bones;
      });
      if (!has_any) influences.push_back({0, 1});
      influences.insert(influences.end(), row.begin(), row.end());
      row_begin.push_back(influences.size());
    }
    WeightRepairs repairs;
    SkinWeights weights =
        SkinWeights::mend(bones, std::move(row_begin), std::move(influences), &repairs);
    if (repairs.any())
      notices_.push_back({Notice::Level::warning, "mended_weights", place,
                          "has weights that break the rules of glTF; they were mended"});
    return weights;
  }

  Status deform(const SkinWeights& weights, PrimitiveIndex of, const PosedSkin& skin,
                Vertices& vertices) const {
    const Vertices rest = vertices;
    if (const std::optional<SkinSpines> spines = spines_.of_skin(skin))
      spines->deform(weights, of, {vertices.positions, vertices.normals, vertices.tangents});
    else
      SINEW_CHECK(deform_rigidly(weights, skin.matrices, rest, vertices));
    make_unit(vertices.normals, rest.normals);
    make_unit(vertices.tangents, rest.tangents);
    return {};
  }

  Status deform_rigidly(const SkinWeights& weights, const std::vector<Affine3>& bones,
                        const Vertices& rest, Vertices& vertices) const {
    SINEW_TRY(const PackedInfluences influences, PackedInfluences::create(weights));
    run_deformer(influences, bones,
                 {rest.positions, rest.normals, vertices.positions, vertices.normals});
    if (!vertices.tangents.empty()) {
      // Tangents lie in the surface: they go with the bones' linear parts, not with the normals.
      std::vector<Affine3> turns = bones;
      for (Affine3& turn : turns) turn.translation().setZero();
      run_deformer(influences, turns, {rest.tangents, {}, vertices.tangents, {}});
    }
    return {};
  }

  void run_deformer(const PackedInfluences& influences, const std::vector<Affine3>& bones,
                    const DeformSpans& spans) const {
    if (options_.deformer == Deformer::linear_blend)
      linear_blend(influences, BoneMatrices(bones), spans);
    else
      dual_quaternion_blend(influences, BoneDualQuaternions(bones), spans);
  }

  static void make_unit(std::vector<float>& vectors, const std::vector<float>& rest) {
    for (std::size_t i = 0; i < vectors.size(); i += 3) {
      Vec3 vector(vectors[i], vectors[i + 1], vectors[i + 2]);
      if (!(vector.norm() > kNoDirection)) vector = Vec3(rest[i], rest[i + 1], rest[i + 2]);
      const double length = vector.norm();
      vector =
          length > kNoDirection && std::isfinite(length) ? Vec3(vector / length) : Vec3::UnitY();
      for (std::size_t k = 0; k < 3; ++k)
        vectors[i + k] = static_cast<float>(vector[static_cast<Eigen::Index>(k)]);
    }
  }

  Json store_vertices(const Json& old_attributes, const Vertices& vertices) {
    Json attributes = Json::object();
    for (const auto& [name, accessor] : old_attributes.items())
      if (!name.starts_with("JOINTS_") && !name.starts_with("WEIGHTS_"))
        attributes[name] = accessor;
    AccessorData data;
    data.type = "VEC3";
    data.target = BufferTarget::vertices;
    if (!vertices.positions.empty()) {
      data.floats = vertices.positions;
      data.with_bounds = true;
      attributes["POSITION"] = append_accessor(result_, data);
      data.with_bounds = false;
    }
    if (!vertices.normals.empty()) {
      data.floats = vertices.normals;
      attributes["NORMAL"] = append_accessor(result_, data);
    }
    if (!vertices.tangents.empty()) {
      std::vector<float> xyzw;
      for (std::size_t v = 0; v < vertices.tangent_signs.size(); ++v) {
        xyzw.insert(xyzw.end(), &vertices.tangents[3 * v], &vertices.tangents[3 * v] + 3);
        xyzw.push_back(vertices.tangent_signs[v]);
      }
      data.type = "VEC4";
      data.floats = xyzw;
      attributes["TANGENT"] = append_accessor(result_, data);
    }
    return attributes;
  }

  void drop_what_is_over() {
    for (const Json& animation : array_or_empty(source_.json, "animations"))
      for (const Json& sampler : array_or_empty(animation, "samplers"))
        for (const char* key : {"input", "output"}) orphans_.insert(index_or_none(sampler, key));
    result_.json.erase("animations");
    forget_extension(result_, "KHR_animation_pointer");
    const Json& nodes = array_or_empty(result_.json, "nodes");
    const bool skin_in_use = std::any_of(nodes.begin(), nodes.end(), [](const Json& node) {
      return index_or_none(node, "skin") >= 0;
    });
    if (!skin_in_use) {
      for (const Json& skin : array_or_empty(source_.json, "skins"))
        orphans_.insert(index_or_none(skin, "inverseBindMatrices"));
      result_.json.erase("skins");
    }
    empty_orphans();
  }

  /// What nothing shows any more may be large, or hold numbers that glTF forbids. Its slots stay,
  /// so that no index moves; its bytes go when the document is written.
  void empty_orphans() {
    std::set<int> used_accessors, used_views;
    for (const auto& [key, value] : result_.json.items())
      if (key != "accessors" && key != "bufferViews")
        collect_accessors(value, key == "extensions" || key == "extras", used_accessors);
    std::set<int> orphan_views;
    for (const int orphan : orphans_) {
      if (orphan < 0 || used_accessors.contains(orphan)) continue;
      Json& accessor = element(result_, "accessors", orphan);
      orphan_views.insert(index_or_none(accessor, "bufferView"));
      accessor = {{"componentType", static_cast<int>(ComponentType::f32)},
                  {"count", 1},
                  {"type", "SCALAR"}};
      result_.decoded_accessors.erase(orphan);
    }
    collect_views(result_.json, used_views);
    for (const int orphan : orphan_views) {
      if (orphan < 0 || used_views.contains(orphan)) continue;
      Json& view = element(result_, "bufferViews", orphan);
      if (view.contains("extensions")) continue;  // compressed: its sizes belong together
      if (unsigned_or(view, "byteLength", 0) == 0) continue;
      view = {{"buffer", view["buffer"]},
              {"byteOffset", unsigned_or(view, "byteOffset", 0)},
              {"byteLength", 1}};
      result_.has_dead_bytes = true;
    }
  }

  /// Numbers where glTF puts accessors, and all numbers in extensions and extras, which may be
  /// some.
  static void collect_accessors(const Json& json, bool anything, std::set<int>& used) {
    if (!json.is_structured()) return;
    for (const auto& [key, value] : json.items()) {
      const bool is_list =
          key == "attributes" || key == "targets" || key == "extensions" || key == "extras";
      const bool is_index = anything || key == "indices" || key == "inverseBindMatrices";
      if (is_index && is_natural(value) && value <= INT_MAX) used.insert(value.get<int>());
      collect_accessors(value, anything || is_list, used);
    }
  }

  static void collect_views(const Json& json, std::set<int>& used) {
    if (!json.is_structured()) return;
    for (const auto& [key, value] : json.items()) {
      if (key == "bufferView" && is_natural(value) && value <= INT_MAX)
        used.insert(value.get<int>());
      collect_views(value, used);
    }
  }

  const Document& source_;
  const PoseOptions& options_;
  Notices& notices_;
  Document result_;
  NodeTree posed_;
  std::vector<Affine3> world_;
  DocumentSpines spines_;
  std::map<int, int> nodes_showing_;  // per mesh, those that are not done
  std::set<int> orphans_;             // accessors that something used which is gone
  std::size_t posed_vertices_ = 0;
  bool something_moves_ = false;  // a mesh has weights, or the clip moves one as a whole
};

}  // namespace

Result<Document> pose_document(const Document& document, const PoseOptions& options,
                               Notices* notices) {
  Notices unwanted;
  return Poser(document, options, notices != nullptr ? *notices : unwanted).pose();
}

}  // namespace sinew
