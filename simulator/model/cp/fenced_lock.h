// One lock of a CP group: who holds it, who waits in which order, and what was answered to whom. Plain rules without
// time; the group says when which of them is applied.
#pragma once
#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/token.h"
#include "simulator/model/server_step.h"

namespace leasescope {

// A thread of a session.
struct LockEndpoint {
  std::uint64_t session = 0;
  std::uint32_t thread = 0;

  bool operator==(const LockEndpoint&) const = default;
  bool operator<(const LockEndpoint& other) const {
    return std::tie(session, thread) < std::tie(other.session, other.thread);
  }
};

class FencedLock {
 public:
  struct Owner {
    LockEndpoint endpoint;
    std::uint64_t uid = 0;  // of the lock that made it the owner
    Token fence = kNoToken;
    Name name;
    std::uint64_t count = 0;
  };
  // A call that waits, in the order of the commits.
  struct Wait {
    LockEndpoint endpoint;
    std::uint64_t uid = 0;
    Token index = kNoToken;  // of its commit: its fence once it is granted
    ServerCall call;
    bool heard = true;  // somebody waits for the answer
  };
  struct Verdict {
    SessionAnswer answer = SessionAnswer::kDone;
    Token fence = kNoToken;
    std::uint64_t count = 0;
  };
  enum class Outcome : std::uint8_t { kAnswered, kGranted, kReentered, kWaits };
  struct Acquired {
    Outcome outcome = Outcome::kAnswered;
    Verdict verdict;
    std::optional<Wait> cancelled;  // an older call of the same endpoint
  };
  struct Released {
    Verdict verdict;
    bool freed = false;    // it was held for the last time
    bool reduced = false;  // and is still held
    std::optional<Wait> cancelled;
  };

  // `limit`: of entries, 0 = any number. `barred`: nobody may be granted at this moment.
  Acquired acquire(const ServerCall& call, Token index, int limit, bool barred);
  Released release(const ServerCall& call);
  // Whoever is first in the queue holds from now on; none where there is nobody, or somebody holds.
  std::optional<Wait> grant_next();
  // A call that has waited long enough; none when it no longer waits.
  std::optional<Wait> time_out(LockEndpoint endpoint, std::uint64_t uid);
  // All that a session has of it: what waits ends, and it holds no longer. Whether it did.
  bool end_session(std::uint64_t session, std::vector<Wait>& ended);

  bool held() const { return owner_.count > 0; }
  const Owner& owner() const { return owner_; }
  const std::vector<Wait>& waits() const { return waits_; }
  std::vector<Wait>& waits() { return waits_; }
  // From 1; 0 = it does not wait.
  std::int64_t place(LockEndpoint endpoint) const;

 private:
  struct Memo {
    LockEndpoint endpoint;
    std::uint64_t uid = 0;
    bool acquires = true;
    Verdict verdict;

    auto key() const { return std::tie(endpoint, uid, acquires); }
  };
  using Memos = std::vector<Memo>;

  const Memo* memo_of(LockEndpoint endpoint, std::uint64_t uid, bool acquires) const;
  void remember(LockEndpoint endpoint, std::uint64_t uid, bool acquires, const Verdict& verdict);
  void forget(LockEndpoint endpoint);
  std::pair<Memos::iterator, Memos::iterator> memos_of(LockEndpoint endpoint);
  void own(LockEndpoint endpoint, std::uint64_t uid, Token fence, Name name);
  std::optional<Wait> cancel(LockEndpoint endpoint, std::uint64_t other_than);

  Owner owner_;
  std::vector<Wait> waits_;
  // Sorted by their keys: a holder who never leaves wholly has as many as it has called, and the latest come last.
  Memos memos_;
};

}  // namespace leasescope
