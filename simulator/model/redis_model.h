// What a Redis server does with Simba's lease calls: linearizable, expiry by its own clock, messages to subscribers.
#pragma once
#include <vector>

#include "core/store/port.h"

namespace leasescope {

// What one request changed at the store; the world turns it into history and messages.
struct ServerStep {
  enum class Fact : std::uint8_t { kNothing, kGranted, kRenewed, kReleased };

  Reply reply;
  Fact fact = Fact::kNothing;
  bool publishes = false;
  StoreEvent message;
};

class RedisModel {
 public:
  explicit RedisModel(std::vector<Name> mutexes);

  // Lease calls as the 4.x scripts answer them; up to 3.1 (Wire::kTokenless) they leave the fence alone.
  ServerStep apply(std::uint32_t mutex, const Request& request, ServerTime now);

  // Who holds, as the key says; empty = nobody.
  Name owner(std::uint32_t mutex) const { return locks_[mutex].owner; }
  Token token(std::uint32_t mutex) const { return locks_[mutex].token; }
  ServerTime expires_at(std::uint32_t mutex) const { return locks_[mutex].expires_at; }
  bool ended(std::uint32_t mutex, ServerTime now) const {
    return !locks_[mutex].owner.empty() && now >= locks_[mutex].expires_at;
  }
  // The key ran out: forgets the owner. Call when `ended`.
  void expire(std::uint32_t mutex) { locks_[mutex].owner = Name{}; }
  std::size_t mutexes() const { return locks_.size(); }
  Name name(std::uint32_t mutex) const { return locks_[mutex].name; }

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
