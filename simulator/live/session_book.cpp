#include "simulator/live/session_book.h"

#include <algorithm>
#include <utility>

namespace leasescope {

void SessionBook::sending(Name node, const Request& request, TrueTime now, Sequence cause) {
  Client& client = clients_[node.handle];
  client.calls.push_back({request.id, request.kind, request.session.session, now, now, cause});
  if (request.kind == RequestKind::kLock) client.wants = std::min(client.wants, now);
  const bool leaves = request.kind == RequestKind::kUnlock || request.kind == RequestKind::kCloseSession;
  if (leaves && holds(node, request.session.session)) leaves_ = std::min(leaves_, now);
}

SessionBook::Call SessionBook::take(Client& client, const Reply& reply, TrueTime sent, TrueTime received) {
  const auto found = std::find_if(client.calls.begin(), client.calls.end(),
                                  [&](const Call& call) { return call.id == reply.request; });
  Call call;
  if (found != client.calls.end()) {
    call = *found;
    client.calls.erase(found);
  }
  call.kind = reply.kind;
  call.sent = sent;
  call.received = received;
  return call;
}

Sequence SessionBook::replied(Name node, const Reply& reply, TrueTime sent, TrueTime received) {
  Client& client = clients_[node.handle];
  const Call call = take(client, reply, sent, received);
  if (reply.ending != Ending::kOk) {
    if (!reply.refused) silence_.unanswered(sent);
    return 0;
  }
  if (const auto lo = silence_.answered(sent, received))
    record(EventKind::kUnobservedEnded, facts_.store, *lo, received);
  if (static_cast<SessionAnswer>(reply.answer) == SessionAnswer::kSessionEnded) {
    on_session_ended(node, client, call);
    return 0;
  }
  if (call.kind == RequestKind::kQuery) {
    on_told(call, reply);
    return 0;
  }
  client.touched = std::max(client.touched, call.sent);
  if (holds(node, call.session)) touched_ = std::max(touched_, call.sent);
  switch (call.kind) {
    case RequestKind::kOpenSession:
      return on_opened(node, client, call, reply);
    case RequestKind::kHeartbeat:
      return on_alive(node, call);
    case RequestKind::kLock:
      return on_locked(node, client, call, reply);
    case RequestKind::kUnlock:
      return on_unlocked(node, call, reply);
    case RequestKind::kCloseSession:
      return on_closed(node, client, call);
    default:
      return 0;
  }
}

void SessionBook::tick(TrueTime now) {
  if (const auto from = silence_.begun(now, longest_silence()))
    record(EventKind::kUnobservedBegan, facts_.store, *from, *from);
}

// ---- what an answer shows

Sequence SessionBook::on_opened(Name node, Client& client, const Call& call, const Reply& reply) {
  client.session = reply.number;
  client.touched = call.sent;
  client.wants = TrueTime::max();
  return record(EventKind::kSessionOpened, node, call, facts_.lease.count(), static_cast<std::int64_t>(client.session));
}

Sequence SessionBook::on_alive(Name node, const Call& call) {
  const Sequence alive =
      record(EventKind::kSessionRenewed, node, call, facts_.lease.count(), static_cast<std::int64_t>(call.session));
  const bool holds_still = holds(node, call.session) && leaves_ == TrueTime::max();
  return holds_still ? record(EventKind::kRenewed, node, call, facts_.lease.count(), 0) : alive;
}

Sequence SessionBook::on_locked(Name node, Client& client, const Call& call, const Reply& reply) {
  const TrueTime wanted = std::exchange(client.wants, TrueTime::max());
  if (static_cast<SessionAnswer>(reply.answer) != SessionAnswer::kDone) return 0;
  // Fences rise: it was granted before the present term, and is over.
  if (!owner_.empty() && reply.token < token_ && call.sent < granted_) return 0;
  if (!holds(node, call.session) || token_ != reply.token) {
    client.wants = std::min(wanted, call.sent);
    last_fact_ = grant(node, client, call, reply.token);
  }
  if (reply.number > entered_ && reply.number > 1)
    last_fact_ = record(EventKind::kReentered, node, call, 0, static_cast<std::int64_t>(reply.number));
  entered_ = reply.number;
  return last_fact_;
}

Sequence SessionBook::grant(Name node, Client& client, const Call& call, Token token) {
  Sequence cause = call.cause;
  if (!owner_.empty() && may_be_over(call.received)) cause = end_term(call.received);
  const TrueTime lo = std::max(std::exchange(client.wants, TrueTime::max()), free_from_);
  leaves_ = TrueTime::max();
  touched_ = client.touched;
  owner_ = node;
  session_ = call.session;
  token_ = token;
  entered_ = 1;
  granted_ = call.received;
  const Duration left = std::max<Duration>(Duration::zero(), client.touched + facts_.lease - call.received);
  return record(EventKind::kGranted, node, lo, call.received, left.count(), 0, cause);
}

Sequence SessionBook::on_unlocked(Name node, const Call& call, const Reply& reply) {
  if (static_cast<SessionAnswer>(reply.answer) == SessionAnswer::kNotOwner) {
    if (holds(node, call.session) && call.sent >= granted_) end_term(call.received);
    return 0;
  }
  if (reply.number == 0) return give_back(node, call);
  if (!holds(node, call.session)) return 0;
  leaves_ = TrueTime::max();
  entered_ = reply.number;
  return last_fact_ = record(EventKind::kReentered, node, call, 0, static_cast<std::int64_t>(reply.number));
}

Sequence SessionBook::on_closed(Name node, Client& client, const Call& call) {
  const Sequence fact = give_back(node, call);
  record(EventKind::kSessionEnded, node, call, 0, static_cast<std::int64_t>(call.session),
         static_cast<std::uint8_t>(SessionEnd::kClosed));
  client.session = 0;
  return fact;
}

void SessionBook::on_session_ended(Name node, Client& client, const Call& call) {
  if (client.session == call.session) {  // else told before
    record_session_over(node, client, client.touched + facts_.lease, call.received, call.cause);
    client.wants = TrueTime::max();
  }
  if (holds(node, call.session)) end_term(call.received);
}

// Whoever asks is told who holds: not the one who did, by a question that went out after his grant.
void SessionBook::on_told(const Call& call, const Reply& reply) {
  const bool other = reply.owner.empty() || reply.token != token_;
  if (!owner_.empty() && other && call.sent >= granted_ && may_be_over(call.received)) end_term(call.received);
}

// ---- how a term ends

bool SessionBook::may_be_over(TrueTime by) const { return leaves_ < by || touched_ + facts_.lease <= by; }

Sequence SessionBook::give_back(Name node, const Call& call) {
  if (!holds(node, call.session)) return 0;
  const TrueTime from = std::min(leaves_, call.sent);
  owner_ = Name{};
  free_from_ = std::max(free_from_, from);
  return last_fact_ = record(EventKind::kReleased, node, from, call.received, 0, 0, call.cause);
}

Sequence SessionBook::end_term(TrueTime proof) {
  const Name whose = std::exchange(owner_, Name{});
  const TrueTime lasts_until = touched_ + facts_.lease;
  const bool given_back = leaves_ < proof, early = !given_back && lasts_until > proof;
  // What was to give it back may have found its session over.
  const TrueTime from = early ? std::max(free_from_, touched_) : std::min(leaves_, lasts_until);
  free_from_ = std::max(free_from_, std::min(from, proof));
  // Its holder may never ask in that session again: a question shows it another's lock, a killed one shows nothing.
  Client& client = clients_[whose.handle];
  if (!given_back && !early && client.session == session_) record_session_over(whose, client, lasts_until, proof, 0);
  return last_fact_ = record(given_back ? EventKind::kReleased : EventKind::kExpired, whose, from, proof, 0, 0, 0,
                             early ? static_cast<std::uint8_t>(LeaseEnd::kForgotten) : std::uint8_t{0});
}

void SessionBook::record_session_over(Name node, Client& client, TrueTime lo, TrueTime proof, Sequence cause) {
  record(EventKind::kSessionEnded, node, lo, proof, 0, static_cast<std::int64_t>(client.session), cause,
         static_cast<std::uint8_t>(SessionEnd::kExpired));
  client.session = 0;
}

Sequence SessionBook::record(EventKind kind, Name node, const Call& call, std::int64_t a, std::int64_t b,
                             std::uint8_t detail) {
  return record(kind, node, call.sent, call.received, a, b, call.cause, detail);
}

Sequence SessionBook::record(EventKind kind, Name node, TrueTime lo, TrueTime hi, std::int64_t a, std::int64_t b,
                             Sequence cause, std::uint8_t detail) {
  const bool of_term = kind == EventKind::kGranted || kind == EventKind::kRenewed || kind == EventKind::kReleased ||
                       kind == EventKind::kExpired || kind == EventKind::kReentered;
  Event event;
  event.lo = std::min(lo, hi);
  event.hi = hi;
  event.kind = kind;
  event.detail = detail;
  event.node = node;
  event.mutex = facts_.mutex;
  event.token = of_term ? token_ : kNoToken;
  event.a = a;
  event.b = b;
  event.cause = cause;
  return record_(event);
}

}  // namespace leasescope
