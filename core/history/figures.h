// What a run came to for each contender, and how long its hand-offs and gaps took: folded from events as they come, so
// that they need not be kept.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/history/history.h"
#include "core/history/lease_facts.h"
#include "core/history/standing.h"

namespace leasescope {

struct ContenderFigures {
  std::uint64_t acquisitions = 0;
  std::uint64_t renewals = 0;
  std::uint64_t attempts_lost = 0;
  std::uint64_t calls_failed = 0;  // or without an answer
  std::uint64_t writes_accepted = 0;
  std::uint64_t writes_rejected = 0;
  std::uint64_t stale_writes_accepted = 0;
  Duration believed{};
};

struct Percentiles {
  std::uint64_t count = 0;
  Duration p50{}, p95{}, p99{}, longest{};
};
// Each the shortest of which at least that share is no longer.
Percentiles percentiles_of(std::vector<Duration> lengths);

class Figures {
 public:
  // What was appended since the last call; of what was forgotten unseen nothing is counted.
  void append(const History& history) { append(history, history.last()); }
  // Likewise, up to that event.
  void append(const History& history, Sequence last);

  // What was counted so far is not: it counts from that moment on, of those who believe too.
  void count_from(TrueTime at);

  // By name, of those that an event is about.
  std::map<std::string, ContenderFigures> contenders(const History& history) const;
  Percentiles handoffs() const { return percentiles_of(handoffs_); }  // from a release to another's grant
  Percentiles gaps() const { return percentiles_of(gaps_); }          // nobody held, until the next grant
  // What margins of incidents are reckoned from, of all that was appended.
  const LeaseFacts& facts() const { return facts_; }

 private:
  void take(const History& history, const Event& event);
  void count(const Event& event);
  void count_gap(const Event& event);

  Standing standing_;
  LeaseFacts facts_;
  Sequence seen_ = 0;
  std::map<std::uint32_t, ContenderFigures> contenders_;  // by name handle
  std::map<std::uint32_t, TrueTime> believes_since_;      // likewise, of those who do
  std::vector<Duration> handoffs_, gaps_;
};

}  // namespace leasescope
