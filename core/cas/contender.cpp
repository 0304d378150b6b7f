#include "core/cas/contender.h"

#include <algorithm>
#include <utility>

namespace leasescope {
namespace {

constexpr Duration kShortestRetry = std::chrono::milliseconds(100);
constexpr Duration kLongestRetry = std::chrono::seconds(1);
constexpr Duration kLongestPoll = std::chrono::milliseconds(500);

template <class... Handlers>
struct Overloaded : Handlers... {
  using Handlers::operator()...;
};
template <class... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

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

// ---- life cycle

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

// ---- answers

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
      if (now.steady < mine_.until) return plan(std::min(kShortestRetry, retry), out);
      return freed(Ending::kUnknown, out, now);
  }
}

// ---- seeking

void CasContender::seek(Effects& out, Clocks now) {
  phase_ = Phase::kSeeks;
  invoke(acquire_operation(), out);
  begin_attempt(out, now);
}

// A register that may be its own already comes first.
void CasContender::begin_attempt(Effects& out, Clocks now) {
  const std::uint8_t count = cell_count(), first = first_cell();
  const bool traced = trace_.any && trace_.cell >= first && trace_.cell < first + count;
  cursor_ = traced ? trace_.cell : static_cast<std::uint8_t>(first + setting_.place % count);
  looked_ = 0;
  shortest_ = kForever;
  stage_ = reads() ? Stage::kWriter : Stage::kTake;
  look(reads() ? 0 : cursor_, out, now);
}

void CasContender::look(std::uint8_t cell, Effects& out, Clocks now) {
  send(RequestKind::kRead, Purpose::kLook, cell, out, now);
}

void CasContender::on_seen(const Reply& reply, std::uint8_t cell, Effects& out, Clocks now) {
  if (phase_ == Phase::kFrees) {  // blind: whoever it is
    const bool is_free = static_cast<CellMode>(reply.answer & ~kLeaseOver) == CellMode::kFree;
    return is_free ? freed(Ending::kOk, out, now)
                   : set(Purpose::kFree, cell, reply.number, CellMode::kFree, reply.token, out, now);
  }
  const Judged judged = judge(reply, cell, now);
  switch (stage_) {
    case Stage::kWriter:
      if (judged.as == Judged::As::kOver) return evict(reply, cell, out, now);
      if (judged.as == Judged::As::kBusy) {
        note_attempt(AttemptResult::kLost, RequestKind::kAcquire, judged.wait, reply.token, out);
        return wait(judged.wait, out, now);
      }
      stage_ = Stage::kTake;
      return look(cursor_, out, now);
    case Stage::kTake:
      return judged.as == Judged::As::kBusy ? next_cell(judged, out, now) : take(reply, cell, out, now);
    case Stage::kOthers:
    case Stage::kConfirm:
      return on_others_seen(reply, cell, judged, out, now);
  }
}

// The whole of a round was in vain: it sleeps until the first of them may be over.
void CasContender::next_cell(const Judged& busy, Effects& out, Clocks now) {
  shortest_ = std::min(shortest_, busy.wait);
  if (++looked_ < cell_count()) {
    cursor_ = static_cast<std::uint8_t>(first_cell() + (cursor_ - first_cell() + 1) % cell_count());
    return look(cursor_, out, now);
  }
  note_attempt(AttemptResult::kLost, RequestKind::kAcquire, shortest_, kNoToken, out);
  wait(shortest_, out, now);
}

void CasContender::take(const Reply& seen, std::uint8_t cell, Effects& out, Clocks now) {
  const bool claims = terms_.kind == CasTerms::Kind::kReadWrite;
  set(Purpose::kTake, cell, seen.number, claims ? CellMode::kClaimed : CellMode::kHeld,
      claims ? seen.token : next_token(seen.token, cell), out, now);
}

void CasContender::on_taken(const Reply& reply, const Flight& call, Effects& out, Clocks now) {
  if (!reply.done) {
    if (call.purpose == Purpose::kConfirm) {  // its claim was over, and somebody has swept it away
      mine_ = {};
      note_attempt(AttemptResult::kLost, RequestKind::kAcquire, Duration::zero(), reply.token, out);
      return begin_attempt(out, now);
    }
    if (judge(reply, call.cell, now).as != Judged::As::kBusy)
      note_attempt(AttemptResult::kLost, RequestKind::kAcquire, Duration::zero(), reply.token, out);
    return on_seen(reply, call.cell, out, now);
  }
  const bool claimed = terms_.kind == CasTerms::Kind::kReadWrite && call.purpose == Purpose::kTake;
  keep(reply, call, claimed ? CellMode::kClaimed : reads() ? CellMode::kShared : CellMode::kHeld);
  if (!claimed) return hold(out, now);
  stage_ = Stage::kOthers;
  cursor_ = reads() ? 0 : 1;
  look(cursor_, out, now);
}

// With its claim in the store it looks at the others: of a writer and a reader who both come at once, one at least sees
// the other.
void CasContender::on_others_seen(const Reply& reply, std::uint8_t cell, const Judged& judged, Effects& out,
                                  Clocks now) {
  if (judged.as == Judged::As::kOver) return evict(reply, cell, out, now);
  if (judged.as == Judged::As::kBusy) {
    note_attempt(AttemptResult::kLost, RequestKind::kAcquire, judged.wait, reply.token, out);
    shortest_ = judged.wait;
    return reads() ? give_up_claim(out, now) : wait(judged.wait, out, now);
  }
  if (reads()) return confirm(reply.token + 1, out, now);
  if (++cursor_ < terms_.cells()) return look(cursor_, out, now);
  confirm(mine_.token + 2, out, now);
}

// Only while the register still has the version of its claim.
void CasContender::confirm(Token token, Effects& out, Clocks now) {
  stage_ = Stage::kConfirm;
  set(Purpose::kConfirm, mine_.cell, mine_.version, reads() ? CellMode::kShared : CellMode::kHeld, token, out, now);
}

// Frees what is over. Whoever held it can neither renew nor confirm it any more.
void CasContender::evict(const Reply& seen, std::uint8_t cell, Effects& out, Clocks now) {
  set(Purpose::kEvict, cell, seen.number, CellMode::kFree, seen.token, out, now);
}

void CasContender::give_up_claim(Effects& out, Clocks now) {
  set(Purpose::kFree, mine_.cell, mine_.version, CellMode::kFree, mine_.token, out, now);
}

// Nobody tells of a release: it looks now and then, not all at once.
void CasContender::wait(Duration delay, Effects& out, Clocks now) {
  const auto half = static_cast<std::uint64_t>((poll() / 2).count());
  const Duration drawn = poll() / 2 + Duration(half == 0 ? 0 : static_cast<std::int64_t>(setting_.draws.below(half)));
  Duration until = std::clamp(delay, Duration::zero(), drawn);
  if (mine_.any) until = std::clamp(renew_at_ - now.steady, Duration::zero(), until);
  out.push(Note{EventKind::kWakeupPlanned, 0, kNoToken, until.count(), 0});
  plan(until, out);
}

// Whether the register is free, or its lease over; and if not, when it may be.
CasContender::Judged CasContender::judge(const Reply& reply, std::uint8_t cell, Clocks now) {
  using As = Judged::As;
  if (static_cast<CellMode>(reply.answer & ~kLeaseOver) == CellMode::kFree) return {As::kFree, {}};
  if (is_own_trace(reply, cell)) return {As::kOver, {}};
  switch (terms_.stamp) {
    case Stamp::kClient: {
      const Duration left = reply.remaining - now.wall.time_since_epoch();
      return {left <= Duration::zero() ? As::kOver : As::kBusy, left};
    }
    case Stamp::kServer: {
      const bool over = (reply.answer & kLeaseOver) != 0;
      const bool dated = terms_.wait == CasTerms::Wait::kDeadline;
      return {over ? As::kOver : As::kBusy, dated ? reply.remaining - now.wall.time_since_epoch() : reply.remaining};
    }
    case Stamp::kVersion: {
      // From the answer on, not from the question: until it left the store the version may have been a new one. And a
      // margin longer, for its own clock may be the faster one.
      Sight& sight = sights_[cell];
      if (sight.version != reply.number) sight = {reply.number, now.steady};
      const Duration left = reply.remaining + margin() - (now.steady - sight.since);
      return {left <= Duration::zero() ? As::kOver : As::kBusy, left};
    }
  }
  return {};
}

bool CasContender::is_own_trace(const Reply& reply, std::uint8_t cell) const {
  if (!trace_.any || trace_.cell != cell || reply.owner != setting_.id) return false;
  return reply.token == trace_.token || reply.number == trace_.version;
}

// ---- holding

// A lease that is over when it is told was none: what stands in the register is taken anew, at once.
void CasContender::hold(Effects& out, Clocks now) {
  note_attempt(AttemptResult::kWon, RequestKind::kAcquire, setting_.lease.ttl, mine_.token, out);
  if (now.steady >= mine_.until) {
    disown(out);
    return begin_attempt(out, now);
  }
  trace_ = {};
  phase_ = Phase::kHolds;
  end_call(Ending::kOk, mine_.token, out);
  tell(true, DisbeliefReason::kLost, out, now);
  out.push(Arm{CasTimer::kWatchdog, mine_.until - now.steady});
  plan(renew_at_ - now.steady, out);
  if (plan_.hold > Duration::zero()) out.push(Arm{CasTimer::kHold, plan_.hold});
}

void CasContender::renew(Effects& out, Clocks now) {
  if (phase_ != Phase::kSeeks) invoke(Operation::kRenew, out);
  set(Purpose::kRenew, mine_.cell, mine_.version, mine_.mode, mine_.token, out, now);
}

void CasContender::on_renewal(const Reply& reply, const Flight& call, Effects& out, Clocks now) {
  // An earlier one of its own, of which it never heard, was executed.
  if (!reply.done && reply.owner == setting_.id && reply.token == mine_.token) {
    mine_.version = reply.number;
    return renew(out, now);
  }
  if (reply.done) keep(reply, call, mine_.mode);
  if (phase_ == Phase::kSeeks) {  // a claim
    if (reply.done) return look(cursor_, out, now);
    mine_ = {};
    return begin_attempt(out, now);
  }
  end_call(reply.done ? Ending::kOk : Ending::kFailed, mine_.token, out);
  note_attempt(reply.done ? AttemptResult::kWon : AttemptResult::kLost, RequestKind::kGuard,
               reply.done ? setting_.lease.ttl : Duration::zero(), reply.token, out);
  if (!reply.done) return lose(DisbeliefReason::kLost, out, now);
  if (now.steady >= mine_.until) return lose(DisbeliefReason::kWatchdog, out, now);
  out.push(Arm{CasTimer::kWatchdog, mine_.until - now.steady});
  plan(std::max(Duration::zero(), Duration(renew_at_ - now.steady)), out);
}

// What it leaves in the register runs out by itself, or is found by its next attempt.
void CasContender::lose(DisbeliefReason reason, Effects& out, Clocks now) {
  const bool letting_go = phase_ == Phase::kLetsGo;
  const std::uint8_t cell = mine_.cell;
  if (calls_) end_call(Ending::kUnknown, kNoToken, out);  // a renewal on its way
  tell(false, reason, out, now);
  disown(out);
  if (terms_.release == CasTerms::Release::kBlind) {
    cursor_ = cell;
    phase_ = Phase::kFrees;
    return free_cell(out, now);
  }
  if (stopping()) return settle_stop(out);
  if (letting_go) return rest(out, now);
  seek(out, now);
}

// The application is told first; its last write ends while the lease is still kept alive, no longer than it lasts.
void CasContender::let_go(Effects& out, Clocks now) {
  phase_ = Phase::kLetsGo;
  tell(false, DisbeliefReason::kStop, out, now);
  go_on_letting_go(out, now);
}

void CasContender::go_on_letting_go(Effects& out, Clocks now) {
  if (phase_ != Phase::kLetsGo || in_callback_ || (works_ && now.steady < mine_.until)) return;
  if (calls_) end_call(Ending::kUnknown, kNoToken, out);  // a renewal on its way
  flight_ = {};
  out.push(Disarm{CasTimer::kWatchdog});
  phase_ = Phase::kFrees;
  cursor_ = mine_.cell;
  free_cell(out, now);
}

void CasContender::free_cell(Effects& out, Clocks now) {
  if (planned_) out.push(Disarm{CasTimer::kNext});
  planned_ = false;
  const bool claim = mine_.any && mine_.mode == CellMode::kClaimed;  // of which no application knows
  if (!claim) invoke(release_operation(), out);
  if (terms_.release == CasTerms::Release::kBlind) return look(mine_.any ? mine_.cell : cursor_, out, now);
  set(Purpose::kFree, mine_.cell, mine_.version, CellMode::kFree, mine_.token, out, now);
}

void CasContender::on_freed(const Reply& reply, const Flight& call, Effects& out, Clocks now) {
  if (!reply.done && mine_.any && reply.owner == setting_.id && reply.token == mine_.token) {
    mine_.version = reply.number;  // an earlier write of its own was executed meanwhile
    return set(Purpose::kFree, mine_.cell, mine_.version, CellMode::kFree, mine_.token, out, now);
  }
  if (phase_ == Phase::kSeeks) {  // a claim: the other goes first
    mine_ = {};
    return wait(shortest_, out, now);
  }
  // Blind, it frees what it finds, however often that changes.
  if (!reply.done && terms_.release == CasTerms::Release::kBlind) return on_seen(reply, call.cell, out, now);
  freed(reply.done ? Ending::kOk : Ending::kFailed, out, now);
}

void CasContender::freed(Ending ending, Effects& out, Clocks now) {
  end_call(ending, kNoToken, out);
  mine_ = {};
  if (ending != Ending::kUnknown) trace_ = {};
  if (stopping()) return settle_stop(out);
  rest(out, now);
}

void CasContender::rest(Effects& out, Clocks now) {
  if (plan_.rest <= Duration::zero()) return seek(out, now);
  phase_ = Phase::kRests;
  out.push(Arm{CasTimer::kHold, plan_.rest});
}

// ---- what they share

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

void CasContender::tell(bool owns, DisbeliefReason reason, Effects& out, Clocks now) {
  if (owns == believes_) return;
  MutexOwner us;
  us.owner = setting_.id;
  us.acquired_at = now.wall;
  us.ttl_at = us.transition_at = now.wall + (mine_.until - now.steady);
  us.token = mine_.token;
  if (owns)
    out.push(
        Note{EventKind::kBelieved, 0, mine_.token, (mine_.until - now.steady).count(), setting_.lease.ttl.count()});
  else
    out.push(Note{EventKind::kDisbelieved, static_cast<std::uint8_t>(reason), mine_.token});
  believes_ = owns;
  if (owns) works_ = true;
  in_callback_ = owns && setting_.reports_callbacks;
  out.push(Notify{owns ? MutexState{MutexOwner::none(), us} : MutexState{us, MutexOwner::none()}});
}

// Told as what it was meant for: to take, or to renew.
void CasContender::note_attempt(AttemptResult result, RequestKind meant, Duration left, Token token,
                                Effects& out) const {
  const Duration told = result == AttemptResult::kFailed ? left : std::max(Duration::zero(), left);
  out.push(Note{EventKind::kAttempt, static_cast<std::uint8_t>(result), token, told.count(),
                static_cast<std::int64_t>(meant)});
}

void CasContender::invoke(Operation operation, Effects& out) {
  if (calls_) return;  // it still waits for that
  calls_ = true;
  operation_ = operation;
  out.push(
      Note{EventKind::kInvoked, static_cast<std::uint8_t>(operation), kNoToken, static_cast<std::int64_t>(++uid_), 1});
}

void CasContender::end_call(Ending ending, Token token, Effects& out) {
  if (!std::exchange(calls_, false)) return;
  out.push(Note{EventKind::kReturned, static_cast<std::uint8_t>(operation_), ending == Ending::kOk ? token : kNoToken,
                static_cast<std::int64_t>(uid_), static_cast<std::int64_t>(ending)});
}

Operation CasContender::acquire_operation() const {
  if (terms_.kind == CasTerms::Kind::kLock) return Operation::kLock;
  if (terms_.kind == CasTerms::Kind::kSemaphore) return Operation::kAcquire;
  return reads() ? Operation::kReadLock : Operation::kWriteLock;
}

Operation CasContender::release_operation() const {
  if (terms_.kind == CasTerms::Kind::kLock) return Operation::kUnlock;
  if (terms_.kind == CasTerms::Kind::kSemaphore) return Operation::kRelease;
  return reads() ? Operation::kReadUnlock : Operation::kWriteUnlock;
}

std::uint8_t CasContender::cell_count() const {
  const int count = reads() ? terms_.readers : terms_.kind == CasTerms::Kind::kSemaphore ? terms_.permits : 1;
  return static_cast<std::uint8_t>(count);
}

// So that a token tells its permit: those of one permit are alike modulo their number.
Token CasContender::next_token(Token last, std::uint8_t cell) const {
  const Token permits = terms_.capacity();
  return (last / permits + 1) * permits + cell;
}

Duration CasContender::margin() const { return lease_margin(setting_.lease); }

Duration CasContender::heartbeat() const {
  return terms_.heartbeat > Duration::zero() ? terms_.heartbeat : setting_.lease.ttl / 3;
}

Duration CasContender::poll() const {
  return terms_.poll > Duration::zero() ? terms_.poll : std::min(setting_.lease.ttl / 3, kLongestPoll);
}

}  // namespace leasescope
