// The store granted a mutex while it was promised to another.
#include <algorithm>

#include <fmt/format.h>

#include "core/history/causes.h"
#include "core/history/incidents/detector.h"
#include "core/time/duration_text.h"

namespace leasescope::incidents {
namespace {

class DoubleGrant : public DetectorOf<DoubleGrant> {
 public:
  Hearing hears_before() const override { return Hearing().of(EventKind::kGranted); }

  // When more promises stand than may hold beside the new one, the one that would have lasted longest is the broken.
  void before(Inquiry& at, const Event& event) override {
    const Standing::Mutex* const of = at.standing.mutex(event.mutex);
    if (of == nullptr) return;
    const auto mode = static_cast<GrantKind>(event.detail);
    if (is_theft(mode)) return;  // which ends the promise
    const std::uint32_t who = at.standing.place_of(event.node);
    const Standing::Promise* broken = nullptr;
    std::uint32_t standing = 0;
    for (const Standing::Promise& promise : of->promises) {
      if (promise.contender == who || promise.until <= event.hi) continue;
      if (promise.shared && mode == GrantKind::kShared) continue;  // they read beside each other
      ++standing;
      if (broken == nullptr || broken->until < promise.until) broken = &promise;
    }
    if (broken == nullptr || standing < of->capacity) return;
    ++at.summary.double_grants;
    at.open({IncidentKind::kDoubleGrant,
             event.mutex,
             event.lo,
             broken->until,
             false,
             {at.standing.contender(broken->contender).name, event.node},
             {broken->token, event.token},
             cause(at, event, *of, *broken)});
  }

 private:
  static std::string cause(const Inquiry& at, const Event& event, const Standing::Mutex& of,
                           const Standing::Promise& broken) {
    return fmt::format("The store granted {} to {} {} s before the lease promised to {} was over: {}",
                       granted_words(event.token), at.label(event.node), format_seconds(broken.until - event.hi),
                       at.label(broken.contender), lost_words(at.standing, of, broken.contender));
  }
};

}  // namespace

IncidentType double_grant() { return incident_type_of<DoubleGrant>("Double grant", 1).lasting(); }

}  // namespace leasescope::incidents
