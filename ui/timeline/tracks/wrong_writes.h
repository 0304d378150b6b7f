// Writes that went wrong, of one resource and one fate, in their order: where they are among all of its writes. Those
// that follow each other alike and closely are found as one, however many.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/time/clock.h"
#include "ui/timeline/tracks/peaks.h"

namespace leasescope {

class WrongWrites {
 public:
  // `alike`: of the same term as the one before it, and the resource had seen the same by then.
  void push_back(std::uint32_t write, TrueTime at, bool alike) {
    if (!alike) unlike_.push_back(static_cast<std::uint32_t>(size()));
    write_.push_back(write);
    at_.push_back(at.time_since_epoch().count());
    gaps_.update(size() - 1, [this](std::size_t i) { return gap(i); });
  }

  std::size_t size() const { return write_.size(); }
  std::uint32_t write(std::size_t i) const { return write_[i]; }
  TrueTime at(std::size_t i) const { return TrueTime(Duration(at_[i])); }

  // The first at or after a moment; of all, or of those from `i` on: what is near is found soonest.
  std::size_t first_at(TrueTime at, std::size_t i = 0) const {
    const std::int64_t wanted = at.time_since_epoch().count();
    std::size_t high = i;
    for (std::size_t step = 1; high < size() && at_[high] < wanted; step *= 2) {
      i = high + 1;
      high += step;
    }
    return static_cast<std::size_t>(std::lower_bound(place(i), place(high), wanted) - at_.begin());
  }
  // Behind the last of those that follow `i` and are alike.
  std::size_t alike_end(std::size_t i) const {
    const auto next = std::upper_bound(unlike_.begin(), unlike_.end(), static_cast<std::uint32_t>(i));
    return next == unlike_.end() ? size() : *next;
  }
  // ... and are no further than that from the one before them.
  std::size_t near_end(std::size_t i, Duration most) const {
    return gaps_.first_above(i + 1, most.count(), [this](std::size_t k) { return gap(k); });
  }

 private:
  std::int64_t gap(std::size_t i) const { return i > 0 ? at_[i] - at_[i - 1] : 0; }
  std::vector<std::int64_t>::const_iterator place(std::size_t i) const {
    return at_.begin() + static_cast<std::ptrdiff_t>(std::min(i, size()));
  }

  std::vector<std::uint32_t> write_;
  std::vector<std::int64_t> at_;
  std::vector<std::uint32_t> unlike_;  // those that are not as the one before them
  Peaks<std::int64_t> gaps_;
};

}  // namespace leasescope
