// The client's side of a lock with sessions: what `lock`, `try_lock`, `unlock` and the questions come to, for each
// thread of one process. One call a thread at a time. Without clock, socket, thread or callback, as every contender.
#pragma once
#include <array>
#include <optional>

#include "core/contend/effect.h"

namespace leasescope {

enum class FencedCall : std::uint8_t { kLock, kTryLock, kUnlock, kFence, kIsLocked, kLockCount };
inline bool acquires(FencedCall call) { return call == FencedCall::kLock || call == FencedCall::kTryLock; }
inline bool asks(FencedCall call) { return call >= FencedCall::kFence; }

enum class FencedResult : std::uint8_t {
  kDone,           // locked, unlocked, answered
  kNotLocked,      // a try_lock that could not have it, or not in time
  kLimit,          // a lock of one who may not enter once more
  kNotOwner,       // an unlock or a fence of one who does not hold
  kOwnershipLost,  // it held, and its session has ended since, whether or not another took the lock
  kCancelled,      // a newer call of its own took its place in the queue
  kUnknown,        // nobody knows whether it took effect, and it is not asked again
};

struct FencedAnswer {
  FencedCall call = FencedCall::kLock;
  FencedResult result = FencedResult::kDone;
  std::uint32_t thread = 0;
  std::uint64_t uid = 0;    // of the call
  Token fence = kNoToken;   // of an acquire or kFence; else of whoever holds, as a question is answered
  std::uint64_t count = 0;  // how often it is held now
  bool by_me = false;       // questions
};

struct FencedTimer {
  static constexpr Timer kApplication{0};
  static constexpr Timer kHeartbeat{1};
  static constexpr Timer kRetry{2};
};

struct FencedClientConfig {
  Name id;
  Name mutex;
  Duration timeout = std::chrono::seconds(1);       // of each request
  Duration ttl{};                                   // of its session
  Duration retry = std::chrono::milliseconds(100);  // from no answer to asking again
  bool reports_unknown = false;                     // an operation of unknown outcome is told, not asked again
  bool new_uid_a_try = false;                       // naive: what is asked again is another operation to the store
};

class FencedClient {
 public:
  static constexpr std::uint32_t kThreads = 4;
  static constexpr Duration kForEver = Duration::max();

  explicit FencedClient(const FencedClientConfig& config) : config_(config) {}

  // The uid that the next call will bear.
  std::uint64_t next_uid() const { return uids_ + 1; }
  // Begins a call of a thread (from 0) that has none under way; `wait`: of a kTryLock, zero does not wait at all.
  // Answered at once where nobody needs to be asked.
  std::optional<FencedAnswer> call(FencedCall call, std::uint32_t thread, Duration wait, Effects& out, Clocks now);
  std::optional<FencedAnswer> on_reply(const Reply& reply, Effects& out, Clocks now);
  void on_timer(Timer timer, Effects& out, Clocks now);
  // Ends the session; whatever is under way comes to nothing. False where there is none: nothing will be answered.
  bool close(Effects& out);
  bool closed(const Reply& reply) const { return reply.kind == RequestKind::kCloseSession; }

  // It knows that what this thread holds is lost, whether or not that was told yet.
  bool lost(std::uint32_t thread) const {
    const std::uint64_t in = threads_[thread].locked_session;
    return in != 0 && in != session_;
  }
  std::uint64_t session() const { return session_; }
  // Up to when the store keeps the session for certain, on the steady clock.
  SteadyTime session_until() const { return session_until_; }

 private:
  struct Thread {
    std::uint64_t uid = 0;
    std::uint64_t request = 0;         // on its way; 0 = none
    std::uint64_t locked_session = 0;  // in which it holds; 0 = it does not
    std::uint64_t asked_in = 0;        // the session of its call
    std::uint64_t count = 0;
    Duration wait{};
    SteadyTime sent{};
    FencedCall call = FencedCall::kLock;
    bool busy = false;
    bool again = false;  // to be asked again
  };

  Request& send(RequestKind kind, Effects& out);
  void ask(std::uint32_t thread, Effects& out, Clocks now);
  void ask_again(std::uint32_t thread, Effects& out, Clocks now);
  void open(Effects& out, Clocks now);
  void on_opened(const Reply& reply, Effects& out, Clocks now);
  void on_heartbeat(const Reply& reply);
  std::optional<FencedAnswer> on_answer(std::uint32_t thread, const Reply& reply, Effects& out, Clocks now);
  std::optional<FencedAnswer> on_acquired(std::uint32_t thread, const Reply& reply, Effects& out, Clocks now);
  FencedAnswer on_unlocked(std::uint32_t thread, const Reply& reply);
  FencedAnswer on_told(std::uint32_t thread, const Reply& reply);
  FencedAnswer answer(std::uint32_t thread, FencedResult result, Token fence = kNoToken);
  void forget_session(std::uint64_t session) { session_ = session_ == session ? 0 : session_; }
  void beat(Effects& out);
  bool needs_session() const;

  FencedClientConfig config_;
  std::array<Thread, kThreads> threads_{};
  std::uint64_t session_ = 0;
  std::uint64_t requests_ = 0;
  std::uint64_t uids_ = 0;
  std::uint64_t opening_ = 0;  // the request that opens a session; 0 = none
  std::uint64_t beating_ = 0;  // the latest heartbeat
  std::uint64_t opened_ = 0;   // the request that opened the session: what was asked before is of another
  Duration heartbeat_{};       // as the store wants it
  SteadyTime asked_at_{};      // the open or the heartbeat was sent
  SteadyTime session_until_{};
  bool beats_ = false;  // the timer is armed
};

}  // namespace leasescope
