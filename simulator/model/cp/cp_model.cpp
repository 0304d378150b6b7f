#include "simulator/model/cp/cp_model.h"

#include <utility>

namespace leasescope {
namespace {

constexpr std::int64_t kMembers = 3;
constexpr std::size_t kSweep = 64;  // committed entries that are kept at the front of the log

}  // namespace

CpModel::CpModel(const ModelSetting& setting, const CpTerms& terms)
    : terms_(terms), ttl_(setting.ttl), locks_(setting.mutexes.size()), barred_until_(setting.mutexes.size()) {}

// ---- the log

bool CpModel::take(const ServerCall& call, ServerNow now, ServerSteps& out) {
  switch (call.request.kind) {
    case RequestKind::kOpenSession:
    case RequestKind::kHeartbeat:
    case RequestKind::kCloseSession:
    case RequestKind::kLock:
    case RequestKind::kUnlock:
    case RequestKind::kQuery:
      break;
    default:
      out.answer(call).reply.ending = Ending::kFailed;  // of another family
      return true;
  }
  if (!leads(now.elapsed)) {
    leaderless_.push_back(call);
  } else {
    Entry entry;
    entry.at = now.elapsed;
    entry.call = call;
    append(entry);
  }
  out.add(call.mutex).tag = 0;  // nothing has happened yet, but the group wants to be woken
  return false;
}

void CpModel::append(Entry entry) {
  if (committed_ >= kSweep && committed_ * 2 >= log_.size()) {
    log_.erase(log_.begin(), log_.begin() + static_cast<std::ptrdiff_t>(committed_));
    committed_ = 0;
  }
  log_.push_back(entry);
}

TrueTime CpModel::next_commit() const {
  return committed_ == log_.size() ? TrueTime::max() : std::max(log_[committed_].at + terms_.commit, leads_from_);
}

TrueTime CpModel::deadline(std::uint32_t, const SkewedClock<ServerTime>&) const {
  TrueTime at = std::min(next_commit(), next_check());
  if (!alarms_.empty()) at = std::min(at, std::max(alarms_.front().at, leads_from_));
  if (!elected_) at = std::min(at, leads_from_);
  return at;
}

// What is due in the order of its moments.
void CpModel::wake(std::uint32_t, ServerNow now, ServerSteps& out) {
  while (deadline(0, {}) <= now.elapsed) {
    if (!elected_) {
      elect(now, out);
    } else if (next_commit() <= now.elapsed) {
      const Entry entry = log_[committed_++];
      commit(entry, now, out);
    } else if (!alarms_.empty() && alarms_.front().at <= now.elapsed) {
      const Alarm alarm = alarms_.front();
      std::pop_heap(alarms_.begin(), alarms_.end());
      alarms_.pop_back();
      on_alarm(alarm, now, out);
    } else {
      check_sessions(now.elapsed, now.clock);
    }
  }
  for (ServerStep& step : out) step.tag = 0;
}

void CpModel::commit(const Entry& entry, ServerNow now, ServerSteps& out) {
  ++index_;
  switch (entry.what) {
    case Entry::What::kCall:
      return apply(entry.call, now, out);
    case Entry::What::kExpire: {
      const Session* const of = find(entry.session);
      // A heartbeat that was committed before defeats it.
      if (of != nullptr && of->version == entry.version) end_session(entry.session, SessionEnd::kExpired, 0, now, out);
      return;
    }
    case Entry::What::kWaitEnds: {
      FencedLock& lock = locks_[entry.call.mutex];
      const std::int64_t place = lock.place(entry.endpoint);
      const auto over = lock.time_out(entry.endpoint, entry.uid);
      if (!over) return;
      dequeue(out, entry.call.mutex, *over, place);
      if (over->heard) answer(out, over->call, SessionAnswer::kNotLocked);
      return;
    }
  }
}

// ---- sessions

CpModel::Session* CpModel::find(std::uint64_t id) {
  const auto of = std::lower_bound(sessions_.begin(), sessions_.end(), id,
                                   [](const Session& session, std::uint64_t wanted) { return session.id < wanted; });
  return of == sessions_.end() || of->id != id ? nullptr : &*of;
}

void CpModel::apply(const ServerCall& call, ServerNow now, ServerSteps& out) {
  if (call.request.kind == RequestKind::kOpenSession) return open(call, now, out);
  if (call.request.kind == RequestKind::kQuery) return query(call, out);
  Session* const session = find(call.request.session.session);
  if (session == nullptr) {
    answer(out, call, SessionAnswer::kSessionEnded);
    return;
  }
  if (call.request.kind == RequestKind::kCloseSession) {
    end_session(session->id, SessionEnd::kClosed, call.cause, now, out);
    answer(out, call, SessionAnswer::kDone);
    return;
  }
  touch(*session, now);  // every operation is a sign of life
  if (call.request.kind == RequestKind::kLock) return lock(call, now, out);
  if (call.request.kind == RequestKind::kUnlock) return unlock(call, now, out);
  const FencedLock& of = locks_[session->mutex];
  tell(out, session->mutex, session->contender, EventKind::kSessionRenewed, ttl_.count(),
       static_cast<std::int64_t>(session->id))
      .cause = call.cause;
  if (of.held() && of.owner().endpoint.session == session->id) {
    ServerStep& renewed = out.add(session->mutex);
    renewed.fact = ServerStep::Fact::kRenewed;
    renewed.owner = session->contender;
    renewed.token = of.owner().fence;
    renewed.lease = ttl_;
    renewed.cause = call.cause;
  }
  answer(out, call, SessionAnswer::kDone);
}

void CpModel::open(const ServerCall& call, ServerNow now, ServerSteps& out) {
  if (sessions_.empty()) check_at_ = std::max(check_at_, now.elapsed + terms_.check);
  sessions_.push_back({++last_session_, call.request.contender, call.node, call.mutex, 1, now.clock + ttl_});
  tell(out, call.mutex, call.request.contender, EventKind::kSessionOpened, ttl_.count(),
       static_cast<std::int64_t>(last_session_))
      .cause = call.cause;
  Reply& reply = answer(out, call, SessionAnswer::kDone).reply;
  reply.number = last_session_;
  reply.remaining = heartbeat();
}

// By the leader's clock; whether it has expired is decided when that is committed.
void CpModel::check_sessions(TrueTime at, ServerTime clock) {
  check_at_ = at + terms_.check;
  for (const Session& of : sessions_) {
    if (clock < of.expires) continue;
    Entry entry;
    entry.what = Entry::What::kExpire;
    entry.at = at;
    entry.session = of.id;
    entry.version = of.version;
    append(entry);
  }
}

void CpModel::end_session(std::uint64_t id, SessionEnd why, Sequence cause, ServerNow now, ServerSteps& out) {
  const Session of = *find(id);
  sessions_.erase(sessions_.begin() + (find(id) - sessions_.data()));
  ServerStep& told = tell(out, of.mutex, of.contender, EventKind::kSessionEnded, 0, static_cast<std::int64_t>(id));
  told.detail = static_cast<std::uint8_t>(why);
  told.cause = cause;
  for (std::uint32_t mutex = 0; mutex < locks_.size(); ++mutex) {
    FencedLock& lock = locks_[mutex];
    const Token fence = lock.owner().fence;
    std::vector<FencedLock::Wait> ended;
    const bool held = lock.end_session(id, ended);
    for (const FencedLock::Wait& wait : ended) {
      dequeue(out, mutex, wait, 0);
      if (wait.heard) answer(out, wait.call, SessionAnswer::kSessionEnded);
    }
    if (!held) continue;
    ServerStep& freed = out.add(mutex);
    const bool early = why == SessionEnd::kForced;
    freed.fact = why == SessionEnd::kClosed ? ServerStep::Fact::kReleased
                 : early                    ? ServerStep::Fact::kForgotten
                                            : ServerStep::Fact::kExpired;
    freed.owner = of.contender;
    freed.token = fence;
    freed.cause = cause;
    if (why != SessionEnd::kClosed && terms_.lock_delay > Duration::zero()) {
      barred_until_[mutex] = now.elapsed + terms_.lock_delay;
      alarms_.push_back({barred_until_[mutex], mutex, {}, 0});
      std::push_heap(alarms_.begin(), alarms_.end());
      continue;
    }
    hand_over(mutex, now, out);
  }
}

void CpModel::close_holder(ServerNow now, ServerSteps& out) {
  if (locks_.front().held()) end_session(locks_.front().owner().endpoint.session, SessionEnd::kForced, 0, now, out);
}

// ---- locks

void CpModel::lock(const ServerCall& call, ServerNow now, ServerSteps& out) {
  FencedLock& lock = locks_[call.mutex];
  const FencedLock::Acquired done = lock.acquire(call, index_, terms_.limit, now.elapsed < barred_until_[call.mutex]);
  cancel(out, call.mutex, done.cancelled);
  const LockEndpoint endpoint{call.request.session.session, call.request.session.thread};
  if (done.outcome == FencedLock::Outcome::kWaits) {
    const auto place = lock.place(endpoint);
    const bool again = lock.waits()[static_cast<std::size_t>(place - 1)].index != index_;
    if (again) return;
    ServerStep& queued = tell(out, call.mutex, call.request.contender, EventKind::kQueued, place,
                              static_cast<std::int64_t>(call.request.session.uid));
    queued.cause = call.cause;
    if (call.request.session.wait == Duration::max()) return;
    alarms_.push_back({now.elapsed + call.request.session.wait, call.mutex, endpoint, call.request.session.uid});
    std::push_heap(alarms_.begin(), alarms_.end());
    return;
  }
  ServerStep& step = answer(out, call, done.verdict.answer);
  step.reply.token = done.verdict.fence;
  step.reply.number = done.verdict.count;
  if (done.outcome == FencedLock::Outcome::kGranted)
    grant(step, call.request.contender, done.verdict.fence, left(endpoint.session, now));
  if (done.outcome != FencedLock::Outcome::kReentered) return;
  step.fact = ServerStep::Fact::kOther;
  step.kind = EventKind::kReentered;
  step.owner = call.request.contender;
  step.token = done.verdict.fence;
  step.a = 0;
  step.b = static_cast<std::int64_t>(done.verdict.count);
}

void CpModel::unlock(const ServerCall& call, ServerNow now, ServerSteps& out) {
  FencedLock& lock = locks_[call.mutex];
  const Token fence = lock.owner().fence;
  const FencedLock::Released done = lock.release(call);
  cancel(out, call.mutex, done.cancelled);
  ServerStep& step = answer(out, call, done.verdict.answer);
  step.reply.number = done.verdict.count;
  step.owner = call.request.contender;
  step.token = fence;
  if (done.freed) step.fact = ServerStep::Fact::kReleased;
  if (done.reduced) {
    step.fact = ServerStep::Fact::kOther;
    step.kind = EventKind::kReentered;
    step.a = 0;
    step.b = static_cast<std::int64_t>(done.verdict.count);
  }
  if (done.freed) hand_over(call.mutex, now, out);
}

void CpModel::query(const ServerCall& call, ServerSteps& out) {
  const FencedLock& lock = locks_[call.mutex];
  Reply& reply = answer(out, call, SessionAnswer::kDone).reply;
  if (!lock.held()) return;
  reply.owner = lock.owner().name;
  reply.token = lock.owner().fence;
  reply.number = lock.owner().count;
  reply.done = lock.owner().endpoint == LockEndpoint{call.request.session.session, call.request.session.thread};
}

void CpModel::hand_over(std::uint32_t mutex, ServerNow now, ServerSteps& out) {
  const auto next = locks_[mutex].grant_next();
  if (!next) return;
  dequeue(out, mutex, *next, 1);
  const Duration lease = left(next->endpoint.session, now);
  ServerStep& step = next->heard ? answer(out, next->call, SessionAnswer::kDone) : out.add(mutex);
  step.reply.token = next->index;
  step.reply.number = 1;
  step.node = next->call.node;
  grant(step, next->call.request.contender, next->index, lease);
}

void CpModel::on_alarm(const Alarm& alarm, ServerNow now, ServerSteps& out) {
  if (alarm.uid == 0) {
    if (now.elapsed >= barred_until_[alarm.mutex]) hand_over(alarm.mutex, now, out);
    return;
  }
  if (locks_[alarm.mutex].place(alarm.endpoint) == 0) return;
  Entry entry;
  entry.what = Entry::What::kWaitEnds;
  entry.at = now.elapsed;
  entry.call.mutex = alarm.mutex;
  entry.endpoint = alarm.endpoint;
  entry.uid = alarm.uid;
  append(entry);
}

Duration CpModel::left(std::uint64_t session, ServerNow now) {
  const Session* const of = find(session);
  return of == nullptr ? Duration::zero() : Duration(of->expires - now.clock);
}

// ---- what it suffers

// Another member leads: it cannot know when the last heartbeats came, and gives every session one more interval.
void CpModel::elect(ServerNow now, ServerSteps& out) {
  elected_ = true;
  ++index_;  // the entry with which a leader begins
  leader_ = leader_ % kMembers + 1;
  for (Session& of : sessions_) of.expires += heartbeat();
  check_at_ = now.elapsed + terms_.check;
  tell(out, 0, Name{}, EventKind::kElected, leader_, 0);
  for (const ServerCall& call : std::exchange(leaderless_, {})) {
    Entry entry;
    entry.at = now.elapsed;
    entry.call = call;
    append(entry);
  }
}

// What had reached another member when the leader was lost is committed by the next one. Whoever waits for an answer
// learns that it will not come: the call may have taken effect, or may yet.
void CpModel::lose_leader(ServerNow now, ServerSteps& out) {
  std::vector<Entry> kept;
  for (std::size_t i = committed_; i < log_.size(); ++i) {
    const Entry& entry = log_[i];
    if (entry.what == Entry::What::kCall) break_off(out, entry.call);
    if (entry.at + terms_.commit / 2 <= now.elapsed) {
      kept.push_back(entry);
    } else {
      end_wait_again(entry);
    }
  }
  log_ = std::move(kept);
  committed_ = 0;
  // Their answers would find nobody; whoever asks again takes up its place.
  for (Entry& entry : log_)
    if (entry.what == Entry::What::kCall) entry.call.life = UINT32_MAX;
  for (FencedLock& lock : locks_)
    for (FencedLock::Wait& wait : lock.waits())
      if (std::exchange(wait.heard, false)) break_off(out, wait.call);
  leads_from_ = now.elapsed + terms_.election;
  elected_ = false;
}

// A wait whose end was not committed ends all the same: whoever leads next has it in its own log.
void CpModel::end_wait_again(const Entry& lost) {
  if (lost.what != Entry::What::kWaitEnds) return;
  alarms_.push_back({lost.at, lost.call.mutex, lost.endpoint, lost.uid});
  std::push_heap(alarms_.begin(), alarms_.end());
}

void CpModel::disturb(Disturbance what, ServerNow now, ServerSteps& out) {
  switch (what) {
    case Disturbance::kLeaderLost:
      lose_leader(now, out);
      break;
    case Disturbance::kCrash:  // all members at once; what a majority has written down stays
      for (std::size_t i = committed_; i < log_.size(); ++i) end_wait_again(log_[i]);
      log_.clear();
      committed_ = 0;
      leaderless_.clear();
      for (FencedLock& lock : locks_)
        for (FencedLock::Wait& wait : lock.waits()) wait.heard = false;
      break;
    case Disturbance::kRestart:
      leads_from_ = now.elapsed + terms_.election;
      elected_ = false;
      break;
    case Disturbance::kCloseSession:
      close_holder(now, out);
      break;
    default:
      break;
  }
  if (out.empty()) out.add(0);
  for (ServerStep& step : out) step.tag = 0;
}

// ---- what is told

ServerStep& CpModel::tell(ServerSteps& out, std::uint32_t mutex, Name who, EventKind kind, std::int64_t a,
                          std::int64_t b) {
  ServerStep& step = out.add(mutex);
  step.fact = ServerStep::Fact::kOther;
  step.kind = kind;
  step.owner = who;
  step.token = kNoToken;
  step.a = a;
  step.b = b;
  return step;
}

ServerStep& CpModel::answer(ServerSteps& out, const ServerCall& call, SessionAnswer said) {
  ServerStep& step = out.answer(call);
  step.reply.answer = static_cast<std::uint8_t>(said);
  return step;
}

void CpModel::break_off(ServerSteps& out, const ServerCall& call) { out.answer(call).reply.ending = Ending::kUnknown; }

void CpModel::grant(ServerStep& step, Name who, Token fence, Duration lease) {
  step.fact = ServerStep::Fact::kGranted;
  step.owner = who;
  step.token = fence;
  step.lease = lease;
}

void CpModel::dequeue(ServerSteps& out, std::uint32_t mutex, const FencedLock::Wait& wait, std::int64_t place) {
  tell(out, mutex, wait.call.request.contender, EventKind::kDequeued, place, static_cast<std::int64_t>(wait.uid));
}

void CpModel::cancel(ServerSteps& out, std::uint32_t mutex, const std::optional<FencedLock::Wait>& older) {
  if (!older) return;
  dequeue(out, mutex, *older, 0);
  if (older->heard) answer(out, older->call, SessionAnswer::kCancelled);
}

}  // namespace leasescope
