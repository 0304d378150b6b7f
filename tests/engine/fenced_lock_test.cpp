#include "simulator/model/cp/fenced_lock.h"
#include "tests/support/suite.h"

using namespace leasescope;

namespace {

ServerCall call_of(std::uint64_t session, std::uint64_t uid) {
  ServerCall call;
  call.request.kind = RequestKind::kLock;
  call.request.session = {session, uid, Duration::zero(), 0};
  return call;
}

FencedLock::Acquired acquire(FencedLock& lock, std::uint64_t session, std::uint64_t uid) {
  return lock.acquire(call_of(session, uid), static_cast<Token>(uid), 0, false);
}

}  // namespace

class FencedLockTest : public QObject {
  Q_OBJECT
 private slots:
  // Its thread counts one entry less than the lock, of a try that was lost on its way. Each call of it is kept until it
  // has left wholly; looked through one by one, this was not over after a minute.
  void aHolderThatNeverLeavesWhollyIsAnsweredAMillionTimes() {
    FencedLock lock;
    QCOMPARE(acquire(lock, 7, 1).outcome, FencedLock::Outcome::kGranted);
    constexpr std::uint64_t kTimes = 1'000'000;
    for (std::uint64_t uid = 2; uid < 2 * kTimes; uid += 2) {
      QVERIFY(acquire(lock, 7, uid).outcome == FencedLock::Outcome::kReentered);
      QVERIFY(lock.release(call_of(7, uid + 1)).reduced);
    }
    QCOMPARE(lock.owner().count, std::uint64_t{1});
  }
  void aCallThatComesAgainIsAnsweredAsBefore() {
    FencedLock lock;
    acquire(lock, 7, 1);
    std::uint64_t count = 1;
    for (const std::uint64_t uid : {2, 5, 3}) QCOMPARE(acquire(lock, 7, uid).verdict.count, ++count);
    QCOMPARE(acquire(lock, 4, 9).verdict.answer, SessionAnswer::kNotLocked);  // before it and behind it in the order
    QCOMPARE(acquire(lock, 9, 9).verdict.answer, SessionAnswer::kNotLocked);
    QCOMPARE(lock.release(call_of(7, 6)).verdict.count, std::uint64_t{3});
    QCOMPARE(acquire(lock, 7, 2).verdict.count, std::uint64_t{2});
    QCOMPARE(acquire(lock, 7, 5).verdict.count, std::uint64_t{3});
    QCOMPARE(acquire(lock, 7, 3).verdict.count, std::uint64_t{4});
    QCOMPARE(lock.release(call_of(7, 6)).verdict.count, std::uint64_t{3});
    QCOMPARE(lock.owner().count, std::uint64_t{3});
  }
  void whoHasLeftWhollyIsRememberedByItsLastCallAlone() {
    FencedLock lock;
    acquire(lock, 7, 1);
    QVERIFY(lock.release(call_of(7, 2)).freed);
    QVERIFY(!lock.release(call_of(7, 2)).freed);
    QCOMPARE(lock.release(call_of(7, 2)).verdict.answer, SessionAnswer::kDone);
    QCOMPARE(acquire(lock, 7, 1).outcome, FencedLock::Outcome::kGranted);
  }
};

LEASESCOPE_SUITE(FencedLockTest)
#include "fenced_lock_test.moc"
