// Stopping: who is told what, in which order, and what happens to calls and callbacks that are still under way.
#include "tests/support/hand.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace std::chrono_literals;
using leasescope::tests::Hand;
using Lines = std::vector<std::string>;

class ContenderStopTest : public QObject {
  Q_OBJECT
 private slots:
  void theDefaultStopsTheWorkBeforeTheLockIsFree();
  void theOlderOnesFreeTheLockBeforeTheyTell_data();
  void theOlderOnesFreeTheLockBeforeTheyTell();
  void aWaiterHasNothingToReleaseAndNothingToTell();
  void timersOfAStoppedContenderDoNothing();
  void aStopWaitsForARunningOnAcquired();
  void whileAStopWaitsTheLeaseIsRenewedAndGuarded();
  void aWatchdogEndsTheBeliefWhileAStopWaits();
  void a4xStopDoesNotWait();
  void anOnAcquiredThatReturnsInTimeDelaysNothing();
  void aLateAcquireAfterTheStopIsReleased();
  void aLateAcquireOfAnEarlierLifeIsNotReleasedUnderTheNextOne();
  void aStopWaitsForTheAcquireUnderWayAndReleasesItsTerm();
  void aStopAfterAnAcquireWithoutAnswerAsksWhichTermThereIs();
  void aStopThatGetsNoAnswerToThatAsksAgain();
  void aStopInDoubtLastsNoLongerThanTheTermCould();
  void aStopLeavesTheTermOfAnotherProcessOfItsId();
  void whileItStopsItTakesNothingAnew();
  void aStopWaitsForTheLastWriteAndRenewsMeanwhile();
  void aStopWaitsForTheLastWriteNoLongerThanTheLeaseIsHeld();
  void workThatHasEndedDelaysNoStop();
  void aCloseWhileItStartsIsRememberedUntilItRuns();
  void aStoppedContenderStartsAgain();
  void closeIsToleratedFrom32On();
  void aReleaseWithoutAnswerStillEndsTheStop();
};

void ContenderStopTest::theDefaultStopsTheWorkBeforeTheLockIsFree() {
  Hand hand(Behaviour::kLeasescope);
  hand.start_and_own();
  hand.forget();
  hand.input(Stop{});
  QCOMPARE(hand.only({"told", "send release"}), (Lines{"told self>", "send release"}));
  QVERIFY(!hand.contender().believes());
  QCOMPARE(text(hand.contender().status()), std::string_view("STOPPING"));
  hand.answer_kind(RequestKind::kRelease, Ending::kOk);
  QCOMPARE(text(hand.contender().status()), std::string_view("INITIAL"));
  QCOMPARE(hand.callbacks, Lines{"onReleased self>"});
}

void ContenderStopTest::theOlderOnesFreeTheLockBeforeTheyTell_data() {
  QTest::addColumn<int>("behaviour");
  for (const Behaviour behaviour : {Behaviour::k4x, Behaviour::k31, Behaviour::k30})
    QTest::newRow(text(behaviour).data()) << static_cast<int>(behaviour);
}

void ContenderStopTest::theOlderOnesFreeTheLockBeforeTheyTell() {
  QFETCH(int, behaviour);
  Hand hand(static_cast<Behaviour>(behaviour));
  hand.start_and_own();
  hand.forget();
  hand.input(Stop{});
  QCOMPARE(hand.only({"told", "send release"}), Lines{"send release"});
  QVERIFY2(hand.contender().believes(), "between the release and the notification two may believe");
  hand.answer_kind(RequestKind::kRelease, Ending::kOk);
  QCOMPARE(hand.callbacks, Lines{"onReleased self>"});
  QVERIFY(!hand.contender().believes());
}

void ContenderStopTest::aWaiterHasNothingToReleaseAndNothingToTell() {
  Hand hand(Behaviour::kLeasescope);
  hand.start();
  hand.forget();
  hand.stop();
  QCOMPARE(hand.only({"send", "told"}), Lines{"send unsubscribe"});
  QCOMPARE(text(hand.contender().status()), std::string_view("INITIAL"));
}

void ContenderStopTest::timersOfAStoppedContenderDoNothing() {
  for (const Behaviour behaviour : {Behaviour::kLeasescope, Behaviour::k4x, Behaviour::k31}) {
    Hand hand(behaviour);
    hand.start_and_own();
    hand.stop();
    hand.forget();
    QVERIFY(!hand.armed(SimbaTimer::kContend));
    QVERIFY(!hand.armed(SimbaTimer::kWatchdog));
    hand.input(TimerFired{SimbaTimer::kContend});
    hand.input(TimerFired{SimbaTimer::kWatchdog});
    QCOMPARE(hand.log, Lines{});
  }
}

namespace {

void reports(SimbaConfig& config) { config.reports_callbacks = true; }
void works(SimbaConfig& config) { config.reports_work = true; }

}  // namespace

void ContenderStopTest::aStopWaitsForARunningOnAcquired() {
  Hand hand(Behaviour::kLeasescope, reports);
  hand.start_and_own();
  hand.forget();
  hand.input(Stop{});
  QCOMPARE(hand.log, Lines{});
  QCOMPARE(text(hand.contender().status()), std::string_view("STOPPING"));
  QVERIFY(hand.contender().believes());
  hand.input(Stop{});
  QCOMPARE(hand.refusals, Lines{"Cannot stop mutex:[m] from state:[STOPPING]. Expected:[RUNNING]"});
  hand.input(CallbackDone{});
  QCOMPARE(hand.only({"told", "send release"}), (Lines{"told self>", "send release"}));
  hand.answer_kind(RequestKind::kRelease, Ending::kOk);
  QCOMPARE(text(hand.contender().status()), std::string_view("INITIAL"));
}

void ContenderStopTest::whileAStopWaitsTheLeaseIsRenewedAndGuarded() {
  Hand hand(Behaviour::kLeasescope, reports);
  hand.start_and_own();
  hand.input(Stop{});
  for (int renewal = 0; renewal < 3; ++renewal) {
    hand.fire(SimbaTimer::kContend);
    QCOMPARE(hand.flight().kind, RequestKind::kGuard);
    hand.answer(hand.self, 7s, 33);
    QVERIFY(hand.contender().believes());
  }
}

void ContenderStopTest::aWatchdogEndsTheBeliefWhileAStopWaits() {
  Hand hand(Behaviour::kLeasescope, reports);
  hand.start_and_own();
  hand.input(Stop{});
  hand.pass(7s);
  QCOMPARE(hand.callbacks, (Lines{"onAcquired >self", "onReleased self>"}));
  hand.input(CallbackDone{});
  QVERIFY(hand.answer_kind(RequestKind::kRelease, Ending::kOk));
  QCOMPARE(hand.callbacks.size(), std::size_t{2});
  QCOMPARE(text(hand.contender().status()), std::string_view("INITIAL"));
}

void ContenderStopTest::a4xStopDoesNotWait() {
  Hand hand(Behaviour::k4x, reports);
  hand.start_and_own();
  hand.forget();
  hand.input(Stop{});
  QCOMPARE(hand.only({"send release"}).size(), std::size_t{1});
}

void ContenderStopTest::anOnAcquiredThatReturnsInTimeDelaysNothing() {
  Hand hand(Behaviour::kLeasescope, reports);
  hand.start_and_own();
  hand.input(CallbackDone{});
  hand.forget();
  hand.input(Stop{});
  QCOMPARE(hand.only({"send release"}).size(), std::size_t{1});
}

void ContenderStopTest::aLateAcquireAfterTheStopIsReleased() {
  for (const Behaviour behaviour : {Behaviour::k4x, Behaviour::k31}) {
    Hand hand(behaviour);
    hand.start();
    hand.pass(0s);
    hand.stop();
    hand.forget();
    hand.answer(hand.self, 7s, 33);
    QCOMPARE(hand.log, Lines{"send release"});
    QVERIFY(!hand.contender().believes());
    hand.answer_kind(RequestKind::kRelease, Ending::kOk);
    QCOMPARE(text(hand.contender().status()), std::string_view("INITIAL"));
  }
}

// Only the answer tells which term the release has to name.
void ContenderStopTest::aStopWaitsForTheAcquireUnderWayAndReleasesItsTerm() {
  Hand hand(Behaviour::kLeasescope);
  hand.start();
  hand.pass(0s);
  hand.input(Stop{});
  hand.forget();
  hand.answer(hand.self, 7s, 33);
  QCOMPARE(hand.only({"send", "told"}), (Lines{"send release", "send unsubscribe"}));
  QCOMPARE(hand.sent.front().lease.term, Token{33});
  QVERIFY(!hand.contender().believes());
  hand.answer_kind(RequestKind::kRelease, Ending::kOk);
  QCOMPARE(text(hand.contender().status()), std::string_view("INITIAL"));
}

// The acquire may have been executed: a guard that names no term renews nothing and is told which one there is.
void ContenderStopTest::aStopAfterAnAcquireWithoutAnswerAsksWhichTermThereIs() {
  Hand hand(Behaviour::kLeasescope);
  hand.start();
  hand.pass(0s);
  hand.fail(Ending::kUnknown);
  hand.forget();
  hand.input(Stop{});
  QCOMPARE(hand.only({"send"}), Lines{"send guard"});
  QCOMPARE(hand.flight().lease.term, kNoToken);
  hand.answer_another_term(6s, 41);
  QCOMPARE(hand.only({"send"}), (Lines{"send guard", "send release", "send unsubscribe"}));
  QCOMPARE(hand.sent[1].lease.term, Token{41});
  QCOMPARE(hand.callbacks, Lines{});
}

// The line of a call that timed out is given up, so that the next one is "not connected" at first.
void ContenderStopTest::aStopThatGetsNoAnswerToThatAsksAgain() {
  Hand hand(Behaviour::kLeasescope);
  hand.start();
  hand.pass(0s);
  hand.input(Stop{});
  hand.forget();
  hand.pass(1s);
  hand.fail(Ending::kUnknown);
  QVERIFY(hand.in_flight());
  hand.fail(Ending::kFailed);
  hand.pass(200ms);
  QVERIFY(hand.in_flight());
  hand.fail(Ending::kUnknown);
  hand.pass(200ms);
  QVERIFY(hand.in_flight());
  QCOMPARE(hand.only({"send"}), (Lines{"send guard", "send guard", "send guard"}));
  hand.answer_another_term(5s, 41);
  QCOMPARE(hand.only({"send"}).size(), std::size_t{5});
  QCOMPARE(hand.sent[3].kind, RequestKind::kRelease);
  QCOMPARE(hand.sent[3].lease.term, Token{41});
}

void ContenderStopTest::aStopInDoubtLastsNoLongerThanTheTermCould() {
  Hand hand(Behaviour::kLeasescope);
  hand.start();
  hand.pass(0s);
  const SteadyTime sent = hand.now().steady;
  hand.pass(1s);
  hand.fail(Ending::kUnknown);
  hand.forget();
  hand.input(Stop{});
  for (int i = 0; hand.contender().status() == Status::kStopping; ++i) {
    QVERIFY(i < 200);
    if (hand.in_flight()) hand.fail(Ending::kFailed);
    hand.pass(50ms);
  }
  QVERIFY(hand.now().steady >= sent + Hand::usual_terms().lease());
  QVERIFY(hand.now().steady < sent + Hand::usual_terms().lease() + 200ms);
  QCOMPARE(hand.only({"send release"}), Lines{});
  QCOMPARE(hand.only({"send unsubscribe"}).size(), std::size_t{1});
  QVERIFY(hand.only({"send guard"}).size() > 20);
}

// Two processes with one id: what the other has begun meanwhile is its own to release.
void ContenderStopTest::aStopLeavesTheTermOfAnotherProcessOfItsId() {
  Hand hand(Behaviour::kLeasescope, reports);
  hand.start_and_own();
  hand.input(Stop{});
  hand.fire(SimbaTimer::kContend);
  hand.forget();
  hand.answer_another_term(6s, 34);  // while on_acquired still runs
  hand.input(CallbackDone{});
  QCOMPARE(hand.only({"send"}), Lines{"send unsubscribe"});
  QCOMPARE(text(hand.contender().status()), std::string_view("INITIAL"));
}

// Asked to stop at 1 s, it was the owner again at 17 s.
void ContenderStopTest::whileItStopsItTakesNothingAnew() {
  Hand hand(Behaviour::kLeasescope, reports);
  hand.start_and_own();
  hand.input(Stop{});
  hand.fire(SimbaTimer::kContend);
  hand.forget();
  hand.answer(hand.other, 6s, 34);  // the lease was lost while on_acquired still runs
  hand.pass(60s);
  QCOMPARE(hand.only({"send"}), Lines{});
  hand.input(CallbackDone{});
  QCOMPARE(hand.only({"send"}), Lines{"send unsubscribe"});
  QCOMPARE(hand.callbacks, Lines{"onReleased self>other"});
}

// Sixteen stale writes in three hundred plain stops.
void ContenderStopTest::aStopWaitsForTheLastWriteAndRenewsMeanwhile() {
  Hand hand(Behaviour::kLeasescope, works);
  hand.start_and_own();
  hand.forget();
  hand.input(Stop{});
  QCOMPARE(hand.callbacks, Lines{"onReleased self>"});
  QVERIFY2(!hand.contender().believes(), "nothing new is begun");
  QCOMPARE(hand.only({"send"}), Lines{});
  hand.fire(SimbaTimer::kContend);
  QCOMPARE(hand.flight().kind, RequestKind::kGuard);
  hand.answer(hand.self, 7s, 33);
  QVERIFY(!hand.contender().believes());
  hand.forget();
  hand.input(WorkDone{});
  QCOMPARE(hand.only({"send"}), (Lines{"send release", "send unsubscribe"}));
}

void ContenderStopTest::aStopWaitsForTheLastWriteNoLongerThanTheLeaseIsHeld() {
  Hand hand(Behaviour::kLeasescope, works);
  hand.start_and_own();
  hand.input(Stop{});
  hand.fire(SimbaTimer::kContend);
  hand.forget();
  hand.answer(hand.other, 6s, 34);
  QCOMPARE(hand.only({"send"}), Lines{"send unsubscribe"});
  Hand silent(Behaviour::kLeasescope, works);
  silent.start_and_own();
  silent.input(Stop{});
  silent.forget();
  silent.pass(7s);
  QVERIFY(!silent.only({"send release"}).empty());
}

void ContenderStopTest::workThatHasEndedDelaysNoStop() {
  Hand hand(Behaviour::kLeasescope, works);
  hand.start_and_own();
  hand.on_told = [&](const MutexState& state) {
    if (state.is_released(hand.self)) hand.input(WorkDone{});
  };
  hand.fire(SimbaTimer::kContend);
  hand.answer(hand.other, 6s, 34);
  hand.forget();
  hand.input(Stop{});
  QCOMPARE(hand.only({"send"}), Lines{"send unsubscribe"});
}

// It was lost without a word.
void ContenderStopTest::aCloseWhileItStartsIsRememberedUntilItRuns() {
  for (const Behaviour behaviour : {Behaviour::kLeasescope, Behaviour::k4x}) {
    Hand hand(behaviour);
    hand.input(Start{});
    hand.input(Close{});
    QVERIFY(hand.refusals.empty());
    hand.answer_kind(RequestKind::kSubscribe, Ending::kOk);
    hand.answer_kind(RequestKind::kRelease, Ending::kOk);
    QCOMPARE(text(hand.contender().status()), std::string_view("INITIAL"));
    QCOMPARE(hand.only({"send acquire"}), Lines{});
  }
}

void ContenderStopTest::aLateAcquireOfAnEarlierLifeIsNotReleasedUnderTheNextOne() {
  Hand hand(Behaviour::k4x);
  hand.start();
  hand.pass(0s);
  const Request late = hand.flight();
  hand.stop();
  hand.start();
  hand.forget();
  hand.input(Reply{late.id, late.kind, Ending::kOk, false, false, hand.mutex, hand.self, Name{}, 7s, 33});
  QCOMPARE(hand.log, Lines{});
  QVERIFY(!hand.contender().believes());
}

void ContenderStopTest::aStoppedContenderStartsAgain() {
  for (const Behaviour behaviour : {Behaviour::kLeasescope, Behaviour::k4x, Behaviour::k31, Behaviour::k30}) {
    Hand hand(behaviour);
    for (Token term = 1; term <= 3; ++term) {
      hand.start_and_own(term);
      QVERIFY(hand.contender().believes());
      QCOMPARE(hand.contender().token(), term);
      hand.pass(1s);
      hand.stop();
      QVERIFY(!hand.contender().believes());
      QCOMPARE(hand.contender().token(), kNoToken);
    }
    QCOMPARE(hand.callbacks.size(), std::size_t{6});
  }
}

void ContenderStopTest::closeIsToleratedFrom32On() {
  for (const Behaviour behaviour : {Behaviour::kLeasescope, Behaviour::k4x, Behaviour::k31, Behaviour::k30}) {
    Hand hand(behaviour);
    hand.input(Close{});
    const bool tolerant = behaviour == Behaviour::kLeasescope || behaviour == Behaviour::k4x;
    QCOMPARE(hand.refusals.empty(), tolerant);
    hand.refusals.clear();
    hand.start_and_own();
    hand.input(Close{});
    QVERIFY(hand.answer_kind(RequestKind::kRelease, Ending::kOk));
    QCOMPARE(text(hand.contender().status()), std::string_view("INITIAL"));
    QVERIFY(hand.refusals.empty());
  }
}

void ContenderStopTest::aReleaseWithoutAnswerStillEndsTheStop() {
  Hand hand(Behaviour::kLeasescope);
  hand.start_and_own();
  hand.stop(Ending::kUnknown);
  QCOMPARE(text(hand.contender().status()), std::string_view("INITIAL"));
  QVERIFY(hand.refusals.empty());
  hand.start_and_own();
  hand.stop(Ending::kFailed);
  QCOMPARE(text(hand.contender().status()), std::string_view("INITIAL"));
  QCOMPARE(hand.refusals, Lines{"The store failed mutex:[m]"});
}

LEASESCOPE_SUITE(ContenderStopTest)
#include "contender_stop_test.moc"
