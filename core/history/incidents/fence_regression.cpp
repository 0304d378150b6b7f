// The store granted a token that is not above all earlier ones of the mutex.
#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "core/history/incidents/detector.h"

namespace leasescope::incidents {
namespace {

std::string lost_fence_words(Disturbs what) {
  switch (what) {
    case Disturbs::kDeletes:
      return ": its counter had been deleted by hand";
    case Disturbs::kFailsOver:
      return ": the replica had taken over with an older counter";
    case Disturbs::kRestarts:
      return ": it had come back without its counter";
    default:
      return "";
  }
}

class FenceRegression : public DetectorOf<FenceRegression> {
 public:
  Hearing hears_before() const override { return Hearing().of(EventKind::kGranted); }

  // One incident for a fall, until the old height is passed; another for each deeper fall on the way.
  void before(Inquiry& at, const Event& event) override {
    if (event.token == kNoToken) return;
    const Standing::Mutex* const mutex = at.standing.mutex(event.mutex);
    const std::size_t permits = mutex == nullptr ? 1 : mutex->capacity;
    Height& of = permits == 1 ? heights_[event.mutex.handle] : permits_[{event.mutex.handle, event.token % permits}];
    // What comes back was counted when it was granted, and its token is no new one.
    if (is_new(static_cast<GrantKind>(event.detail))) check(at, event, of);
    of.highest = std::max(of.highest, event.token);
  }

  std::size_t bytes() const override { return heights_.bytes() + permits_.size() * sizeof(Height); }

 private:
  struct Height {
    Token highest = kNoToken;
    Token fallen_to = kNoToken;  // the last that was not above the highest; none: the highest was the last
    std::size_t fallen = kNoIncident;
  };

  static void check(Inquiry& at, const Event& event, Height& of) {
    const bool goes_on = of.fallen_to != kNoToken && event.token > of.fallen_to;
    // Who reads beside others has the token that they have.
    const bool shares = event.detail == static_cast<std::uint8_t>(GrantKind::kShared) && event.token == of.highest;
    of.fallen_to = event.token > of.highest || shares ? kNoToken : event.token;
    if (of.fallen_to == kNoToken) return;
    if (goes_on && at.goes_on(of.fallen)) {
      at.incidents.edit(of.fallen).end = event.hi;
      return;
    }
    ++at.summary.fence_regressions;
    of.fallen =
        at.open({IncidentKind::kFenceRegression,
                 event.mutex,
                 event.lo,
                 event.hi,
                 false,
                 {event.node},
                 {of.highest, event.token},
                 fmt::format("The store granted #{} to {} after it had granted #{}{}.", event.token,
                             at.label(event.node), of.highest, lost_fence_words(at.standing.store_fault().what))});
  }

  ByFewPlaces<Height> heights_;                                // by the mutex's name, which may come after many owners
  std::map<std::pair<std::uint32_t, Token>, Height> permits_;  // where it has several: by it and the permit
};

}  // namespace

IncidentType fence_regression() { return incident_type_of<FenceRegression>("Fence regression", 2); }

}  // namespace leasescope::incidents
