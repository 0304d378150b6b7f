// What the model of a database does alone: the edge of the transition, calls that wait for a locked row, its clock.
#include "tests/engine/desk.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

class SqlModelTest : public QObject {
  Q_OBJECT

 private slots:
  void atTheEndOfTheTransitionItselfNobodyCan_data() {
    QTest::addColumn<bool>("for_update");
    QTest::newRow("for-update") << true;
    QTest::newRow("update") << false;
  }
  void atTheEndOfTheTransitionItselfNobodyCan() {
    QFETCH(bool, for_update);
    Desk desk(sql(for_update ? kForUpdate : kUpdate));
    desk.at(0s).acquire(kA);
    for (const Duration at : {Duration(5s), Duration(5s + 999us)}) {
      const auto other = desk.at(at).acquire(kB);
      QCOMPARE(other.reply().owner, kA);
      QCOMPARE(other.reply().remaining, Duration::zero());
      const auto own = desk.guard(kA);
      QCOMPARE(own.fact(Fact::kRenewed), nullptr);
      QCOMPARE(own.fact(Fact::kGranted), nullptr);
      // Our function says that nobody has it; Simba's reads its own name in the row, with nothing left.
      QCOMPARE(own.reply().owner, for_update ? Name{} : kA);
    }
    QVERIFY(Desk(desk).at(4999ms).guard(kA).fact(Fact::kRenewed) != nullptr);
    QCOMPARE(desk.at(5001ms).acquire(kB).reply().owner, kB);
  }
  void anExpiredOwnerOfSimbasStatementCompetesLikeAnyone() {
    Desk desk(sql(kUpdate));
    desk.at(0s).acquire(kA);
    const auto again = desk.at(6s).ask(RequestKind::kGuard, kA, 5s, Wire::kFenced);
    QVERIFY(again.fact(Fact::kGranted) != nullptr);
    QCOMPARE(again.reply().token, Token{2});
  }
  void aReleaseAsksForTheOwnerAlone() {
    Desk desk(sql(kForUpdate));
    desk.at(0s).acquire(kA);
    const auto late = desk.at(6s).release(kA);
    QVERIFY(late.reply().done && late.message(StoreEventKind::kReleased) != nullptr);
    QCOMPARE(late.fact(Fact::kReleased), nullptr);  // it had run out: that came first
    QVERIFY(late.fact(Fact::kExpired) != nullptr);
  }
  void simbasStatementPublishesNothing() {
    Desk desk(sql(kUpdate));
    for (const auto& said : {desk.acquire(kA), desk.guard(kA), desk.release(kA)})
      for (const ServerStep& step : said.steps) QVERIFY(!step.publishes);
  }
  void callsWaitForALockedRowAndAreServedInTheirOrder() {
    Desk desk(sql(kForUpdate));
    desk.at(0s).disturb(Disturbance::kStall);
    QVERIFY(!desk.at(1s).acquire(kA).at_once);
    QVERIFY(!desk.at(2s).acquire(kB).at_once);
    const auto served = desk.at(3s).disturb(Disturbance::kUnstall);
    QCOMPARE(served.answers(), std::size_t{2});
    for (const ServerStep& step : served.steps)
      if (step.replies) QCOMPARE(step.reply.owner, kA);
  }
  void ourLeaseIsCountedAfterTheWait() {
    Desk desk(sql(kForUpdate));
    desk.at(0s).disturb(Disturbance::kStall);
    desk.at(1s).acquire(kA, 3s);
    QCOMPARE(desk.at(4s).disturb(Disturbance::kUnstall).reply().remaining, Duration(3s));
    QCOMPARE(desk.deadline(), TrueTime{} + 7001ms);
  }
  void aWaitForTheRowIsGivenUpByTheServer() {
    Desk ours(sql(kForUpdate)), simbas(sql(kUpdate));
    for (Desk* each : {&ours, &simbas}) {
      each->at(0s).disturb(Disturbance::kStall);
      each->at(1s).acquire(kA);
    }
    QCOMPARE(ours.deadline(), TrueTime{} + 5s);  // lock_timeout is the request's own
    const auto given_up = ours.at(5s).wake();
    QCOMPARE(given_up.answers(), std::size_t{1});
    QCOMPARE(given_up.reply().ending, Ending::kFailed);
    QCOMPARE(ours.at(6s).disturb(Disturbance::kUnstall).answers(), std::size_t{0});
    QCOMPARE(simbas.deadline(), TrueTime{} + 51s);
    QCOMPARE(simbas.at(40s).disturb(Disturbance::kUnstall).reply().owner, kA);
  }
  void aStepOfTheClockDoesNotShortenAWait() {
    Desk desk(sql(kForUpdate));
    desk.at(0s).disturb(Disturbance::kStall);
    desk.at(1s).acquire(kA);
    desk.set_clock(1h);
    QCOMPARE(desk.deadline(), TrueTime{} + 5s);
  }
  void simbasLeaseIsCountedFromBeforeTheWaitAndBornExpired() {
    Desk desk(sql(kUpdate));
    desk.at(0s).disturb(Disturbance::kStall);
    desk.at(1s).acquire(kA, 3s);
    const auto granted = desk.at(5s).disturb(Disturbance::kUnstall);
    QCOMPARE(granted.reply().owner, kA);
    QCOMPARE(granted.reply().remaining, Duration::zero());
    QVERIFY(granted.fact(Fact::kGranted) != nullptr && granted.fact(Fact::kExpired) != nullptr);
    QVERIFY(desk.owner().empty());
    QCOMPARE(desk.acquire(kB).reply().token, Token{2});
  }
  void whoLosesToALeaseThatEndedMeanwhileTriesOnceMore() {
    Desk desk(sql(kUpdate));
    desk.at(0s).acquire(kA, 3s);
    desk.at(1s).disturb(Disturbance::kStall);
    desk.at(2s).acquire(kB, 3s);  // by its own time A still holds
    const auto served = desk.at(4s).disturb(Disturbance::kUnstall);
    QCOMPARE(served.reply().owner, kB);
    QCOMPARE(served.reply().remaining, Duration(3s));
  }
  void withANowOfTheTransactionALeaseIsShorterThanItSays() {
    for (const auto statement : {kForUpdate, kUpdate}) {
      Desk desk(sql(statement, SqlTerms::Now::kTransaction));
      desk.at(0s).disturb(Disturbance::kStall);
      desk.at(1s).acquire(kA, 3s);
      const auto granted = desk.at(3500ms).disturb(Disturbance::kUnstall);
      QCOMPARE(granted.reply().remaining, Duration(3s));
      QCOMPARE(granted.fact(Fact::kGranted)->lease, Duration(3s));
      QCOMPARE(desk.deadline(), TrueTime{} + 4001ms);  // half a second later
    }
  }
  void withANowOfTheTransactionALeaseThatEndedMeanwhileIsRefused() {
    for (const auto statement : {kForUpdate, kUpdate}) {
      Desk frozen(sql(statement, SqlTerms::Now::kTransaction)), clock(sql(statement));
      for (Desk* each : {&frozen, &clock}) {
        each->at(0s).acquire(kA, 3s);
        each->at(1s).disturb(Disturbance::kStall);
        each->at(2s).acquire(kB, 3s);
      }
      const auto refused = frozen.at(3900ms).disturb(Disturbance::kUnstall);
      QCOMPARE(refused.reply().owner, kA);
      QCOMPARE(refused.reply().remaining, Duration(1s));
      QCOMPARE(clock.at(3900ms).disturb(Disturbance::kUnstall).reply().owner, kB);
    }
  }
  void withANowOfTheTransactionAnExpiredOwnerRenews() {
    Desk desk(sql(kForUpdate, SqlTerms::Now::kTransaction));
    desk.at(0s).acquire(kA, 3s);
    desk.at(1s).disturb(Disturbance::kStall);
    desk.at(2s).guard(kA, 3s);
    desk.at(3500ms).wake();
    QVERIFY(desk.owner().empty());
    const auto renewed = desk.disturb(Disturbance::kUnstall);
    QVERIFY(renewed.fact(Fact::kRenewed) != nullptr);
    QCOMPARE(desk.owner(), kA);
  }
  void aCrashRollsBackWhatWaited() {
    Desk desk(sql(kForUpdate));
    desk.at(0s).disturb(Disturbance::kStall);
    desk.acquire(kA);
    desk.disturb(Disturbance::kCrash);
    desk.disturb(Disturbance::kRestart);
    QVERIFY(desk.acquire(kB).at_once);  // the session that held the row is gone as well
    QVERIFY(desk.disturb(Disturbance::kUnstall).steps.empty());
  }
  void aLeaseThatHadRunOutLastsAgainWhenTheClockIsSetBack() {
    Desk desk(sql(kForUpdate));
    desk.at(0s).acquire(kA);
    desk.at(1s).set_clock(10s);
    QVERIFY(desk.wake().steps.empty() && desk.owner().empty());  // noted with the step
    desk.at(2s).set_clock(-10s);
    QCOMPARE(desk.owner(), kA);
    QCOMPARE(desk.acquire(kB).reply().owner, kA);
  }
  void aDeletedRowBeginsAtTheFirstTokenAgain() {
    Desk desk(sql(kForUpdate));
    desk.acquire(kA);
    QVERIFY(desk.disturb(Disturbance::kErase).fact(Fact::kForgotten) != nullptr);
    QVERIFY(desk.guard(kA).reply().owner.empty());
    QCOMPARE(desk.acquire(kB).reply().token, Token{1});
  }
  void aDeletionWaitsForALockedRow() {
    Desk desk(sql(kForUpdate));
    desk.acquire(kA);
    desk.disturb(Disturbance::kStall);
    QVERIFY(desk.disturb(Disturbance::kErase).steps.empty());
    QVERIFY(desk.disturb(Disturbance::kUnstall).fact(Fact::kForgotten) != nullptr);
  }
  void aTermWithoutTokensKeepsTheColumnOfTheTermBefore() {
    Desk desk(sql(kUpdate));
    desk.acquire(kA);
    desk.release(kA);
    desk.ask(RequestKind::kAcquire, kB, 5s, Wire::kTokenless);
    QCOMPARE(desk.acquire(kA).reply().token, Token{1});  // B's lease under A's token, to who reads tokens
  }
};

LEASESCOPE_SUITE(SqlModelTest)
#include "sql_model_test.moc"
