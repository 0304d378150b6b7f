#include "core/store/lease_store.h"

#include <utility>

#include "core/store/owner_event.h"

namespace leasescope {
namespace {

// Whoever is told of a release asks at once, and the server would end the subscription before it tells or answers them.
constexpr Duration kCourtesy = std::chrono::milliseconds(10);

constexpr const char* kNoLease = "no call of a lease";

}  // namespace

LeaseStore::LeaseStore(Loop& loop, WireNames& names, StoreListener& listener)
    : names_(&names),
      calls_(loop, listener,
             [this](const Request& request) {
               if (only_waited(request)) return;
               // The server may still be at it, and whatever comes now would be an answer to a call nobody waits for.
               // The other line leads the same way, and a subscriber hears nothing from a peer that has vanished.
               requests_->abandon("a request timed out");
               if (messages_ != nullptr) messages_->abandon("a request timed out");
             }),
      loop_(&loop),
      listener_(&listener),
      courtesy_(loop) {}

void LeaseStore::lead_over(Line& requests, Line* messages) {
  requests_ = &requests;
  messages_ = messages;
}

Line::Events LeaseStore::events_of_requests() {
  return {[this] { line_up(); }, [this](const std::string& why) { line_down(false, why); }};
}

Line::Events LeaseStore::events_of_messages() {
  return {[this] { line_up(); }, [this](const std::string& why) { line_down(true, why); }};
}

void LeaseStore::connect() {
  requests_->connect();
  if (messages_ != nullptr) messages_->connect();
}

void LeaseStore::line_up() {
  line_stands();
  if (!connected() || told_connected_) return;
  told_connected_ = true;
  listener_->on_connected();
}

void LeaseStore::line_down(bool messages, const std::string& reason) {
  told_connected_ = false;
  listener_->on_disconnected(reason);
  if (messages && courtesy_.armed()) {  // it has left by that, and is not to be subscribed again
    courtesy_.cancel();
    channel_.clear();
  }
  line_broke(messages);
  calls_.break_line(messages, reason);
}

void LeaseStore::send(const Request& request) {
  calls_.open(request, [&] { hand_on(request); });
}

void LeaseStore::hand_on(const Request& request) {
  switch (request.kind) {
    case RequestKind::kSubscribe:
    case RequestKind::kUnsubscribe:
    case RequestKind::kAcquire:
    case RequestKind::kGuard:
    case RequestKind::kRelease:
      break;
    case RequestKind::kRead:
    case RequestKind::kCompareAndSet:
      return send_cell_call(request);
    case RequestKind::kOpenSession:
    case RequestKind::kHeartbeat:
    case RequestKind::kCloseSession:
    case RequestKind::kLock:
    case RequestKind::kUnlock:
    case RequestKind::kQuery:
      return send_session_call(request);
    case RequestKind::kObtain:
    case RequestKind::kExtend:
    case RequestKind::kGiveBack:
    case RequestKind::kAbort:
    case RequestKind::kTell:
    case RequestKind::kAcknowledge:
      return send_quorum_call(request);
    default:
      return calls_.fail_soon(request.id, kNoLease);
  }
  if (request.lease.wire == Wire::kTokenless && !speaks_tokenless())
    return calls_.fail_soon(request.id, "the calls of contenders up to 3.1 are not spoken to this store");
  if (request.kind == RequestKind::kUnsubscribe) return leave(request);
  if (request.kind != RequestKind::kSubscribe) return send_lease_call(request);
  if (courtesy_.armed()) leave_now();
  subscribe(request);
}

void LeaseStore::leave(const Request& request) {
  if (messages_ == nullptr || !calls_.any(RequestKind::kRelease)) return unsubscribe(request);
  leaving_ = request;
  courtesy_.arm(kCourtesy, [this] { leave_now(); });
}

void LeaseStore::leave_now() {
  courtesy_.cancel();
  if (calls_.open_call(leaving_.id)) unsubscribe(leaving_);
}

void LeaseStore::send_cell_call(const Request& request) { calls_.fail_soon(request.id, kNoLease); }
void LeaseStore::send_session_call(const Request& request) { calls_.fail_soon(request.id, kNoLease); }
void LeaseStore::send_quorum_call(const Request& request) { calls_.fail_soon(request.id, kNoLease); }
void LeaseStore::subscribe(const Request& request) { calls_.finish_soon(answer_to(request)); }
void LeaseStore::unsubscribe(const Request& request) { calls_.finish_soon(answer_to(request)); }

void LeaseStore::follow(const Request& request, std::string channel) {
  mutex_ = request.mutex;
  channel_ = std::move(channel);
}

// What is not of Simba's making says nothing to us.
void LeaseStore::hear(std::string_view channel, std::string_view message) {
  if (channel != channel_ || courtesy_.armed()) return;
  const auto event = parse_owner_event(message);
  if (!event || !event->kind()) return;
  listener_->on_store_event({*event->kind(), mutex_, names_->intern(event->owner)}, loop_->now());
}

void LeaseStore::hear_alone(Name contender, std::string_view message) {
  const auto token = channel_.empty() || courtesy_.armed() ? std::nullopt : granted_by(message);
  if (!token) return hear(channel_, message);
  StoreEvent granted{StoreEventKind::kHandedOver, mutex_, contender};
  granted.token = *token;
  listener_->on_store_event(granted, loop_->now());
}

Reply answer_to(const Request& request) {
  Reply reply;
  reply.request = request.id;
  reply.kind = request.kind;
  reply.mutex = request.mutex;
  return reply;
}

}  // namespace leasescope
