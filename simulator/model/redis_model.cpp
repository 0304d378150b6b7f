#include "simulator/model/redis_model.h"

namespace leasescope {
namespace {

// PTTL tells whole milliseconds; it rounds to the nearest.
Duration pttl(ServerTime expires_at, ServerTime now) {
  using std::chrono::milliseconds;
  return milliseconds((expires_at - now + std::chrono::microseconds(500)) / milliseconds(1));
}

bool queues(const Request& request) {
  return request.lease.wire == Wire::kTokenless || request.lease.wake_up == WakeUp::kQueue;
}

}  // namespace

RedisModel::RedisModel(const std::vector<Name>& mutexes, const RedisTerms& terms, std::vector<std::uint32_t> ranks)
    : terms_(terms),
      ranks_(std::move(ranks)),
      locks_(mutexes.size()),
      replica_(terms.replication_lag),
      subscribers_(mutexes.size()) {}

bool RedisModel::take(const ServerCall& call, ServerNow now, ServerSteps& out) {
  wake(call.mutex, now, out);  // a key that has run out is gone before anything looks at it
  replicate(call.mutex, now);
  const Request& request = call.request;
  ServerStep& step = out.answer(call);
  Lock& lock = locks_[call.mutex];
  switch (request.kind) {
    case RequestKind::kAcquire:
      acquire(lock, call, now.clock, step);
      break;
    case RequestKind::kGuard:
      guard(lock, request, now.clock, step);
      break;
    case RequestKind::kRelease:
      if (release(lock, request, now.clock, step)) hand_over(lock, call, now.clock, out);
      break;
    case RequestKind::kUnsubscribe:
      if (request.lease.wake_up == WakeUp::kQueue) lock.waiters.remove(request.contender);
      break;
    case RequestKind::kSubscribe:
      break;
    default:
      step.reply.ending = Ending::kFailed;  // of another family
      break;
  }
  return true;
}

void RedisModel::wake(std::uint32_t mutex, ServerNow now, ServerSteps& out) {
  Lock& lock = locks_[mutex];
  if (lock.owner.empty() || now.clock < lock.expires_at) return;
  replicate(mutex, now);
  ServerStep& step = out.add(mutex);
  step.fact = ServerStep::Fact::kExpired;
  step.owner = lock.owner;
  step.token = lock.term();
  lock.owner = Name{};
}

// ---- what it suffers

void RedisModel::disturb(Disturbance what, ServerNow now, ServerSteps& out) {
  switch (what) {
    case Disturbance::kRestart:
      if (!terms_.persistence) lead_on_with(LargeVector<Lock>(locks_.size()), now.clock, out);
      break;
    case Disturbance::kFailover:
      if (terms_.replica) lead_on_with(replica_.state(locks_, now.elapsed), now.clock, out);
      break;
    case Disturbance::kReplicaCut:
      replica_.cut(locks_, now.elapsed);
      break;
    case Disturbance::kReplicaHeal:
      replica_.heal();
      break;
    case Disturbance::kErase:
      erase(0, now, out);
      break;
    default:
      break;  // of other servers
  }
}

// Its state is another one at a stroke. Keys end by absolute time, so that those of it may have run out already.
void RedisModel::lead_on_with(LargeVector<Lock> locks, ServerTime now, ServerSteps& out) {
  locks_.swap(locks);
  for (std::uint32_t mutex = 0; mutex < locks_.size(); ++mutex) {
    const Lock& before = locks[mutex];
    Lock& lock = locks_[mutex];
    if (lock.expires_at <= now) lock.owner = Name{};
    if (lock.owner == before.owner) {
      if (!lock.owner.empty() && lock.expires_at != before.expires_at) out.add(mutex);  // its end has moved
      continue;
    }
    if (!before.owner.empty()) {
      ServerStep& step = out.add(mutex);
      step.fact = ServerStep::Fact::kForgotten;
      step.owner = before.owner;
      step.token = before.term();
    }
    if (!lock.owner.empty()) {
      ServerStep& step = out.add(mutex);
      step.fact = ServerStep::Fact::kRestored;
      step.owner = lock.owner;
      step.token = lock.term();
      step.lease = lock.expires_at - now;
    }
  }
  replica_.follow(locks_);
}

// DEL of the lease key, as an operator does it: the token and the counter stay.
void RedisModel::erase(std::uint32_t mutex, ServerNow now, ServerSteps& out) {
  Lock& lock = locks_[mutex];
  if (lock.owner.empty()) return;
  replicate(mutex, now);
  ServerStep& step = out.add(mutex);
  step.fact = ServerStep::Fact::kForgotten;
  step.owner = lock.owner;
  step.token = lock.term();
  lock.owner = Name{};
}

// ---- the scripts

void RedisModel::tell_owner(const Lock& lock, ServerTime now, Reply& reply) const {
  reply.owner = lock.owner;
  if (lock.owner.empty()) return;
  reply.remaining = pttl(lock.expires_at, now);
  reply.token = lock.held_token(now);
}

void RedisModel::acquire(Lock& lock, const ServerCall& call, ServerTime now, ServerStep& out) {
  const Request& request = call.request;
  const bool own = lock.owner == request.contender && request.lease.wire == Wire::kTerm;
  if (!lock.owner.empty() && !own) return wait(lock, call, now, out);
  // Of one's own lease the rest is kept: a retrier that never hears must not hold it for ever.
  begin_term(lock, request, own ? lock.expires_at : now + request.lease.length, now, out);
}

void RedisModel::wait(Lock& lock, const ServerCall& call, ServerTime now, ServerStep& out) {
  const Request& request = call.request;
  const bool in_line = request.lease.wake_up == WakeUp::kHandOver;
  // Up to 3.1 one queues up even when it holds the key itself, and its lease is not extended.
  if (queues(request)) lock.waiters.add(request.contender, now, ranks_[request.contender.handle]);
  if (in_line) lock.line.take({request.contender, call.node, now, request.lease.length});
  tell_owner(lock, now, out.reply);
  if (request.lease.wake_up == WakeUp::kBroadcast) return;
  const bool first =
      in_line ? lock.line.comes_first(request.contender, now) : lock.waiters.first() == request.contender;
  out.reply.answer = first ? kComesFirst : 0;
  out.reply.number = lock.fence;
}

void RedisModel::begin_term(Lock& lock, const Request& request, ServerTime until, ServerTime now, ServerStep& out) {
  if (request.lease.wake_up == WakeUp::kQueue) lock.waiters.remove(request.contender);
  if (request.lease.wake_up == WakeUp::kHandOver) lock.line.leave(request.contender);
  lock.tokenless = request.lease.wire == Wire::kTokenless;
  lock.owner = request.contender;
  lock.expires_at = until;
  out.reply.owner = request.contender;
  out.reply.remaining = pttl(until, now);
  out.reply.done = request.lease.wire == Wire::kTerm;
  if (!lock.tokenless) {
    lock.token = ++lock.fence;
    lock.token_expires_at = lock.expires_at;
    out.reply.token = lock.token;
  }
  out.fact = ServerStep::Fact::kGranted;
  out.owner = request.contender;
  out.token = out.reply.token;
  out.lease = until - now;
  out.publishes = true;
  out.message = {StoreEventKind::kAcquired, request.mutex, request.contender};
}

void RedisModel::guard(Lock& lock, const Request& request, ServerTime now, ServerStep& out) {
  if (request.lease.wake_up == WakeUp::kHandOver && request.lease.term == kNoToken) lock.line.leave(request.contender);
  if (lock.owner != request.contender) return tell_owner(lock, now, out.reply);
  if (request.lease.wire == Wire::kTerm) {
    const Token held = lock.held_token(now);
    if (held == kNoToken) return begin_term(lock, request, now + request.lease.length, now, out);  // its token was lost
    if (held != request.lease.term) return tell_owner(lock, now, out.reply);
    out.reply.done = true;
  }
  lock.expires_at = now + request.lease.length;
  if (request.lease.wire != Wire::kTokenless && lock.held_token(now) != kNoToken) {
    lock.token_expires_at = lock.expires_at;
    out.reply.token = lock.token;
  }
  out.reply.owner = request.contender;
  out.reply.remaining = request.lease.length;
  out.fact = ServerStep::Fact::kRenewed;
  out.owner = request.contender;
  out.token = out.reply.token;
  out.lease = request.lease.length;
  out.publishes = request.lease.wake_up == WakeUp::kHandOver && lock.line.was_handed(request.contender, now);
  out.message = {StoreEventKind::kAcquired, request.mutex, request.contender};
}

// True where who is next in the line is to have it.
bool RedisModel::release(Lock& lock, const Request& request, ServerTime now, ServerStep& out) {
  if (lock.owner != request.contender) {
    if (queues(request)) lock.waiters.remove(request.contender);
    return false;
  }
  const Token held = lock.held_token(now);
  if (request.lease.wire == Wire::kTerm && held != kNoToken && held != request.lease.term) {
    refuse_release(request, out);
    return false;
  }
  out.fact = ServerStep::Fact::kReleased;
  out.owner = request.contender;
  out.token = lock.term();
  out.reply.done = true;
  lock.owner = Name{};
  if (request.lease.wire != Wire::kTokenless) lock.token = kNoToken;
  if (request.lease.wake_up == WakeUp::kHandOver) return true;
  wake_waiters(lock, request, out);
  return false;
}

// From 3.2 on all are told; up to 3.1 only who has queued for longest, by a channel of its own and whether it still
// listens or not. Of those that know no more of an empty queue than that, all are told.
void RedisModel::wake_waiters(Lock& lock, const Request& request, ServerStep& out) {
  out.publishes = true;
  out.message = {StoreEventKind::kReleased, request.mutex, request.contender};
  if (!queues(request)) return;
  out.channel = lock.waiters.pop();
  out.publishes = !out.channel.empty() || request.lease.wire != Wire::kTokenless;
}

// Whoever is next holds for a whole lease from now on, and is told its token. Its first guard tells the others, whose
// messages would come before its own. Where nobody is in the line all are told of the release.
void RedisModel::hand_over(Lock& lock, const ServerCall& call, ServerTime now, ServerSteps& out) {
  const Request& request = call.request;
  lock.line.leave(request.contender);
  const LinePlace next = lock.line.next(now);
  ServerStep& step = out.add(call.mutex);
  step.cause = call.cause;
  step.publishes = true;
  step.message = {StoreEventKind::kReleased, request.mutex, request.contender};
  if (next.who.empty()) return;
  lock.owner = next.who;
  lock.tokenless = false;
  lock.expires_at = lock.token_expires_at = now + next.lease;
  lock.token = ++lock.fence;
  step.fact = ServerStep::Fact::kGranted;
  step.owner = step.channel = next.who;
  step.token = lock.token;
  step.lease = next.lease;
  step.node = next.node;
  step.message = {StoreEventKind::kHandedOver, request.mutex, next.who};
  step.message.token = lock.token;
}

}  // namespace leasescope
