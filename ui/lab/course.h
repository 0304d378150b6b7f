// How a run on the screen came about: under which values, and from where on under others. Enough to make it again.
#pragma once
#include <QStringList>
#include <vector>

#include "ui/lab/lab_values.h"

namespace leasescope {

// From `from` on the run goes by these values; the first course begins at 0, every other is a fork.
struct Course {
  TrueTime from{};
  LabValues values;

  friend bool operator==(const Course& a, const Course& b) { return a.from == b.from && a.values == b.values; }
};

// What was on the screen. A virtual run is made again to the bit, so nothing of it needs to be kept.
struct Shown {
  std::vector<Course> courses;
  LabValues values;    // as the panel had them
  TrueTime reached{};  // so far it had been run
  TrueTime playhead{};
  bool ended = false;

  bool forked() const { return courses.size() > 1; }
};

// What the last fork changed, each in a few words: "resource.fencing = false", "fault 2 off".
QStringList changesOf(const LabSource& source, const std::vector<Course>& courses);

}  // namespace leasescope
