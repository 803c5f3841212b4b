// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <span>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "browser.h"
#include "report_flags.h"
#include "sinew/core/atomic_file.h"
#include "sinew/gltf/selection.h"
#include "sinew/model/bone_names.h"
#include "text.h"
#include "value_checks.h"
#include "verb.h"

namespace sinew::cli {
namespace {

constexpr int kLargestSide = 8192;  // what graphics drivers give everywhere
constexpr std::chrono::seconds kPatience{120};
constexpr std::string_view kLightBackground = "#e6eaf0";
constexpr std::string_view kDarkBackground = "#1c2027";

/// The part of an address behind #: name=value&name=value.
class Link {
 public:
  void add(std::string_view name, std::string_view value) {
    text_ += fmt::format("{}{}=", text_.empty() ? '#' : '&', name);
    for (const char c : value) {
      const auto byte = static_cast<unsigned char>(c);
      const bool is_plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                            (byte >= '0' && byte <= '9') || byte == '-' || byte == '.' ||
                            byte == '_';
      text_ += is_plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
    }
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::optional<double> number_from(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The bytes of the picture that the page printed as text.
std::vector<std::byte> picture_in(const std::string& document) {
  constexpr std::string_view kBegin = "data:image/png;base64,";
  const std::size_t mark = document.find("id=\"sinew-snapshot\"");
  const std::size_t begin =
      mark == std::string::npos ? std::string::npos : document.find(kBegin, mark);
  if (begin == std::string::npos)
    throw Failure{ExitCode::failed,
                  {ErrorCode::unsupported, "",
                   "the browser drew no picture; it may lack WebGL, be too old, or have run out of "
                   "time over textures (--max-texture-mb 0 leaves them out)"},
                  {}};
  std::vector<std::byte> bytes;
  unsigned bits = 0;
  int held = 0;
  for (std::size_t i = begin + kBegin.size(); i < document.size(); ++i) {
    const char c = document[i];
    const int digit = c >= 'A' && c <= 'Z'   ? c - 'A'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 26
                      : c >= '0' && c <= '9' ? c - '0' + 52
                      : c == '+'             ? 62
                      : c == '/'             ? 63
                                             : -1;
    if (digit < 0) break;
    bits = bits << 6 | static_cast<unsigned>(digit);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes.push_back(static_cast<std::byte>(bits >> held & 0xFF));
  }
  return bytes;
}

class SnapshotVerb final : public Verb {
 public:
  std::string_view name() const override { return "snapshot"; }
  std::string_view summary() const override {
    return "Draw a picture of characters in a pose, as a report shows them";
  }
  std::vector<std::string> examples() const override {
    return {"sinew snapshot hero.glb --pose elbow --camera limb -o elbow.png",
            "sinew snapshot hero.glb --pose Walk:0.5 --theme dark -o step.png",
            "sinew snapshot artist.glb bound.glb --pose worst --mode distortion -o worst.png",
            "sinew snapshot hero.glb --mode weights --bone UpperArm.L -o weights.png"};
  }

  void add_options(CLI::App& app) override {
    arguments_.max_texture_mb = kTextureMb;
    add_report_arguments(app, arguments_);
    app.add_option("--pose", pose_,
                   "rest, worst, a limb (shoulder, elbow, 'forearm twist', hip, knee, neck), a "
                   "pose of the report by name, glob or index, or CLIP:TIME [rest]")
        ->option_text("POSE");
    app.add_option("--mode", mode_,
                   "shaded, weights (of --bone), bones, influences or distortion [shaded]")
        ->check(one_of({"shaded", "weights", "bones", "influences", "distortion"}))
        ->option_text("MODE");
    app.add_option("--bone", bone_, "The bone whose weights are shown, by name or glob")
        ->option_text("NAME");
    app.add_option("--camera", camera_,
                   "front and all frame everything, bone the bone, limb what the pose is about, "
                   "worst the worst place; or X,Y,Z,X,Y,Z: the eye and what it looks at [front]")
        ->option_text("VIEW");
    app.add_option("--ramp", ramp_, "Colours of weights: dusk, safe, blender or grey [dusk]")
        ->check(one_of({"dusk", "safe", "blender", "grey"}))
        ->option_text("NAME");
    app.add_flag("--show-skeleton", show_skeleton_, "Draw the bones over the surface");
    app.add_flag("--wireframe", wireframe_, "Draw the edges of triangles");
    app.add_option("--size", size_, "Of the picture in pixels [1280x720]")
        ->option_text("WxH")
        ->group("Output");
    app.add_option("--theme", theme_, "light or dark [light]")
        ->check(one_of({"light", "dark"}))
        ->option_text("NAME")
        ->group("Output");
    app.add_option("--background", background_,
                   "A colour as in CSS, or none for a transparent picture [the theme's]")
        ->option_text("COLOUR")
        ->group("Output");
    app.add_option("--browser", browser_,
                   "The Chromium or Chrome that draws it [$SINEW_BROWSER, else what PATH has]")
        ->option_text("PROGRAM");
    app.add_option("-o,--output", output_, "Where to write: a .png")
        ->option_text("FILE")
        ->group("Output");
  }

  ExitCode run(Session& session) override {
    check_report_arguments(arguments_);
    if (output_.empty()) throw usage_failure("--output", "say where to write: -o FILE.png");
    const std::filesystem::path path = checked_output(output_, ".png");
    check_size();
    const std::filesystem::path browser = find_browser(browser_);
    const ReportJobResult loaded = make_report(session, arguments_);
    const Link link = make_link(loaded);

    const ScratchFolder scratch;
    const std::filesystem::path page = scratch.path() / "report.html";
    const std::string html = take(page, write_report(loaded.report));
    take(page, write_file_atomically(page, std::as_bytes(std::span(html))));
    session.checkpoint("drawing", 0);
    const std::string printed =
        print_document(browser, "file://" + page.string() + link.text(), scratch.path(), kPatience);
    if (printed.find("id=\"sinew-refused\"") != std::string::npos)
      throw usage_failure(
          "--background",
          fmt::format("'{}' is not a colour as in CSS: #e6eaf0, teal, none ...", background_));
    const std::vector<std::byte> picture = picture_in(printed);
    session.erase_progress();
    session.report["view"] = link.text();
    write_and_tell(session, picture, path, loaded.files_read);
    return ExitCode::done;
  }

 private:
  static constexpr double kTextureMb = 200;  // the page is thrown away: only memory sets a limit

  void check_size() const {
    const std::size_t by = size_.find('x');
    const auto side = [](std::string_view text) {
      const std::optional<double> pixels = number_from(text);
      return pixels && *pixels >= 1 && *pixels <= kLargestSide &&
             text.find_first_not_of("0123456789") == std::string_view::npos;
    };
    if (by == std::string::npos || !side(std::string_view(size_).substr(0, by)) ||
        !side(std::string_view(size_).substr(by + 1)))
      throw usage_failure(
          "--size", fmt::format("'{}' is not WIDTHxHEIGHT of 1 to {} pixels", size_, kLargestSide));
  }

  Link make_link(const ReportJobResult& loaded) const {
    Link link;
    link.add("snapshot", size_);
    add_pose(loaded, link);
    if (mode_ == "weights" && bone_.empty())
      throw usage_failure("--mode", "weights are those of a bone: say which, with --bone");
    link.add("mode", mode_);
    if (camera_ == "bone" && bone_.empty())
      throw usage_failure("--camera", "bone frames a bone: say which, with --bone");
    if (!bone_.empty()) link.add("bone", bone_name(loaded));
    if (!arguments_.options.labels.empty()) link.add("labels", "1");
    link.add("ramp", ramp_);
    link.add("skeleton", show_skeleton_ ? "1" : "0");
    link.add("wireframe", wireframe_ ? "1" : "0");
    link.add("theme", theme_);
    if (background_ != "none")
      link.add("background", !background_.empty() ? background_
                             : theme_ == "dark"   ? kDarkBackground
                                                  : kLightBackground);
    check_camera();
    link.add("camera", camera_);
    return link;
  }

  void add_pose(const ReportJobResult& loaded, Link& link) const {
    const Json& payload = loaded.report.payload;
    if (pose_ == "rest") return link.add("pose", pose_);
    if (pose_ == "worst") {
      if (payload["worst"].is_null())
        throw usage_failure("--pose", "the weights were not judged, so none is the worst");
      return link.add("pose", payload["worst"]["pose"].dump());
    }
    const Json& poses = payload["poses"];
    for (std::size_t p = 0; p < poses.size(); ++p)
      if (poses[p].value("limb", "") == pose_ || poses[p]["name"] == pose_ ||
          fmt::format("{}", p) == pose_)
        return link.add("pose", fmt::format("{}", p));
    if (const std::size_t colon = pose_.rfind(':'); colon != std::string::npos)
      if (const auto time_s = number_from(std::string_view(pose_).substr(colon + 1)))
        return add_clip(loaded, pose_.substr(0, colon), *time_s, link);
    std::vector<std::string> names{"rest", "worst"};
    for (std::size_t p = 0; p < poses.size(); ++p) {
      names.push_back(poses[p]["name"].get<std::string>());
      if (name_matches(pose_, names.back())) return link.add("pose", fmt::format("{}", p));
    }
    throw usage_failure("--pose", fmt::format("there is no pose '{}'; there are {}", pose_,
                                              listed(names, kNamedPoses)));
  }

  static void add_clip(const ReportJobResult& loaded, const std::string& wanted, double time_s,
                       Link& link) {
    const std::vector<std::string> names = clip_names(loaded.inputs.front().document);
    const Result<int> clip = match_clip(names, wanted);
    if (!clip.ok()) throw usage_failure("--pose", clip.error().message);
    const std::string& name = names[static_cast<std::size_t>(*clip)];
    link.add("clip", name.empty() ? fmt::format("clip {}", *clip) : name);
    link.add("time", fmt::format("{}", time_s));
  }

  std::string bone_name(const ReportJobResult& loaded) const {
    std::vector<std::string> names;
    for (const Json& bone : loaded.report.payload["files"][0]["bones"])
      names.push_back(bone["name"].get<std::string>());
    if (std::find(names.begin(), names.end(), bone_) != names.end()) return bone_;
    for (const std::string& candidate : names)
      if (name_matches(bone_, candidate)) return candidate;
    const int nearest = nearest_name(names, bone_);
    throw usage_failure(
        "--bone", fmt::format("there is no bone '{}'{}", bone_,
                              nearest < 0 ? ""
                                          : fmt::format("; the nearest is '{}'",
                                                        names[static_cast<std::size_t>(nearest)])));
  }

  void check_camera() const {
    constexpr std::array<std::string_view, 5> kViews{"front", "all", "bone", "limb", "worst"};
    if (std::find(kViews.begin(), kViews.end(), camera_) != kViews.end()) return;
    std::size_t numbers = 0;
    for (std::string_view rest = camera_;;) {
      const std::size_t comma = rest.find(',');
      if (!number_from(rest.substr(0, comma))) break;
      ++numbers;
      if (comma == std::string_view::npos) {
        if (numbers == 6) return;
        break;
      }
      rest.remove_prefix(comma + 1);
    }
    throw usage_failure("--camera",
                        fmt::format("'{}' is none of front, all, bone, limb, worst, nor "
                                    "six numbers with commas",
                                    camera_));
  }

  static constexpr std::size_t kNamedPoses = 8;

  ReportArguments arguments_;
  std::string pose_ = "rest";
  std::string mode_ = "shaded";
  std::string bone_;
  std::string camera_ = "front";
  std::string ramp_ = "dusk";
  std::string size_ = "1280x720";
  std::string theme_ = "light";
  std::string background_;
  std::string browser_;
  std::string output_;
  bool show_skeleton_ = false;
  bool wireframe_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_snapshot_verb() { return std::make_unique<SnapshotVerb>(); }

}  // namespace sinew::cli
