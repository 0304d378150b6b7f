// Faults under any plan: what they took they give back, and none shifts the draws of another or of anybody else.
#include <map>
#include <vector>

#include <rapidcheck.h>

#include <fmt/format.h>

#include "simulator/engine/world.h"
#include "simulator/scenario/reader.h"
#include "tests/support/suite.h"

using namespace leasescope;

class FaultProperties : public QObject {
  Q_OBJECT
 private slots:
  void whateverOverlapsNothingIsLeftInTheEnd();
  void withoutOneFaultEveryOtherDrawIsTheSame();
};

namespace {

using namespace std::chrono_literals;

constexpr int kContenders = 4;
constexpr int kLastEnd = 30'000;  // ms: no fault lasts longer

std::string time(int from, int to) { return fmt::format("{}ms", *rc::gen::inRange(from, to)); }

std::string value_of(const FaultKey& key) {
  switch (key.type) {
    case FaultKeyType::kTime:
      return fmt::format("\"{}\"", time(key.least < 0 ? -3'000 : 1, 3'000));
    case FaultKeyType::kNumber:
      return fmt::format("{}", *rc::gen::inRange<std::int64_t>(key.least, key.most + 1));
    case FaultKeyType::kWord:
      return fmt::format("\"{}\"", *rc::gen::elementOf(key.words));
    case FaultKeyType::kContender:
      return fmt::format("\"c{}\"", *rc::gen::inRange(1, kContenders + 1));
  }
  return "";
}

// Kinds that hit contenders of any store.
std::vector<const FaultKind*> kinds() {
  std::vector<const FaultKind*> out;
  for (const FaultKind& kind : all_fault_kinds())
    if (kind.target == FaultTarget::kContender && kind.models.empty()) out.push_back(&kind);
  return out;
}

std::string fault() {
  static const std::vector<const FaultKind*> all = kinds();
  const FaultKind& kind = **rc::gen::elementOf(all);
  const int at = *rc::gen::inRange(1, kLastEnd - 1);
  const std::string target =
      *rc::gen::elementOf(std::vector<std::string>{"c1", "c2", "c3", "c4", "owner", "next", "waiters", "all"});
  std::string out = fmt::format("[[fault]]\nkind = \"{}\"\nat = \"{}ms\"\ntarget = \"{}\"\n", kind.name, at, target);
  if (kind.lasts) out += fmt::format("duration = \"{}ms\"\n", *rc::gen::inRange(0, kLastEnd - at));
  if (kind.during_compute && *rc::gen::inRange(0, 4) == 0) out += "during = \"compute\"\n";
  for (const FaultKey& key : kind.keys) out += fmt::format("{} = {}\n", key.name, value_of(key));
  return out;
}

Scenario any_scenario(int most_faults) {
  std::string toml = fmt::format(
      "schema = 1\ntitle = \"any\"\nseed = {}\nduration = \"100s\"\n"
      "[mutex]\nname = \"m\"\nttl = \"{}\"\ntransition = \"{}\"\n"
      "[store]\nlatency = {{ median = \"500us\", p99 = \"{}\" }}\nloss = 0.0{}\n"
      "[[contender]]\ncount = {}\nclock = {{ drift_ppm = {}, steady_ppm = {} }}\n",
      *rc::gen::inRange(0, 1'000'000), time(300, 6'000), time(0, 3'000), time(1, 60), *rc::gen::inRange(0, 10),
      kContenders, *rc::gen::inRange(-500, 501), *rc::gen::inRange(-500, 501));
  for (int faults = *rc::gen::inRange(1, most_faults); faults > 0; --faults) toml += fault();
  RC_LOG() << toml;
  auto scenario = read_scenario(toml, "any.toml");
  if (!scenario) RC_FAIL(scenario.error().text());
  return *scenario;
}

// The states a stream has been in, by whose it is and what for: as many as it was drawn from in different moments.
using Drawn = std::map<std::pair<std::string, std::uint64_t>, std::vector<RandomStream>>;

Drawn draws_of(const Scenario& scenario) {
  World world(scenario, make_facts(scenario));
  Drawn out;
  const auto look = [&] {
    world.visit_streams([&](Name whose, std::uint64_t purpose, const RandomStream& stream) {
      std::vector<RandomStream>& states = out[{std::string(world.names().text(whose)), purpose}];
      if (states.empty() || !(states.back() == stream)) states.push_back(stream);
    });
  };
  look();
  while (world.step(TrueTime{} + 40s)) look();
  return out;
}

}  // namespace

void FaultProperties::whateverOverlapsNothingIsLeftInTheEnd() {
  QVERIFY(rc::check("after the last end every contender is as if nothing had been", [] {
    const Scenario scenario = any_scenario(25);
    World world(scenario, make_facts(scenario));
    while (world.step(TrueTime{} + 60s)) {
    }
    bool began_late = false;  // what waited for an owner may last beyond
    for (NodeIndex node = 0; node < kContenders; ++node) began_late = began_late || !world.undisturbed(node);
    if (began_late) {
      while (world.step(TrueTime{} + scenario.length())) {
      }
    }
    for (NodeIndex node = 0; node < kContenders; ++node) RC_ASSERT(world.undisturbed(node));
  }));
}

void FaultProperties::withoutOneFaultEveryOtherDrawIsTheSame() {
  QVERIFY(rc::check("streams of a run with and without one fault, as far as both have drawn", [] {
    Scenario scenario = any_scenario(12);
    const Drawn with = draws_of(scenario);
    const auto gone = *rc::gen::inRange<std::size_t>(0, scenario.faults.size());
    if (*rc::gen::arbitrary<bool>()) {
      scenario.faults[gone].enabled = false;
    } else {
      scenario.faults.erase(scenario.faults.begin() + static_cast<std::ptrdiff_t>(gone));
    }
    const Drawn without = draws_of(scenario);
    std::size_t compared = 0;
    for (const auto& [whose, states] : without) {
      const auto other = with.find(whose);
      if (other == with.end()) continue;
      const std::size_t both = std::min(states.size(), other->second.size());
      for (std::size_t i = 0; i < both; ++i) RC_ASSERT(states[i] == other->second[i]);
      compared += both;
    }
    RC_ASSERT(compared > 0u);
  }));
}

LEASESCOPE_SUITE(FaultProperties)
#include "faults_test.moc"
