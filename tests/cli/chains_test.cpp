// leasescopectl chains: the figures of the chains of thieves, and what it refuses.
#include "tests/cli/program.h"
#include "tests/support/suite.h"

using namespace leasescope::tests;
using nlohmann::json;

class ChainsCommandTest : public QObject {
  Q_OBJECT
 private slots:
  void itPrintsThePublishedTheTrueAndTheMeasuredMean() {
    const Ran ran = leasescopectl({"chains", "--priorities", "100", "--rho", "1", "10", "--json"});
    QCOMPARE(ran.exit, 0);
    const json out = json::parse(ran.out.toStdString());
    QVERIFY(std::abs(out["published_formula"]["mean"].get<double>() - 0.010205) < 1e-6);
    QVERIFY(std::abs(out["mean"].get<double>() - 5.187) < 1e-3);
    QVERIFY(std::abs(out["measured"]["mean"].get<double>() - 5.187) < 0.01 * 5.187);
    QCOMPARE(out["with_releases"].size(), std::size_t{2});
    QVERIFY(std::abs(out["with_releases"][1]["mean"].get<double>() - 2.589) < 1e-3);
    QVERIFY(leasescopectl({"chains"}).out.contains("0.0102052"));
  }
  void itAdvisesTheShortestTtl() {
    const Ran ran = leasescopectl({"chains", "--acquire", "5ms", "--timeout-probability", "0.006", "--json"});
    const json ttl = json::parse(ran.out.toStdString())["ttl"];
    QCOMPARE(ttl["ttl_ns"].get<std::int64_t>(), std::int64_t{50'000'000});
    QVERIFY(std::abs(ttl["timeout_probability"].get<double>() - 0.0059) < 1e-4);
  }
  void whatMakesNoSenseIsRefused_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("no priorities") << QStringList{"--priorities", "0"};
    QTest::newRow("a rate below zero") << QStringList{"--rho", "-1"};
    QTest::newRow("a handshake of no time") << QStringList{"--acquire", "0s"};
    QTest::newRow("no duration") << QStringList{"--acquire", "5"};
    QTest::newRow("a certain time-out") << QStringList{"--timeout-probability", "1"};
    QTest::newRow("never") << QStringList{"--timeout-probability", "0"};
  }
  void whatMakesNoSenseIsRefused() {
    QFETCH(QStringList, arguments);
    const Ran ran = leasescopectl(QStringList{"chains"} + arguments);
    QCOMPARE(ran.exit, 2);
    QVERIFY(!ran.err.isEmpty());
    QVERIFY(ran.out.isEmpty());
  }
};

LEASESCOPE_SUITE(ChainsCommandTest)
#include "chains_test.moc"
