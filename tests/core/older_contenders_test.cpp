// The generations people run, with their weaknesses: 4.x, 3.1 and 3.0 where they differ from the default.
#include "tests/support/hand.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace std::chrono_literals;
using leasescope::tests::Hand;
using Lines = std::vector<std::string>;

class OlderContendersTest : public QObject {
  Q_OBJECT
 private slots:
  void everyBehaviourHasAName();
  void a4xWatchdogHasNoMargin();
  void a4xKeepsOwnershipOverAFailedRenewal();
  void a4xRetriesOnceATtlAfterTheEnd();
  void a4xBornExpiredGrantWaitsForItsTtl();
  void a31HasNoWatchdogAndBelievesWhileTheCallHangs();
  void a31CountsFromTheReceipt();
  void a31StepsDownWhenARenewalFailsAndSitsOutATtl();
  void a31KnowsNoTokens();
  void a31DecidesByItsBelief();
  void a30NeverStepsDownOnFailureAndNeverAsksAgain();
  void a30RenewsWithTheTtlOnly();
  void noneOfThemStartsWithoutItsChannel();
  void noTransitionRenewsAtTheMomentOfExpiry();
};

void OlderContendersTest::everyBehaviourHasAName() {
  for (const Behaviour behaviour : {Behaviour::kLeasescope, Behaviour::k4x, Behaviour::k31, Behaviour::k30}) {
    const auto read = parse_behaviour(text(behaviour));
    QVERIFY(read);
    QCOMPARE(*read, behaviour);
  }
  const auto bad = parse_behaviour("5.0");
  QVERIFY(!bad);
  QVERIFY(bad.error().find("expected leasescope, 4.x, 3.1 or 3.0") != std::string::npos);
}

void OlderContendersTest::a4xWatchdogHasNoMargin() {
  Hand hand(Behaviour::k4x);
  hand.start_and_own(33, 10ms);
  QCOMPARE(hand.delay(SimbaTimer::kWatchdog), 7s - 10ms);
  hand.fire(SimbaTimer::kContend);
  hand.pass(2s - 10ms - 1ns);
  QVERIFY(hand.contender().believes());
  hand.pass(1ns);
  QVERIFY(!hand.contender().believes());
}

void OlderContendersTest::a4xKeepsOwnershipOverAFailedRenewal() {
  Hand hand(Behaviour::k4x);
  hand.start_and_own(33, 0ms);
  hand.fire(SimbaTimer::kContend);
  hand.pass(1s);
  hand.fail(Ending::kUnknown);
  QVERIFY(hand.contender().believes());
  QCOMPARE(hand.delay(SimbaTimer::kContend), 500ms);
}

void OlderContendersTest::a4xRetriesOnceATtlAfterTheEnd() {
  Hand hand(Behaviour::k4x);
  hand.start_and_own(33, 0ms);
  hand.fire(SimbaTimer::kContend);
  hand.pass(2s);
  QVERIFY(!hand.contender().believes());
  hand.fail(Ending::kUnknown);
  QCOMPARE(hand.delay(SimbaTimer::kContend), 5s);
  hand.fire(SimbaTimer::kContend);
  QCOMPARE(hand.flight().kind, RequestKind::kAcquire);
}

void OlderContendersTest::a4xBornExpiredGrantWaitsForItsTtl() {
  Hand hand(Behaviour::k4x);
  hand.start();
  hand.pass(0s);
  hand.pass(8s);
  hand.answer(hand.self, 7s, 5);
  QCOMPARE(hand.callbacks, (Lines{"onAcquired >self", "onReleased self>"}));
  QCOMPARE(hand.delay(SimbaTimer::kContend), 5s);
}

void OlderContendersTest::a31HasNoWatchdogAndBelievesWhileTheCallHangs() {
  Hand hand(Behaviour::k31);
  hand.start_and_own();
  QVERIFY(!hand.armed(SimbaTimer::kWatchdog));
  hand.fire(SimbaTimer::kContend);
  hand.pass(60s);
  QVERIFY(hand.contender().believes());
  hand.fail(Ending::kUnknown);
  QVERIFY(!hand.contender().believes());
}

void OlderContendersTest::a31CountsFromTheReceipt() {
  Hand hand(Behaviour::k31);
  hand.start();
  hand.pass(0s);
  hand.pass(8s);
  hand.answer(hand.self, 7s, 5);
  QVERIFY(hand.contender().believes());
  const MutexOwner& owner = hand.contender().state().after;
  QCOMPARE(owner.transition_at, hand.now().wall + 7s);
  QCOMPARE(owner.ttl_at, hand.now().wall + 5s);
  QCOMPARE(owner.acquired_at, hand.now().wall);
}

void OlderContendersTest::a31StepsDownWhenARenewalFailsAndSitsOutATtl() {
  Hand hand(Behaviour::k31);
  hand.start_and_own();
  hand.fire(SimbaTimer::kContend);
  hand.forget();
  hand.fail(Ending::kFailed);
  QCOMPARE(hand.callbacks, Lines{"onReleased self>"});
  QCOMPARE(hand.delay(SimbaTimer::kContend), 5s);
  hand.fire(SimbaTimer::kContend);
  QCOMPARE(hand.flight().kind, RequestKind::kAcquire);
}

void OlderContendersTest::a31KnowsNoTokens() {
  for (const Behaviour behaviour : {Behaviour::k31, Behaviour::k30}) {
    Hand hand(behaviour);
    hand.start();
    hand.fire(SimbaTimer::kContend);
    QCOMPARE(hand.flight().lease.wire, Wire::kTokenless);
  }
}

void OlderContendersTest::a31DecidesByItsBelief() {
  Hand hand(Behaviour::k31);
  hand.start_and_own();
  hand.message(StoreEventKind::kReleased, hand.other);
  hand.pass(0s);
  QVERIFY2(hand.flight().kind == RequestKind::kAcquire, "4.x would guard: it goes by the last reply");
  // Its own key answers, and it owns again without having renewed.
  hand.answer(hand.self, 6s);
  QVERIFY(hand.contender().believes());
}

void OlderContendersTest::a30NeverStepsDownOnFailureAndNeverAsksAgain() {
  Hand hand(Behaviour::k30);
  hand.start_and_own();
  hand.fire(SimbaTimer::kContend);
  hand.forget();
  hand.fail(Ending::kFailed);
  QCOMPARE(hand.only({"told", "arm", "send"}), Lines{});
  hand.pass(1h);
  QVERIFY(hand.contender().believes());
  QCOMPARE(hand.only({"told", "arm", "send"}), Lines{});
}

void OlderContendersTest::a30RenewsWithTheTtlOnly() {
  const auto guard_lease = [](Behaviour behaviour) {
    Hand hand(behaviour);
    hand.start_and_own();
    hand.fire(SimbaTimer::kContend);
    return hand.flight().lease.length;
  };
  QCOMPARE(guard_lease(Behaviour::k30), 5s);
  QCOMPARE(guard_lease(Behaviour::k31), 7s);
  QCOMPARE(guard_lease(Behaviour::k4x), 7s);
  // So from the second renewal on it renews every ttl - transition.
  Hand hand(Behaviour::k30);
  hand.start_and_own();
  hand.fire(SimbaTimer::kContend);
  hand.answer(hand.self, 5s);
  QCOMPARE(hand.delay(SimbaTimer::kContend), 3s);
}

void OlderContendersTest::noneOfThemStartsWithoutItsChannel() {
  for (const Behaviour behaviour : {Behaviour::k4x, Behaviour::k31, Behaviour::k30}) {
    Hand hand(behaviour);
    hand.start(Ending::kFailed);
    QCOMPARE(text(hand.contender().status()), std::string_view("INITIAL"));
    QCOMPARE(hand.refusals, Lines{"The store failed mutex:[m]"});
    QVERIFY(!hand.armed(SimbaTimer::kContend));
  }
}

void OlderContendersTest::noTransitionRenewsAtTheMomentOfExpiry() {
  const auto flat = [](SimbaConfig& config) { config.terms.transition = 0s; };
  Hand newer(Behaviour::k4x, flat);
  newer.start_and_own(1, 0ms);
  QCOMPARE(newer.delay(SimbaTimer::kContend), newer.delay(SimbaTimer::kWatchdog));
  Hand waiter(Behaviour::k31, flat);
  waiter.start();
  for (int i = 0; i < 100; ++i) {
    waiter.fire(SimbaTimer::kContend);
    waiter.answer(waiter.other, 3s);
    QVERIFY2(waiter.delay(SimbaTimer::kContend) >= 3s, "with no transition nobody is early");
  }
}

LEASESCOPE_SUITE(OlderContendersTest)
#include "older_contenders_test.moc"
