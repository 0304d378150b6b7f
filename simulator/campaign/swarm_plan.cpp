#include "simulator/campaign/swarm_plan.h"

#include <algorithm>

#include <fmt/format.h>

#include "simulator/campaign/dice.h"
#include "simulator/campaign/swarm.h"

namespace leasescope {
namespace {

using namespace std::chrono_literals;

// What all kinds of one seed share, so that seeds differ in kind: some are calm, some are wild.
struct Weather {
  std::uint32_t share_on = 0;     // of the kinds, in percent
  std::int64_t most = 0;          // faults of one kind
  std::vector<Duration> moments;  // around which some of them gather
  Duration heal{};
};

Weather draw_weather(std::uint64_t seed, Duration heal) {
  Dice dice(seed, "swarm", "weather");
  constexpr std::uint32_t kShares[] = {0, 8, 15, 30, 50, 80};
  Weather out;
  out.heal = heal;
  out.share_on = kShares[dice.place(std::size(kShares))];
  out.most = dice.magnitude(1, 16);
  for (std::int64_t i = dice.number(1, 4); i > 0; --i) out.moments.push_back(dice.time(0ms, heal));
  return out;
}

// Anywhere; or near one of the seed's moments; or near the end of a ttl or of a lease, where protocols have their
// edges.
Duration draw_time(Dice& dice, const Weather& weather, const LeaseTerms& terms) {
  Duration at = dice.time(0ms, weather.heal);
  switch (dice.place(4)) {
    case 0:
      // One after the other: in one expression every compiler has an order of its own.
      at = weather.moments[dice.place(weather.moments.size())];
      at += dice.either_way(1ms, terms.lease());
      break;
    case 1: {
      const Duration measure = dice.coin() ? terms.ttl : terms.lease();
      at = at / measure * measure + dice.either_way(100us, terms.ttl / 4);
      break;
    }
    default:
      break;
  }
  return std::clamp<Duration>(at, 0ms, weather.heal - 1ms);
}

std::string draw_target(Dice& dice, const FaultKind& kind, const std::vector<std::string>& names) {
  if (kind.target == FaultTarget::kStore) return "store";
  if (kind.target == FaultTarget::kReplica) return "replica";
  if (kind.of_resource && dice.percent(25)) return "resource";
  const std::string& name = names[dice.place(names.size())];
  const std::int64_t role = dice.number(1, 100);
  if (role <= 40) return "owner";
  if (role <= 50) return "next";
  if (role <= 58) return "waiters";
  if (role <= 64) return "all";
  return name;
}

void draw_keys(Dice& dice, const FaultKind& kind, const std::vector<std::string>& names, Duration lease,
               FaultTable& out) {
  for (const FaultKey& key : kind.keys) {
    const std::string name(key.name);
    switch (key.type) {
      case FaultKeyType::kTime:
        out.times[name] = key.draw.draws() ? TimeExpression(Duration(dice.sample(key.draw, lease))) : TimeExpression();
        break;
      case FaultKeyType::kNumber:
        out.numbers[name] = key.draw.draws() ? std::clamp(dice.sample(key.draw, lease), key.least, key.most)
                            : key.required   ? dice.number(key.least, key.most)
                                             : 0;
        break;
      case FaultKeyType::kWord:
        out.words[name] = std::string(key.words[dice.place(key.words.size())]);
        break;
      case FaultKeyType::kContender:
        out.words[name] = names[dice.place(names.size())];
        break;
    }
  }
}

FaultTable draw_fault(Dice dice, const FaultKind& kind, const Weather& weather, const Scenario& of) {
  FaultTable out;
  const std::vector<std::string> names = of.contender_names();
  const Duration at = draw_time(dice, weather, of.terms());
  out.at = TimeExpression(at);
  out.kind = std::string(kind.name);
  out.target = draw_target(dice, kind, names);
  if (kind.lasts) {
    const Duration lasting(std::max<std::int64_t>(1, dice.sample(kind.lasting, of.terms().lease())));
    out.duration = TimeExpression(std::min(lasting, weather.heal - at));
  }
  out.during_compute = kind.during_compute && dice.coin();
  draw_keys(dice, kind, names, of.terms().lease(), out);
  return out;
}

// A while later, unless only the end of all faults takes it back. Who was hit as "owner" is known to nobody here: all
// are started, and those that run refuse.
void draw_undoing(Dice dice, const FaultKind& kind, const FaultTable& done, const Weather& weather, Scenario& out) {
  if (kind.undone_by.empty() || dice.percent(25)) return;
  const Duration at = done.at.fixed + dice.magnitude(1ms, 3 * out.terms().lease());
  if (at >= weather.heal) return;
  const std::vector<std::string> names = out.contender_names();
  FaultTable undo;
  undo.at = TimeExpression(at);
  undo.kind = std::string(kind.undone_by);
  undo.target = std::find(names.begin(), names.end(), done.target) != names.end() ? done.target : "all";
  out.faults.push_back(undo);
}

bool is_on(std::uint64_t seed, const FaultKind& kind, const Weather& weather, const Scenario& of) {
  return is_drawn(kind) && can_have(of.store, kind) && Dice(seed, kind.name, "on").percent(weather.share_on);
}

// Twice, because a contender that is still stopping the first time refuses to start.
void add_healing(Duration heal, Scenario& out) {
  Duration callback{};
  for (const ContenderTable& contender : out.contenders) callback = std::max(callback, contender.callback);
  const Duration settled = heal + out.store.timeout + callback + 4 * longest_way(out) + 1ms;
  for (const Duration at : {heal, settled}) {
    std::vector<std::string> added;
    for (const FaultKind& kind : all_fault_kinds()) {
      const std::string undoing(kind.undone_by);
      if (undoing.empty() || std::find(added.begin(), added.end(), undoing) != added.end()) continue;
      added.push_back(undoing);
      FaultTable row;
      row.at = TimeExpression(at);
      row.kind = undoing;
      row.target = "all";
      out.faults.push_back(row);
    }
  }
}

}  // namespace

bool is_drawn(const FaultKind& kind) {
  const std::vector<FaultKind>& all = all_fault_kinds();
  return std::none_of(all.begin(), all.end(), [&](const FaultKind& other) { return other.undone_by == kind.name; });
}

bool heals(const FaultTable& fault, const Scenario& scenario) {
  return scenario.heal && fault.at.under(scenario.terms()) >= scenario.heal->under(scenario.terms());
}

void draw_plan(std::uint64_t seed, const std::vector<std::string>& without, Scenario& out) {
  const Duration heal = out.heal->under(out.terms());
  const Weather weather = draw_weather(seed, heal);
  for (const FaultKind& kind : all_fault_kinds()) {
    if (std::find(without.begin(), without.end(), kind.name) != without.end()) continue;
    if (!is_on(seed, kind, weather, out)) continue;
    const std::int64_t count = Dice(seed, kind.name, "count").magnitude(1, weather.most);
    for (std::int64_t i = 1; i <= count; ++i) {
      const FaultTable fault = draw_fault(Dice(seed, kind.name, fmt::format("fault {}", i)), kind, weather, out);
      out.faults.push_back(fault);
      draw_undoing(Dice(seed, kind.name, fmt::format("undoing {}", i)), kind, fault, weather, out);
    }
  }
  std::stable_sort(out.faults.begin(), out.faults.end(),
                   [](const FaultTable& a, const FaultTable& b) { return a.at.fixed < b.at.fixed; });
  add_healing(heal, out);
}

}  // namespace leasescope
