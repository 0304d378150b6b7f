// Keys that several kinds of fault share, and how their values are read.
#pragma once
#include "simulator/fault/kind.h"

namespace leasescope::faults {

// As the first key of a kind.
inline FaultKey direction_key() {
  return {"direction", FaultKeyType::kWord, {"both", "to_store", "from_store"}, false};
}
inline LinkDirection direction_of(const FaultCall& call) { return static_cast<LinkDirection>(call.values[0]); }

// How many of a million.
inline FaultKey ppm_key() {
  return {"ppm", FaultKeyType::kNumber, {}, true, 1, 1'000'000, Draw::magnitude(100, 500'000)};
}

inline FaultKey time_key(std::string_view name, Draw draw) { return {name, FaultKeyType::kTime, {}, true, 0, 0, draw}; }
inline FaultKey signed_time_key(std::string_view name, Draw draw) {
  return {name, FaultKeyType::kTime, {}, true, -1, 0, draw.forth_and_back()};
}

// A period of the plan; none is so short that a run would never end.
inline Duration period_of(std::int64_t value) {
  return std::max<Duration>(Duration(value), std::chrono::milliseconds(1));
}

}  // namespace leasescope::faults
