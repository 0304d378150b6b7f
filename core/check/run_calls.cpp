#include "core/check/run_calls.h"

#include <algorithm>

#include <fmt/format.h>

namespace leasescope::check {
namespace {

bool of_a_store(EventKind kind) {
  return kind == EventKind::kGranted || kind == EventKind::kRenewed || kind == EventKind::kReleased ||
         kind == EventKind::kExpired;
}

bool of_an_application(EventKind kind) {
  return kind == EventKind::kInvoked || kind == EventKind::kReturned || kind == EventKind::kGranted ||
         kind == EventKind::kReleased || kind == EventKind::kExpired || kind == EventKind::kDisbelieved ||
         kind == EventKind::kCrashed;
}

}  // namespace

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
    case EventKind::kInvoked:
      return on_invoked(told);
    case EventKind::kReturned:
      return on_returned(told);
    case EventKind::kGranted:
      return on_granted(told);
    case EventKind::kDisbelieved:
      return on_let_go(told, holder(told));
    case EventKind::kCrashed:
      return on_crashed(told);
    case EventKind::kExpired:
    case EventKind::kReleased:
      return on_ended({told.lo, told.hi, told.sequence, told.token}, holder(told));
    default:
      return;
  }
}

void RunCalls::on_invoked(const Told& told) {
  called_ = true;
  Call& call = begin(told, told.operation);
  call.uid = calls_.names.intern(fmt::format("{}", told.uid));
  open_[{call.process.handle, told.uid}] = {calls_.calls.size() - 1};
}

void RunCalls::on_returned(const Told& told) {
  const auto found = open_.find({calls_.names.intern(told.node).handle, told.uid});
  if (found == open_.end()) return;
  Call& call = calls_.calls[found->second.call];
  call.ending = told.ending;
  call.fence = told.token;
  if (told.ending != Ending::kUnknown) call.returned = {told.hi, told.sequence};
  const Operation f = call.f;
  const Holder who{call.client.handle, call.mutex.handle};
  Hold& hold = holds_[who];
  if (takes(f) && told.ending == Ending::kOk) {
    if (hold.entries++ == 0 || told.token != hold.token) hold = {hold.entries, false, false, told.token};
  } else if (frees(f) && told.ending == Ending::kOk && hold.entries > 0) {
    --hold.entries;
  }
  const Open open = found->second;
  open_.erase(found);
  settle(open);
  if (frees(f) && told.ending == Ending::kFailed) on_let_go(told, who);
}

// A theft ends what its victim holds as soon as he has let go, and for somebody who never hears of it never.
void RunCalls::on_granted(const Told& told) {
  const Holder who = holder(told);
  const Granted before = std::exchange(granted_[who.second], {Name{who.first}, told.token});
  if (!told.stolen || before.node.handle == who.first) return;
  const Holder victim{before.node.handle, who.second};
  Hold& hold = holds_[victim];
  hold.stolen = hold.entries > 0;
  if (hold.entries == 0 || hold.let_go) on_ended({told.lo, told.hi, told.sequence, before.token, true}, victim);
}

// Its calls end with it: nobody knows how.
void RunCalls::on_crashed(const Told& told) {
  const Holder who = holder(told);
  const auto from = open_.lower_bound({who.first, 0}), to = open_.lower_bound({who.first + 1, 0});
  for (auto at = from; at != to; ++at) settle(at->second);
  open_.erase(from, to);
  on_let_go(told, who);
}

void RunCalls::on_let_go(const Told& told, const Holder& who) {
  Hold& hold = holds_[who];
  hold.let_go = true;
  if (hold.stolen) on_ended({told.lo, told.hi, told.sequence, hold.token}, who);
}

// It ran out, or went with a session, or was released, or stolen. While its holder is freeing it, that is the effect of
// his call; else nobody's. What was taken by a call that has not returned yet, its application does not know of: the
// call may be asked anew and take it again. So the end of that call decides. What no application was told of is left
// out.
void RunCalls::on_ended(const Ended& ended, const Holder& who) {
  const std::uint32_t entries = holds_[who].entries;
  for (auto at = open_.lower_bound({who.first, 0}); at != open_.end() && at->first.first == who.first; ++at) {
    const Call& call = calls_.calls[at->second.call];
    // Who holds by an earlier call, or frees one of several entries, loses these.
    if (call.mutex.handle != who.second || entries > (takes(call.f) ? 0U : 1U)) continue;
    at->second.ended = ended;
    return;
  }
  if (entries > 0) expire(who, ended);
}

void RunCalls::settle(const Open& open) {
  if (!open.ended) return;
  const Call& call = calls_.calls[open.call];
  const bool ok = call.ending == Ending::kOk;
  const bool another = call.fence != kNoToken && call.fence != open.ended->token;
  const bool counts = frees(call.f) ? !ok : ok ? !another : call.ending == Ending::kUnknown;
  const Holder who{call.client.handle, call.mutex.handle};
  if (counts && takes(call.f) && ok && open.ended->stolen)
    holds_[who].stolen = true;  // until it lets go of it
  else if (counts)
    expire(who, *open.ended);
}

void RunCalls::expire(const Holder& who, const Ended& ended) {
  holds_.erase(who);
  Call call;
  call.process = call.client = Name{who.first};
  call.mutex = Name{who.second};
  call.f = Operation::kExpire;
  call.fence = ended.token;
  call.called = {ended.lo, ended.sequence};
  call.returned = {ended.hi, ended.sequence};
  calls_.calls.push_back(call);
}

void RunCalls::add(const Told& told) { grants_ ? grant(told) : application(told); }

void RunCalls::add(const Event& event, Sequence number, const NameTable& names) {
  if (grants_ ? !of_a_store(event.kind) : !of_an_application(event.kind)) return;
  Told told{event.kind,
            event.lo.time_since_epoch().count(),
            event.hi.time_since_epoch().count(),
            static_cast<std::int64_t>(number),
            names.text(event.node),
            names.text(event.mutex),
            event.token};
  if (event.kind == EventKind::kInvoked || event.kind == EventKind::kReturned) {
    told.operation = static_cast<Operation>(event.detail);
    told.uid = static_cast<std::uint64_t>(event.a);
    if (event.kind == EventKind::kInvoked)
      told.permits = static_cast<std::uint32_t>(event.b);
    else
      told.ending = static_cast<Ending>(event.b);
  }
  if (event.kind == EventKind::kGranted) told.stolen = static_cast<GrantKind>(event.detail) == GrantKind::kStolen;
  if (event.kind == EventKind::kGranted || event.kind == EventKind::kRenewed) told.lease = event.a;
  add(told);
}

void RunCalls::add(const History& history, Sequence number) {
  const Event& event = history.event(number);
  if (event.kind == EventKind::kFaultBegan || event.kind == EventKind::kFaultEnded) {
    const FaultLegend* const fault = history.legend.fault(event.detail);
    annotate(
        event.lo.time_since_epoch().count(),
        fmt::format("{} {} {}", fault == nullptr ? "fault" : fault->name,
                    event.kind == EventKind::kFaultBegan ? "began at" : "ended at", history.names.text(event.node)));
  }
  add(event, number, history.names);
}

Calls RunCalls::calls() const {
  RunCalls whole = *this;
  for (const auto& [key, open] : open_) whole.settle(open);
  Calls out = std::move(whole.calls_);
  std::stable_sort(out.calls.begin(), out.calls.end(),
                   [](const Call& a, const Call& b) { return a.called < b.called; });
  return out;
}

}  // namespace leasescope::check
