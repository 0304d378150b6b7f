// The three shapes of what is measured: how long something took each time, how often something happened, and how
// something went on in the course of time.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/history/event.h"
#include "core/history/offset_course.h"

namespace leasescope {

// Each with the moment by which it was known. Of very many every second is kept, then every fourth, …: those that are
// kept lie as close to each other at the end as at the beginning.
class Lengths {
 public:
  static constexpr std::size_t kMost = 200'000;

  void add(Duration length, TrueTime known);
  std::uint64_t count() const { return count_; }  // of all
  std::size_t kept() const { return values_.size(); }
  Duration value(std::size_t i) const { return values_[i]; }
  TrueTime known(std::size_t i) const { return known_[i]; }
  const std::vector<Duration>& values() const { return values_; }
  // Of all; zero without any.
  Duration shortest() const { return shortest_; }
  Duration longest() const { return longest_; }
  // The first after `after` that lies in [from, to), or of all such the first; none where there is none.
  std::optional<TrueTime> next_within(Duration from, Duration to, TrueTime after) const;
  // The place of the one that is nearest to a length; there must be one.
  std::size_t nearest(Duration length) const;

 private:
  std::vector<Duration> values_;
  std::vector<TrueTime> known_;
  std::uint64_t count_ = 0, every_ = 1;
  Duration shortest_{}, longest_{};
};

// How many in each stretch of time. All stretches are as long, and twice as long where there would be too many.
class Rate {
 public:
  static constexpr std::size_t kMost = 2'048;

  struct Stretch {
    std::uint64_t all = 0, bad = 0;
  };
  void add(TrueTime at, bool bad);
  Duration width() const { return width_; }
  const std::vector<Stretch>& stretches() const { return stretches_; }
  std::uint64_t count() const { return count_; }
  std::uint64_t bad() const { return bad_; }

 private:
  std::vector<Stretch> stretches_;
  Duration width_ = std::chrono::milliseconds(100);
  std::uint64_t count_ = 0, bad_ = 0;
};

}  // namespace leasescope
