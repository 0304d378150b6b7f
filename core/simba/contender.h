// The contender: the whole contention protocol as a state machine without clock, socket, thread or callback.
#pragma once
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "core/base/prefetch.h"
#include "core/base/random_stream.h"
#include "core/contend/effect.h"
#include "core/contend/setting.h"
#include "core/simba/generation.h"
#include "core/simba/lease_terms.h"
#include "core/simba/notifications.h"
#include "core/simba/simba_terms.h"

namespace leasescope {

struct SimbaTimer {
  static constexpr Timer kContend{0};
  static constexpr Timer kWatchdog{1};
  static constexpr Timer kExecutor{2};  // the application's executor comes to what waits for it
};

struct SimbaConfig {
  Name id;
  Name mutex;
  LeaseTerms terms;
  Duration timeout = std::chrono::seconds(1);  // of each request
  Duration initial_delay{};                    // before the first attempt
  Behaviour behaviour = Behaviour::kLeasescope;
  WakeUp wake_up = WakeUp::kBroadcast;  // of the default behaviour alone
  bool reports_callbacks = false;       // the host hands in CallbackDone after on_acquired
  bool reports_work = false;  // the host hands in WorkDone after on_released, at once where nothing is under way
};

class alignas(kCacheLine) SimbaContender {
 public:
  using Terms = SimbaTerms;
  using Plan = SimbaPlan;
  static SimbaContender make(const ContenderSetting& setting, const Terms&, const Plan&);

  // `jitter` is this contender's own stream, keyed by (seed, its name, purpose).
  SimbaContender(const SimbaConfig& config, RandomStream jitter);

  // One input with the contender's own clocks at this moment; changes the state and says what is to be done.
  Effects step(const Input& input, Clocks now);

  // The contender after its process was lost, under its own id or another's: nothing is remembered but the stream of
  // its draws.
  SimbaContender reborn(Name id) const {
    SimbaConfig config = config_;
    config.id = id;
    return SimbaContender(config, jitter_);
  }

  Name id() const { return config_.id; }
  Status status() const { return status_; }
  bool running() const { return status_ == Status::kStarting || status_ == Status::kRunning; }
  // What `isOwner` goes by. Up to 4.x it is what the application's executor has come to, which may lag behind; ours is
  // never behind what the contender knows. A notification, not a clock comparison, changes it.
  const MutexState& state() const { return state_; }
  bool believes() const { return state_.is_owner(config_.id); }
  Token token() const { return believes() ? state_.after.token : kNoToken; }
  // What a check of the work goes by. Ours compares its clock too: after a pause the watchdog may not have run yet.
  bool owns(SteadyTime now) const { return believes() && (!generation().compares_clock || now < deadline_); }
  // While it believes: when that ends unless the store is heard of again.
  SteadyTime owned_until() const { return deadline_; }
  const SimbaConfig& config() const { return config_; }
  const RandomStream& draws() const { return jitter_; }

  // Hints for the processor: a timer will fire, or a reply come.
  void fetch_for_timer() const { prefetch(&config_, &jitter_); }
  void fetch_for_reply() const { prefetch(&config_, &waiting_); }

 private:
  struct Flight {          // the lease call on its way; one at most
    std::uint64_t id = 0;  // 0 = none
    SteadyTime sent{};     // also of the last that was

    bool active() const { return id != 0; }
    void end() { id = 0; }
  };

  void on_start(Effects& out, Clocks now);
  void on_stop(Effects& out, Clocks now);
  void on_close(Effects& out, Clocks now);
  void on_timer(Timer timer, Effects& out, Clocks now);
  void on_callback_done(Effects& out, Clocks now);
  void on_work_done(Effects& out, Clocks now);
  void on_reply(const Reply& reply, Effects& out, Clocks now);
  void on_subscribed(const Reply& reply, Effects& out, Clocks now);
  void on_released(const Reply& reply, Effects& out, Clocks now);
  void on_lease_reply(const Reply& reply, Effects& out, Clocks now);
  void on_own_lease(const Reply& reply, const MutexOwner& owner, Effects& out, Clocks now);
  void on_own_term(const Reply& reply, const MutexOwner& owner, Effects& out, Clocks now);
  void on_another_term(const Reply& reply, const MutexOwner& owner, bool doubtful, Effects& out, Clocks now);
  void on_others_lease(const Reply& reply, const MutexOwner& owner, Effects& out, Clocks now);
  void on_failure(const Reply& reply, Effects& out, Clocks now);
  void on_late_reply(const Reply& reply, Effects& out, Clocks now);
  void on_store_event(const StoreEvent& event, Effects& out, Clocks now);
  void on_released_event(Effects& out, Clocks now);
  void on_handed_over(const StoreEvent& event, Effects& out, Clocks now);

  const Generation& generation() const { return leasescope::generation(config_.behaviour); }
  Duration margin() const;
  bool renews() const;  // the next lease call is a guard

  Request& send(RequestKind kind, Effects& out);
  void contend(Effects& out, Clocks now);  // now, or as soon as the call in flight has ended
  void call(RequestKind kind, Effects& out, Clocks now);
  void plan(Duration delay, Effects& out);
  void plan_after(const MutexOwner& owner, Effects& out, Clocks now);
  void wait_in_line(const Reply& reply, Effects& out, Clocks now);
  bool take_over(Effects& out, Clocks now);
  bool waits_in_line() const { return config_.wake_up == WakeUp::kHandOver; }
  bool stopping() const { return status_ == Status::kStopping; }
  void go_on_stopping(Effects& out, Clocks now);
  void leave(Effects& out, Clocks now);
  void free_lock(Effects& out);
  void release_term(Effects& out);
  void settle_stop(Effects& out);
  bool past_deadline(Clocks now) const { return now.steady >= deadline_; }
  void lose_lease(Effects& out);

  // What the application is told.
  MutexOwner owner_until(WallTime transition_at, Name owner, Token token) const;
  bool executor_is_behind() const { return late_ > Duration::zero() || !waiting_.empty(); }
  void tell(const MutexOwner& after, DisbeliefReason reason, Effects& out, Clocks now);
  bool change(const MutexOwner& after, DisbeliefReason reason, Effects& out, Clocks now);
  void call_back(const MutexState& state, Effects& out);
  void wait(const MutexOwner& after, DisbeliefReason reason, Effects& out, Clocks now);
  void await_executor(Effects& out, Clocks now);
  void run_waiting(Effects& out, Clocks now);

  // What a timer touches stands first, what only a reply does behind it, and last what waits for the application,
  // which is seldom anything: one of 100 000 contenders comes from far away, line by line.
  SimbaConfig config_;
  Flight flight_;
  // Of the lease last confirmed, on the steady clock, margin taken off; while there is doubt, of the term there may be.
  SteadyTime deadline_{};
  Token term_ = kNoToken;  // ours: the term that guard and release name, while holds_lease_
  std::uint64_t requests_ = 0;
  std::uint64_t lifecycle_call_ = 0;  // the subscribe or release that the status waits for
  Status status_ = Status::kInitial;
  bool holds_lease_ = false;        // by the last reply; decides renew or acquire from 3.2 on
  bool planned_ = false;            // the contend timer is armed
  bool doubtful_ = false;           // an acquire ended unknown: the store may hold for us
  bool close_asked_ = false;        // while it was starting
  bool contend_again_ : 1 = false;  // a wake-up came while a call was in flight
  bool in_callback_ : 1 = false;
  bool stop_waits_ : 1 = false;   // for the application's callbacks
  bool called_back_ : 1 = false;  // the application's latest callback was on_acquired
  bool works_ : 1 = false;        // what it does under the mutex has not come to its end
  bool in_line_ = false;          // it may have a place there, as far as it knows
  Duration late_{};               // what its executor is behind
  RandomStream jitter_;
  MutexState state_;
  Notifications waiting_;  // for the executor
  // Until then it does not ask at once again: a lease after it was deposed under its own id.
  SteadyTime calm_from_ = SteadyTime::min();
  // With kHandOver:
  SteadyTime placed_{};    // when it sent its last call that was answered "you wait", while in_line_
  Token seen_ = kNoToken;  // the highest token there was by any answer: a grant of it or of a lower one is an old tale
  Token handed_ = kNoToken;  // the highest that a message has told of
};

// The message a caller is told, as Simba words it.
std::string lifecycle_message(LifecycleError error, std::string_view mutex, Status status);

}  // namespace leasescope
