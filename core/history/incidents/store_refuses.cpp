// What of the store's answers keeps everybody out: errors instead of answers, and a lease without an end.
#include <algorithm>

#include <fmt/format.h>

#include "core/history/incidents/detector.h"
#include "core/time/duration_text.h"

namespace leasescope::incidents {
namespace {

class StoreRefuses : public DetectorOf<StoreRefuses> {
 public:
  Hearing hears_after() const override {
    Hearing out;
    for (const RequestKind call : {RequestKind::kAcquire, RequestKind::kGuard}) {
      out.of_attempts(AttemptResult::kFailed, call);
      for (const AttemptResult result : {AttemptResult::kWon, AttemptResult::kLost})
        out.of_endless_leases(result, call);
    }
    return out;
  }

  void after(Inquiry& at, const Event& event, const Change& /*change*/) override {
    if (static_cast<AttemptResult>(event.detail) != AttemptResult::kFailed) {
      if (endless_of(event) == endless_.end()) endless_.push_back({event.mutex, tell_endless(at, event)});
    } else if (event.a != 0) {
      refused(at, event);
    }
    at.alert = at.alert || concerned();
  }

  void answered(Inquiry& at, const Event& event) override {
    end_refusals(at, event);
    lease_seen(at, event);
    at.alert = at.alert || concerned();
  }

  std::size_t bytes() const override { return refusals_.size() * sizeof(Refusal) + endless_.size() * sizeof(Endless); }

 private:
  // One error text of a store, about one mutex.
  struct Refusal {
    Name mutex;
    Name words;
    std::int64_t call = 0;  // RequestKind
    TrueTime since{};       // none of these calls was answered otherwise
    bool lasts = false;
    std::uint32_t count = 0;
    std::size_t incident = kNoIncident;
  };
  // A lease that never ends.
  struct Endless {
    Name mutex;
    std::size_t incident = kNoIncident;
  };

  bool concerned() const {
    return !endless_.empty() ||
           std::any_of(refusals_.begin(), refusals_.end(), [](const Refusal& refusal) { return refusal.lasts; });
  }

  std::vector<Endless>::iterator endless_of(const Event& event) {
    return std::find_if(endless_.begin(), endless_.end(), [&](const Endless& of) { return of.mutex == event.mutex; });
  }

  Refusal& refusal_of(const Event& event) {
    const Name words{static_cast<std::uint32_t>(event.a)};
    const auto same = [&](const Refusal& refusal) {
      return refusal.words == words && refusal.call == event.b && refusal.mutex == event.mutex;
    };
    const auto found = std::find_if(refusals_.begin(), refusals_.end(), same);
    if (found != refusals_.end()) return *found;
    Refusal& added = refusals_.emplace_back();
    added.mutex = event.mutex;
    added.words = words;
    added.call = event.b;
    return added;
  }

  void refused(Inquiry& at, const Event& event) {
    Refusal& refusal = refusal_of(event);
    if (!refusal.lasts) {
      refusal.lasts = true;
      refusal.since = event.lo;
      refusal.count = 0;
      refusal.incident = kNoIncident;
    }
    ++refusal.count;
    if (refusal.incident == kNoIncident) {
      if (event.hi - refusal.since <= std::chrono::seconds(1)) return;
      refusal.incident = at.open({IncidentKind::kStoreRefuses, event.mutex, refusal.since, event.hi, true, {}, {}, ""});
    }
    Incident& incident = at.incidents.edit(refusal.incident);
    incident.end = event.hi;
    incident.open = true;
    if (std::find(incident.contenders.begin(), incident.contenders.end(), event.node) == incident.contenders.end())
      incident.contenders.push_back(event.node);
    incident.cause = fmt::format("The store refused {} {} since {} s: {}", refusal.count,
                                 event.b == static_cast<std::int64_t>(RequestKind::kGuard) ? "renewals" : "attempts",
                                 format_seconds(incident.start.time_since_epoch()), at.label(refusal.words));
  }

  // A call of the same kind went through: whatever refused it does so no more. If it does again, that is told apart.
  void end_refusals(Inquiry& at, const Event& event) {
    for (Refusal& refusal : refusals_) {
      if (!refusal.lasts || refusal.call != event.b || refusal.mutex != event.mutex) continue;
      refusal.lasts = false;
      if (refusal.incident != kNoIncident) at.incidents.edit(refusal.incident).open = false;
    }
  }

  // It lasts until a lease with an end is told of.
  void lease_seen(Inquiry& at, const Event& event) {
    const auto of = endless_of(event);
    if (of == endless_.end()) return;
    Incident& incident = at.incidents.edit(of->incident);
    incident.end = event.hi;
    if (event.a < 0) return;
    incident.open = false;
    endless_.erase(of);
  }

  // A key that somebody has set by hand, say: nobody gets in, and no lease of it will ever run out.
  static std::size_t tell_endless(Inquiry& at, const Event& event) {
    const Standing::Mutex* const mutex = at.standing.mutex(event.mutex);
    const std::string holder =
        mutex == nullptr || mutex->free() ? "Somebody" : at.label(mutex->holds.front().contender);
    return at.open({IncidentKind::kStoreRefuses,
                    event.mutex,
                    event.lo,
                    event.hi,
                    true,
                    {event.node},
                    {},
                    fmt::format("{} holds {} by a lease that has no end: nobody else gets in until it is removed.",
                                holder, at.label(event.mutex))});
  }

  std::vector<Refusal> refusals_;
  std::vector<Endless> endless_;
};

}  // namespace

IncidentType store_refuses() { return incident_type_of<StoreRefuses>("Store refuses", 2).lasting(); }

}  // namespace leasescope::incidents
