// Distances between distributions, worked by hand, and what is measured of a run.
#include <numeric>

#include "simulator/run/fidelity.h"
#include "simulator/scenario/catalogue.h"
#include "tests/support/suite.h"

using namespace leasescope;
using Measure = FidelitySamples::Measure;
using std::chrono::milliseconds;

namespace {

FidelitySamples samples_of(const char* name, int seeds) {
  FidelitySamples out;
  Scenario scenario = *find_scenario(name);
  for (int seed = 1; seed <= seeds; ++seed) {
    scenario.seed = static_cast<std::uint64_t>(seed);
    out.add_virtual(scenario);
  }
  return out;
}

Scenario short_pause() { return *find_scenario("gc-pause", {"mutex.ttl=1s", "mutex.transition=500ms", "duration=9s"}); }

}  // namespace

class FidelityTest : public QObject {
  Q_OBJECT

 private slots:
  void theDistanceIsTheMostThatTwoSharesDiffer() {
    QCOMPARE(kolmogorov_smirnov({1, 2, 3}, {3, 1, 2}), 0.0);
    QCOMPARE(kolmogorov_smirnov({1, 2}, {3, 4, 5}), 1.0);
    QCOMPARE(kolmogorov_smirnov({1, 2, 3, 4}, {3, 4, 5, 6}), 0.5);
    QCOMPARE(kolmogorov_smirnov({1, 1, 1, 2}, {1, 2, 2, 2}), 0.5);  // equal values count together
    QCOMPARE(kolmogorov_smirnov({5}, {1, 9}), 0.5);
    QCOMPARE(kolmogorov_smirnov({1, 9}, {5}), 0.5);
  }
  void aQuantileIsTheShortestThatTheShareIsNotAbove() {
    std::vector<double> hundred(100);
    std::iota(hundred.begin(), hundred.end(), 1);
    QCOMPARE(quantile(hundred, 0.05), 5.0);
    QCOMPARE(quantile(hundred, 0.5), 50.0);
    QCOMPARE(quantile(hundred, 0.99), 99.0);
    QCOMPARE(quantile({7}, 0.01), 7.0);
  }
  void twoWaysAreDistributedAsARoundTrip() {
    RandomStream draws(3, "round", "trips");
    // One in ten takes long.
    std::vector<double> trips, twice;
    std::vector<Duration> measured;
    for (int i = 0; i < 4000; ++i) {
      measured.push_back(std::chrono::microseconds(200 + draws.below(200) + (draws.below(10) == 0 ? 2000 : 0)));
      trips.push_back(static_cast<double>(measured.back().count()));
    }
    const Distribution way = one_way_of(measured);
    for (int i = 0; i < 20'000; ++i)
      twice.push_back(static_cast<double>((way.sample(draws) + way.sample(draws)).count()));
    const double apart = kolmogorov_smirnov(trips, twice);
    QVERIFY2(apart < 0.1, std::to_string(apart).c_str());
  }
  void aStoreThatTellsLaterIsFoundOutByItsHandOffs() {
    Scenario live = short_pause();
    live.store.tells_after = Distribution::log_normal(std::chrono::milliseconds(4), std::chrono::milliseconds(12));
    FidelitySamples measured, foretold;
    for (live.seed = 1; live.seed <= 200; ++live.seed) measured.add_virtual(calm(live));
    Scenario fitted = live;
    std::size_t runs = 0;
    fitted.store.tells_after.reset();
    fitted.store.tells_after = tells_after_of(fitted, measured.idle_handoffs(), [&] { return ++runs > 0; });
    QVERIFY(fitted.store.tells_after.has_value() && runs > 1000);
    for (fitted.seed = 1001; fitted.seed <= 1400; ++fitted.seed) foretold.add_virtual(calm(fitted));
    const double apart = kolmogorov_smirnov(measured.idle_handoffs(), foretold.idle_handoffs());
    QVERIFY2(apart < 0.08, std::to_string(apart).c_str());
    QCOMPARE(tells_after_of(fitted, {}, [] { return true; }), std::nullopt);
    QCOMPARE(tells_after_of(fitted, {5.0}, [] { return false; }), std::nullopt);
  }
  void aCalmRunHandsOverAgainAndAgain() {
    FidelitySamples samples;
    samples.add_virtual(calm(short_pause()));
    QCOMPARE(samples.of(Measure::kHandoff).size(), std::size_t{3});
    QVERIFY(samples.of(Measure::kOverlap).empty());
  }
  void whoIsStoppedAsItWritesGivesBackLater() {
    FidelitySamples samples;
    Scenario of = short_pause();
    for (of.seed = 1; of.seed <= 200; ++of.seed) samples.add_virtual(calm(of));
    const std::size_t all = samples.of(Measure::kHandoff).size(), idle = samples.idle_handoffs().size();
    QVERIFY2(idle < all && idle > all / 2, std::to_string(idle).c_str());
    QVERIFY(*std::max_element(samples.idle_handoffs().begin(), samples.idle_handoffs().end()) < 20);
    QVERIFY(*std::max_element(samples.of(Measure::kHandoff).begin(), samples.of(Measure::kHandoff).end()) >= 20);
  }
  void ofAPauseBothTheOverlapAndTheHandOffAreMeasured() {
    const FidelitySamples samples = samples_of("gc-pause", 20);
    QCOMPARE(samples.runs(), std::size_t{20});
    // The pause is a lease and two seconds; its lease had begun by then.
    QVERIFY(samples.of(Measure::kOverlap).size() >= 10);
    for (const double overlap : samples.of(Measure::kOverlap)) QVERIFY(overlap > 0 && overlap < 9000);
    QVERIFY(!samples.of(Measure::kHandoff).empty());
    // The owner that is stopped gives it back, and who waits is told: three ways of some milliseconds at most.
    QVERIFY(*std::min_element(samples.of(Measure::kHandoff).begin(), samples.of(Measure::kHandoff).end()) < 20);
    for (const double trip : samples.of(Measure::kRoundTrip))
      QVERIFY2(trip > 0.1 && trip < 20, std::to_string(trip).c_str());
  }
  void whoCrashesHasGivenNothingBack() {
    const FidelitySamples samples = samples_of("stop-and-take-over", 20);
    QCOMPARE(samples.of(Measure::kGap).size(), std::size_t{40});
    QCOMPARE(samples.of(Measure::kHandoff).size(), std::size_t{20});  // the other half are take-overs
    for (const double handoff : samples.of(Measure::kHandoff)) QVERIFY(handoff < 20);
  }
  // A latch renews nothing: what goes to and fro are signs of life.
  void ofALatchTheSignsOfLifeAreTimedAndCounted() {
    FidelitySamples samples;
    Scenario of = *find_scenario("latch-stop-and-take-over", {"mutex.ttl=1s", "duration=9s"});
    for (of.seed = 1; of.seed <= 20; ++of.seed) samples.add_virtual(of);
    QCOMPARE(samples.of(Measure::kHandoff).size(), std::size_t{20});
    QCOMPARE(samples.of(Measure::kGap).size(), std::size_t{40});
    // Three a second of each contender that is there: all three for 1.7 s, two, and after 2.9 s the last.
    for (const double trip : samples.of(Measure::kRoundTrip))
      QVERIFY2(trip > 0.1 && trip < 20, std::to_string(trip).c_str());
    const auto trips = static_cast<double>(samples.of(Measure::kRoundTrip).size()) / 20;
    QVERIFY2(trips > 30 && trips < 45, std::to_string(trips).c_str());
    for (const double rate : samples.of(Measure::kRequests))
      QVERIFY2(rate > 4 && rate < 6, std::to_string(rate).c_str());
  }
  // The server ends its session while nobody leads: how long that takes hangs on its last sign of life, and on the
  // ticks.
  void aSessionOfWhoIsCutOffEndsAtATick() {
    const auto gaps = [](const char* drawn) {
      FidelitySamples samples;
      Scenario of =
          *find_scenario("latch-owner-partition", {"mutex.ttl=1s", "duration=9s", "store.zookeeper.tick=250ms",
                                                   std::string("store.zookeeper.drawn_ticks=") + drawn});
      for (of.seed = 1; of.seed <= 200; ++of.seed) samples.add_virtual(of);
      return samples.of(Measure::kGap);
    };
    const auto wide = [](const std::vector<double>& of) {
      return *std::max_element(of.begin(), of.end()) - *std::min_element(of.begin(), of.end());
    };
    QVERIFY2(wide(gaps("false")) < 100, std::to_string(wide(gaps("false"))).c_str());
    QVERIFY2(wide(gaps("true")) > 200, std::to_string(wide(gaps("true"))).c_str());
  }
  void oneCallThatRenewsALeadAndItsSessionIsTimedOnce() {
    History history;
    const auto add = [&](EventKind kind, std::uint32_t who, int from, int to) {
      Event event;
      event.kind = kind;
      event.node = Name{who};
      event.lo = TrueTime{} + milliseconds(from);
      event.hi = TrueTime{} + milliseconds(to);
      history.events.push_back(event);
    };
    add(EventKind::kSessionRenewed, 1, 0, 2);
    add(EventKind::kRenewed, 1, 0, 2);
    add(EventKind::kSessionRenewed, 2, 0, 2);
    add(EventKind::kRenewed, 1, 5, 8);
    add(EventKind::kRenewed, 1, 9, 9);  // a model's, at one moment
    QCOMPARE(round_trips_of(history), (std::vector<Duration>{milliseconds(2), milliseconds(2), milliseconds(3)}));
  }
  void whereNothingGoesWrongNothingIsBetweenTwoOwners() {
    const FidelitySamples samples = samples_of("healthy", 5);
    QVERIFY(samples.of(Measure::kGap).empty());
    QVERIFY(samples.of(Measure::kOverlap).empty());
    QVERIFY(samples.of(Measure::kRoundTrip).size() > 20);
    for (const double rate : samples.of(Measure::kRequests)) QVERIFY(rate > 0.1 && rate < 10);
  }
};

LEASESCOPE_SUITE(FidelityTest)
#include "fidelity_test.moc"
