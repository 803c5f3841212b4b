// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <functional>
#include <string_view>

#include "sinew/core/result.h"

namespace sinew {

/// Progress and cancellation in one argument that may be left out.
/// The callback runs on the calling thread only, between units of work; the flag may be set from
/// any thread.
class Progress {
 public:
  using Callback = std::function<void(std::string_view stage, double fraction)>;

  Progress() = default;
  explicit Progress(Callback callback, const std::atomic<bool>* cancel_flag = nullptr)
      : callback_(std::move(callback)), cancel_flag_(cancel_flag) {}

  /// Says where the work is. `stage` is a word or two for a person; `fraction` of all the
  /// work is done, in [0, 1].
  void update(std::string_view stage, double fraction) const {
    if (callback_) callback_(stage, fraction);
  }

  /// For a part of the work that reports fractions of its own: 0 to 1 there is `begin` to `end`
  /// here.
  [[nodiscard]] Progress within(double begin, double end) const {
    if (!callback_) return Progress({}, cancel_flag_);
    return Progress(
        [callback = callback_, begin, end](std::string_view stage, double fraction) {
          callback(stage, begin + (end - begin) * fraction);
        },
        cancel_flag_);
  }

  [[nodiscard]] bool cancelled() const {
    return cancel_flag_ != nullptr && cancel_flag_->load(std::memory_order_relaxed);
  }

  /// update(), and an error of code `cancelled` when the user has asked to stop.
  [[nodiscard]] Status checkpoint(std::string_view stage, double fraction) const {
    update(stage, fraction);
    if (cancelled()) return Error{ErrorCode::cancelled, std::string(stage), "stopped on request"};
    return {};
  }

 private:
  Callback callback_;
  const std::atomic<bool>* cancel_flag_ = nullptr;
};

}  // namespace sinew
