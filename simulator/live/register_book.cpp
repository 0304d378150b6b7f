#include "simulator/live/register_book.h"

#include <algorithm>

namespace leasescope {

void RegisterBook::sending(Name node, const Request& request, TrueTime now, Sequence cause) {
  calls_.push_back({request.id, node, request.kind == RequestKind::kCompareAndSet, request.cell, now, cause});
}

Sequence RegisterBook::replied(Name node, const Reply& reply, TrueTime sent, TrueTime received) {
  const auto found = std::find_if(calls_.begin(), calls_.end(), [&](const Call& call) {
    return call.node == node && call.id == reply.request && !call.given_up;
  });
  if (found == calls_.end()) return 0;
  found->sent = sent;
  if (reply.ending != Ending::kOk) {
    if (!reply.refused) silence_.unanswered(sent);
    if (reply.ending == Ending::kUnknown && found->sets)
      found->given_up = true;
    else
      calls_.erase(found);
    return 0;
  }
  const Call call = *found;
  calls_.erase(found);
  unobserved_no_more(sent, received);
  return see({&call, &reply, sent, received});
}

// What is on its way may still be executed.
void RegisterBook::abandoned(Name node) {
  const auto of_nobody = [&](const Call& call) { return call.node == node && !call.sets; };
  calls_.erase(std::remove_if(calls_.begin(), calls_.end(), of_nobody), calls_.end());
  for (Call& call : calls_)
    if (call.node == node) call.given_up = true;
}

Name RegisterBook::owner() const {
  const auto found = std::find_if(registers_.begin(), registers_.end(), [](const Register& of) { return of.promised; });
  return found == registers_.end() ? Name{} : found->owner;
}

// ---- what an answer shows

RegisterBook::Register& RegisterBook::at(std::uint8_t cell) {
  if (registers_.size() <= cell) registers_.resize(std::size_t{cell} + 1);
  return registers_[cell];
}

bool RegisterBook::differs(const Register& of, const Sight& sight) {
  return of.mode != sight.mode() || of.owner != sight.reply->owner || of.token != sight.reply->token;
}

Sequence RegisterBook::see(const Sight& sight) {
  Register& of = at(sight.call->asked.cell);
  const std::uint64_t version = sight.reply->number;
  const bool went_back = version < of.version || (version == of.version && differs(of, sight));
  if (went_back && sight.sent >= of.received) forget(of, sight);
  Sequence fact = 0;
  if (version > of.version) {
    fact = begin(of, sight);
  } else if (version == of.version) {
    of.asked = std::max(of.asked, sight.sent);
    fact = of.fact;                                                     // another's answer had shown it before
    if (of.promised && sight.sent >= of.ends.hi) run_out(of, of.ends);  // nothing had come in between
  }
  calls_.erase(std::remove_if(calls_.begin(), calls_.end(),
                              [&](const Call& call) {
                                return call.given_up && call.asked.cell == sight.call->asked.cell &&
                                       call.asked.version < of.version;
                              }),
               calls_.end());
  return sight.reply->done ? fact : 0;
}

RegisterBook::Writer RegisterBook::writer_of(const Sight& sight) const {
  if (sight.reply->done) return {sight.call, sight.sent};
  const Register& of = registers_[sight.call->asked.cell];
  Writer out;
  for (const Call& call : calls_) {
    const bool fits = call.sets && call.asked.cell == sight.call->asked.cell &&
                      call.asked.version + 1 == sight.reply->number && call.asked.mode == sight.mode() &&
                      call.asked.token == sight.reply->token;
    if (!fits) continue;
    // A foreign holder may have given up by itself, before a call that was to free its register came.
    const bool frees = call.asked.mode == CellMode::kFree;
    if (frees ? !is_ours_(of.owner) : call.node != sight.reply->owner) continue;
    // Of several who may have freed it, whose it was.
    if (out.call == nullptr || (call.node == of.owner && out.call->node != of.owner)) out.call = &call;
    out.sent = std::min(out.sent, call.sent);
  }
  return out;
}

Sequence RegisterBook::begin(Register& of, const Sight& sight) {
  const Reply& reply = *sight.reply;
  const auto [writer, sent] = writer_of(sight);
  const Span when{std::min(sight.received, writer == nullptr ? of.asked : std::max(of.asked, sent)), sight.received};
  const Sequence cause = writer == nullptr ? 0 : writer->cause;
  const bool was_held = of.mode == CellMode::kHeld || of.mode == CellMode::kShared;
  const bool same_term = was_held && sight.held() && of.owner == reply.owner && of.token == reply.token;
  of.fact = 0;
  if (of.promised && !same_term) end_former(of, sight, writer, when);
  of.version = reply.number;
  of.mode = sight.mode();
  of.owner = of.mode == CellMode::kFree ? Name{} : reply.owner;
  of.token = reply.token;
  of.written = when;
  of.asked = std::max(when.lo, sight.sent);
  of.received = sight.received;
  of.promised = sight.held();
  if (!of.promised) return of.fact;
  of.ends = promise_of(sight, when);
  const auto how = of.mode == CellMode::kShared ? GrantKind::kShared : GrantKind::kAsked;
  const Duration lease = std::max<Duration>(Duration::zero(), of.ends.lo - when.lo);
  of.fact = record(same_term ? EventKind::kRenewed : EventKind::kGranted, of.owner, when, of.token, lease, cause,
                   same_term ? 0 : static_cast<std::uint8_t>(how));
  if (sight.sent >= of.ends.hi) run_out(of, of.ends);
  return of.fact;
}

// ---- how a promise ends

RegisterBook::Span RegisterBook::promise_of(const Sight& sight, Span written) const {
  const Reply& reply = *sight.reply;
  const CellCall& asked = sight.call->asked;
  const TrueTime lease_lo = written.lo + facts_.lease, lease_hi = written.hi + facts_.lease;
  switch (asked.by) {
    case Stamp::kClient: {
      const TrueTime stamped(reply.remaining);
      return {std::clamp(stamped, written.lo, lease_lo), std::clamp(stamped, written.hi, lease_hi)};
    }
    case Stamp::kServer:
      if (asked.dated) return {lease_lo, lease_hi};
      return {std::max(written.lo, sight.sent) + reply.remaining, sight.received + reply.remaining};
    case Stamp::kVersion:
      return {written.lo + reply.remaining, written.hi + reply.remaining};
  }
  return {lease_lo, lease_hi};
}

// Its holder has given it up, another has freed it, or taken it: by the version that was known, so that no renewal had
// come in between, unless more than one write is seen at once. It ended by that or ran out, whichever came first.
void RegisterBook::end_former(Register& of, const Sight& sight, const Call* writer, Span when) {
  of.promised = false;
  const bool several = sight.reply->number > of.version + 1;
  if (several) writer = gave_up(sight.call->asked.cell, of);
  if (several) when.lo = writer == nullptr ? of.asked : std::max(of.asked, writer->sent);
  const bool freed = several || !sight.held();
  const Name by = writer != nullptr ? writer->node : several ? Name{} : sight.reply->owner;
  const bool over = !several && of.ends.hi < when.lo, may_be_over = of.ends.lo <= when.hi;
  const Span ended{std::min(of.ends.lo, when.lo), several ? when.hi : std::min(of.ends.hi, when.hi)};
  const Sequence cause = writer == nullptr ? 0 : writer->cause;
  const bool unseen = freed && writer == nullptr && !is_ours_(of.owner);
  if ((by == of.owner || unseen) && !over)
    of.fact = record(EventKind::kReleased, of.owner, ended, of.token, {}, cause);
  else if (may_be_over)
    record(EventKind::kExpired, of.owner, over ? of.ends : ended, of.token, {}, 0);
  else if (freed)
    of.fact = record(EventKind::kExpired, of.owner, when, of.token, {}, cause,
                     static_cast<std::uint8_t>(LeaseEnd::kForgotten));
}

// A release of its holder that may have been executed.
const RegisterBook::Call* RegisterBook::gave_up(std::uint8_t cell, const Register& of) const {
  const auto found = std::find_if(calls_.begin(), calls_.end(), [&](const Call& call) {
    return call.sets && call.node == of.owner && call.asked.cell == cell && call.asked.version == of.version &&
           call.asked.mode == CellMode::kFree;
  });
  return found == calls_.end() ? nullptr : &*found;
}

void RegisterBook::forget(Register& of, const Sight& sight) {
  if (of.promised)
    record(EventKind::kExpired, of.owner, {of.asked, sight.received}, of.token, {}, 0,
           static_cast<std::uint8_t>(LeaseEnd::kForgotten));
  Register anew;
  anew.asked = of.asked;
  of = anew;
}

RegisterBook::Span RegisterBook::runs_out(std::uint8_t cell, const Register& of) const {
  Span out = of.ends;
  if (!is_ours_(of.owner)) out.hi = TrueTime::max();
  for (const Call& call : calls_) {
    if (!call.sets || call.asked.cell != cell || call.asked.version != of.version) continue;
    const bool renews = call.node == of.owner && call.asked.token == of.token && call.asked.mode != CellMode::kFree;
    if (renews) out.hi = TrueTime::max();
    if (!renews) out.lo = std::min(out.lo, call.sent);
  }
  return out;
}

TrueTime RegisterBook::due() const {
  TrueTime out = silence_.due(longest_silence());
  for (std::size_t cell = 0; cell < registers_.size(); ++cell)
    if (registers_[cell].promised) out = std::min(out, runs_out(static_cast<std::uint8_t>(cell), registers_[cell]).hi);
  return out;
}

void RegisterBook::tick(TrueTime now) {
  if (const auto from = silence_.begun(now, longest_silence()))
    record(EventKind::kUnobservedBegan, facts_.store, {*from, *from}, kNoToken, {}, 0);
  for (std::size_t cell = 0; cell < registers_.size(); ++cell) {
    Register& of = registers_[cell];
    if (!of.promised) continue;
    const Span over = runs_out(static_cast<std::uint8_t>(cell), of);
    if (now >= over.hi) run_out(of, over);
  }
}

void RegisterBook::run_out(Register& of, Span when) {
  of.promised = false;
  record(EventKind::kExpired, of.owner, when, of.token, {}, 0);
}

void RegisterBook::unobserved_no_more(TrueTime sent, TrueTime received) {
  if (const auto lo = silence_.answered(sent, received))
    record(EventKind::kUnobservedEnded, facts_.store, {*lo, received}, kNoToken, {}, 0);
}

Sequence RegisterBook::record(EventKind kind, Name node, Span when, Token token, Duration lease, Sequence cause,
                              std::uint8_t detail) {
  Event event;
  event.lo = std::min(when.lo, when.hi);
  event.hi = when.hi;
  event.kind = kind;
  event.detail = detail;
  event.node = node;
  event.mutex = facts_.mutex;
  event.token = token;
  event.a = lease.count();
  event.cause = cause;
  return record_(event);
}

}  // namespace leasescope
