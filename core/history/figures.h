// What a run came to for each contender, and how long its hand-offs and gaps took: folded from events as they come, so
// that they need not be kept.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/history/history.h"

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
  void append(const History& history);

  // By name, of those that an event is about.
  std::map<std::string, ContenderFigures> contenders(const History& history) const;
  Percentiles handoffs() const { return percentiles_of(handoffs_); }  // from a release to another's grant
  Percentiles gaps() const { return percentiles_of(gaps_); }          // nobody held, until the next grant

 private:
  struct Mutex {
    bool held = false;
    bool released = false;  // how it ended
    TrueTime free_since{};
    Name owner;  // the last one
  };
  struct Belief {
    bool believes = false;
    TrueTime since{};
  };

  void take(const Event& event);
  void take_hold(const Event& event);
  void take_belief(const Event& event, bool believes);

  Sequence seen_ = 0;
  std::map<std::uint32_t, ContenderFigures> contenders_;  // by name handle
  std::map<std::uint32_t, Belief> beliefs_;
  std::map<std::uint32_t, Mutex> mutexes_;
  std::vector<Duration> handoffs_, gaps_;
};

}  // namespace leasescope
