// Draws for scenarios, each from a stream of its own purpose. Integers only, so that a seed is the same everywhere.
#pragma once
#include <string_view>

#include "simulator/fault/draw.h"

namespace leasescope {

class Dice {
 public:
  Dice(std::uint64_t seed, std::string_view name, std::string_view purpose) : stream_(seed, name, purpose) {}

  bool percent(std::uint32_t share) { return stream_.below(100) < share; }
  bool coin() { return percent(50); }
  // From 0 to count - 1.
  std::size_t place(std::size_t count) { return static_cast<std::size_t>(stream_.below(count)); }
  // Inclusive.
  std::int64_t number(std::int64_t from, std::int64_t to) { return sample(Draw::number(from, to)); }
  // Small and large ones alike.
  std::int64_t magnitude(std::int64_t from, std::int64_t to) { return sample(Draw::magnitude(from, to)); }
  Duration time(Duration from, Duration to) { return Duration(number(from.count(), to.count())); }
  Duration magnitude(Duration from, Duration to) { return Duration(magnitude(from.count(), to.count())); }
  Duration either_way(Duration from, Duration to) { return Duration(sample(Draw::time(from, to).forth_and_back())); }
  std::int32_t ppm(std::int64_t most) {
    return static_cast<std::int32_t>(sample(Draw::magnitude(1, most).forth_and_back()));
  }
  std::int64_t sample(const Draw& draw, Duration lease = {}) { return draw.sample(lease, stream_); }

 private:
  RandomStream stream_;
};

}  // namespace leasescope
