// The store holds for one of ours who does not believe, for longer than a call may take, while somebody contends: a
// ghost lease, lost replies, a crash.
#include <algorithm>

#include <fmt/format.h>

#include "core/history/causes.h"
#include "core/history/incidents/detector.h"
#include "core/time/duration_text.h"

namespace leasescope::incidents {
namespace {

using Contender = Standing::Contender;

class UnknownOwner : public DetectorOf<UnknownOwner> {
 public:
  Hearing hears_after() const override {
    return Hearing()
        .of(EventKind::kGranted)
        .of(EventKind::kReleased)
        .of(EventKind::kExpired)
        .of_take_up()
        .of(EventKind::kBelieved)
        .of(EventKind::kDisbelieved)
        .of(EventKind::kCrashed)
        .of(EventKind::kStarted)
        .of(EventKind::kStopped)
        .of(EventKind::kUnobservedBegan)
        .of(EventKind::kUnobservedEnded);
  }

  void after(Inquiry& at, const Event& event, const Change& change) override {
    const std::uint32_t ghost = ghost_of(at.standing, at.standing.mutex(change.mutex));
    Ghost& of = ghosts_[change.mutex];
    if (ghost != of.contender) {
      of.believes_at_last = believes(change) && change.contender == of.contender;
      show(at, change.mutex, of, event.lo, false);
      of = {};
      of.contender = ghost;
      of.since = event.hi;
      of.stepped_down = change.belief == Change::Belief::kEnded && ghost == change.contender;
    }
    if (ghost == Standing::kNone) return;
    of.down = !at.standing.contender(ghost).up;
    of.token = at.standing.contender(ghost).held;
  }

  void advance(Inquiry& at, TrueTime now) override {
    for (std::uint32_t place = 0; place < ghosts_.list().size(); ++place) show(at, place, ghosts_[place], now, true);
  }

  std::size_t bytes() const override { return ghosts_.bytes(); }

 private:
  struct Ghost {
    std::uint32_t contender = Standing::kNone;  // for whom it is held
    Token token = kNoToken;
    TrueTime since{};
    bool down = false;              // now
    bool stepped_down = false;      // that is how it began
    bool believes_at_last = false;  // and how it ended
    std::size_t incident = kNoIncident;
  };

  static bool believes(const Change& change) {
    return change.belief == Change::Belief::kBegan || change.belief == Change::Belief::kAgain;
  }

  // For whom a mutex is held who does not know. One that bears his id may know in his place.
  static std::uint32_t ghost_of(const Standing& standing, const Standing::Mutex& of) {
    if (of.contending == 0 || of.unobserved) return Standing::kNone;
    for (const Standing::Hold& hold : of.holds) {
      const Contender& who = standing.contender(hold.contender);
      const bool known = std::any_of(of.believers.begin(), of.believers.end(), [&](std::uint32_t believer) {
        return believer == hold.contender || standing.contender(believer).id == who.name;
      });
      if (who.ours && !known) return hold.contender;
    }
    return Standing::kNone;
  }

  // It becomes an incident when it has lasted for too long, at the latest when it ends.
  static void show(Inquiry& at, std::uint32_t place, Ghost& of, TrueTime now, bool lasts) {
    if (of.contender == Standing::kNone) return;
    const Duration longest = at.store.timeout + std::chrono::seconds(1) + at.known_within;
    if (of.incident == kNoIncident && now - of.since <= longest) return;
    if (of.incident == kNoIncident) {
      const Name who = at.standing.contender(of.contender).name;
      of.incident = at.open(
          {IncidentKind::kUnknownOwner, at.standing.mutex(place).name, of.since, now, true, {who}, {of.token}, ""});
    }
    Incident& incident = at.incidents.edit(of.incident);
    incident.end = now;
    incident.open = lasts;
    incident.tokens = {of.token};
    incident.cause = cause(at, at.standing.mutex(place), of, now);
  }

  static std::string why(const std::string& a, const Contender& who, const Standing::Told& told, const Ghost& of,
                         TrueTime now) {
    if (of.down) return fmt::format("{} is down", a);
    if (of.stepped_down) return fmt::format("{} has stepped down", a);
    if (who.spell(Disturbs::kPauses).covers(of.since)) return fmt::format("{} was paused", a);
    if (who.spell(Disturbs::kCuts).covers(of.since)) return fmt::format("{} was cut off from the store", a);
    // The answer that makes it believe tells it in time, whenever it comes.
    const bool by_this = of.believes_at_last && told.at + std::chrono::milliseconds(1) >= now;
    if (told.at >= of.since && !by_this) return fmt::format("{}'s application was not told", a);
    return fmt::format("no answer has told {}", a);
  }

  static std::string cause(const Inquiry& at, const Standing::Mutex& mutex, const Ghost& of, TrueTime now) {
    const Contender& who = at.standing.contender(of.contender);
    const std::string a = at.label(who.name);
    return fmt::format("The store holds {} for {}{}, who does not believe it: {}. Nobody else gets in meanwhile.",
                       at.label(mutex.name), a, of.token == kNoToken ? std::string() : fmt::format(" (#{})", of.token),
                       why(a, who, at.standing.told(of.contender), of, now));
  }

  ByPlace<Ghost> ghosts_;  // by mutex
};

}  // namespace

IncidentType unknown_owner() { return incident_type_of<UnknownOwner>("Unknown owner", 4).lasting(); }

}  // namespace leasescope::incidents
