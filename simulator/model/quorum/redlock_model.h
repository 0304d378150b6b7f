// What one of several independent Redis servers does with the calls of a quorum lock: it knows nothing of the others.
#pragma once
#include <vector>

#include "core/base/prefetch.h"
#include "core/quorum/priority.h"
#include "simulator/model/quorum/redlock_terms.h"
#include "simulator/model/server_step.h"
#include "simulator/model/subscribers.h"

namespace leasescope {

class RedlockModel {
 public:
  static constexpr bool kActs = false;
  using Terms = RedlockTerms;
  static RedlockModel make(const ModelSetting& setting, const Terms& terms) {
    return {setting.mutexes.size(), terms, setting.place};
  }

  // What the key of a lock says.
  struct Entry {
    Name owner;
    std::uint64_t acquisition = 0;
    std::uint64_t stolen_from = 0;  // the attempt of whoever held it before, 0 = nobody
    Name victim;                    // and who that was
    Priority priority = kUsualPriority;
    Token token = kNoToken;
    ServerTime expires_at{};
    bool passed = false;  // who stole it has held it: the lease runs out, and that is all
  };

  RedlockModel(std::size_t mutexes, const Terms& terms, std::uint8_t place)
      : terms_(terms), place_(place), locks_(mutexes), subscribers_(mutexes) {}

  // Each as one script does it.
  bool take(const ServerCall& call, ServerNow now, ServerSteps& out);
  TrueTime deadline(std::uint32_t mutex, const SkewedClock<ServerTime>& clock) const {
    const Entry* const held = vote(mutex);
    return held == nullptr ? TrueTime::max() : clock.when(held->expires_at);
  }
  void wake(std::uint32_t mutex, ServerNow now, ServerSteps& out);
  void disturb(Disturbance what, ServerNow now, ServerSteps& out);
  // Each has a channel of its own: messages go to one contender.
  bool listen(const ServerCall& call) { return subscribers_.take(call, call.request.contender); }
  const Subscribers& subscribers() const { return subscribers_; }
  Name owner(std::uint32_t mutex) const {
    const Entry* const held = vote(mutex);
    return held == nullptr ? Name{} : held->owner;
  }
  void fetch(std::uint32_t mutex) const { prefetch(&locks_[mutex]); }

  // For whom this server is; null: for nobody.
  const Entry* vote(std::uint32_t mutex) const {
    const std::vector<Entry>& chain = locks_[mutex].chain;
    return chain.empty() ? nullptr : &chain.back();
  }
  // It was stolen from that attempt here; which gets it back, where it is kept, if its thief gives up.
  bool lies_beneath(std::uint32_t mutex, std::uint64_t acquisition) const;

 private:
  struct Lock {
    // Who holds it is last; before it those it was stolen from, where they are kept.
    std::vector<Entry> chain;
    Token fence = kNoToken;  // the highest there was
  };

  void obtain(Lock& lock, const ServerCall& call, ServerTime now, ServerSteps& out);
  void extend(Lock& lock, const ServerCall& call, ServerTime now, ServerSteps& out);
  void give_back(Lock& lock, const ServerCall& call, ServerTime now, ServerSteps& out);
  static void restore(Lock& lock, ServerTime now, ServerSteps& out, std::uint32_t mutex);
  void abort(Lock& lock, const ServerCall& call, ServerTime now, ServerSteps& out);
  void pass_on(const ServerCall& call, ServerSteps& out) const;
  static void deny(const Lock& lock, QuorumAnswer answer, ServerTime now, ServerStep& step);
  static void grant(const Entry& to, GrantKind how, ServerTime now, ServerStep& step);
  static void name_victim(const Entry& of, ServerStep& step);
  static void end(const Entry& of, VoteEnd how, ServerStep& step);

  Terms terms_;
  std::uint8_t place_ = 0;
  std::vector<Lock> locks_;
  Subscribers subscribers_;
};

}  // namespace leasescope
