#include "simulator/live/node_book.h"

#include <algorithm>

namespace leasescope {

void NodeBook::sending(Name node, const Request& request, TrueTime now, Sequence cause) {
  Client& client = clients_[node.handle];
  client.calls.push_back({request.id, request.kind, request.nodes.session, request.nodes.node, now, cause});
  if (request.kind == RequestKind::kCreate) {
    client.node = 0;
    client.not_before = now;
    client.leaves = TrueTime::max();
  }
  const bool gives_back = request.kind == RequestKind::kCloseSession ||
                          (request.kind == RequestKind::kDelete && request.nodes.node == client.node);
  if (gives_back) client.leaves = std::min(client.leaves, now);
}

NodeBook::Call NodeBook::take(Client& client, const Reply& reply, TrueTime sent) {
  const auto found = std::find_if(client.calls.begin(), client.calls.end(),
                                  [&](const Call& call) { return call.id == reply.request; });
  Call call;
  call.kind = reply.kind;
  call.sent = sent;
  if (found == client.calls.end()) return call;
  call = *found;
  call.sent = sent;
  client.calls.erase(found);
  return call;
}

Sequence NodeBook::replied(Name node, const Reply& reply, TrueTime sent, TrueTime received) {
  Client& client = clients_[node.handle];
  const Call call = take(client, reply, sent);
  if (reply.ending != Ending::kOk) {
    if (!reply.refused) silence_.unanswered(sent);
    return 0;
  }
  answered(sent, received);
  const auto answer = static_cast<NodeAnswer>(reply.answer);
  if (answer == NodeAnswer::kSessionEnded) {
    on_session_ended(node, client, call, received);
    return 0;
  }
  if (call.kind == RequestKind::kConnect) return on_connected(node, client, call, reply, received);
  client.touched = std::max(client.touched, sent);
  if (leads_by(node, client)) lasts_until_ = client.touched + client.length;
  switch (call.kind) {
    case RequestKind::kHeartbeat:
      return on_alive(node, client, call, received);
    case RequestKind::kCreate:
      client.node = client.made = static_cast<std::uint32_t>(reply.number);
      client.made_in = client.session;
      client.made_token = reply.token;
      return 0;
    case RequestKind::kChildren:
      return on_children(node, client, call, reply, received);
    case RequestKind::kLook:
      return on_looked(node, client, call, reply, received);
    case RequestKind::kDelete:
      return call.node == client.node ? give_back(node, client, call, received) : 0;
    case RequestKind::kCloseSession: {
      const Sequence fact = give_back(node, client, call, received);
      record(EventKind::kSessionEnded, node, call.sent, received, kNoToken, 0,
             static_cast<std::int64_t>(client.session), call.cause, static_cast<std::uint8_t>(SessionEnd::kClosed));
      client.session = 0;
      return fact;
    }
    default:
      return 0;
  }
}

void NodeBook::answered(TrueTime sent, TrueTime received) {
  if (const auto lo = silence_.answered(sent, received))
    record(EventKind::kUnobservedEnded, facts_.store, *lo, received, kNoToken, 0, 0, 0);
}

void NodeBook::tick(TrueTime now) {
  if (const auto from = silence_.begun(now, longest_silence()))
    record(EventKind::kUnobservedBegan, facts_.store, *from, *from, kNoToken, 0, 0, 0);
}

Sequence NodeBook::on_connected(Name node, Client& client, const Call& call, const Reply& reply, TrueTime received) {
  const bool is_new = call.session == 0;
  client.session = reply.number;
  client.length = length_ = reply.remaining;
  client.touched = call.sent;
  const Sequence fact =
      record(is_new ? EventKind::kSessionOpened : EventKind::kSessionRenewed, node, call.sent, received, kNoToken,
             client.length.count(), static_cast<std::int64_t>(client.session), call.cause);
  if (leads_by(node, client)) lasts_until_ = client.touched + client.length;
  if (leads_by(node, client) && !is_new)
    record(EventKind::kRenewed, node, call.sent, received, token_, client.length.count(), 0, call.cause);
  return fact;
}

Sequence NodeBook::on_alive(Name node, Client& client, const Call& call, TrueTime received) {
  record(EventKind::kSessionRenewed, node, call.sent, received, kNoToken, client.length.count(),
         static_cast<std::int64_t>(client.session), call.cause);
  if (!leads_by(node, client)) return 0;
  return record(EventKind::kRenewed, node, call.sent, received, token_, client.length.count(), 0, call.cause);
}

// Whose node was made in this session and is the lowest leads; who found its node leads once it has looked at it.
Sequence NodeBook::on_children(Name node, Client& client, const Call& call, const Reply& reply, TrueTime received) {
  const Children children = Children::from(reply.number);
  client.node = children.own;
  if (children.own != 0 && children.before == 0) {
    client.seen_lowest = std::min(client.seen_lowest, received);
    const bool knows = client.node == client.made && client.session == client.made_in;
    return knows ? leads(node, client, call, client.made_token, received) : 0;
  }
  client.seen_lowest = TrueTime::max();
  client.not_before = std::max(client.not_before, call.sent);
  return 0;
}

// The lowest, and of its own session: it leads.
Sequence NodeBook::on_looked(Name node, Client& client, const Call& call, const Reply& reply, TrueTime received) {
  const bool own = call.node != 0 && call.node == client.node && reply.number == client.session;
  if (!own || client.seen_lowest == TrueTime::max()) return 0;
  return leads(node, client, call, reply.token, received);
}

Sequence NodeBook::leads(Name node, Client& client, const Call& call, Token token, TrueTime received) {
  if (owner_ == node && token_ == token) return 0;
  const TrueTime hi = std::min(client.seen_lowest, received);
  Sequence cause = call.cause;
  if (!owner_.empty()) cause = run_out(hi);
  const TrueTime lo = std::max(client.not_before, free_from_);
  owner_ = node;
  session_ = client.session;
  lasts_until_ = client.touched + client.length;
  token_ = token;
  const Duration left = std::max<Duration>(Duration::zero(), client.touched + client.length - hi);
  return record(EventKind::kGranted, node, lo, hi, token_, left.count(), 0, cause);
}

Sequence NodeBook::give_back(Name node, Client& client, const Call& call, TrueTime received) {
  const TrueTime from = std::min(client.leaves, call.sent);
  client.node = 0;
  client.seen_lowest = client.leaves = TrueTime::max();
  if (owner_ != node) return 0;
  owner_ = Name{};
  free_from_ = std::max(free_from_, from);
  return record(EventKind::kReleased, node, from, received, token_, 0, 0, call.cause);
}

void NodeBook::on_session_ended(Name node, Client& client, const Call& call, TrueTime received) {
  if (owner_ == node) run_out(received);
  record(EventKind::kSessionEnded, node, std::min(client.touched + client.length, received), received, kNoToken, 0,
         static_cast<std::int64_t>(call.session), call.cause, static_cast<std::uint8_t>(SessionEnd::kExpired));
  client.session = 0;
  client.node = 0;
  client.seen_lowest = client.leaves = TrueTime::max();
}

// What was on its way to give it back may have done so; else its session is over.
Sequence NodeBook::run_out(TrueTime proof) {
  Client& client = clients_[owner_.handle];
  const Name whose = owner_;
  const bool given_back = client.leaves < proof;
  const TrueTime lo = given_back              ? client.leaves
                      : lasts_until_ <= proof ? lasts_until_
                                              : std::max(free_from_, lasts_until_ - client.length);
  owner_ = Name{};
  client.leaves = TrueTime::max();
  free_from_ = std::max(free_from_, std::min(lo, proof));
  return record(given_back ? EventKind::kReleased : EventKind::kExpired, whose, lo, proof, token_, 0, 0, 0);
}

Sequence NodeBook::record(EventKind kind, Name node, TrueTime lo, TrueTime hi, Token token, std::int64_t a,
                          std::int64_t b, Sequence cause, std::uint8_t detail) {
  Event event;
  event.lo = std::min(lo, hi);
  event.hi = hi;
  event.kind = kind;
  event.detail = detail;
  event.node = node;
  event.mutex = facts_.mutex;
  event.token = token;
  event.a = a;
  event.b = b;
  event.cause = cause;
  return record_(event);
}

}  // namespace leasescope
