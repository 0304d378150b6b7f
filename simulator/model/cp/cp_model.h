// A CP group of three members: one replicated log, whose entries are applied in their order once a majority has them.
// Sessions end by the leader's clock, and what they held is handed over in the order of the requests.
#pragma once
#include <string_view>
#include <vector>

#include "core/base/prefetch.h"
#include "simulator/model/cp/cp_terms.h"
#include "simulator/model/cp/fenced_lock.h"
#include "simulator/model/subscribers.h"

namespace leasescope {

class CpModel {
 public:
  static constexpr bool kActs = true;
  using Terms = CpTerms;
  static CpModel make(const ModelSetting& setting, const Terms& terms) { return {setting, terms}; }

  CpModel(const ModelSetting& setting, const CpTerms& terms);

  // A call joins the log; whoever asks while there is no leader waits for the next one.
  bool take(const ServerCall& call, ServerNow now, ServerSteps& out);
  // The one tag, 0: the next moment at which the group does something by itself.
  TrueTime deadline(std::uint32_t tag, const SkewedClock<ServerTime>& clock) const;
  void wake(std::uint32_t tag, ServerNow now, ServerSteps& out);
  void disturb(Disturbance what, ServerNow now, ServerSteps& out);
  bool listen(const ServerCall&) { return false; }
  const Subscribers& subscribers() const { return subscribers_; }

  Name owner(std::uint32_t mutex) const { return locks_[mutex].held() ? locks_[mutex].owner().name : Name{}; }
  void fetch(std::uint32_t mutex) const { prefetch(&locks_[mutex]); }

  Token index() const { return index_; }

 private:
  struct Session {
    std::uint64_t id = 0;
    Name contender;
    NodeIndex node = 0;
    std::uint32_t mutex = 0;
    std::uint64_t version = 0;
    ServerTime expires{};
  };
  // An entry of the log that a majority does not have yet.
  struct Entry {
    enum class What : std::uint8_t { kCall, kExpire, kWaitEnds };

    What what = What::kCall;
    TrueTime at{};  // appended
    ServerCall call;
    std::uint64_t session = 0;  // kExpire: if its version is still that
    std::uint64_t version = 0;
    LockEndpoint endpoint;  // kWaitEnds
    std::uint64_t uid = 0;
  };
  // What falls due at a lock: a wait is over, or nobody is barred from it any more.
  struct Alarm {
    TrueTime at{};
    std::uint32_t mutex = 0;
    LockEndpoint endpoint;
    std::uint64_t uid = 0;  // 0: the bar is lifted

    bool operator<(const Alarm& later) const { return later.at < at; }  // the soonest is at the top of a heap
  };

  Duration heartbeat() const { return terms_.heartbeat > Duration::zero() ? terms_.heartbeat : ttl_ / 10; }
  bool leads(TrueTime at) const { return at >= leads_from_; }
  TrueTime next_commit() const;
  TrueTime next_check() const { return sessions_.empty() ? TrueTime::max() : std::max(check_at_, leads_from_); }

  void append(Entry entry);
  void commit(const Entry& entry, ServerNow now, ServerSteps& out);
  void apply(const ServerCall& call, ServerNow now, ServerSteps& out);
  void open(const ServerCall& call, ServerNow now, ServerSteps& out);
  void lock(const ServerCall& call, ServerNow now, ServerSteps& out);
  void unlock(const ServerCall& call, ServerNow now, ServerSteps& out);
  void query(const ServerCall& call, ServerSteps& out);
  void check_sessions(TrueTime at, ServerTime clock);
  void on_alarm(const Alarm& alarm, ServerNow now, ServerSteps& out);
  void elect(ServerNow now, ServerSteps& out);
  void lose_leader(ServerNow now, ServerSteps& out);
  void end_wait_again(const Entry& lost);
  void end_session(std::uint64_t id, SessionEnd why, Sequence cause, ServerNow now, ServerSteps& out);
  void close_holder(ServerNow now, ServerSteps& out);

  Session* find(std::uint64_t id);
  void touch(Session& of, ServerNow now) {
    of.expires = std::max(of.expires, now.clock + ttl_);
    ++of.version;
  }
  void hand_over(std::uint32_t mutex, ServerNow now, ServerSteps& out);
  Duration left(std::uint64_t session, ServerNow now);

  static ServerStep& tell(ServerSteps& out, std::uint32_t mutex, Name who, EventKind kind, std::int64_t a,
                          std::int64_t b);
  static ServerStep& answer(ServerSteps& out, const ServerCall& call, SessionAnswer said);
  static void break_off(ServerSteps& out, const ServerCall& call);
  static void grant(ServerStep& step, Name who, Token fence, Duration lease);
  static void dequeue(ServerSteps& out, std::uint32_t mutex, const FencedLock::Wait& wait, std::int64_t place);
  void cancel(ServerSteps& out, std::uint32_t mutex, const std::optional<FencedLock::Wait>& older);

  CpTerms terms_;
  Duration ttl_;
  std::vector<FencedLock> locks_;
  std::vector<TrueTime> barred_until_;  // by lock
  std::vector<Session> sessions_;       // by their number, which rises
  std::vector<Entry> log_;              // from `committed_` on
  std::size_t committed_ = 0;
  std::vector<ServerCall> leaderless_;  // who asked meanwhile
  std::vector<Alarm> alarms_;           // a heap
  std::uint64_t last_session_ = 0;
  Token index_ = 0;  // of the last entry that was committed
  TrueTime check_at_{};
  TrueTime leads_from_{};
  std::int64_t leader_ = 1;
  bool elected_ = true;
  Subscribers subscribers_;
};

}  // namespace leasescope
