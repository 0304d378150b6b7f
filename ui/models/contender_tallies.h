// What each contender of a run has come to so far: leases, losses, writes, how long it held and believed.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "core/history/standing.h"
#include "ui/models/cast.h"

namespace leasescope {

struct ContenderTally {
  std::uint32_t place = Standing::kNone;  // in the standing; none: no event yet
  bool holds = false;                     // its time is counted
  std::optional<LifecycleError> refused;  // the last start or stop, until one is done
  Token token = kNoToken;
  std::uint64_t acquired = 0, renewed = 0, lost = 0, writes = 0, rejected = 0;
  TrueTime heldSince{}, believedSince{};
  std::optional<TrueTime> unseen;  // that it holds, since then
  Duration held{}, believed{};

  // Up to when it is known to have held, at the moment `at`.
  TrueTime heldUntil(TrueTime at) const;
};

// One pass, constant work an event. A value.
class ContenderTallies {
 public:
  ContenderTallies() = default;
  explicit ContenderTallies(const Legend& legend) : standing_(legend) {}

  // Counts events from where it stopped; the same history every time, and a cast that knows all of it.
  void sync(const History& history, const Cast& cast);

  const ContenderTally& operator[](int contender) const { return tallies_[static_cast<std::size_t>(contender)]; }
  const Standing& standing() const { return standing_; }
  // At the moment `at`, the last that was counted.
  Duration held(int contender, TrueTime at) const;
  Duration believed(int contender, TrueTime at) const;

 private:
  struct Reading;  // of one event

  std::vector<ContenderTally> tallies_;  // by place in the cast
  Standing standing_;
  Sequence read_ = 0;
};

}  // namespace leasescope
