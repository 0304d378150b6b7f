// What a Redis server does with Simba's lease calls: linearizable, expiry by its own clock, messages to subscribers.
#pragma once
#include <vector>

#include "simulator/model/replica.h"
#include "simulator/model/server_step.h"
#include "simulator/model/store_terms.h"

namespace leasescope {

class RedisModel {
 public:
  RedisModel(const std::vector<Name>& mutexes, const RedisTerms& terms);

  // Lease calls as the 4.x scripts answer them; up to 3.1 (Wire::kTokenless) they leave the fence alone.
  bool take(const ServerCall& call, ServerNow now, ServerSteps& out);
  TrueTime deadline(std::uint32_t mutex, const SkewedClock<ServerTime>& clock) const {
    return locks_[mutex].owner.empty() ? TrueTime::max() : clock.when(locks_[mutex].expires_at);
  }
  void wake(std::uint32_t mutex, ServerNow now, ServerSteps& out);
  void disturb(Disturbance what, ServerNow now, ServerSteps& out);

  // Who holds, as the key says; empty = nobody.
  Name owner(std::uint32_t mutex) const { return locks_[mutex].owner; }

 private:
  struct Lock {
    Name name;
    Name owner;
    ServerTime expires_at{};
    Token token = kNoToken;         // the `:token` key
    ServerTime token_expires_at{};  // it has an end of its own
    Token fence = kNoToken;         // the `:fence` counter, without end
  };

  // Before the lock changes.
  void replicate(std::uint32_t mutex, ServerNow now) {
    if (terms_.replica) replica_.remember(mutex, locks_[mutex], now.elapsed);
  }
  void lead_on_with(std::vector<Lock> locks, ServerTime now, ServerSteps& out);
  void erase(std::uint32_t mutex, ServerNow now, ServerSteps& out);
  void tell_owner(const Lock& lock, ServerTime now, Reply& reply) const;
  void acquire(Lock& lock, const Request& request, ServerTime now, ServerStep& out);
  void guard(Lock& lock, const Request& request, ServerTime now, ServerStep& out);
  void release(Lock& lock, const Request& request, ServerStep& out);

  RedisTerms terms_;
  std::vector<Lock> locks_;
  Replica<Lock> replica_;
};

}  // namespace leasescope
