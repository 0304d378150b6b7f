// A resource took writes of two writers under one token: whoever was granted it, it tells the two no longer apart.
#include <map>

#include <fmt/format.h>

#include "core/history/incidents/detector.h"

namespace leasescope::incidents {
namespace {

class SharedToken : public DetectorOf<SharedToken> {
 public:
  Hearing hears_after() const override { return Hearing().of_token_of_another(); }

  // One a resource, token and second writer, with the number of its writes.
  void after(Inquiry& at, const Event& event, const Change& /*change*/) override {
    // Those who read beside each other bear one token on purpose.
    if (const auto* const who = at.standing.contender(event.node); who != nullptr && who->shared) return;
    const Name resource{static_cast<std::uint32_t>(event.a)};
    tell(at, event, resource, shared_[resource.handle]);
  }

  std::size_t bytes() const override { return shared_.size() * sizeof(Shared); }

 private:
  struct Shared {
    Token token = kNoToken;
    Name another;                        // than the first who showed it
    std::size_t incident = kNoIncident;  // of its writes
    std::uint32_t count = 0;
  };

  static void tell(Inquiry& at, const Event& event, Name resource, Shared& of) {
    const Name first = at.writes.first_writer(resource);
    if (of.token != event.token || of.another != event.node || !at.goes_on(of.incident)) {
      of.incident = at.open({IncidentKind::kSharedToken,
                             event.mutex,
                             event.lo,
                             event.hi,
                             false,
                             {first, event.node},
                             {event.token, event.token},
                             ""});
      of.token = event.token;
      of.another = event.node;
      of.count = 0;
    }
    Incident& incident = at.incidents.edit(of.incident);
    incident.end = event.hi;
    incident.cause =
        fmt::format("{} took {} of {} with #{}, the token that {} had shown before: no fence tells them apart.",
                    at.label(resource), ++of.count == 1 ? "a write" : fmt::format("{} writes", of.count),
                    at.label(event.node), event.token, at.label(first));
  }

  std::map<std::uint32_t, Shared> shared_;  // by the resource's name
};

}  // namespace

IncidentType shared_token() { return incident_type_of<SharedToken>("Shared token", 1); }

}  // namespace leasescope::incidents
