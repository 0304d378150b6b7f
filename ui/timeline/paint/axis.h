// What the ruler counts: seconds of the run, the clock on the wall while it ran, or what a contender took for the time.
#pragma once
#include <QString>
#include <memory>
#include <vector>

#include "core/history/offset_course.h"
#include "ui/timeline/paint/viewport.h"

namespace leasescope {

enum class Counts : std::uint8_t {
  kRun,        // seconds since the run began
  kUtc,        // the wall clock of the one who recorded it
  kLocal,      // ... where it is shown
  kContender,  // seconds of the run as a contender's wall clock counts them
};

struct ShownClock {
  QString letter;  // whose
  OffsetCourse course;
};

struct Axis {
  Counts counts = Counts::kRun;
  std::int64_t epoch_ns = 0;                  // of the run's time 0, since 1970 (UTC)
  std::shared_ptr<const ShownClock> shown{};  // of a contender; null otherwise

  // Steps whose labels of `label_px` do not touch: of a clock whole seconds, minutes, hours and days.
  Ticks ticks(const Viewport& viewport, int label_px) const;
  // The first tick at or after t, the next one after a tick, and whether a tick of that step is there. Times of a clock
  // are whole by its own zero, in the zone's offset at `from`: beyond a change of the summer time steps of hours stand
  // beside the full ones. A contender's clock shows a time twice after it was set back, and none while it stands.
  TrueTime first(TrueTime t, Duration step, TrueTime from) const;
  TrueTime next(TrueTime t, Duration step) const;
  bool is_at(TrueTime t, Duration step, TrueTime from) const;
  // At a tick: "17.189"; of a clock "03:12:07", of a day's first moment "28 Nov". `decimals` of seconds.
  QString tick_text(TrueTime at, int decimals) const;
  // With its unit: "17.189 s"; of a clock "03:12:07.250"; of a contender's "A 20.189 s".
  QString text(TrueTime at) const;
  // "17.189 – 21.000 s", "03:12:07.250 – 03:12:11.061 UTC", "A 20.189 – 24.000 s"
  QString range_text(TrueTime from, TrueTime to) const;
  // With how long it takes: "17.189 – 21.000 · 3.811 s"
  QString stretch_text(TrueTime from, TrueTime to) const;
  // How long it takes by what is counted, which may be less than nothing.
  Duration between(TrueTime from, TrueTime to) const;
  // Where a contender's clock was set.
  std::vector<TrueTime> set_within(TrueTime from, TrueTime to) const;
  // Of a clock: its day at a moment and its zone, "27 Nov 2026, UTC"
  QString day_text(TrueTime at) const;

  bool is_wall_clock() const { return counts == Counts::kUtc || counts == Counts::kLocal; }
  friend bool operator==(const Axis& a, const Axis& b);

 private:
  std::int64_t phase(Duration step, TrueTime from) const;
  TrueTime counted(TrueTime at) const;
};

}  // namespace leasescope
