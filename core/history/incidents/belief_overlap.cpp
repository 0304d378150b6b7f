// Two believe at once. It becomes an incident when time has passed: believed and disbelieved in one step is none.
#include <algorithm>

#include <fmt/format.h>

#include "core/history/causes.h"
#include "core/history/incidents/detector.h"
#include "core/time/duration_text.h"

namespace leasescope::incidents {
namespace {

using Contender = Standing::Contender;

// The one who came to believe last is the one who should not: the store had given the mutex to the other since.
std::string told_late_cause(const Inquiry& at, const Contender& owner, const Contender& late) {
  const std::string who = at.label(late.name);
  const std::string by = late.by_message ? "message" : "reply";
  const std::string granted = fmt::format("{} had been granted {}", at.label(owner.name), granted_words(owner.token));
  if (late.spell(Disturbs::kPauses).covers(late.lease_end))
    return fmt::format("{} was paused until its lease had ended; then {} was told by a {} that it owns, though {}.",
                       who, who, by, granted);
  return fmt::format("{} was told by a late {} that it owns, after its lease had ended at {} s: {}.", who, by,
                     format_seconds(late.lease_end.time_since_epoch()), granted);
}

// Why one goes on believing whose lease another has by now.
std::string went_on_cause(const Inquiry& at, const Contender& earlier, const Contender& later, TrueTime when) {
  const std::string a = at.label(earlier.name), b = at.label(later.name);
  const std::string granted = fmt::format("{} was granted {}", b, granted_words(later.token));
  const std::string its = after_word(earlier.token);
  const Standing::Mutex& of = at.standing.mutex(earlier.mutex);
  const std::uint32_t place = at.standing.place_of(earlier.name);
  const Standing::ClockChange& clock = at.standing.store_clock();
  if (when < earlier.lease_end && of.ended == place && of.ending >= Standing::Ending::kEarly)
    return fmt::format("{}'s lease{} ended early and {}: {}", a, its, granted, lost_words(at.standing, of, place));
  if (earlier.spell(Disturbs::kPauses).covers(when))
    return fmt::format("{}'s pause outlived its lease: {}, {} could not know.", a, granted, a);
  if (when < earlier.lease_end && clock.at != TrueTime::max())
    return fmt::format("{}'s lease{} ended early and {}: {}", a, its, granted, clock_words(clock));
  if (earlier.spell(Disturbs::kStarves).covers(when))
    return fmt::format("{}'s timers starved while its work went on, past the end of its lease: {}.", a, granted);
  if (earlier.spell(Disturbs::kDrifts).covers(when))
    return fmt::format("{}'s clock did not keep time, and it went on believing{} after its lease: {}.", a, its,
                       granted);
  if (earlier.spell(Disturbs::kCuts).covers(when))
    return fmt::format("{} was cut off from the store and went on believing{} after its lease: {}.", a, its, granted);
  if (of.ended == place && of.ending == Standing::Ending::kReleased)
    return fmt::format("{} released before its application had stopped: {}.", a, granted);
  if (when < earlier.lease_end) return fmt::format("{}'s lease{} ended early and {}.", a, its, granted);
  return fmt::format("{} went on believing{} after its lease had ended: {}.", a, its, granted);
}

std::string overlap_cause(const Inquiry& at, const Contender& earlier, const Contender& later, TrueTime when) {
  const std::string a = at.label(earlier.name), b = at.label(later.name);
  const Standing::Mutex& of = at.standing.mutex(earlier.mutex);
  const std::uint32_t grantee = of.grantee;
  if (earlier.token == later.token && later.token != kNoToken && grantee != at.standing.place_of(later.name))
    return fmt::format("{} and {} hold #{} together: to the store their ids are one.", a, b, later.token);
  if (earlier.id == later.id)
    return fmt::format("{} and {} bear one id: to the store {}'s term{} is the next of the same owner.", a, b, b,
                       after_word(later.token));
  if (grantee == at.standing.place_of(earlier.name) && later.lease_end <= when)
    return told_late_cause(at, earlier, later);
  return went_on_cause(at, earlier, later, when);
}

class BeliefOverlap : public DetectorOf<BeliefOverlap> {
 public:
  Hearing hears_after() const override {
    return Hearing().of(EventKind::kBelieved).of(EventKind::kDisbelieved).of(EventKind::kCrashed);
  }

  void after(Inquiry& at, const Event& event, const Change& change) override {
    if (change.belief == Change::Belief::kEnded) end(at, change, event.hi);
    if (change.belief != Change::Belief::kBegan) return;
    const Standing::Mutex& of = at.standing.mutex(change.mutex);
    // As many as may hold may believe it.
    if (!at.standing.too_many(of)) return;
    const bool shares = at.standing.contender(change.contender).shared;
    for (const std::uint32_t other : of.believers)
      if (other != change.contender && !(shares && at.standing.contender(other).shared))
        begin(at, {other, change.contender}, change.mutex, event.hi);
  }

  void wake(Inquiry& at, TrueTime /*lo*/, TrueTime hi) override { show(at, hi); }

  void advance(Inquiry& at, TrueTime now) override {
    show(at, now);
    for (const std::vector<Shown>& shown : shown_.list())
      for (const Shown& one : shown) at.incidents.edit(one.incident).end = now;
  }

  std::size_t bytes() const override {
    std::size_t bytes = begun_.size() * sizeof(Begun) + shown_.bytes();
    for (const std::vector<Shown>& shown : shown_.list()) bytes += shown.size() * sizeof(Shown);
    return bytes;
  }

 private:
  struct Two {
    std::uint32_t earlier = 0;
    std::uint32_t later = 0;

    bool has(std::uint32_t contender) const { return earlier == contender || later == contender; }
  };
  struct Begun {
    Two who;
    std::uint32_t mutex = 0;
    Incident incident;
  };
  struct Shown {
    Two who;
    std::size_t incident = kNoIncident;
  };

  void begin(Inquiry& at, Two who, std::uint32_t mutex, TrueTime when) {
    const Contender& first = at.standing.contender(who.earlier);
    const Contender& second = at.standing.contender(who.later);
    begun_.push_back({who,
                      mutex,
                      {IncidentKind::kBeliefOverlap,
                       at.standing.mutex(mutex).name,
                       when,
                       when,
                       true,
                       {first.name, second.name},
                       {first.token, second.token},
                       overlap_cause(at, first, second, when)}});
    at.wake_after(when);
  }

  // What was over within the moment it began in is never shown.
  void show(Inquiry& at, TrueTime now) {
    const auto waits = [&](const Begun& begun) { return begun.incident.start >= now; };
    const auto rest = std::stable_partition(begun_.begin(), begun_.end(), waits);
    for (auto of = rest; of != begun_.end(); ++of)
      shown_[of->mutex].push_back({of->who, at.open(std::move(of->incident))});
    begun_.erase(rest, begun_.end());
    for (const Begun& begun : begun_) at.wake_after(begun.incident.start);
  }

  void end(Inquiry& at, const Change& change, TrueTime end) {
    const auto ended = [&](const auto& overlap) { return overlap.who.has(change.contender); };
    const auto over = [&](const Begun& begun) { return begun.mutex == change.mutex && ended(begun); };
    begun_.erase(std::remove_if(begun_.begin(), begun_.end(), over), begun_.end());
    std::vector<Shown>& shown = shown_[change.mutex];
    for (const Shown& one : shown) {
      if (!ended(one)) continue;
      Incident& incident = at.incidents.edit(one.incident);
      incident.end = end;
      incident.open = false;
    }
    shown.erase(std::remove_if(shown.begin(), shown.end(), ended), shown.end());
  }

  std::vector<Begun> begun_;           // at this moment
  ByPlace<std::vector<Shown>> shown_;  // by mutex: that last
};

}  // namespace

IncidentType belief_overlap() { return incident_type_of<BeliefOverlap>("Belief overlap", 2).lasting(); }

}  // namespace leasescope::incidents
