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
  if (told.kind == EventKind::kInvoked) {
    called_ = true;
    Call& call = begin(told, told.operation);
    call.uid = calls_.names.intern(fmt::format("{}", told.uid));
    open_[{call.process.handle, told.uid}] = calls_.calls.size() - 1;
  } else if (told.kind == EventKind::kReturned) {
    const auto found = open_.find({calls_.names.intern(told.node).handle, told.uid});
    if (found == open_.end()) return;
    Call& call = calls_.calls[found->second];
    call.ending = told.ending;
    call.fence = told.token;
    if (told.ending != Ending::kUnknown) call.returned = {told.hi, told.sequence};
    open_.erase(found);
  } else if (told.kind == EventKind::kSessionEnded) {
    session_ended_[std::string(told.node)] = told.lo;
  } else if (told.kind == EventKind::kExpired) {
    momentary(told, Operation::kExpire);
  } else if (told.kind == EventKind::kReleased) {
    // With its session, and not by a call of its own.
    const auto ended = session_ended_.find(told.node);
    if (ended != session_ended_.end() && ended->second == told.lo) momentary(told, Operation::kExpire);
  }
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
