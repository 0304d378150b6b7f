// How long the look before a run may take in all, and how much of that one of several addresses gets.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>

#include <fmt/format.h>

#include "core/time/duration_text.h"

namespace leasescope {

class Patience {
 public:
  explicit Patience(std::chrono::milliseconds whole) : whole_(whole), end_(Clock::now() + whole), until_(end_) {}

  std::chrono::milliseconds whole() const { return whole_; }
  // Until it is over; zero or less: it is.
  std::chrono::milliseconds left() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(until_ - Clock::now());
  }
  std::string over() const { return fmt::format("no answer within {}", format_duration(whole_)); }

  // For one of so many tries that are left an equal share of it, so that an address that never answers does not use up
  // the time of the next.
  void share(std::size_t tries) { until_ = Clock::now() + (end_ - Clock::now()) / static_cast<int>(tries); }
  // For the next step at most so much.
  void at_most(std::chrono::milliseconds some) { until_ = std::min(end_, Clock::now() + some); }
  void share_no_more() { until_ = end_; }

 private:
  using Clock = std::chrono::steady_clock;

  std::chrono::milliseconds whole_;
  Clock::time_point end_;
  Clock::time_point until_;
};

}  // namespace leasescope
