// So many lease calls on one mutex, or of one contender, that they are the trouble themselves.
#include <algorithm>
#include <map>

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

class Storm : public DetectorOf<Storm> {
 public:
  // Together with those before it, which nobody has looked at yet.
  void one_of_many(Inquiry& at, const Event& event) override {
    Crowd& of = crowds_[event.mutex.handle];
    const std::uint64_t count = at.meter.count(event.mutex);
    for (std::uint64_t next = std::max(of.next, count - std::min<std::uint64_t>(count, CallMeter::kKept)); next < count;
         ++next) {
      const CallMeter::Call& call = at.meter.call(event.mutex, next);
      of_mutex(at, event.mutex, call, of);
      of_contender(at, event.mutex, call);
    }
    of.next = count;
  }

  std::size_t bytes() const override {
    std::size_t bytes = crowds_.bytes() + busy_.size() * sizeof(Busy);
    for (const auto& [handle, busy] : busy_) bytes += busy.calls.size() * sizeof(TrueTime);
    return bytes;
  }

 private:
  struct Busy {
    std::vector<TrueTime> calls;  // of the last second
    std::size_t incident = kNoIncident;
  };
  struct Crowd {
    std::uint64_t next = 0;              // the number of the first call that was not looked at
    std::vector<CallMeter::Call> calls;  // of the last tenth of a second
    std::size_t won = 0;                 // of them
    std::size_t incident = kNoIncident;

    // Its storm is over: what belongs to that begins no other.
    void begin_anew(const CallMeter::Call& with) {
      calls.assign(1, with);
      won = with.won() ? 1 : 0;
      incident = kNoIncident;
    }
    std::size_t count = 0;  // of calls in the incident
    std::size_t wins = 0;   // of them
  };

  static void of_mutex(Inquiry& at, Name mutex, const CallMeter::Call& call, Crowd& of) {
    if (!of.calls.empty() && call.at - of.calls.back().at > kTogether) {
      of.calls.clear();
      of.won = 0;
      of.incident = kNoIncident;
    }
    of.calls.push_back(call);
    of.won += call.won() ? 1 : 0;
    const auto in_time = std::find_if(of.calls.begin(), of.calls.end(),
                                      [&](const CallMeter::Call& each) { return call.at - each.at <= kTogether; });
    for (auto each = of.calls.begin(); each != in_time; ++each) of.won -= each->won() ? 1 : 0;
    of.calls.erase(of.calls.begin(), in_time);
    const Standing::Mutex* const standing = at.standing.mutex(mutex);
    const bool crowd = of.calls.size() > CallMeter::kMany && of.won <= 1 && standing != nullptr &&
                       of.calls.size() > standing->contending / 2;
    const bool goes_on = of.incident != kNoIncident && of.wins + (call.won() ? 1 : 0) <= 1;
    if (!crowd || (of.incident != kNoIncident && !goes_on)) {
      if (of.incident != kNoIncident) of.begin_anew(call);
      return;
    }
    tell_crowd(at, mutex, call, of);
  }

  static void tell_crowd(Inquiry& at, Name mutex, const CallMeter::Call& call, Crowd& of) {
    if (of.incident == kNoIncident) {
      of.count = of.calls.size() - 1;
      of.wins = of.won - (call.won() ? 1 : 0);
      of.incident = at.open({IncidentKind::kStorm, mutex, of.calls.front().at, call.at, false, {}, {}, ""});
    }
    ++of.count;
    of.wins += call.won() ? 1 : 0;
    Incident& incident = at.incidents.edit(of.incident);
    incident.end = call.at;
    incident.cause =
        fmt::format("{} calls on {} were answered within {} s, {} in vain.", of.count, at.label(mutex),
                    format_seconds(incident.end - incident.start), of.wins == 0 ? "all of them" : "all but one");
  }

  void of_contender(Inquiry& at, Name mutex, const CallMeter::Call& call) {
    Busy& of = busy_[call.node().handle];
    of.calls.push_back(call.at);
    const auto in_time = std::find_if(of.calls.begin(), of.calls.end(),
                                      [&](TrueTime each) { return call.at - each <= CallMeter::kSpan; });
    of.calls.erase(of.calls.begin(), in_time);
    if (of.calls.size() <= most_calls(at.terms)) {
      of.incident = kNoIncident;
      return;
    }
    const Name who = call.node();
    if (of.incident == kNoIncident)
      of.incident = at.open({IncidentKind::kStorm, mutex, of.calls.front(), call.at, false, {who}, {}, ""});
    Incident& incident = at.incidents.edit(of.incident);
    incident.end = call.at;
    incident.cause = fmt::format("{} had {} of its calls answered within a second (more than {} are many).",
                                 at.label(who), of.calls.size(), most_calls(at.terms));
  }

  ByPlace<Crowd> crowds_;               // by the mutex's name
  std::map<std::uint32_t, Busy> busy_;  // by the caller's name
};

}  // namespace

IncidentType storm() { return incident_type_of<Storm>("Storm", 4); }

}  // namespace leasescope::incidents
