// What a Redis server does with Simba's lease calls: linearizable, expiry by its own clock, messages to subscribers.
#pragma once
#include <vector>

#include "simulator/model/server_step.h"

namespace leasescope {

class RedisModel {
 public:
  explicit RedisModel(std::vector<Name> mutexes);

  // Lease calls as the 4.x scripts answer them; up to 3.1 (Wire::kTokenless) they leave the fence alone.
  // False: the call waits, and its answer comes with a later step.
  bool take(const ServerCall& call, ServerTime now, ServerSteps& out);
  // When it wants to be woken for a mutex; max() = not at all. An earlier call than that changes nothing.
  ServerTime deadline(std::uint32_t mutex) const {
    return locks_[mutex].owner.empty() ? ServerTime::max() : locks_[mutex].expires_at;
  }
  void wake(std::uint32_t mutex, ServerTime now, ServerSteps& out);
  void disturb(Disturbance what, ServerTime now, ServerSteps& out);

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

  void tell_owner(const Lock& lock, ServerTime now, Reply& reply) const;
  void acquire(Lock& lock, const Request& request, ServerTime now, ServerStep& out);
  void guard(Lock& lock, const Request& request, ServerTime now, ServerStep& out);
  void release(Lock& lock, const Request& request, ServerStep& out);

  std::vector<Lock> locks_;
};

}  // namespace leasescope
