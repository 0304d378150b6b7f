// How far a clock was off the observer's in the course of a run, and what it showed.
#pragma once
#include <cstdint>
#include <vector>

#include "core/history/event.h"

namespace leasescope {

struct OffsetCourse {
  struct Point {
    TrueTime at{};
    Duration off{};        // from then on
    std::int64_t ppm = 0;  // by which that grows, in millionths of the time that passes

    bool operator==(const Point&) const = default;
  };
  Name who;
  std::vector<Point> points;

  // From `at` on it is set off by `by`, and runs otherwise by `ppm`; in the order of time. A file may tell of more than
  // a clock can do: of a century, or of one that runs backwards, no more is taken than that.
  void change(TrueTime at, Duration by, std::int64_t ppm);
  // Before the first point it is not off; one at the run's begin tells of all the time before, too.
  Duration off(TrueTime at) const;
  // What it shows, as the time since the moment at which a clock that is right shows 0.
  TrueTime reading(TrueTime at) const { return at + off(at); }
  // The first moment after `after` at which it comes to show a whole multiple of `step`, be it for the second time;
  // max() where none comes. What it is set over it does not come to show.
  TrueTime next_whole(TrueTime after, Duration step) const;
  // Whether such a moment is there.
  bool is_whole(TrueTime at, Duration step) const;
  // Whether the clock was set at that point, not only made to run otherwise.
  bool is_set_at(std::size_t point) const;
  // The highest rate of all points, 0 at least.
  std::int64_t fastest() const;
};

}  // namespace leasescope
