// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What training of who owns the skin reads of a character: sinew_owner_evidence FILE OUT. Binary,
// little-endian: "OWN1"; as uint32 the numbers of welded vertices, bones, features and candidates
// in all; names of features, each ended by a zero byte, then those of bones; of each vertex, as
// float32, its measure and the number of its candidates; of each candidate its bone and its
// features; of each vertex and bone, in rows, the weight that the file has there.
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>

#include "bind/first_weights.h"
#include "bind/prepared_bind.h"
#include "sinew/jobs/job_input.h"
#include "sinew/weights/heat.h"
#include "weights/interior_walk.h"
#include "weights/linked_parts.h"
#include "weights/owner_features.h"

namespace {

using namespace sinew;

template <class Value>
void put(std::ofstream& out, const Value& value) {
  out.write(reinterpret_cast<const char*>(&value), sizeof value);
}

int run(const std::string& path, const std::string& out_path) {
  JobInput input;
  input.file = path;
  auto loaded = load_input(input);
  if (!loaded.ok()) {
    std::fprintf(stderr, "%s\n", loaded.error().to_string().c_str());
    return 1;
  }
  const Character& character = loaded->characters.front().character;
  BindOptions options;
  options.init = BindInit::owners;  // for its tails
  std::vector<StageTime> times;
  auto prepared = prepare_bind(character, {}, options, times, {});
  if (!prepared.ok()) {
    std::fprintf(stderr, "%s\n", prepared.error().to_string().c_str());
    return 1;
  }
  BindPlan plan = plan_bind(character, options, *prepared);
  plan.start.value.rigid_parts.reset();
  plan.start.value.from = StartPlan::From::heat;  // what is learnt is no evidence
  if (!make_first_weights(character, options, plan, *prepared, times, {}).ok()) return 1;
  auto walk = interior_walk(prepared->mesh, prepared->segments);
  if (!walk.ok()) return 1;
  const OwnerEvidence evidence = owner_evidence(prepared->mesh, prepared->skeleton,
                                                prepared->segments, prepared->first.weights, *walk);
  const SkinWeights truth = mean_of_copies(prepared->mesh.welded, character.weights);

  std::ofstream out(out_path, std::ios::binary);
  out.write("OWN1", 4);
  for (const std::size_t count :
       {evidence.vertex_count(), truth.bone_count(), kOwnerFeatureCount, evidence.bone.size()})
    put(out, static_cast<std::uint32_t>(count));
  for (const std::string_view name : kOwnerFeatures) out << name << '\0';
  for (const Bone& bone : character.skeleton.bones()) out << bone.name << '\0';
  for (std::size_t v = 0; v < evidence.vertex_count(); ++v) {
    put(out, static_cast<float>(prepared->mesh.graph.vertex_measure[v]));
    put(out, static_cast<float>(evidence.begin[v + 1] - evidence.begin[v]));
  }
  for (std::size_t c = 0; c < evidence.bone.size(); ++c) {
    put(out, static_cast<float>(evidence.bone[c]));
    for (const float feature : evidence.features_of(c)) put(out, feature);
  }
  for (std::size_t v = 0; v < truth.vertex_count(); ++v) {
    std::vector<float> row(truth.bone_count(), 0);
    for (const Influence& each : truth.row(v)) row[each.bone] = static_cast<float>(each.weight);
    for (const float weight : row) put(out, weight);
  }
  return out.good() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "sinew_owner_evidence FILE OUT\n");
    return 2;
  }
  return run(argv[1], argv[2]);
}
