// A resource accepted a token below one that another resource of the same mutex had accepted before.
#include <algorithm>

#include <fmt/format.h>

#include "core/history/incidents/detector.h"

namespace leasescope::incidents {
namespace {

class MixedState : public DetectorOf<MixedState> {
 public:
  bool concerned(const Legend& legend) const override {
    return legend.resources.empty() || legend.resources.size() > legend.mutexes.size();
  }
  Hearing hears_after() const override {
    return Hearing().of(EventKind::kWriteAccepted).of(EventKind::kWriteStaleAccepted);
  }

  void after(Inquiry& at, const Event& event, const Change& /*change*/) override {
    if (event.token == kNoToken) return;
    if (const Standing::Mutex* const of = at.standing.mutex(event.mutex); of != nullptr && of->capacity > 1)
      return;  // tokens of several permits have no order
    const Name resource{static_cast<std::uint32_t>(event.a)};
    std::vector<Accepted>& all = accepted_[event.mutex.handle];
    const auto same = [&](const Accepted& of) { return of.resource == resource; };
    auto mine = std::find_if(all.begin(), all.end(), same);
    if (mine == all.end()) mine = all.insert(all.end(), {resource});
    mine->highest = std::max(mine->highest, event.token);
    const auto lower = [](const Accepted& a, const Accepted& b) { return a.highest < b.highest; };
    const auto ahead = std::max_element(all.begin(), all.end(), lower);
    if (ahead->highest > event.token && ahead != mine) tell(at, event, *mine, *ahead);
  }

  std::size_t bytes() const override { return accepted_.bytes(); }

 private:
  struct Accepted {
    Name resource;
    Token highest = kNoToken;
    std::size_t incident = kNoIncident;  // that its writes with `token` belong to
    Token token = kNoToken;
    Token behind = kNoToken;  // of the highest then, and where that was
    Name behind_in;
    std::uint32_t count = 0;
  };

  static void tell(Inquiry& at, const Event& event, Accepted& mine, const Accepted& ahead) {
    const bool same = mine.token == event.token && mine.behind == ahead.highest && mine.behind_in == ahead.resource;
    if (!same || !at.goes_on(mine.incident)) {
      mine.incident = at.open({IncidentKind::kMixedState,
                               event.mutex,
                               event.lo,
                               event.hi,
                               false,
                               {event.node},
                               {event.token, ahead.highest},
                               ""});
      mine.token = event.token;
      mine.behind = ahead.highest;
      mine.behind_in = ahead.resource;
      mine.count = 0;
    }
    Incident& incident = at.incidents.edit(mine.incident);
    incident.end = event.hi;
    incident.cause =
        fmt::format("{} took {} of {} with #{} after {} had taken #{}: what the two have does not fit together.",
                    at.label(mine.resource), ++mine.count == 1 ? "a write" : fmt::format("{} writes", mine.count),
                    at.label(event.node), event.token, at.label(ahead.resource), ahead.highest);
  }

  ByPlace<std::vector<Accepted>> accepted_;  // by the mutex's name; as many as it guards resources
};

}  // namespace

IncidentType mixed_state() { return incident_type_of<MixedState>("Mixed state", 2); }

}  // namespace leasescope::incidents
