// Refused for want of a token, not for a stale one: one incident a writer and term.
#include <fmt/format.h>

#include "core/history/incidents/detector.h"

namespace leasescope::incidents {
namespace {

class TokenlessRefused : public DetectorOf<TokenlessRefused> {
 public:
  Hearing hears_after() const override {
    return Hearing().of(EventKind::kWriteRejected).of(EventKind::kStarted).of(EventKind::kGranted);
  }

  void after(Inquiry& at, const Event& event, const Change& change) override {
    Term& of = terms_[change.contender];
    if (event.kind != EventKind::kWriteRejected) {
      of = {};
    } else if (event.token == kNoToken) {
      refused(at, event, of);
    }
  }

  std::size_t bytes() const override { return terms_.bytes(); }

 private:
  struct Term {
    std::size_t incident = kNoIncident;
    std::uint32_t count = 0;
  };

  static void refused(Inquiry& at, const Event& event, Term& of) {
    ++at.summary.tokenless_writes_refused;
    if (!at.goes_on(of.incident))
      of = {at.open({IncidentKind::kTokenlessRefused, event.mutex, event.lo, event.hi, false, {event.node}, {}, ""}),
            0};
    const std::string writes = ++of.count == 1 ? "a write" : fmt::format("{} writes", of.count);
    Incident& incident = at.incidents.edit(of.incident);
    incident.end = event.hi;
    incident.cause = fmt::format("{} refused {} of {}: no token.", at.label(Name{static_cast<std::uint32_t>(event.a)}),
                                 writes, at.label(event.node));
  }

  ByPlace<Term> terms_;  // by contender
};

}  // namespace

IncidentType tokenless_refused() { return incident_type_of<TokenlessRefused>("Refused: no token", 3); }

}  // namespace leasescope::incidents
