// leasescopectl fidelity: a scenario in both worlds on a private server, and what it refuses.
#include "tests/cli/program.h"
#include "tests/support/suite.h"

using namespace leasescope::tests;
using nlohmann::json;

class FidelityCommandTest : public QObject {
  Q_OBJECT
 private slots:
  void bothWorldsStandSideBySideAndAreDrawn() {
    QTemporaryDir folder;
    const QString picture = folder.filePath("gc-pause.svg");
    const Ran ran = leasescopectl(
        {"fidelity", "gc-pause", "--store", "redis", "--runs", "6", "--at-once", "6", "--virtual", "60", "--set",
         "mutex.ttl=1s", "--set", "mutex.transition=500ms", "--set", "duration=9s", "--svg", picture, "--json"},
        90);
    QVERIFY2(ran.exit == 0, ran.err.constData());
    const json out = ran.json();
    QCOMPARE(out["runs"]["live"].get<int>(), 6);
    QCOMPARE(out["runs"]["virtual"].get<int>(), 60);
    QVERIFY(out["fitted_to"]["round_trip_ms"]["count"].get<int>() >= 6);
    QVERIFY(out["fitted_to"]["handoff_ms"]["count"].get<int>() >= 6);
    QCOMPARE(out["measures"].size(), std::size_t{5});
    for (const json& measure : out["measures"]) {
      QVERIFY2(measure["live"]["count"].get<int>() >= 3, measure.dump().c_str());
      QVERIFY2(measure["live"]["p5"] <= measure["live"]["p99"], measure.dump().c_str());
      QVERIFY2(measure["ks"] >= 0 && measure["ks"] <= 1, measure.dump().c_str());
    }
    // The pause lasts a lease and two seconds in either world, and begins within the one before.
    for (const char* world : {"live", "virtual"}) {
      const double overlap = out["measures"][2][world]["p50"];
      QVERIFY2(overlap > 1000 && overlap < 3500, std::to_string(overlap).c_str());
    }
    QFile file(picture);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray drawn = file.readAll();
    QVERIFY(drawn.contains("<svg") && drawn.contains("overlap") && drawn.contains("polyline"));
  }
  void aLatchInVirtualTimeIsOnAServerLikeThePrivateOne() {
    const Ran ran =
        leasescopectl({"fidelity", "latch-stop-and-take-over", "--store", "zookeeper", "--runs", "6", "--at-once", "9",
                       "--virtual", "60", "--set", "mutex.ttl=1s", "--set", "duration=9s", "--json"},
                      90);
    QVERIFY2(ran.exit == 0, ran.err.constData());
    const json out = ran.json();
    const json terms{"store.model=zookeeper", "store.zookeeper.tick=250ms", "store.zookeeper.min_session=500ms",
                     "store.zookeeper.max_session=60000ms", "store.zookeeper.drawn_ticks=true"};
    QVERIFY2(out["store_terms"] == terms, out["store_terms"].dump().c_str());
    QVERIFY(out["fitted_to"]["handoff_ms"]["count"].get<int>() >= 6);
    for (const char* world : {"live", "virtual"}) {
      const int runs = out["runs"][world];
      const json &handoff = out["measures"][0][world], &gap = out["measures"][1][world];
      // One that stops and one that crashes, a run. A server that stands still for half a second while it is measured
      // costs a leader its session, and calls of that length are drawn in virtual time too: a few leads more or less.
      const int handoffs = handoff["count"], gaps = gap["count"], few = runs / 3;
      QVERIFY2(std::abs(handoffs - runs) <= few && std::abs(gaps - 2 * runs) <= few, gap.dump().c_str());
      QVERIFY2(handoff["p50"] < 300, handoff.dump().c_str());
      // The crashed leader's session lasts for a second from its last sign of life, up to a tick more. Half of the gaps
      // are such.
      QVERIFY2(gap["p75"] > 600 && gap["p75"] < 1500, gap.dump().c_str());
      QVERIFY(out["measures"][3][world]["count"].get<int>() > 20 * runs);
      QVERIFY(out["measures"][4][world]["p50"] > 3);
    }
  }
  void whatCannotBeComparedIsRefused_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("word");
    QTest::newRow("no store") << QStringList{"healthy", "--store", "model"} << QByteArray("private server");
    QTest::newRow("a store that others may use") << QStringList{"healthy", "--store", "redis://:hush@127.0.0.1:1"}
                                                 << QByteArray("--store redis://127.0.0.1:1: ");
    QTest::newRow("an ensemble of two") << QStringList{"latch-healthy", "--store", "zookeeper?servers=2"}
                                        << QByteArray("1, or 3 or 5 that agree");
    QTest::newRow("of virtual time only") << QStringList{"owner-id-reuse", "--store", "redis"} << QByteArray("virtual");
    QTest::newRow("a fault of the server") << QStringList{"redis-restart", "--store", "redis"} << QByteArray("share");
    QTest::newRow("a fault of its replica")
        << QStringList{"fence-regression", "--store", "redis"} << QByteArray("share");
    QTest::newRow("several servers") << QStringList{"quorum-healthy", "--store", "redis"}
                                     << QByteArray("quorum-healthy needs 5 servers");
    QTest::newRow("a scenario there is not") << QStringList{"healty", "--store", "redis"} << QByteArray("healthy");
    QTest::newRow("no runs") << QStringList{"healthy", "--store", "redis", "--runs", "0"} << QByteArray("--runs");
    QTest::newRow("another tick than the server has")
        << QStringList{"latch-healthy", "--store", "zookeeper", "--set", "store.zookeeper.tick=500ms"}
        << QByteArray("store.zookeeper.tick=250ms");
    QTest::newRow("a picture of another kind")
        << QStringList{"healthy", "--store", "redis", "--svg", "here.gif"} << QByteArray(".svg");
  }
  void whatCannotBeComparedIsRefused() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, word);
    const Ran ran = leasescopectl(QStringList{"fidelity"} + arguments);
    QCOMPARE(ran.exit, 2);
    QVERIFY2(ran.err.contains(word), ran.err.constData());
  }
};

LEASESCOPE_SUITE(FidelityCommandTest)
#include "fidelity_test.moc"
