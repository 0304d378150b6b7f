// The checkers find what the definitions say, and nothing else.
#include "core/history/recorder.h"
#include "core/store/port.h"
#include "simulator/fault/kind.h"
#include "tests/support/suite.h"

#include <QTest>

using namespace leasescope;
using namespace std::chrono_literals;

namespace {

// A history written by hand: times in ms.
class Story {
 public:
  Story() : recorder_({}, LeaseTerms{5s, 2s, {}}, fault_kind_names()) {
    for (const char* who : {"a", "b"}) tell(0, EventKind::kStarted, who);
  }
  void tell(int at_ms, EventKind kind, const char* who, Token token = 0, std::int64_t a = 0, std::int64_t b = 0,
            std::uint8_t detail = 0) {
    Event event;
    event.lo = event.hi = TrueTime{} + std::chrono::milliseconds(at_ms);
    event.node = recorder_.intern(who);
    event.mutex = recorder_.intern("m");
    event.kind = kind;
    event.token = token;
    event.a = a;
    event.b = b;
    event.detail = detail;
    recorder_.append(event);
  }
  void granted(int at_ms, const char* who, Token token) {
    tell(at_ms, EventKind::kGranted, who, token, Duration(7s).count());
  }
  Name name(const char* text) { return recorder_.intern(text); }
  const History& finish(int at_ms) {
    recorder_.finish(TrueTime{} + std::chrono::milliseconds(at_ms));
    return recorder_.history();
  }
  const History& now(int at_ms) {
    recorder_.advance(TrueTime{} + std::chrono::milliseconds(at_ms));
    return recorder_.history();
  }

 private:
  Recorder recorder_;
};

std::size_t number(const History& history, IncidentKind kind) {
  return history.summary.incidents[static_cast<std::size_t>(kind)];
}

}  // namespace

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
    QCOMPARE(history.incidents.at(0).kind, IncidentKind::kDoubleGrant);
    QCOMPARE(history.incidents.at(0).end, TrueTime{} + 7s);
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
    const History& history = story.finish(9000);
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
    QVERIFY(story.finish(9000).incidents.empty());
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
    QVERIFY(history.incidents[1].kind == IncidentKind::kFenceRegression);
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
    QVERIFY(QString::fromStdString(story.finish(7000).incidents[0].cause)
                .endsWith("the store's clock went fast by 200000 ppm from 1.000 s on."));
  }
  void aFastClockIsSpokenOfAlsoWhenItKeepsTimeAgain() {
    Story story;
    story.granted(0, "a", 1);
    story.tell(1000, EventKind::kClockChanged, "store", 0, 0, 200'000);
    story.tell(5000, EventKind::kClockChanged, "store", 0, 0, -200'000);
    story.tell(6200, EventKind::kExpired, "a", 1);
    story.granted(6201, "b", 2);
    QVERIFY(QString::fromStdString(story.finish(7000).incidents[0].cause)
                .endsWith("the store's clock had gone fast by 200000 ppm until 5.000 s."));
  }
  void aLeaseThatEndedEarlyWithoutAnyFaultWasKeptShorterThanPromised() {
    Story story;
    story.granted(0, "a", 1);
    story.tell(5000, EventKind::kExpired, "a", 1);
    story.granted(6000, "b", 2);
    QVERIFY(QString::fromStdString(story.finish(7000).incidents[0].cause)
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
