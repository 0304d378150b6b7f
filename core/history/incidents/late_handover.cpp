// Released while somebody waits, on a store that tells of it, and granted only much later: nobody was told in time.
#include <algorithm>

#include <fmt/format.h>

#include "core/history/incidents/detector.h"
#include "core/time/duration_text.h"

namespace leasescope::incidents {
namespace {

// A message and a call, with room for a busy machine.
Duration longest_handover(const StoreLegend& store) { return std::chrono::milliseconds(250) + 10 * store.round_trip; }

class LateHandover : public DetectorOf<LateHandover> {
 public:
  Hearing hears_before() const override { return Hearing().of(EventKind::kGranted); }
  Hearing hears_after() const override {
    return Hearing()
        .of(EventKind::kReleased)
        .of(EventKind::kExpired)
        .of(EventKind::kUnobservedBegan)
        .of(EventKind::kStopped)
        .of(EventKind::kCrashed);
  }

  void after(Inquiry& at, const Event& event, const Change& change) override {
    Release& of = releases_[change.mutex];
    const bool left = event.kind == EventKind::kStopped || event.kind == EventKind::kCrashed;
    if (left && (!of.waits || others_contend(at, change.mutex, of.by))) return;
    of = {};
    if (event.kind != EventKind::kReleased || change.hold != Change::Hold::kEnded || !at.store.tells) return;
    if (!at.standing.mutex(change.mutex).free() || !others_contend(at, change.mutex, event.node)) return;
    of = {true, event.hi, event.hi - event.lo, event.node};
  }

  void before(Inquiry& at, const Event& event) override {
    const std::uint32_t place = at.standing.mutex_place(event.mutex);
    if (place == Standing::kNone || !releases_[place].waits) return;
    const Release of = releases_[place];
    releases_[place] = {};
    // Live it is known no better than a call takes.
    const Duration longest = longest_handover(at.store) + of.bounds + (event.hi - event.lo);
    if (event.node == of.by || event.lo - of.at <= longest) return;
    at.open({IncidentKind::kLateHandover,
             event.mutex,
             of.at,
             event.lo,
             false,
             {of.by, event.node},
             {event.token},
             fmt::format(
                 "{} released while others waited, and {} was granted it only {} s later: on a store that tells "
                 "of a release, more than {} s is long.",
                 at.label(of.by), at.label(event.node), format_seconds(event.lo - of.at), format_seconds(longest))});
  }

  std::size_t bytes() const override { return releases_.bytes(); }

 private:
  struct Release {
    bool waits = false;  // somebody, for what was released
    TrueTime at{};
    Duration bounds{};  // within which it is known
    Name by;
  };

  static bool others_contend(const Inquiry& at, std::uint32_t mutex, Name than) {
    const Standing::Contender* const who = at.standing.contender(than);
    return at.standing.mutex(mutex).contending > (who != nullptr && who->contends ? 1U : 0U);
  }

  ByPlace<Release> releases_;  // by mutex
};

}  // namespace

IncidentType late_handover() { return incident_type_of<LateHandover>("Late hand-over", 4).lasting(); }

}  // namespace leasescope::incidents
