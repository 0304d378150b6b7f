#include "core/check/run_calls.h"

#include <algorithm>

#include <fmt/format.h>

namespace leasescope::check {

Call& RunCalls::begin(const Told& told, Operation f) {
  Call call;
  call.process = call.client = calls_.names.intern(told.node);
  call.mutex = calls_.names.intern(told.mutex);
  call.f = f;
  call.ending = Ending::kUnknown;
  call.called = {told.lo, told.sequence};
  if (told.permits > 0) call.permits = told.permits;
  calls_.calls.push_back(call);
  return calls_.calls.back();
}

// What the store did: it took effect between the bounds of the event.
void RunCalls::momentary(const Told& told, Operation f) {
  Call& call = begin(told, f);
  call.ending = Ending::kOk;
  call.returned = {told.hi, told.sequence};
  call.fence = told.token;
  if (told.kind == EventKind::kGranted || told.kind == EventKind::kRenewed) call.ttl = told.lease;
}

void RunCalls::grant(const Told& told) {
  switch (told.kind) {
    case EventKind::kGranted:
      return momentary(told, Operation::kLock);
    case EventKind::kRenewed:
      return momentary(told, Operation::kRenew);
    case EventKind::kReleased:
      return momentary(told, Operation::kUnlock);
    case EventKind::kExpired:
      return momentary(told, Operation::kExpire);
    default:
      return;
  }
}

void RunCalls::application(const Told& told) {
  switch (told.kind) {
    case EventKind::kInvoked: {
      called_ = true;
      Call& call = begin(told, told.operation);
      call.uid = calls_.names.intern(fmt::format("{}", told.uid));
      open_[{call.process.handle, told.uid}] = calls_.calls.size() - 1;
      if (takes(told.operation)) asking_.insert(holder(told.node, told.mutex));
      return;
    }
    case EventKind::kReturned:
      return on_returned(told);
    case EventKind::kSessionEnded:
      session_ended_[std::string(told.node)] = told.lo;
      return;
    case EventKind::kGranted:
      return on_granted(told);
    case EventKind::kDisbelieved:
      return on_disbelieved(told);
    case EventKind::kExpired:
      return on_expired(told);
    case EventKind::kReleased:
      return on_released(told);
    case EventKind::kCrashed:
      return on_crashed(told);
    default:
      return;
  }
}

void RunCalls::on_returned(const Told& told) {
  const auto found = open_.find({calls_.names.intern(told.node).handle, told.uid});
  if (found == open_.end()) return;
  Call& call = calls_.calls[found->second];
  call.ending = told.ending;
  call.fence = told.token;
  if (told.ending != Ending::kUnknown) call.returned = {told.hi, told.sequence};
  const bool took = takes(call.f), freed = frees(call.f);
  open_.erase(found);
  const Holder who = holder(told.node, told.mutex);
  if (took) asking_.erase(who);
  if (took && told.ending == Ending::kOk) return begin_term(told, who);
  const auto at = terms_.find(who);
  if (!freed || at == terms_.end()) return;
  Term& term = at->second;
  if (told.ending == Ending::kFailed && term.stolen_at >= 0 && !term.over) {
    end(told, term.stolen_at, term.stolen_by);  // by that it learns what it was never told
    terms_.erase(at);
  } else if (told.ending == Ending::kFailed) {
    term.refused = true;
  } else if (--term.entries <= 0) {
    terms_.erase(at);
  }
}

void RunCalls::begin_term(const Told& told, const Holder& who) {
  Term& term = terms_[who];
  const bool again = term.entries > 0 && !term.refused && !term.over && !term.crashed;
  if (again) {
    ++term.entries;
    return;
  }
  term = {told.token, 1};
  const auto at = untold_.find(who);
  if (at == untold_.end()) return;
  const Untold ended = at->second;
  untold_.erase(at);
  if (ended.token != told.token) return;
  if (ended.stolen) {
    term.stolen_at = ended.at;
    term.stolen_by = ended.sequence;
  } else {
    end(told, ended.at, ended.sequence);
    terms_.erase(who);
  }
}

// It ended at that moment, and nobody called for it.
void RunCalls::end(const Told& told, std::int64_t at, std::int64_t sequence) {
  Told ended = told;
  ended.lo = ended.hi = at;
  ended.sequence = sequence;
  momentary(ended, Operation::kExpire);
}

void RunCalls::on_granted(const Told& told) {
  Granted& last = granted_[calls_.names.intern(told.mutex).handle];
  const Granted victim = std::exchange(last, {std::string(told.node), told.token});
  if (!told.stolen || victim.node == told.node) return;
  const Holder who = holder(victim.node, told.mutex);
  const auto at = terms_.find(who);
  if (at == terms_.end() || at->second.token != victim.token) {
    untold_[who] = {victim.token, true, told.lo, told.sequence};
    return;
  }
  at->second.stolen_at = told.lo;
  at->second.stolen_by = told.sequence;
  if (at->second.crashed || at->second.refused) end_untold(who, told.mutex);
}

// Its application has let go by then, though the store may give it back to it.
void RunCalls::on_disbelieved(const Told& told) {
  const auto term = terms_.find(holder(told.node, told.mutex));
  if (!told.stolen || term == terms_.end()) return;
  momentary(told, Operation::kExpire);
  term->second = {told.token, 0, true};
}

void RunCalls::on_crashed(const Told& told) {
  const Holder who = holder(told.node, told.mutex);
  asking_.erase(who);
  const auto term = terms_.find(who);
  if (term == terms_.end()) return;
  term->second.crashed = true;
  if (term->second.stolen_at >= 0 && !term->second.over) end_untold(who, told.mutex);
}

void RunCalls::end_untold(const Holder& who, std::string_view mutex) {
  const Term term = terms_[who];
  Told told;
  const std::string node(calls_.names.text(Name{who.first}));
  told.node = node;
  told.mutex = mutex;
  told.token = term.token;
  end(told, term.stolen_at, term.stolen_by);
  terms_.erase(who);
}

void RunCalls::on_expired(const Told& told) {
  const Holder who = holder(told.node, told.mutex);
  const auto term = terms_.find(who);
  const bool known = term != terms_.end() && term->second.token == told.token;
  const bool over = known && term->second.over;
  if (known) terms_.erase(term);
  if (over) return;
  if (!known && asking_.count(who) > 0) {
    untold_[who] = {told.token, false, told.lo, told.sequence};
    return;
  }
  momentary(told, Operation::kExpire);
}

// With its session, and not by a call of its own; or what a call had been refused that came when its time was over.
void RunCalls::on_released(const Told& told) {
  const auto ended = session_ended_.find(told.node);
  const bool with_session = ended != session_ended_.end() && ended->second == told.lo;
  const auto term = terms_.find(holder(told.node, told.mutex));
  const bool refused = term != terms_.end() && term->second.refused && !term->second.over;
  if (with_session || refused) momentary(told, Operation::kExpire);
  if (refused) terms_.erase(term);
}

void RunCalls::add(const Told& told) { grants_ ? grant(told) : application(told); }

void RunCalls::add(const History& history, Sequence number) {
  const Event& event = history.event(number);
  Told told{event.kind,
            event.lo.time_since_epoch().count(),
            event.hi.time_since_epoch().count(),
            static_cast<std::int64_t>(number),
            history.names.text(event.node),
            history.names.text(event.mutex),
            event.token};
  if (event.kind == EventKind::kInvoked || event.kind == EventKind::kReturned) {
    told.operation = static_cast<Operation>(event.detail);
    told.uid = static_cast<std::uint64_t>(event.a);
    if (event.kind == EventKind::kInvoked)
      told.permits = static_cast<std::uint32_t>(event.b);
    else
      told.ending = static_cast<Ending>(event.b);
  }
  if (event.kind == EventKind::kGranted || event.kind == EventKind::kRenewed) told.lease = event.a;
  if (event.kind == EventKind::kGranted) told.stolen = static_cast<GrantKind>(event.detail) == GrantKind::kStolen;
  if (event.kind == EventKind::kDisbelieved)
    told.stolen = static_cast<DisbeliefReason>(event.detail) == DisbeliefReason::kStolen;
  if (event.kind == EventKind::kFaultBegan || event.kind == EventKind::kFaultEnded) {
    const FaultLegend* const fault = history.legend.fault(event.detail);
    annotate(told.lo, fmt::format("{} {} {}", fault == nullptr ? "fault" : fault->name,
                                  event.kind == EventKind::kFaultBegan ? "began at" : "ended at", told.node));
  }
  add(told);
}

Calls RunCalls::calls() const {
  Calls out = calls_;
  std::stable_sort(out.calls.begin(), out.calls.end(),
                   [](const Call& a, const Call& b) { return a.called < b.called; });
  return out;
}

}  // namespace leasescope::check
