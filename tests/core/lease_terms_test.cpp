#include "core/simba/lease_terms.h"

#include "tests/support/suite.h"

using namespace leasescope;
using namespace std::chrono_literals;

class LeaseTermsTest : public QObject {
  Q_OBJECT
 private slots:
  void theDefaultsAreThoseOfSimbaStarters();
  void aLeaseIsTtlAndTransition();
  void oneMillisecondIsTheShortestTtl();
  void transitionMayBeZeroButNotNegative();
  void fractionsOfAMillisecondAreRefusedSinceStoresDropThem();
  void aSumThatOverflowsIsRefused();
  void aReversedJitterIsRefused();
};

namespace {

LeaseTerms terms(Duration ttl, Duration transition) {
  LeaseTerms out;
  out.ttl = ttl;
  out.transition = transition;
  return out;
}

}  // namespace

void LeaseTermsTest::theDefaultsAreThoseOfSimbaStarters() {
  QVERIFY(validate(LeaseTerms{}));
  QCOMPARE(LeaseTerms{}.ttl, 10s);
  QCOMPARE(LeaseTerms{}.transition, 6s);
  QCOMPARE(LeaseTerms{}.jitter.min, -200ms);
  QCOMPARE(LeaseTerms{}.jitter.max, 1s);
}

void LeaseTermsTest::aLeaseIsTtlAndTransition() { QCOMPARE(terms(5s, 2s).lease(), 7s); }

void LeaseTermsTest::oneMillisecondIsTheShortestTtl() {
  QVERIFY(validate(terms(1ms, 0s)));
  for (const Duration ttl : {Duration(0), Duration(-5s), Duration(999us)}) {
    const auto checked = validate(terms(ttl, 1s));
    QVERIFY(!checked);
    QVERIFY2(checked.error().find("ttl") != std::string::npos, checked.error().c_str());
  }
}

void LeaseTermsTest::transitionMayBeZeroButNotNegative() {
  QVERIFY(validate(terms(1s, 0s)));
  QVERIFY(!validate(terms(1s, -1ms)));
}

void LeaseTermsTest::fractionsOfAMillisecondAreRefusedSinceStoresDropThem() {
  QVERIFY(!validate(terms(1500us, 0s)));
  QVERIFY(!validate(terms(1s, 1500us)));
}

void LeaseTermsTest::aSumThatOverflowsIsRefused() {
  QVERIFY(!validate(terms(Duration::max() / 1000000 * 1000000, 0s)));
  QVERIFY(!validate(terms(1s, Duration::max() / 1000000 * 1000000)));
}

void LeaseTermsTest::aReversedJitterIsRefused() {
  LeaseTerms reversed;
  reversed.jitter = {10ms, 9ms};
  QVERIFY(!validate(reversed));
}

LEASESCOPE_SUITE(LeaseTermsTest)
#include "lease_terms_test.moc"
