// One line that is written over, on a terminal's standard error, for whatever takes longer than a second. In a pipe, or
// where nobody wants it, nothing.
#pragma once
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <string>

#include <fmt/format.h>

namespace leasescope::ctl {

class Progress {
 public:
  explicit Progress(bool quiet) : shows_(!quiet && isatty(STDERR_FILENO) != 0) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `line` makes the text, and is asked a few times a second.
  template <class Line>
  void tell(Line line) {
    if (!shows_) return;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(200);
    fmt::print(stderr, "\r{}\033[K", line());
    told_ = true;
  }
  void clear() {
    if (told_) fmt::print(stderr, "\r\033[K");
    told_ = false;
  }

 private:
  bool shows_;
  bool told_ = false;
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + std::chrono::seconds(1);
};

}  // namespace leasescope::ctl
