// What of the store's answers keeps everybody out: errors instead of answers, and a lease without an end.
#include <algorithm>

#include <fmt/format.h>

#include "core/history/checkers.h"
#include "core/store/port.h"
#include "core/time/duration_text.h"

namespace leasescope {

void Checkers::on_refused_call(const Event& event) {
  const Name words{static_cast<std::uint32_t>(event.a)};
  const auto same = [&](const Refusal& refusal) {
    return refusal.words == words && refusal.call == event.b && refusal.mutex == event.mutex;
  };
  auto refusal = std::find_if(refusals_.begin(), refusals_.end(), same);
  if (refusal == refusals_.end()) {
    Refusal first;
    first.mutex = event.mutex;
    first.words = words;
    first.call = event.b;
    refusal = refusals_.insert(refusals_.end(), first);
  }
  if (!refusal->lasts) {
    refusal->lasts = true;
    refusal->since = event.lo;
    refusal->count = 0;
    refusal->incident = kNone;
  }
  ++refusal->count;
  if (refusal->incident == kNone) {
    if (event.hi - refusal->since <= std::chrono::seconds(1)) return;
    refusal->incident = open(IncidentKind::kStoreRefuses, event.mutex, refusal->since, event.hi, {}, {}, "");
  }
  Incident& incident = incidents_.edit(refusal->incident);
  incident.end = event.hi;
  incident.open = true;
  if (std::find(incident.contenders.begin(), incident.contenders.end(), event.node) == incident.contenders.end())
    incident.contenders.push_back(event.node);
  incident.cause = fmt::format("The store refused {} {} since {} s: {}", refusal->count,
                               event.b == static_cast<std::int64_t>(RequestKind::kGuard) ? "renewals" : "attempts",
                               format_seconds(incident.start.time_since_epoch()), label(words));
}

// A call of the same kind went through: whatever refused it does so no more. If it does again, that is told apart.
void Checkers::on_answered_call(const Event& event) {
  for (Refusal& refusal : refusals_) {
    if (!refusal.lasts || refusal.call != event.b || refusal.mutex != event.mutex) continue;
    refusal.lasts = false;
    if (refusal.incident != kNone) incidents_.edit(refusal.incident).open = false;
  }
}

// A key that somebody has set by hand, say: nobody gets in, and no lease of it will ever run out.
void Checkers::on_lease_seen(const Event& event) {
  Mutex& of = mutex(event.mutex);
  const bool endless = event.a < 0;
  if (endless && of.endless == kNone) {
    const std::string cause =
        fmt::format("{} holds {} by a lease that has no end: nobody else gets in until it is removed.",
                    of.owner.empty() ? "Somebody" : label(of.owner), label(of.name));
    of.endless = open(IncidentKind::kStoreRefuses, event.mutex, event.lo, event.hi, {event.node}, {}, cause);
    incidents_.edit(of.endless).open = true;
    ++endless_;
  }
  if (of.endless == kNone) return;
  incidents_.edit(of.endless).end = event.hi;
  if (endless) return;
  incidents_.edit(of.endless).open = false;
  of.endless = kNone;
  --endless_;
}

}  // namespace leasescope
