// A private ZooKeeper of three servers for one run, as a user asks for it: zookeeper?servers=3.
#include "tests/live/runs.h"
#include "tests/support/suite.h"
#include "tests/support/temporary_folder.h"

using namespace leasescope;
using namespace leasescope::tests;
using std::chrono::seconds;

class PrivateEnsembleTest : public QObject {
  Q_OBJECT

  static constexpr const char* kThree = "zookeeper?servers=3";

 private slots:
  // The plain one, and one whose leader is cut off by the proxies: it finds its way back to the ensemble.
  void latchesAreRunOnThreeServersThatAreOneStore() {
    const TemporaryFolder temporary;
    {
      Runs runs;
      for (const char* name : {"latch-healthy", "latch-owner-partition"})
        QVERIFY2(runs.add(name, scenario(name, {"mutex.ttl=3s", "duration=29s"}), kThree) != nullptr,
                 runs.error.c_str());
      QCOMPARE(temporary.folders().size(), 2);
      QVERIFY(temporary.processes().size() >= 6);
      QVERIFY(runs.play(seconds(90)));
      for (const char* name : {"latch-healthy", "latch-owner-partition"}) {
        const LiveRun& run = runs.at(name);
        check_reasons(run);
        QCOMPARE(run.outcome().store, std::string(kThree));
        QVERIFY(run.history().summary.acquisitions >= 2);
      }
    }
    QTRY_COMPARE_WITH_TIMEOUT(temporary.left(), QStringList(), 10'000);
  }
  void whatItDoesIsSaidAndGoesWhenItIsCancelled() {
    const TemporaryFolder temporary;
    LiveRun run(scenario("latch-healthy", {}), kThree);
    std::string first;
    bool cancelled = false;
    QObject::connect(&run, &LiveRun::preparing, [&](const PreparationStep& step) {
      if (first.empty()) first = step.words;
    });
    QObject::connect(&run, &LiveRun::cancelled, [&] { cancelled = true; });
    run.prepare();
    QTRY_VERIFY_WITH_TIMEOUT(temporary.processes().size() >= 3, 30'000);
    run.cancel();
    QTRY_VERIFY_WITH_TIMEOUT(cancelled, 10'000);
    QCOMPARE(first, std::string("starting a private ZooKeeper of 3 servers"));
    QTRY_COMPARE_WITH_TIMEOUT(temporary.left(), QStringList(), 10'000);
  }
};

LEASESCOPE_SUITE(PrivateEnsembleTest)
#include "private_ensemble_test.moc"
