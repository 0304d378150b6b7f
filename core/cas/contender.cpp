#include "core/cas/contender.h"

#include <algorithm>
#include <utility>

#include "core/base/overloaded.h"

namespace leasescope {
namespace {

constexpr Duration kShortestRetry = std::chrono::milliseconds(100);
constexpr Duration kLongestRetry = std::chrono::seconds(1);
constexpr Duration kLongestPoll = std::chrono::milliseconds(500);

}  // namespace

CasContender::CasContender(const ContenderSetting& setting, const Terms& terms, const Plan& plan)
    : setting_(setting), terms_(terms), plan_(plan) {
  if (terms.stamp == Stamp::kVersion) sights_.resize(static_cast<std::size_t>(terms.cells()));
}

CasContender CasContender::reborn(Name id) const {
  ContenderSetting setting = setting_;
  setting.id = id;
  return {setting, terms_, plan_};
}

Effects CasContender::step(const Input& input, Clocks now) {
  Effects out;
  std::visit(Overloaded{[&](const Start&) { on_start(out, now); }, [&](const Stop&) { on_stop(out, now); },
                        [&](const Close&) {
                          if (status_ == Status::kRunning) on_stop(out, now);
                        },
                        [&](const TimerFired& fired) { on_timer(fired.timer, out, now); },
                        [&](const CallbackDone&) {
                          in_callback_ = false;
                          go_on_letting_go(out, now);
                        },
                        [&](const WorkDone&) { on_work_done(out, now); },
                        [&](const Reply& reply) { on_reply(reply, out, now); }, [&](const auto&) {}},
             input);
  return out;
}

void CasContender::on_start(Effects& out, Clocks now) {
  if (status_ != Status::kInitial) {
    out.push(Refuse{LifecycleError::kCannotStart, status_});
    return;
  }
  status_ = Status::kRunning;
  out.push(Note{EventKind::kStarted});
  if (setting_.initial_delay <= Duration::zero()) return seek(out, now);
  phase_ = Phase::kRests;
  out.push(Arm{CasTimer::kHold, setting_.initial_delay});
}

// The work is stopped first, then the lock is given back; whoever only seeks gives back what it may just be taking.
void CasContender::on_stop(Effects& out, Clocks now) {
  if (status_ != Status::kRunning) {
    out.push(Refuse{LifecycleError::kCannotStop, status_});
    return;
  }
  status_ = Status::kStopping;
  switch (phase_) {
    case Phase::kRests:
      return settle_stop(out);
    case Phase::kSeeks:
      end_call(Ending::kFailed, kNoToken, out);
      if (flight_.active()) return;  // whatever it comes to
      if (!mine_.any) return settle_stop(out);
      phase_ = Phase::kFrees;
      return free_cell(out, now);
    case Phase::kHolds:
      return let_go(out, now);
    case Phase::kLetsGo:
    case Phase::kFrees:
      return;  // it is about to
  }
}

void CasContender::settle_stop(Effects& out) {
  for (const Timer timer : {CasTimer::kNext, CasTimer::kWatchdog, CasTimer::kHold}) out.push(Disarm{timer});
  planned_ = false;
  mine_ = {};
  phase_ = Phase::kRests;  // what it did under the mutex may come to its end later
  status_ = Status::kInitial;
  out.push(Note{EventKind::kStopped});
}

void CasContender::on_timer(Timer timer, Effects& out, Clocks now) {
  if (status_ == Status::kInitial) return;
  if (timer == CasTimer::kHold) {
    if (phase_ == Phase::kRests) return seek(out, now);
    if (phase_ == Phase::kHolds) return let_go(out, now);
    return;
  }
  if (timer == CasTimer::kWatchdog) {
    if (!mine_.any || phase_ == Phase::kSeeks || phase_ == Phase::kFrees) return;
    // A loop that cannot wait for as long as that fires early.
    if (now.steady < mine_.until) return out.push(Arm{CasTimer::kWatchdog, mine_.until - now.steady});
    return lose(DisbeliefReason::kWatchdog, out, now);
  }
  planned_ = false;
  if (flight_.active()) return;
  switch (phase_) {
    case Phase::kRests:
      return;
    case Phase::kSeeks:
      if (!mine_.any) return begin_attempt(out, now);
      return now.steady >= renew_at_ ? renew(out, now) : look(cursor_, out, now);
    case Phase::kHolds:
    case Phase::kLetsGo:
      return renew(out, now);
    case Phase::kFrees:
      return free_cell(out, now);
  }
}

void CasContender::on_work_done(Effects& out, Clocks now) {
  if (believes_) return;  // it has begun anew meanwhile
  works_ = false;
  go_on_letting_go(out, now);
}

void CasContender::on_reply(const Reply& reply, Effects& out, Clocks now) {
  if (!flight_.active() || reply.request != flight_.id) return;
  const Flight call = std::exchange(flight_, {});
  // Whatever is known of what was held has ended, though the watchdog may not have run yet.
  const bool held = phase_ == Phase::kHolds || phase_ == Phase::kLetsGo;
  if (held && now.steady >= mine_.until && (reply.ending != Ending::kOk || !reply.done))
    return lose(DisbeliefReason::kWatchdog, out, now);
  if (reply.ending != Ending::kOk) return on_failure(reply, call, out, now);
  if (phase_ == Phase::kSeeks && stopping()) {
    const bool took = call.purpose == Purpose::kTake || call.purpose == Purpose::kConfirm;
    if (took && reply.done) keep(reply, call, CellMode::kClaimed);
    if (call.purpose == Purpose::kRenew && reply.done) keep(reply, call, mine_.mode);
    if (call.purpose == Purpose::kFree) mine_ = {};
    if (!mine_.any) return settle_stop(out);
    phase_ = Phase::kFrees;
    return free_cell(out, now);
  }
  switch (call.purpose) {
    case Purpose::kLook:
      return on_seen(reply, call.cell, out, now);
    case Purpose::kTake:
    case Purpose::kConfirm:
      return on_taken(reply, call, out, now);
    case Purpose::kEvict:
      // Of the register as it is now, whoever has changed it.
      return on_seen(reply, call.cell, out, now);
    case Purpose::kRenew:
      return on_renewal(reply, call, out, now);
    case Purpose::kFree:
      return on_freed(reply, call, out, now);
  }
}

// What it wrote may stand in the register or not.
void CasContender::on_failure(const Reply& reply, const Flight& call, Effects& out, Clocks now) {
  if (call.purpose != Purpose::kLook && call.purpose != Purpose::kEvict)
    trace_ = {true, call.cell, mine_.any && mine_.cell == call.cell ? mine_.version : 0, call.token};
  const bool unknown = reply.ending == Ending::kUnknown;
  const auto result = unknown ? AttemptResult::kUnknown : AttemptResult::kFailed;
  const auto words = Duration(reply.error.handle);
  const Duration retry = std::min({setting_.lease.ttl, poll(), kLongestRetry});
  switch (phase_) {
    case Phase::kRests:
      return;
    case Phase::kSeeks:
      note_attempt(result, RequestKind::kAcquire, unknown ? Duration::zero() : words, kNoToken, out);
      mine_ = {};
      if (stopping()) return settle_stop(out);
      return wait(retry, out, now);
    case Phase::kHolds:
    case Phase::kLetsGo: {
      note_attempt(result, RequestKind::kGuard, unknown ? Duration::zero() : words, kNoToken, out);
      if (calls_) end_call(unknown ? Ending::kUnknown : Ending::kFailed, kNoToken, out);
      const Duration left = mine_.until - now.steady;
      return plan(std::clamp(left / 2, std::min(kShortestRetry, heartbeat()), heartbeat()), out);
    }
    case Phase::kFrees:
      may_be_free_ = may_be_free_ || unknown;
      if (now.steady < mine_.until) return plan(std::min(kShortestRetry, retry), out);
      return freed(Ending::kUnknown, out, now);
  }
}

Request& CasContender::send(RequestKind kind, Purpose purpose, std::uint8_t cell, Effects& out, Clocks now) {
  if (planned_) out.push(Disarm{CasTimer::kNext});
  planned_ = false;
  flight_ = {++requests_, now.steady, purpose, cell, kNoToken};
  Request& call = out.send();
  call.id = requests_;
  call.kind = kind;
  call.mutex = setting_.mutex;
  call.contender = setting_.id;
  call.timeout = setting_.timeout;
  call.cell = CellCall{};
  call.cell.cell = cell;
  call.cell.by = terms_.stamp;
  call.cell.dated = terms_.stamp == Stamp::kServer && terms_.wait == CasTerms::Wait::kDeadline;
  return call;
}

void CasContender::set(Purpose purpose, std::uint8_t cell, std::uint64_t version, CellMode mode, Token token,
                       Effects& out, Clocks now) {
  Request& call = send(RequestKind::kCompareAndSet, purpose, cell, out, now);
  flight_.token = token;
  call.cell.version = version;
  call.cell.mode = mode;
  call.cell.token = token;
  const Duration ttl = setting_.lease.ttl;
  call.cell.stamp = terms_.stamp == Stamp::kClient ? now.wall.time_since_epoch() + ttl : ttl;
}

void CasContender::keep(const Reply& reply, const Flight& call, CellMode mode) {
  mine_ = {true, mode, call.cell, reply.number, call.token, call.sent + setting_.lease.ttl - margin()};
  renew_at_ = call.sent + heartbeat();
}

void CasContender::plan(Duration delay, Effects& out) {
  planned_ = true;
  out.push(Arm{CasTimer::kNext, delay});
}

void CasContender::disown(Effects& out) {
  trace_ = {true, mine_.cell, mine_.version, mine_.token};
  mine_ = {};
  flight_ = {};
  for (const Timer timer : {CasTimer::kNext, CasTimer::kWatchdog, CasTimer::kHold}) out.push(Disarm{timer});
  planned_ = false;
}

Duration CasContender::heartbeat() const {
  return terms_.heartbeat > Duration::zero() ? terms_.heartbeat : setting_.lease.ttl / 3;
}

Duration CasContender::poll() const {
  return terms_.poll > Duration::zero() ? terms_.poll : std::min(setting_.lease.ttl / 3, kLongestPoll);
}

}  // namespace leasescope
