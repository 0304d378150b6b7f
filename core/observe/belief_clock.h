// By how much a process' clock and ours are apart, from what it sends: a message comes after it was sent, and how long
// it was under way nobody can tell.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <optional>

#include "core/time/clock.h"

namespace leasescope {

// * No message was under way for less than nothing: what is sent at a moment of its clock is sent at the latest then
//   when the quickest message of late would have come. That is proved.
// * Where a message tells of something that we saw begin, it was sent after that: the other bound, proved too.
// * Without such a message the quickest one is taken to have been under way for no longer than a second.
// * Clocks go apart by 1/2000 at most; one that has been set back shows by messages that are late, one after another.
class BeliefClock {
 public:
  static constexpr Duration kLongestQuickest = std::chrono::seconds(1);
  static constexpr std::size_t kMessages = 64;  // of late
  static constexpr std::int64_t kDrift = 2'000;
  static constexpr int kLateOnes = 4;  // so many in a row that are so late: the clock has been set back
  static constexpr Duration kLate = std::chrono::seconds(1);

  // In the order of their arrival.
  void heard(std::int64_t sent_ms, TrueTime arrived);
  // One that was sent then was sent later than that moment of ours.
  void was_sent_after(std::int64_t sent_ms, TrueTime earliest);

  struct Bounds {
    TrueTime lo{}, hi{};
  };
  // Of something that happened when its clock showed `ms`, known at a moment of ours. After a first message.
  Bounds moment(std::int64_t ms, TrueTime now) const;
  // Ours less its, in ns: our moments are counted from a zero of ours, its from 1970. `proved`: the lower one is.
  struct Offset {
    std::int64_t least = 0, most = 0;
    bool proved = false;
  };
  std::optional<Offset> offset(TrueTime now) const;  // none: nothing was heard
  std::size_t messages() const { return heard_.size(); }

 private:
  struct Sample {
    std::int64_t apart = 0;  // ns
    TrueTime at{};
  };
  // A bound that was found then is no narrower now, nor was it before.
  static std::int64_t widened(const Sample& sample, TrueTime now) {
    return std::abs((now - sample.at).count()) / kDrift;
  }
  std::int64_t most(TrueTime now) const;  // after a first message

  std::deque<Sample> heard_;
  std::optional<Sample> least_;
  int late_ = 0;
};

}  // namespace leasescope
