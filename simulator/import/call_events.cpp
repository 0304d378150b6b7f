#include "simulator/import/call_events.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "simulator/fault/kind.h"

namespace leasescope {
namespace {

using check::Call;
using check::Calls;

// A line of the file: what comes at the same time stands in its order.
struct Moving {
  std::int64_t ns = 0;
  std::int64_t place = 0;
  Event event;
};

std::optional<EventKind> kind_of_grant(const Call& call) {
  switch (call.f) {
    case Operation::kLock:
    case Operation::kAcquire:
      return EventKind::kGranted;
    case Operation::kRenew:
      return EventKind::kRenewed;
    case Operation::kUnlock:
    case Operation::kRelease:
      return EventKind::kReleased;
    case Operation::kExpire:
      return EventKind::kExpired;
    default:
      return std::nullopt;
  }
}

bool of_a_store(const Call& call) {
  const auto kind = kind_of_grant(call);
  const bool lends = kind == EventKind::kGranted || kind == EventKind::kRenewed;
  return kind && call.uid.empty() && call.ending == Ending::kOk && call.permits == 1 && !call.deadline && !call.clock &&
         lends == call.ttl.has_value();
}

class CallTeller {
 public:
  explicit CallTeller(const Calls& calls) : calls_(calls) {}

  CallEvents tell() {
    const bool store = std::all_of(calls_.calls.begin(), calls_.calls.end(), of_a_store);
    since_ = earliest();
    if (since_ < 0) remark(fmt::format("all times are {} ns later, so that none is below 0", -since_));
    if (!calls_.timed) remark("it has no times: a line is a millisecond");
    for (const Call& call : calls_.calls) store ? grant(call) : application(call);
    for (const check::Annotation& note : calls_.annotations) annotate(note);
    std::stable_sort(moving_.begin(), moving_.end(), [](const Moving& a, const Moving& b) {
      return std::tie(a.ns, a.place) < std::tie(b.ns, b.place);
    });
    std::vector<Event>& events = out_.history.events;
    events.reserve(moving_.size());
    for (const Moving& each : moving_) events.push_back(each.event);
    return std::move(out_);
  }

 private:
  static constexpr std::int64_t kUntimedLine = 1'000'000;  // ns

  std::int64_t earliest() const {
    std::int64_t out = 0;
    for (const Call& call : calls_.calls) out = std::min(out, call.called.ns);
    for (const check::Annotation& note : calls_.annotations) out = std::min(out, note.ns);
    return out;
  }
  TrueTime at(std::int64_t ns) const { return TrueTime(Duration(calls_.timed ? ns - since_ : ns * kUntimedLine)); }
  void remark(const std::string& words) {
    if (told_.insert(words).second) out_.remarks.push_back(words);
  }

  // Whom the lock takes for its owner.
  Event about(const Call& call) {
    Legend& legend = out_.history.legend;
    const std::string who(calls_.text(call.client));
    const std::string mutex(call.mutex.empty() ? "lock" : calls_.text(call.mutex));  // the only one there is
    if (clients_.insert(who).second) legend.contenders.push_back(who);
    if (mutexes_.insert(mutex).second) legend.mutexes.push_back({mutex});
    Event event;
    event.node = out_.history.names.intern(who);
    event.mutex = out_.history.names.intern(mutex);
    return event;
  }

  void grant(const Call& call) {
    Event event = about(call);
    event.kind = *kind_of_grant(call);
    event.lo = at(call.called.ns);
    event.hi = at(call.returned.ns);
    event.token = call.fence;
    event.a = call.ttl.value_or(0);
    moving_.push_back({call.returned.ns, call.returned.place, event});
  }

  void application(const Call& call) {
    Event event = about(call);
    event.kind = EventKind::kInvoked;
    event.detail = static_cast<std::uint8_t>(call.f);
    event.lo = event.hi = at(call.called.ns);
    event.a = uid_of(call);
    if (call.permits != 1) event.b = call.permits;
    if (call.ttl || call.deadline)
      remark("how long leases last is left out: calls of an application have no place for it");
    if (call.clock) remark("the callers' own clocks are left out");
    moving_.push_back({call.called.ns, call.called.place, event});
    if (call.ending == Ending::kUnknown && call.fence == kNoToken) return;
    const bool ended = call.ending != Ending::kUnknown;
    event.kind = EventKind::kReturned;
    event.lo = event.hi = ended ? at(call.returned.ns) : event.hi;
    event.token = call.fence;
    event.b = static_cast<std::int64_t>(call.ending);
    moving_.push_back(
        {ended ? call.returned.ns : call.called.ns, ended ? call.returned.place : call.called.place, event});
  }

  // Its own where it is a number and no other call of that client has it.
  std::int64_t uid_of(const Call& call) {
    const std::string_view text = calls_.text(call.uid);
    std::int64_t uid = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), uid);
    const bool number = !text.empty() && read.ec == std::errc() && read.ptr == text.data() + text.size();
    if (number && uids_.insert({call.client.handle, uid}).second) return uid;
    if (!text.empty()) remark("numbers of calls that are no whole numbers, or not one call's alone, are made anew");
    do uid = --made_;
    while (!uids_.insert({call.client.handle, uid}).second);
    return uid;
  }

  // "pause began at c1", as a run's history is written.
  void annotate(const check::Annotation& note) {
    Event event;
    event.lo = event.hi = at(note.ns);
    std::string name = note.what, who;
    event.kind = EventKind::kFaultBegan;
    for (const auto& [kind, words] : {std::pair(EventKind::kFaultBegan, std::string_view(" began at ")),
                                      std::pair(EventKind::kFaultEnded, std::string_view(" ended at "))}) {
      const std::size_t found = note.what.find(words);
      if (found == std::string::npos) continue;
      event.kind = kind;
      name = note.what.substr(0, found);
      who = note.what.substr(found + words.size());
      break;
    }
    event.node = out_.history.names.intern(who);
    const auto place = fault(name);
    if (!place) return remark("of more than 255 kinds of fault those that came last are left out");
    event.detail = *place;
    moving_.push_back({note.ns, 0, event});
  }

  std::optional<std::uint8_t> fault(const std::string& name) {
    std::vector<FaultLegend>& faults = out_.history.legend.faults;
    if (faults.empty()) faults = fault_legend();
    const auto found =
        std::find_if(faults.begin(), faults.end(), [&](const FaultLegend& of) { return of.name == name; });
    if (found != faults.end()) return static_cast<std::uint8_t>(found - faults.begin());
    if (faults.size() >= UINT8_MAX) return std::nullopt;
    faults.push_back({name, name, name, name});
    return static_cast<std::uint8_t>(faults.size() - 1);
  }

  const Calls& calls_;
  CallEvents out_;
  std::vector<Moving> moving_;
  std::int64_t since_ = 0;
  std::set<std::string> told_, clients_, mutexes_;
  std::set<std::pair<std::uint32_t, std::int64_t>> uids_;  // by client
  std::int64_t made_ = 0;                                  // below 0: a run's own are not
};

}  // namespace

CallEvents events_of_calls(const Calls& calls) { return CallTeller(calls).tell(); }

}  // namespace leasescope
