#include "core/history/margin.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/history/causes.h"
#include "core/time/duration_text.h"

namespace leasescope {
namespace {

using Term = LeaseFacts::Term;
using Spell = LeaseFacts::Spell;

// Events lie in order of time, in the live world but for the bounds of what is known.
constexpr Duration kDisorder = std::chrono::seconds(2);
constexpr Duration kReach = std::chrono::minutes(5);

std::string seconds(Duration of) { return format_seconds(of) + " s"; }

Margin unknown(std::string_view what) {
  return {MarginMeasure::kNone, {}, {}, fmt::format("The margin is not known: {}.", what)};
}

// A way to be disturbed, and how it is spoken of.
struct Way {
  Disturbs what;
  MarginMeasure measure;
  std::string_view spoken;
};
constexpr Way kWays[] = {{Disturbs::kPauses, MarginMeasure::kPause, "a pause"},
                         {Disturbs::kStarves, MarginMeasure::kStarved, "a starvation of its timers"},
                         {Disturbs::kCuts, MarginMeasure::kCut, "a cut from the store"}};

class Reckoning {
 public:
  Reckoning(const LeaseFacts& facts, const NameTable& names, const Legend& legend, const Incident& incident)
      : facts_(facts), names_(names), legend_(legend), incident_(incident) {}

  Margin margin() const {
    switch (incident_.kind) {
      case IncidentKind::kLeaderless:
        return leaderless();
      case IncidentKind::kLateHandover:
        return late_handover();
      case IncidentKind::kUnknownOwner:
        return unknown_owner();
      default:
        return of_lease();
    }
  }

 private:
  Margin of_lease() const {
    for (const std::size_t place : {std::size_t{0}, std::size_t{1}})
      if (const Term* of = term(place); of != nullptr && of->until == LeaseFacts::kNever)
        return unknown("it was held for as long as a session lasts, and no lease could have been longer");
    switch (incident_.kind) {
      case IncidentKind::kBeliefOverlap:
        return overlap();
      case IncidentKind::kDoubleGrant:
        return double_grant();
      case IncidentKind::kStaleWriteAccepted:
      case IncidentKind::kStaleWriteRejected:
        return stale_write();
      case IncidentKind::kLateRenewal:
        return late_renewal();
      case IncidentKind::kSteppedDown:
        return stepped_down();
      default:
        return unknown("no length of time in the history decides an incident of this kind");
    }
  }

  std::string name(Name who) const { return std::string(names_.text(who)); }
  // "c1's lease #3"
  std::string lease(const Term& of) const { return fmt::format("{}'s lease{}", name(of.who), after_word(of.token)); }

  // The term that the place-th contender of the incident had.
  const Term* term(std::size_t place) const {
    if (place >= incident_.contenders.size()) return nullptr;
    const Token token = place < incident_.tokens.size() ? incident_.tokens[place] : kNoToken;
    return facts_.term(incident_.mutex, incident_.contenders[place], token, incident_.start);
  }

  // Of a lease that was longer than a disturbance nobody else can have been granted the mutex meanwhile.
  Margin outlasted(const Term& of, const Way& way, const Spell& by, TrueTime lasted_to,
                   std::string_view left = "left") const {
    const bool lasts = by.end == LeaseFacts::kNever;
    if (lasts && by.planned <= Duration::zero())
      return unknown(fmt::format("{} had not ended, and how long it was to be is not told", way.spoken));
    const Duration took = lasts ? by.planned : by.end - by.begin;
    const Duration had = lasted_to - by.begin;
    if (had <= Duration::zero())
      return unknown(fmt::format("{} began {} after {} had ended", way.spoken, seconds(-had), lease(of)));
    if (had >= took)
      return unknown(fmt::format("{} had {} {} when {} of {} began, which was enough", lease(of), seconds(had), left,
                                 way.spoken, seconds(took)));
    return {way.measure, had, took,
            fmt::format("{} had {} {} when {} of {} began, {} too little: a lease longer by {} with its renewals as "
                        "they were, or {} shorter than {}, would have kept this away.",
                        lease(of), seconds(had), left, way.spoken, seconds(took), seconds(took - had),
                        seconds(took - had), way.spoken, seconds(had))};
  }
  // By what disturbed its owner at that moment; none: nothing that is told of.
  const Spell* disturbed(const Term& of, TrueTime at, const Way*& way) const {
    for (const Way& each : kWays)
      if (const Spell* found = facts_.spell(of.who, each.what, at, legend_); found != nullptr) {
        way = &each;
        return found;
      }
    return nullptr;
  }

  // The store's clock went over the end of a lease that had not come.
  std::optional<Margin> stepped_clock(const Term& of, TrueTime until) const {
    const LeaseFacts::ClockStep* const step = facts_.store_step(of.granted, until);
    if (step == nullptr || step->by <= Duration::zero()) return std::nullopt;
    const Duration had = of.until - step->at;
    if (had <= Duration::zero() || had >= step->by) return std::nullopt;
    return Margin{MarginMeasure::kClockStep, had, step->by,
                  fmt::format("{} had {} left when the store's clock was set forward by {}, {} too little: a lease "
                              "longer by {}, or a step of less than {}, would have kept this away.",
                              lease(of), seconds(had), seconds(step->by), seconds(step->by - had),
                              seconds(step->by - had), seconds(had))};
  }

  // One of the two is who should not have believed: whose lease was over, or had been given back.
  Margin overlap() const {
    const Term* const earlier = term(0);
    const Term* const later = term(1);
    if (earlier == nullptr || later == nullptr)
      return unknown("when one of the two was granted the mutex is not told, or not kept any more");
    const bool told_late = later->granted < earlier->granted;
    const Term& wrong = told_late ? *later : *earlier;
    const TrueTime granted = told_late ? earlier->granted : later->granted;
    if (wrong.released && wrong.ended < incident_.end) return released_early(wrong);
    if (granted < wrong.until) {
      if (const auto by_clock = stepped_clock(wrong, granted)) return *by_clock;
      return unknown(
          fmt::format("{} was promised for {} more when another was granted it, and no length of time that "
                      "is told took it away",
                      lease(wrong), seconds(wrong.until - granted)));
    }
    const Way* way = nullptr;
    if (const Spell* by = disturbed(wrong, wrong.until, way); by != nullptr)
      return outlasted(wrong, *way, *by, wrong.until);
    if (told_late) return answered_late(wrong);
    if (incident_.open) return unknown("the two still believe: how long one was wrong is not known yet");
    if (wrong.until < wrong.granted) return no_length(wrong);
    const Duration had = wrong.until - wrong.granted, needed = incident_.end - wrong.granted;
    return {
        MarginMeasure::kBelief, had, needed,
        fmt::format("{} was believed in until {} after its end, as one of the two was: a lease longer by that, or a "
                    "belief shorter by it, would have kept this away.",
                    lease(wrong), seconds(needed - had))};
  }
  Margin no_length(const Term& of) const {
    return unknown(
        fmt::format("by the store's clock, which was set, {} was over before it was granted, so that it "
                    "had no length",
                    lease(of)));
  }
  Margin released_early(const Term& of) const {
    if (incident_.open) return unknown("the two still believe: when the application stopped is not known yet");
    const Duration had = of.ended - of.granted, needed = incident_.end - of.granted;
    return {MarginMeasure::kRelease, had, needed,
            fmt::format("{} was given back {} before both had ceased to believe: a release later by that would have "
                        "kept this away.",
                        lease(of), seconds(needed - had))};
  }
  Margin answered_late(const Term& of) const {
    if (of.until < of.granted) return no_length(of);
    const Duration had = of.until - of.granted, needed = incident_.start - of.granted;
    return {MarginMeasure::kAnswer, had, needed,
            fmt::format("The answer came {} after it was granted and {} after the end of {}: an answer sooner, or a "
                        "lease longer, by {} would have kept this away.",
                        seconds(needed), seconds(needed - had), lease(of), seconds(needed - had))};
  }

  Margin double_grant() const {
    const Term* const broken = term(0);
    if (broken == nullptr) return unknown("when the first was granted the mutex is not told, or not kept any more");
    if (const auto by_clock = stepped_clock(*broken, incident_.start)) return *by_clock;
    return unknown(
        fmt::format("the store granted it {} before the promise was over, and no length of time that is "
                    "told took it away",
                    seconds(incident_.end - incident_.start)));
  }

  Margin stale_write() const {
    const Term* const of = term(0);
    if (of == nullptr) return unknown("when the writer was granted the mutex is not told, or not kept any more");
    const Way* way = nullptr;
    if (const Spell* by = disturbed(*of, of->until, way); by != nullptr && by->end <= incident_.start)
      return outlasted(*of, *way, *by, of->until);
    if (of->until < of->granted) return no_length(*of);
    const Duration had = of->until - of->granted, needed = incident_.end - of->granted;
    if (needed <= had)
      return unknown(fmt::format("{} was promised for {} more when it wrote", lease(*of), seconds(had - needed)));
    const std::string_view fence = incident_.kind == IncidentKind::kStaleWriteAccepted ? "A fence would have refused it"
                                                                                       : "Only the fence refused it";
    return {MarginMeasure::kWrite, had, needed,
            fmt::format("The last such write came {} after the end of {}: a lease longer by that, or no write so late, "
                        "would have kept this away. {}.",
                        seconds(needed - had), lease(*of), fence)};
  }

  Margin late_renewal() const {
    const Term* const of = term(0);
    if (of == nullptr) return unknown("when it was granted the mutex is not told, or not kept any more");
    const Duration had = of->until - of->granted, needed = incident_.end - of->granted;
    if (needed < had) {
      if (const auto by_clock = stepped_clock(*of, incident_.end)) return *by_clock;
      return unknown(fmt::format("{} was promised for {} more, and no length of time that is told took it away",
                                 lease(*of), seconds(had - needed)));
    }
    const Way* way = nullptr;
    if (const Spell* by = disturbed(*of, of->until, way); by != nullptr && of->until < by->end)
      return outlasted(*of, *way, *by, of->until);
    if (of->until < of->granted) return no_length(*of);
    return {MarginMeasure::kRenewal, had, needed,
            fmt::format("The renewal was answered {} after the end of {}: a lease longer by that, or an answer so much "
                        "sooner, would have kept this away.",
                        seconds(needed - had), lease(*of))};
  }

  Margin stepped_down() const {
    const Term* const of = term(0);
    if (of == nullptr) return unknown("when it was granted the mutex is not told, or not kept any more");
    const Way* way = nullptr;
    const Spell* const by = disturbed(*of, incident_.start, way);
    if (by == nullptr)
      return unknown(fmt::format("nothing is told that disturbed {} when it stepped down", name(of->who)));
    if (of->until <= incident_.start) return outlasted(*of, *way, *by, of->until);
    if (by->end <= incident_.start)
      return unknown(fmt::format("{} ended {} before the end of {}, which it stepped down from all the same",
                                 way->spoken, seconds(of->until - by->end), lease(*of)));
    return outlasted(*of, *way, *by, incident_.start, "left until it stepped down");
  }

  Margin leaderless() const {
    const LeaseFacts::Gap* const gap = facts_.gap(incident_.mutex, incident_.start);
    if (gap == nullptr) return unknown("since when nobody held the mutex is not told, or not kept any more");
    if (gap->meant == LeaseFacts::kNever)
      return unknown("no contender that called meanwhile had told when it meant to wake");
    const Duration had = std::max(Duration::zero(), gap->meant - incident_.start);
    const Duration needed = incident_.end - incident_.start;
    const Duration late = needed - had;
    if (late <= Duration::zero()) return unknown("nobody has meant to wake yet");
    return {
        MarginMeasure::kGap, had, needed,
        fmt::format("Of {} that nobody held it, {} were the sleep of whoever woke first, what was left of the lease "
                    "it knew and its jitter, and {} more passed until it was held: that much sooner, it would have "
                    "been held at that wake-up.",
                    seconds(needed), seconds(had), seconds(late))};
  }

  Margin late_handover() const {
    const Duration had = std::chrono::milliseconds(250) + 10 * legend_.store.round_trip;
    const Duration needed = incident_.end - incident_.start;
    return over_limit(MarginMeasure::kHandover, "The hand-over took", had, needed);
  }
  Margin unknown_owner() const {
    const Duration had = legend_.store.timeout + std::chrono::seconds(1);
    const Duration needed = incident_.end - incident_.start;
    return over_limit(MarginMeasure::kUnaware, "Its owner did not know for", had, needed);
  }
  static Margin over_limit(MarginMeasure measure, std::string_view what, Duration had, Duration needed) {
    if (needed <= had) return unknown("it was no longer than it may be, as far as the bounds of what is known tell");
    return {measure, had, needed,
            fmt::format("{} {}, {} more than the {} it may: sooner by that, it would have been none.", what,
                        seconds(needed), seconds(needed - had), seconds(had))};
  }

  const LeaseFacts& facts_;
  const NameTable& names_;
  const Legend& legend_;
  const Incident& incident_;
};

}  // namespace

std::string_view text(MarginMeasure of) {
  static constexpr std::string_view kTexts[] = {"",        "pause",     "cut",     "starvation", "store_clock_step",
                                                "belief",  "answer",    "renewal", "write",      "release",
                                                "wake_up", "hand_over", "unaware"};
  return kTexts[static_cast<std::size_t>(of)];
}

Margin margin_of(const LeaseFacts& facts, const NameTable& names, const Legend& legend, const Incident& incident) {
  return Reckoning(facts, names, legend, incident).margin();
}

Margin margin_of(const History& history, const Incident& incident) {
  LeaseFacts facts;
  const auto from = std::lower_bound(history.events.begin(), history.events.end(), incident.start - kReach,
                                     [](const Event& event, TrueTime at) { return event.at() < at; });
  const TrueTime last = incident.end + kDisorder;
  TrueTime ends = last;  // of the faults that began by then, as planned: that one did end is told after the incident
  for (auto event = from; event != history.events.end() && event->at() <= ends; ++event) {
    if (event->at() > last && event->kind != EventKind::kFaultEnded) continue;
    facts.append(*event, history.names, history.legend);
    if (event->kind == EventKind::kFaultBegan)
      ends = std::clamp(event->hi + Duration(event->a) + kDisorder, ends, std::max(ends, incident.end + kReach));
  }
  return margin_of(facts, history.names, history.legend, incident);
}

}  // namespace leasescope
