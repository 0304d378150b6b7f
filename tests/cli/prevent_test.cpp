// `leasescopectl prevent`: what would have kept an incident away.
#include "tests/cli/program.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

class PreventTest : public QObject {
  Q_OBJECT
 private slots:
  void theWorstIsLookedIntoAndWhatIsToldCanBeSet() {
    const Ran ran = leasescopectl({"prevent", "gc-pause", "--json"});
    QCOMPARE(ran.exit, 0);
    const nlohmann::json told = ran.json();
    QCOMPARE(told["incident"].get<std::string>(), std::string("belief_overlap"));
    QCOMPARE(told["mutex"].get<std::string>(), std::string("orders"));
    int faults = 0;
    for (const auto& remedy : told["remedies"]) {
      const std::string key = remedy["key"], to = remedy["to"];
      if (key.rfind("fault.", 0) != 0) continue;
      ++faults;
      const QString set = QString::fromStdString(key + "=" + to);
      const nlohmann::json run = leasescopectl({"run", "gc-pause", "--json", "--set", set}).json();
      for (const auto& incident : run["incidents"]) QVERIFY(incident["kind"] != "belief_overlap");
    }
    QVERIFY(faults > 0);
  }
  void inWordsItSaysByHowMuch() {
    const Ran ran = leasescopectl({"prevent", "gc-pause"});
    QVERIFY2(ran.out.contains("gc-pause, seed 7: Belief overlap of orders"), ran.out);
    QVERIFY2(ran.out.contains("pause of owner (fault.0) of "), ran.out);
    QVERIFY2(ran.out.contains(" s shorter"), ran.out);
  }
  void whereNothingHappenedThereIsNothingToPrevent() {
    const Ran ran = leasescopectl({"prevent", "healthy"});
    QCOMPARE(ran.exit, 2);
    QVERIFY2(ran.err.contains("there is no incident in healthy with seed"), ran.err);
    QCOMPARE(leasescopectl({"prevent", "gc-pause", "--incident", "bad_luck"}).exit, 2);
    QCOMPARE(leasescopectl({"prevent", "gc-pause", "--mutex", "no-such"}).exit, 2);
  }
};

LEASESCOPE_SUITE(PreventTest)
#include "prevent_test.moc"
