#include "core/quorum/contender.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/time/duration_text.h"

namespace leasescope {
namespace {

template <class... Handlers>
struct Overloaded : Handlers... {
  using Handlers::operator()...;
};
template <class... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

// A server that does not answer may cost a part of the lease at most: the others are to be asked meanwhile.
constexpr Duration kShareOfTtl{10};
constexpr Duration kLongestTtl = std::chrono::milliseconds(INT32_MAX);

std::uint8_t bit(std::uint8_t server) { return static_cast<std::uint8_t>(1U << server); }

}  // namespace

std::optional<std::string> wrong_ttl(Duration ttl) {
  if (ttl <= kLongestTtl) return std::nullopt;
  return fmt::format(
      "{} is longer than a timer of 31 bits of milliseconds can tell, and would end after 1ms: expected "
      "{} at most; a lock that is to last is extended ([quorum] extend = \"held\")",
      format_duration(ttl), format_duration(kLongestTtl));
}

std::string QuorumContender::advice(const Terms& terms) {
  if (terms.servers % 2 != 0) return {};
  return fmt::format(
      "quorum.servers is {0}: a majority of {0} servers is {1}, so that {2} may fail, no more than of {3}; "
      "one of them is wasted",
      terms.servers, terms.majority(), terms.servers - terms.majority(), terms.servers - 1);
}

Effects QuorumContender::step(const Input& input, Clocks now) {
  Effects out;
  std::visit(Overloaded{[&](const Start&) { on_start(out); }, [&](const Stop&) { on_stop(out, now); },
                        [&](const Close&) {
                          if (status_ == Status::kRunning) on_stop(out, now);
                        },
                        [&](const TimerFired& fired) { on_timer(fired.timer, out, now); },
                        [&](const CallbackDone&) {
                          in_callback_ = false;
                          on_settled(out, now);
                        },
                        [&](const WorkDone&) {
                          if (told_) return;  // it has begun anew meanwhile
                          works_ = false;
                          on_settled(out, now);
                        },
                        [&](const Reply& reply) { on_reply(reply, out, now); },
                        [&](const StoreEvent& event) { on_message(event, out, now); }, [](const ExecutorLate&) {}},
             input);
  return out;
}

QuorumContender QuorumContender::reborn(Name id) const {
  QuorumContender next(setting_, terms_, plan_);
  next.setting_.id = id;
  next.calls_ = calls_;
  return next;
}

// ---- life cycle

void QuorumContender::on_start(Effects& out) {
  if (status_ != Status::kInitial) {
    out.push(Refuse{LifecycleError::kCannotStart, status_});
    return;
  }
  status_ = Status::kRunning;
  phase_ = Phase::kResting;
  passes_on_ = works_ = in_callback_ = told_ = lost_ = false;
  uid_ = 0;
  out.push(Note{EventKind::kStarted});
  for (int server = 0; server < terms_.servers; ++server) send(RequestKind::kSubscribe, server, out);
  out.push(Arm{QuorumTimer::kCycle, setting_.initial_delay});
}

// The work is stopped first; then the servers get back what they hold, and last it leaves the channel.
void QuorumContender::on_stop(Effects& out, Clocks now) {
  if (status_ != Status::kRunning) {
    out.push(Refuse{LifecycleError::kCannotStop, status_});
    return;
  }
  status_ = Status::kStopping;
  switch (phase_) {
    case Phase::kHolding:
      if (void_) {
        disbelieve(DisbeliefReason::kStop, out);
        phase_ = Phase::kYielding;
      } else {
        handles_ = 1;
        leave(out, now);
      }
      break;
    case Phase::kYielding:
      break;
    default:
      if (asks()) take_back(out);
      if (uid_ != 0) refused(out);
      rest(out);
      break;
  }
}

void QuorumContender::finish_stop(Effects& out) {
  if (release_.uid != 0) return;  // the last answer goes on with it
  for (int server = 0; server < terms_.servers; ++server) send(RequestKind::kUnsubscribe, server, out);
  status_ = Status::kInitial;
  out.push(Note{EventKind::kStopped});
}

// ---- inputs

void QuorumContender::on_timer(Timer timer, Effects& out, Clocks now) {
  if (status_ == Status::kInitial) return;
  if (timer == QuorumTimer::kCycle) return on_cycle(out, now);
  if (timer == QuorumTimer::kWatch) return on_watch(out, now);
  on_aside(out, now);
}

void QuorumContender::on_cycle(Effects& out, Clocks now) {
  if (phase_ == Phase::kHolding) return leave(out, now);
  if (phase_ != Phase::kResting) return;
  if (stopping()) return finish_stop(out);
  uid_ == 0 ? ask(out, now) : attempt(out, now);
}

void QuorumContender::on_watch(Effects& out, Clocks now) {
  switch (phase_) {
    case Phase::kObtaining:
      if (now.steady >= deadline_) fail_attempt(out, now);
      break;
    case Phase::kAwaiting:
      if (now.steady < wait_until_) return out.push(Arm{QuorumTimer::kWatch, wait_until_ - now.steady});
      // As it was published its own limit is not looked at while it waits.
      if (thief_count_ > 0 || terms_.waits_for_all_of_it() || (terms_.corrected() && past_limit(now.steady)))
        return give_up_theft(out, now);
      hold(false, out, now);
      break;
    case Phase::kHolding:
      if (void_ || terms_.extend == QuorumTerms::Extend::kSetMissing) return;
      if (now.steady < deadline_) return out.push(Arm{QuorumTimer::kWatch, deadline_ - now.steady});
      let_go(DisbeliefReason::kWatchdog, out, now);
      break;
    case Phase::kYielding:
      // Nobody waits for the work longer than the lease lasts.
      if (thief_count_ > 0 || now.steady < deadline_) return;
      works_ = in_callback_ = false;
      yield(out, now);
      break;
    case Phase::kResting:
      break;
  }
}

void QuorumContender::on_aside(Effects& out, Clocks now) {
  if (phase_ == Phase::kYielding && settled()) {
    acknowledge_all(out);
    return yield(out, now);
  }
  if (phase_ != Phase::kHolding || void_ || stopping() || round_.open) return;
  if (handles_ < plan_.handles && reentry_uid_ == 0) return re_enter(out, now);
  if (terms_.extend != QuorumTerms::Extend::kNever) extend(out, now);
}

void QuorumContender::on_reply(const Reply& reply, Effects& out, Clocks now) {
  seen_ = std::max(seen_, reply.token);
  if (release_.has(reply.request)) return on_given_back(reply, out);
  if (!round_.has(reply.request, terms_.servers)) return;
  const auto server = static_cast<std::uint8_t>(reply.request - round_.first);
  if ((round_.answered & bit(server)) != 0) return;
  round_.answered |= bit(server);
  round_.failed = round_.failed || reply.ending == Ending::kFailed;
  round_.unknown = round_.unknown || reply.ending == Ending::kUnknown;
  if (reply.kind == RequestKind::kExtend) return on_extended(reply, server, out, now);
  if (phase_ == Phase::kHolding && reentry_uid_ != 0) return on_reentered(reply, server, out, now);
  on_obtained(reply, server, out, now);
}

void QuorumContender::on_message(const StoreEvent& event, Effects& out, Clocks now) {
  if (event.kind == StoreEventKind::kStolen) return on_stolen(event, out, now);
  if (event.kind == StoreEventKind::kLetGo) on_acknowledged(event, out, now);
}

void QuorumContender::on_settled(Effects& out, Clocks now) {
  if (phase_ == Phase::kYielding) yield(out, now);
}

// ---- asking

void QuorumContender::ask(Effects& out, Clocks now) {
  if (release_.uid != 0) end_release(Ending::kUnknown, out);  // one call after the other
  uid_ = next_uid();
  failures_ = 0;
  limit_at_ = now.steady + plan_.limit;
  out.push(Note{EventKind::kInvoked, static_cast<std::uint8_t>(Operation::kLock), kNoToken,
                static_cast<std::int64_t>(uid_), 0});
  attempt(out, now);
}

void QuorumContender::attempt(Effects& out, Clocks now) {
  phase_ = Phase::kObtaining;
  acquisition_ = setting_.draws.next() | 1;  // 0 is none
  token_ = terms_.fence ? seen_ + 1 : kNoToken;
  victim_count_ = thief_count_ = 0;
  had_majority_ = false;
  reentry_uid_ = 0;
  deadline_ = now.steady + ttl() - clock_drift(ttl());
  send_round(RequestKind::kObtain, out, now);
  out.push(Arm{QuorumTimer::kWatch, deadline_ - now.steady});
}

void QuorumContender::on_obtained(const Reply& reply, std::uint8_t server, Effects& out, Clocks now) {
  const bool answered = reply.ending == Ending::kOk;
  const auto answer = static_cast<QuorumAnswer>(reply.answer);
  const bool stole = answered && answer == QuorumAnswer::kFromVictim;
  if (answered && !reply.done) {
    round_.maybe &= static_cast<std::uint8_t>(~bit(server));
    round_.remaining = std::max(round_.remaining, reply.remaining);
    if (answer == QuorumAnswer::kBehind) round_.behind |= bit(server);
  }
  if (answered && reply.done) round_.granted |= bit(server);
  if (acquisition_ == 0 || passes_on_) return;
  if (stole) victims_[victim_count_++] = {reply.owner, reply.number, server, false};
  if (phase_ == Phase::kAwaiting || phase_ == Phase::kHolding) {
    // It has its majority already: whoever held one is known. This one has to hear of it all the same.
    if (stole) tell(RequestKind::kTell, server, reply.owner, reply.number, acquisition_, out);
    return;
  }
  if (phase_ != Phase::kObtaining) return;
  if (thief_count_ > 0) return all_answered() ? on_stolen_attempt(out, now) : void();
  if (enough(round_.granted)) return on_majority(out, now);
  if (all_answered()) fail_attempt(out, now);
}

// It will not come to a lock. Whom it stole from must have let go before its thief may work.
void QuorumContender::on_stolen_attempt(Effects& out, Clocks now) {
  if (victim_count_ > 0) return await(out, now);
  acknowledge_all(out);
  fail_attempt(out, now);
}

// Nobody needs to wait for what it has not got, nor for whom it has not taken it from.
bool QuorumContender::clean() const {
  return (had_majority_ || (all_answered() && !round_.unknown)) &&
         std::all_of(victims_.begin(), victims_.begin() + victim_count_,
                     [](const Victim& victim) { return victim.acknowledged; });
}

void QuorumContender::end_attempt() {
  if (acquisition_ != 0 && clean()) cleared_[next_cleared_++ % kMostCleared] = acquisition_;
  acquisition_ = 0;
  thief_count_ = 0;
}

void QuorumContender::on_majority(Effects& out, Clocks now) {
  if (now.steady >= deadline_) return fail_attempt(out, now);
  had_majority_ = true;
  out.push(Note{EventKind::kAttempt, static_cast<std::uint8_t>(AttemptResult::kWon), token_,
                (deadline_ - now.steady).count(), static_cast<std::int64_t>(RequestKind::kObtain)});
  victim_count_ == 0 ? hold(true, out, now) : await(out, now);
}

// What a majority of servers granted is taken back where it did not come to one.
void QuorumContender::fail_attempt(Effects& out, Clocks now) {
  const AttemptResult result = round_.unknown  ? AttemptResult::kUnknown
                               : round_.failed ? AttemptResult::kFailed
                                               : AttemptResult::kLost;
  const bool failed = result == AttemptResult::kFailed;
  out.push(Note{EventKind::kAttempt, static_cast<std::uint8_t>(result), kNoToken, failed ? 0 : round_.remaining.count(),
                static_cast<std::int64_t>(RequestKind::kObtain)});
  take_back(out);
  try_again(out, now);
}

void QuorumContender::try_again(Effects& out, Clocks now) {
  end_attempt();
  round_.open = false;
  if (stopping()) {
    refused(out);
    return rest(out);
  }
  // Where only its fence was too low it knows a better one by now.
  const bool at_once = enough(round_.granted | round_.behind) && round_.behind != 0;
  const Duration delay = at_once ? Duration::zero() : retry_delay(failures_++);
  if (past_limit(now.steady + delay)) {
    refused(out);
    return rest(out);
  }
  phase_ = Phase::kResting;
  out.push(Arm{QuorumTimer::kCycle, delay});
}

void QuorumContender::refused(Effects& out) {
  note_returned(Operation::kLock, uid_, Ending::kFailed, kNoToken, out);
  uid_ = 0;
}

void QuorumContender::await(Effects& out, Clocks now) {
  const auto share = Duration(ttl().count() / 1'000'000 * terms_.consistency_ppm);
  wait_until_ = std::min(deadline_, round_.sent + share);
  if (terms_.corrected() && plan_.limit > Duration::zero()) wait_until_ = std::min(wait_until_, limit_at_);
  // One that takes over unconfirmed claims the lock for as long as its lease lasts.
  const bool gives_up = terms_.waits_for_all_of_it() || past_limit(wait_until_);
  claim_until_ = now.wall + ((gives_up ? wait_until_ : deadline_) - now.steady);
  for (std::size_t i = 0; i < victim_count_; ++i)
    tell(RequestKind::kTell, victims_[i].by, victims_[i].who, victims_[i].acquisition, acquisition_, out);
  phase_ = Phase::kAwaiting;
  if (terms_.consistency_ppm == 0 && thief_count_ == 0) return hold(false, out, now);
  out.push(Arm{QuorumTimer::kWatch, std::max(Duration::zero(), Duration(wait_until_ - now.steady))});
}

void QuorumContender::on_acknowledged(const StoreEvent& event, Effects& out, Clocks now) {
  if (acquisition_ == 0 || event.acquisition != acquisition_) return;
  bool all = true;
  for (std::size_t i = 0; i < victim_count_; ++i) {
    Victim& victim = victims_[i];
    if (victim.who == event.owner && victim.acquisition == event.by) victim.acknowledged = true;
    all = all && victim.acknowledged;
  }
  if (!all) return;
  if (phase_ == Phase::kHolding) unconfirmed_ = false;
  if (phase_ == Phase::kAwaiting) on_all_acknowledged(out, now);
}

void QuorumContender::on_all_acknowledged(Effects& out, Clocks now) {
  if (thief_count_ > 0) {  // it was stolen from meanwhile: now it may say so
    if (!clean()) return give_up_theft(out, now);
    passes_on_ = true;
    phase_ = Phase::kYielding;
    return yield(out, now);
  }
  if (past_limit(now.steady)) {  // as it was published nobody looked before; its victim has let go for nothing
    take_back(out);
    return try_again(out, now);
  }
  hold(true, out, now);
}

// Nobody has acknowledged: as though it had never been acquired.
void QuorumContender::give_up_theft(Effects& out, Clocks now) {
  take_back(out);
  try_again(out, now);
}

// As it was published the key is freed, whoever had it before. Corrected, who had it before has it again. Who has held
// it gives it back either way.
void QuorumContender::take_back(Effects& out) {
  const bool aborts = terms_.corrected() && asks();
  for (std::uint8_t server = 0; server < servers(terms_); ++server) {
    if ((round_.maybe & bit(server)) == 0) continue;
    Request& call = send(aborts ? RequestKind::kAbort : RequestKind::kGiveBack, server, out);
    call.quorum = {acquisition_, 0, Duration::zero(), {0}, {}};
  }
}

// ---- holding

void QuorumContender::hold(bool confirmed, Effects& out, Clocks now) {
  if (now.steady >= deadline_) return give_up_theft(out, now);
  phase_ = Phase::kHolding;
  believes_ = told_ = works_ = true;
  unconfirmed_ = !confirmed && terms_.corrected();
  void_ = false;
  round_.open = false;
  in_callback_ = setting_.reports_callbacks;
  handles_ = 1;
  failures_ = 0;
  const Duration left = deadline_ - now.steady;
  note_returned(Operation::kLock, uid_, Ending::kOk, token_, out);
  uid_ = 0;
  out.push(Note{EventKind::kBelieved,
                static_cast<std::uint8_t>(unconfirmed_ ? BeliefKind::kUnconfirmed : BeliefKind::kGranted), token_,
                left.count(), ttl().count()});
  const WallTime ends = now.wall + left;
  out.push(Notify{{MutexOwner::none(), {setting_.id, now.wall, ends, ends, token_}}});
  if (plan_.hold > Duration::zero()) out.push(Arm{QuorumTimer::kCycle, plan_.hold});
  out.push(Arm{QuorumTimer::kWatch, left});
  plan_aside(out, now);
}

// The next handle at once; else an extension, a third of the ttl after the last.
void QuorumContender::plan_aside(Effects& out, Clocks now) {
  if (handles_ < plan_.handles && reentry_uid_ == 0) {
    out.push(Arm{QuorumTimer::kAside, Duration::zero()});
  } else if (terms_.extend != QuorumTerms::Extend::kNever) {
    constexpr int kThird = 3;
    out.push(Arm{QuorumTimer::kAside, std::max(Duration::zero(), Duration(round_.sent + ttl() / kThird - now.steady))});
  }
}

void QuorumContender::re_enter(Effects& out, Clocks now) {
  reentry_uid_ = next_uid();
  out.push(Note{EventKind::kInvoked, static_cast<std::uint8_t>(Operation::kTryLock), kNoToken,
                static_cast<std::int64_t>(reentry_uid_), 0});
  const std::uint8_t held = round_.maybe;
  send_round(RequestKind::kObtain, out, now);
  round_.maybe = held;  // nothing new is held by it
}

void QuorumContender::on_reentered(const Reply& reply, std::uint8_t server, Effects& out, Clocks now) {
  if (reply.ending == Ending::kOk && static_cast<QuorumAnswer>(reply.answer) == QuorumAnswer::kReentrant)
    round_.granted |= bit(server);
  if (!round_.open) return;
  const bool entered = enough(round_.granted);
  if (!entered && !hopeless()) return;
  round_.open = false;
  note_returned(Operation::kTryLock, reentry_uid_, entered ? Ending::kOk : Ending::kFailed, token_, out);
  if (entered) out.push(Note{EventKind::kReentered, 0, token_, 0, ++handles_});
  if (entered) reentry_uid_ = 0;  // or there will be no more of them
  plan_aside(out, now);
}

void QuorumContender::extend(Effects& out, Clocks now) {
  const std::uint8_t held = round_.maybe;
  send_round(RequestKind::kExtend, out, now);
  round_.maybe |= held;
}

void QuorumContender::on_extended(const Reply& reply, std::uint8_t server, Effects& out, Clocks now) {
  if (reply.ending == Ending::kOk && reply.done) round_.granted |= bit(server);
  if (phase_ != Phase::kHolding || void_ || !round_.open) return;
  const bool extended = enough(round_.granted);
  if (!extended && !hopeless()) return;
  round_.open = false;
  const AttemptResult result = extended         ? AttemptResult::kWon
                               : round_.unknown ? AttemptResult::kUnknown
                                                : AttemptResult::kLost;
  if (extended) deadline_ = round_.sent + ttl() - clock_drift(ttl());
  out.push(Note{EventKind::kAttempt, static_cast<std::uint8_t>(result), token_,
                extended ? (deadline_ - now.steady).count() : 0, static_cast<std::int64_t>(RequestKind::kExtend)});
  if (extended) {
    out.push(Arm{QuorumTimer::kWatch, std::max(Duration::zero(), Duration(deadline_ - now.steady))});
  } else if (terms_.extend == QuorumTerms::Extend::kSetMissing) {
    return let_go(DisbeliefReason::kLost, out, now);
  }
  plan_aside(out, now);
}

// One handle after the other, each held for as long. As it was published the first to leave frees the lock, and the
// others go on as if they held it.
void QuorumContender::leave(Effects& out, Clocks now) {
  const bool watched = !void_ && terms_.extend != QuorumTerms::Extend::kSetMissing;
  if (watched && now.steady >= deadline_) {  // the watchdog has not run yet
    let_go(DisbeliefReason::kWatchdog, out, now);
    if (void_ && plan_.hold > Duration::zero()) out.push(Arm{QuorumTimer::kCycle, plan_.hold});
    return;
  }
  if (release_.uid != 0) end_release(Ending::kUnknown, out);  // of the handle before
  const std::uint64_t uid = next_uid();
  out.push(Note{EventKind::kInvoked, static_cast<std::uint8_t>(Operation::kUnlock), token_,
                static_cast<std::int64_t>(uid), 0});
  if (--handles_ > 0) {
    if (!terms_.corrected() && !void_) {
      give_back(uid, out);
      void_ = true;
      end_attempt();
      round_.first = 0;
    } else {
      note_returned(Operation::kUnlock, uid, void_ ? Ending::kFailed : Ending::kOk, token_, out);
    }
    if (!void_) out.push(Note{EventKind::kReentered, 0, token_, 0, handles_});
    if (plan_.hold > Duration::zero()) out.push(Arm{QuorumTimer::kCycle, plan_.hold});
    return;
  }
  uid_ = uid;
  lost_ = false;
  disbelieve(DisbeliefReason::kStop, out);
  phase_ = Phase::kYielding;
  yield(out, now);
}

// The lock is over before its holder gave it back. As it was published every second handle is told.
void QuorumContender::let_go(DisbeliefReason reason, Effects& out, Clocks now) {
  const int untold = terms_.corrected() ? 0 : handles_ / 2;
  handles_ = static_cast<std::uint8_t>(untold);
  if (untold > 0) {
    acknowledge_all(out);
    take_back(out);
    void_ = true;
    end_attempt();
    round_.first = 0;
    return;
  }
  // The application unlocks it all the same, and learns by the answer that it had lost it.
  uid_ = next_uid();
  lost_ = true;
  out.push(Note{EventKind::kInvoked, static_cast<std::uint8_t>(Operation::kUnlock), token_,
                static_cast<std::int64_t>(uid_), 0});
  disbelieve(reason, out);
  phase_ = Phase::kYielding;
  yield(out, now);
}

void QuorumContender::disbelieve(DisbeliefReason reason, Effects& out) {
  out.push(Note{EventKind::kDisbelieved, static_cast<std::uint8_t>(reason), token_});
  const MutexOwner owned{setting_.id, WallTime{}, WallTime::max(), WallTime::max(), token_};
  believes_ = told_ = unconfirmed_ = false;
  round_.open = false;
  out.push(Notify{{owned, MutexOwner::none()}});
}

// Its work comes to its end, then it tells its thieves, then the servers get back what they have.
void QuorumContender::yield(Effects& out, Clocks now) {
  if (!settled()) return;
  if (thief_count_ > 0 && plan_.acknowledge > Duration::zero()) {
    out.push(Arm{QuorumTimer::kAside, plan_.acknowledge});
    return;
  }
  acknowledge_all(out);
  const bool unlocks = uid_ != 0 && !passes_on_;
  const bool lost = lost_ || void_;
  if (unlocks && !lost) {
    give_back(uid_, out);
  } else if (!void_) {
    take_back(out);
  }
  if (std::exchange(passes_on_, false)) return try_again(out, now);
  if (unlocks && lost) note_returned(Operation::kUnlock, uid_, Ending::kFailed, kNoToken, out);
  uid_ = 0;
  void_ = lost_ = false;
  rest(out);
}

void QuorumContender::give_back(std::uint64_t uid, Effects& out) {
  release_ = {uid, token_, requests_ + 1};
  take_back(out);
  release_.asked = static_cast<std::uint8_t>(requests_ + 1 - release_.first);
}

// It was released where a majority was for it until then, and had been lost where nobody was. Between the two nobody
// can say which came first.
void QuorumContender::on_given_back(const Reply& reply, Effects& out) {
  const std::uint8_t from = bit(static_cast<std::uint8_t>(reply.request - release_.first));
  if ((release_.answered & from) != 0) return;
  release_.answered |= from;
  const bool known = reply.ending == Ending::kOk;
  release_.unknown = release_.unknown || !known;
  if (known && reply.done) ++release_.freed;
  if (release_.freed >= terms_.majority()) return end_release(Ending::kOk, out);
  if (std::popcount(release_.answered) < release_.asked) return;
  const bool lost = release_.freed == 0 && !release_.unknown;
  end_release(lost ? Ending::kFailed : Ending::kUnknown, out);
}

void QuorumContender::end_release(Ending ending, Effects& out) {
  note_returned(Operation::kUnlock, std::exchange(release_.uid, 0), ending, release_.token, out);
  if (stopping() && phase_ == Phase::kResting) out.push(Arm{QuorumTimer::kCycle, Duration::zero()});
}

void QuorumContender::rest(Effects& out) {
  phase_ = Phase::kResting;
  end_attempt();
  round_.first = 0;
  uid_ = 0;
  out.push(Arm{QuorumTimer::kCycle, stopping() ? Duration::zero() : plan_.rest});
}

// ---- thieves

// As it was published whoever hears of a theft lets go. Corrected, a theft that is over by then means nothing.
void QuorumContender::on_stolen(const StoreEvent& event, Effects& out, Clocks now) {
  if (terms_.corrected() && now.wall >= event.until) return;
  if (acquisition_ == 0 || event.acquisition != acquisition_) {
    // Of an earlier attempt. One that was given up before its victims had let go says nothing of them.
    if (std::find(cleared_.begin(), cleared_.end(), event.acquisition) == cleared_.end()) return;
    tell(RequestKind::kAcknowledge, event.server, event.owner, event.by, event.acquisition, out);
    return;
  }
  remember(event);
  if (phase_ == Phase::kObtaining) {
    if (all_answered()) on_stolen_attempt(out, now);
  } else if (phase_ == Phase::kHolding) {
    let_go(DisbeliefReason::kStolen, out, now);
  }
}

void QuorumContender::remember(const StoreEvent& event) {
  for (std::size_t i = 0; i < thief_count_; ++i) {
    if (thieves_[i].acquisition != event.by) continue;
    thieves_[i].by |= bit(event.server);
    return;
  }
  if (thief_count_ == kMostThieves) {  // the first of them has lost it to the others
    std::move(thieves_.begin() + 1, thieves_.end(), thieves_.begin());
    --thief_count_;
  }
  thieves_[thief_count_++] = {event.owner, event.by, bit(event.server)};
}

// Through one of the servers through which the thief told.
void QuorumContender::acknowledge(const Thief& thief, Effects& out) {
  out.push(Note{EventKind::kAcknowledged, 0, token_, 0, thief.who.handle});
  tell(RequestKind::kAcknowledge, static_cast<std::uint8_t>(std::countr_zero(thief.by)), thief.who, thief.acquisition,
       acquisition_, out);
}

void QuorumContender::acknowledge_all(Effects& out) {
  for (std::size_t i = 0; i < thief_count_ && clean(); ++i) acknowledge(thieves_[i], out);
  thief_count_ = 0;
}

// ---- what it sends

Request& QuorumContender::send(RequestKind kind, int server, Effects& out) {
  Request& call = out.send();
  call.id = ++requests_;
  call.kind = kind;
  call.store = static_cast<std::uint8_t>(server);
  call.mutex = setting_.mutex;
  call.contender = setting_.id;
  call.timeout =
      std::min(setting_.timeout, std::max<Duration>(std::chrono::milliseconds(1), ttl() / kShareOfTtl.count()));
  return call;
}

void QuorumContender::send_round(RequestKind kind, Effects& out, Clocks now) {
  const bool enters = phase_ == Phase::kHolding && kind == RequestKind::kObtain;
  const std::uint64_t fresh = enters ? setting_.draws.next() | 1 : acquisition_;
  QuorumRules rules{};
  rules.keeps_victim = terms_.corrected();
  rules.sets_missing = terms_.extend == QuorumTerms::Extend::kSetMissing;
  round_ = Round{};
  round_.first = requests_ + 1;
  round_.sent = now.steady;
  round_.open = true;
  for (int server = 0; server < terms_.servers; ++server) {
    Request& call = send(kind, server, out);
    call.quorum = {fresh, enters ? acquisition_ : token_, ttl(), {plan_.priority}, rules};
    call.quorum.rules.re_enters = enters;
    round_.maybe |= bit(static_cast<std::uint8_t>(server));
  }
}

void QuorumContender::tell(RequestKind kind, std::uint8_t server, Name whom, std::uint64_t theirs, std::uint64_t own,
                           Effects& out) {
  Request& call = send(kind, server, out);
  call.quorum = {theirs, own, claim_until_.time_since_epoch(), {0}, {}};
  call.quorum.to = whom.handle;
}

void QuorumContender::note_returned(Operation operation, std::uint64_t uid, Ending ending, Token token, Effects& out) {
  const Token told = ending == Ending::kOk ? token : kNoToken;
  out.push(Note{EventKind::kReturned, static_cast<std::uint8_t>(operation), told, static_cast<std::int64_t>(uid),
                static_cast<std::int64_t>(ending)});
}

}  // namespace leasescope
