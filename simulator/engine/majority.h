// Who holds a mutex of several servers: whoever a majority of them is for. Each server knows its own vote alone; what
// they come to together is folded here.
#pragma once
#include <array>
#include <vector>

#include "core/history/event.h"
#include "core/time/clock.h"

namespace leasescope {

class Majority {
 public:
  // A server's vote as it stands; nobody's where the acquisition is 0.
  struct Vote {
    Name owner;
    std::uint64_t acquisition = 0;
    Token token = kNoToken;
    TrueTime until{};
  };
  // What one server says of a mutex now.
  class Servers {
   public:
    virtual ~Servers() = default;
    virtual Vote vote(std::size_t server, std::uint32_t mutex) const = 0;
    // It was stolen from that attempt there; which gets it back, where it is kept, if its thief gives up.
    virtual bool lies_beneath(std::size_t server, std::uint32_t mutex, std::uint64_t acquisition) const = 0;
  };
  // What has become of the mutex: for the history.
  struct Change {
    EventKind kind = EventKind::kGranted;  // granted, renewed, released, expired
    std::uint8_t detail = 0;               // GrantKind, LeaseEnd
    Name owner;
    Token token = kNoToken;
    Duration lease{};
  };
  // What a server has just done: a vote granted or ended, of that attempt.
  struct Fact {
    EventKind kind = EventKind::kVoteGranted;
    std::uint8_t detail = 0;  // GrantKind, VoteEnd
    std::uint64_t acquisition = 0;
  };

  Majority() = default;
  Majority(std::size_t servers, std::size_t mutexes) : servers_(servers), holders_(mutexes) {}

  Name owner(std::uint32_t mutex) const { return holders_[mutex].owner; }
  // In the order in which they are to be told; good until the next call.
  const std::vector<Change>& take(const Fact& fact, std::uint32_t mutex, TrueTime now, const Servers& servers);

  std::size_t bytes() const { return holders_.size() * sizeof(Holder); }

 private:
  struct Holder {
    Name owner;
    std::uint64_t acquisition = 0;  // 0 = nobody holds
    Token token = kNoToken;
    TrueTime until{};         // as it was promised
    TrueTime since{};         // granted or renewed
    bool gives_back = false;  // its holder has begun to: whichever vote then ends first, it was released
    std::uint64_t last = 0;   // the attempt that was granted anew last, though it may be over
  };

  std::size_t enough() const { return servers_ / 2 + 1; }
  void end(Holder& of, const Fact& fact);
  void grant(Holder& of, const Vote& to, const Fact& fact, TrueTime until, TrueTime now);

  std::size_t servers_ = 0;
  std::vector<Holder> holders_;  // by mutex
  std::vector<Vote> votes_;      // by server, of the fact that is looked at
  std::vector<Change> changes_;
  // The last attempts to which a thief that gave up has given a vote back: what they come to is no new grant.
  std::array<std::uint64_t, 64> restored_{};
  std::size_t next_restored_ = 0;
};

}  // namespace leasescope
