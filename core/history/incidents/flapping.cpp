// At least three changes of owner within two leases, none of them after a release.
#include <algorithm>

#include <fmt/format.h>

#include "core/history/incidents/detector.h"

namespace leasescope::incidents {
namespace {

class Flapping : public DetectorOf<Flapping> {
 public:
  Hearing hears_before() const override { return Hearing().of(EventKind::kGranted); }

  void before(Inquiry& at, const Event& event) override {
    const std::uint32_t place = at.standing.mutex_place(event.mutex);
    if (place == Standing::kNone) return;
    const Standing::Mutex& of = at.standing.mutex(place);
    if (!of.ever_granted() || at.standing.contender(of.grantee).name == event.node) return;
    Lately& lately = lately_[place];
    // Where others may hold beside, there is no one owner to change.
    const bool beside = of.capacity > 1 || event.detail == static_cast<std::uint8_t>(GrantKind::kShared);
    if (of.released || beside) {
      lately = {};  // a stop asked for it
      return;
    }
    std::vector<TrueTime>& changes = lately.changes;
    changes.push_back(event.lo);
    while (event.lo - changes.front() > 2 * at.terms.lease()) changes.erase(changes.begin());
    if (changes.size() < 3)
      lately.incident = kNoIncident;
    else
      tell(at, event, of, lately);
  }

  std::size_t bytes() const override { return lately_.bytes(); }

 private:
  struct Lately {
    std::vector<TrueTime> changes;  // of owner, none asked for
    std::size_t incident = kNoIncident;
  };

  static void tell(Inquiry& at, const Event& event, const Standing::Mutex& of, Lately& lately) {
    const Name earlier = at.standing.contender(of.grantee).name;
    if (!at.goes_on(lately.incident))
      lately.incident = at.open({IncidentKind::kFlapping,
                                 of.name,
                                 lately.changes.front(),
                                 event.hi,
                                 false,
                                 {earlier, event.node},
                                 {of.token, event.token},
                                 ""});
    Incident& incident = at.incidents.edit(lately.incident);
    incident.end = event.hi;
    std::vector<Name>& who = incident.contenders;
    if (std::find(who.begin(), who.end(), event.node) == who.end()) who.push_back(event.node);
    incident.cause = fmt::format("{} changed its owner {} times within two leases, and nobody asked for it.",
                                 at.label(of.name), lately.changes.size());
  }

  ByPlace<Lately> lately_;  // by mutex
};

}  // namespace

IncidentType flapping() { return incident_type_of<Flapping>("Flapping", 4).lasting(); }

}  // namespace leasescope::incidents
