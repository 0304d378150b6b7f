// Every run's calls are judged by the model that fits its system, and that is part of its verdict.
#include "simulator/run/legality.h"

#include <set>

#include "simulator/campaign/swarm.h"
#include "simulator/campaign/verdict.h"
#include "tests/engine/runs.h"
#include "tests/support/seeds.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

Scenario drawn(std::uint64_t seed, const SwarmOptions& options) {
  auto found = draw_swarm(seed, options);
  if (!found) qFatal("%s", found.error().text().c_str());
  return *found;
}

Outcome outcome_of(const Scenario& of) { return finished(of)->outcome(); }

// Whether some seed fails so.
bool shows(Failure failure, const SwarmOptions& options, std::uint64_t seeds) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed)
    if (verdict_of(drawn(seed, options)).failure == failure) return true;
  return false;
}

}  // namespace

class LegalityTest : public QObject {
  Q_OBJECT
 private slots:
  void everySystemIsJudgedByItsOwnModel_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("model");
    QTest::newRow("leases") << "healthy"
                            << "lease";
    QTest::newRow("sessions") << "fenced-healthy"
                              << "reentrant-fenced";
    QTest::newRow("quorum") << "quorum-healthy"
                            << "fenced";
    QTest::newRow("latch") << "latch-healthy"
                           << "fenced";
    QTest::newRow("connections") << "advisory-healthy"
                                 << "reentrant";
    QTest::newRow("registers") << "cas-healthy"
                               << "fenced";
    QTest::newRow("permits") << "semaphore-healthy"
                             << "semaphore";
    QTest::newRow("readers and a writer") << "read-write-healthy"
                                          << "read-write";
  }
  void everySystemIsJudgedByItsOwnModel() {
    QFETCH(QString, name);
    QFETCH(QString, model);
    const Outcome outcome = outcome_of(scenario(name.toStdString()));
    QCOMPARE(QString::fromStdString(std::string(check::text(outcome.legal->model.kind))), model);
    QVERIFY(outcome.legal->calls > 5);
    QVERIFY2(outcome.legal->illegal == 0, outcome.legal->reason.c_str());
    QVERIFY(outcome.legal->undecided == 0 && outcome.as_expected == true);
  }
  void aModelHasTheNumbersOfItsScenario() {
    QCOMPARE(fitting_model(scenario("semaphore-healthy", {"cas.permits=7"})).n, 7U);
    QCOMPARE(fitting_model(scenario("fenced-healthy")).n, check::kAnyNumber);
    QCOMPARE(fitting_model(scenario("fenced-healthy", {"store.cp.limit=3"})).n, 3U);
    QCOMPARE(fitting_model(scenario("half-told-handles")).n, 2U);
    QVERIFY(fitting_model(scenario("quorum-healthy", {"quorum.fence=false"})).kind == check::ModelKind::kOwnerAware);
  }
  // A lease ends before its deadline when the store's clock runs fast, by as much as that clock gains, and no more.
  void aFastClockOfTheStoreMakesALeaseShorterAndNotIllegal() {
    QCOMPARE(fitting_model(scenario("healthy")).eps, std::int64_t{0});
    const Scenario of = scenario("healthy", {"store.clock.drift_ppm=2000"});
    QVERIFY(fitting_model(of).eps >= of.terms().lease().count() / 500);
    QCOMPARE(outcome_of(of).legal->illegal, std::uint64_t{0});
  }
  void anIllegalHistoryIsNotAsExpectedAndNamesTheCall() {
    Scenario of = scenario("generals");
    QVERIFY(outcome_of(of).as_expected == true);  // it says so
    of.expected.fields.erase("illegal_mutexes");
    const Outcome outcome = outcome_of(of);
    QCOMPARE(outcome.summary.illegal_mutexes, std::uint64_t{1});
    QVERIFY(outcome.as_expected == false);
    QCOMPARE(outcome.reasons.size(), std::size_t{1});
    const QString reason = QString::fromStdString(outcome.reasons[0]);
    QVERIFY2(reason.contains(" lock of general-b on road ") && reason.contains("the model fenced"), qPrintable(reason));
    QVERIFY2(reason.startsWith("at ") && !outcome.legal->excused, qPrintable(reason));
  }
  void whatAFaultTakesByItsNatureIsExcused() {
    const Outcome outcome = outcome_of(scenario("store-clock-forward"));
    QVERIFY(outcome.legal->illegal > 0 && outcome.legal->excused);
    QVERIFY(outcome.as_expected == true);
  }
  void aRunThatIsStoppedIsJudgedByWhatThereIs() {
    VirtualRun run(scenario("generals"));
    QVERIFY(!run.outcome().legal.has_value());
    run.advance(at(std::chrono::seconds(1)));
    run.finish();
    QCOMPARE(run.outcome().legal->illegal, std::uint64_t{0});
  }
  void legalityIsNoPartOfTheHash() {
    Scenario of = scenario("generals");
    const std::uint64_t hash = hash_of(of);
    of.expected.fields.clear();
    QCOMPARE(hash_of(of), hash);
  }
  void aSwarmDrawsNoWeakWord() {
    for (const std::string_view system : system_names())
      for (std::uint64_t seed = 1; seed <= seeds(200); ++seed) {
        const Scenario of = drawn(seed, {{}, {}, std::string(system)});
        QVERIFY(std::get<CasTerms>(of.system).stamp != Stamp::kClient);
        QVERIFY(std::get<CasTerms>(of.system).release == CasTerms::Release::kOwn);
        QVERIFY(std::get<QuorumTerms>(of.system).corrected());
        QVERIFY(std::get<LatchTerms>(of.system).on_disconnect == LatchTerms::OnDisconnect::kStepDown);
      }
  }
  void aSwarmDrawsWhatASystemSaysOfItself() {
    std::set<CasTerms::Kind> kinds;
    std::set<int> servers;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      kinds.insert(std::get<CasTerms>(drawn(seed, {{}, {}, "cas"}).system).kind);
      servers.insert(std::get<QuorumTerms>(drawn(seed, {{}, {}, "quorum"}).system).servers);
    }
    QCOMPARE(kinds.size(), std::size_t{3});
    QCOMPARE(servers.size(), std::size_t{5});  // 3 to 7
  }
  void whatIsWeakIsIllegalInSomeSeed_data() {
    QTest::addColumn<QString>("system");
    QTest::addColumn<QString>("set");
    QTest::newRow("client's stamp") << "cas"
                                    << "cas.stamp=client";
    QTest::newRow("frees what it finds") << "cas"
                                         << "cas.release=blind";
    QTest::newRow("stolen as it was published") << "quorum"
                                                << "quorum.form=specified";
  }
  void whatIsWeakIsIllegalInSomeSeed() {
    QFETCH(QString, system);
    QFETCH(QString, set);
    SwarmOptions options{{set.toStdString()}, {}, system.toStdString()};
    QVERIFY(shows(Failure::kIllegal, options, 2'000));
  }
};

LEASESCOPE_SUITE(LegalityTest)
#include "legality_test.moc"
