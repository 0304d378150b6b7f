// By how much an incident came to be: what there was of a length of time, what it would have taken, and the difference,
// as figures from facts of the history. Which settings were tried and did is another thing (simulator/campaign).
#pragma once
#include <string>
#include <string_view>

#include "core/history/history.h"
#include "core/history/lease_facts.h"

namespace leasescope {

// What was too short for what.
enum class MarginMeasure {
  kNone,       // no length of time that the history tells of decides it
  kPause,      // the lease, as it was left, for a pause
  kCut,        // … for a time without the store
  kStarved,    // … for timers that starved
  kClockStep,  // … for a step of the store's clock
  kBelief,     // … for how long it was believed in
  kAnswer,     // … for an answer that came late
  kRenewal,    // … for a renewal
  kWrite,      // … for a write
  kRelease,    // the time until a release for an application that stopped later
  kGap,        // the planned sleep of whoever woke first for the time that nobody held
  kHandover,   // the time a hand-over may take for the one it took
  kUnaware     // the time that an owner may not know of its lease for the one it did not
};
std::string_view text(MarginMeasure of);  // "pause"; "" of none

struct Margin {
  MarginMeasure measure = MarginMeasure::kNone;
  Duration had{};
  Duration needed{};
  std::string
      words;  // one sentence, with units: what there was, what was needed, what would have kept the incident away

  bool known() const { return measure != MarginMeasure::kNone; }
  Duration margin() const { return had - needed; }  // below zero: so much was missing
};

// Without a measure the words say which fact is missing. Of one that lasts: as far as is known.
Margin margin_of(const LeaseFacts& facts, const NameTable& names, const Legend& legend, const Incident& incident);
// The same from the events that the history holds around it: what is older than five minutes is not looked at.
Margin margin_of(const History& history, const Incident& incident);

}  // namespace leasescope
