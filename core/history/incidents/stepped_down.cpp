// An owner stopped believing without being asked to: its watchdog, a failed renewal, a stray message.
#include <fmt/format.h>

#include "core/history/causes.h"
#include "core/history/incidents/detector.h"
#include "core/time/duration_text.h"

namespace leasescope::incidents {
namespace {

// What kept it from renewing in time, as far as the events tell; only what reaches to this moment.
std::string because(std::string_view a, const Standing::Contender& who, TrueTime at) {
  if (who.spell(Disturbs::kPauses).covers(at)) return fmt::format(": {} was paused", a);
  if (who.spell(Disturbs::kCuts).covers(at)) return fmt::format(": {} was cut off from the store", a);
  if (who.spell(Disturbs::kStarves).covers(at)) return fmt::format(": {}'s timers starved", a);
  return "";
}

std::string cause(const Inquiry& at, const Event& event, const Standing::Contender& who, DisbeliefReason reason) {
  const std::string_view a = at.names.text(who.name);
  const std::string its = after_word(who.token);
  if (reason == DisbeliefReason::kWatchdog)
    return fmt::format("{}'s watchdog ended its lease{}, which was not renewed in time{}.", a, its,
                       because(a, who, event.hi));
  if (reason == DisbeliefReason::kSession)
    return fmt::format("{} was told that its session had ended, and {} with it{}.", a,
                       who.token == kNoToken ? "its lock" : fmt::format("its lock #{}", who.token),
                       because(a, who, event.hi));
  if (reason == DisbeliefReason::kDisconnected)
    return fmt::format(
        "{} stepped down from its lead{}: without a connection it cannot know whether its session lasts{}.", a, its,
        because(a, who, event.hi));
  const std::string held =
      at.standing.seen_to_hold(who) && who.lease_end > event.hi
          ? fmt::format(", though the store held it for {} s more", format_seconds(who.lease_end - event.hi))
          : std::string();
  return fmt::format("{} gave up its lease{} because {}{}.", a, its,
                     reason == DisbeliefReason::kEvent ? "of a message" : "a renewal failed", held);
}

class SteppedDown : public DetectorOf<SteppedDown> {
 public:
  Hearing hears_after() const override { return Hearing().of(EventKind::kDisbelieved); }

  void after(Inquiry& at, const Event& event, const Change& change) override {
    if (change.belief != Change::Belief::kEnded) return;
    const auto reason = static_cast<DisbeliefReason>(event.detail);
    if (reason == DisbeliefReason::kStop || reason == DisbeliefReason::kLost || reason == DisbeliefReason::kStolen)
      return;
    const Standing::Contender& who = at.standing.contender(change.contender);
    at.open({IncidentKind::kSteppedDown,
             event.mutex,
             event.lo,
             event.hi,
             false,
             {event.node},
             {who.token},
             cause(at, event, who, reason)});
  }
};

}  // namespace

IncidentType stepped_down() { return incident_type_of<SteppedDown>("Stepped down", 4); }

}  // namespace leasescope::incidents
