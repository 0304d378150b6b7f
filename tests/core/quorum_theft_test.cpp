// Thefts of the quorum lock: the thief that waits, the victim that lets go, and the chain of both.
#include "tests/core/quorum_servers.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

class QuorumTheftTest : public QObject {
  Q_OBJECT
 private slots:
  void aThiefTellsItsVictimAndWaits();
  void anAcknowledgementOfAnotherAttemptMeansNothing();
  void everyVictimMustHaveAcknowledged();
  void aThiefThatNobodyAnswersGivesUp_data() { each_form(); }
  void aThiefThatNobodyAnswersGivesUp();
  void withASmallerFactorItHoldsUnconfirmed();
  void withAFactorOfNoneItDoesNotWait();
  void itsLimitIsLookedAtInTheWait_data() { each_form(); }
  void itsLimitIsLookedAtInTheWait();
  void aThiefThatWasStolenFromPassesTheAcknowledgementOn();
  void aThiefThatWasStolenFromAndNobodyAnswersAcknowledgesNothing();
  void aVictimLetsGoStopsItsWorkAndThenAcknowledges();
  void aVictimMayTakeItsTimeToAcknowledge();
  void aTheftOfAnEarlierAttemptIsAcknowledgedAtOnce();
  void anAttemptThatWasStolenFromIsVoid();
  void anAttemptThatStoleAndWasStolenFromWaitsForItsVictim();
  void aVoteThatIsTakenAfterTheMajorityKeepsNobodyWaiting();
  void withoutAFenceWhoWasTakenOneVoteFromLaterIsWaitedForToo();
  void whoSaysNothingKeepsItsThiefNoLongerThanThatOnesLease();
  void anAttemptThatAServerLeftUnansweredAcknowledgesNothing();
  void aVictimIsToldThoughItsThiefHasEnteredOnceMore();
  void whoHasNotLetGoKeepsTheRestOfItsLeaseWhenItsThiefReleases_data();
  void whoHasNotLetGoKeepsTheRestOfItsLeaseWhenItsThiefReleases();
  void whoHoldsUnconfirmedLeavesTheRestOfItsLeaseToItsVictim();
  void threeThievesAreAcknowledgedEach();
  void asManyThievesAsServersFitOneStep();
  void aTheftThatIsOver_data() { each_form(); }
  void aTheftThatIsOver();
};

void QuorumTheftTest::aThiefTellsItsVictimAndWaits() {
  QuorumServers of;
  of.start_and_steal();
  QVERIFY(!of.contender().believes());
  QCOMPARE(of.count(RequestKind::kTell), std::size_t{3});
  const Request& told = of.last(RequestKind::kTell, 1);
  QCOMPARE(told.quorum.to, of.other.handle);
  QCOMPARE(told.quorum.acquisition, std::uint64_t{77});
  QCOMPARE(told.quorum.other, of.contender().acquisition());
  QCOMPARE(WallTime(told.quorum.span), of.now().wall + kTtl - kDrift);  // its own deadline
  of.hear_acknowledgement();
  QVERIFY(of.contender().believes());
  QVERIFY(!of.contender().unconfirmed());
}

void QuorumTheftTest::anAcknowledgementOfAnotherAttemptMeansNothing() {
  QuorumServers of;
  of.start_and_steal();
  of.input(StoreEvent{StoreEventKind::kLetGo, of.mutex, of.other, 0, of.contender().acquisition() + 2, 77, {}});
  of.input(StoreEvent{StoreEventKind::kLetGo, of.mutex, of.other, 0, of.contender().acquisition(), 78, {}});
  of.input(StoreEvent{StoreEventKind::kLetGo, of.mutex, of.third, 0, of.contender().acquisition(), 77, {}});
  QVERIFY(!of.contender().believes());
}

void QuorumTheftTest::everyVictimMustHaveAcknowledged() {
  QuorumServers of;
  of.start();
  of.grant_by_theft(0, of.other, 77);
  of.grant_by_theft(1, of.third, 78);
  of.grant(2);
  of.hear_acknowledgement();
  QVERIFY(!of.contender().believes());
  of.input(StoreEvent{StoreEventKind::kLetGo, of.mutex, of.third, 1, of.contender().acquisition(), 78, {}});
  QVERIFY(of.contender().believes());
}

// As it was published the key is freed; corrected, its victim gets it back.
void QuorumTheftTest::aThiefThatNobodyAnswersGivesUp() {
  QFETCH(bool, corrected);
  QuorumServers of([&](QuorumSetting& setting) {
    if (!corrected) specified(setting);
  });
  of.start_and_steal();
  of.pass(kTtl - kDrift);
  QVERIFY(!of.contender().believes());
  QCOMPARE(of.count(RequestKind::kAbort), std::size_t{corrected ? 5U : 0U});
  QCOMPARE(of.count(RequestKind::kGiveBack), std::size_t{corrected ? 0U : 5U});
  QCOMPARE(*of.armed(QuorumTimer::kCycle), Duration(1ms));
}

void QuorumTheftTest::withASmallerFactorItHoldsUnconfirmed() {
  for (const bool corrected : {false, true}) {
    QuorumServers of([&](QuorumSetting& setting) {
      if (!corrected) specified(setting);
      setting.terms.consistency_ppm = 100'000;
    });
    of.start_and_steal();
    // It claims the lock beyond the wait: a victim that reads of it later is to let go.
    QCOMPARE(WallTime(of.last(RequestKind::kTell, 0).quorum.span), of.now().wall + kTtl - kDrift);
    of.pass(500ms - 1ns);
    QVERIFY(!of.contender().believes());
    of.pass(1ns);
    QVERIFY(of.contender().believes());
    QCOMPARE(of.contender().unconfirmed(), corrected);
    of.hear_acknowledgement();
    QVERIFY(!of.contender().unconfirmed());
  }
}

void QuorumTheftTest::withAFactorOfNoneItDoesNotWait() {
  QuorumServers of([](QuorumSetting& setting) { setting.terms.consistency_ppm = 0; });
  of.start_and_steal();
  QVERIFY(of.contender().believes());
  QCOMPARE(of.count(RequestKind::kTell), std::size_t{3});
}

// As it was published only the acknowledgement that comes after it finds out; its victim has let go by then.
void QuorumTheftTest::itsLimitIsLookedAtInTheWait() {
  QFETCH(bool, corrected);
  QuorumServers of([&](QuorumSetting& setting) {
    if (!corrected) specified(setting);
    setting.plan.limit = 200ms;
  });
  of.start_and_steal();
  const WallTime claimed(of.last(RequestKind::kTell, 0).quorum.span);
  QCOMPARE(claimed, of.now().wall + (corrected ? Duration(200ms) : Duration(kTtl - kDrift)));
  of.pass(200ms);
  QCOMPARE(of.noted(EventKind::kReturned), std::size_t{corrected ? 1U : 0U});
  of.pass(801ms);
  of.hear_acknowledgement();
  QVERIFY(!of.contender().believes());
  QCOMPARE(of.noted(EventKind::kReturned), std::size_t{1});
}

void QuorumTheftTest::aThiefThatWasStolenFromPassesTheAcknowledgementOn() {
  QuorumServers of;
  of.start_and_steal();
  of.hear_theft();
  of.hear_theft(of.third, 99, of.contender().acquisition(), of.now().wall + 5s, 2);  // through another server
  QCOMPARE(of.count(RequestKind::kAcknowledge), std::size_t{0});
  of.hear_acknowledgement();
  QCOMPARE(of.count(RequestKind::kAcknowledge), std::size_t{1});
  QCOMPARE(of.last(RequestKind::kAcknowledge, 0).quorum.acquisition, std::uint64_t{99});
  QCOMPARE(of.last(RequestKind::kAcknowledge, 0).quorum.to, of.third.handle);
  QVERIFY(!of.contender().believes());
  QVERIFY(of.told.empty());
  QCOMPARE(of.count(RequestKind::kGiveBack), std::size_t{5});
}

void QuorumTheftTest::aThiefThatWasStolenFromAndNobodyAnswersAcknowledgesNothing() {
  QuorumServers of;
  of.start_and_steal();
  of.hear_theft(of.third, 99, of.contender().acquisition(), of.now().wall + 10s);
  of.pass(kTtl);
  QCOMPARE(of.count(RequestKind::kAcknowledge), std::size_t{0});
  QVERIFY(of.told.empty());
}

void QuorumTheftTest::aVictimLetsGoStopsItsWorkAndThenAcknowledges() {
  QuorumServers of;
  of.start_and_hold();
  const std::uint64_t acquisition = of.contender().acquisition();
  of.hear_theft();
  QVERIFY(!of.contender().believes());
  QCOMPARE(of.told, (std::vector<std::string>{"owns", "lost"}));
  QCOMPARE(of.count(RequestKind::kAcknowledge), std::size_t{0});
  of.input(WorkDone{});
  QCOMPARE(of.count(RequestKind::kAcknowledge), std::size_t{1});
  QCOMPARE(of.last(RequestKind::kAcknowledge, 0).quorum.other, acquisition);
  QCOMPARE(of.noted(EventKind::kAcknowledged), std::size_t{1});
  QCOMPARE(of.count(RequestKind::kGiveBack), std::size_t{5});
}

void QuorumTheftTest::aVictimMayTakeItsTimeToAcknowledge() {
  QuorumServers of([](QuorumSetting& setting) { setting.plan.acknowledge = 300ms; });
  of.start_and_hold();
  of.hear_theft();
  of.input(WorkDone{});
  of.pass(300ms - 1ns);
  QCOMPARE(of.count(RequestKind::kAcknowledge), std::size_t{0});
  of.pass(1ns);
  QCOMPARE(of.count(RequestKind::kAcknowledge), std::size_t{1});
}

void QuorumTheftTest::aTheftOfAnEarlierAttemptIsAcknowledgedAtOnce() {
  QuorumServers of;
  of.start();
  const std::uint64_t before = of.contender().acquisition();
  of.deny_all();
  of.pass(1ms);
  for (const std::uint8_t server : {0, 1, 2}) of.grant(server);
  of.hear_theft(of.third, 99, before, of.now().wall + 5s);
  QVERIFY(of.contender().believes());
  QCOMPARE(of.last(RequestKind::kAcknowledge, 0).quorum.other, before);
  of.hear_theft(of.third, 98, 12345, of.now().wall + 5s);  // of which it knows nothing, as after a restart
  QCOMPARE(of.count(RequestKind::kAcknowledge), std::size_t{1});
}

void QuorumTheftTest::anAttemptThatWasStolenFromIsVoid() {
  QuorumServers of;
  of.start();
  of.grant(0);
  of.hear_theft();
  QCOMPARE(of.count(RequestKind::kAcknowledge), std::size_t{0});  // it may have stolen itself: nobody has said yet
  for (const std::uint8_t server : {1, 2, 3, 4}) of.grant(server);
  QVERIFY(!of.contender().believes());
  QCOMPARE(of.count(RequestKind::kAcknowledge), std::size_t{1});
  QCOMPARE(of.count(RequestKind::kAbort), std::size_t{5});
}

void QuorumTheftTest::anAttemptThatStoleAndWasStolenFromWaitsForItsVictim() {
  QuorumServers of;
  of.start();
  of.grant_by_theft(0, of.other, 77);
  of.hear_theft();
  for (const std::uint8_t server : {1, 2, 3, 4}) of.deny(server);
  QCOMPARE(of.count(RequestKind::kAcknowledge), std::size_t{0});
  QCOMPARE(of.count(RequestKind::kTell), std::size_t{1});
  of.hear_acknowledgement();
  QCOMPARE(of.count(RequestKind::kAcknowledge), std::size_t{1});
  QVERIFY(of.told.empty());
}

// It holds by a majority, and its victim has let go: one more vote of its victim's, or of another's, changes nothing.
void QuorumTheftTest::aVoteThatIsTakenAfterTheMajorityKeepsNobodyWaiting() {
  for (const bool same : {true, false}) {
    QuorumServers of;
    of.start_and_steal();
    of.hear_acknowledgement();
    QVERIFY(of.contender().believes());
    of.hear_theft();
    QVERIFY(!of.contender().believes());
    same ? of.grant_by_theft(3, of.other, 77) : of.grant_by_theft(3, of.third, 55);
    of.input(WorkDone{});
    QCOMPARE(of.count(RequestKind::kAcknowledge), std::size_t{1});
  }
}

// No fence keeps that victim from a majority once its own thief is gone, so that the next one must not work before it
// has let go; which it is told, though its thief has lost the lock meanwhile.
void QuorumTheftTest::withoutAFenceWhoWasTakenOneVoteFromLaterIsWaitedForToo() {
  QuorumServers of([](QuorumSetting& setting) { setting.terms.fence = false; });
  of.start_and_steal();
  of.hear_acknowledgement();
  of.hear_theft();
  of.grant_by_theft(3, of.third, 55);
  QCOMPARE(of.count(RequestKind::kTell), std::size_t{4});
  of.input(WorkDone{});
  of.hear_acknowledgement(of.third, 55);
  QCOMPARE(of.count(RequestKind::kAcknowledge), std::size_t{0});  // of the fifth server it does not know
  of.deny(4);
  QCOMPARE(of.count(RequestKind::kAcknowledge), std::size_t{1});
  QCOMPARE(of.last(RequestKind::kAcknowledge, 0).quorum.acquisition, std::uint64_t{99});
}

void QuorumTheftTest::whoSaysNothingKeepsItsThiefNoLongerThanThatOnesLease() {
  for (const bool late : {true, false}) {  // taken from after the majority, or held without its word
    QuorumServers of([&](QuorumSetting& setting) {
      setting.terms.servers = 3;
      setting.terms.fence = !late;
      if (!late) setting.terms.consistency_ppm = 0;
    });
    of.start();
    if (late) of.grant(0), of.grant(1), of.grant_by_theft(2, of.other, 77);
    if (!late)
      for (const std::uint8_t server : {0, 1, 2}) of.grant_by_theft(server, of.other, 77);
    of.hear_theft();
    of.input(WorkDone{});
    of.pass(kTtl - kDrift - 1ns);
    QCOMPARE(of.count(RequestKind::kGiveBack), std::size_t{0});
    of.pass(1ns);
    QCOMPARE(of.count(RequestKind::kGiveBack), std::size_t{3});
    QVERIFY(of.unlocked() == Ending::kFailed);
    QCOMPARE(of.count(RequestKind::kAcknowledge), std::size_t{0});
  }
}

// That one may have taken a vote from somebody who holds.
void QuorumTheftTest::anAttemptThatAServerLeftUnansweredAcknowledgesNothing() {
  QuorumServers of;
  of.start();
  of.grant(0);
  of.hear_theft();
  for (const std::uint8_t server : {1, 2, 3}) of.deny(server);
  Reply unknown = of.answer_to(4, QuorumAnswer::kDenied);
  unknown.ending = Ending::kUnknown;
  of.input(unknown);
  QCOMPARE(of.count(RequestKind::kAbort), std::size_t{2});
  QCOMPARE(of.count(RequestKind::kAcknowledge), std::size_t{0});
}

// The answers to its attempt may come after those to its re-entry.
void QuorumTheftTest::aVictimIsToldThoughItsThiefHasEnteredOnceMore() {
  QuorumServers of([](QuorumSetting& setting) { setting.plan.handles = 2; });
  of.start();
  Reply late = of.answer_to(3, QuorumAnswer::kFromVictim);
  late.owner = of.other;
  late.number = 77;
  for (const std::uint8_t server : {0, 1, 2}) of.grant(server);
  of.pass(0s);
  QCOMPARE(of.count(RequestKind::kObtain), std::size_t{10});
  of.input(late);
  QCOMPARE(of.count(RequestKind::kTell), std::size_t{1});
  QCOMPARE(of.last(RequestKind::kTell, 3).quorum.acquisition, std::uint64_t{77});
  QCOMPARE(WallTime(of.last(RequestKind::kTell, 3).quorum.span), of.now().wall + kTtl - kDrift);
}

// And of a server that has not answered nobody knows whether it was stolen there.
void QuorumTheftTest::whoHasNotLetGoKeepsTheRestOfItsLeaseWhenItsThiefReleases_data() {
  QTest::addColumn<bool>("corrected");
  QTest::addColumn<bool>("acknowledged");
  QTest::addColumn<int>("to_victims");
  QTest::newRow("corrected") << true << false << 2;
  QTest::newRow("corrected, and it has let go") << true << true << 1;
  QTest::newRow("specified") << false << false << 0;
}
void QuorumTheftTest::whoHasNotLetGoKeepsTheRestOfItsLeaseWhenItsThiefReleases() {
  QFETCH(bool, corrected);
  QFETCH(bool, acknowledged);
  QFETCH(int, to_victims);
  QuorumServers of([&](QuorumSetting& setting) {
    if (!corrected) specified(setting);
  });
  of.start_and_hold();
  of.grant_by_theft(3, of.other, 77);
  if (acknowledged) of.hear_acknowledgement();
  of.input(Stop{});
  of.input(WorkDone{});
  QCOMPARE(of.count(RequestKind::kGiveBack), std::size_t{5});
  QCOMPARE(of.given_to_victims(), static_cast<std::size_t>(to_victims));
  QCOMPARE(of.last(RequestKind::kGiveBack, 4).quorum.rules.keeps_victim, to_victims > 0);
  QCOMPARE(of.last(RequestKind::kGiveBack, 3).quorum.rules.keeps_victim, to_victims > 1);
  for (const std::uint8_t server : {1, 3, 4}) of.give_back(server, true);
  QVERIFY(of.unlocked() == Ending::kOk);
}

void QuorumTheftTest::whoHoldsUnconfirmedLeavesTheRestOfItsLeaseToItsVictim() {
  QuorumServers of([](QuorumSetting& setting) {
    setting.terms.consistency_ppm = 0;
    setting.terms.servers = 3;
  });
  of.start_and_steal();
  QVERIFY(of.contender().unconfirmed());
  of.input(Stop{});
  of.input(WorkDone{});
  QCOMPARE(of.given_to_victims(), std::size_t{3});
}

// Each may have taken another server's vote from it, so that each waits for it.
void QuorumTheftTest::threeThievesAreAcknowledgedEach() {
  QuorumServers of;
  of.start_and_hold();
  for (const std::uint64_t thief : {99, 98, 97}) of.hear_theft(thief);
  of.input(WorkDone{});
  QCOMPARE(of.count(RequestKind::kAcknowledge), std::size_t{3});
}

// The most that one step can do: an attempt that is void, given up for good, and asked for by all.
void QuorumTheftTest::asManyThievesAsServersFitOneStep() {
  QuorumServers of([](QuorumSetting& setting) {
    setting.terms.servers = 7;
    setting.plan.limit = 1ns;
  });
  of.start();
  for (std::uint64_t thief = 91; thief <= 97; ++thief) of.hear_theft(thief);
  of.hear_theft(98);  // the first has given up: there are no more votes than that
  for (const std::uint8_t server : {0, 1, 2, 3, 4, 5, 6}) of.grant(server);
  QCOMPARE(of.count(RequestKind::kAcknowledge), std::size_t{7});
  QCOMPARE(of.count(RequestKind::kAbort), std::size_t{7});
  QCOMPARE(of.noted(EventKind::kReturned), std::size_t{1});
}

void QuorumTheftTest::aTheftThatIsOver() {
  QFETCH(bool, corrected);
  QuorumServers of([&](QuorumSetting& setting) {
    if (!corrected) specified(setting);
  });
  of.start_and_hold();
  of.hear_theft(of.third, 99, of.contender().acquisition(), of.now().wall);
  QCOMPARE(of.contender().believes(), corrected);
}

LEASESCOPE_SUITE(QuorumTheftTest)
#include "quorum_theft_test.moc"
