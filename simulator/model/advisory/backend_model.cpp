#include "simulator/model/advisory/backend_model.h"

#include <algorithm>

namespace leasescope {
namespace {

bool is_of_connections(RequestKind kind) {
  switch (kind) {
    case RequestKind::kOpenSession:
    case RequestKind::kHeartbeat:
    case RequestKind::kCloseSession:
    case RequestKind::kLock:
    case RequestKind::kUnlock:
      return true;
    default:
      return false;
  }
}

}  // namespace

BackendModel::BackendModel(const std::vector<Name>& mutexes, const BackendTerms& terms)
    : terms_(terms), locks_(mutexes.size()), subscribers_(mutexes.size()) {}

// ---- connections

bool BackendModel::is_open(std::uint64_t number) const {
  return number != 0 && number <= connections_.size() && connections_[place_of(number)].open;
}

// Without a sign of life.
Duration BackendModel::left(std::uint32_t place, TrueTime now) const {
  const Connection& of = connections_[place];
  return of.next - now + (kProbes - of.unanswered) * quarter();
}

void BackendModel::hear(std::uint32_t place, TrueTime now) {
  connections_[place].unanswered = 0;
  connections_[place].next = now + quarter();
}

TrueTime BackendModel::deadline(std::uint32_t tag, const SkewedClock<ServerTime>&) const {
  return tag < connections_.size() && connections_[tag].open ? connections_[tag].next : TrueTime::max();
}

// What counts is how many probes went unanswered: a server that stood still asks once more before it gives up.
void BackendModel::wake(std::uint32_t tag, ServerNow now, ServerSteps& out) {
  if (tag >= connections_.size() || !connections_[tag].open || connections_[tag].next > now.elapsed) return;
  Connection& of = connections_[tag];
  if (of.unanswered == kProbes) return end(tag, SessionEnd::kExpired, now, out);
  ++of.unanswered;
  of.next = now.elapsed + quarter();
  probe(tag, out);
}

void BackendModel::disturb(Disturbance what, ServerNow now, ServerSteps& out) {
  if (what == Disturbance::kCrash) forget_all(out);
  const std::uint32_t holder = locks_.front().holder;
  if (what == Disturbance::kCloseSession && holder != kNone) end(holder, SessionEnd::kForced, now, out);
}

// ---- calls

bool BackendModel::take(const ServerCall& call, ServerNow now, ServerSteps& out) {
  const RequestKind kind = call.request.kind;
  if (!is_of_connections(kind)) {
    out.answer(call).reply.ending = Ending::kFailed;
    return true;
  }
  if (call.request.id == 0) {
    take_from_kernel(call, now, out);
    return true;
  }
  if (kind == RequestKind::kOpenSession) {
    open(call, now.elapsed, out);
    return true;
  }
  const std::uint64_t number = call.request.session.session;
  if (!is_open(number)) {
    answer(call, SessionAnswer::kSessionEnded, out);
    return true;
  }
  const std::uint32_t place = place_of(number);
  if (call.request.id <= connections_[place].last) return true;
  connections_[place].last = call.request.id;
  hear(place, now.elapsed);
  if (kind == RequestKind::kLock) return lock(call, place, now.elapsed, out);
  if (kind == RequestKind::kUnlock) {
    unlock(call, place, now.elapsed, out);
  } else if (kind == RequestKind::kHeartbeat) {
    look(call, place, now.elapsed, out);
  } else {
    answer(call, SessionAnswer::kDone, out);
    end(place, SessionEnd::kClosed, now, out);
  }
  return true;
}

// Its client's machine has answered a probe, or closed the connection at its end.
void BackendModel::take_from_kernel(const ServerCall& call, ServerNow now, ServerSteps& out) {
  const SessionCall& asked = call.request.session;
  std::uint32_t place = kNone;
  if (asked.session != 0) {
    if (is_open(asked.session)) place = place_of(asked.session);
  } else if (call.node < latest_.size() && latest_[call.node] != kNone) {
    const Connection& last = connections_[latest_[call.node]];
    if (last.open && last.opened_by == asked.uid && last.life == asked.thread) place = latest_[call.node];
  }
  if (place == kNone) return;
  if (call.request.kind == RequestKind::kCloseSession) return end(place, SessionEnd::kClosed, now, out);
  hear(place, now.elapsed);
  renew(place, now.elapsed, call.cause, out);
}

void BackendModel::open(const ServerCall& call, TrueTime now, ServerSteps& out) {
  Connection connection;
  connection.client = call.request.contender;
  connection.node = call.node;
  connection.life = call.life;
  connection.mutex = call.mutex;
  connection.opened_by = connection.last = call.request.id;
  connections_.push_back(connection);
  const auto place = static_cast<std::uint32_t>(connections_.size() - 1);
  if (latest_.size() <= call.node) latest_.resize(call.node + 1, kNone);
  latest_[call.node] = place;
  hear(place, now);
  ServerStep& told = fact(place, out);
  told.kind = EventKind::kSessionOpened;
  told.cause = call.cause;
  told.a = terms_.keep_alive.count();
  told.b = place + 1;
  ServerStep& step = answer(call, SessionAnswer::kDone, out);
  step.tag = place;
  step.reply.number = place + 1;
  step.reply.remaining = terms_.keep_alive;
}

// False where it waits.
bool BackendModel::lock(const ServerCall& call, std::uint32_t place, TrueTime now, ServerSteps& out) {
  Lock& of = locks_[call.mutex];
  if (of.holder == place) {
    ++of.count;
    ServerStep& step = answer(call, SessionAnswer::kDone, out);
    step.fact = ServerStep::Fact::kOther;
    step.kind = EventKind::kReentered;
    step.owner = connections_[place].client;
    step.token = kNoToken;
    step.a = 0;
    step.b = static_cast<std::int64_t>(of.count);
    step.reply.number = of.count;
    return true;
  }
  if (of.holder == kNone && of.queue.empty()) {
    ServerStep& step = answer(call, SessionAnswer::kDone, out);
    step.reply.number = 1;
    grant(step, place, now);
    return true;
  }
  if (call.request.session.wait == Duration::zero()) {
    answer(call, SessionAnswer::kNotLocked, out);
    return true;
  }
  if (const auto same = wait_of(place); same != of.queue.end()) {
    same->call = call;  // asked again: it keeps its place, and this one is answered
    return false;
  }
  of.queue.push_back({place, call});
  ServerStep& step = fact(place, out);
  step.kind = EventKind::kQueued;
  step.cause = call.cause;
  step.a = static_cast<std::int64_t>(of.queue.size());
  step.b = static_cast<std::int64_t>(call.request.session.uid);
  return false;
}

void BackendModel::unlock(const ServerCall& call, std::uint32_t place, TrueTime now, ServerSteps& out) {
  Lock& of = locks_[call.mutex];
  if (of.holder != place) {
    answer(call, SessionAnswer::kNotOwner, out);
    return;
  }
  ServerStep& step = answer(call, SessionAnswer::kDone, out);
  step.reply.number = --of.count;
  step.owner = connections_[place].client;
  step.token = kNoToken;
  if (of.count > 0) {
    step.fact = ServerStep::Fact::kOther;
    step.kind = EventKind::kReentered;
    step.a = 0;
    step.b = static_cast<std::int64_t>(of.count);
    return;
  }
  step.fact = ServerStep::Fact::kReleased;
  of.holder = kNone;
  hand_over(call.mutex, now, out);
}

// Over the connection itself: that it stands, and what it has.
void BackendModel::look(const ServerCall& call, std::uint32_t place, TrueTime now, ServerSteps& out) {
  const Lock& of = locks_[call.mutex];
  renew(place, now, call.cause, out);
  ServerStep& step = answer(call, SessionAnswer::kDone, out);
  step.reply.number = of.holder == place ? of.count : 0;
  step.reply.done = wait_of(place) != of.queue.end();
}

// ---- what goes

// Who waits over it waits no more, and what it holds goes to the next.
void BackendModel::end(std::uint32_t place, SessionEnd how, ServerNow now, ServerSteps& out) {
  connections_[place].open = false;
  ServerStep& step = fact(place, out);
  step.kind = EventKind::kSessionEnded;
  step.detail = static_cast<std::uint8_t>(how);
  step.b = place + 1;
  const std::uint32_t mutex = connections_[place].mutex;
  Lock& of = locks_[mutex];
  if (const auto wait = wait_of(place); wait != of.queue.end()) {
    ServerStep& left = fact(place, out);
    left.kind = EventKind::kDequeued;
    left.b = static_cast<std::int64_t>(wait->call.request.session.uid);
    of.queue.erase(wait);
  }
  if (of.holder != place) return;
  free(place,
       how == SessionEnd::kClosed   ? ServerStep::Fact::kReleased
       : how == SessionEnd::kForced ? ServerStep::Fact::kForgotten
                                    : ServerStep::Fact::kExpired,
       out);
  hand_over(mutex, now.elapsed, out);
}

// Its locks lie in its memory: they end with its process, as all connections do.
void BackendModel::forget_all(ServerSteps& out) {
  for (Lock& of : locks_) {
    for (const Wait& wait : of.queue) {
      ServerStep& left = fact(wait.place, out);
      left.kind = EventKind::kDequeued;
      left.b = static_cast<std::int64_t>(wait.call.request.session.uid);
    }
    of.queue.clear();
    if (of.holder != kNone) free(of.holder, ServerStep::Fact::kForgotten, out);
  }
  for (std::uint32_t place = 0; place < connections_.size(); ++place) {
    if (!connections_[place].open) continue;
    connections_[place].open = false;
    ServerStep& step = fact(place, out);
    step.kind = EventKind::kSessionEnded;
    step.detail = static_cast<std::uint8_t>(SessionEnd::kForced);
    step.b = place + 1;
  }
}

// First come, first served. What is sent to the next is data, which its kernel acknowledges: or says that there is
// nobody for it.
void BackendModel::hand_over(std::uint32_t mutex, TrueTime now, ServerSteps& out) {
  std::vector<Wait>& queue = locks_[mutex].queue;
  if (queue.empty()) return;
  const Wait next = queue.front();
  queue.erase(queue.begin());
  ServerStep& left = fact(next.place, out);
  left.kind = EventKind::kDequeued;
  left.a = 1;
  left.b = static_cast<std::int64_t>(next.call.request.session.uid);
  ServerStep& step = answer(next.call, SessionAnswer::kDone, out);
  step.reply.number = 1;
  grant(step, next.place, now);
  probe(next.place, out);
}

void BackendModel::probe(std::uint32_t place, ServerSteps& out) const {
  const Connection& of = connections_[place];
  ServerStep& step = fact(place, out);
  step.fact = ServerStep::Fact::kProbe;
  step.node = of.node;
  step.life = of.life;
  step.reply.request = of.opened_by;
  step.reply.number = place + 1;
}

Name BackendModel::owner(std::uint32_t mutex) const {
  const Lock& of = locks_[mutex];
  return of.holder == kNone ? Name{} : connections_[of.holder].client;
}

// ---- steps

std::vector<BackendModel::Wait>::iterator BackendModel::wait_of(std::uint32_t place) {
  std::vector<Wait>& queue = locks_[connections_[place].mutex].queue;
  return std::find_if(queue.begin(), queue.end(), [&](const Wait& wait) { return wait.place == place; });
}

ServerStep& BackendModel::fact(std::uint32_t place, ServerSteps& out) const {
  ServerStep& step = out.add(connections_[place].mutex);
  step.fact = ServerStep::Fact::kOther;
  step.tag = place;
  step.owner = connections_[place].client;
  step.token = kNoToken;
  step.a = 0;
  return step;
}

ServerStep& BackendModel::free(std::uint32_t place, ServerStep::Fact how, ServerSteps& out) {
  Lock& of = locks_[connections_[place].mutex];
  of.holder = kNone;
  of.count = 0;
  ServerStep& step = fact(place, out);
  step.fact = how;
  return step;
}

ServerStep& BackendModel::answer(const ServerCall& call, SessionAnswer said, ServerSteps& out) const {
  ServerStep& step = out.answer(call);
  if (call.request.session.session != 0) step.tag = place_of(call.request.session.session);
  step.reply.answer = static_cast<std::uint8_t>(said);
  return step;
}

void BackendModel::grant(ServerStep& step, std::uint32_t place, TrueTime now) {
  Lock& of = locks_[connections_[place].mutex];
  of.holder = place;
  of.count = 1;
  step.fact = ServerStep::Fact::kGranted;
  step.owner = connections_[place].client;
  step.token = kNoToken;
  step.lease = left(place, now);
}

// A sign of life.
void BackendModel::renew(std::uint32_t place, TrueTime now, std::uint32_t cause, ServerSteps& out) const {
  ServerStep& told = fact(place, out);
  told.kind = EventKind::kSessionRenewed;
  told.cause = cause;
  told.a = terms_.keep_alive.count();
  told.b = place + 1;
  if (locks_[connections_[place].mutex].holder != place) return;
  ServerStep& step = fact(place, out);
  step.fact = ServerStep::Fact::kRenewed;
  step.lease = left(place, now);
  step.cause = cause;
}

}  // namespace leasescope
