// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "formats/import_assimp.h"

#include <algorithm>
#include <array>
#include <exception>
#include <map>
#include <system_error>

#include <assimp/DefaultIOSystem.h>
#include <assimp/Importer.hpp>
#include <assimp/config.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include "formats/assimp_material.h"
#include "formats/assimp_mesh.h"
#include "formats/assimp_rig.h"
#include "formats/assimp_scene.h"
#include "formats/text_reader.h"
#include "gltf/document_builder.h"

namespace sinew {
namespace {

struct Format {
  const char* extension;
  const char* name;
};
constexpr std::array<Format, 4> kFormats = {
    {{".ply", "PLY"}, {".stl", "STL"}, {".fbx", "FBX"}, {".dae", "COLLADA"}}};

constexpr std::size_t kLongestReason = 300;  // of assimp's own words

/// Lets assimp open the model and what lies in its folder, and nothing else that a file may name.
class FolderIoSystem : public Assimp::DefaultIOSystem {
 public:
  explicit FolderIoSystem(const std::filesystem::path& file) : folder_(folder_of(file)) {}

  Assimp::IOStream* Open(const char* file, const char* mode) override {
    return is_inside(file) ? DefaultIOSystem::Open(file, mode) : nullptr;
  }
  bool Exists(const char* file) const override {
    return is_inside(file) && DefaultIOSystem::Exists(file);
  }

 private:
  static std::filesystem::path folder_of(const std::filesystem::path& file) {
    std::error_code ignored;
    return std::filesystem::weakly_canonical(std::filesystem::absolute(file), ignored)
        .parent_path();
  }
  [[nodiscard]] bool is_inside(const char* file) const {
    const std::filesystem::path parent = folder_of(file);
    const auto [own_end, parent_at] =
        std::mismatch(folder_.begin(), folder_.end(), parent.begin(), parent.end());
    return own_end == folder_.end();
  }
  std::filesystem::path folder_;
};

class SceneConverter {
 public:
  SceneConverter(const aiScene& scene, const Format& format, const std::filesystem::path& path)
      : scene_(scene), format_(format), path_(path) {
    imported_.document = make_empty_document();
    imported_.document.folder = path.parent_path();
    imported_.format = format.name;
  }

  Result<Imported> convert() {
    SINEW_TRY(tree_, reading::make_scene_tree(scene_, imported_.notices));
    rig_ = reading::make_rig(tree_, imported_.notices);
    reading::add_materials(imported_.document, scene_, path_.parent_path(), imported_.notices);
    write_nodes();
    write_skins();
    SINEW_CHECK(write_meshes());
    reading::add_clips(imported_.document, tree_, imported_.notices);
    reading::report(losses_, imported_.notices);
    if (scene_.mNumLights + scene_.mNumCameras > 0)
      imported_.notices.push_back({Notice::Level::note, "lights_cameras_skipped", "",
                                   "lights and cameras were left out; their nodes were kept"});
    return std::move(imported_);
  }

 private:
  [[nodiscard]] bool is_skinned(unsigned mesh) const { return rig_.meshes[mesh].skin >= 0; }

  /// A root that places nothing is assimp's own; but the joints of a skin need a common one.
  [[nodiscard]] bool needs_root() const {
    const reading::SceneNode& root = tree_.nodes.front();
    if (root.source->mNumMeshes > 0 || root.animated || root.source->mNumChildren == 0 ||
        !root.local.matrix().isApprox(Affine3::Identity().matrix(), 1e-9))
      return true;
    for (const reading::RigSkin& skin : rig_.skins) {
      int top = -1;
      for (const int joint : skin.joints) {
        int above = joint;
        while (tree_.node(above).parent > 0) above = tree_.node(above).parent;
        if (above == 0 || (top >= 0 && above != top)) return true;
        top = above;
      }
    }
    return false;
  }

  /// Skinned meshes get root nodes of their own; a node that was there only for one is not needed.
  [[nodiscard]] bool only_holds_skinned_meshes(std::size_t index) const {
    const reading::SceneNode& node = tree_.nodes[index];
    const aiNode& source = *node.source;
    return source.mNumMeshes > 0 && source.mNumChildren == 0 && !node.animated &&
           !rig_.is_joint[index] &&
           std::all_of(source.mMeshes, source.mMeshes + source.mNumMeshes,
                       [&](unsigned mesh) { return is_skinned(mesh); });
  }

  void write_nodes() {
    for (std::size_t i = 0; i < tree_.nodes.size(); ++i) {
      reading::SceneNode& node = tree_.nodes[i];
      if ((i == 0 && !needs_root()) || only_holds_skinned_meshes(i)) continue;
      Json json = {{"name", node_name(node)}};
      reading::put_transform(json, node.local, node.animated);
      const int parent = node.parent < 0 ? -1 : tree_.node(node.parent).gltf_node;
      node.gltf_node = reading::add_node(imported_.document, std::move(json), parent);
    }
  }

  /// Assimp makes up names in angle brackets, or none, where a format has none.
  [[nodiscard]] std::string node_name(const reading::SceneNode& node) const {
    const std::string name = reading::to_utf8(node.source->mName.C_Str());
    const bool made_up = name.empty() || name.front() == '<';
    return made_up && node.carries_mesh ? reading::to_utf8(path_.stem().string()) : name;
  }

  void write_skins() {
    for (const reading::RigSkin& skin : rig_.skins) {
      std::vector<int> joints;
      for (const int joint : skin.joints) joints.push_back(tree_.node(joint).gltf_node);
      reading::add_skin(imported_.document, "", joints, skin.inverse_binds);
    }
  }

  Status write_meshes() {
    for (const reading::SceneNode& node : tree_.nodes) {
      std::vector<unsigned> plain;
      std::vector<std::vector<unsigned>> by_skin(rig_.skins.size());
      for (unsigned i = 0; i < node.source->mNumMeshes; ++i) {
        const unsigned mesh = node.source->mMeshes[i];
        (is_skinned(mesh) ? by_skin[static_cast<std::size_t>(rig_.meshes[mesh].skin)] : plain)
            .push_back(mesh);
      }
      SINEW_TRY(const int plain_mesh, write_mesh(node, plain));
      if (plain_mesh >= 0)
        imported_.document.json["nodes"][static_cast<std::size_t>(node.gltf_node)]["mesh"] =
            plain_mesh;
      for (std::size_t skin = 0; skin < by_skin.size(); ++skin) {
        SINEW_TRY(const int mesh, write_mesh(node, by_skin[skin]));
        if (mesh >= 0)
          reading::add_node(imported_.document,
                            {{"name", node_name(node)}, {"mesh", mesh}, {"skin", skin}});
      }
    }
    if (!imported_.document.json.contains("meshes") && scene_.mNumMeshes > 0)
      return Error{ErrorCode::bad_mesh, "", "the file has meshes but no faces in them"};
    return {};
  }

  /// One glTF mesh of all these meshes of assimp; -1 for none.
  Result<int> write_mesh(const reading::SceneNode& node, const std::vector<unsigned>& parts) {
    if (parts.empty()) return -1;
    // Instances: a mesh without a skin may hang on several nodes.
    if (const auto known = written_.find(parts); known != written_.end()) return known->second;
    Json primitives = Json::array();
    for (const unsigned part : parts) {
      const aiMesh& mesh = *scene_.mMeshes[part];
      SINEW_TRY(std::vector<Json> added,
                reading::add_primitives(imported_.document, mesh, mesh_import(part),
                                        fmt::format("meshes[{}]", part), losses_));
      for (Json& primitive : added) {
        if (mesh.mMaterialIndex < scene_.mNumMaterials) primitive["material"] = mesh.mMaterialIndex;
        primitives.push_back(std::move(primitive));
      }
    }
    if (primitives.empty()) return -1;
    std::string name = reading::to_utf8(scene_.mMeshes[parts.front()]->mName.C_Str());
    if (name.empty()) name = node_name(node);
    Json& meshes = imported_.document.json["meshes"];
    meshes.push_back({{"name", std::move(name)}, {"primitives", std::move(primitives)}});
    const int index = static_cast<int>(meshes.size()) - 1;
    written_.emplace(parts, index);
    return index;
  }

  [[nodiscard]] reading::MeshImport mesh_import(unsigned mesh) const {
    reading::MeshImport import;
    const std::string_view format = format_.name;
    import.join_identical = format != "PLY";
    import.keep_normals = format != "STL";
    const Eigen::UniformScaling<double> lengths(tree_.length_scale);
    import.placement = Affine3(lengths);
    if (is_skinned(mesh)) {
      const reading::RigMesh& rigged = rig_.meshes[mesh];
      import.placement = rigged.placement * lengths;
      import.joint_of_bone = rigged.joint_of_bone;
      import.joint_count = rig_.skins[static_cast<std::size_t>(rigged.skin)].joints.size();
    }
    return import;
  }

  const aiScene& scene_;
  const Format& format_;
  const std::filesystem::path& path_;
  Imported imported_;
  reading::SceneTree tree_;
  reading::SceneRig rig_;
  reading::MeshLosses losses_;
  std::map<std::vector<unsigned>, int> written_;
};

Result<Imported> import_file(const std::filesystem::path& path, const Format& format) {
  Assimp::Importer importer;
  importer.SetIOHandler(new FolderIoSystem(path));  // the importer owns it
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, false);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_USE_COLLADA_NAMES, true);
  const aiScene* scene = importer.ReadFile(path.string(), 0);
  if (scene == nullptr || scene->mRootNode == nullptr)
    return Error{ErrorCode::bad_file, path.filename().string(),
                 fmt::format("assimp cannot read it: {}",
                             reading::shown(importer.GetErrorString(), kLongestReason))};
  return SceneConverter(*scene, format, path).convert();
}

}  // namespace

Result<Imported> read_with_assimp(const std::filesystem::path& path,
                                  const AssimpImportOptions& options) {
  const std::string extension = path.extension().string();
  const auto format = std::ranges::find_if(kFormats, [&](const Format& candidate) {
    return reading::equals_ignoring_case(candidate.extension, extension);
  });
  if (format == kFormats.end())
    return Error{ErrorCode::unsupported, path.filename().string(),
                 "not a format that assimp reads"};
  std::error_code failure;
  const std::uintmax_t bytes = std::filesystem::file_size(path, failure);
  if (failure)
    return Error{ErrorCode::file_not_found, path.string(), "there is no such file to read"};
  if (bytes > options.max_bytes)
    return Error{
        ErrorCode::too_large, path.filename().string(),
        fmt::format("the file has {} bytes; at most {} are read", bytes, options.max_bytes)};
  try {
    return import_file(path, *format);
  } catch (const std::exception& exception) {
    return Error{
        ErrorCode::bad_file, path.filename().string(),
        fmt::format("assimp cannot read it: {}", reading::shown(exception.what(), kLongestReason))};
  }
}

}  // namespace sinew
