#include "simulator/run/fidelity.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/base/expect.h"
#include "core/history/round_trips.h"
#include "core/history/standing.h"
#include "simulator/run/bare_run.h"
#include "simulator/scenario/scenario_legend.h"

namespace leasescope {
namespace {

using Measure = FidelitySamples::Measure;

double ms(Duration d) { return static_cast<double>(d.count()) / 1e6; }

// One mutex, as its contenders believe.
struct Belief {
  std::optional<TrueTime> free_since;
  bool given_back = false;
  bool in_a_write = false;  // when it gave it back
  std::uint32_t last = Standing::kNone;
  Sequence ended_by = 0;
  TrueTime two_since{};
};

bool gives_back(const Event& event) {
  return event.kind == EventKind::kDisbelieved && static_cast<DisbeliefReason>(event.detail) == DisbeliefReason::kStop;
}

bool ends_a_write(EventKind kind) {
  return kind == EventKind::kWriteAccepted || kind == EventKind::kWriteRejected ||
         kind == EventKind::kWriteStaleAccepted;
}

// The events of a virtual run, and when the timers went off that its guards and signs of life were sent at.
struct Collector {
  History& history;
  std::vector<Duration>& round_trips;
  std::map<std::uint32_t, TrueTime> sent = {};                                // by contender
  std::map<std::pair<std::uint32_t, std::uint64_t>, TrueTime> renewing = {};  // sessions: by contender and request
  std::pair<std::uint32_t, std::uint64_t> served = {};

  void input(const DispatchedInput& input) {
    if (input.due == Due::kTimer0) sent[input.node.handle] = input.at;
    if (input.due == Due::kRequestArrives) renewing.erase(served = {input.process.handle, input.a});
    if (input.due != Due::kReplyArrives) return;
    const auto answered = renewing.extract({input.node.handle, input.a});
    if (!answered.empty()) round_trips.push_back(input.at - answered.mapped());
  }
  void event(const Event& event) {
    history.events.push_back(event);
    const bool renews = event.kind == EventKind::kAttempt &&
                        static_cast<AttemptResult>(event.detail) == AttemptResult::kWon &&
                        event.b == static_cast<std::int64_t>(RequestKind::kGuard);
    if (renews) round_trips.push_back(event.at() - sent[event.node.handle]);
    if (event.kind == EventKind::kSessionRenewed && event.node.handle == served.first)
      renewing[served] = sent[event.node.handle];
  }
};

// Of these it is known when a call that renews was sent, in either world.
bool times_renewals(const Scenario& scenario) {
  return scenario.family() == Family::kLease || scenario.family() == Family::kNodes;
}

// A call, answered or given up; where sessions are kept, signs of life are what there is instead of renewals.
bool is_call(EventKind kind) {
  return kind == EventKind::kAttempt || kind == EventKind::kSessionOpened || kind == EventKind::kSessionRenewed;
}

}  // namespace

double kolmogorov_smirnov(std::vector<double> a, std::vector<double> b) {
  expect(!a.empty() && !b.empty(), "a distance is between two distributions");
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  double most = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const double at = std::min(a[i], b[j]);  // the shares are compared behind all that are equal
    while (i < a.size() && a[i] == at) ++i;
    while (j < b.size() && b[j] == at) ++j;
    const double of_a = static_cast<double>(i) / static_cast<double>(a.size());
    const double of_b = static_cast<double>(j) / static_cast<double>(b.size());
    most = std::max(most, std::abs(of_a - of_b));
  }
  return most;
}

double quantile(const std::vector<double>& sorted, double share) {
  expect(!sorted.empty(), "nothing has no quantile");
  const double place = std::ceil(share * static_cast<double>(sorted.size())) - 1;
  return sorted[static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(sorted.size() - 1)))];
}

void FidelitySamples::add_live(const History& history, const Scenario& scenario) {
  add(history);
  if (!times_renewals(scenario)) return;
  for (const Duration each : round_trips_of(history)) put(Measure::kRoundTrip, ms(each));
}

void FidelitySamples::add_virtual(const Scenario& scenario) {
  BareRun run(scenario);
  History history;
  history.names = run.world().names();
  history.legend = legend_of(scenario);
  std::vector<Duration> round_trips;
  Collector collector{history, round_trips};
  const TrueTime end = TrueTime{} + scenario.length();
  while (run.step(end, collector)) {
  }
  history.names = run.world().names();
  history.now = end;
  add(history);
  if (!times_renewals(scenario)) return;
  for (const Duration each : round_trips) put(Measure::kRoundTrip, ms(each));
}

void FidelitySamples::add(const History& history) {
  Standing standing(history.legend);
  std::map<std::uint32_t, Belief> beliefs;
  std::set<std::uint32_t> writing;  // names of contenders
  std::size_t calls = 0;
  for (const Event& event : history.events) {
    calls += is_call(event.kind);
    if (event.kind == EventKind::kChecked) writing.insert(event.node.handle);
    if (ends_a_write(event.kind)) writing.erase(event.node.handle);
    const Change change = standing.append(event, history.names);
    if (change.mutex == Standing::kNone) continue;
    // Its belief has ended by the same word as if it had been told to stop, and by the same cause as its life.
    if (Belief& of = beliefs[change.mutex]; event.kind == EventKind::kCrashed && of.ended_by == event.cause)
      of.given_back = of.given_back && of.last != change.contender;
    const std::size_t believers = standing.mutex(change.mutex).believers.size();
    Belief& of = beliefs[change.mutex];
    if (change.belief == Change::Belief::kBegan) {
      if (believers == 2) of.two_since = event.at();
      if (believers == 1 && of.free_since) {
        const double gap = ms(event.at() - *of.free_since);
        put(Measure::kGap, gap);
        if (!of.given_back || of.last == change.contender) continue;
        put(Measure::kHandoff, gap);
        if (!of.in_a_write) idle_handoffs_.push_back(gap);
      }
    } else if (change.belief == Change::Belief::kEnded) {
      if (believers == 1) put(Measure::kOverlap, ms(event.at() - of.two_since));
      if (believers > 0) continue;
      of.free_since = event.at();
      of.given_back = gives_back(event);
      of.in_a_write = writing.count(event.node.handle) > 0;
      of.last = change.contender;
      of.ended_by = event.cause;
    }
  }
  const double seconds = ms(history.now - TrueTime{}) / 1e3;
  put(Measure::kRequests, seconds > 0 ? static_cast<double>(calls) / seconds : 0);
}

std::string_view name_of(Measure what) {
  constexpr std::string_view kNames[] = {"hand-off", "gap", "overlap", "renewal round trip", "requests"};
  return kNames[static_cast<std::size_t>(what)];
}
std::string_view unit_of(Measure what) { return what == Measure::kRequests ? "/s" : "ms"; }

std::vector<Duration> round_trips_of(const History& history) {
  std::vector<Duration> out;
  RoundTrips trips;
  for (const Event& event : history.events)
    if (const std::optional<Duration> trip = trips.take(event)) out.push_back(*trip);
  return out;
}

Distribution one_way_of(const std::vector<Duration>& round_trips) {
  expect(!round_trips.empty(), "nothing was measured");
  std::vector<double> measured;
  measured.reserve(round_trips.size());
  for (const Duration each : round_trips) measured.push_back(static_cast<double>(each.count()));
  std::sort(measured.begin(), measured.end());
  const double usual_most = 2 * quantile(measured, 0.5);
  double usual = 0, count = 0;
  for (const double each : measured)
    if (each <= usual_most) usual += each, ++count;
  usual /= count;
  std::vector<Duration> ways;
  const auto add = [&](double way) { ways.push_back(std::max(Duration(1), Duration(std::llround(way)))); };
  for (const double each : measured) {
    // What took far longer than usual did so on one of its ways. The usual: two that are drawn apart vary less than one
    // and the same twice, hence wider by the root of two.
    const bool late = each > usual_most;
    const double way = usual / 2 + (each - usual) / std::sqrt(2.0);
    add(late ? each - usual / 2 : std::max(each / 4, way));
    add(late ? usual / 2 : std::max(each / 4, way));
  }
  return Distribution::empirical(std::move(ways), "");
}

Scenario calm(const Scenario& scenario) {
  Scenario out = scenario;
  for (FaultTable& fault : out.faults)
    fault.enabled = false;  // what carries its faults live is in between all the same
  const Duration lease = scenario.terms().lease();
  const auto add = [&](std::string_view kind, std::string_view target, Duration at) {
    FaultTable& fault = out.faults.emplace_back();
    fault.kind = kind;
    fault.target = target;
    fault.at = at;
  };
  // Each at a moment of its own: of those of one moment all might come as the owner writes.
  RandomStream draws(scenario.seed, "calm", "stops");
  for (Duration at = 3 * lease / 2; at < scenario.length(); at += 2 * lease) {
    add("stop", "owner", at + Duration(draws.below(static_cast<std::uint64_t>(lease.count() / 2))));
    add("start", "all", at + lease);
  }
  return out;
}

std::optional<Distribution> tells_after_of(Scenario scenario, std::vector<double> handoffs,
                                           const std::function<bool()>& goes_on) {
  constexpr std::size_t kPoints = 100;
  constexpr int kRounds = 8;
  constexpr std::size_t kEnough = 2'000;
  constexpr std::size_t kMostRuns = 2'000;  // a round, of a scenario that hardly hands over in virtual time
  if (handoffs.empty() || !legend_of(scenario).store.tells) return std::nullopt;
  std::sort(handoffs.begin(), handoffs.end());
  std::vector<Duration> later(kPoints);
  // What the hand-offs lack at each of their shares is added there; the ways beside vary too, so that it takes a few
  // rounds.
  for (int round = 0; round < kRounds; ++round) {
    FidelitySamples foretold;
    for (std::size_t run = 0; run < kMostRuns && foretold.idle_handoffs().size() < kEnough; ++run, ++scenario.seed) {
      if (!goes_on()) return std::nullopt;
      foretold.add_virtual(calm(scenario));
    }
    std::vector<double> virtual_ones = foretold.idle_handoffs();
    if (virtual_ones.empty()) return std::nullopt;
    std::sort(virtual_ones.begin(), virtual_ones.end());
    for (std::size_t i = 0; i < kPoints; ++i) {
      const double share = (static_cast<double>(i) + 0.5) / kPoints;
      const double lacks = 1e6 * (quantile(handoffs, share) - quantile(virtual_ones, share));
      later[i] = std::max(Duration::zero(), later[i] + Duration(std::llround(lacks)));
    }
    std::sort(later.begin(), later.end());
    scenario.store.tells_after = Distribution::empirical(later, "");
  }
  return scenario.store.tells_after;
}

}  // namespace leasescope
