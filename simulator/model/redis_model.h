// What a Redis server does with Simba's lease calls: linearizable, expiry by its own clock, messages to subscribers.
#pragma once
#include <vector>

#include "core/base/large_vector.h"
#include "core/base/prefetch.h"
#include "simulator/model/replica.h"
#include "simulator/model/server_step.h"
#include "simulator/model/store_terms.h"
#include "simulator/model/subscribers.h"
#include "simulator/model/wait_queue.h"
#include "simulator/model/waiting_line.h"

namespace leasescope {

class RedisModel {
 public:
  static constexpr bool kActs = false;
  using Terms = RedisTerms;
  static RedisModel make(const ModelSetting& setting, const Terms& terms) {
    return {setting.mutexes, terms, setting.ranks};
  }

  // `ranks`: by handle, the order of the contenders' ids as texts; needed where some of them wait in the queue.
  RedisModel(const std::vector<Name>& mutexes, const RedisTerms& terms, std::vector<std::uint32_t> ranks = {});

  // Lease calls as the scripts of resources/lua answer them. Those up to 3.1 (Wire::kTokenless) leave the fence alone
  // and keep a queue of who waits, of which the others know nothing but those that wait in it (WakeUp::kQueue).
  bool take(const ServerCall& call, ServerNow now, ServerSteps& out);
  TrueTime deadline(std::uint32_t mutex, const SkewedClock<ServerTime>& clock) const {
    return locks_[mutex].owner.empty() ? TrueTime::max() : clock.when(locks_[mutex].expires_at);
  }
  void wake(std::uint32_t mutex, ServerNow now, ServerSteps& out);
  void disturb(Disturbance what, ServerNow now, ServerSteps& out);
  bool listen(const ServerCall& call) { return subscribers_.take(call); }
  const Subscribers& subscribers() const { return subscribers_; }

  // Who holds, as the key says; empty = nobody.
  Name owner(std::uint32_t mutex) const { return locks_[mutex].owner; }
  void fetch(std::uint32_t mutex) const { prefetch(&locks_[mutex]); }

 private:
  struct Lock {
    Name owner;
    bool tokenless = false;  // whose term took no token
    ServerTime expires_at{};
    Token token = kNoToken;         // the `:token` key
    ServerTime token_expires_at{};  // it has an end of its own
    Token fence = kNoToken;         // the `:fence` counter, without end
    WaitQueue waiters;              // the `:contender` set, without end
    WaitingLine line;               // the `:line` set and hash

    Token term() const { return tokenless ? kNoToken : token; }
    Token held_token(ServerTime now) const { return now < token_expires_at ? token : kNoToken; }
  };

  // Before the lock changes.
  void replicate(std::uint32_t mutex, ServerNow now) {
    if (terms_.replica) replica_.remember(mutex, locks_[mutex], now.elapsed);
  }
  void lead_on_with(LargeVector<Lock> locks, ServerTime now, ServerSteps& out);
  void erase(std::uint32_t mutex, ServerNow now, ServerSteps& out);
  void tell_owner(const Lock& lock, ServerTime now, Reply& reply) const;
  void acquire(Lock& lock, const ServerCall& call, ServerTime now, ServerStep& out);
  void wait(Lock& lock, const ServerCall& call, ServerTime now, ServerStep& out);
  void guard(Lock& lock, const Request& request, ServerTime now, ServerStep& out);
  bool release(Lock& lock, const Request& request, ServerTime now, ServerStep& out);
  void hand_over(Lock& lock, const ServerCall& call, ServerTime now, ServerSteps& out);
  void begin_term(Lock& lock, const Request& request, ServerTime until, ServerTime now, ServerStep& out);
  void wake_waiters(Lock& lock, const Request& request, ServerStep& out);

  RedisTerms terms_;
  std::vector<std::uint32_t> ranks_;
  LargeVector<Lock> locks_;
  Replica<Lock> replica_;
  Subscribers subscribers_;
};

}  // namespace leasescope
