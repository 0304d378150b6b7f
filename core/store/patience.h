// How long the look before a run may take in all, how much of that one of several addresses gets, and that nobody may
// want its result any longer.
#pragma once
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <stop_token>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/time/duration_text.h"

namespace leasescope {

class Patience {
 public:
  // Told to stop, it is over within kHeard.
  static constexpr std::chrono::milliseconds kHeard{50};

  explicit Patience(std::chrono::milliseconds whole, std::stop_token stop = {})
      : whole_(whole), end_(Clock::now() + whole), until_(end_), stop_(std::move(stop)) {}

  std::chrono::milliseconds whole() const { return whole_; }
  // Until it is over; zero or less: it is.
  std::chrono::milliseconds left() const {
    if (stop_.stop_requested()) return std::chrono::milliseconds(0);
    return std::chrono::duration_cast<std::chrono::milliseconds>(until_ - Clock::now());
  }
  // As poll() for one descriptor, for as long as there is time; false when that is over, or the system fails.
  bool wait(pollfd& one) const { return wait(&one, 1); }
  // The same for several, of which one is enough.
  bool wait(pollfd* some, std::size_t count) const {
    int ready = 0;
    for (auto most = left(); ready == 0 && most.count() > 0; most = left())
      ready = ::poll(some, count, static_cast<int>(std::min(most, kHeard).count()));
    return ready > 0;
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
  std::stop_token stop_;
};

}  // namespace leasescope
