// What the ruler counts: seconds of the run, or the clock on the wall while it ran.
#pragma once
#include <QString>

#include "ui/timeline/paint/viewport.h"

namespace leasescope {

enum class Counts : std::uint8_t {
  kRun,    // seconds since the run began
  kUtc,    // the wall clock of the one who recorded it
  kLocal,  // ... where it is shown
};

struct Axis {
  Counts counts = Counts::kRun;
  std::int64_t epoch_ns = 0;  // of the run's time 0, since 1970 (UTC)

  // Steps whose labels of `label_px` do not touch: of a clock whole seconds, minutes, hours and days.
  Ticks ticks(const Viewport& viewport, int label_px) const;
  // The first tick at or after t, and whether a tick of that step is there. Times of a clock are whole by its own zero,
  // in the zone's offset at `from`: beyond a change of the summer time steps of hours stand beside the full ones.
  TrueTime first(TrueTime t, Duration step, TrueTime from) const;
  bool is_at(TrueTime t, Duration step, TrueTime from) const;
  // At a tick: "17.189"; of a clock "03:12:07", of a day's first moment "28 Nov". `decimals` of seconds.
  QString tick_text(TrueTime at, int decimals) const;
  // With its unit: "17.189 s"; of a clock "03:12:07.250".
  QString text(TrueTime at) const;
  // "17.189 – 21.000 s", "03:12:07.250 – 03:12:11.061 UTC"
  QString range_text(TrueTime from, TrueTime to) const;
  // Of a clock: its day at a moment and its zone, "27 Nov 2026, UTC"
  QString day_text(TrueTime at) const;

  bool is_clock() const { return counts != Counts::kRun; }
  friend bool operator==(const Axis& a, const Axis& b) { return a.counts == b.counts && a.epoch_ns == b.epoch_ns; }

 private:
  std::int64_t phase(Duration step, TrueTime from) const;
};

}  // namespace leasescope
