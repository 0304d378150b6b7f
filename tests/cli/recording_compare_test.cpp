// `recording compare`: where two runs part.
#include "tests/cli/program.h"
#include "tests/support/suite.h"

using namespace leasescope::tests;
using nlohmann::json;

class RecordingCompareTest : public QObject {
  Q_OBJECT
 private slots:
  void aRunIsTheSameAsItsRepetition() {
    const QString a = recorded("a"), b = recorded("b");
    const Ran ran = leasescopectl({"recording", "compare", a, b, "--json"});
    QCOMPARE(ran.exit, 0);
    QVERIFY(ran.json()["same"].get<bool>());
    QVERIFY(ran.json()["events"].empty());
    QVERIFY(leasescopectl({"recording", "compare", a, b, "--json", "--all"}).json()["events"].size() > 10);
  }

  // A fork is its origin up to where it was forked.
  void aForkPartsFromItsOriginWhereItWasForked() {
    const QString a = recorded("origin"), b = recorded("fork", {"--fork-at", "15s", "--set", "resource.fencing=false"});
    const Ran ran = leasescopectl({"recording", "compare", a, b, "--json"});
    QCOMPARE(ran.exit, 3);
    const json found = ran.json();
    QVERIFY(found["moved"].get<int>() + found["only_a"].get<int>() + found["only_b"].get<int>() > 0);
    for (const json& event : found["events"])
      for (const char* side : {"a", "b"})
        if (!event[side].is_null()) QVERIFY(event[side]["hi_ns"].get<std::int64_t>() >= 15'000'000'000);
    const Ran text = leasescopectl({"recording", "compare", a, b});
    QCOMPARE(text.exit, 3);
    QVERIFY2(text.out.contains("in A only") && text.out.contains("stale_writes_accepted"), text.out);
  }

  // What each came to, with both figures and when either is seen.
  void outcomesIncidentsRequestsAndTheStoreAreToldOfBoth() {
    const QString a = recorded("fenced"), b = recorded("bare", {"--set", "resource.fencing=false"});
    const json found = leasescopectl({"recording", "compare", a, b, "--json"}).json();
    QCOMPARE(found["outcome"]["a"].get<std::string>(), std::string("as expected"));
    QVERIFY(found["outcome"]["b"].is_string());
    const json& overlaps = found["counts"]["incidents: belief_overlap"];
    QVERIFY(overlaps["a"].get<int>() >= 1);
    QVERIFY(overlaps["a_at_ns"].get<std::int64_t>() > 0);
    QVERIFY(found["counts"]["stale_writes_accepted"]["b_at_ns"].get<std::int64_t>() > 0);
    QVERIFY(found["counts"]["handoffs"]["a"].get<int>() >= 1);
    QVERIFY(found["per_second"]["requests"]["a"].get<double>() > 0);
    QVERIFY(found["lengths_ns"]["store round trip, median"]["a"].get<std::int64_t>() > 0);
    QVERIFY(found["lengths_ns"]["gap, longest"]["a_at_ns"].get<std::int64_t>() > 0);
    const Ran text = leasescopectl({"recording", "compare", a, b});
    for (const char* part : {"outcome", "as expected", "incidents: belief_overlap", " from ", "requests", "/s"})
      QVERIFY2(text.out.contains(part), text.out);
  }

  void whatIsNoRecordingIsBadInput() {
    const QString a = recorded("good");
    for (const QStringList& two :
         {QStringList{a, folder_.filePath("none")}, QStringList{folder_.filePath("none"), a}}) {
      const Ran ran = leasescopectl(QStringList{"recording", "compare"} + two);
      QCOMPARE(ran.exit, 2);
      QVERIFY2(ran.err.contains("none"), ran.err);
      QVERIFY(ran.out.isEmpty());
    }
  }

 private:
  QString recorded(const char* name, const QStringList& more = {}) {
    const QString file = folder_.filePath(name);
    leasescopectl(QStringList{"run", "gc-pause", "--record", file} + more);
    return file;
  }
  QTemporaryDir folder_;
};

LEASESCOPE_SUITE(RecordingCompareTest)
#include "recording_compare_test.moc"
