// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "session.h"

namespace sinew::cli {

/// A settings file holds the flags of one or more verbs, so that one file can travel with a
/// character:
///     {"pose": {"animation": "Walk", "time": 0.5}, "inspect": {"require": ["max_influences<=4"]}}
/// Keys are flags without their dashes; max-influences and max_influences are the same. The input,
/// the output and leave to replace a file are not settings: those are said each time.

/// Gives every flag of the file's section for `verb` to `app`, unless the command line has set it
/// already. Throws a usage Failure for a file that is not a settings file, an unknown verb or key
/// (with a suggestion), or a value that the flag does not take.
void replay_settings(CLI::App& app, std::string_view verb, std::span<const std::string> all_verbs,
                     const std::filesystem::path& file);

/// Fails now, by a usage Failure, where settings and work would get into each other's way later: an
/// output onto the settings file; --save-settings onto an input, the output or a file that holds
/// something else, or into a folder that does not exist.
void check_settings_paths(const CLI::App& app, const CommonOptions& common);

/// Writes the flags that were given (by the command line or a settings file) as the section of
/// `verb`. Sections of other verbs stay. The file is written beside its place and renamed.
void save_settings(const CLI::App& app, std::string_view verb, const std::filesystem::path& file);

}  // namespace sinew::cli
