// Keys that several kinds of fault share, how their values are read, and what kinds of one shape have in common.
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

// While a kind of these lasts, something of the contender's comes later by the key `by`: `delay` is told so at the
// beginning, and takes it back at the end.
template <void (FaultPort::*delay)(NodeIndex node, Duration by)>
FaultKind later_by(std::string_view name, std::string_view about, Draw by) {
  FaultKind kind;
  kind.name = name;
  kind.about = about;
  kind.keys = {time_key("by", by)};
  kind.lasts = true;
  kind.begin = [](FaultPort& world, const FaultCall& call) { (world.*delay)(call.node, Duration(call.values[0])); };
  kind.end = [](FaultPort& world, const FaultCall& call) { (world.*delay)(call.node, -Duration(call.values[0])); };
  return kind;
}

// A period of the plan; none is so short that a run would never end.
inline Duration period_of(std::int64_t value) {
  return std::max<Duration>(Duration(value), std::chrono::milliseconds(1));
}

}  // namespace leasescope::faults
