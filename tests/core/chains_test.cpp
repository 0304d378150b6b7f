// Chains of thieves: the published formula is what it is, and what is measured follows the other one.
#include <cmath>

#include <QFile>
#include <QRegularExpression>

#include "core/quorum/chains.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

class ChainsTest : public QObject {
  Q_OBJECT
 private slots:
  void thePublishedFormulaIsNoMean();
  void theMeanIsTheHarmonicNumber();
  void theChancesAddUpToOne();
  void quantilesOfAHundredPriorities();
  void whatIsMeasuredIsTheHarmonicNumber();
  void whatIsMeasuredHangsOnTheSeedAlone();
  void releasesMakeChainsShorter();
  void whatIsMeasuredWithReleasesFollowsTheCurve();
  void theReadmesCurveIsWhatIsComputed();
  void aLeaseIsTooShortForLongChains();
  void theAdvisedLeaseIsTheShortest();
};

void ChainsTest::thePublishedFormulaIsNoMean() {
  const chains::Published of = chains::published(100);
  QVERIFY(std::abs(of.mean - 0.010205) < 5e-7);
  QVERIFY(std::abs(of.total - 0.01010) < 5e-6);  // chances that do not add up to one
  QCOMPARE(chains::published(1).mean, 1.0);
}

void ChainsTest::theMeanIsTheHarmonicNumber() {
  const chains::Length of(100);
  QVERIFY(std::abs(of.mean() - 5.187378) < 1e-6);
  QVERIFY(std::abs(of.variance() - (5.187378 - 1.634984)) < 1e-5);
  QVERIFY(std::abs(of.thefts() - 4.187378) < 1e-6);
  double mean = 0;
  for (int n = 1; n <= 100; ++n) mean += n * of.chance(n);
  QVERIFY(std::abs(mean - of.mean()) < 1e-9);
}

void ChainsTest::theChancesAddUpToOne() {
  for (const int priorities : {1, 2, 3, 100, 1000, 100'000}) {
    const chains::Length of(priorities);
    QVERIFY(std::abs(of.beyond(0) - 1) < 1e-9);
    QCOMPARE(of.chance(0), 0.0);
  }
  QCOMPARE(chains::Length(3).chance(1), 1.0 / 3);  // the highest comes first
  QVERIFY(std::abs(chains::Length(3).chance(3) - 1.0 / 6) < 1e-15);
}

void ChainsTest::quantilesOfAHundredPriorities() {
  const chains::Length of(100);
  QCOMPARE(of.quantile(0.5), 5);
  QCOMPARE(of.quantile(0.95), 8);
  QCOMPARE(of.quantile(0.99), 10);
  QCOMPARE(of.quantile(0.999), 12);
}

void ChainsTest::whatIsMeasuredIsTheHarmonicNumber() {
  const chains::Measured of = chains::measure(100, 100'000, 7);
  QCOMPARE(of.rounds, std::uint64_t{100'000});
  QVERIFY2(std::abs(of.mean - 5.187) < 0.01 * 5.187, qPrintable(QString::number(of.mean)));
  QVERIFY(std::abs(of.mean - chains::Length(100).mean()) < 4 * of.error);
  QVERIFY(std::abs(of.variance / chains::Length(100).variance() - 1) < 0.03);
}

void ChainsTest::whatIsMeasuredHangsOnTheSeedAlone() {
  QCOMPARE(chains::measure(10, 1000, 1).mean, chains::measure(10, 1000, 1).mean);
  QVERIFY(chains::measure(10, 1000, 1).mean != chains::measure(10, 1000, 2).mean);
}

void ChainsTest::releasesMakeChainsShorter() {
  QVERIFY(std::abs(chains::mean_with_releases(100, 0) - 1) < 1e-12);
  QVERIFY(std::abs(chains::mean_with_releases(100, 1) - 1.381) < 5e-4);
  QVERIFY(std::abs(chains::mean_with_releases(100, 10) - 2.589) < 5e-4);
  QVERIFY(std::abs(chains::mean_with_releases(100, 1e9) - chains::Length(100).mean()) < 1e-3);
}

void ChainsTest::whatIsMeasuredWithReleasesFollowsTheCurve() {
  for (const int rho : {1, 10}) {
    const chains::Measured of =
        chains::measure_with_releases(100, static_cast<std::uint64_t>(rho) * 1'000'000, 100'000, 7);
    QVERIFY(std::abs(of.mean - chains::mean_with_releases(100, rho)) < 4 * of.error);
  }
}

// core/quorum/README.md, as `leasescopectl chains` prints it.
void ChainsTest::theReadmesCurveIsWhatIsComputed() {
  QFile file(QString(kSourceFolder) + QStringLiteral("/core/quorum/README.md"));
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QString text = QString::fromUtf8(file.readAll());
  const QRegularExpression row(QStringLiteral(R"(\n\| ([0-9.]+) \| ([0-9.]+) \| ([0-9.]+) ± ([0-9.]+) \|)"));
  int rows = 0;
  for (auto at = row.globalMatch(text); at.hasNext(); ++rows) {
    const QRegularExpressionMatch match = at.next();
    const double rho = match.captured(1).toDouble();
    const chains::Measured of =
        chains::measure_with_releases(100, static_cast<std::uint64_t>(std::llround(rho * 1e6)), 100'000, 1);
    QCOMPARE(match.captured(2), QString::number(chains::mean_with_releases(100, rho), 'f', 4));
    QCOMPARE(match.captured(3), QString::number(of.mean, 'f', 4));
    QCOMPARE(match.captured(4), QString::number(of.error, 'f', 4));
  }
  QCOMPARE(rows, 7);
}

void ChainsTest::aLeaseIsTooShortForLongChains() {
  const chains::Length of(100);
  QVERIFY(std::abs(chains::timeout_probability(of, 5ms, 50ms) - 0.0059) < 5e-5);
  QVERIFY(std::abs(chains::timeout_probability(of, 5ms, 60ms) - 0.00045) < 5e-6);
  QVERIFY(std::abs(chains::timeout_probability(of, 5ms, 75ms) - 4e-6) < 5e-7);
  QCOMPARE(chains::timeout_probability(of, 5ms, 10s), 0.0);
}

void ChainsTest::theAdvisedLeaseIsTheShortest() {
  const chains::Length of(100);
  for (const double wanted : {0.5, 0.01, 0.001, 1e-6}) {
    const Duration ttl = chains::ttl_for(of, 5ms, wanted);
    QVERIFY(chains::timeout_probability(of, 5ms, ttl) <= wanted);
    QVERIFY(chains::timeout_probability(of, 5ms, ttl - 1ns) > wanted);
  }
}

LEASESCOPE_SUITE(ChainsTest)
#include "chains_test.moc"
