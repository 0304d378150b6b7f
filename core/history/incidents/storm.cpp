// So many lease calls on one mutex, or of one contender, that they are the trouble themselves.
#include <algorithm>

#include <fmt/format.h>

#include "core/history/incidents/detector.h"
#include "core/time/duration_text.h"

namespace leasescope::incidents {
namespace {

constexpr Duration kTogether = std::chrono::milliseconds(100);

// Of one contender within a second: renewals and retries of a short ttl are no storm.
std::size_t most_calls(const LeaseTerms& terms) {
  const Duration ttl = std::max<Duration>(terms.ttl, std::chrono::milliseconds(1));
  return CallMeter::kMany + static_cast<std::size_t>(2 * CallMeter::kSpan / ttl);
}

// The calls of the last so much time, those of one moment together. What has passed is dropped now and then, not call
// by call.
class Window {
 public:
  // Takes in one more, and lets go what is older than `span`.
  void add(TrueTime at, bool won, Duration span) {
    if (!empty() && moments_.back().at == at) {
      ++moments_.back().calls;
      moments_.back().wins += won ? 1 : 0;
    } else {
      if (moments_.empty()) moments_.reserve(kFew);
      moments_.push_back({at, 1, won ? 1U : 0U});
    }
    ++calls_;
    wins_ += won ? 1 : 0;
    for (; at - moments_[passed_].at > span; ++passed_) {
      calls_ -= moments_[passed_].calls;
      wins_ -= moments_[passed_].wins;
    }
    if (2 * passed_ <= moments_.size()) return;
    moments_.erase(moments_.begin(), moments_.begin() + static_cast<std::ptrdiff_t>(passed_));
    passed_ = 0;
  }
  void clear() { *this = {}; }

  bool empty() const { return calls_ == 0; }
  std::size_t calls() const { return calls_; }
  std::size_t wins() const { return wins_; }
  TrueTime first() const { return moments_[passed_].at; }
  TrueTime last() const { return moments_.back().at; }
  std::size_t bytes() const { return moments_.size() * sizeof(Moment); }

 private:
  struct Moment {
    TrueTime at{};
    std::uint32_t calls = 0;
    std::uint32_t wins = 0;
  };

  static constexpr std::size_t kFew = 8;  // most have no more

  std::vector<Moment> moments_;
  std::size_t passed_ = 0;  // of them
  std::size_t calls_ = 0;   // of the others
  std::size_t wins_ = 0;
};

class Storm : public DetectorOf<Storm> {
 public:
  // Together with those before it, which nobody has looked at yet.
  void one_of_many(Inquiry& at, const Event& event) override {
    Crowd& of = crowds_[event.mutex.handle];
    at.calls.visit_last(event.mutex, of.looked, [&](const CallMeter::Call& call) {
      of_mutex(at, event.mutex, call, of);
      of_contender(at, event.mutex, call);
    });
    of.looked = at.calls.last(event.mutex);
  }

  // A sentence is made when somebody looks, or when its storm is over: there may be a million calls in it.
  void advance(Inquiry& at, TrueTime /*now*/) override {
    for (const Crowd& of : crowds_.list()) tell(at, of);
    for (const Busy& busy : busy_.list()) tell(at, busy);
  }

  std::size_t bytes() const override {
    std::size_t bytes = crowds_.bytes() + busy_.bytes();
    for (const Crowd& of : crowds_.list()) bytes += of.calls.bytes();
    for (const Busy& busy : busy_.list()) bytes += busy.calls.bytes();
    return bytes;
  }

 private:
  struct Busy {
    Window calls;  // of the last second
    std::size_t incident = kNoIncident;
    std::size_t count = 0;  // of calls in the second that the incident ends with
  };
  struct Crowd {
    std::uint64_t looked = 0;  // the number of the last call that was looked at
    Window calls;              // of the last tenth of a second
    std::size_t incident = kNoIncident;
    std::size_t count = 0;  // of calls in the incident
    std::size_t wins = 0;   // of them
  };

  // What belongs to a storm that is over begins no other.
  static void end(Inquiry& at, Crowd& of) {
    tell(at, of);
    of.calls.clear();
    of.incident = kNoIncident;
  }

  static void of_mutex(Inquiry& at, Name mutex, const CallMeter::Call& call, Crowd& of) {
    if (!of.calls.empty() && call.at - of.calls.last() > kTogether) end(at, of);
    of.calls.add(call.at, call.won, kTogether);
    const Standing::Mutex* const standing = at.standing.mutex(mutex);
    const bool crowd = of.calls.calls() > CallMeter::kMany && of.calls.wins() <= 1 && standing != nullptr &&
                       of.calls.calls() > standing->contending / 2;
    const std::size_t wins = of.wins + (call.won ? 1 : 0);
    if (of.incident != kNoIncident && (!crowd || wins > 1)) {
      end(at, of);
      of.calls.add(call.at, call.won, kTogether);
    } else if (at.goes_on(of.incident)) {
      ++of.count;
      of.wins = wins;
      at.incidents.edit(of.incident).end = call.at;
    } else if (crowd) {
      of.count = of.calls.calls();
      of.wins = of.calls.wins();
      of.incident = at.open({IncidentKind::kStorm, mutex, of.calls.first(), call.at, false, {}, {}, ""});
      tell(at, of);
    }
  }

  void of_contender(Inquiry& at, Name mutex, const CallMeter::Call& call) {
    Busy& of = busy_[call.node.handle];
    of.calls.add(call.at, call.won, CallMeter::kSpan);
    if (of.calls.calls() <= most_calls(at.terms)) {
      tell(at, of);
      of.incident = kNoIncident;
      return;
    }
    of.count = of.calls.calls();
    if (at.goes_on(of.incident)) {
      at.incidents.edit(of.incident).end = call.at;
      return;
    }
    of.incident = at.open({IncidentKind::kStorm, mutex, of.calls.first(), call.at, false, {call.node}, {}, ""});
    tell(at, of);
  }

  static void tell(Inquiry& at, const Crowd& of) {
    if (!at.goes_on(of.incident)) return;
    Incident& incident = at.incidents.edit(of.incident);
    incident.cause =
        fmt::format("{} calls on {} were answered within {} s, {} in vain.", of.count, at.label(incident.mutex),
                    format_seconds(incident.end - incident.start), of.wins == 0 ? "all of them" : "all but one");
  }
  static void tell(Inquiry& at, const Busy& of) {
    if (!at.goes_on(of.incident)) return;
    Incident& incident = at.incidents.edit(of.incident);
    incident.cause = fmt::format("{} had {} of its calls answered within a second (more than {} are many).",
                                 at.label(incident.contenders.front()), of.count, most_calls(at.terms));
  }

  ByPlace<Crowd> crowds_;   // by the mutex's name
  ByFewPlaces<Busy> busy_;  // by the caller's name
};

}  // namespace

IncidentType storm() { return incident_type_of<Storm>("Storm", 4).lasting(); }

}  // namespace leasescope::incidents
