// What is told of one mutex, by a pass over a recording or by the rows of a team's history: in words, or as JSON.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/alerts/alert_note.h"
#include "core/base/name.h"
#include "core/history/ownership.h"
#include "core/history/recorded_clock.h"

namespace leasescope::ctl {

struct ToldStretch : OwnedStretch {
  // It lasted when its recording ended, then; none: it is known to last, or to be over.
  std::optional<TrueTime> seen_until;
};

struct ToldMutex {
  std::string title;
  std::string by;               // who observed; empty: it is a recording's
  std::optional<TrueTime> met;  // first
  std::vector<ToldStretch> owned;
  std::vector<UnobservedStretch> unobserved;
  std::optional<std::vector<FiredAlert>> alerts{};  // of this mutex, as they began; none: who watched kept none
  TrueTime now{};                                   // so far it is known
};

class Teller {
 public:
  // Owners are names of that table, which outlives it.
  Teller(const NameTable& names, const RecordedClock& clock) : names_(names), clock_(clock) {}

  // A line a stretch and an alert, by their begins.
  std::string all(const ToldMutex& of) const;
  // Who owned it then, and which alerts were on, in one line.
  std::string moment(const ToldMutex& of, TrueTime at) const;
  nlohmann::ordered_json all_json(const ToldMutex& of) const;
  nlohmann::ordered_json moment_json(const ToldMutex& of, TrueTime at) const;

 private:
  std::string owner(const OwnedStretch& of) const;
  std::string line(const ToldStretch& of, TrueTime now) const;
  std::string line(const UnobservedStretch& of, TrueTime now) const;
  std::string line(const FiredAlert& of, TrueTime now) const;
  std::string bounds(const ToldStretch& of) const;
  nlohmann::ordered_json json(const ToldStretch& of) const;

  const NameTable& names_;
  const RecordedClock& clock_;
};

}  // namespace leasescope::ctl
