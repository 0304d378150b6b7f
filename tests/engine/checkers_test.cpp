// The checkers find what the definitions say, and nothing else: who holds, who believes, and what they write.
#include "tests/engine/story.h"
#include "tests/support/suite.h"

#include <QTest>

using namespace leasescope;
using namespace leasescope::tests;

class CheckersTest : public QObject {
  Q_OBJECT
 private slots:
  void aGrantWithinThePromisedLeaseIsADoubleGrant() {
    Story story;
    story.granted(0, "a", 1);
    story.tell(3000, EventKind::kExpired, "a");
    story.granted(3001, "b", 2);
    const History& history = story.finish(4000);
    QCOMPARE(history.summary.double_grants, 1u);
    QCOMPARE(first(history, IncidentKind::kDoubleGrant).end, TrueTime{} + 7s);
  }
  void aGrantAtTheEndOfThePromisedLeaseIsNot() {
    Story story;
    story.granted(0, "a", 1);
    story.granted(7000, "b", 2);
    QCOMPARE(story.finish(8000).summary.double_grants, 0u);
  }
  void aGrantAfterAReleaseIsNot() {
    Story story;
    story.granted(0, "a", 1);
    story.tell(1000, EventKind::kReleased, "a");
    story.granted(1001, "b", 2);
    QCOMPARE(story.finish(2000).summary.double_grants, 0u);
  }
  void aRenewalMovesThePromise() {
    Story story;
    story.granted(0, "a", 1);
    story.tell(5000, EventKind::kRenewed, "a", 1, Duration(7s).count());
    story.granted(8000, "b", 2);
    QCOMPARE(story.finish(9000).summary.double_grants, 1u);
  }
  void anOverlapLastsFromTheLaterBeliefToTheEarlierEnd() {
    Story story;
    story.tell(1000, EventKind::kBelieved, "a", 1);
    story.tell(3000, EventKind::kBelieved, "b", 2);
    story.tell(4500, EventKind::kDisbelieved, "a", 1);
    const History& history = story.finish(5000);
    QCOMPARE(history.incidents.size(), std::size_t{1});
    const Incident& overlap = history.incidents.front();
    QCOMPARE(overlap.kind, IncidentKind::kBeliefOverlap);
    QCOMPARE(overlap.start, TrueTime{} + 3s);
    QCOMPARE(overlap.end, TrueTime{} + 4500ms);
    QCOMPARE(overlap.tokens, (std::vector<Token>{1, 2}));
    QCOMPARE(history.summary.belief_overlap, Duration(1500ms));
  }
  void aBeliefThatEndsInTheSameStepIsNoOverlap() {
    Story story;
    story.tell(1000, EventKind::kBelieved, "a", 1);
    story.tell(3000, EventKind::kBelieved, "b", 2);
    story.tell(3000, EventKind::kDisbelieved, "b", 2);
    QVERIFY(story.finish(5000).incidents.empty());
  }
  void anOverlapThatGoesOnIsOpenAndGrows() {
    Story story;
    story.tell(1000, EventKind::kBelieved, "a", 1);
    story.tell(3000, EventKind::kBelieved, "b", 2);
    QCOMPARE(story.now(5000).incidents.front().end, TrueTime{} + 5s);
    QVERIFY(story.now(6000).incidents.front().open);
    QCOMPARE(story.now(6000).summary.belief_overlap, Duration(3s));
  }
  void threeBelieversCountTheUnionOnce() {
    Story story;
    story.tell(1000, EventKind::kBelieved, "a", 1);
    story.tell(2000, EventKind::kBelieved, "b", 2);
    story.tell(3000, EventKind::kBelieved, "c", 3);
    story.tell(4000, EventKind::kDisbelieved, "a", 1);
    story.tell(5000, EventKind::kDisbelieved, "b", 2);
    const History& history = story.finish(6000);
    QCOMPARE(history.summary.belief_overlap, Duration(3s));
    QCOMPARE(number(history, IncidentKind::kBeliefOverlap), std::size_t{3});
  }
  void aTokenThatDoesNotRiseIsAFenceRegression() {
    Story story;
    story.granted(0, "a", 5);
    story.tell(1000, EventKind::kReleased, "a");
    story.granted(1001, "b", 5);
    QCOMPARE(story.finish(2000).summary.fence_regressions, 1u);
  }
  void staleWritesOfOneTermAreOneIncidentAndCountedEach() {
    Story story;
    const auto ledger = static_cast<std::int64_t>(story.name("ledger").handle);
    for (int i = 0; i < 4; ++i) story.tell(100 * i, EventKind::kWriteRejected, "a", 1, ledger, 2);
    story.tell(500, EventKind::kWriteStaleAccepted, "a", 1, ledger, 2);
    const History& history = story.finish(1000);
    QCOMPARE(history.summary.stale_writes_rejected, 4u);
    QCOMPARE(history.summary.stale_writes_accepted, 1u);
    QCOMPARE(history.incidents.size(), std::size_t{2});
  }
  void aWriteRefusedOnlyForWantOfATokenIsNotStale() {
    Story story;
    story.tell(100, EventKind::kWriteRejected, "a", 0, story.name("ledger").handle, 0);
    QCOMPARE(story.finish(1000).summary.stale_writes_rejected, 0u);
  }
  void aGapIsAnIncidentOnlyBeyondItsLimit() {
    Story story;
    story.granted(0, "a", 1);
    story.tell(1000, EventKind::kReleased, "a");
    story.granted(6000, "b", 2);  // 5 s: the limit, 2 × transition + 1 s
    story.tell(7000, EventKind::kReleased, "b");
    story.granted(12001, "a", 3);
    const History& history = story.finish(13000);
    QCOMPARE(number(history, IncidentKind::kLeaderless), std::size_t{1});
    QCOMPARE(history.summary.leaderless, Duration(5s + 5001ms));
  }
  void anUnfinishedGapCountsToTheEnd() {
    Story story;
    story.granted(0, "a", 1);
    story.tell(1000, EventKind::kReleased, "a");
    QCOMPARE(story.finish(9000).summary.leaderless, Duration(8s));
    QCOMPARE(number(story.finish(9000), IncidentKind::kLeaderless), std::size_t{1});
  }
  void threeChangesWithinTwoLeasesFlapUnlessAStopAskedForThem() {
    Story flapping, stopped;
    const char* who[] = {"a", "b"};
    for (int i = 0; i < 5; ++i) {
      flapping.granted(i * 3000, who[i % 2], static_cast<Token>(i + 1));
      stopped.granted(i * 3000, who[i % 2], static_cast<Token>(i + 1));
      flapping.tell(i * 3000 + 2900, EventKind::kExpired, who[i % 2]);
      stopped.tell(i * 3000 + 2900, EventKind::kReleased, who[i % 2]);
    }
    QCOMPARE(number(flapping.finish(16000), IncidentKind::kFlapping), std::size_t{1});
    QCOMPARE(number(stopped.finish(16000), IncidentKind::kFlapping), std::size_t{0});
  }
  void aRefusedRenewalIsLate() {
    Story story;
    story.granted(0, "a", 1);
    const auto guard = static_cast<std::int64_t>(RequestKind::kGuard),
               acquire = static_cast<std::int64_t>(RequestKind::kAcquire);
    const auto lost = static_cast<std::uint8_t>(AttemptResult::kLost);
    story.tell(8000, EventKind::kAttempt, "a", 1, 0, acquire, lost);
    story.tell(9000, EventKind::kAttempt, "a", 1, 0, guard, lost);
    QCOMPARE(number(story.finish(10000), IncidentKind::kLateRenewal), std::size_t{1});
  }
  // A contender that stops asks by a guard whether an acquire without an answer has begun a term.
  void aGuardOfWhoNeverHeldIsNoLateRenewal() {
    Story story;
    story.granted(0, "b", 1);
    const auto lost = static_cast<std::uint8_t>(AttemptResult::kLost);
    story.tell(9000, EventKind::kAttempt, "a", 1, 0, static_cast<std::int64_t>(RequestKind::kGuard), lost);
    QCOMPARE(number(story.finish(10000), IncidentKind::kLateRenewal), std::size_t{0});
  }
  void anAcquireOfItsOwnThatCameLateIsTheCauseOfARefusedRenewal() {
    Story story;
    story.granted(0, "a", 1);
    story.tell(1, EventKind::kBelieved, "a", 1);
    story.granted(3000, "a", 2);
    const auto lost = static_cast<std::uint8_t>(AttemptResult::kLost);
    story.tell(4000, EventKind::kAttempt, "a", 2, 0, static_cast<std::int64_t>(RequestKind::kGuard), lost);
    QCOMPARE(QString::fromStdString(story.finish(5000).incidents.front().cause),
             QString("a's renewal was refused 6.000 s before the lease promised to it was over: an acquire of its own "
                     "that came late had begun #2."));
  }
  void theCauseSpeaksOfThePause() {
    Story story;
    story.granted(0, "a", 1);
    story.tell(1, EventKind::kBelieved, "a", 1);
    story.tell(1000, EventKind::kFaultBegan, "a", 0, 0, 0,
               static_cast<std::uint8_t>(index_of(*find_fault_kind("pause"))));
    story.tell(7000, EventKind::kExpired, "a");
    story.granted(7100, "b", 2);
    story.tell(7101, EventKind::kBelieved, "b", 2);
    const History& history = story.finish(9000);
    QCOMPARE(QString::fromStdString(history.incidents.front().cause),
             QString("a's pause outlived its lease: b was granted #2, a could not know."));
  }
  void ofPausesThatOverlapTheLastEndsThePause() {
    Story story;
    const auto pause = static_cast<std::uint8_t>(index_of(*find_fault_kind("pause")));
    story.granted(0, "a", 1);
    story.tell(1, EventKind::kBelieved, "a", 1);
    story.tell(1000, EventKind::kFaultBegan, "a", 0, 0, 0, pause);
    story.tell(2000, EventKind::kFaultBegan, "a", 0, 0, 0, pause);
    story.tell(3000, EventKind::kFaultEnded, "a", 0, 0, 0, pause);
    story.tell(7000, EventKind::kExpired, "a");
    story.granted(7100, "b", 2);
    story.tell(7101, EventKind::kBelieved, "b", 2);
    QCOMPARE(QString::fromStdString(story.finish(9000).incidents.front().cause),
             QString("a's pause outlived its lease: b was granted #2, a could not know."));
  }
  void theCauseSpeaksOfWhatTheStoreForgotAndBy_data() {
    QTest::addColumn<QString>("fault");
    QTest::addColumn<QString>("words");
    QTest::newRow("deleted") << "delete_key"
                             << "it had been deleted by hand.";
    QTest::newRow("failed over") << "store_failover"
                                 << "the replica had taken over without it.";
    QTest::newRow("restarted") << "store_crash"
                               << "the store had come back without it.";
  }
  void theCauseSpeaksOfWhatTheStoreForgotAndBy() {
    QFETCH(QString, fault);
    QFETCH(QString, words);
    Story story;
    story.granted(0, "a", 1);
    story.tell(1, EventKind::kBelieved, "a", 1);
    story.tell(1000, EventKind::kFaultBegan, "store", 0, 0, 0,
               static_cast<std::uint8_t>(index_of(*find_fault_kind(fault.toStdString()))));
    story.tell(1000, EventKind::kExpired, "a", 1, 0, 0, static_cast<std::uint8_t>(LeaseEnd::kForgotten));
    story.granted(2000, "b", 1);
    story.tell(2001, EventKind::kBelieved, "b", 1);
    const History& history = story.finish(9000);
    QCOMPARE(QString::fromStdString(history.incidents[0].cause),
             "The store granted #1 to b 5.000 s before the lease promised to a was over: " + words);
    QCOMPARE(history.incidents[1].kind, IncidentKind::kFenceRegression);
    QVERIFY(QString::fromStdString(history.incidents[1].cause).contains(" counter"));
    QCOMPARE(QString::fromStdString(history.incidents[2].cause),
             "a's lease #1 ended early and b was granted #1: " + words);
  }
  void theCauseNamesTheChangeOfTheClockThatEndedTheLeaseAndNoLaterOne() {
    Story story;
    story.granted(0, "a", 1);
    story.tell(1000, EventKind::kClockChanged, "store", 0, Duration(9s).count());
    story.tell(1000, EventKind::kExpired, "a", 1);
    story.tell(1500, EventKind::kClockChanged, "store", 0, Duration(-9s).count());
    story.granted(2000, "b", 2);
    QCOMPARE(QString::fromStdString(story.finish(3000).incidents[0].cause),
             QString("The store granted #2 to b 5.000 s before the lease promised to a was over: the store's clock was "
                     "set forward by 9.000 s at 1.000 s."));
  }
  void aFastClockIsSpokenOfByItsRate() {
    Story story;
    story.granted(0, "a", 1);
    story.tell(1000, EventKind::kClockChanged, "store", 0, 0, 200'000);
    story.tell(6000, EventKind::kExpired, "a", 1);
    story.granted(6001, "b", 2);
    QVERIFY(QString::fromStdString(first(story.finish(7000), IncidentKind::kDoubleGrant).cause)
                .endsWith("the store's clock went fast by 200000 ppm from 1.000 s on."));
  }
  void aFastClockIsSpokenOfAlsoWhenItKeepsTimeAgain() {
    Story story;
    story.granted(0, "a", 1);
    story.tell(1000, EventKind::kClockChanged, "store", 0, 0, 200'000);
    story.tell(5000, EventKind::kClockChanged, "store", 0, 0, -200'000);
    story.tell(6200, EventKind::kExpired, "a", 1);
    story.granted(6201, "b", 2);
    QVERIFY(QString::fromStdString(first(story.finish(7000), IncidentKind::kDoubleGrant).cause)
                .endsWith("the store's clock had gone fast by 200000 ppm until 5.000 s."));
  }
  void aLeaseThatEndedEarlyWithoutAnyFaultWasKeptShorterThanPromised() {
    Story story;
    story.granted(0, "a", 1);
    story.tell(5000, EventKind::kExpired, "a", 1);
    story.granted(6000, "b", 2);
    QVERIFY(QString::fromStdString(first(story.finish(7000), IncidentKind::kDoubleGrant).cause)
                .endsWith("the store kept a shorter lease than it had promised."));
  }
  void whatComesBackIsHeldAgainButNotCountedAsNew() {
    Story story;
    story.granted(0, "a", 1);
    story.granted(8000, "b", 2);
    story.tell(9000, EventKind::kExpired, "b", 2, 0, 0, static_cast<std::uint8_t>(LeaseEnd::kForgotten));
    story.tell(9000, EventKind::kGranted, "a", 1, Duration(1s).count(), 0,
               static_cast<std::uint8_t>(GrantKind::kRestored));
    const Summary& summary = story.finish(9500).summary;
    QCOMPARE(summary.acquisitions, 2u);
    QCOMPARE(summary.fence_regressions, 0u);
    QCOMPARE(summary.double_grants, 1u);
    QCOMPARE(summary.leaderless, Duration::zero());
  }
  // The promise to the one before the last stands too.
  void aSecondGrantWithinAPromiseThatStillStandsIsADoubleGrantToo() {
    Story story;
    story.granted(0, "a", 1);
    story.tell(1000, EventKind::kExpired, "a");
    story.granted(2000, "b", 2);
    story.tell(2500, EventKind::kReleased, "b");
    story.granted(3000, "c", 3);
    const History& history = story.finish(4000);
    QCOMPARE(history.summary.double_grants, 2u);
    QCOMPARE(history.incidents.at(1).tokens, (std::vector<Token>{1, 3}));
    QCOMPARE(history.incidents.at(1).end, TrueTime{} + 7s);
  }
  void whoeverGivesItsLeaseBackInTimeIsNoDoubleGrantForTheNext() {
    Story story;
    story.granted(0, "a", 1);
    story.tell(1000, EventKind::kExpired, "a");
    story.granted(2000, "b", 2);
    story.tell(2400, EventKind::kReleased, "a");
    story.tell(2500, EventKind::kReleased, "b");
    story.granted(3000, "c", 3);
    QCOMPARE(story.finish(4000).summary.double_grants, 1u);
  }
  void aLeaseThatRanOutByAClockSlightlyFasterThanOursWasKept() {
    Story story;
    story.tell(0, 10, EventKind::kGranted, "a", 1, 7s);
    story.tell(6997, 6999, EventKind::kExpired, "a", 1);
    story.tell(6997, 6999, EventKind::kGranted, "b", 2, 7s);
    QCOMPARE(story.finish(8000).summary.double_grants, 0u);
  }
  // Nobody missed it before.
  void noGapBeginsBeforeSomebodyContends() {
    Story story;
    story.granted(0, "a", 1);
    story.tell(500, EventKind::kStopped, "b");
    story.tell(1000, EventKind::kReleased, "a");
    story.tell(1001, EventKind::kStopped, "a");
    story.tell(25000, EventKind::kStarted, "b");
    story.granted(25500, "b", 2);
    QCOMPARE(number(story.finish(26000), IncidentKind::kLeaderless), std::size_t{0});
  }
  // Those who contend in vain from the start on.
  void aGapBeforeTheFirstGrantIsToldWhileItLasts() {
    Story story;
    QCOMPARE(number(story.now(5000), IncidentKind::kLeaderless), std::size_t{0});
    const History& history = story.now(6000);
    QCOMPARE(number(history, IncidentKind::kLeaderless), std::size_t{1});
    QVERIFY(history.incidents.front().open);
    QCOMPARE(history.incidents.front().start, TrueTime{});
    QCOMPARE(QString::fromStdString(history.incidents.front().cause),
             QString("a began to contend and nobody held it; nobody has come yet, 6.000 s later (more than 5.0 s is "
                     "long)."));
    story.granted(9000, "a", 1);
    const History& over = story.finish(10000);
    QVERIFY(!over.incidents.front().open);
    QCOMPARE(over.incidents.front().end, TrueTime{} + 9s);
    QCOMPARE(over.summary.leaderless, Duration::zero());  // counted from the first grant on
  }
  // A grant at 5.8 s, of which nobody knows before 6.6 s, ends a gap of 4.8 s.
  void aGapIsToldOnceNoAnswerCanEndItAnyMore() {
    for (const bool granted : {true, false}) {
      Story story;
      story.known_within(1s);
      story.granted(0, "a", 1);
      story.tell(1000, EventKind::kReleased, "a");
      QCOMPARE(number(story.now(6500), IncidentKind::kLeaderless), std::size_t{0});
      if (granted) story.tell(5800, 6600, EventKind::kGranted, "b", 2, 7s);
      QCOMPARE(number(story.finish(6900), IncidentKind::kLeaderless), granted ? std::size_t{0} : std::size_t{1});
    }
  }
  void aGapEndsWithTheLastWhoContends() {
    Story story;
    story.granted(0, "a", 1);
    story.tell(1000, EventKind::kReleased, "a");
    story.tell(1000, EventKind::kStopped, "a");
    story.tell(8000, EventKind::kStopped, "b");
    story.tell(30000, EventKind::kStarted, "b");
    story.granted(30500, "b", 2);
    const History& history = story.finish(31000);
    QCOMPARE(number(history, IncidentKind::kLeaderless), std::size_t{1});
    QCOMPARE(history.incidents.front().end, TrueTime{} + 8s);
  }
  // Nobody knows.
  void whatWasNotObservedIsInNoLeaderlessSum() {
    Story story;
    story.granted(0, "a", 1);
    story.tell(7000, EventKind::kUnobservedBegan, "store");
    story.tell(7000, 27000, EventKind::kExpired, "a", 1);
    story.tell(27000, EventKind::kUnobservedEnded, "store");
    story.granted(27500, "b", 2);
    const History& history = story.finish(28000);
    QCOMPARE(number(history, IncidentKind::kLeaderless), std::size_t{0});
    QCOMPARE(history.summary.leaderless, Duration(500ms));
    QCOMPARE(history.summary.unobserved, Duration(20s));
  }
  void whatIsNotObservedUntilTheEndIsCountedToTheEnd() {
    Story story;
    story.granted(0, "a", 1);
    story.tell(5000, 7000, EventKind::kUnobservedBegan, "store");
    QCOMPARE(story.finish(28000).summary.unobserved, Duration(21s));  // of the two seconds before nobody is sure
  }
  // 18 to 34 incidents of four restarts.
  void aFenceRegressionIsToldOnceUntilTheOldHeightIsPassed() {
    Story story;
    story.granted(0, "a", 5);
    for (int i = 1; i <= 7; ++i) {
      story.tell(1000 * i, EventKind::kReleased, i % 2 == 1 ? "a" : "b");
      story.granted(1000 * i + 1, i % 2 == 1 ? "b" : "a", static_cast<Token>(i));
    }
    const History& history = story.finish(9000);
    QCOMPARE(history.summary.fence_regressions, 1u);
    QCOMPARE(history.incidents.front().end, TrueTime{} + 5001ms);  // the last that was not above #5
  }
  void anotherFallOfTheFenceIsToldAgain() {
    Story story;
    const Token tokens[] = {5, 1, 2, 1};
    for (int i = 0; i < 4; ++i) {
      story.granted(1000 * i, i % 2 == 0 ? "a" : "b", tokens[i]);
      story.tell(1000 * i + 999, EventKind::kReleased, i % 2 == 0 ? "a" : "b");
    }
    QCOMPARE(story.finish(9000).summary.fence_regressions, 2u);
  }
  // One incident an error text, with their number.
  void aStoreThatRefusesForLongerThanASecondIsAnIncident() {
    Story story;
    story.refused(1000, "a", "OOM command not allowed");
    story.refused(1500, "b", "OOM command not allowed");
    QCOMPARE(number(story.now(1900), IncidentKind::kStoreRefuses), std::size_t{0});
    story.refused(2100, "a", "OOM command not allowed");
    story.refused(3100, "a", "OOM command not allowed");
    const History& history = story.finish(5000);
    QCOMPARE(number(history, IncidentKind::kStoreRefuses), std::size_t{1});
    const Incident& incident = history.incidents.front();
    QCOMPARE(incident.start, TrueTime{} + 1s);
    QCOMPARE(incident.end, TrueTime{} + 3100ms);
    QCOMPARE(QString::fromStdString(incident.cause),
             QString("The store refused 4 attempts since 1.000 s: OOM command not allowed"));
  }
  void errorsBetweenAnswersAreNone() {
    Story story;
    for (int i = 0; i < 10; ++i) {
      story.refused(1000 * i, "a", "lock timeout");
      story.tell(1000 * i + 500, EventKind::kAttempt, "a", 0, 0, static_cast<std::int64_t>(RequestKind::kAcquire),
                 static_cast<std::uint8_t>(AttemptResult::kLost));
    }
    QCOMPARE(number(story.finish(10000), IncidentKind::kStoreRefuses), std::size_t{0});
  }
  void aStoreThatRefusesAgainIsAnotherIncident() {
    Story story;
    const auto answered = [&](int at_ms, const char* mutex) {
      story.mutex = mutex;
      story.tell(at_ms, EventKind::kAttempt, "b", 0, 0, static_cast<std::int64_t>(RequestKind::kAcquire),
                 static_cast<std::uint8_t>(AttemptResult::kLost));
      story.mutex = "m";
    };
    for (const int at_ms : {1000, 2000, 2500}) story.refused(at_ms, "a", "OOM");
    answered(2600, "another");  // which is no news of this one
    story.refused(2700, "a", "OOM");
    answered(3000, "m");
    story.refused(60000, "a", "OOM");  // too short to be one
    answered(60500, "m");
    for (const int at_ms : {70000, 71500}) story.refused(at_ms, "a", "OOM");
    const History& history = story.finish(80000);
    QCOMPARE(number(history, IncidentKind::kStoreRefuses), std::size_t{2});
    QCOMPARE(history.incidents.front().end, TrueTime{} + 2700ms);
    QCOMPARE(QString::fromStdString(history.incidents.back().cause),
             QString("The store refused 2 attempts since 70.000 s: OOM"));
  }
  // A key without an end, as somebody sets it by hand, keeps everybody out for ever.
  void aLeaseWithoutAnEndIsToldOnceWithWhoHoldsIt() {
    Story story;
    const auto lost = [&](int at_ms, const char* who, Duration left) {
      story.tell(at_ms, EventKind::kAttempt, who, 0, left.count(), static_cast<std::int64_t>(RequestKind::kAcquire),
                 static_cast<std::uint8_t>(AttemptResult::kLost));
    };
    story.granted(500, "x", 0);
    lost(1000, "a", -1ms);
    lost(2000, "b", -1ms);
    QCOMPARE(number(story.now(2500), IncidentKind::kStoreRefuses), std::size_t{1});
    QCOMPARE(QString::fromStdString(story.now(2500).incidents.front().cause),
             QString("x holds m by a lease that has no end: nobody else gets in until it is removed."));
    lost(3000, "a", 5s);
    lost(4000, "a", -1ms);
    const History& history = story.finish(5000);
    QCOMPARE(number(history, IncidentKind::kStoreRefuses), std::size_t{2});
    QCOMPARE(history.incidents.front().end, TrueTime{} + 3s);
  }
  // A store that is down does not answer.
  void callsThatCouldNotBeAskedAreNoRefusals() {
    Story story;
    for (int i = 0; i < 10; ++i)
      story.tell(1000 * i, EventKind::kAttempt, "a", 0, 0, static_cast<std::int64_t>(RequestKind::kAcquire),
                 static_cast<std::uint8_t>(AttemptResult::kFailed));
    QCOMPARE(number(story.finish(10000), IncidentKind::kStoreRefuses), std::size_t{0});
  }
  // One a writer and term, with their number; they are not stale.
  void writesWithoutATokenAreAnIncidentOfTheirOwn() {
    Story story;
    const auto ledger = static_cast<std::int64_t>(story.name("ledger").handle);
    story.granted(0, "a", 0);
    for (int i = 1; i <= 3; ++i) story.tell(100 * i, EventKind::kWriteRejected, "a", 0, ledger, 0);
    story.tell(1000, EventKind::kReleased, "a");
    story.granted(1001, "a", 0);
    story.tell(1100, EventKind::kWriteRejected, "a", 0, ledger, 7);
    const History& history = story.finish(2000);
    QCOMPARE(number(history, IncidentKind::kTokenlessRefused), std::size_t{2});
    QCOMPARE(history.summary.stale_writes_rejected, 0u);
    QCOMPARE(QString::fromStdString(history.incidents.front().cause),
             QString("ledger refused 3 writes of a: no token."));
  }
  void aRenewalAfterTheEndHoldsAgain() {
    Story story;
    story.granted(0, "a", 1);
    story.tell(7000, EventKind::kExpired, "a", 1);
    story.tell(7500, EventKind::kRenewed, "a", 1, Duration(7s).count());
    const Summary& summary = story.finish(9000).summary;
    QCOMPARE(summary.leaderless, Duration(500ms));
  }
};

LEASESCOPE_SUITE(CheckersTest)
#include "checkers_test.moc"
