// The protected resource by itself: what it accepts, refuses and remembers.
#include "simulator/model/resource.h"

#include "tests/support/suite.h"

using namespace leasescope;

namespace {

Resource fenced(bool accepts_tokenless = false) { return {Name{1}, true, accepts_tokenless}; }
Resource unfenced() { return {Name{1}, false, false}; }

}  // namespace

class ResourceTest : public QObject {
  Q_OBJECT
 private slots:
  void aTokenBelowTheHighestIsRefused() {
    Resource ledger = fenced();
    QVERIFY(ledger.write(2) == EventKind::kWriteAccepted);
    QVERIFY(ledger.write(1) == EventKind::kWriteRejected);
    QCOMPARE(ledger.highest(), Token{2});
  }
  void theSameTokenIsOneTerm() {
    Resource ledger = fenced();
    for (int i = 0; i < 3; ++i) QVERIFY(ledger.write(7) == EventKind::kWriteAccepted);
    QVERIFY(ledger.write(8) == EventKind::kWriteAccepted);
    QVERIFY(ledger.write(7) == EventKind::kWriteRejected);
  }
  void aRefusedWriteTeachesItNothing() {
    Resource ledger = fenced();
    QVERIFY(ledger.write(5) == EventKind::kWriteAccepted);
    QVERIFY(ledger.write(3) == EventKind::kWriteRejected);
    QVERIFY(ledger.write(4) == EventKind::kWriteRejected);
    QVERIFY(ledger.write(5) == EventKind::kWriteAccepted);
  }
  void withoutFencingItAcceptsWhatIsStaleAndStillRemembersTheHighest() {
    Resource ledger = unfenced();
    QVERIFY(ledger.write(2) == EventKind::kWriteAccepted);
    QVERIFY(ledger.write(1) == EventKind::kWriteStaleAccepted);
    QVERIFY(ledger.write(kNoToken) == EventKind::kWriteStaleAccepted);
    QCOMPARE(ledger.highest(), Token{2});
  }
  void aTokenlessWriteIsRefusedUnlessThePolicyTakesIt() {
    Resource strict = fenced(), lenient = fenced(true);
    QVERIFY(strict.write(kNoToken) == EventKind::kWriteRejected);
    QVERIFY(lenient.write(kNoToken) == EventKind::kWriteAccepted);
    QVERIFY(lenient.write(1) == EventKind::kWriteAccepted);
    QVERIFY(lenient.write(kNoToken) == EventKind::kWriteStaleAccepted);
    QCOMPARE(lenient.highest(), Token{1});
  }
  void anotherPolicyJudgesByWhatItHasSeenBefore() {
    Resource ledger = unfenced();
    QVERIFY(ledger.write(2) == EventKind::kWriteAccepted);
    ledger.change_policy(true, false);
    QVERIFY(ledger.write(1) == EventKind::kWriteRejected);
    QVERIFY(ledger.write(2) == EventKind::kWriteAccepted);
  }
};

LEASESCOPE_SUITE(ResourceTest)
#include "resource_test.moc"
