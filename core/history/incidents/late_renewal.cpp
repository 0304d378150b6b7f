// A renewal was refused: it came after its lease, or the lease had ended before it was over as promised.
#include <algorithm>

#include <fmt/format.h>

#include "core/history/causes.h"
#include "core/history/incidents/detector.h"
#include "core/time/duration_text.h"

namespace leasescope::incidents {
namespace {

// Another contender of the same mutex that the store takes for the same owner; null = none.
const Standing::Contender* twin_of(const Standing& standing, const Standing::Contender& who) {
  if (!standing.shares_ids()) return nullptr;
  const auto& all = standing.contenders();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Standing::Contender& other) {
    return other.id == who.id && other.mutex == who.mutex && other.name != who.name;
  });
  return found == all.end() ? nullptr : &*found;
}

class LateRenewal : public DetectorOf<LateRenewal> {
 public:
  Hearing hears_before() const override { return Hearing().of_attempts(AttemptResult::kLost, RequestKind::kGuard); }

  void before(Inquiry& at, const Event& event) override {
    const Standing::Contender* const who = at.standing.contender(event.node);
    if (who == nullptr || !who->promised) return;  // it asks which term there is, and renews none
    at.open({IncidentKind::kLateRenewal,
             event.mutex,
             event.lo,
             event.hi,
             false,
             {who->name},
             {who->token},
             cause(at, *who, event.hi - who->lease_end)});
  }

 private:
  static std::string cause(const Inquiry& at, const Standing::Contender& who, Duration late) {
    const std::string a = at.label(who.name);
    if (const Standing::Contender* const twin = twin_of(at.standing, who); twin != nullptr)
      return fmt::format("{} and {} bear one id: {}'s renewal was refused, {} had begun a term since.", a,
                         at.label(twin->name), a, at.label(twin->name));
    if (late >= Duration::zero())
      return fmt::format("{}'s renewal arrived {} s after its lease ended.", a, format_seconds(late));
    return fmt::format("{}'s renewal was refused {} s before the lease promised to it was over: {}", a,
                       format_seconds(-late),
                       lost_term_words(at.standing, at.standing.mutex(who.mutex), at.standing.place_of(who.name)));
  }
};

}  // namespace

IncidentType late_renewal() { return incident_type_of<LateRenewal>("Renewal refused", 4); }

}  // namespace leasescope::incidents
