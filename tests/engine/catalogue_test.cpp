// Every built-in scenario comes out as it says, on 1 000 seeds, at three ttls, with and without fencing.
#include <array>
#include <future>

#include <fmt/format.h>

#include "tests/engine/judged.h"
#include "tests/support/catalogue_rows.h"
#include "tests/support/places.h"
#include "tests/support/seeds.h"
#include "tests/support/suite.h"

#include <QDir>

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr int kSeeds = kSanitized ? 8 : 1000;

struct Judged {
  QString wrong;  // the first that is; empty: none
  Shares shares;
};

// Every seed, on two threads.
Judged judged_at_once(const Scenario& scenario) {
  constexpr int kThreads = 2;
  std::array<std::future<Judged>, kThreads> parts;
  for (int first = 1; first <= kThreads; ++first)
    parts[static_cast<std::size_t>(first - 1)] = std::async(std::launch::async, [of = scenario, first]() mutable {
      Judged out;
      for (int seed = first; seed <= kSeeds && out.wrong.isEmpty(); seed += kThreads)
        out.wrong = judge_seed(of, static_cast<std::uint64_t>(seed), out.shares);
      return out;
    });
  Judged all;
  for (auto& part : parts) {
    const Judged judged = part.get();
    if (all.wrong.isEmpty()) all.wrong = judged.wrong;
    for (const auto& [field, held] : judged.shares) all.shares[field] += held;
  }
  return all;
}

}  // namespace

class CatalogueTest : public QObject {
  Q_OBJECT
 private slots:
  void everyScenarioComesOutAsItSaysOnAThousandSeeds_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("ttl");
    QTest::addColumn<bool>("fencing");
    for (const BuiltIn& built_in : built_in_scenarios()) {
      if (is_canary(built_in.name)) continue;  // tests/engine/campaign_test.cpp
      for (const char* ttl : {"1s", "5s", "30s"})
        for (const bool fencing : {true, false})
          QTest::newRow(fmt::format("{} ttl {}{}", built_in.name, ttl, fencing ? "" : " unfenced").c_str())
              << QString::fromStdString(built_in.name) << QString(ttl) << fencing;
    }
  }
  void everyScenarioComesOutAsItSaysOnAThousandSeeds() {
    QFETCH(QString, name);
    QFETCH(QString, ttl);
    QFETCH(bool, fencing);
    const Scenario of = scenario(name.toStdString(), {"mutex.ttl=" + ttl.toStdString(), fencing_is(fencing)});
    const Judged all = judged_at_once(of);
    QVERIFY2(all.wrong.isEmpty(), qPrintable(all.wrong));
    const Expectations wanted = wanted_of(of);
    if (kSanitized) return;  // of so few seeds a share says nothing
    for (const auto& [field, held] : all.shares)
      QVERIFY2(held >= *wanted.fields.at(field).share * kSeeds,
               qPrintable(QString("%1 held in %2 seeds").arg(QString::fromStdString(field)).arg(held)));
  }

  // What is missing from the folder would be missing from every other test as well.
  void noScenarioIsLost() {
    const QDir folder(QString(kSourceFolder) + QStringLiteral("/resources/scenarios"));
    QCOMPARE(built_in_scenarios().size(), static_cast<std::size_t>(folder.entryList({"*.toml"}).size()));
    QVERIFY(built_in_scenarios().size() >= 43);
  }

  // Nobody who has just seen a failure is told that nobody needs to look.
  void everyScenarioButTheHealthyOnesEndsInAnIncident_data() { every_scenario_fenced_and_unfenced(); }
  void everyScenarioButTheHealthyOnesEndsInAnIncident() {
    QFETCH(QString, name);
    QFETCH(bool, fencing);
    const auto run = finished(scenario(name.toStdString(), {fencing_is(fencing)}));
    QCOMPARE(run->history().incidents.begin() == run->history().incidents.end(), name.endsWith("healthy"));
  }

  // What "as expected" rests on: without the fault, the same scenario does not show the outcome.
  void withoutItsPauseGcPauseShowsNoOverlap() {
    Scenario of = scenario("gc-pause");
    of.faults.erase(of.faults.begin());
    const auto run = finished(of);
    QCOMPARE(run->history().summary.belief_overlap.count(), 0);
    QCOMPARE(run->outcome().as_expected, std::optional<bool>(false));
  }
  void aHeardNotificationMakesTheHandOffAMatterOfMilliseconds() {
    Scenario of = scenario("lost-notification");
    const Duration lost = finished(of)->history().summary.leaderless;
    of.faults.front().enabled = false;
    const Duration heard = finished(of)->history().summary.leaderless;
    QVERIFY(lost > std::chrono::milliseconds(500));
    QVERIFY(heard < std::chrono::milliseconds(20));
  }
  // A store that tells nobody of a release is slow by its nature, not by accident.
  void whereNobodyIsToldOfAReleaseALateHandOverIsNoIncident() {
    Scenario of = scenario("lost-notification", {"store.model=sql", "store.sql.statement=update"});
    of.faults.front().enabled = false;
    const auto run = finished(of);
    QVERIFY(run->history().summary.leaderless > std::chrono::milliseconds(500));
    const IncidentList& incidents = run->history().incidents;
    QVERIFY(std::none_of(incidents.begin(), incidents.end(),
                         [](const Incident& each) { return each.kind == IncidentKind::kLateHandover; }));
  }
  // What is late is measured by the way as it is: that of the contenders, and from a fork on the changed one.
  void aHandOverOverASlowWayIsNotLate() {
    const auto late = [](const IncidentList& incidents) {
      return std::count_if(incidents.begin(), incidents.end(),
                           [](const Incident& each) { return each.kind == IncidentKind::kLateHandover; });
    };
    Scenario own = scenario("lost-notification", {"contender.0.latency=200ms"});
    own.faults.front().enabled = false;
    QCOMPARE(late(finished(own)->history().incidents), 0);

    Scenario of = scenario("lost-notification"), slow = scenario("lost-notification", {"store.latency=200ms"});
    of.faults.front().enabled = slow.faults.front().enabled = false;
    VirtualRun run(of);
    QVERIFY(run.fork(TrueTime{} + std::chrono::seconds(8), slow).has_value());
    run.advance(TrueTime::max());
    QVERIFY(run.history().summary.handoffs > 0);
    QCOMPARE(late(run.history().incidents), 0);
  }
  // The catalogue's "overlap until the next renewal": so it is where the message of the second grant does not arrive.
  void aSteppedStoreClockOverlapsUntilTheNextRenewalWhereNothingIsHeard() {
    Scenario of = scenario("store-clock-forward");
    FaultTable deaf = scenario("lost-notification").faults.front();
    deaf.at = *parse_time_expression("3 ttl");
    deaf.target = "owner";
    deaf.duration = *parse_time_expression("1 ttl");
    of.faults.push_back(deaf);
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      of.seed = seed;
      const Summary summary = finished(of)->history().summary;
      QVERIFY(summary.belief_overlap > std::chrono::milliseconds(3300));
      QVERIFY(summary.belief_overlap < std::chrono::milliseconds(3600));
      QVERIFY(summary.stale_writes_rejected >= 10);
      QCOMPARE(summary.stale_writes_accepted, 0u);
    }
  }
  void theOldGenerationsOverlapWhenCutOff() {
    Scenario of = scenario("owner-partition", {"contender.0.behaviour=3.0"});
    QVERIFY(finished(of)->history().summary.belief_overlap > std::chrono::seconds(5));
    of = scenario("owner-partition", {"contender.0.behaviour=3.1", "store.timeout=60s"});
    QVERIFY(finished(of)->history().summary.belief_overlap > std::chrono::seconds(1));
    of = scenario("owner-partition", {"contender.0.behaviour=4.x"});
    QCOMPARE(finished(of)->history().summary.belief_overlap.count(), 0);
  }
};

LEASESCOPE_SUITE(CatalogueTest)
#include "catalogue_test.moc"
