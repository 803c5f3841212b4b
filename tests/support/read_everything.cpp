// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "support/read_everything.h"

#include <cstdio>
#include <cstdlib>

#include "rig/leaf_tails.h"
#include "sinew/gltf/gltf_accessor.h"
#include "sinew/gltf/gltf_character.h"
#include "sinew/gltf/move_joints.h"
#include "support/gltf_samples.h"

namespace sinew::test {
namespace {

void require(bool condition, const char* promise) {
  if (condition) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

void require_says_where(const Error& error) {
  require(!error.message.empty(), "an error has a sentence");
  require(!error.place.empty(), "an error has a place");
}

/// Every joint goes its own way, whatever relies on it.
void require_joints_move(Document document, const LoadedCharacter& loaded) {
  std::vector<Vec3> moves;
  for (std::size_t b = 0; b < loaded.character.skeleton.bone_count(); ++b)
    moves.emplace_back(0.01, -0.02, 0.001 * static_cast<double>(b % 100));
  const auto moved = move_joints(document, loaded, moves, {MoveJointsOptions::Relied::move});
  if (!moved.ok()) return require_says_where(moved.error());
  const auto bytes = encode_glb(document);
  require(bytes.ok(), "a document with moved joints can be written");
  require(parse_gltf(*bytes, no_files()).ok(), "a document with moved joints can be read");
}

}  // namespace

std::optional<Error> read_everything(std::span<const std::byte> file) {
  const auto document = parse_gltf(file, no_files());
  if (!document.ok()) {
    require_says_where(document.error());
    return document.error();
  }
  for (std::size_t a = 0; a < document->json.value("accessors", Json::array()).size(); ++a) {
    const auto values = read_floats(*document, static_cast<int>(a),
                                    document->json["accessors"][a]["type"].get<std::string>());
    if (!values.ok()) require_says_where(values.error());
  }
  const auto copy = encode_glb(*document);
  require(copy.ok(), "a document that was read can be written");
  const auto reread = parse_gltf(*copy, no_files());
  require(reread.ok(), "a document that was written can be read");

  auto characters = read_characters(*document);
  if (!characters.ok()) {
    require_says_where(characters.error());
    return characters.error();
  }
  for (const LoadedCharacter& loaded : *characters) {
    const Character& character = loaded.character;
    require(character.weights.vertex_count() == character.mesh.vertex_count(),
            "one row of weights per vertex");
    for (const Clip& clip : character.clips)
      (void)character.skinning_transforms(
          sample_clip(character.nodes, clip, 0.5 * (clip.start_s + clip.end_s)));
    (void)guess_leaf_tails(character.skeleton, character.mesh, character.weights);
    require_joints_move(*document, loaded);
    if (character.skeleton.bone_count() == 0 || character.mesh.vertex_count() == 0) continue;
    if (character.weights.unweighted_count() > 0) continue;
    Document edited = *document;
    WriteWeightsOptions options;
    options.max_influences = static_cast<int>(character.weights.max_influences());
    require(write_weights(edited, loaded, character.weights, options).ok(),
            "valid weights can be written");
    const auto bytes = encode_glb(edited);
    require(bytes.ok(), "an edited document can be written");
    const auto again = parse_gltf(*bytes, no_files());
    require(again.ok(), "an edited document can be read");
  }
  return std::nullopt;
}

}  // namespace sinew::test
