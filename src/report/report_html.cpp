// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "report/report_parts.h"
#include "sinew/report/report.h"

namespace sinew {
namespace {

constexpr std::string_view kPlaceholder = "<!--SINEW-PAYLOAD-->";

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// JSON that nothing inside a script element can end early or turn into a comment.
std::string script_safe(const Json& json) {
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  replace_all(text, "</", "<\\/");
  replace_all(text, "<!--", "<\\u0021--");
  return text;
}

}  // namespace

std::string to_base64(std::span<const std::byte> bytes) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t group = std::min<std::size_t>(3, bytes.size() - i);
    unsigned bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (k < group ? std::to_integer<unsigned>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      text += k <= group ? kDigits[bits >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

Result<std::string> write_report(const Report& report, std::string_view page) {
  const std::size_t place = page.find(kPlaceholder);
  if (place == std::string_view::npos || page.find(kPlaceholder, place + 1) != page.npos)
    return Error{ErrorCode::bad_file, "",
                 fmt::format("the page for reports does not hold {} once", kPlaceholder)};
  std::string html(page.substr(0, place));
  html += "<script type=\"application/json\" id=\"sinew-report\">" + script_safe(report.payload) +
          "</script>";
  for (std::size_t b = 0; b < report.blobs.size(); ++b) {
    html +=
        fmt::format("\n<script type=\"application/octet-stream;base64\" id=\"sinew-file-{}\">", b);
    html += to_base64(report.blobs[b]);
    html += "</script>";
  }
  html += page.substr(place + kPlaceholder.size());
  return html;
}

}  // namespace sinew
