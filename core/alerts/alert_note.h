// What became of the alerts of a watch, as a recording keeps it: what was told, by whose rules, when.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/name.h"
#include "core/time/clock.h"

namespace leasescope {

enum class AlertDeed : std::uint8_t { kBegan, kOver, kAcknowledged, kMuted };
std::string_view text(AlertDeed deed);  // "began"
std::optional<AlertDeed> alert_deed_of(std::string_view word);

// One thing that happened to one alert.
struct AlertNote {
  std::uint64_t alert = 0;  // which of those of its watch, from 1
  AlertDeed deed = AlertDeed::kBegan;
  TrueTime at{};      // of the history
  TrueTime until{};   // of one that was muted; else `at`
  std::string rule;   // its name
  std::string kind;   // "no_owner"
  Name subject;       // the mutex; of a kind that is about stores the store
  std::string words;  // what was said of it

  bool operator==(const AlertNote&) const = default;
};

// All that was told of one alert.
struct FiredAlert {
  std::string rule, kind, words;
  Name subject;
  TrueTime from{};
  TrueTime to = TrueTime::max();                            // max(): it lasted when the watch ended
  std::optional<TrueTime> acknowledged;                     // none: nobody did
  std::optional<std::pair<TrueTime, TrueTime>> muted = {};  // the last time: when, and until when
  bool lasts() const { return to == TrueTime::max(); }
};

// That those are over that are not yet, as of `end` at the earliest: of a watch that broke off then nobody knows
// whether they went on. In the order of their numbers.
std::vector<AlertNote> over_by(const std::vector<AlertNote>& notes, TrueTime end);

// In the order in which they began to be told. Of one whose begin is not among the notes, as its recording is kept for
// a while alone, nothing is told.
std::vector<FiredAlert> fired_alerts(const std::vector<AlertNote>& notes);

}  // namespace leasescope
