// Waiting in a line (WakeUp::kHandOver): the message of a release is a grant, and belief counts from what the waiter
// knows itself. ttl 5 s, transition 2 s: the lease is 7 s, the margin 72 ms, a place is taken again after a second.
#include "tests/support/hand.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace std::chrono_literals;
using leasescope::tests::Hand;
using Lines = std::vector<std::string>;

class HandOverTest : public QObject {
  Q_OBJECT
 private slots:
  void aWaiterTakesItsPlaceAgainEverySecond();
  void aMessageIsTheGrantAndAGuardGoesOutAtOnce();
  void beliefCountsFromTheLastCallThatWasAnsweredWait();
  void aRefreshThatWasNotAnsweredDoesNotMoveTheDeadline();
  void aMessageThatComesTooLateGivesNoBeliefAndIsAskedAbout();
  void aMessageOlderThanALaterAnswerIsIgnored();
  void aMessageDuringACallIsJudgedByItsAnswer();
  void aMessageDuringACallThatKnewOfItIsIgnored();
  void aMessageDuringACallThatFailsIsBelieved();
  void aMessageBeforeAnyAnswerIsNone();
  void whoHoldsIsNotMovedByAMessage();
  void aRefusedGuardEndsTheBeliefAndTakesAPlace();
  void aStoppingWaiterLeavesTheLineBeforeTheChannel();
  void whoHasLostATermBeforeLeavesTheLineWithoutNamingIt();
  void whatAStoppingWaiterWasGrantedIsGivenBack();
  void aStopAsksAgainWhileItMayHaveBeenGranted();
  void whoComesFirstWakesAtTheEndOfTheLease();
  void whoComesFirstAsksAgainAMomentLater();
  void byBroadcastAMessageOfAGrantSaysNothing();
  void theOlderGenerationsKnowNoLine();
};

namespace {

constexpr Duration kMargin = 70ms + 2ms;

Hand waiter(WakeUp mode = WakeUp::kHandOver) {
  return Hand(Behaviour::kLeasescope, [mode](SimbaConfig& config) { config.wake_up = mode; });
}

// It has asked at that moment, and was told 10 ms later.
SteadyTime begin_waiting(Hand& hand, Token counter = 5, Duration remaining = 6s) {
  hand.start();
  hand.pass(0s);
  const SteadyTime sent = hand.now().steady;
  hand.pass(10ms);
  hand.answer_wait(remaining, counter);
  return sent;
}

}  // namespace

void HandOverTest::aWaiterTakesItsPlaceAgainEverySecond() {
  Hand hand = waiter();
  begin_waiting(hand);
  QCOMPARE(hand.sent.back().lease.wake_up, WakeUp::kHandOver);
  QCOMPARE(hand.delay(SimbaTimer::kContend), 1s);
  hand.pass(1s);
  QCOMPARE(hand.flight().kind, RequestKind::kAcquire);
  // Of a lease so short a second would be too long.
  Hand brief(Behaviour::kLeasescope, [](SimbaConfig& config) {
    config.wake_up = WakeUp::kHandOver;
    config.terms.ttl = 700ms;
    config.terms.transition = 100ms;
  });
  begin_waiting(brief, 5, 700ms);
  QVERIFY(brief.delay(SimbaTimer::kContend) <= 200ms);
}

void HandOverTest::aMessageIsTheGrantAndAGuardGoesOutAtOnce() {
  Hand hand = waiter();
  begin_waiting(hand);
  hand.pass(300ms);
  hand.forget();
  hand.hand_over(6);
  QVERIFY(hand.contender().believes());
  QCOMPARE(hand.contender().token(), Token{6});
  QCOMPARE(hand.callbacks, Lines{"onAcquired other>self"});
  QCOMPARE(hand.sent.size(), std::size_t{1});
  QCOMPARE(hand.sent.front().kind, RequestKind::kGuard);
  QCOMPARE(hand.sent.front().lease.term, Token{6});
  hand.pass(10ms);
  hand.answer(hand.self, 7s, 6);
  QCOMPARE(hand.delay(SimbaTimer::kWatchdog), 7s - 10ms - kMargin);
  QCOMPARE(hand.callbacks.size(), std::size_t{1});
}

void HandOverTest::beliefCountsFromTheLastCallThatWasAnsweredWait() {
  Hand hand = waiter();
  const SteadyTime sent = begin_waiting(hand);
  hand.pass(900ms);
  hand.hand_over(6);
  QCOMPARE(hand.contender().owned_until(), sent + 7s - kMargin);
  QCOMPARE(hand.now().steady + hand.delay(SimbaTimer::kWatchdog), sent + 7s - kMargin);
}

void HandOverTest::aRefreshThatWasNotAnsweredDoesNotMoveTheDeadline() {
  Hand hand = waiter();
  const SteadyTime sent = begin_waiting(hand);
  hand.pass(1s);
  hand.pass(200ms);
  hand.fail(Ending::kFailed);
  hand.hand_over(6);
  QCOMPARE(hand.contender().owned_until(), sent + 7s - kMargin);
}

void HandOverTest::aMessageThatComesTooLateGivesNoBeliefAndIsAskedAbout() {
  Hand hand = waiter();
  begin_waiting(hand);
  hand.pause(8s);
  hand.forget();
  hand.hand_over(6);
  QVERIFY(!hand.contender().believes());
  QCOMPARE(hand.callbacks, Lines{});
  QCOMPARE(hand.flight().kind, RequestKind::kGuard);
  QCOMPARE(hand.flight().lease.term, Token{6});
  hand.answer(hand.self, 7s, 6);
  QVERIFY(hand.contender().believes());
}

void HandOverTest::aMessageOlderThanALaterAnswerIsIgnored() {
  Hand hand = waiter();
  begin_waiting(hand, 7);
  hand.forget();
  hand.hand_over(6);
  hand.hand_over(7);
  QVERIFY(!hand.contender().believes());
  QCOMPARE(hand.log, Lines{});
}

void HandOverTest::aMessageDuringACallIsJudgedByItsAnswer() {
  Hand hand = waiter();
  begin_waiting(hand);
  hand.pass(1s);
  const SteadyTime sent = hand.now().steady;
  hand.forget();
  hand.hand_over(6);
  QCOMPARE(hand.log, Lines{});
  hand.pass(10ms);
  hand.answer_wait(5s, 5);  // it had been asked before the grant
  QVERIFY(hand.contender().believes());
  QCOMPARE(hand.contender().token(), Token{6});
  QCOMPARE(hand.contender().owned_until(), sent + 7s - kMargin);
  QCOMPARE(hand.flight().kind, RequestKind::kGuard);
}

void HandOverTest::aMessageDuringACallThatKnewOfItIsIgnored() {
  Hand hand = waiter();
  begin_waiting(hand);
  hand.pass(1s);
  hand.hand_over(6);
  hand.answer(hand.self, 6s, 7);  // a new term in the one that was handed over
  QCOMPARE(hand.contender().token(), Token{7});
  Hand late = waiter();
  begin_waiting(late);
  late.pass(1s);
  late.hand_over(6);
  late.answer_wait(5s, 6);
  QVERIFY(!late.contender().believes());
}

void HandOverTest::aMessageDuringACallThatFailsIsBelieved() {
  Hand hand = waiter();
  const SteadyTime sent = begin_waiting(hand);
  hand.pass(1s);
  hand.hand_over(6);
  hand.fail(Ending::kUnknown);
  QVERIFY(hand.contender().believes());
  QCOMPARE(hand.contender().owned_until(), sent + 7s - kMargin);
  QCOMPARE(hand.flight().kind, RequestKind::kGuard);
}

void HandOverTest::aMessageBeforeAnyAnswerIsNone() {
  Hand hand = waiter();
  hand.start();
  hand.hand_over(6);
  QVERIFY(!hand.contender().believes());
  hand.pass(0s);
  hand.fail(Ending::kUnknown);
  QVERIFY(!hand.contender().believes());
  hand.fire(SimbaTimer::kContend);
  hand.answer_wait(5s, 6);
  QVERIFY(!hand.contender().believes());
}

void HandOverTest::whoHoldsIsNotMovedByAMessage() {
  Hand hand = waiter();
  hand.start_and_own(33);
  hand.forget();
  hand.hand_over(34);
  hand.hand_over(20);
  QCOMPARE(hand.log, Lines{});
  QCOMPARE(hand.contender().token(), Token{33});
}

void HandOverTest::aRefusedGuardEndsTheBeliefAndTakesAPlace() {
  Hand hand = waiter();
  begin_waiting(hand);
  hand.hand_over(6);
  hand.forget();
  hand.answer_wait(7s, 7);
  QCOMPARE(hand.callbacks, Lines{"onReleased self>other"});
  hand.pass(0s);
  QCOMPARE(hand.flight().kind, RequestKind::kAcquire);
}

void HandOverTest::aStoppingWaiterLeavesTheLineBeforeTheChannel() {
  Hand hand = waiter();
  begin_waiting(hand);
  hand.forget();
  hand.input(Stop{});
  QCOMPARE(hand.only({"send"}), Lines{"send guard"});
  QCOMPARE(hand.flight().lease.term, kNoToken);
  hand.answer_wait(5s, 5);
  QCOMPARE(hand.only({"send"}), (Lines{"send guard", "send unsubscribe"}));
  QCOMPARE(hand.contender().status(), Status::kInitial);
}

void HandOverTest::whoHasLostATermBeforeLeavesTheLineWithoutNamingIt() {
  Hand hand = waiter();
  hand.start_and_own(33);
  hand.fire(SimbaTimer::kContend);
  hand.answer_wait(7s, 34);  // the guard is refused
  hand.pass(0s);
  hand.answer_wait(6s, 34);
  hand.input(Stop{});
  QCOMPARE(hand.flight().kind, RequestKind::kGuard);
  QCOMPARE(hand.flight().lease.term, kNoToken);
}

void HandOverTest::whatAStoppingWaiterWasGrantedIsGivenBack() {
  Hand hand = waiter();
  begin_waiting(hand);
  hand.input(Stop{});
  hand.hand_over(6);  // too late to be of use
  QVERIFY(!hand.contender().believes());
  hand.forget();
  hand.answer_another_term(7s, 6);
  QCOMPARE(hand.only({"send"}), (Lines{"send release", "send unsubscribe"}));
  QCOMPARE(hand.sent.front().lease.term, Token{6});
  QVERIFY(hand.answer_kind(RequestKind::kRelease, Ending::kOk));
  QCOMPARE(hand.contender().status(), Status::kInitial);
  QCOMPARE(hand.callbacks, Lines{});
}

void HandOverTest::aStopAsksAgainWhileItMayHaveBeenGranted() {
  Hand hand = waiter();
  begin_waiting(hand);
  hand.input(Stop{});
  int asked = 0;
  for (; hand.in_flight() && asked < 100; ++asked) {
    hand.pass(1s);
    hand.fail(Ending::kUnknown);
    if (hand.armed(SimbaTimer::kContend)) hand.fire(SimbaTimer::kContend);
  }
  QVERIFY(asked > 5);  // the place lasts for 1.5 s, and then a grant for 7 s
  QVERIFY(asked < 12);
  QCOMPARE(hand.contender().status(), Status::kInitial);
}

void HandOverTest::whoComesFirstWakesAtTheEndOfTheLease() {
  for (const WakeUp mode : {WakeUp::kHandOver, WakeUp::kQueue}) {
    Hand hand = waiter(mode);
    hand.start();
    hand.pass(0s);
    hand.pass(10ms);
    hand.answer_wait(800ms, 5, true);
    // The earliest end there may be, counted from the moment of sending, and what a store's rounding may add.
    QCOMPARE(hand.delay(SimbaTimer::kContend), 800ms - 10ms + 1ms);
  }
}

void HandOverTest::whoComesFirstAsksAgainAMomentLater() {
  Hand hand = waiter();
  hand.start();
  hand.pass(0s);
  hand.pass(10ms);
  hand.answer_wait(0s, 5, true);
  QCOMPARE(hand.delay(SimbaTimer::kContend), 1ms);
}

void HandOverTest::byBroadcastAMessageOfAGrantSaysNothing() {
  for (const WakeUp mode : {WakeUp::kBroadcast, WakeUp::kQueue}) {
    Hand hand = waiter(mode);
    begin_waiting(hand);
    hand.forget();
    hand.hand_over(6);
    QCOMPARE(hand.log, Lines{});
    hand.input(Stop{});
    QCOMPARE(hand.only({"send"}), Lines{"send unsubscribe"});
  }
}

void HandOverTest::theOlderGenerationsKnowNoLine() {
  ContenderSetting setting;
  setting.behaviour = Behaviour::k4x;
  setting.wake_up = WakeUp::kHandOver;
  QCOMPARE(SimbaContender::make(setting, {}, {}).config().wake_up, WakeUp::kBroadcast);
  setting.behaviour = Behaviour::kLeasescope;
  QCOMPARE(SimbaContender::make(setting, {}, {}).config().wake_up, WakeUp::kHandOver);
}

LEASESCOPE_SUITE(HandOverTest)
#include "hand_over_test.moc"
