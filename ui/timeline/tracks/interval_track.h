// Stretches of time that may overlap, in order of their begin: incidents of one kind, faults of one contender.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/time/clock.h"
#include "ui/timeline/tracks/peaks.h"

namespace leasescope {

class IntervalTrack {
 public:
  // `of`: whatever they are kept by elsewhere. One that is known may have got another end.
  void put(std::uint32_t of, TrueTime begin, TrueTime end);

  std::size_t size() const { return begin_.size(); }
  std::uint32_t of(std::size_t i) const { return of_[i]; }
  TrueTime begin(std::size_t i) const { return TrueTime(Duration(begin_[i])); }
  TrueTime end(std::size_t i) const { return TrueTime(Duration(end_[i])); }
  // How many begin in [from, to].
  std::size_t begun(TrueTime from, TrueTime to) const;

  // Calls with each that meets [from, to], and if it is asked for with its begin and end, in order of their begin.
  // `action` answers until when it has told of all that lies within its own stretch: what begins after it and ends by
  // then is passed over. So a picture asks for no more than it has pixels.
  template <class Action>
  void each(TrueTime from, TrueTime to, Action&& action) const {
    const auto end_of = [this](std::size_t i) { return end_[i]; };
    const std::int64_t last = to.time_since_epoch().count();
    std::int64_t seen = from.time_since_epoch().count() - 1;
    for (std::size_t i = ends_.first_above(0, seen, end_of); i < size() && begin_[i] <= last;
         i = ends_.first_above(i + 1, seen, end_of)) {
      const TrueTime told = call(action, i);
      seen = std::max(seen, told.time_since_epoch().count());
    }
  }

  // Calls with each of at least that length that meets [from, to]; shorter ones cost nothing, however many.
  template <class Action>
  void each_long(TrueTime from, TrueTime to, Duration least, Action&& action) const {
    const auto end_of = [this](std::size_t i) { return end_[i]; };
    const auto length_of = [this](std::size_t i) { return end_[i] - begin_[i]; };
    if (longest_ < least.count()) return;  // as in most pictures of a whole night
    const std::int64_t last = to.time_since_epoch().count(), before = from.time_since_epoch().count() - 1;
    std::size_t i = ends_.first_above(0, before, end_of);
    while ((i = lengths_.first_above(i, least.count() - 1, length_of)) < size() && begin_[i] <= last) {
      if (end_[i] > before) call(action, i);
      ++i;
    }
  }

  // Those that meet [from, to] by runs: those that follow each other, none longer than `least` and none beginning later
  // than that after the one before it; a longer one is a run by itself. `action` gets the place of the first, and that
  // behind the last.
  template <class Action>
  void each_run(TrueTime from, TrueTime to, Duration least, Action&& action) const {
    const auto end_of = [this](std::size_t i) { return end_[i]; };
    const auto apart_of = [this](std::size_t i) { return apart(i); };
    const std::int64_t last = to.time_since_epoch().count();
    std::int64_t seen = from.time_since_epoch().count() - 1;
    for (std::size_t i = ends_.first_above(0, seen, end_of); i < size() && begin_[i] <= last;) {
      const bool longer = end_[i] - begin_[i] > least.count();
      const std::size_t next = longer ? i + 1 : apart_.first_above(i + 1, least.count(), apart_of);
      const TrueTime told = action(i, next);
      seen = std::max(seen, told.time_since_epoch().count());
      i = ends_.first_above(next, seen, end_of);
    }
  }

 private:
  // How much of the time axis it takes for itself: its own length, or the way from the one before it.
  std::int64_t apart(std::size_t i) const {
    const std::int64_t length = end_[i] - begin_[i];
    return i > 0 ? std::max(length, begin_[i] - begin_[i - 1]) : length;
  }
  void raise(std::size_t i);

  template <class Action>
  auto call(Action& action, std::size_t i) const {
    if constexpr (std::is_invocable_v<Action&, std::uint32_t, TrueTime, TrueTime>)
      return action(of_[i], TrueTime(Duration(begin_[i])), TrueTime(Duration(end_[i])));
    else
      return action(of_[i]);
  }

  std::vector<std::int64_t> begin_, end_;
  std::vector<std::uint32_t> of_;
  Peaks<std::int64_t> ends_, lengths_, apart_;
  std::int64_t longest_ = 0;  // that one of them had ever
};

}  // namespace leasescope
