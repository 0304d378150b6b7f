// Moments in one row, in their order: when each was, and how much it has to tell; what else is known of it stands
// elsewhere by the same place.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/time/clock.h"
#include "ui/timeline/tracks/peaks.h"

namespace leasescope {

class MarkTrack {
 public:
  void push_back(TrueTime at, std::uint8_t rank) {
    at_.push_back(at.time_since_epoch().count());
    ranks_.push_back(rank);
    peaks_.update(ranks_.size() - 1, [this](std::size_t i) { return ranks_[i]; });
  }

  std::size_t size() const { return at_.size(); }
  TrueTime at(std::size_t i) const { return TrueTime(Duration(at_[i])); }
  std::uint8_t rank(std::size_t i) const { return ranks_[i]; }

  // The first at or after a moment, of all or of those after `i`, where the next is some `guess` further.
  std::size_t first_at(TrueTime at) const {
    const auto found = std::lower_bound(at_.begin(), at_.end(), at.time_since_epoch().count());
    return static_cast<std::size_t>(found - at_.begin());
  }
  std::size_t next_at(TrueTime at, std::size_t i, std::size_t guess) const {
    const std::int64_t wanted = at.time_since_epoch().count();
    std::size_t low = i + 1, high = size();
    if (low >= high || at_[low] >= wanted) return std::min(low, high);
    // From the guess outwards in growing steps: it is rarely far off, and each place that is looked at is a way to the
    // memory.
    const std::size_t near = std::min(i + std::max<std::size_t>(guess, 1), high - 1);
    fetch(std::min(near + guess, high - 1));
    if (at_[near] < wanted) {
      low = near + 1;
      for (std::size_t step = 1; low + step < high; step *= 2) {
        if (at_[low + step - 1] >= wanted) {
          high = low + step;
          break;
        }
        low += step;
      }
    } else {
      high = near;
      for (std::size_t step = 1; high > low + step; step *= 2) {
        if (at_[high - step] < wanted) {
          low = high - step + 1;
          break;
        }
        high -= step;
      }
    }
    const auto begin = at_.begin();
    return static_cast<std::size_t>(
        std::lower_bound(begin + static_cast<std::ptrdiff_t>(low), begin + static_cast<std::ptrdiff_t>(high), wanted) -
        begin);
  }
  // The first at or after `i` of a rank above `bound`; the number of all when there is none.
  std::size_t first_above(std::size_t i, std::uint8_t bound) const {
    return peaks_.first_above(i, bound, [this](std::size_t k) { return ranks_[k]; });
  }
  // Of those from `first` up to `end` the last when none has a higher rank, else the first of the highest.
  std::size_t highest(std::size_t first, std::size_t end) const {
    if (end - first <= kFew) return highest_of_few(first, end);
    std::size_t shown = first;
    for (std::size_t i = first; i < end; i = first_above(i + 1, ranks_[i])) shown = i;
    return end > first && ranks_[end - 1] == ranks_[shown] ? end - 1 : shown;
  }
  // Whether more than so many between two moments are of a rank above `bound`.
  bool crowded(TrueTime from, TrueTime to, std::uint8_t bound, std::size_t most) const {
    std::size_t found = 0;
    for (std::size_t i = first_above(first_at(from), bound); i < size() && this->at(i) < to && found <= most;
         i = first_above(i + 1, bound))
      ++found;
    return found > most;
  }

 private:
  static constexpr std::size_t kFew = 64;

  // Where the next search will begin: the memory is asked for it while this one goes on.
  void fetch(std::size_t i) const { __builtin_prefetch(&at_[i]); }

  // Looking at all of them costs less than looking for them.
  std::size_t highest_of_few(std::size_t first, std::size_t end) const {
    const auto from = ranks_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto to = ranks_.begin() + static_cast<std::ptrdiff_t>(end);
    std::uint8_t most = 0;
    for (auto rank = from; rank != to; ++rank) most = std::max(most, *rank);
    if (end > first && ranks_[end - 1] == most) return end - 1;
    return first + static_cast<std::size_t>(std::find(from, to, most) - from);
  }

  std::vector<std::int64_t> at_;
  std::vector<std::uint8_t> ranks_;
  Peaks<std::uint8_t> peaks_;
};

}  // namespace leasescope
