#include "ui/timeline/tracks/interval_track.h"

#include <algorithm>

namespace leasescope {

void IntervalTrack::put(std::uint32_t of, TrueTime begin, TrueTime end) {
  const std::int64_t from = begin.time_since_epoch().count(), to = end.time_since_epoch().count();
  longest_ = std::max(longest_, to - from);
  // Most are new, or among the last.
  for (std::size_t i = size(); i > 0 && begin_[i - 1] >= from; --i)
    if (of_[i - 1] == of) {
      end_[i - 1] = to;
      return raise(i - 1);
    }
  std::size_t place = size();
  while (place > 0 && begin_[place - 1] > from) --place;
  const auto at = static_cast<std::ptrdiff_t>(place);
  begin_.insert(begin_.begin() + at, from);
  end_.insert(end_.begin() + at, to);
  of_.insert(of_.begin() + at, of);
  for (std::size_t i = place; i < size(); ++i) raise(i);
}

void IntervalTrack::raise(std::size_t i) {
  ends_.update(i, [this](std::size_t k) { return end_[k]; });
  lengths_.update(i, [this](std::size_t k) { return end_[k] - begin_[k]; });
  apart_.update(i, [this](std::size_t k) { return apart(k); });
}

std::size_t IntervalTrack::begun(TrueTime from, TrueTime to) const {
  const auto first = std::lower_bound(begin_.begin(), begin_.end(), from.time_since_epoch().count());
  const auto last = std::upper_bound(first, begin_.end(), to.time_since_epoch().count());
  return static_cast<std::size_t>(last - first);
}

}  // namespace leasescope
