// What the application is told when its executor is late or busy: whose belief waits for it, and what a stop waits for.
#include "core/simba/notifications.h"
#include "tests/support/hand.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace std::chrono_literals;
using leasescope::tests::Hand;
using Lines = std::vector<std::string>;

namespace {

void short_terms(SimbaConfig& config) {
  config.terms.ttl = 1s;
  config.terms.transition = 500ms;
}

void reports(SimbaConfig& config) { config.reports_callbacks = true; }

// The recording of late notifications: ttl 1 s, transition 0.5 s, everything 2.5 s late.
Hand late(Behaviour behaviour) {
  Hand hand(behaviour, short_terms);
  hand.input(ExecutorLate{2500ms});
  hand.start();
  hand.pass(0s);
  hand.answer(hand.self, 1500ms, 1);
  return hand;
}

// Owns, and its on_acquired has not returned.
Hand busy(Behaviour behaviour) {
  Hand hand(behaviour, reports);
  hand.start_and_own();
  hand.forget();
  return hand;
}

}  // namespace

class ApplicationToldTest : public QObject {
  Q_OBJECT
 private slots:
  // ---- a late executor
  void a4xOwnerRenewsBeforeItIsTold();
  void a31OwnerAcquiresOverAndOverUntilItIsTold();
  void aStormEndsWithItsNotification();
  void theDefaultKnowsAtOnceAndItsApplicationLate();
  void a31FailureBeforeTheNotificationTakesNothingBack();
  void onceTheExecutorIsInTimeEverythingIsToldAtOnce();
  void whatIsToldKeepsItsOrder();

  // ---- a callback that takes its time
  void theWatchdogsWordWaitsForTheCallback_data();
  void theWatchdogsWordWaitsForTheCallback();
  void a30HandsEverythingOverAtOnce();
  void renewalsDuringACallbackAreNotTold();
  void changesBetweenOthersAreOneLoss();
  void moreTurnsThanPlacesKeepTheLastWord();

  // ---- stopping meanwhile
  void a4xFreesTheLockAtOnceAndWaitsForItsOwnWord();
  void a31StopWaitsAndItsStatusDoesNotShowIt();
  void a31StopDropsWhatTheExecutorHasNotCome();
  void a30DoesNotWaitAndMayBelieveAfterwards();
  void a30GoesOnBelievingWhenItsReleaseFails();
  void theDefaultFreesTheLockOnlyWhenItsWorkHasBeenStopped();

  // ---- messages to 3.0
  void a30AcquiresOnTheThreadOfTheMessage();
  void aMessageBeginsADeadScheduleAnew();
};

void ApplicationToldTest::a4xOwnerRenewsBeforeItIsTold() {
  Hand hand = late(Behaviour::k4x);
  for (int renewal = 0; renewal < 2; ++renewal) {
    hand.fire(SimbaTimer::kContend);
    QCOMPARE(hand.flight().kind, RequestKind::kGuard);
    QVERIFY(!hand.contender().believes());
    hand.answer(hand.self, 1500ms, 1);
  }
  hand.pass(500ms - 1ns);
  QVERIFY(!hand.contender().believes());
  hand.pass(1ns);
  QCOMPARE(hand.callbacks, Lines{"onAcquired >self"});
  QCOMPARE(hand.contender().token(), Token(1));
}

void ApplicationToldTest::a31OwnerAcquiresOverAndOverUntilItIsTold() {
  Hand hand = late(Behaviour::k31);
  hand.forget();
  for (Duration left = 500ms; left > 0ms; left -= 1ms) {
    QCOMPARE(hand.delay(SimbaTimer::kContend), (left == 500ms ? Duration(1s) : Duration(0s)));
    hand.fire(SimbaTimer::kContend);
    QVERIFY2(hand.flight().kind == RequestKind::kAcquire, "which does not renew, and puts it into the queue");
    hand.pass(1ms);
    hand.answer(hand.self, left - 1ms);
  }
  QCOMPARE(hand.sent.size(), std::size_t{500});
  // The key has run out unrenewed: it wins once more, and is still not told.
  hand.fire(SimbaTimer::kContend);
  hand.answer(hand.self, 1500ms);
  QCOMPARE(hand.callbacks, Lines{});
  QCOMPARE(hand.delay(SimbaTimer::kContend), 1s);
}

void ApplicationToldTest::aStormEndsWithItsNotification() {
  Hand hand = late(Behaviour::k31);
  hand.fire(SimbaTimer::kContend);
  hand.answer(hand.self, 1500ms);
  hand.fire(SimbaTimer::kContend);
  hand.answer(hand.self, 490ms);
  hand.pass(0s);
  hand.pass(500ms);
  QCOMPARE(hand.callbacks, Lines{"onAcquired >self"});
  hand.answer(hand.self, 0ms);
  hand.pass(0s);
  QCOMPARE(hand.flight().kind, RequestKind::kGuard);
}

void ApplicationToldTest::theDefaultKnowsAtOnceAndItsApplicationLate() {
  Hand hand = late(Behaviour::kLeasescope);
  QVERIFY(hand.contender().believes());
  QCOMPARE(hand.callbacks, Lines{});
  hand.fire(SimbaTimer::kContend);
  QCOMPARE(hand.flight().kind, RequestKind::kGuard);
  hand.pass(485ms);  // the guard hangs: its watchdog does not wait for any executor
  QVERIFY(!hand.contender().believes());
  QCOMPARE(hand.callbacks, Lines{});
  hand.pass(3s);
  QCOMPARE(hand.callbacks, (Lines{"onAcquired >self", "onReleased self>"}));
}

void ApplicationToldTest::a31FailureBeforeTheNotificationTakesNothingBack() {
  Hand hand = late(Behaviour::k31);
  hand.fire(SimbaTimer::kContend);
  hand.fail(Ending::kFailed);
  hand.pass(1500ms);
  QCOMPARE(hand.callbacks, Lines{"onAcquired >self"});  // it was not owner, and so told nobody
}

void ApplicationToldTest::onceTheExecutorIsInTimeEverythingIsToldAtOnce() {
  for (const Behaviour behaviour : {Behaviour::kLeasescope, Behaviour::k4x, Behaviour::k31, Behaviour::k30}) {
    Hand hand(behaviour);
    hand.input(ExecutorLate{1s});
    hand.input(ExecutorLate{});
    hand.start_and_own();
    QCOMPARE(hand.callbacks, Lines{"onAcquired >self"});
    QVERIFY(!hand.armed(SimbaTimer::kExecutor));
  }
}

void ApplicationToldTest::whatIsToldKeepsItsOrder() {
  Hand hand = late(Behaviour::k31);
  hand.input(ExecutorLate{});
  hand.message(StoreEventKind::kReleased, hand.other);
  QCOMPARE(hand.callbacks, Lines{});
  hand.pass(2500ms);
  QCOMPARE(hand.callbacks, (Lines{"onAcquired >self", "onReleased self>"}));
}

void ApplicationToldTest::theWatchdogsWordWaitsForTheCallback_data() {
  QTest::addColumn<int>("behaviour");
  QTest::newRow("4.x") << static_cast<int>(Behaviour::k4x);
  QTest::newRow("3.1, whose renewal fails") << static_cast<int>(Behaviour::k31);
}

void ApplicationToldTest::theWatchdogsWordWaitsForTheCallback() {
  QFETCH(int, behaviour);
  Hand hand = busy(static_cast<Behaviour>(behaviour));
  hand.fire(SimbaTimer::kContend);
  hand.pass(2s);
  hand.fail(Ending::kFailed);
  QVERIFY2(hand.contender().believes(), "though its lease is over");
  hand.input(CallbackDone{});
  QVERIFY(!hand.contender().believes());
  QCOMPARE(hand.callbacks, Lines{"onReleased self>"});
}

void ApplicationToldTest::a30HandsEverythingOverAtOnce() {
  Hand hand = busy(Behaviour::k30);
  hand.message(StoreEventKind::kAcquired, hand.other);
  QCOMPARE(hand.callbacks, Lines{"onReleased self>other"});
}

void ApplicationToldTest::renewalsDuringACallbackAreNotTold() {
  for (const Behaviour behaviour : {Behaviour::k4x, Behaviour::k31}) {
    Hand hand = busy(behaviour);
    for (int renewal = 0; renewal < 20; ++renewal) {
      hand.fire(SimbaTimer::kContend);
      hand.answer(hand.self, 7s, 33);
    }
    hand.input(CallbackDone{});
    QCOMPARE(hand.callbacks, Lines{});
    QVERIFY(hand.contender().believes());
    QCOMPARE(hand.contender().state().after.transition_at, hand.now().wall + 7s);
  }
}

void ApplicationToldTest::changesBetweenOthersAreOneLoss() {
  Hand hand = busy(Behaviour::k4x);
  hand.message(StoreEventKind::kAcquired, hand.other);
  hand.message(StoreEventKind::kAcquired, hand.names.intern("third"));
  hand.input(CallbackDone{});
  QCOMPARE(hand.callbacks, Lines{"onReleased self>third"});
}

void ApplicationToldTest::moreTurnsThanPlacesKeepTheLastWord() {
  Notifications waiting(Name{1});
  const auto add = [&](std::uint32_t owner, Token token) {
    Notification next;
    next.owner = Name{owner};
    next.token = token;
    waiting.add(next);
  };
  for (Token turn = 1; turn <= 9; ++turn) add(turn % 2 == 0 ? 1 : 2, turn);  // lost, gained, … and lost at last
  std::vector<std::uint32_t> owners;
  Token last = 0;
  while (!waiting.empty()) {
    const Notification next = waiting.pop();
    owners.push_back(next.owner.handle);
    last = next.token;
  }
  QCOMPARE(owners, (std::vector<std::uint32_t>{2, 1, 2}));
  QCOMPARE(last, Token(9));
}

void ApplicationToldTest::a4xFreesTheLockAtOnceAndWaitsForItsOwnWord() {
  Hand hand = busy(Behaviour::k4x);
  hand.stop();
  QCOMPARE(hand.only({"send"}), (Lines{"send unsubscribe", "send release"}));
  QVERIFY(hand.contender().believes());
  QCOMPARE(text(hand.contender().status()), std::string_view("STOPPING"));
  hand.input(CallbackDone{});
  QCOMPARE(hand.callbacks, Lines{"onReleased self>"});
  QCOMPARE(text(hand.contender().status()), std::string_view("INITIAL"));
}

void ApplicationToldTest::a31StopWaitsAndItsStatusDoesNotShowIt() {
  Hand hand = busy(Behaviour::k31);
  hand.input(Stop{});
  QCOMPARE(text(hand.contender().status()), std::string_view("RUNNING"));
  hand.fire(SimbaTimer::kContend);
  QCOMPARE(hand.flight().kind, RequestKind::kGuard);
  hand.answer(hand.self, 7s);
  QCOMPARE(hand.only({"send"}), Lines{"send guard"});
  hand.input(CallbackDone{});
  QCOMPARE(hand.only({"send"}), (Lines{"send guard", "send unsubscribe", "send release"}));
  QVERIFY(hand.contender().believes());
  hand.answer_kind(RequestKind::kRelease, Ending::kOk);
  QCOMPARE(hand.callbacks, Lines{"onReleased self>"});
  QCOMPARE(text(hand.contender().status()), std::string_view("INITIAL"));
}

void ApplicationToldTest::a31StopDropsWhatTheExecutorHasNotCome() {
  Hand hand = late(Behaviour::k31);
  hand.stop();
  hand.pass(1h);
  QCOMPARE(hand.callbacks, Lines{});
  QVERIFY(!hand.contender().believes());
}

void ApplicationToldTest::a30DoesNotWaitAndMayBelieveAfterwards() {
  Hand busy_one = busy(Behaviour::k30);
  busy_one.stop();
  QCOMPARE(text(busy_one.contender().status()), std::string_view("INITIAL"));
  QCOMPARE(busy_one.callbacks, Lines{"onReleased self>"});

  Hand hand = late(Behaviour::k30);
  hand.pass(100ms);
  hand.stop();
  QCOMPARE(text(hand.contender().status()), std::string_view("INITIAL"));
  hand.pass(2400ms);
  QVERIFY2(hand.contender().believes(), "no status is looked at");
  hand.pass(100ms);
  QCOMPARE(hand.callbacks, (Lines{"onAcquired >self", "onReleased self>"}));
}

void ApplicationToldTest::a30GoesOnBelievingWhenItsReleaseFails() {
  Hand hand(Behaviour::k30);
  hand.start_and_own();
  hand.stop(Ending::kFailed);
  QCOMPARE(text(hand.contender().status()), std::string_view("INITIAL"));
  QVERIFY(hand.contender().believes());
  hand.start();
  QVERIFY2(!hand.contender().believes(), "a start forgets, without a callback");
  QCOMPARE(hand.callbacks, Lines{"onAcquired >self"});
}

void ApplicationToldTest::theDefaultFreesTheLockOnlyWhenItsWorkHasBeenStopped() {
  Hand hand(Behaviour::kLeasescope);
  hand.start_and_own();
  hand.input(ExecutorLate{20s});
  hand.forget();
  hand.input(Stop{});
  for (int renewal = 0; renewal < 3; ++renewal) {
    hand.fire(SimbaTimer::kContend);
    hand.answer(hand.self, 7s, 33);
    QVERIFY(hand.contender().believes());
  }
  QCOMPARE(hand.only({"told", "send release"}), Lines{});
  hand.fire(SimbaTimer::kContend);
  hand.answer(hand.self, 7s, 33);
  hand.pass(4s);
  QCOMPARE(hand.only({"told", "send release"}), (Lines{"told self>", "send release"}));
  hand.answer_kind(RequestKind::kRelease, Ending::kOk);
  QCOMPARE(text(hand.contender().status()), std::string_view("INITIAL"));
}

void ApplicationToldTest::a30AcquiresOnTheThreadOfTheMessage() {
  Hand hand(Behaviour::k30);
  hand.start_and_own();
  hand.input(ExecutorLate{1s});
  hand.message(StoreEventKind::kReleased, hand.other);
  QVERIFY(hand.contender().believes());
  QVERIFY2(hand.flight().kind == RequestKind::kAcquire, "whatever it believes");
}

void ApplicationToldTest::aMessageBeginsADeadScheduleAnew() {
  Hand hand(Behaviour::k30);
  hand.start_and_own();
  hand.fire(SimbaTimer::kContend);
  hand.fail(Ending::kFailed);
  QVERIFY(!hand.armed(SimbaTimer::kContend));
  hand.message(StoreEventKind::kReleased, hand.other);
  QVERIFY(hand.in_flight());
}

LEASESCOPE_SUITE(ApplicationToldTest)
#include "application_told_test.moc"
