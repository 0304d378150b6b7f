// A contender by a lock that is bound to a connection: its application locks, holds, unlocks and rests, again and
// again; under it lies the client of one connection. A state machine without clock, socket, thread or callback.
#pragma once
#include "core/advisory/advisory_terms.h"
#include "core/base/prefetch.h"
#include "core/contend/effect.h"
#include "core/contend/setting.h"
#include "core/history/operation.h"

namespace leasescope {

struct AdvisoryTimer {
  static constexpr Timer kConnection{0};   // the next try to open one, or the next question whether it stands
  static constexpr Timer kApplication{1};  // it has held for long enough, or rested
};

class AdvisoryContender {
 public:
  using Terms = AdvisoryTerms;
  using Plan = AdvisoryPlan;
  static AdvisoryContender make(const ContenderSetting& setting, const Terms& terms, const Plan& plan) {
    return {setting, terms, plan};
  }

  AdvisoryContender(const ContenderSetting& setting, const AdvisoryTerms& terms, const AdvisoryPlan& plan);

  Effects step(const Input& input, Clocks now);
  // Of its connection the kernel tells the server (`connection`).
  AdvisoryContender reborn(Name id) const;

  Name id() const { return setting_.id; }
  Status status() const { return status_; }
  bool running() const { return status_ == Status::kRunning; }
  bool believes() const { return believes_; }
  // What it was told last: nobody has a lease, and no clock is compared.
  bool owns(SteadyTime) const { return believes_; }
  Token token() const { return kNoToken; }
  // The request that opened the connection it has; 0 = none.
  std::uint64_t connection() const { return opened_by_; }
  const RandomStream& draws() const { return setting_.draws; }

  void fetch_for_timer() const { prefetch(this, this + 1); }
  void fetch_for_reply() const { prefetch(this, this + 1); }

 private:
  enum class Line : std::uint8_t { kNone, kOpens, kStands, kRests };
  // What the application is at.
  enum class Phase : std::uint8_t { kIdle, kLocks, kHolds, kLetsGo, kUnlocks, kRests, kCloses };

  void on_start(Effects& out);
  void on_stop(Effects& out, Clocks now);
  void on_timer(Timer timer, Effects& out, Clocks now);
  void on_work_done(Effects& out);
  void on_reply(const Reply& reply, Effects& out, Clocks now);

  // The connection.
  void open(Effects& out);
  void on_opened(const Reply& reply, Effects& out);
  void look_after(Effects& out);
  void on_looked(const Reply& reply, Effects& out, Clocks now);
  void lose_connection(Ending of_the_call, Effects& out, Clocks now);
  void rest_before_opening(Effects& out);

  // The lock.
  void lock(Effects& out);
  void ask(Effects& out);
  void on_lock_answered(const Reply& reply, Effects& out, Clocks now);
  void on_locked(Effects& out, Clocks now);
  void unlock(Effects& out);
  void on_unlocked(Ending ending, Effects& out);

  // The application.
  void hold(Effects& out);
  void let_go(DisbeliefReason reason, Effects& out, Clocks now);
  void rest(Effects& out);
  void close(Effects& out);
  void settle_stop(Effects& out);
  void tell(bool owns, Effects& out, Clocks now);
  void returned(Operation operation, Ending ending, Effects& out);
  Operation lock_operation() const { return waits() ? Operation::kLock : Operation::kTryLock; }
  bool waits() const { return plan_.tries <= Duration::zero(); }

  Request& send(RequestKind kind, Duration timeout, Effects& out);

  ContenderSetting setting_;
  AdvisoryTerms terms_;
  AdvisoryPlan plan_;
  Status status_ = Status::kInitial;
  Line line_ = Line::kNone;
  Phase phase_ = Phase::kIdle;
  bool believes_ = false;
  int entered_ = 0;               // in this connection, as it was told
  std::uint64_t requests_ = 0;    // what was asked over an earlier connection is none of those below
  std::uint64_t opened_by_ = 0;   // the request that opened this connection, or is about to
  std::uint64_t connection_ = 0;  // its number at the server; 0: not known yet
  std::uint64_t call_ = 0;        // to the lock, on its way
  std::uint64_t look_ = 0;        // a question whether the connection stands, on its way
  std::uint64_t uids_ = 0;        // of the application's calls
  Duration kept_{};               // the server keeps a connection for so long of whose client it hears nothing
};

}  // namespace leasescope
