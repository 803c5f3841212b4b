// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "command_line.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <new>
#include <optional>
#include <span>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "failure.h"
#include "help_formatter.h"
#include "interrupt.h"
#include "session.h"
#include "settings.h"
#include "sinew/core/threads.h"
#include "text.h"
#include "value_checks.h"
#include "verb.h"

namespace sinew::cli {
namespace {

using Arguments = std::vector<std::string>;
using Verbs = std::vector<std::unique_ptr<Verb>>;

constexpr int kMostThreads = 4096;  // more is a typing error

std::vector<std::string> names_of(const Verbs& verbs) {
  std::vector<std::string> names;
  for (const auto& verb : verbs) names.emplace_back(verb->name());
  return names;
}

Verb* find_verb(const Verbs& verbs, std::string_view name) {
  for (const auto& verb : verbs)
    if (verb->name() == name) return verb.get();
  return nullptr;
}

void print_overview(const Verbs& verbs) {
  fmt::print("sinew {}: weights that make a mesh deform like flesh\n\n", SINEW_VERSION);
  fmt::print("  sinew bind hero.glb -o bound.glb    weights for every vertex of a character\n");
  fmt::print(
      "  sinew inspect hero.glb              what is in a file, and what is wrong with it\n");
  fmt::print("  sinew report hero.glb -o hero.html  a page that shows it, for any browser\n");
  fmt::print("  sinew example biped -o biped.glb    a character to try things on\n\n");
  fmt::print("Usage: sinew VERB [OPTIONS] [FILE]\n\nVerbs:\n");
  for (const auto& verb : verbs) fmt::print("  {:<12}{}\n", verb->name(), verb->summary());
  fmt::print(
      "\n'sinew help VERB' or 'sinew VERB --help' tells more about one; --version the version.\n");
}

Failure unknown_verb(const std::string& word, const Verbs& verbs) {
  if (word.starts_with("-"))
    return usage_failure(word,
                         "a verb comes before its options, as in: sinew inspect --json hero.glb");
  std::error_code ignored;
  if (std::filesystem::exists(word, ignored))
    return usage_failure(word, fmt::format("a verb comes first, as in: sinew inspect {}", word));
  std::vector<std::string> names = names_of(verbs);
  names.emplace_back("help");
  const std::string suggestion = did_you_mean(word, names);
  return usage_failure(word, suggestion.empty() ? "no such verb; 'sinew --help' lists them"
                                                : "no such verb" + suggestion);
}

/// The flags before a lone "--", which ends them.
std::span<const std::string> flag_region(const Arguments& arguments) {
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  return {arguments.begin(), end};
}

bool has_flag(std::span<const std::string> arguments, std::string_view flag) {
  return std::find(arguments.begin(), arguments.end(), flag) != arguments.end();
}

std::unique_ptr<CLI::App> make_app(Verb& verb, CommonOptions& common) {
  auto app = std::make_unique<CLI::App>(std::string(verb.summary()) + "\n",
                                        "sinew " + std::string(verb.name()));
  app->option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app->allow_extras();
  app->set_help_flag();
  verb.add_options(*app);
  app->add_option("--threads", common.threads,
                  "How many threads to use; 0 is one per core. The result is the same for any")
      ->check(whole_number(0, kMostThreads))
      ->option_text("N")
      ->group("Common");
  app->add_option("--seed", common.seed, "Where random choices start from [1]")
      ->check(whole_number(0))
      ->option_text("N")
      ->group("Common");
  app->add_flag("-q,--quiet", common.quiet, "Print nothing but errors")->group("Common");
  app->add_flag("--json", common.json, "Print one JSON object on stdout and nothing else there")
      ->group("Common");
  app->add_option("--progress", common.progress,
                  "auto, bar, lines or none. auto: a bar on a terminal, lines elsewhere, nothing "
                  "for work of less than a second")
      ->check(one_of({"auto", "bar", "lines", "none"}))
      ->option_text("STYLE")
      ->group("Common");
  app->add_option("--settings", common.settings,
                  "Replay the flags of a settings file; the command line overrides it")
      ->option_text("FILE")
      ->group("Common");
  app->add_option("--save-settings", common.save_settings,
                  "Write the flags of this command into a settings file")
      ->option_text("FILE")
      ->group("Common");
  app->set_help_flag("-h,--help", "Print this and exit")->group("Common");
  app->formatter(std::make_shared<HelpFormatter>());
  std::string footer = "Examples:";
  for (const std::string& example : verb.examples()) footer += "\n  " + example;
  app->footer(footer);
  return app;
}

std::vector<std::string> flags_of(const CLI::App& app) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
  return flags;
}

bool is_number_like(std::string_view argument) {
  return argument.size() > 1 && (argument[1] == '.' || (argument[1] >= '0' && argument[1] <= '9'));
}

/// Reports the first flag that does not exist, before anything else is found wrong because of it.
void refuse_unknown_flags(const CLI::App& app, std::span<const std::string> arguments) {
  for (const std::string& argument : arguments) {
    if (argument.size() < 2 || argument[0] != '-' || is_number_like(argument)) continue;
    const bool is_long = argument.starts_with("--");
    const std::string name =
        is_long ? argument.substr(0, argument.find('=')) : argument.substr(0, 2);
    if (app.get_option_no_throw(name) != nullptr) continue;
    throw usage_failure(argument,
                        "unknown option" + did_you_mean(is_long ? name : argument, flags_of(app)));
  }
}

/// "--time: 'x' is not a number" as place and message.
Failure translated(const CLI::ParseError& error) {
  const std::string_view text = error.what();
  const std::size_t colon = text.find(": ");
  if (colon == std::string_view::npos || !text.starts_with("-"))
    return usage_failure("", std::string(text));
  const bool lacks_value = dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr;
  return usage_failure(std::string(text.substr(0, colon)),
                       lacks_value ? "a value is missing" : std::string(text.substr(colon + 2)));
}

void parse(CLI::App& app, const Arguments& arguments) {
  refuse_unknown_flags(app, flag_region(arguments));
  try {
    app.parse(Arguments(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ParseError& error) {
    throw translated(error);
  }
  Arguments extras = app.remaining();
  if (const auto mark = std::find(extras.begin(), extras.end(), "--"); mark != extras.end())
    extras.erase(mark);  // CLI11 hands out the mark itself as well
  if (!extras.empty()) throw usage_failure(extras.front(), "one argument too many");
}

int exit_status(ExitCode code) {
  if (code == ExitCode::interrupted && interrupt_signal() != 0) return 128 + interrupt_signal();
  return static_cast<int>(code);
}

void print_json(const Json& report) {
  fmt::print("{}\n", report.dump(2, ' ', false, Json::error_handler_t::replace));
}

Json error_json(const Failure& failure) {
  return {{"code", to_string(failure.error.code)},
          {"file", failure.file},
          {"place", failure.error.place},
          {"message", failure.error.message}};
}

/// Runs a verb whose name is arguments[0]. The report is filled as far as the work got.
ExitCode run_verb(Verb& verb, const Verbs& verbs, const Arguments& arguments, CommonOptions& common,
                  Json& report) {
  const Arguments rest(arguments.begin() + 1, arguments.end());
  const std::unique_ptr<CLI::App> app = make_app(verb, common);
  parse(*app, rest);
  if (!common.settings.empty())
    replay_settings(*app, verb.name(), names_of(verbs), common.settings);
  check_settings_paths(*app, common);

  install_interrupt_handler();
  std::optional<ThreadLimit> limit;
  if (common.threads > 0) limit.emplace(common.threads);
  Session session(common);
  session.report = std::move(report);
  ExitCode exit = ExitCode::done;
  try {
    exit = verb.run(session);
  } catch (...) {
    report = std::move(session.report);
    throw;
  }
  session.erase_progress();
  report = std::move(session.report);
  if (interrupt_flag())
    throw Failure{ExitCode::interrupted, {ErrorCode::cancelled, "", "stopped on request"}, {}};
  if (exit == ExitCode::done && !common.save_settings.empty())
    save_settings(*app, verb.name(), common.save_settings);
  return exit;
}

int run_and_report(Verb* verb, const Verbs& verbs, const Arguments& arguments) {
  CommonOptions common;
  common.json = has_flag(flag_region(arguments), "--json");
  Json report = {
      {"ok", false}, {"verb", verb ? std::string(verb->name()) : ""}, {"version", SINEW_VERSION}};
  ExitCode exit = ExitCode::done;
  std::optional<Failure> failure;
  try {
    if (verb == nullptr) throw unknown_verb(arguments.front(), verbs);
    exit = run_verb(*verb, verbs, arguments, common, report);
  } catch (const Failure& thrown) {
    failure = thrown;
  } catch (const std::bad_alloc&) {
    failure = Failure{ExitCode::failed, {ErrorCode::too_large, "", "out of memory"}, {}};
  } catch (const std::exception& unexpected) {
    failure = Failure{ExitCode::failed, {ErrorCode::unsupported, "", unexpected.what()}, {}};
  }
  if (failure) {
    exit = failure->exit;
    print_error_line(failure->to_string(), kRed);
    report["error"] = error_json(*failure);
  }
  report["ok"] = exit == ExitCode::done;
  if (common.json) print_json(report);
  return exit_status(exit);
}

int dispatch(const Arguments& arguments) {
  const Verbs verbs = make_verbs();
  const bool asks_help = !arguments.empty() && arguments[0] == "help";
  const bool names_verb = asks_help ? arguments.size() > 1 : !arguments.empty();
  const std::string first = names_verb ? arguments[asks_help ? 1 : 0] : "";
  if (!names_verb || first == "--help" || first == "-h") {
    print_overview(verbs);
    return 0;
  }
  if (first == "--version") {
    fmt::print("sinew {}\n", SINEW_VERSION);
    return 0;
  }
  Verb* verb = find_verb(verbs, first);
  const auto flags = flag_region(arguments);
  if (verb != nullptr && (asks_help || has_flag(flags, "--help") || has_flag(flags, "-h"))) {
    CommonOptions common;
    fmt::print("{}", make_app(*verb, common)->help());
    return 0;
  }
  return run_and_report(verb, verbs, asks_help ? Arguments{first} : arguments);
}

}  // namespace

int run_command_line(const std::vector<std::string>& arguments) {
  int status = 0;
  bool was_written = true;
  try {
    status = dispatch(arguments);
  } catch (const std::system_error&) {  // fmt could not write
    was_written = false;
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) was_written = false;
  if (was_written || status != 0) return status;
  print_error_line("standard output could not be written", kRed);
  return static_cast<int>(ExitCode::failed);
}

}  // namespace sinew::cli
