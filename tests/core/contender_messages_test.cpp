// What a published message does: a hint to the default behaviour, an order to the generations before.
#include "tests/support/hand.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace std::chrono_literals;
using leasescope::tests::Hand;
using Lines = std::vector<std::string>;

class ContenderMessagesTest : public QObject {
  Q_OBJECT
 private slots:
  void aMessageNeverEndsTheDefaultsBeliefButMakesItAsk_data();
  void aMessageNeverEndsTheDefaultsBeliefButMakesItAsk();
  void aMessageNeverMakesTheDefaultAnOwner();
  void ownAcquiredMessagesAreIgnoredFrom33On();
  void ownAcquiredMessagesGrantOwnershipTo31();
  void releasedWakesAWaiterAtOnce_data();
  void releasedWakesAWaiterAtOnce();
  void releasedDuringACallIsRememberedFrom32On();
  void releasedDuringACallIsLostOn31();
  void aStrayReleasedDeposesA4xOwnerWhichHealsThroughAGuard();
  void aStrayAcquiredDeposesA4xOwnerUntilItsTtlEnds();
  void messagesOfAnotherMutexAreIgnored();
  void messagesBeforeTheStartAndAfterTheStopAreIgnored();
};

void ContenderMessagesTest::aMessageNeverEndsTheDefaultsBeliefButMakesItAsk_data() {
  QTest::addColumn<bool>("released");
  QTest::newRow("released") << true;
  QTest::newRow("acquired by another") << false;
}

void ContenderMessagesTest::aMessageNeverEndsTheDefaultsBeliefButMakesItAsk() {
  QFETCH(bool, released);
  Hand hand(Behaviour::kLeasescope);
  hand.start_and_own();
  hand.pass(1s);
  hand.forget();
  hand.message(released ? StoreEventKind::kReleased : StoreEventKind::kAcquired, hand.other);
  QCOMPARE(hand.log, (Lines{"disarm contend", "send guard"}));
  QVERIFY(hand.contender().believes());
  hand.answer(hand.self, 7s, 33);
  QVERIFY(hand.contender().believes());
  QCOMPARE(hand.callbacks, Lines{});
  QCOMPARE(hand.delay(SimbaTimer::kContend), 5s);
}

void ContenderMessagesTest::aMessageNeverMakesTheDefaultAnOwner() {
  Hand hand(Behaviour::kLeasescope);
  hand.start();
  hand.pass(0s);
  hand.answer(hand.other, 7s);
  hand.forget();
  hand.message(StoreEventKind::kAcquired, hand.self);
  QCOMPARE(hand.log, Lines{});
  hand.message(StoreEventKind::kReleased, hand.other);
  QCOMPARE(hand.callbacks, Lines{});
  QVERIFY(!hand.contender().believes());
}

void ContenderMessagesTest::ownAcquiredMessagesAreIgnoredFrom33On() {
  for (const Behaviour behaviour : {Behaviour::kLeasescope, Behaviour::k4x}) {
    Hand hand(behaviour);
    hand.start_and_own();
    hand.forget();
    hand.message(StoreEventKind::kAcquired, hand.self);
    QCOMPARE(hand.log, Lines{});
  }
}

void ContenderMessagesTest::ownAcquiredMessagesGrantOwnershipTo31() {
  Hand hand(Behaviour::k31);
  hand.start();
  hand.pass(0s);
  hand.answer(hand.other, 7s);
  hand.forget();
  hand.message(StoreEventKind::kAcquired, hand.self);
  QCOMPARE(hand.callbacks, Lines{"onAcquired other>self"});
  QCOMPARE(hand.only({"note believed", "send"}), Lines{"note believed"});
}

void ContenderMessagesTest::releasedWakesAWaiterAtOnce_data() {
  QTest::addColumn<int>("behaviour");
  for (const Behaviour behaviour : {Behaviour::kLeasescope, Behaviour::k4x, Behaviour::k31, Behaviour::k30})
    QTest::newRow(text(behaviour).data()) << static_cast<int>(behaviour);
}

void ContenderMessagesTest::releasedWakesAWaiterAtOnce() {
  QFETCH(int, behaviour);
  Hand hand(static_cast<Behaviour>(behaviour));
  hand.start();
  hand.pass(0s);
  hand.answer(hand.other, 7s);
  hand.pass(1s);
  hand.message(StoreEventKind::kReleased, hand.other);
  QVERIFY(hand.contender().state().after.owner.empty());
  hand.pass(0s);
  QVERIFY(hand.in_flight());
  QCOMPARE(hand.flight().kind, RequestKind::kAcquire);
}

void ContenderMessagesTest::releasedDuringACallIsRememberedFrom32On() {
  for (const Behaviour behaviour : {Behaviour::kLeasescope, Behaviour::k4x}) {
    Hand hand(behaviour);
    hand.start();
    hand.pass(0s);
    hand.message(StoreEventKind::kReleased, hand.other);
    hand.message(StoreEventKind::kReleased, hand.other);
    QCOMPARE(hand.only({"send acquire"}).size(), std::size_t{1});
    hand.answer(hand.other, 7s);  // the reply was on its way before the release
    hand.pass(0s);
    QCOMPARE(hand.only({"send acquire"}).size(), std::size_t{2});
    hand.answer(hand.other, 7s);
    hand.pass(0s);
    QCOMPARE(hand.only({"send acquire"}).size(), std::size_t{2});
  }
}

void ContenderMessagesTest::releasedDuringACallIsLostOn31() {
  Hand hand(Behaviour::k31);
  hand.start();
  hand.pass(0s);
  hand.message(StoreEventKind::kReleased, hand.other);
  hand.answer(hand.other, 7s);
  QVERIFY(hand.delay(SimbaTimer::kContend) >= 7s - 200ms);
}

void ContenderMessagesTest::aStrayReleasedDeposesA4xOwnerWhichHealsThroughAGuard() {
  Hand hand(Behaviour::k4x);
  hand.start_and_own();
  hand.pass(1s);
  hand.forget();
  hand.message(StoreEventKind::kReleased, hand.other);
  QCOMPARE(hand.callbacks, Lines{"onReleased self>"});
  QCOMPARE(hand.flight().kind, RequestKind::kGuard);
  hand.answer(hand.self, 7s, 33);
  QCOMPARE(hand.callbacks, (Lines{"onReleased self>", "onAcquired >self"}));
}

void ContenderMessagesTest::aStrayAcquiredDeposesA4xOwnerUntilItsTtlEnds() {
  Hand hand(Behaviour::k4x);
  hand.start_and_own();
  hand.pass(1s);
  hand.forget();
  hand.message(StoreEventKind::kAcquired, hand.other);
  QCOMPARE(hand.callbacks, Lines{"onReleased self>other"});
  QCOMPARE(hand.only({"send"}), Lines{});
  QCOMPARE(hand.delay(SimbaTimer::kContend), 4s);
  hand.fire(SimbaTimer::kContend);
  QCOMPARE(hand.flight().kind, RequestKind::kGuard);
  hand.answer(hand.self, 7s, 33);
  QVERIFY(hand.contender().believes());
}

void ContenderMessagesTest::messagesOfAnotherMutexAreIgnored() {
  for (const Behaviour behaviour : {Behaviour::kLeasescope, Behaviour::k4x, Behaviour::k31}) {
    Hand hand(behaviour);
    hand.start_and_own();
    hand.forget();
    hand.input(StoreEvent{StoreEventKind::kReleased, hand.names.intern("another"), hand.self});
    hand.input(StoreEvent{StoreEventKind::kAcquired, hand.names.intern("another"), hand.other});
    QCOMPARE(hand.log, Lines{});
  }
}

void ContenderMessagesTest::messagesBeforeTheStartAndAfterTheStopAreIgnored() {
  for (const Behaviour behaviour : {Behaviour::kLeasescope, Behaviour::k4x, Behaviour::k31}) {
    Hand hand(behaviour);
    hand.message(StoreEventKind::kReleased, hand.other);
    hand.message(StoreEventKind::kAcquired, hand.self);
    QCOMPARE(hand.log, Lines{});
    hand.start_and_own();
    hand.stop();
    hand.forget();
    hand.message(StoreEventKind::kReleased, hand.other);
    hand.message(StoreEventKind::kAcquired, hand.self);
    QCOMPARE(hand.log, Lines{});
  }
}

LEASESCOPE_SUITE(ContenderMessagesTest)
#include "contender_messages_test.moc"
