// The default behaviour: the 4.x wire made firm. ttl 5 s, transition 2 s: the lease is 7 s, the margin 72 ms.
#include "tests/support/hand.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace std::chrono_literals;
using leasescope::tests::Hand;
using Lines = std::vector<std::string>;

class DefaultContenderTest : public QObject {
  Q_OBJECT
 private slots:
  void aStartSubscribesAndThenContendsAtOnce();
  void theInitialDelayPutsOffTheFirstAttempt();
  void itRenewsATtlAfterItSent();
  void aRenewalIsNotToldToTheApplication();
  void aRenewalMovesTheDeadline();
  void itKeepsOwnershipAndRetriesWhileTheLeaseLasts();
  void theWatchdogStepsDownAtSendPlusLeaseMinusMargin();
  void aWatchdogFiredTooEarlyIsArmedForWhatIsLeft();
  void aWallClockStepDoesNotMoveTheWatchdog();
  void aLateSuccessAfterTheWatchdogRestoresOwnership();
  void aGrantThatIsOverAlreadyIsNotToldAndRenewedAtOnce();
  void aGuardThatNamesAnotherEndsTheBelief();
  void aWaiterWakesAtTheEndOfTheTransitionPlusJitter();
  void aWaiterThatFindsNobodyContendsAtOnce();
  void aLeaseWithoutEndIsPolledOnceATtl();
  void aFailedAttemptOfAWaiterIsRetriedWithinASecond();
  void twoContendersDrawTheirOwnJitter();
};

namespace {

constexpr Duration kMargin = 70ms + 2ms;

}  // namespace

void DefaultContenderTest::aStartSubscribesAndThenContendsAtOnce() {
  Hand hand(Behaviour::kLeasescope);
  hand.start();
  QCOMPARE(hand.log, (Lines{"note started", "send subscribe", "arm contend 0s"}));
  hand.pass(0s);
  QVERIFY(hand.in_flight());
  const Request& call = hand.flight();
  QCOMPARE(call.kind, RequestKind::kAcquire);
  QCOMPARE(call.lease.wire, Wire::kTerm);
  QCOMPARE(call.contender, hand.self);
  QCOMPARE(call.mutex, hand.mutex);
  QCOMPARE(call.lease.ttl, 5s);
  QCOMPARE(call.lease.length, 7s);
  QCOMPARE(call.timeout, 1s);
}

void DefaultContenderTest::theInitialDelayPutsOffTheFirstAttempt() {
  Hand hand(Behaviour::kLeasescope, [](SimbaConfig& config) { config.initial_delay = 3s; });
  hand.start();
  hand.pass(3s - 1ns);
  QVERIFY(!hand.in_flight());
  hand.pass(1ns);
  QVERIFY(hand.in_flight());
}

void DefaultContenderTest::itRenewsATtlAfterItSent() {
  Hand hand(Behaviour::kLeasescope);
  hand.start_and_own();
  QCOMPARE(hand.callbacks, Lines{"onAcquired >self"});
  QCOMPARE(hand.contender().token(), Token{33});
  // From the moment of sending, as the deadline, and not from the answer 10 ms later.
  QCOMPARE(hand.delay(SimbaTimer::kContend), 5s - 10ms);
  hand.pass(5s - 10ms);
  QCOMPARE(hand.flight().kind, RequestKind::kGuard);
  QCOMPARE(hand.flight().lease.length, 7s);
}

void DefaultContenderTest::aRenewalIsNotToldToTheApplication() {
  Hand hand(Behaviour::kLeasescope);
  hand.start_and_own();
  hand.forget();
  for (int renewal = 0; renewal < 3; ++renewal) {
    hand.fire(SimbaTimer::kContend);
    hand.answer(hand.self, 7s, 33);
  }
  QCOMPARE(hand.only({"told", "note believed", "note disbelieved"}), Lines{});
  QVERIFY(hand.contender().believes());
}

void DefaultContenderTest::aRenewalMovesTheDeadline() {
  Hand hand(Behaviour::kLeasescope);
  hand.start_and_own();
  const SteadyTime first = hand.now().steady + hand.delay(SimbaTimer::kWatchdog);
  hand.fire(SimbaTimer::kContend);
  hand.answer(hand.self, 7s, 33);
  const SteadyTime second = hand.now().steady + hand.delay(SimbaTimer::kWatchdog);
  QCOMPARE(second - first, 5s);
}

void DefaultContenderTest::itKeepsOwnershipAndRetriesWhileTheLeaseLasts() {
  Hand hand(Behaviour::kLeasescope);
  hand.start_and_own();
  hand.fire(SimbaTimer::kContend);
  hand.forget();
  hand.pass(1s);  // the guard's time-out; 7 s - 5 s - 1 s - margin are left
  hand.fail(Ending::kUnknown);
  const Duration left = 7s - 5s - 1s - kMargin;
  QVERIFY(hand.contender().believes());
  QCOMPARE(hand.only({"told"}), Lines{});
  QCOMPARE(hand.delay(SimbaTimer::kContend), left / 2);
  hand.fire(SimbaTimer::kContend);
  QCOMPARE(hand.flight().kind, RequestKind::kGuard);
  hand.fail(Ending::kFailed);
  QCOMPARE(hand.delay(SimbaTimer::kContend), left / 4);
  hand.fire(SimbaTimer::kContend);
  hand.fail(Ending::kFailed);
  QCOMPARE(hand.delay(SimbaTimer::kContend), left / 8);
  hand.fire(SimbaTimer::kContend);
  hand.fail(Ending::kFailed);
  QVERIFY2(hand.delay(SimbaTimer::kContend) == 100ms,
           "never shorter than that: a store that fails is not to be stormed");
  hand.fire(SimbaTimer::kWatchdog);
  QCOMPARE(hand.callbacks, Lines{"onReleased self>"});
}

void DefaultContenderTest::theWatchdogStepsDownAtSendPlusLeaseMinusMargin() {
  Hand hand(Behaviour::kLeasescope);
  hand.start();
  hand.pass(0s);
  const SteadyTime sent = hand.now().steady;
  hand.pass(300ms);
  hand.answer(hand.self, 7s, 1);
  hand.fire(SimbaTimer::kContend);  // the guard hangs
  hand.forget();
  hand.pass(sent + 7s - kMargin - 1ns - hand.now().steady);
  QVERIFY(hand.contender().believes());
  hand.pass(1ns);
  QVERIFY(!hand.contender().believes());
  QCOMPARE(hand.log, (Lines{"note disbelieved", "told self>"}));
  QCOMPARE(int{hand.notes.front().detail}, int(DisbeliefReason::kWatchdog));
}

void DefaultContenderTest::aWatchdogFiredTooEarlyIsArmedForWhatIsLeft() {
  Hand hand(Behaviour::kLeasescope);
  hand.start_and_own();
  hand.forget();
  const Duration left = hand.delay(SimbaTimer::kWatchdog);  // a loop that cannot wait for so long fires early
  hand.input(TimerFired{SimbaTimer::kWatchdog});
  QCOMPARE(hand.only({"told", "note", "send"}), Lines{});
  QCOMPARE(hand.only({"arm watchdog"}).size(), std::size_t{1});
  QCOMPARE(hand.delay(SimbaTimer::kWatchdog), left);
  QVERIFY(hand.contender().believes());
}

void DefaultContenderTest::aWallClockStepDoesNotMoveTheWatchdog() {
  Hand hand(Behaviour::kLeasescope);
  hand.start();
  hand.pass(0s);
  hand.step_wall(-1h);
  hand.answer(hand.self, 7s, 1);
  QCOMPARE(hand.delay(SimbaTimer::kWatchdog), 7s - kMargin);
  hand.step_wall(2h);
  hand.fire(SimbaTimer::kContend);
  hand.answer(hand.self, 7s, 1);
  QCOMPARE(hand.delay(SimbaTimer::kWatchdog), 7s - kMargin);
}

void DefaultContenderTest::aLateSuccessAfterTheWatchdogRestoresOwnership() {
  Hand hand(Behaviour::kLeasescope);
  hand.start_and_own(33);
  hand.fire(SimbaTimer::kContend);
  hand.fire(SimbaTimer::kWatchdog);
  QVERIFY(!hand.contender().believes());
  hand.forget();
  hand.pass(200ms);
  hand.answer(hand.self, 7s, 33);  // the guard had been executed; its lease counts from its own sending
  QCOMPARE(hand.callbacks, Lines{"onAcquired >self"});
  QCOMPARE(hand.contender().token(), Token{33});
  QVERIFY(hand.armed(SimbaTimer::kWatchdog));
}

void DefaultContenderTest::aGrantThatIsOverAlreadyIsNotToldAndRenewedAtOnce() {
  Hand hand(Behaviour::kLeasescope);
  hand.start();
  hand.pass(0s);
  hand.forget();
  hand.pass(8s);
  hand.answer(hand.self, 7s, 5);
  QCOMPARE(hand.only({"note believed", "note disbelieved", "told"}), Lines{});
  QVERIFY(!hand.contender().believes());
  QVERIFY(!hand.armed(SimbaTimer::kWatchdog));
  hand.pass(0s);
  QVERIFY2(hand.flight().kind == RequestKind::kGuard, "the store may still hold the term for us");
  QCOMPARE(hand.flight().lease.term, Token{5});
  hand.answer(hand.self, 7s, 5);
  QVERIFY(hand.contender().believes());
}

void DefaultContenderTest::aGuardThatNamesAnotherEndsTheBelief() {
  Hand hand(Behaviour::kLeasescope);
  hand.start_and_own();
  hand.fire(SimbaTimer::kContend);
  hand.forget();
  hand.answer(hand.other, 6s, 34);
  QCOMPARE(hand.callbacks, Lines{"onReleased self>other"});
  QVERIFY(!hand.armed(SimbaTimer::kWatchdog));
  QVERIFY(hand.delay(SimbaTimer::kContend) >= 6s - 200ms);
  QVERIFY(hand.delay(SimbaTimer::kContend) < 7s);
  hand.fire(SimbaTimer::kContend);
  QCOMPARE(hand.flight().kind, RequestKind::kAcquire);
}

void DefaultContenderTest::aWaiterWakesAtTheEndOfTheTransitionPlusJitter() {
  Hand hand(Behaviour::kLeasescope);
  hand.start();
  Duration least = 1h, most = -1h;
  for (int i = 0; i < 20'000; ++i) {
    hand.fire(SimbaTimer::kContend);
    hand.answer(hand.other, 3s, 9);
    const Note& planned = hand.notes.back();
    QCOMPARE(planned.kind, EventKind::kWakeupPlanned);
    QCOMPARE(hand.delay(SimbaTimer::kContend), Duration(planned.a));
    QCOMPARE(planned.a - planned.b, Duration(3s).count());
    least = std::min(least, Duration(planned.b));
    most = std::max(most, Duration(planned.b));
    hand.forget();
  }
  QCOMPARE(least, -200ms);
  QCOMPARE(most, 999ms);
}

void DefaultContenderTest::aWaiterThatFindsNobodyContendsAtOnce() {
  Hand hand(Behaviour::kLeasescope);
  hand.start_and_own();
  hand.fire(SimbaTimer::kContend);
  hand.answer(Name{}, 0s);
  QVERIFY(!hand.contender().believes());
  QCOMPARE(hand.delay(SimbaTimer::kContend), 0s);
}

void DefaultContenderTest::aLeaseWithoutEndIsPolledOnceATtl() {
  Hand hand(Behaviour::kLeasescope);
  hand.start();
  hand.pass(0s);
  hand.answer(hand.other, -1ms);
  QCOMPARE(hand.delay(SimbaTimer::kContend), 5s);
}

void DefaultContenderTest::aFailedAttemptOfAWaiterIsRetriedWithinASecond() {
  Hand patient(Behaviour::kLeasescope);
  patient.start();
  patient.pass(0s);
  patient.fail(Ending::kFailed);
  QCOMPARE(patient.delay(SimbaTimer::kContend), 1s);
  Hand quick(Behaviour::kLeasescope, [](SimbaConfig& config) { config.terms.ttl = 300ms; });
  quick.start();
  quick.pass(0s);
  quick.fail(Ending::kUnknown);
  QCOMPARE(quick.delay(SimbaTimer::kContend), 300ms);
}

void DefaultContenderTest::twoContendersDrawTheirOwnJitter() {
  NameTable names;
  SimbaConfig config;
  config.id = names.intern("a");
  config.mutex = names.intern("m");
  const auto wakeups = [&](const char* name) {
    SimbaContender contender(config, RandomStream(7, name, "jitter"));
    std::vector<std::int64_t> out;
    Clocks now{WallTime(1h), SteadyTime(1s)};
    contender.step(Start{}, now);
    contender.step(
        Reply{1, RequestKind::kSubscribe, Ending::kOk, false, false, config.mutex, Name{}, Name{}, 0s, kNoToken}, now);
    for (std::uint64_t call = 2; call < 12; ++call) {
      contender.step(TimerFired{SimbaTimer::kContend}, now);
      const Reply reply{call,         RequestKind::kAcquire, Ending::kOk, false, false,
                        config.mutex, names.intern("b"),     Name{},      3s,    kNoToken};
      for (const Effect& effect : contender.step(reply, now))
        if (const Arm* arm = std::get_if<Arm>(&effect)) out.push_back(arm->delay.count());
    }
    return out;
  };
  QCOMPARE(wakeups("c-1").size(), std::size_t{10});
  QCOMPARE(wakeups("c-1"), wakeups("c-1"));
  QVERIFY(wakeups("c-1") != wakeups("c-2"));
}

LEASESCOPE_SUITE(DefaultContenderTest)
#include "default_contender_test.moc"
