// Stale writes of one term are one incident, whether they were taken or refused.
#pragma once
#include <fmt/format.h>

#include "core/history/causes.h"
#include "core/history/incidents/detector.h"

namespace leasescope::incidents {

// Those that became a `kWrite`.
template <IncidentKind kKind, EventKind kWrite>
class StaleWrites : public DetectorOf<StaleWrites<kKind, kWrite>> {
 public:
  static constexpr bool kTaken = kWrite == EventKind::kWriteStaleAccepted;

  Hearing hears_after() const override { return Hearing().of(kWrite); }

  void after(Inquiry& at, const Event& event, const Change& change) override {
    // Of one without any token nobody can say how old it is; one that was taken though tokens had been seen is stale.
    if (!kTaken && event.token == kNoToken) return;
    ++(kTaken ? at.summary.stale_writes_accepted : at.summary.stale_writes_rejected);
    Term& of = terms_[change.contender];
    const auto highest = static_cast<Token>(event.b);
    if (of.token != event.token || !at.goes_on(of.incident)) {
      of = {at.open({kKind, event.mutex, event.lo, event.hi, false, {event.node}, {event.token, highest}, ""}),
            event.token, 0};
    }
    ++of.count;
    Incident& incident = at.incidents.edit(of.incident);
    incident.end = event.hi;
    incident.tokens.back() = highest;
    incident.cause = cause(at, event, at.standing.contender(change.contender), of.count);
  }

  std::size_t bytes() const override { return terms_.bytes(); }

 private:
  struct Term {
    std::size_t incident = Detector::kNoIncident;  // that its writes with `token` belong to
    Token token = kNoToken;
    std::uint32_t count = 0;
  };

  static std::string cause(const Inquiry& at, const Event& event, const Standing::Contender& who, std::uint32_t count) {
    const std::string a = at.label(who.name), with = with_words(event.token);
    const std::string resource = at.label(Name{static_cast<std::uint32_t>(event.a)});
    const TrueTime resumed_at = who.spell(Disturbs::kPauses).until;
    const bool resumed = resumed_at == event.hi || (resumed_at < event.hi && resumed_at > who.lease_end);
    const std::string seen = fmt::format("{} had seen #{}", resource, event.b);
    const std::string verdict = kTaken ? "and nothing refused it" : "and the fence refused it";
    if (who.spell(Disturbs::kDelaysWrites).since <= event.hi && !who.believes && !resumed)
      return fmt::format("{} of {} {} came late; {}, {}.",
                         count > 1 ? fmt::format("{} writes", count) : std::string("A write"), a, with, seen, verdict);
    if (count > 1) return fmt::format("{} wrote {} times {}; {}, {}.", a, count, with, seen, verdict);
    return fmt::format("{} {} {}; {}, {}.", a, resumed ? "resumed and wrote" : "wrote", with, seen, verdict);
  }

  ByPlace<Term> terms_;  // by contender
};

}  // namespace leasescope::incidents
