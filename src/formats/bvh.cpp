// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "formats/bvh.h"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "formats/text_reader.h"
#include "gltf/document_builder.h"
#include "sinew/model/mesh.h"

namespace sinew {
namespace {

using reading::equals_ignoring_case;
using reading::TextReader;

constexpr std::size_t kDeepestJoint = 1000;  // no skeleton has chains like this; a damaged file may
constexpr double kFallbackFrameTime_s = 1 / 30.0;  // for files whose writer left it at zero
constexpr double kSmallestBody_m = 0.2;            // outside these a skeleton is hardly in metres
constexpr double kLargestBody_m = 5.0;
constexpr double kTypicalBody_m = 1.7;  // of a grown person

struct BvhChannel {
  bool rotates = false;
  int axis = 0;
};

struct BvhJoint {
  std::string name;
  int parent = -1;
  std::size_t line = 0;
  Vec3 offset = Vec3::Zero();
  std::vector<BvhChannel> channels;
  std::size_t first_channel = 0;
  std::optional<Vec3> end_site;
  bool has_child = false;

  [[nodiscard]] bool has(bool rotates) const {
    for (const BvhChannel& channel : channels)
      if (channel.rotates == rotates) return true;
    return false;
  }
};

struct BvhFile {
  std::vector<BvhJoint> joints;
  std::size_t channel_count = 0;
  std::size_t frame_count = 0;
  double frame_time_s = 0;
  std::vector<double> frames;  // channel_count numbers per frame
  Notices notices;
};

std::optional<BvhChannel> channel_from(std::string_view word) {
  constexpr std::array<std::string_view, 6> kNames = {"Xposition", "Yposition", "Zposition",
                                                      "Xrotation", "Yrotation", "Zrotation"};
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (equals_ignoring_case(word, kNames[i]))
      return BvhChannel{.rotates = i >= 3, .axis = static_cast<int>(i % 3)};
  return std::nullopt;
}

class BvhParser {
 public:
  explicit BvhParser(std::span<const std::byte> file) : reader_(file) {}

  Result<BvhFile> parse() {
    if (!equals_ignoring_case(reader_.next_word(), "HIERARCHY"))
      return reader_.error("a BVH file starts with the word HIERARCHY");
    while (equals_ignoring_case(reader_.peek_word(), "ROOT")) SINEW_CHECK(parse_tree());
    if (file_.joints.empty()) return reader_.error("the HIERARCHY has no ROOT");
    const std::string_view word = reader_.next_word();
    if (equals_ignoring_case(word, "MOTION")) {
      SINEW_CHECK(parse_motion());
    } else if (word.empty()) {
      file_.notices.push_back({Notice::Level::note, "no_motion", "", "the file has no MOTION"});
    } else {
      return reader_.error(
          fmt::format("expected ROOT or MOTION, found '{}'", reading::shown(word)));
    }
    return std::move(file_);
  }

 private:
  Result<Vec3> parse_offset() {
    Vec3 offset;
    for (int axis = 0; axis < 3; ++axis) {
      SINEW_TRY(offset[axis], reader_.number("OFFSET"));
    }
    return offset;
  }

  // Names may hold spaces and may be followed by the brace on the same line.
  Status open_joint() {
    std::string_view name = reader_.rest_of_line();
    bool opened = false;
    if (const std::size_t brace = name.find('{'); brace != name.npos) {
      if (brace + 1 != name.size()) return reader_.error("a line goes on after its '{'");
      opened = true;
      name = name.substr(0, name.find_last_not_of(" \t", brace == 0 ? 0 : brace - 1) + 1);
      if (brace == 0) name = {};
    }
    BvhJoint joint;
    joint.name = reading::to_utf8(name);
    joint.line = reader_.line();
    joint.parent = stack_.empty() ? -1 : stack_.back();
    joint.first_channel = file_.channel_count;
    if (joint.parent >= 0) parent_of(joint).has_child = true;
    stack_.push_back(static_cast<int>(file_.joints.size()));
    file_.joints.push_back(std::move(joint));
    if (stack_.size() > kDeepestJoint)
      return reader_.error(fmt::format("joints are nested deeper than {}", kDeepestJoint));
    if (!opened && reader_.next_word() != "{") return reader_.error("expected '{'");
    return {};
  }

  BvhJoint& parent_of(const BvhJoint& joint) {
    return file_.joints[static_cast<std::size_t>(joint.parent)];
  }

  Status parse_tree() {
    reader_.next_word();
    SINEW_CHECK(open_joint());
    while (!stack_.empty()) {
      const std::string_view word = reader_.next_word();
      BvhJoint& joint = file_.joints[static_cast<std::size_t>(stack_.back())];
      if (word == "}") {
        stack_.pop_back();
      } else if (equals_ignoring_case(word, "OFFSET")) {
        SINEW_TRY(joint.offset, parse_offset());
      } else if (equals_ignoring_case(word, "CHANNELS")) {
        SINEW_CHECK(parse_channels(joint));
      } else if (equals_ignoring_case(word, "JOINT")) {
        SINEW_CHECK(open_joint());
      } else if (equals_ignoring_case(word, "End")) {
        SINEW_CHECK(parse_end_site(joint));
      } else if (word.empty()) {
        return reader_.error(fmt::format("the file ends inside joint '{}' of line {}",
                                         reading::shown(joint.name), joint.line));
      } else {
        return reader_.error(
            fmt::format("expected OFFSET, CHANNELS, JOINT, End Site or '}}', found '{}'",
                        reading::shown(word)));
      }
    }
    return {};
  }

  Status parse_channels(BvhJoint& joint) {
    if (!joint.channels.empty()) return reader_.error("a joint has two lines of CHANNELS");
    SINEW_TRY(const std::int64_t count, reader_.integer("the number of CHANNELS", 0, 6));
    for (std::int64_t i = 0; i < count; ++i) {
      const std::string_view word = reader_.next_word();
      const std::optional<BvhChannel> channel = channel_from(word);
      if (!channel) return reader_.error(fmt::format("'{}' is no channel", reading::shown(word)));
      joint.channels.push_back(*channel);
    }
    joint.first_channel = file_.channel_count;
    file_.channel_count += joint.channels.size();
    return {};
  }

  Status parse_end_site(BvhJoint& joint) {
    if (!equals_ignoring_case(reader_.next_word(), "Site")) return reader_.error("expected 'Site'");
    if (reader_.next_word() != "{") return reader_.error("expected '{'");
    if (!equals_ignoring_case(reader_.next_word(), "OFFSET"))
      return reader_.error("an End Site has an OFFSET and nothing else");
    SINEW_TRY(const Vec3 offset, parse_offset());
    if (reader_.next_word() != "}") return reader_.error("expected '}'");
    if (!joint.end_site) joint.end_site = offset;
    return {};
  }

  Status parse_motion() {
    if (!equals_ignoring_case(reader_.next_word(), "Frames:"))
      return reader_.error("expected 'Frames:'");
    SINEW_TRY(const std::int64_t frames, reader_.integer("Frames", 0, INT32_MAX));
    file_.frame_count = static_cast<std::size_t>(frames);
    if (!equals_ignoring_case(reader_.next_word(), "Frame") ||
        !equals_ignoring_case(reader_.next_word(), "Time:"))
      return reader_.error("expected 'Frame Time:'");
    SINEW_TRY(file_.frame_time_s, reader_.number("Frame Time"));
    if (file_.frame_count > 1 && !(file_.frame_time_s > 0)) {
      file_.frame_time_s = kFallbackFrameTime_s;
      file_.notices.push_back({Notice::Level::warning, "no_frame_time", reader_.place(),
                               "the Frame Time is not positive; 30 frames per second were taken"});
    }
    return parse_frames();
  }

  Status parse_frames() {
    constexpr std::size_t kBytesPerNumber = 2;  // a digit and a space
    if (file_.channel_count == 0) file_.frame_count = 0;
    const std::size_t most = (reader_.remaining_bytes() + 1) / kBytesPerNumber;
    if (file_.channel_count > 0 && file_.frame_count > most / file_.channel_count)
      return reader_.error(fmt::format("the file is too short for {} frames of {} numbers",
                                       file_.frame_count, file_.channel_count));
    file_.frames.resize(file_.frame_count * file_.channel_count);
    for (double& value : file_.frames) {
      SINEW_TRY(value, reader_.number("a number of the motion"));
    }
    if (!reader_.next_word().empty())
      file_.notices.push_back({Notice::Level::warning, "more_frames", reader_.place(),
                               fmt::format("the file goes on after the {} frames that it announces",
                                           file_.frame_count)});
    return {};
  }

  TextReader reader_;
  BvhFile file_;
  std::vector<int> stack_;  // joints whose brace is open
};

double frame_value(const BvhFile& file, std::size_t frame, std::size_t channel) {
  return file.frames[frame * file.channel_count + channel];
}

Quat joint_rotation(const BvhFile& file, const BvhJoint& joint, std::size_t frame) {
  Quat rotation = Quat::Identity();
  for (std::size_t i = 0; i < joint.channels.size(); ++i) {
    if (!joint.channels[i].rotates) continue;
    // Whole turns carry no meaning, and huge angles would lose the digits that do.
    const double angle_deg = std::fmod(frame_value(file, frame, joint.first_channel + i), 360.0);
    rotation = rotation * Quat(Eigen::AngleAxisd(angle_deg * std::numbers::pi / 180,
                                                 Vec3::Unit(joint.channels[i].axis)));
  }
  return rotation.normalized();
}

/// The position channels of a frame; where one is missing, `missing`.
Vec3 joint_position(const BvhFile& file, const BvhJoint& joint, std::size_t frame,
                    const Vec3& missing) {
  Vec3 position = missing;
  for (std::size_t i = 0; i < joint.channels.size(); ++i)
    if (!joint.channels[i].rotates)
      position[joint.channels[i].axis] = frame_value(file, frame, joint.first_channel + i);
  return position;
}

std::vector<float> rotation_keys(const BvhFile& file, const BvhJoint& joint) {
  std::vector<float> keys;
  keys.reserve(4 * file.frame_count);
  Quat previous = Quat::Identity();
  for (std::size_t frame = 0; frame < file.frame_count; ++frame) {
    Quat rotation = joint_rotation(file, joint, frame);
    if (rotation.dot(previous) < 0) rotation.coeffs() = -rotation.coeffs();
    for (int i = 0; i < 4; ++i) keys.push_back(static_cast<float>(rotation.coeffs()[i]));
    previous = rotation;
  }
  return keys;
}

std::vector<float> translation_keys(const BvhFile& file, const BvhJoint& joint, Notices& notices) {
  const Vec3 first = joint_position(file, joint, 0, joint.offset);
  const bool replaces = (first - joint.offset).norm() < first.norm();
  if (!joint.offset.isZero())
    notices.push_back({Notice::Level::note, "bvh_offset", TextReader::line_place(joint.line),
                       fmt::format("the position channels of '{}' were taken to {} its OFFSET",
                                   reading::shown(joint.name), replaces ? "replace" : "add to")});
  std::vector<float> keys;
  keys.reserve(3 * file.frame_count);
  for (std::size_t frame = 0; frame < file.frame_count; ++frame) {
    const Vec3 position =
        replaces ? joint_position(file, joint, frame, joint.offset)
                 : Vec3(joint.offset + joint_position(file, joint, frame, Vec3::Zero()));
    for (int i = 0; i < 3; ++i) keys.push_back(static_cast<float>(position[i]));
  }
  return keys;
}

Status add_motion(Document& document, const BvhFile& file, const std::string& name,
                  Notices& notices) {
  if (file.frame_count == 0) return {};
  std::vector<float> times_s;
  times_s.reserve(file.frame_count);
  for (std::size_t frame = 0; frame < file.frame_count; ++frame) {
    times_s.push_back(static_cast<float>(static_cast<double>(frame) * file.frame_time_s));
    if (frame > 0 && !(times_s[frame] > times_s[frame - 1]))
      return Error{ErrorCode::bad_animation, fmt::format("frame {}", frame + 1),
                   "the Frame Time is too small for the number of frames"};
  }
  reading::ClipBuilder clip(document, name);
  const int times = clip.add_times(times_s);
  for (std::size_t i = 0; i < file.joints.size(); ++i) {
    const BvhJoint& joint = file.joints[i];
    const int node = static_cast<int>(i);
    if (joint.has(false))
      clip.add_channel(node, "translation", times, translation_keys(file, joint, notices));
    if (joint.has(true)) clip.add_channel(node, "rotation", times, rotation_keys(file, joint));
  }
  clip.finish();
  return {};
}

/// Says so when the skeleton has a size that no body has in metres.
void notice_unit(std::span<const Vec3> heads, Notices& notices) {
  struct Unit {
    const char* name;
    double metres;
  };
  constexpr std::array<Unit, 4> kUnits = {
      {{"decimetres", 0.1}, {"inches", 0.0254}, {"centimetres", 0.01}, {"millimetres", 0.001}}};
  const double size = bounding_box(heads).sizes().maxCoeff();
  if (size == 0 || (size >= kSmallestBody_m && size <= kLargestBody_m)) return;
  std::string guess = "BVH has no unit";
  double least = std::numeric_limits<double>::infinity();
  for (const Unit& unit : kUnits) {
    const double miss = std::abs(std::log(size * unit.metres / kTypicalBody_m));
    if (size <= kLargestBody_m || miss >= least) continue;
    least = miss;
    guess =
        fmt::format("{} would make it {:.3g} m; BVH has no unit", unit.name, size * unit.metres);
  }
  notices.push_back({Notice::Level::note, "unit_guess", "",
                     fmt::format("the skeleton is {:.4g} units large, hardly metres: {}, so the "
                                 "numbers were kept",
                                 size, guess)});
}

}  // namespace

Result<Imported> parse_bvh(std::span<const std::byte> file, const BvhOptions& options) {
  SINEW_TRY(BvhFile bvh, BvhParser(file).parse());
  Imported imported{make_empty_document(), std::move(bvh.notices), "BVH"};
  std::vector<Vec3> heads;
  std::vector<int> joints;
  std::vector<Affine3> inverse_binds;
  for (const BvhJoint& joint : bvh.joints) {
    const Vec3 head =
        joint.offset +
        (joint.parent < 0 ? Vec3(Vec3::Zero()) : heads[static_cast<std::size_t>(joint.parent)]);
    Json node = {{"name", joint.name}, {"translation", reading::json_vector(joint.offset)}};
    // A bone with children ends at them; only a leaf needs to be told where it ends.
    if (joint.end_site && !joint.has_child && !joint.end_site->isZero())
      node["extras"]["sinew"]["tail"] = reading::json_vector(*joint.end_site);
    joints.push_back(reading::add_node(imported.document, std::move(node), joint.parent));
    heads.push_back(head);
    inverse_binds.emplace_back(Eigen::Translation3d(-head));
  }
  reading::give_common_root(imported.document);
  reading::add_skin(imported.document, "", joints, inverse_binds);
  notice_unit(heads, imported.notices);
  SINEW_CHECK(
      add_motion(imported.document, bvh, reading::to_utf8(options.clip_name), imported.notices));
  return imported;
}

}  // namespace sinew
