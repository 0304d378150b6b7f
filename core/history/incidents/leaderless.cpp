// Somebody contends and nobody holds, for longer than it takes a waiter to come.
#include <algorithm>

#include <fmt/format.h>

#include "core/history/incidents/detector.h"
#include "core/time/duration_text.h"

namespace leasescope::incidents {
namespace {

using Mutex = Standing::Mutex;

// A waiter sleeps until the end of the transition and its jitter: a gap of that length is no fault of anybody's.
Duration longest_gap(const LeaseTerms& terms) {
  return std::max<Duration>(2 * terms.transition, terms.jitter.max) + std::chrono::seconds(1);
}

// Since when nobody holds though somebody contends, as far as is known; max() = it is not so.
TrueTime gap_since(const Mutex& of) {
  if (!of.free() || of.contending == 0 || of.unobserved) return TrueTime::max();
  return std::max(of.free_since, of.contended_since);
}

class Leaderless : public DetectorOf<Leaderless> {
 public:
  // What ends a gap speaks of the lease before it.
  Hearing hears_before() const override { return Hearing().of(EventKind::kGranted).of(EventKind::kUnobservedBegan); }
  Hearing hears_after() const override {
    return Hearing()
        .of(EventKind::kStarted)
        .of(EventKind::kStopped)
        .of(EventKind::kCrashed)
        .of(EventKind::kInvoked)
        .of(EventKind::kReturned)
        .of(EventKind::kReleased)
        .of(EventKind::kExpired)
        .of_take_up()
        .of(EventKind::kUnobservedEnded);
  }

  void before(Inquiry& at, const Event& event) override {
    const std::uint32_t place = at.standing.mutex_place(event.mutex);
    if (place == Standing::kNone || gaps_[place].incident == kNoIncident) return;
    if (event.kind == EventKind::kUnobservedBegan)
      return end(at, place, event.lo, "from then on the store did not answer");
    end(at, place, event.lo, fmt::format("{} was the first to come", at.label(event.node)));
  }

  void after(Inquiry& at, const Event& event, const Change& change) override {
    const Mutex& of = at.standing.mutex(change.mutex);
    if (event.kind == EventKind::kRenewed && gaps_[change.mutex].incident != kNoIncident)
      return end(at, change.mutex, event.lo, fmt::format("{} was the first to come", at.label(event.node)));
    const bool left = event.kind == EventKind::kStopped || event.kind == EventKind::kCrashed ||
                      event.kind == EventKind::kReturned;  // and rests
    if (!left) return await(at, of);
    if (of.contending == 0 && gaps_[change.mutex].incident != kNoIncident)
      end(at, change.mutex, event.lo, "the last to contend stopped");
  }

  void wake(Inquiry& at, TrueTime lo, TrueTime /*hi*/) override {
    if (lo > due_)
      show(at, lo);
    else
      at.wake_after(due_);
  }

  void advance(Inquiry& at, TrueTime now) override {
    show(at, now);
    for (std::uint32_t place = 0; place < gaps_.list().size(); ++place) {
      if (gaps_[place].incident == kNoIncident) continue;
      Incident& incident = at.incidents.edit(gaps_[place].incident);
      incident.end = now;
      incident.cause = cause(at, at.standing.mutex(place), incident, "nobody has come yet");
    }
  }

  void finish(Inquiry& at, TrueTime when) override {
    for (std::uint32_t place = 0; place < gaps_.list().size(); ++place)
      if (gaps_[place].incident != kNoIncident) end(at, place, when, "nobody came");
  }

  std::size_t bytes() const override { return gaps_.bytes(); }

 private:
  struct Gap {
    std::size_t incident = kNoIncident;
  };

  void await(Inquiry& at, const Mutex& of) {
    const TrueTime since = gap_since(of);
    if (since == TrueTime::max()) return;
    due_ = std::min(due_, since + longest_gap(at.terms) + at.known_within);
    at.wake_after(due_);
  }

  void show(Inquiry& at, TrueTime now) {
    due_ = TrueTime::max();
    for (std::uint32_t place = 0; place < at.standing.mutexes().size(); ++place) {
      const Mutex& of = at.standing.mutex(place);
      const TrueTime since = gap_since(of);
      if (since == TrueTime::max() || gaps_[place].incident != kNoIncident) continue;
      if (now - since > longest_gap(at.terms) + at.known_within)
        gaps_[place].incident = at.open({IncidentKind::kLeaderless, of.name, since, now, true, {}, {of.token}, ""});
      else
        await(at, of);
    }
  }

  void end(Inquiry& at, std::uint32_t place, TrueTime when, const std::string& how) {
    Incident& incident = at.incidents.edit(gaps_[place].incident);
    incident.end = std::max(incident.start, when);
    incident.open = false;
    incident.cause = cause(at, at.standing.mutex(place), incident, how);
    gaps_[place].incident = kNoIncident;
  }

  static std::string cause(const Inquiry& at, const Mutex& of, const Incident& gap, const std::string& how) {
    const bool was_free = !of.ever_granted() || of.contended_since > of.free_since;
    const std::string after = was_free      ? fmt::format("{} began to contend and nobody held it", at.label(of.first))
                              : of.released ? fmt::format("{} released", at.label(of.grantee))
                                            : fmt::format("{}'s lease ended", at.label(of.grantee));
    return fmt::format("{}; {}, {} s later (more than {} s is long).", after, how, format_seconds(gap.end - gap.start),
                       format_seconds(longest_gap(at.terms), 1));
  }

  ByPlace<Gap> gaps_;               // by mutex: the incident of the gap that lasts
  TrueTime due_ = TrueTime::max();  // nobody holds for too long from then on, if nothing comes in between
};

}  // namespace

IncidentType leaderless() { return incident_type_of<Leaderless>("Leaderless", 4).lasting(); }

}  // namespace leasescope::incidents
