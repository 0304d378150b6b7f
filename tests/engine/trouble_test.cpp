// What the checkers find where nobody was granted anything twice: owners that step down or do not know, hand-overs that
// come late, resources that do not fit together, storms of calls.
#include "tests/engine/story.h"
#include "tests/support/suite.h"

#include <QTest>

using namespace leasescope;
using namespace leasescope::tests;

class TroubleTest : public QObject {
  Q_OBJECT
 private slots:
  void anOwnerThatIsNotAskedToStopSteppedDown() {
    Story story;
    story.granted(0, "a", 1);
    story.tell(1, EventKind::kBelieved, "a", 1);
    story.tell(5000, EventKind::kDisbelieved, "a", 1, 0, 0, static_cast<std::uint8_t>(DisbeliefReason::kEvent));
    story.tell(5001, EventKind::kBelieved, "a", 1);
    story.tell(6000, EventKind::kDisbelieved, "a", 1, 0, 0, static_cast<std::uint8_t>(DisbeliefReason::kStop));
    story.tell(6001, EventKind::kBelieved, "a", 1);
    story.tell(6002, EventKind::kDisbelieved, "a", 1, 0, 0, static_cast<std::uint8_t>(DisbeliefReason::kLost));
    const History& history = story.finish(7000);
    QCOMPARE(number(history, IncidentKind::kSteppedDown), std::size_t{1});
    QCOMPARE(history.incidents.front().start, TrueTime{} + 5s);
    QCOMPARE(history.incidents.front().cause,
             std::string("a gave up its lease #1 because of a message, though the store held it for 2.000 s more."));
  }
  void aLeaseThatShouldBeOverIsNotSaidToBeHeldForLonger() {
    Story story;
    story.granted(0, "a", 1);
    story.tell(1, EventKind::kBelieved, "a", 1);
    story.tell(7500, EventKind::kDisbelieved, "a", 1, 0, 0, static_cast<std::uint8_t>(DisbeliefReason::kFailure));
    QCOMPARE(first(story.finish(8000), IncidentKind::kSteppedDown).cause,
             std::string("a gave up its lease #1 because a renewal failed."));
  }
  void twoThatShowOneTokenAreToldApartByNobody() {
    Story story;
    const std::int64_t ledger = story.name("ledger").handle;
    story.tell(1000, EventKind::kWriteAccepted, "a", 3, ledger, 3);
    story.tell(1100, EventKind::kWriteAccepted, "a", 3, ledger, 3);
    QCOMPARE(number(story.now(1150), IncidentKind::kSharedToken), std::size_t{0});
    story.tell(1200, EventKind::kWriteAccepted, "b", 3, ledger, 3);
    story.tell(1300, EventKind::kWriteAccepted, "a", 3, ledger, 3);
    story.tell(1400, EventKind::kWriteAccepted, "b", 3, ledger, 3);
    story.tell(1500, EventKind::kWriteAccepted, "b", 4, ledger, 3);
    const History& history = story.finish(2000);
    QCOMPARE(number(history, IncidentKind::kSharedToken), std::size_t{1});
    const Incident& shared = first(history, IncidentKind::kSharedToken);
    QCOMPARE(shared.start, TrueTime{} + 1200ms);
    QCOMPARE(shared.end, TrueTime{} + 1400ms);
    QCOMPARE(shared.cause, std::string("ledger took 2 writes of b with #3, the token that a had shown before: no fence "
                                       "tells them apart."));
  }
  void aLeaseThatItsOwnerDoesNotKnowOfKeepsTheOthersOut() {
    Story story;
    story.granted(1000, "a", 3);
    QCOMPARE(number(story.now(2000), IncidentKind::kUnknownOwner), std::size_t{0});
    QCOMPARE(number(story.now(2001), IncidentKind::kUnknownOwner), std::size_t{1});  // no time-out is known here
    QVERIFY(story.now(3000).incidents.front().open);
    story.tell(8000, EventKind::kExpired, "a");
    const History& history = story.finish(8500);
    QCOMPARE(history.incidents.front().start, TrueTime{} + 1s);
    QCOMPARE(history.incidents.front().end, TrueTime{} + 8s);
    QVERIFY(!history.incidents.front().open);
    QCOMPARE(number(history, IncidentKind::kUnknownOwner), std::size_t{1});
  }
  void whoIsToldInTimeIsNoUnknownOwner() {
    Story story;
    story.granted(1000, "a", 3);
    story.tell(1900, EventKind::kBelieved, "a", 3);
    story.tell(5000, EventKind::kDisbelieved, "a", 3, 0, 0, static_cast<std::uint8_t>(DisbeliefReason::kStop));
    story.tell(5500, EventKind::kReleased, "a");
    QCOMPARE(number(story.finish(8000), IncidentKind::kUnknownOwner), std::size_t{0});
  }
  void aForeignOwnerIsNobodysGhost() {
    Story story;
    story.granted(1000, "elsewhere", 3);
    QCOMPARE(number(story.finish(8000), IncidentKind::kUnknownOwner), std::size_t{0});
  }
  void aReleaseThatNobodyHearsOfIsALateHandover() {
    Story story;
    story.granted(0, "a", 1);
    story.tell(1000, EventKind::kReleased, "a");
    story.granted(1250, "b", 2);
    story.tell(2000, EventKind::kReleased, "b");
    story.granted(2251, "a", 3);
    const History& history = story.finish(3000);
    QCOMPARE(number(history, IncidentKind::kLateHandover), std::size_t{1});
    QCOMPARE(history.incidents.front().start, TrueTime{} + 2s);
    QCOMPARE(history.incidents.front().end, TrueTime{} + 2251ms);
  }
  void withNobodyElseWaitingAReleaseMayLieThere() {
    Story story;
    story.tell(1, EventKind::kStopped, "b");
    story.granted(10, "a", 1);
    story.tell(1000, EventKind::kReleased, "a");
    story.tell(1500, EventKind::kStarted, "b");
    story.granted(1600, "b", 2);
    QCOMPARE(number(story.finish(3000), IncidentKind::kLateHandover), std::size_t{0});
  }
  void whoHasStoppedWaitingIsHandedNothingLate() {
    Story story;
    story.granted(10, "a", 1);
    story.tell(1000, EventKind::kReleased, "a");
    story.tell(1001, EventKind::kStopped, "b");
    story.tell(5000, EventKind::kStarted, "b");
    story.granted(5100, "b", 2);
    QCOMPARE(number(story.finish(6000), IncidentKind::kLateHandover), std::size_t{0});
  }
  void aLiveHandoverIsLateOnlyWhenItIsForSure() {
    Story story;
    story.granted(0, "a", 1);
    story.tell(1000, 1200, EventKind::kReleased, "a");
    story.tell(1500, 1600, EventKind::kGranted, "b", 2, 7s);  // 0.3 s later, of which 0.3 s are not known
    QCOMPARE(number(story.finish(3000), IncidentKind::kLateHandover), std::size_t{0});
  }
  void aWriteBehindAnotherResourceLeavesAMixedState() {
    Story story;
    const auto archive = story.name("archive").handle, ledger = story.name("ledger").handle;
    story.tell(1000, EventKind::kWriteAccepted, "a", 1, ledger);
    story.tell(1001, EventKind::kWriteAccepted, "a", 1, archive);
    story.tell(2000, EventKind::kWriteAccepted, "b", 2, ledger);
    story.tell(2500, EventKind::kWriteAccepted, "a", 1, archive);
    story.tell(2600, EventKind::kWriteAccepted, "a", 1, archive);
    story.tell(2700, EventKind::kWriteAccepted, "b", 2, archive);
    const History& history = story.finish(3000);
    QCOMPARE(number(history, IncidentKind::kMixedState), std::size_t{1});
    QCOMPARE(history.incidents.front().end, TrueTime{} + 2600ms);
    QCOMPARE(history.incidents.front().tokens, (std::vector<Token>{1, 2}));
  }
  void writesBehindDifferentTokensAreToldApart() {
    Story story;
    const auto archive = story.name("archive").handle, ledger = story.name("ledger").handle;
    story.tell(1000, EventKind::kWriteAccepted, "b", 2, ledger);
    story.tell(1500, EventKind::kWriteAccepted, "a", 1, archive);
    story.tell(2000, EventKind::kWriteAccepted, "c", 3, ledger);
    story.tell(2500, EventKind::kWriteAccepted, "a", 1, archive);
    const History& history = story.finish(3000);
    QCOMPARE(number(history, IncidentKind::kMixedState), std::size_t{2});
    QCOMPARE(history.incidents.front().tokens, (std::vector<Token>{1, 2}));
  }
  void oneResourceAloneIsNeverMixed() {
    Story story;
    const auto ledger = story.name("ledger").handle;
    story.tell(1000, EventKind::kWriteAccepted, "a", 2, ledger);
    story.tell(2000, EventKind::kWriteStaleAccepted, "b", 1, ledger, 2);
    QCOMPARE(number(story.finish(3000), IncidentKind::kMixedState), std::size_t{0});
  }
  void manyCallsAtOnceAllInVainAreAStorm() {
    for (const int calls : {10, 11}) {
      Story story;
      for (int i = 0; i < calls; ++i) story.called(100 + i, ("w" + std::to_string(i)).c_str());
      QCOMPARE(number(story.now(500), IncidentKind::kStorm), std::size_t{0});  // they have only started
      for (int i = 0; i < calls; ++i) story.called(5000 + 9 * i, ("w" + std::to_string(i)).c_str());
      for (int i = 0; i < calls; ++i) story.called(9000 + 11 * i, ("w" + std::to_string(i)).c_str());
      const History& history = story.finish(12'000);
      QCOMPARE(number(history, IncidentKind::kStorm), std::size_t(calls > 10 ? 1 : 0));
      if (calls == 10) continue;
      QCOMPARE(first(history, IncidentKind::kStorm).start, TrueTime{} + 5s);
      QCOMPARE(first(history, IncidentKind::kStorm).end, TrueTime{} + 5090ms);
      QCOMPARE(first(history, IncidentKind::kStorm).cause,
               std::string("11 calls on m were answered within 0.090 s, all of them in vain."));
    }
  }
  void aStormIsOverBeforeItsSecondCallIsWon() {
    Story story;
    for (int i = 0; i < 20; ++i) story.called(i, ("w" + std::to_string(i)).c_str());
    for (int burst = 0; burst < 5; ++burst)
      for (int i = 0; i < 20; ++i)
        story.called(5000 + 90 * burst + i, ("w" + std::to_string(i)).c_str(),
                     i == 0 ? AttemptResult::kWon : AttemptResult::kLost);
    const History& history = story.finish(9000);
    for (const Incident& each : history.incidents)
      if (each.kind == IncidentKind::kStorm) QVERIFY2(each.end - each.start < 100ms, each.cause.c_str());
    QVERIFY(number(history, IncidentKind::kStorm) >= 1);
  }
  void callsThatAreWonAreNoStorm() {
    Story story;
    for (int i = 0; i < 20; ++i) story.called(i, ("w" + std::to_string(i)).c_str());
    for (int i = 0; i < 20; ++i)
      story.called(5000 + i, ("w" + std::to_string(i)).c_str(), i < 2 ? AttemptResult::kWon : AttemptResult::kLost);
    QCOMPARE(number(story.finish(9000), IncidentKind::kStorm), std::size_t{0});
  }
  void oneThatCallsWithoutPauseIsAStormOfItsOwn() {
    Story story;
    for (int i = 0; i < 11; ++i) story.called(1000 + 100 * i, "a");  // ten within a second, at 5 s of ttl
    QCOMPARE(number(story.now(2100), IncidentKind::kStorm), std::size_t{0});
    for (int i = 0; i < 30; ++i) story.called(2050 + 50 * i, "a");
    const History& history = story.finish(9000);
    QCOMPARE(number(history, IncidentKind::kStorm), std::size_t{1});
    QCOMPARE(first(history, IncidentKind::kStorm).contenders, std::vector<Name>{story.name("a")});
  }
};

LEASESCOPE_SUITE(TroubleTest)
#include "trouble_test.moc"
