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
    QCOMPARE(ledger.write(2), EventKind::kWriteAccepted);
    QCOMPARE(ledger.write(1), EventKind::kWriteRejected);
    QCOMPARE(ledger.highest(Token{2}), Token{2});
  }
  void theSameTokenIsOneTerm() {
    Resource ledger = fenced();
    for (int i = 0; i < 3; ++i) QCOMPARE(ledger.write(7), EventKind::kWriteAccepted);
    QCOMPARE(ledger.write(8), EventKind::kWriteAccepted);
    QCOMPARE(ledger.write(7), EventKind::kWriteRejected);
  }
  void aRefusedWriteTeachesItNothing() {
    Resource ledger = fenced();
    QCOMPARE(ledger.write(5), EventKind::kWriteAccepted);
    QCOMPARE(ledger.write(3), EventKind::kWriteRejected);
    QCOMPARE(ledger.write(4), EventKind::kWriteRejected);
    QCOMPARE(ledger.write(5), EventKind::kWriteAccepted);
  }
  void withoutFencingItAcceptsWhatIsStaleAndStillRemembersTheHighest() {
    Resource ledger = unfenced();
    QCOMPARE(ledger.write(2), EventKind::kWriteAccepted);
    QCOMPARE(ledger.write(1), EventKind::kWriteStaleAccepted);
    QCOMPARE(ledger.write(kNoToken), EventKind::kWriteStaleAccepted);
    QCOMPARE(ledger.highest(Token{2}), Token{2});
  }
  void aTokenlessWriteIsRefusedUnlessThePolicyTakesIt() {
    Resource strict = fenced(), lenient = fenced(true);
    QCOMPARE(strict.write(kNoToken), EventKind::kWriteRejected);
    QCOMPARE(lenient.write(kNoToken), EventKind::kWriteAccepted);
    QCOMPARE(lenient.write(1), EventKind::kWriteAccepted);
    QCOMPARE(lenient.write(kNoToken), EventKind::kWriteStaleAccepted);
    QCOMPARE(lenient.highest(Token{1}), Token{1});
  }
  void anotherPolicyJudgesByWhatItHasSeenBefore() {
    Resource ledger = unfenced();
    QCOMPARE(ledger.write(2), EventKind::kWriteAccepted);
    ledger.change_policy(true, false);
    QCOMPARE(ledger.write(1), EventKind::kWriteRejected);
    QCOMPARE(ledger.write(2), EventKind::kWriteAccepted);
  }
};

LEASESCOPE_SUITE(ResourceTest)
#include "resource_test.moc"
