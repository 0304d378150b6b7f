// A term is (owner, token): the default behaviour means one term by every guard and release, and no other. ttl 5 s,
// transition 2 s: the lease is 7 s, the margin 72 ms.
#include "tests/support/hand.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace std::chrono_literals;
using leasescope::tests::Hand;
using Lines = std::vector<std::string>;

class ContenderTermTest : public QObject {
  Q_OBJECT
 private slots:
  void guardAndReleaseNameTheirTerm();
  void anAcquireNamesNone();
  void aGuardRefusedUnderOnesOwnIdEndsTheBeliefAndAcquiresAtOnce();
  void whoIsDeposedUnderItsOwnIdTwiceInOneLeaseWaitsForTheEndOfIt();
  void aTokenTakenAnewByAGuardIsTold();
  void anOwnKeyFoundAtTheEndOfItsLeaseCostsTwoCalls();
  void anAnswerSlowerThanTheTransitionDoesNotCostTheLease();
  void afterTheWatchdogTheNextCallIsAGuard();
  void theRestOfAnOwnLeaseIsRenewedBeforeItsTransitionBegins();
  void aCheckPastTheDeadlineFailsBeforeTheWatchdogHasRun();
  void anAnswerHandedInBeforeTheWatchdogDoesNotHideThatTheBeliefHadEnded();
};

void ContenderTermTest::guardAndReleaseNameTheirTerm() {
  Hand hand(Behaviour::kLeasescope);
  hand.start_and_own(33);
  hand.fire(SimbaTimer::kContend);
  QCOMPARE(hand.flight().lease.term, Token{33});
  hand.answer(hand.self, 7s, 33);
  hand.forget();
  hand.input(Stop{});
  QCOMPARE(hand.sent.front().kind, RequestKind::kRelease);
  QCOMPARE(hand.sent.front().lease.term, Token{33});
}

void ContenderTermTest::anAcquireNamesNone() {
  Hand hand(Behaviour::kLeasescope);
  hand.start();
  hand.pass(0s);
  QCOMPARE(hand.flight().lease.wire, Wire::kTerm);
  QCOMPARE(hand.flight().lease.term, kNoToken);
}

void ContenderTermTest::aGuardRefusedUnderOnesOwnIdEndsTheBeliefAndAcquiresAtOnce() {
  Hand hand(Behaviour::kLeasescope);
  hand.start_and_own(33);
  hand.fire(SimbaTimer::kContend);
  hand.forget();
  hand.answer_another_term(6s, 34);
  QCOMPARE(hand.callbacks, Lines{"onReleased self>"});
  QVERIFY(!hand.armed(SimbaTimer::kWatchdog));
  hand.pass(0s);
  QCOMPARE(hand.flight().kind, RequestKind::kAcquire);
  hand.answer(hand.self, 6s, 35);
  QVERIFY(hand.contender().believes());
  QCOMPARE(hand.contender().token(), Token{35});
}

// Two processes with one id would else depose each other as fast as the network carries it.
void ContenderTermTest::whoIsDeposedUnderItsOwnIdTwiceInOneLeaseWaitsForTheEndOfIt() {
  Hand hand(Behaviour::kLeasescope);
  hand.start_and_own(33);
  hand.fire(SimbaTimer::kContend);
  hand.answer_another_term(6s, 34);
  hand.pass(0s);
  hand.answer(hand.self, 6s, 35);
  hand.fire(SimbaTimer::kContend);
  hand.forget();
  hand.answer_another_term(6s, 36);
  QCOMPARE(hand.callbacks, Lines{"onReleased self>"});
  QVERIFY(hand.sent.empty());
  QVERIFY(hand.delay(SimbaTimer::kContend) >= 6s - 200ms && hand.delay(SimbaTimer::kContend) <= 7s);
  hand.fire(SimbaTimer::kContend);
  QCOMPARE(hand.flight().kind, RequestKind::kAcquire);
  hand.answer(hand.self, 7s, 37);
  hand.pass(1s);
  hand.fire(SimbaTimer::kContend);
  hand.answer_another_term(6s, 38);
  hand.pass(0s);
  QVERIFY2(hand.flight().kind == RequestKind::kAcquire, "a lease later it asks at once again");
}

// The token was evicted, and the guard took a new one.
void ContenderTermTest::aTokenTakenAnewByAGuardIsTold() {
  Hand hand(Behaviour::kLeasescope);
  hand.start_and_own(33);
  hand.fire(SimbaTimer::kContend);
  hand.forget();
  hand.answer(hand.self, 7s, 34);
  QCOMPARE(hand.callbacks, (Lines{"onReleased self>", "onAcquired >self"}));
  QCOMPARE(hand.contender().token(), Token{34});
}

// 113 acquires in 143 ms, and the lease was lost all the same.
void ContenderTermTest::anOwnKeyFoundAtTheEndOfItsLeaseCostsTwoCalls() {
  Hand hand(Behaviour::kLeasescope);
  hand.start();
  hand.pass(0s);
  hand.answer(hand.self, 60ms, 34);
  QCOMPARE(hand.callbacks, Lines{});
  hand.pass(0s);
  QCOMPARE(hand.flight().kind, RequestKind::kGuard);
  hand.answer(hand.self, 7s, 34);
  QCOMPARE(hand.callbacks, Lines{"onAcquired >self"});
  QCOMPARE(hand.sent.size(), std::size_t{3});  // the subscription, and two
}

// A round trip of 1.95 s made the watchdog fire at every renewal.
void ContenderTermTest::anAnswerSlowerThanTheTransitionDoesNotCostTheLease() {
  Hand hand(Behaviour::kLeasescope);
  hand.start_and_own(33, 1900ms);
  for (int renewal = 0; renewal < 5; ++renewal) {
    hand.fire(SimbaTimer::kContend);
    hand.pass(1900ms);
    hand.answer(hand.self, 7s, 33);
  }
  QCOMPARE(hand.callbacks, Lines{"onAcquired >self"});
}

void ContenderTermTest::afterTheWatchdogTheNextCallIsAGuard() {
  Hand hand(Behaviour::kLeasescope);
  hand.start_and_own(33);
  hand.fire(SimbaTimer::kContend);
  hand.fire(SimbaTimer::kWatchdog);
  QVERIFY(!hand.contender().believes());
  hand.fail(Ending::kUnknown);
  hand.fire(SimbaTimer::kContend);
  QCOMPARE(hand.flight().kind, RequestKind::kGuard);
  QCOMPARE(hand.flight().lease.term, Token{33});
  hand.answer(Name{}, 0s);
  hand.pass(0s);
  QVERIFY2(hand.flight().kind == RequestKind::kAcquire, "once the store has said that the term is over");
}

void ContenderTermTest::theRestOfAnOwnLeaseIsRenewedBeforeItsTransitionBegins() {
  Hand hand(Behaviour::kLeasescope);
  hand.start();
  hand.pass(0s);
  hand.pass(10ms);
  hand.answer(hand.self, 4s, 34);
  QCOMPARE(hand.delay(SimbaTimer::kContend), 2s - 10ms);
  Hand late(Behaviour::kLeasescope);
  late.start();
  late.pass(0s);
  late.answer(late.self, 1s, 34);
  QVERIFY(late.contender().believes());
  QCOMPARE(late.delay(SimbaTimer::kContend), 0s);
}

// After a pause one check still said "owner", up to 4.2 s past the deadline.
void ContenderTermTest::aCheckPastTheDeadlineFailsBeforeTheWatchdogHasRun() {
  Hand hand(Behaviour::kLeasescope);
  hand.start_and_own();
  QVERIFY(hand.contender().owns(hand.now().steady));
  hand.pause(9s);
  QVERIFY2(hand.contender().believes(), "what it was told last");
  QVERIFY(!hand.contender().owns(hand.now().steady));
  Hand older(Behaviour::k4x);
  older.start_and_own();
  older.pause(9s);
  QVERIFY(older.contender().owns(older.now().steady));
}

void ContenderTermTest::anAnswerHandedInBeforeTheWatchdogDoesNotHideThatTheBeliefHadEnded() {
  Hand hand(Behaviour::kLeasescope);
  hand.start_and_own();
  hand.fire(SimbaTimer::kContend);
  hand.forget();
  hand.pause(2200ms);  // past the old deadline, not past that of the guard
  hand.answer(hand.self, 7s, 33);
  QCOMPARE(hand.callbacks, (Lines{"onReleased self>", "onAcquired >self"}));
}

LEASESCOPE_SUITE(ContenderTermTest)
#include "contender_term_test.moc"
