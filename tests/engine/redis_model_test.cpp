// What the model of Redis does alone: persistence, a replica that lags, keys that are missing.
#include "tests/engine/desk.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

class RedisModelTest : public QObject {
  Q_OBJECT

 private slots:
  void withoutPersistenceARestartForgetsEvenTheFence() {
    Desk desk(redis({false, false, 1ms}));
    desk.at(0s).acquire(kA);
    const auto restarted = desk.at(1s).disturb(Disturbance::kRestart);
    QVERIFY(restarted.fact(Fact::kForgotten) != nullptr);
    QCOMPARE(restarted.fact(Fact::kForgotten)->owner, kA);
    QCOMPARE(desk.acquire(kB).reply().token, Token{1});
  }
  void aReplicaLeadsWithWhatItHadGotALagAgo() {
    Desk desk(redis({true, true, 100ms}));
    desk.at(0s).acquire(kA);
    desk.at(2s).release(kA);
    desk.at(3s).acquire(kB);
    const auto soon = Desk(desk).at(3050ms).disturb(Disturbance::kFailover);
    QVERIFY(soon.fact(Fact::kForgotten) != nullptr);
    QCOMPARE(soon.fact(Fact::kRestored), nullptr);
    Desk later = desk;
    QVERIFY(later.at(3100ms).disturb(Disturbance::kFailover).steps.empty());
    QCOMPARE(later.owner(), kB);
  }
  void aLostFenceCounterIsCountedAgain() {
    Desk desk(redis({true, true, 100ms}));
    desk.at(0s).acquire(kA);
    desk.at(2s).release(kA);
    QCOMPARE(desk.at(3s).acquire(kB).reply().token, Token{2});
    desk.at(3010ms).disturb(Disturbance::kFailover);
    QCOMPARE(desk.at(3020ms).acquire(kA).reply().token, Token{2});
  }
  void aReleaseThatIsLostRestoresTheLeaseBefore() {
    Desk desk(redis({true, true, 100ms}));
    desk.at(0s).acquire(kA);
    desk.at(2s).release(kA);
    desk.at(2010ms).acquire(kB);
    const auto failed_over = desk.at(2050ms).disturb(Disturbance::kFailover);
    QCOMPARE(failed_over.steps.at(0).fact, Fact::kForgotten);
    QCOMPARE(failed_over.steps.at(0).owner, kB);
    QCOMPARE(failed_over.steps.at(1).fact, Fact::kRestored);
    QCOMPARE(failed_over.steps.at(1).owner, kA);
    QCOMPARE(failed_over.steps.at(1).lease, Duration(2950ms));
    QCOMPARE(failed_over.steps.at(1).token, Token{1});
    QCOMPARE(desk.acquire(kB).reply().owner, kA);
  }
  void aRenewalThatIsLostEndsTheLeaseEarly() {
    Desk desk(redis({true, true, 100ms}));
    desk.at(0s).acquire(kA);
    desk.at(4s).guard(kA);
    const auto failed_over = desk.at(4050ms).disturb(Disturbance::kFailover);
    QCOMPARE(failed_over.steps.size(), std::size_t{1});  // the server has to look at its end again
    QCOMPARE(failed_over.steps.at(0).fact, Fact::kNothing);
    QCOMPARE(desk.deadline(), TrueTime{} + 5s);
  }
  void aCutReplicaStaysWhereItWasUntilItIsHealed() {
    Desk desk(redis({true, true, 1ms}));
    desk.at(0s).acquire(kA, 20s);
    desk.at(1s).disturb(Disturbance::kReplicaCut);
    desk.at(2s).release(kA);
    desk.at(3s).acquire(kB, 20s);
    Desk healed = desk;
    desk.at(4s).disturb(Disturbance::kFailover);
    QCOMPARE(desk.owner(), kA);
    healed.at(4s).disturb(Disturbance::kReplicaHeal);
    healed.disturb(Disturbance::kFailover);
    QCOMPARE(healed.owner(), kB);
  }
  void whatARestoredStateHeldMayBeOverByThen() {
    Desk desk(redis({true, true, 1ms}));
    desk.at(0s).acquire(kA);
    desk.at(1s).disturb(Disturbance::kReplicaCut);
    desk.at(6s).acquire(kB);
    const auto failed_over = desk.at(7s).disturb(Disturbance::kFailover);
    QCOMPARE(failed_over.steps.size(), std::size_t{1});
    QCOMPARE(failed_over.steps.at(0).fact, Fact::kForgotten);
    QVERIFY(desk.owner().empty());
  }
  void aReplicaOfManyChangesIsExactAtEveryLag() {
    for (int lag = 0; lag <= 40; ++lag) {
      Desk desk(redis({true, true, lag * 10ms}));
      for (int i = 0; i < 100; ++i) {  // one change each 10 ms: a term begins, a term ends
        desk.at(i * 10ms);
        i % 2 == 0 ? desk.acquire(kA) : desk.release(kA);
      }
      desk.disturb(Disturbance::kFailover);
      QCOMPARE(desk.owner().empty(), (99 - lag) % 2 == 1);
      desk.ask(RequestKind::kRelease, kA, 5s, Wire::kFenced);  // whatever its term is now
      QCOMPARE(desk.acquire(kB).reply().token, static_cast<Token>((99 - lag) / 2 + 2));
    }
  }
  void aKeyDeletedByHandIsFreeAndItsTokenIsShownOn() {
    Desk desk(redis());
    desk.at(0s).acquire(kA);
    const auto erased = desk.at(1s).disturb(Disturbance::kErase);
    QVERIFY(erased.fact(Fact::kForgotten) != nullptr);
    for (const ServerStep& step : erased.steps) QVERIFY(!step.publishes);
    desk.ask(RequestKind::kAcquire, kB, 5s, Wire::kTokenless);
    QCOMPARE(desk.acquire(kA).reply().token, Token{1});  // of the dead term, until it runs out
    QCOMPARE(desk.at(5500ms).acquire(kA).reply().token, kNoToken);
    QCOMPARE(desk.at(7s).acquire(kA).reply().token, Token{2});
  }
  void anOlderContendersOwnAcquireStillChangesNothing() {
    Desk own(redis());
    own.at(0s).ask(RequestKind::kAcquire, kA, 5s, Wire::kFenced);
    const auto again = own.at(2s).ask(RequestKind::kAcquire, kA, 5s, Wire::kFenced);
    QCOMPARE(again.reply().token, Token{1});
    QCOMPARE(again.fact(Fact::kGranted), nullptr);
    QCOMPARE(again.message(StoreEventKind::kAcquired), nullptr);
  }
  // The `:token` key of a tokenless term is not there: the guard takes one, and the term is a new one.
  void aGuardWhoseTokenIsMissingTakesANewOne() {
    Desk own(redis());
    own.at(0s).ask(RequestKind::kAcquire, kA, 5s, Wire::kTokenless);
    own.means(kA, 7);
    const auto guarded = own.at(2s).guard(kA);
    QVERIFY(guarded.reply().done);
    QCOMPARE(guarded.reply().token, Token{1});
    QCOMPARE(guarded.reply().remaining, 5s);
    QCOMPARE(guarded.fact(Fact::kGranted)->token, Token{1});
    QVERIFY(guarded.message(StoreEventKind::kAcquired) != nullptr);
  }

  // ---- how a release wakes who waits
  void aReleaseGrantsToWhoIsNextInTheLine() {
    Desk desk(redis());
    desk.waking(WakeUp::kHandOver).at(0s).acquire(kA);
    const Reply waits = desk.at(1s).acquire(kB).reply();
    QCOMPARE(waits.owner, kA);
    QCOMPARE(waits.number, std::uint64_t{1});
    QCOMPARE(waits.answer, kComesFirst);
    const auto released = desk.at(2s).release(kA);
    QVERIFY(released.reply().done);
    QCOMPARE(released.steps.at(0).fact, Fact::kReleased);
    QCOMPARE(released.steps.at(1).fact, Fact::kGranted);
    const ServerStep* const grant = released.message(StoreEventKind::kHandedOver);
    QVERIFY(grant != nullptr);
    QCOMPARE(grant->owner, kB);
    QCOMPARE(grant->channel, kB);
    QCOMPARE(grant->message.token, Token{2});
    QVERIFY(released.message(StoreEventKind::kReleased) == nullptr);
    QVERIFY(released.message(StoreEventKind::kAcquired) == nullptr);
    QCOMPARE(desk.owner(), kB);
    QCOMPARE(desk.deadline(), TrueTime{} + 7s);  // for a whole lease, however old the place was
    desk.means(kB, 2);
    // The others hear of it by its first guard alone.
    const auto first = desk.at(2100ms).guard(kB);
    QVERIFY(first.reply().done);
    QVERIFY(first.message(StoreEventKind::kAcquired) != nullptr);
    const auto second = desk.at(2200ms).guard(kB);
    QVERIFY(second.reply().done);
    QVERIFY(second.message(StoreEventKind::kAcquired) == nullptr);
  }
  void aPlaceThatIsTooOldIsPassedOver() {
    const Name late{4};
    Desk desk(redis());
    desk.waking(WakeUp::kHandOver).at(0s).acquire(kA);
    desk.at(100ms).acquire(kB);
    QCOMPARE(desk.at(200ms).acquire(late).reply().answer, std::uint8_t{0});
    QCOMPARE(desk.at(1700ms).acquire(late).reply().answer, kComesFirst);  // B has not come again
    QCOMPARE(desk.at(1710ms).release(kA).fact(Fact::kGranted)->owner, late);
  }
  void whereNobodyIsInTheLineAllAreTold() {
    Desk desk(redis());
    desk.waking(WakeUp::kHandOver).at(0s).acquire(kA);
    desk.at(1s).acquire(kB);
    const auto released = desk.at(4s).release(kA);
    QVERIFY(released.message(StoreEventKind::kReleased)->channel.empty());
    QVERIFY(released.fact(Fact::kGranted) == nullptr);
    QCOMPARE(desk.owner(), Name{});
  }
  void aGuardThatNamesNoTermLeavesTheLine() {
    Desk desk(redis());
    desk.waking(WakeUp::kHandOver).at(0s).acquire(kA);
    desk.at(1s).acquire(kB);
    QCOMPARE(desk.guard(kB).reply().owner, kA);
    QVERIFY(desk.release(kA).message(StoreEventKind::kHandedOver) == nullptr);
  }
  void whoeverTakesTheLeaseIsNoLongerInTheLine() {
    Desk desk(redis());
    desk.waking(WakeUp::kHandOver).at(0s).acquire(kA, 2s);
    desk.at(1900ms).acquire(kB);
    QVERIFY(desk.at(2s).acquire(kB).reply().done);
    QVERIFY(desk.at(2100ms).release(kB).message(StoreEventKind::kHandedOver) == nullptr);
  }
  void otherMakesAreHandedNothingAndStillShutOut() {
    Desk desk(redis());
    desk.waking(WakeUp::kHandOver).at(0s).acquire(kA);
    desk.ask(RequestKind::kAcquire, kB, 5s, Wire::kFenced);
    const auto released = desk.at(1s).release(kA);
    QVERIFY(released.message(StoreEventKind::kReleased) != nullptr);
    QCOMPARE(desk.ask(RequestKind::kAcquire, kB, 5s, Wire::kFenced).reply().owner, kB);
    desk.acquire(kA);
    QVERIFY(desk.ask(RequestKind::kRelease, kB, 5s, Wire::kFenced).message(StoreEventKind::kReleased) != nullptr);
    QCOMPARE(desk.owner(), Name{});
  }
  void inAQueueWhoWaitsForLongestAloneIsTold() {
    Desk desk(redis_with_queue());
    desk.waking(WakeUp::kQueue).at(0s).acquire(kA);
    QCOMPARE(desk.at(1s).acquire(kB).reply().answer, kComesFirst);
    QCOMPARE(desk.at(2s).acquire(Name{4}).reply().answer, std::uint8_t{0});
    const auto released = desk.at(3s).release(kA);
    QCOMPARE(released.message(StoreEventKind::kReleased)->channel, kB);
    QVERIFY(desk.acquire(kB).reply().done);
    QCOMPARE(desk.release(kB).message(StoreEventKind::kReleased)->channel, Name{4});
    QVERIFY(desk.acquire(kA).reply().done);
    QVERIFY(desk.release(kA).message(StoreEventKind::kReleased)->channel.empty());
  }
};

LEASESCOPE_SUITE(RedisModelTest)
#include "redis_model_test.moc"
