#include "simulator/campaign/swarm.h"

#include <algorithm>
#include <functional>
#include <iterator>

#include <fmt/format.h>

#include "simulator/campaign/dice.h"
#include "simulator/campaign/swarm_plan.h"
#include "simulator/scenario/scenario_text.h"

namespace leasescope {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

// Beyond this, clocks of their own accord would use up the margin of the watchdog (1 % of the lease); faults may.
constexpr std::int64_t kMostDrift = 2'000;  // ppm

Duration whole_ms(Duration d) { return std::chrono::floor<milliseconds>(d); }

// A one-way delay of any shape whose longest is at most `longest`.
Distribution draw_delays(Dice dice, Duration longest) {
  switch (dice.place(4)) {
    case 0:
      return Distribution::constant(dice.magnitude(20us, longest));
    case 1: {
      const Duration to = dice.magnitude(50us, longest);
      return Distribution::uniform(dice.time(0us, to), to);
    }
    case 2:
      return Distribution::exponential(dice.magnitude(10us, longest / 8));
    default: {
      const Duration p99 = dice.magnitude(50us, longest / 6);
      return Distribution::log_normal(dice.magnitude(p99 / 20, p99), p99);
    }
  }
}

// What the terms were drawn for; no contender of a healthy fleet is further away.
Duration most_of_one_way(const Scenario& of) { return std::max<Duration>(of.store.latency.longest(), 50us); }

ClockTable draw_clock(Dice dice) {
  ClockTable clock;
  if (dice.percent(40)) return clock;
  if (dice.coin()) clock.offset = dice.either_way(11ms, 288s);
  if (dice.coin()) clock.drift_ppm = dice.ppm(kMostDrift);
  if (dice.coin()) clock.steady_ppm = dice.ppm(kMostDrift);
  return clock;
}

// What a healthy lease needs (a renewal, with its way there and back and all the drift, fits into the transition) is
// kept to, since the swarm demands that whoever is not disturbed keeps what it holds. `--set` may go beyond.
void draw_terms(std::uint64_t seed, Scenario& out) {
  Dice dice(seed, "swarm", "terms");
  LeaseTerms& terms = out.mutex.terms;
  terms.ttl = whole_ms(dice.magnitude(200ms, 30s));
  out.store.latency = draw_delays(Dice(seed, "swarm", "latency"), terms.ttl / 40);
  const Duration ways = 5 * longest_way(out);
  const Duration least = ways + terms.ttl / 40 + 5ms;
  terms.transition = whole_ms(dice.magnitude(least, std::max<Duration>(least, terms.ttl + terms.ttl / 2)));
  out.store.timeout = whole_ms(dice.magnitude(ways, ways + 2 * terms.lease())) + 1ms;
  if (dice.percent(15)) {
    terms.jitter = {0ms, 0ms};
  } else if (dice.coin()) {
    terms.jitter.max = whole_ms(dice.magnitude(1ms, terms.ttl));
    terms.jitter.min = -whole_ms(dice.time(0ms, terms.jitter.max));
  }
  if (dice.percent(20)) out.mutex.initial_delay = dice.magnitude(1ms, terms.ttl);
}

void draw_store(std::uint64_t seed, Scenario& out) {
  Dice dice(seed, "swarm", "store");
  if (dice.percent(30)) out.store.model = "sql";
  out.store.redis().persistence = out.store.model != "redis" || dice.percent(70);
  out.store.redis().replica = out.store.model == "redis" && dice.coin();
  if (out.store.redis().replica) out.store.redis().replication_lag = dice.magnitude(10us, 1s);
  // Not the statements that break by themselves; `--set store.sql.now=transaction` shows them.
  if (out.store.model == "sql") out.store.sql().pool = static_cast<int>(dice.magnitude(1, 10));
  if (dice.percent(40)) out.store.loss_ppm = static_cast<std::uint32_t>(dice.magnitude(100, 30'000));
  if (dice.coin()) out.store.clock.offset = dice.either_way(11ms, 288s);
  // Never fast: leases would be shorter than promised, which takes a fault (`may_break = "grant"`).
  if (dice.percent(40)) out.store.clock.drift_ppm = -static_cast<std::int32_t>(dice.magnitude(1, kMostDrift));
}

// From a stream of its own: what else a seed draws is as it was.
void draw_wake_up(std::uint64_t seed, Scenario& out) {
  if (out.store.model != "redis") return;
  const std::int64_t mode = Dice(seed, "swarm", "wake up").number(1, 100);
  if (mode <= 30) out.mutex.wake_up = mode <= 22 ? WakeUp::kHandOver : WakeUp::kQueue;
}

void draw_contenders(std::uint64_t seed, Scenario& out) {
  Dice dice(seed, "swarm", "fleet");
  out.mutex.count = dice.percent(70) ? 1 : static_cast<int>(dice.number(2, 4));
  const std::int64_t each = dice.magnitude(1, 6), more = dice.number(0, 2);
  const std::int64_t fleet = std::min<std::int64_t>(12, out.mutex.count * each + more);
  for (std::int64_t i = 1; i <= fleet; ++i) {
    ContenderTable contender;
    contender.name = fmt::format("c{}", i);
    Dice own(seed, contender.name, "contender");
    contender.clock = draw_clock(Dice(seed, contender.name, "clock"));
    if (own.coin()) contender.start = own.time(0ms, out.terms().lease());
    if (own.percent(30)) contender.callback = own.magnitude(1ms, out.terms().ttl);
    if (own.percent(15)) contender.latency = draw_delays(Dice(seed, contender.name, "latency"), most_of_one_way(out));
    out.contenders.push_back(contender);
  }
}

void draw_resources(std::uint64_t seed, Scenario& out) {
  Dice dice(seed, "swarm", "resources");
  const Duration ttl = out.terms().ttl;
  const bool fencing = dice.percent(88), tokenless = dice.percent(25);
  for (int i = dice.percent(75) ? 1 : 2; i > 0; --i) {
    ResourceTable resource;
    resource.name = std::string(i == 1 ? "ledger" : "archive");
    resource.work.write_every = dice.magnitude(std::max<Duration>(10ms, ttl / 20), 2 * ttl);
    resource.work.compute = dice.magnitude(100us, ttl);
    resource.fencing = fencing;
    resource.accepts_tokenless = tokenless;
    resource.latency = draw_delays(Dice(seed, resource.name, "latency"), ttl / 2);
    out.resources.push_back(resource);
  }
}

// Draws what terms describe, each for itself and every second one: times up to `longest`, numbers from their least on,
// words that are not weak. Truths and shares keep their defaults.
struct TermsDice {
  Dice dice;
  Duration longest;
  std::vector<std::function<void(void*)>> drawn{};

  template <class Terms, class Value, class... While>
  void number(std::string_view, Value Terms::*place, std::int64_t least, std::int64_t most, std::string_view,
              While...) {
    constexpr std::int64_t kFew = 8;
    set(place, static_cast<Value>(dice.number(least, std::min(most, least + kFew))));
  }
  template <class... What>
  void truth(What&&...) {}
  template <class... What>
  void share(What&&...) {}
  template <class Terms, class Value, class... While>
  void word(std::string_view, Value Terms::*place, const Words<Value>& words, std::string_view, While...) {
    Words<Value> safe;
    std::copy_if(words.begin(), words.end(), std::back_inserter(safe), [](const auto& word) { return !word.weak; });
    set(place, safe[dice.place(safe.size())].value);
  }
  template <class Terms, class... While>
  void span(std::string_view, Duration Terms::*place, Duration least, std::string_view, While...) {
    set(place, dice.magnitude(std::max<Duration>(least, longest / 40), longest));
  }

  template <class Terms>
  static void draw(const Dice& dice, Duration longest, Terms& terms) {
    TermsDice keys{dice, longest};
    Terms::describe(keys);
    for (const auto& put : keys.drawn) put(&terms);
  }

  template <class Terms, class Value>
  void set(Value Terms::*place, Value value) {
    if (dice.coin()) drawn.emplace_back([place, value](void* of) { static_cast<Terms*>(of)->*place = value; });
  }
};

// Of a system other than leases: no transition, no jitter, the model that answers it, and what it says for itself.
void draw_system(std::uint64_t seed, const std::string& system, Scenario& out) {
  out.mutex.system = system;
  if (out.family() == Family::kLease) return;
  out.mutex.terms.transition = 0ms;
  out.mutex.terms.jitter = {0ms, 0ms};
  out.mutex.initial_delay = 0ms;
  out.mutex.wake_up = WakeUp::kBroadcast;
  out.store.model = std::string(models_for(out.family()).front());
  const Duration ttl = out.terms().ttl;
  each_model([&]<class Terms>(std::type_identity<Terms>) {
    if (Terms::kName == out.store.model)
      TermsDice::draw(Dice(seed, system, "model"), ttl / 2, std::get<Terms>(out.store.terms));
  });
  visit_system(system, [&]<class Terms>(std::type_identity<Terms>) {
    TermsDice::draw(Dice(seed, system, "system"), ttl / 2, std::get<Terms>(out.system));
    for (ContenderTable& contender : out.contenders)
      TermsDice::draw(Dice(seed, contender.name, "plan"), 2 * ttl, std::get<typename Terms::Plan>(contender.plan));
  });
}

}  // namespace

Duration longest_way(const Scenario& scenario) {
  Duration longest = scenario.store.latency.longest();
  for (const ContenderTable& contender : scenario.contenders)
    if (contender.latency) longest = std::max(longest, contender.latency->longest());
  return longest;
}

tl::expected<Scenario, InputError> draw_swarm(std::uint64_t seed, const SwarmOptions& options) {
  Scenario out;
  out.name = fmt::format("swarm-{}", seed);
  out.title = fmt::format("Swarm, seed {}", seed);
  out.seed = seed;
  out.mutex.name = std::string("m");
  draw_terms(seed, out);
  draw_store(seed, out);
  draw_wake_up(seed, out);
  draw_contenders(seed, out);
  draw_resources(seed, out);
  draw_system(seed, options.system, out);
  Dice dice(seed, "swarm", "length");
  const Duration heal = whole_ms(dice.magnitude(6 * out.terms().lease(), 40 * out.terms().lease()));
  out.heal = TimeExpression(heal);
  out.duration = TimeExpression(heal + 4 * out.terms().lease());  // a run by the swarm ends when it has seen enough
  draw_plan(seed, options.without, out);
  if (options.sets.empty()) return out;
  auto changed = read_scenario(scenario_text(out), fmt::format("{}.toml", out.name), options.sets);
  if (changed)
    for (FaultTable& fault : changed->faults) fault.line = 0;
  return changed;
}

}  // namespace leasescope
