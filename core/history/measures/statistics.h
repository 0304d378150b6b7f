// The register of measures: one line each, by its file in core/history/measures/. They are listed and drawn in this
// order.
#pragma once
#include <memory>
#include <vector>

#include "core/history/measures/measure.h"

#define LEASESCOPE_MEASURES(MEASURE) \
  MEASURE(requests)                  \
  MEASURE(wake_ups)                  \
  MEASURE(handoffs)                  \
  MEASURE(gaps)                      \
  MEASURE(renewals)                  \
  MEASURE(clocks)

namespace leasescope {

// All that is measured of one history: one pass, constant work an event.
class Statistics {
 public:
  Statistics() : Statistics(Legend{}) {}
  explicit Statistics(const Legend& legend);

  // Events from where it stopped, at most so many; whether that was all there are. The same history every time.
  bool append(const History& history, Sequence most = UINT32_MAX);
  const std::vector<std::unique_ptr<Measure>>& all() const { return all_; }

 private:
  std::vector<std::unique_ptr<Measure>> all_;
  Standing standing_;
  Sequence seen_ = 0;
};

}  // namespace leasescope
