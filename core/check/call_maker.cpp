#include "core/check/call_maker.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/escaped.h"

namespace leasescope::check {

Read<void> CallMaker::add(const Entry& entry) {
  ++order_;
  const auto fail = [&](std::string what) { return tl::make_unexpected(ReadError{entry.place, std::move(what)}); };
  if (entry.annotation) {
    calls_.annotations.push_back({entry.time.value_or(timed_ ? latest_ : order_), *entry.annotation});
    return {};
  }
  if (!entry.process && !(entry.f == Operation::kExpire && entry.client)) return fail("expected \"process\"");
  const std::string process = entry.process.value_or(entry.client.value_or(""));
  const auto open = open_.find(process);
  if (entry.type == Entry::kInvoke) {
    if (!entry.f) return fail("expected \"f\": which call it is");
    if (open != open_.end())
      return fail(fmt::format("process {} calls anew while its call of line {} is open: expected its end first",
                              escaped(process, 40), calls_.calls[open->second].written.line));
    if (auto begun = begin(entry, process); !begun) return begun;
    open_[process] = calls_.calls.size() - 1;
    return {};
  }
  const bool ends =
      open != open_.end() && !(entry.f == Operation::kExpire && calls_.calls[open->second].f != Operation::kExpire);
  if (!ends) {
    if (!entry.f)
      return fail(fmt::format("process {} has no open call: expected its invoke before", escaped(process, 40)));
    if (!entry.called && entry.f != Operation::kExpire)
      return fail(fmt::format("process {} has no open call: expected its invoke before, or \"t_call\" here",
                              escaped(process, 40)));
    if (auto begun = begin(entry, process); !begun) return begun;
    return end(entry, calls_.calls.size() - 1, true);
  }
  const std::size_t place = open->second;
  if (entry.f && *entry.f != calls_.calls[place].f)
    return fail(fmt::format("process {} called {}: expected its end, not that of {}", escaped(process, 40),
                            text(calls_.calls[place].f), text(*entry.f)));
  open_.erase(open);
  return end(entry, place, false);
}

// Who has not returned by the end of the file may have taken effect.
Read<Calls> CallMaker::finish() {
  if (timed_ && untimed_)
    return tl::make_unexpected(
        ReadError{*untimed_, "expected a time here as the others have: t_call, t_return or time"});
  calls_.timed = timed_ || calls_.calls.empty();
  std::stable_sort(calls_.calls.begin(), calls_.calls.end(),
                   [](const Call& a, const Call& b) { return a.called < b.called; });
  return std::move(calls_);
}

Moment CallMaker::moment(const Entry& entry, const std::optional<std::int64_t>& ns) {
  if (!ns && !untimed_) untimed_ = entry.place;
  timed_ = timed_ || ns;
  latest_ = ns.value_or(order_);
  return {latest_, order_};
}

Read<void> CallMaker::begin(const Entry& entry, const std::string& process) {
  Call call;
  call.process = calls_.names.intern(process);
  call.client = calls_.names.intern(entry.client.value_or(process));
  call.mutex = calls_.names.intern(entry.mutex.value_or(""));
  call.f = *entry.f;
  call.ending = Ending::kUnknown;
  call.called = moment(entry, entry.called ? entry.called : entry.time);
  call.written = entry.place;
  calls_.calls.push_back(call);
  details(entry, calls_.calls.back());
  return {};
}

void CallMaker::details(const Entry& entry, Call& call) {
  if (entry.client) call.client = calls_.names.intern(*entry.client);
  if (entry.uid) call.uid = calls_.names.intern(*entry.uid);
  if (entry.fence) call.fence = *entry.fence;
  if (entry.permits) call.permits = *entry.permits;
  if (entry.ttl) call.ttl = entry.ttl;
  if (entry.deadline) call.deadline = entry.deadline;
  if (entry.clock && !call.clock) call.clock = entry.clock;
}

// Of a call in one entry: where its moments are those of others, nobody can say which came first.
Read<void> CallMaker::end(const Entry& entry, std::size_t place, bool alone) {
  Call& call = calls_.calls[place];
  details(entry, call);
  const bool whole = alone && entry.called && (entry.returned || entry.type == Entry::kInfo);
  if (whole) call.called.place = 0;
  if (entry.mutex && calls_.names.intern(*entry.mutex) != call.mutex)
    return tl::make_unexpected(ReadError{entry.place, "expected the end of a call on the same lock"});
  if (entry.type == Entry::kInfo) return {};
  call.ending = entry.type == Entry::kOk ? Ending::kOk : Ending::kFailed;
  const auto ns = entry.returned ? entry.returned : entry.time ? entry.time : alone ? entry.called : std::nullopt;
  call.returned = moment(entry, ns);
  if (whole) call.returned.place = INT64_MAX;
  if (timed_ && call.returned.ns < call.called.ns)
    return tl::make_unexpected(
        ReadError{entry.place, fmt::format("expected a return at {} ns, the time of the call, or later, not at {} ns",
                                           call.called.ns, call.returned.ns)});
  return {};
}

}  // namespace leasescope::check
