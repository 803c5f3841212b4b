// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "settings.h"

#include <algorithm>
#include <array>
#include <optional>

#include "failure.h"
#include "sinew/core/atomic_file.h"
#include "sinew/gltf/gltf_document.h"
#include "sinew/jobs/outputs.h"
#include "text.h"

namespace sinew::cli {
namespace {

constexpr std::uint64_t kLargestFile = 1 << 20;  // bytes; flags fit into a few hundred

constexpr std::array kNotSettings = {"help",          "list",   "settings",
                                     "save-settings", "output", "in-place"};

bool is_setting(std::string_view flag) {
  return std::find(kNotSettings.begin(), kNotSettings.end(), flag) == kNotSettings.end();
}

std::string with_hyphens(std::string key) {
  std::replace(key.begin(), key.end(), '_', '-');
  return key;
}

std::string with_underscores(std::string flag) {
  std::replace(flag.begin(), flag.end(), '-', '_');
  return flag;
}

bool takes_list(const CLI::Option& option) {
  return option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
}

bool is_flag(const CLI::Option& option) { return option.get_items_expected_max() == 0; }

std::vector<CLI::Option*> settable_options(CLI::App& app) {
  return app.get_options([](const CLI::Option* option) {
    return !option->get_lnames().empty() && is_setting(option->get_lnames().front());
  });
}

Failure settings_failure(const std::filesystem::path& file, std::string place,
                         std::string message) {
  Failure failure =
      file_failure(file, {ErrorCode::bad_argument, std::move(place), std::move(message)});
  failure.exit = ExitCode::usage;
  return failure;
}

/// All that the user gave to an option or argument; none when the verb does not have it.
std::vector<std::string> values_of(const CLI::App& app, const std::string& option_name) {
  const CLI::Option* const option = app.get_option_no_throw(option_name);
  return option == nullptr ? std::vector<std::string>() : option->results();
}

/// The last of them; empty for none.
std::string value_of(const CLI::App& app, const std::string& option_name) {
  const std::vector<std::string> values = values_of(app, option_name);
  return values.empty() ? std::string() : values.back();
}

Json read_settings(const std::filesystem::path& file) {
  const Result<Bytes> bytes = read_whole_file(file, kLargestFile);
  if (!bytes.ok()) throw settings_failure(file, bytes.error().place, bytes.error().message);
  const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) throw settings_failure(file, "", "not a settings file: not JSON");
  if (!json.is_object())
    throw settings_failure(file, "", "not a settings file: an object of verbs is expected");
  for (const auto& [verb, section] : json.items())
    if (!section.is_object())
      throw settings_failure(file, verb, "an object of flags is expected here");
  return json;
}

/// A value as it would stand on the command line, or nothing for one that cannot.
std::optional<std::string> as_argument(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number() || value.is_boolean()) return value.dump();
  return std::nullopt;
}

std::vector<std::string> as_arguments(const CLI::Option& option, const Json& value,
                                      const std::filesystem::path& file, const std::string& place) {
  const bool list = value.is_array() && takes_list(option);
  std::vector<std::string> arguments;
  for (const Json& item : list ? value : Json::array({value})) {
    const std::optional<std::string> argument = as_argument(item);
    if (!argument || (is_flag(option) && !item.is_boolean())) {
      const std::string_view expected = is_flag(option) ? "true or false is expected"
                                        : takes_list(option)
                                            ? "a text, a number or a list of them is expected"
                                            : "a text or a number is expected";
      throw settings_failure(file, place, std::string(expected));
    }
    arguments.push_back(*argument);
  }
  return arguments;
}

void replay_one(CLI::App& app, const std::string& key, const Json& value,
                const std::filesystem::path& file, const std::string& place) {
  const std::string flag = with_hyphens(key);
  const std::vector<CLI::Option*> options = settable_options(app);
  const auto found = std::find_if(options.begin(), options.end(), [&](const CLI::Option* option) {
    return option->check_lname(flag);
  });
  if (found == options.end()) {
    if (!is_setting(flag))
      throw settings_failure(file, place, "this is not a setting, give it on the command line");
    std::vector<std::string> known;
    for (const CLI::Option* option : options)
      known.push_back(with_underscores(option->get_lnames().front()));
    throw settings_failure(file, place,
                           "unknown setting" + did_you_mean(with_underscores(flag), known));
  }
  CLI::Option& option = **found;
  const std::vector<std::string> arguments = as_arguments(option, value, file, place);
  if (option.count() > 0 || arguments.empty()) return;
  try {
    for (const std::string& argument : arguments) option.add_result(argument);
    option.run_callback();
  } catch (const CLI::ParseError& error) {
    const std::string_view text = error.what();
    const std::string prefix = option.get_name() + ": ";
    throw settings_failure(
        file, place, std::string(text.starts_with(prefix) ? text.substr(prefix.size()) : text));
  }
}

/// A number where the text is exactly one, so that the file reads as a person would write it.
Json as_value(const std::string& text) {
  Json number = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  return number.is_number() && number.dump() == text ? number : Json(text);
}

Json as_section(const CLI::App& app) {
  Json section = Json::object();
  for (const CLI::Option* option : app.get_options()) {
    if (option->count() == 0 || option->get_lnames().empty()) continue;
    const std::string& flag = option->get_lnames().front();
    if (!is_setting(flag)) continue;
    Json& value = section[with_underscores(flag)];
    if (takes_list(*option)) {
      value = Json::array();
      for (const std::string& text : option->results()) value.push_back(as_value(text));
    } else if (is_flag(*option)) {
      value = option->as<bool>();
    } else {
      value = as_value(option->results().back());
    }
  }
  return section;
}

}  // namespace

void replay_settings(CLI::App& app, std::string_view verb, std::span<const std::string> all_verbs,
                     const std::filesystem::path& file) {
  const Json settings = read_settings(file);
  for (const auto& [name, section] : settings.items()) {
    if (std::find(all_verbs.begin(), all_verbs.end(), name) == all_verbs.end())
      throw settings_failure(file, name, "unknown verb" + did_you_mean(name, all_verbs));
    if (name != verb) continue;
    for (const auto& [key, value] : section.items())
      replay_one(app, key, value, file, name + "." + key);
  }
}

void check_settings_paths(const CLI::App& app, const CommonOptions& common) {
  const std::string output = value_of(app, "--output");
  if (is_same_path(output, common.settings))
    throw usage_failure("--output", output + ": this is the settings file; give another name");
  const std::filesystem::path target = common.save_settings;
  if (target.empty()) return;
  const auto refuse = [&](const std::string& reason) {
    return usage_failure("--save-settings", target.string() + ": " + reason);
  };
  if (is_same_path(target, output)) throw refuse("this is the output; give another name");
  for (const char* const input : {"file", "--skeleton", "--rig", "--original", "--log"})
    for (const std::string& value : values_of(app, input))
      if (is_same_path(target, value)) throw refuse("this is an input; give another name");
  std::error_code error;
  if (std::filesystem::is_directory(target, error)) throw refuse("this is a folder");
  if (target.has_parent_path() && !std::filesystem::is_directory(target.parent_path(), error))
    throw refuse("there is no such folder");
  if (std::filesystem::exists(target, error)) (void)read_settings(target);
}

void save_settings(const CLI::App& app, std::string_view verb, const std::filesystem::path& file) {
  Json settings = std::filesystem::exists(file) ? read_settings(file) : Json::object();
  settings[std::string(verb)] = as_section(app);
  const std::string text = settings.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  take(file, write_file_atomically(file, std::as_bytes(std::span(text))));
}

}  // namespace sinew::cli
