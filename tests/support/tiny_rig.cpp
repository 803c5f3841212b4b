// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "support/tiny_rig.h"

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sinew::test {
namespace {

using Point = std::array<double, 3>;

/// A point given in metres, +Y up, in the file's own space inside its scaled nodes.
Point in_file(const TinyRig& rig, double x, double y, double z) {
  const double s = 1 / (rig.metres_per_unit * rig.node_scale);
  return rig.z_up ? Point{s * x, -s * z, s * y} : Point{s * x, s * y, s * z};
}

std::vector<double> ring_positions(const TinyRig& rig) {
  std::vector<double> numbers;
  for (const double y : {0.0, 1.0, 2.0})
    for (const auto& [x, z] : {std::pair{-0.1, 0.1}, {0.1, 0.1}, {0.1, -0.1}, {-0.1, -0.1}})
      for (const double number : in_file(rig, x, y, z)) numbers.push_back(number);
  return numbers;
}

std::vector<std::array<int, 4>> quads() {
  std::vector<std::array<int, 4>> quads;
  for (int ring = 0; ring < 2; ++ring)
    for (int i = 0; i < 4; ++i) {
      const int next = (i + 1) % 4;
      quads.push_back({4 * ring + i, 4 * ring + next, 4 * ring + 4 + next, 4 * ring + 4 + i});
    }
  return quads;
}

std::string join(const std::vector<double>& numbers, const char* separator) {
  return fmt::format("{:.9g}", fmt::join(numbers, separator));
}

/// A joint's bind matrix in the file's scene, FBX's order: the images of x, y, z, then the origin.
std::string fbx_bind(const TinyRig& rig, double height, double turn_z_deg) {
  const double a = turn_z_deg * std::numbers::pi / 180;
  const double s = rig.node_scale;
  const Point at = in_file(rig, 0, height, 0);
  return join({s * std::cos(a), s * std::sin(a), 0, 0, -s * std::sin(a), s * std::cos(a), 0, 0, 0,
               0, s, 0, s * at[0], s * at[1], s * at[2], 1},
              ",");
}

std::string fbx_model(int id, const char* name, const char* type, const std::string& properties) {
  return fmt::format(
      "Model: {}, \"Model::{}\", \"{}\" {{\n Version: 232\n Properties70: {{\n{} }}\n Shading: T\n "
      "Culling: \"CullingOff\"\n}}\n",
      id, name, type, properties);
}

std::string fbx_vector(const char* property, const Point& value) {
  return fmt::format("  P: \"{}\", \"{}\", \"\", \"A\", {:.9g}, {:.9g}, {:.9g}\n", property,
                     property, value[0], value[1], value[2]);
}

std::string fbx_cluster(int id, const char* indices, const char* weights, int count,
                        const std::string& bind) {
  return fmt::format(
      "Deformer: {}, \"SubDeformer::\", \"Cluster\" {{\n Version: 100\n Indexes: *{} {{\n a: {}\n "
      "}}\n "
      "Weights: *{} {{\n a: {}\n }}\n Transform: *16 {{\n a: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1\n "
      "}}\n "
      "TransformLink: *16 {{\n a: {}\n }}\n}}\n",
      id, count, indices, count, weights, bind);
}

std::string fbx_curve(int id, double from, double to) {
  constexpr long long kSecond = 46186158000;
  return fmt::format(
      "AnimationCurve: {}, \"AnimCurve::\", \"\" {{\n Default: {:.9g}\n KeyVer: 4009\n KeyTime: *2 "
      "{{\n "
      "a: 0,{}\n }}\n KeyValueFloat: *2 {{\n a: {:.9g},{:.9g}\n }}\n KeyAttrFlags: *1 {{\n a: 0\n "
      "}}\n "
      "KeyAttrDataFloat: *4 {{\n a: 0,0,0,0\n }}\n KeyAttrRefCount: *1 {{\n a: 2\n }}\n}}\n",
      id, from, kSecond, from, to);
}

std::string fbx_objects(const TinyRig& rig) {
  std::vector<std::string> corners;
  for (const auto& quad : quads())
    corners.push_back(fmt::format("{},{},{},{}", quad[0], quad[1], quad[2], -quad[3] - 1));
  const std::vector<double> positions = ring_positions(rig);
  std::string text = fmt::format(
      "Geometry: 10, \"Geometry::tube\", \"Mesh\" {{\n Vertices: *{} {{\n a: {}\n }}\n "
      "PolygonVertexIndex: *32 {{\n a: {}\n }}\n GeometryVersion: 124\n}}\n",
      positions.size(), join(positions, ","), fmt::join(corners, ","));
  const Point scale = {rig.node_scale, rig.node_scale, rig.node_scale};
  text += fbx_model(20, "Armature", "Null", fbx_vector("Lcl Scaling", scale));
  text += fbx_model(21, "hip", "LimbNode", "");
  const Point up = in_file(rig, 0, 1, 0);
  const Point pre = {0, 0, rig.knee_pre_rotation_z_deg};
  text += fbx_model(22, "knee", "LimbNode",
                    fbx_vector("PreRotation", pre) +
                        "  P: \"RotationActive\", \"bool\", \"\", \"\", 1\n" +
                        fbx_vector("Lcl Translation", up));
  text += fbx_model(23, "knee_end", "LimbNode", fbx_vector("Lcl Translation", up));
  text += fbx_model(24, "tube", "Mesh", fbx_vector("Lcl Scaling", scale));
  text += "Deformer: 30, \"Deformer::\", \"Skin\" {\n Version: 101\n Link_DeformAcuracy: 50\n}\n";
  text += fbx_cluster(31, "0,1,2,3,4,5,6,7", "1,1,1,1,0.5,0.5,0.5,0.5", 8, fbx_bind(rig, 0, 0));
  text += fbx_cluster(32, "4,5,6,7,8,9,10,11", "0.5,0.5,0.5,0.5,1,1,1,1", 8,
                      fbx_bind(rig, 1, rig.knee_pre_rotation_z_deg));
  text +=
      "AnimationStack: 40, \"AnimStack::bend\", \"\" {\n}\nAnimationLayer: 41, "
      "\"AnimLayer::base\", \"\" {\n}\n"
      "AnimationCurveNode: 42, \"AnimCurveNode::T\", \"\" {\n}\n"
      "AnimationCurveNode: 43, \"AnimCurveNode::R\", \"\" {\n}\n";
  const Point rise = in_file(rig, 0, 0.5, 0);
  text += fbx_curve(44, 0, rise[rig.z_up ? 2 : 1]) + fbx_curve(45, 0, 90);
  return text;
}

}  // namespace

std::string tiny_fbx(const TinyRig& rig) {
  const std::string settings = fmt::format(
      " P: \"UpAxis\", \"int\", \"Integer\", \"\", {}\n P: \"UpAxisSign\", \"int\", \"Integer\", "
      "\"\", 1\n"
      " P: \"FrontAxis\", \"int\", \"Integer\", \"\", {}\n P: \"FrontAxisSign\", \"int\", "
      "\"Integer\", \"\", {}\n"
      " P: \"CoordAxis\", \"int\", \"Integer\", \"\", 0\n P: \"CoordAxisSign\", \"int\", "
      "\"Integer\", \"\", 1\n"
      " P: \"UnitScaleFactor\", \"double\", \"Number\", \"\", {:.9g}\n",
      rig.z_up ? 2 : 1, rig.z_up ? 1 : 2, rig.z_up ? -1 : 1, 100 * rig.metres_per_unit);
  std::string connections;
  for (const auto& [child, parent] : {std::pair{20, 0},
                                      {21, 20},
                                      {22, 21},
                                      {23, 22},
                                      {24, 0},
                                      {10, 24},
                                      {30, 10},
                                      {31, 30},
                                      {32, 30},
                                      {21, 31},
                                      {22, 32},
                                      {41, 40},
                                      {42, 41},
                                      {43, 41}})
    connections += fmt::format(" C: \"OO\",{},{}\n", child, parent);
  connections += " C: \"OP\",42,21,\"Lcl Translation\"\n C: \"OP\",43,22,\"Lcl Rotation\"\n";
  connections +=
      fmt::format(" C: \"OP\",44,42,\"d|{}\"\n C: \"OP\",45,43,\"d|X\"\n", rig.z_up ? 'Z' : 'Y');
  return fmt::format(
      "; FBX 7.5.0 project file\nFBXHeaderExtension: {{\n FBXHeaderVersion: 1003\n FBXVersion: "
      "7500\n}}\nGlobalSettings: {{\n Version: 1000\n Properties70: {{\n{}}}\n}}\nObjects: "
      "{{\n{}}}\nConnections: {{\n{}}}\n",
      settings, fbx_objects(rig), connections);
}

namespace {

std::string collada_source(const char* id, const std::vector<double>& numbers, const char* params,
                           int stride) {
  return fmt::format(
      "<source id=\"{0}\"><float_array id=\"{0}-a\" "
      "count=\"{1}\">{2}</float_array><technique_common>"
      "<accessor source=\"#{0}-a\" count=\"{3}\" "
      "stride=\"{4}\">{5}</accessor></technique_common></source>\n",
      id, numbers.size(), join(numbers, " "), numbers.size() / static_cast<std::size_t>(stride),
      stride, params);
}

std::string collada_names(const char* id, const char* names, int count, const char* param) {
  return fmt::format(
      "<source id=\"{0}\"><Name_array id=\"{0}-a\" count=\"{1}\">{2}</Name_array><technique_common>"
      "<accessor source=\"#{0}-a\" count=\"{1}\" stride=\"1\"><param name=\"{3}\" "
      "type=\"name\"/></accessor>"
      "</technique_common></source>\n",
      id, count, names, param);
}

/// The inverse of a joint's bind, row by row, and of the scale above it.
std::vector<double> collada_inverse_bind(const TinyRig& rig, double height) {
  const Point at = in_file(rig, 0, height, 0);
  const double s = 1 / rig.node_scale;
  return {s, 0, 0, -at[0], 0, s, 0, -at[1], 0, 0, s, -at[2], 0, 0, 0, 1};
}

std::string collada_channel(const char* id, const char* target, double from, double to) {
  return fmt::format(
      "<animation id=\"{0}\">\n{1}{2}{3}<sampler id=\"{0}-s\"><input semantic=\"INPUT\" "
      "source=\"#{0}-i\"/>"
      "<input semantic=\"OUTPUT\" source=\"#{0}-o\"/><input semantic=\"INTERPOLATION\" "
      "source=\"#{0}-n\"/>"
      "</sampler><channel source=\"#{0}-s\" target=\"{4}\"/></animation>\n",
      id,
      collada_source(fmt::format("{}-i", id).c_str(), {0, 1},
                     "<param name=\"TIME\" type=\"float\"/>", 1),
      collada_source(fmt::format("{}-o", id).c_str(), {from, to},
                     "<param name=\"ANGLE\" type=\"float\"/>", 1),
      collada_names(fmt::format("{}-n", id).c_str(), "LINEAR LINEAR", 2, "INTERPOLATION"), target);
}

}  // namespace

std::string tiny_collada(const TinyRig& rig) {
  const char* xyz =
      "<param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/><param name=\"Z\" "
      "type=\"float\"/>";
  std::string polygons;
  for (const auto& quad : quads()) polygons += fmt::format("{} ", fmt::join(quad, " "));
  std::vector<double> binds = collada_inverse_bind(rig, 0);
  for (const double number : collada_inverse_bind(rig, 1)) binds.push_back(number);
  const Point up = in_file(rig, 0, 1, 0);
  const Point rise = in_file(rig, 0, 0.5, 0);
  const double s = rig.node_scale;
  const std::string shape = join({s, 0, 0, 0, 0, s, 0, 0, 0, 0, s, 0, 0, 0, 0, 1}, " ");
  return fmt::format(
      "<?xml version=\"1.0\"?>\n<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
      "version=\"1.4.1\">\n<asset><unit name=\"unit\" meter=\"{}\"/><up_axis>{}</up_axis></asset>\n"
      "<library_geometries><geometry id=\"tube\" name=\"tube\"><mesh>\n{}"
      "<vertices id=\"tube-v\"><input semantic=\"POSITION\" source=\"#tube-p\"/></vertices>\n"
      "<polylist count=\"8\"><input semantic=\"VERTEX\" source=\"#tube-v\" offset=\"0\"/>"
      "<vcount>4 4 4 4 4 4 4 "
      "4</vcount><p>{}</p></polylist></mesh></geometry></library_geometries>\n"
      "<library_controllers><controller id=\"ctl\"><skin source=\"#tube\">"
      "<bind_shape_matrix>{}</bind_shape_matrix>\n{}{}{}"
      "<joints><input semantic=\"JOINT\" source=\"#ctl-j\"/><input semantic=\"INV_BIND_MATRIX\" "
      "source=\"#ctl-b\"/></joints>\n<vertex_weights count=\"12\"><input semantic=\"JOINT\" "
      "source=\"#ctl-j\" offset=\"0\"/><input semantic=\"WEIGHT\" source=\"#ctl-w\" offset=\"1\"/>"
      "<vcount>1 1 1 1 2 2 2 2 1 1 1 1</vcount><v>0 0 0 0 0 0 0 0 0 1 1 1 0 1 1 1 0 1 1 1 0 1 1 1 "
      "1 0 1 0 1 "
      "0 1 0</v></vertex_weights></skin></controller></library_controllers>\n"
      "<library_animations><animation id=\"bend\" "
      "name=\"bend\">{}{}</animation></library_animations>\n"
      "<library_visual_scenes><visual_scene id=\"Scene\">\n"
      "<node id=\"Armature\" name=\"Armature\"><scale>{} {} {}</scale>\n"
      "<node id=\"hip\" name=\"hip\" sid=\"hip\" type=\"JOINT\"><translate sid=\"move\">0 0 "
      "0</translate>\n"
      "<node id=\"knee\" name=\"knee\" sid=\"knee\" type=\"JOINT\"><translate>{}</translate>"
      "<rotate sid=\"bend\">1 0 0 0</rotate>\n"
      "<node id=\"knee_end\" name=\"knee_end\" sid=\"knee_end\" "
      "type=\"JOINT\"><translate>{}</translate></node>"
      "</node></node></node>\n"
      "<node id=\"body\" name=\"body\"><scale>{} {} {}</scale><instance_controller url=\"#ctl\">"
      "<skeleton>#hip</skeleton></instance_controller></node>\n"
      "</visual_scene></library_visual_scenes><scene><instance_visual_scene "
      "url=\"#Scene\"/></scene>\n"
      "</COLLADA>\n",
      rig.metres_per_unit, rig.z_up ? "Z_UP" : "Y_UP",
      collada_source("tube-p", ring_positions(rig), xyz, 3), polygons, shape,
      collada_names("ctl-j", "hip knee", 2, "JOINT"),
      collada_source("ctl-b", binds, "<param name=\"TRANSFORM\" type=\"float4x4\"/>", 16),
      collada_source("ctl-w", {1, 0.5}, "<param name=\"WEIGHT\" type=\"float\"/>", 1),
      collada_channel("rise", rig.z_up ? "hip/move.Z" : "hip/move.Y", 0, rise[rig.z_up ? 2 : 1]),
      collada_channel("turn", "knee/bend.ANGLE", 0, 90), s, s, s, join({up[0], up[1], up[2]}, " "),
      join({up[0], up[1], up[2]}, " "), s, s, s);
}

}  // namespace sinew::test
