// What the catalogue says of where it happens, as far as virtual time can tell.
#include "simulator/live/live_refusal.h"

#include "core/store/types/types.h"
#include "simulator/run/virtual_run.h"
#include "simulator/scenario/catalogue.h"
#include "tests/support/suite.h"

using namespace leasescope;

namespace {

bool happens_on(const Scenario& scenario, const StoreType& type) {
  const std::vector<std::string> worlds = worlds_of(scenario);
  return std::find(worlds.begin(), worlds.end(), fmt::format("live:{}", type.name())) != worlds.end();
}

// The same in a world in which no message ever arrives.
Scenario without_messages(Scenario scenario) {
  FaultTable& silence = scenario.faults.emplace_back();
  silence.kind = "lost_notification";
  silence.target = "all";
  silence.duration = scenario.duration;
  return scenario;
}

}  // namespace

class LiveRefusalTest : public QObject {
  Q_OBJECT
 private slots:
  void whatIsPromisedOfAStoreThatTellsNobodyHappensWithoutMessages() {
    int looked_at = 0;
    for (const StoreType* type : store_types()) {
      if (type->tells) continue;
      for (const BuiltIn& built_in : built_in_scenarios()) {
        const std::string& name = built_in.name;
        const Scenario scenario = find_scenario(name).value();
        if (is_canary(name) || !happens_on(scenario, *type)) continue;
        ++looked_at;
        Scenario silent = without_messages(scenario);
        constexpr std::uint64_t kSeeds = 40;
        std::uint64_t good = 0;
        for (silent.seed = 1; silent.seed <= kSeeds; ++silent.seed) {
          VirtualRun run(silent);
          run.advance(TrueTime::max());
          good += run.outcome().as_expected == true;
        }
        QVERIFY2(good == kSeeds, fmt::format("{} on {}: {} of {} seeds as expected. Does it need messages?", name,
                                             type->name(), good, kSeeds)
                                     .c_str());
      }
    }
    QVERIFY(looked_at >= 10);
  }
};

LEASESCOPE_SUITE(LiveRefusalTest)
#include "live_refusal_test.moc"
