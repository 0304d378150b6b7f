#include "core/fenced/fenced_client.h"

#include <algorithm>

namespace leasescope {
namespace {

RequestKind kind_of(FencedCall call) {
  if (asks(call)) return RequestKind::kQuery;
  return call == FencedCall::kUnlock ? RequestKind::kUnlock : RequestKind::kLock;
}

}  // namespace

// ---- calls

std::optional<FencedAnswer> FencedClient::call(FencedCall call, std::uint32_t thread, Duration wait, Effects& out,
                                               Clocks now) {
  Thread& of = threads_[thread];
  // What it no longer waits for: a question, or a call of a lock that is lost.
  expect(!of.busy || asks(of.call) || lost(thread), "a thread has one call at a time");
  of.call = call;
  of.wait = call == FencedCall::kLock ? kForEver : wait;
  of.uid = ++uids_;
  of.busy = true;
  of.again = false;
  if (lost(thread)) {
    // A question leaves the mark, so that whatever is called next is told as well.
    if (!asks(call)) of.locked_session = of.count = 0;
    return answer(thread, FencedResult::kOwnershipLost);
  }
  if (call == FencedCall::kUnlock && session_ == 0) return answer(thread, FencedResult::kNotOwner);
  if (session_ != 0 || asks(call)) {
    ask(thread, out, now);
  } else {
    open(out, now);
  }
  return std::nullopt;
}

bool FencedClient::close(Effects& out) {
  for (Thread& of : threads_) of = {};
  if (beats_) out.push(Disarm{FencedTimer::kHeartbeat});
  beats_ = false;
  out.push(Disarm{FencedTimer::kRetry});
  opening_ = 0;
  if (session_ == 0) return false;
  send(RequestKind::kCloseSession, out).session = {session_, 0, Duration::zero(), 0};
  session_ = 0;
  return true;
}

Request& FencedClient::send(RequestKind kind, Effects& out) {
  Request& call = out.send();
  call.id = ++requests_;
  call.kind = kind;
  call.mutex = config_.mutex;
  call.contender = config_.id;
  call.timeout = config_.timeout;
  return call;
}

void FencedClient::ask(std::uint32_t thread, Effects& out, Clocks now) {
  Thread& of = threads_[thread];
  of.again = false;
  // What is held is given back, or entered once more, in the session in which it is held, though that may have ended.
  of.asked_in = !asks(of.call) && of.locked_session != 0 ? of.locked_session : session_;
  Request& call = send(kind_of(of.call), out);
  call.session = {of.asked_in, of.uid, of.wait, thread + 1};
  // Who waits without end asks again now and then: the answer may have been lost.
  if (acquires(of.call) && of.wait > Duration::zero())
    call.timeout = of.wait == kForEver ? std::max(config_.timeout, heartbeat_) : of.wait + config_.timeout;
  of.request = call.id;
  of.sent = now.steady;
  if (acquires(of.call)) beat(out);
}

// The same operation once more: the store knows it by its uid.
void FencedClient::ask_again(std::uint32_t thread, Effects& out, Clocks now) {
  Thread& of = threads_[thread];
  if (config_.new_uid_a_try) of.uid = ++uids_;
  if (session_ != 0 || of.locked_session != 0 || !acquires(of.call)) return ask(thread, out, now);
  of.again = false;
  open(out, now);
}

void FencedClient::open(Effects& out, Clocks now) {
  if (opening_ != 0) return;
  Request& call = send(RequestKind::kOpenSession, out);
  call.session = {0, 0, config_.ttl, 0};
  opening_ = call.id;
  asked_at_ = now.steady;
}

// ---- answers

std::optional<FencedAnswer> FencedClient::on_reply(const Reply& reply, Effects& out, Clocks now) {
  if (reply.request == opening_ && opening_ != 0) {
    on_opened(reply, out, now);
    return std::nullopt;
  }
  if (reply.kind == RequestKind::kHeartbeat) {
    on_heartbeat(reply);
    return std::nullopt;
  }
  for (std::uint32_t thread = 0; thread < kThreads; ++thread)
    if (threads_[thread].busy && threads_[thread].request == reply.request) return on_answer(thread, reply, out, now);
  return std::nullopt;  // of a call that was given up
}

void FencedClient::on_opened(const Reply& reply, Effects& out, Clocks now) {
  opening_ = 0;
  if (reply.ending != Ending::kOk) {
    for (Thread& of : threads_) of.again = of.again || (of.busy && of.request == 0);
    return out.push(Arm{FencedTimer::kRetry, config_.retry});
  }
  session_ = reply.number;
  opened_ = reply.request;
  heartbeat_ = reply.remaining;
  session_until_ = asked_at_ + config_.ttl;
  for (std::uint32_t thread = 0; thread < kThreads; ++thread)
    if (threads_[thread].busy && threads_[thread].request == 0) ask(thread, out, now);
}

void FencedClient::on_heartbeat(const Reply& reply) {
  if (reply.ending != Ending::kOk || reply.request < opened_) return;  // of a session before this one
  if (static_cast<SessionAnswer>(reply.answer) == SessionAnswer::kSessionEnded) {
    session_ = 0;
  } else if (reply.request == beating_) {
    session_until_ = asked_at_ + config_.ttl;
  }
}

std::optional<FencedAnswer> FencedClient::on_answer(std::uint32_t thread, const Reply& reply, Effects& out,
                                                    Clocks now) {
  Thread& of = threads_[thread];
  of.request = 0;
  if (reply.ending != Ending::kOk) {
    // Who waits without end has not been answered yet, as far as anybody knows.
    const bool ends = !asks(of.call) && of.wait != kForEver;
    if (config_.reports_unknown && reply.ending == Ending::kUnknown && ends)
      return answer(thread, FencedResult::kUnknown);
    of.again = true;
    out.push(Arm{FencedTimer::kRetry, config_.retry});
    return std::nullopt;
  }
  if (asks(of.call)) return on_told(thread, reply);
  if (of.call == FencedCall::kUnlock) return on_unlocked(thread, reply);
  return on_acquired(thread, reply, out, now);
}

std::optional<FencedAnswer> FencedClient::on_acquired(std::uint32_t thread, const Reply& reply, Effects& out,
                                                      Clocks now) {
  Thread& of = threads_[thread];
  switch (static_cast<SessionAnswer>(reply.answer)) {
    case SessionAnswer::kDone:
      of.locked_session = of.asked_in;
      of.count = reply.number;
      session_until_ = std::max(session_until_, of.sent + config_.ttl);  // a lock is a sign of life
      return answer(thread, FencedResult::kDone, reply.token);
    case SessionAnswer::kLimit:
      return answer(thread, of.call == FencedCall::kLock ? FencedResult::kLimit : FencedResult::kNotLocked);
    case SessionAnswer::kCancelled:
      return answer(thread, FencedResult::kCancelled);
    case SessionAnswer::kSessionEnded:
      forget_session(of.asked_in);
      if (of.locked_session == 0) {
        ask_again(thread, out, now);
        return std::nullopt;
      }
      of.locked_session = of.count = 0;
      return answer(thread, FencedResult::kOwnershipLost);
    default:
      return answer(thread, FencedResult::kNotLocked);
  }
}

FencedAnswer FencedClient::on_unlocked(std::uint32_t thread, const Reply& reply) {
  Thread& of = threads_[thread];
  const auto said = static_cast<SessionAnswer>(reply.answer);
  of.count = said == SessionAnswer::kDone ? reply.number : 0;
  if (of.count == 0) of.locked_session = 0;
  if (said == SessionAnswer::kDone) return answer(thread, FencedResult::kDone);
  if (said != SessionAnswer::kSessionEnded) return answer(thread, FencedResult::kNotOwner);
  forget_session(of.asked_in);
  return answer(thread, FencedResult::kOwnershipLost);
}

// The mark stays when a question finds the lock lost.
FencedAnswer FencedClient::on_told(std::uint32_t thread, const Reply& reply) {
  Thread& of = threads_[thread];
  if (!reply.done && of.locked_session != 0) {
    forget_session(of.locked_session);
    FencedAnswer lost = answer(thread, FencedResult::kOwnershipLost, reply.token);
    lost.count = reply.number;
    return lost;
  }
  const bool refused = of.call == FencedCall::kFence && !reply.done;
  FencedAnswer told = answer(thread, refused ? FencedResult::kNotOwner : FencedResult::kDone, reply.token);
  told.by_me = reply.done;
  told.count = reply.number;
  return told;
}

FencedAnswer FencedClient::answer(std::uint32_t thread, FencedResult result, Token fence) {
  Thread& of = threads_[thread];
  of.busy = of.again = false;
  of.request = 0;
  return {of.call, result, thread, of.uid, fence, of.count, false};
}

// ---- the session's life

bool FencedClient::needs_session() const {
  return std::any_of(threads_.begin(), threads_.end(),
                     [](const Thread& of) { return of.locked_session != 0 || (of.busy && acquires(of.call)); });
}

void FencedClient::beat(Effects& out) {
  if (beats_ || heartbeat_ <= Duration::zero()) return;
  beats_ = true;
  out.push(Arm{FencedTimer::kHeartbeat, heartbeat_});
}

void FencedClient::on_timer(Timer timer, Effects& out, Clocks now) {
  if (timer == FencedTimer::kRetry) {
    for (std::uint32_t thread = 0; thread < kThreads; ++thread)
      if (threads_[thread].busy && threads_[thread].again) ask_again(thread, out, now);
    return;
  }
  if (timer != FencedTimer::kHeartbeat) return;
  beats_ = false;
  if (session_ == 0 || !needs_session()) return;
  Request& call = send(RequestKind::kHeartbeat, out);
  call.session = {session_, 0, Duration::zero(), 0};
  beating_ = call.id;
  asked_at_ = now.steady;
  beat(out);
}

}  // namespace leasescope
