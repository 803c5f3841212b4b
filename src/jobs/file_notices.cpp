// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/jobs/file_notices.h"

namespace sinew {

Json to_json(std::string_view file, const Notice& notice) {
  return {{"level", notice.level == Notice::Level::warning ? "warning" : "note"},
          {"code", notice.code},
          {"file", file},
          {"place", notice.place},
          {"message", notice.message}};
}

Json to_json(std::span<const FileNotices> notices) {
  Json list = Json::array();
  for (const FileNotices& about_file : notices)
    for (const Notice& notice : about_file.notices)
      list.push_back(to_json(about_file.file, notice));
  return list;
}

}  // namespace sinew
