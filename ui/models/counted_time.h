// How moments of a run are told: in seconds of the run, by the clock on the wall while it ran, or as a contender's
// clock counts them. Qt Core only.
#pragma once
#include <QString>
#include <memory>

#include "core/history/offset_course.h"

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

struct CountedTime {
  Counts counts = Counts::kRun;
  std::int64_t epoch_ns = 0;                  // of the run's time 0, since 1970 (UTC)
  std::shared_ptr<const ShownClock> shown{};  // of a contender; null otherwise

  bool isWallClock() const { return counts == Counts::kUtc || counts == Counts::kLocal; }
  // In seconds of the run, or as the contender's clock has them.
  TrueTime counted(TrueTime at) const;
  // How long it takes by what is counted, which may be less than nothing.
  Duration between(TrueTime from, TrueTime to) const;
  // By how much the zone is ahead of UTC then; 0 but of kLocal.
  Duration zoneOffset(TrueTime at) const;

  // At a tick: "17.189"; of a clock "03:12:07", of a day's first moment "28 Nov". `decimals` of seconds.
  QString tickText(TrueTime at, int decimals) const;
  // With its unit: "17.189 s"; of a clock "03:12:07.250"; of a contender's "A 20.189 s".
  QString text(TrueTime at) const;
  // "17.189 – 21.000 s", "03:12:07.250 – 03:12:11.061 UTC", "A 20.189 – 24.000 s"
  QString rangeText(TrueTime from, TrueTime to) const;
  // With how long it takes: "17.189 – 21.000 · 3.811 s"
  QString stretchText(TrueTime from, TrueTime to) const;
  // Of a clock: its day at a moment and its zone, "27 Nov 2026, UTC"
  QString dayText(TrueTime at) const;

  // In a column, whose title says the unit: "17.189"; of a clock "03:12:07.250", on another day than the run's first
  // "29 Nov 03:12:07.250", and where its zone has another time by then than at the begin "25 Oct 02:30:07.250 CET".
  QString figure(TrueTime at) const;
  // Of such a column: "s", "A s", "UTC", "CET" (of the run's begin)
  QString unit() const;

  friend bool operator==(const CountedTime& a, const CountedTime& b);
};

}  // namespace leasescope
