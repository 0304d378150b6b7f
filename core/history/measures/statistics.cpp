#include "core/history/measures/statistics.h"

#include <algorithm>

namespace leasescope {

#define LEASESCOPE_MEASURE(name) std::unique_ptr<Measure> name##_measure();
LEASESCOPE_MEASURES(LEASESCOPE_MEASURE)
#undef LEASESCOPE_MEASURE

Statistics::Statistics(const Legend& legend) : standing_(legend) {
#define LEASESCOPE_MEASURE(name) all_.push_back(name##_measure());
  LEASESCOPE_MEASURES(LEASESCOPE_MEASURE)
#undef LEASESCOPE_MEASURE
}

bool Statistics::append(const History& history, Sequence most) {
  seen_ = std::max(seen_, history.forgotten);
  const Sequence end = history.last() - seen_ > most ? seen_ + most : history.last();
  for (; seen_ < end; ++seen_) {
    const Event& event = history.event(seen_ + 1);
    for (const std::unique_ptr<Measure>& each : all_) each->take(event, standing_);
    standing_.append(event, history.names);
  }
  return seen_ == history.last();
}

}  // namespace leasescope
