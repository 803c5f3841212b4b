// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "sinew/jobs/delivery.h"

namespace CLI {
class App;
}

namespace sinew::cli {

/// What files are made for: the flags.
class DeliveryFlags {
 public:
  void add_to(CLI::App& app);

  /// What they mean. Throws a usage Failure.
  [[nodiscard]] DeliveryOptions options() const;

 private:
  std::string budgets_;
  std::string quantise_;
  std::string target_;
  std::optional<int> joints_per_primitive_;
  bool split_primitives_ = false;
  bool no_split_primitives_ = false;
};

}  // namespace sinew::cli
