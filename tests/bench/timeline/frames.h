// The night that all benches of the chart look at, and where they look.
#pragma once
#include <cstdint>
#include <vector>

#include "core/base/random_stream.h"
#include "tests/bench/timeline/system_nights.h"
#include "ui/timeline/paint/scene.h"

namespace leasescope::bench {

inline constexpr int kWidth = 1920, kHeight = 1000;

struct Night {
  ChartData data;
  ChartLayout layout;
  std::size_t spans = 0;
  double folding_ms = 0;
  std::uint64_t events = 0;
};

// Fonts, pictures, a peer's scene and windows need an application, not a display.
void need_gui();

// Made once for all benches of that size; the one before it is dropped, as two would not fit everywhere.
const Night& night_of(std::uint64_t spans);
const Night& night_of(SystemNight system, std::uint64_t events);
// Over the tracks of all leases.
template <class Of>
std::size_t sum_of(const ChartData& data, Of of) {
  std::size_t sum = 0;
  for (const MutexRow& mutex : data.mutexes()) sum += of(mutex.held);
  for (const ContenderRow& contender : data.contenders()) sum += of(contender.held) + of(contender.believed);
  return sum;
}

// A stretch of any length, all lengths as likely, anywhere in the run; the rows scrolled anywhere.
Scene random_scene(const Night& night, RandomStream& draws);

double quantile(std::vector<double>& values, double share);

}  // namespace leasescope::bench
