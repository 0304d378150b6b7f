// An attempt of the quorum lock: all servers asked, a majority, what is taken back, when it tries again.
#include "tests/core/quorum_servers.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

class QuorumAttemptTest : public QObject {
  Q_OBJECT
 private slots:
  void itAsksEveryServerAndHoldsByAMajority();
  void aLeaseLastsForItsTtlLessWhatHasPassedLessTheDrift();
  void aMajorityThatCameTooLateIsGivenBack();
  void eachAttemptIsAnotherAcquisition();
  void anAttemptInVainEndsWhenAllHaveAnswered();
  void itTriesAgainAfterOneTwoFourUpTo128Milliseconds();
  void whoDeniedItIsNotAskedToTakeAnythingBack();
  void itsFenceIsAboveAllThatAServerTold();
  void whereOnlyItsFenceWasTooLowItTriesAgainAtOnce();
  void withoutAFenceItBearsNoToken();
  void aTtlThatATimerCannotTellIsRefused();
  void aTtlOfWhichTheDriftLeavesNothingIsRefused();
  void anEvenNumberIsAdvisedAgainst();
};

void QuorumAttemptTest::itAsksEveryServerAndHoldsByAMajority() {
  QuorumServers of;
  of.start();
  QCOMPARE(of.count(RequestKind::kSubscribe), std::size_t{5});
  QCOMPARE(of.count(RequestKind::kObtain), std::size_t{5});
  for (const std::uint8_t server : {0, 1, 2, 3, 4}) QCOMPARE(of.last(RequestKind::kObtain, server).quorum.span, kTtl);
  of.grant(4);
  of.grant(1);
  of.grant(1);  // the same answer once more is none
  QVERIFY(!of.contender().believes());
  of.grant(0);
  QVERIFY(of.contender().believes());
  QCOMPARE(of.told, std::vector<std::string>{"owns"});
  QCOMPARE(of.contender().token(), Token{1});
}

void QuorumAttemptTest::aLeaseLastsForItsTtlLessWhatHasPassedLessTheDrift() {
  QuorumServers of;
  of.start();
  of.pass(100ms);
  for (const std::uint8_t server : {0, 1, 2}) of.grant(server);
  QCOMPARE(*of.armed(QuorumTimer::kWatch), Duration(kTtl - 100ms - kDrift));
  QVERIFY(of.contender().owns(of.now().steady));
  QVERIFY(!of.contender().owns(of.now().steady + kTtl - 100ms - kDrift));
}

void QuorumAttemptTest::aMajorityThatCameTooLateIsGivenBack() {
  QuorumServers of;
  of.start();
  of.pass(kTtl - kDrift - 1ns);
  of.grant(0);
  of.grant(1);
  of.pass(1ns);
  QVERIFY(!of.contender().believes());
  QCOMPARE(of.count(RequestKind::kAbort), std::size_t{5});
}

void QuorumAttemptTest::eachAttemptIsAnotherAcquisition() {
  QuorumServers of;
  of.start();
  const std::uint64_t first = of.contender().acquisition();
  QVERIFY(first != 0);
  for (const std::uint8_t server : {0, 1, 2, 3, 4})
    QCOMPARE(of.last(RequestKind::kObtain, server).quorum.acquisition, first);
  of.deny_all();
  QCOMPARE(of.contender().acquisition(), std::uint64_t{0});
  of.pass(1ms);
  QVERIFY(of.contender().acquisition() != 0 && of.contender().acquisition() != first);
}

void QuorumAttemptTest::anAttemptInVainEndsWhenAllHaveAnswered() {
  QuorumServers of;
  of.start();
  of.grant(0);
  of.grant(1);
  of.deny(2);
  of.deny(3);
  QCOMPARE(of.noted(EventKind::kAttempt), std::size_t{0});
  Reply late = of.answer_to(4, QuorumAnswer::kDenied);
  late.ending = Ending::kUnknown;
  of.input(late);
  QCOMPARE(of.notes.back().kind, EventKind::kAttempt);
  QCOMPARE(of.notes.back().detail, static_cast<std::uint8_t>(AttemptResult::kUnknown));
}

void QuorumAttemptTest::itTriesAgainAfterOneTwoFourUpTo128Milliseconds() {
  QuorumServers of;
  of.start();
  for (const Duration gap : {1ms, 2ms, 4ms, 8ms, 16ms, 32ms, 64ms, 128ms, 128ms}) {
    of.deny_all();
    QCOMPARE(*of.armed(QuorumTimer::kCycle), gap);
    of.pass(gap);
  }
}

void QuorumAttemptTest::whoDeniedItIsNotAskedToTakeAnythingBack() {
  QuorumServers of;
  of.start();
  of.grant(3);
  Reply unknown = of.answer_to(4, QuorumAnswer::kDenied);
  unknown.ending = Ending::kUnknown;
  of.input(unknown);
  of.deny_all();
  QCOMPARE(of.count(RequestKind::kAbort), std::size_t{2});
  QCOMPARE(of.last(RequestKind::kAbort, 3).quorum.acquisition, of.last(RequestKind::kObtain, 3).quorum.acquisition);
  QCOMPARE(of.last(RequestKind::kAbort, 4).store, std::uint8_t{4});  // which may have granted it
}

void QuorumAttemptTest::itsFenceIsAboveAllThatAServerTold() {
  QuorumServers of;
  of.start();
  QCOMPARE(of.last(RequestKind::kObtain, 0).quorum.other, std::uint64_t{1});
  of.deny(0, 4);
  of.deny(1, 9);
  of.deny(2, 3);
  of.deny(3, 3);
  of.deny(4, 3);
  of.pass(1ms);
  QCOMPARE(of.last(RequestKind::kObtain, 4).quorum.other, std::uint64_t{10});
}

void QuorumAttemptTest::whereOnlyItsFenceWasTooLowItTriesAgainAtOnce() {
  QuorumServers of;
  of.start();
  for (const std::uint8_t server : {0, 1, 2, 3, 4}) {
    Reply behind = of.answer_to(server, QuorumAnswer::kBehind);
    behind.token = 6;
    of.input(behind);
  }
  QCOMPARE(*of.armed(QuorumTimer::kCycle), Duration(0));
  of.pass(0s);
  QCOMPARE(of.last(RequestKind::kObtain, 0).quorum.other, std::uint64_t{7});
}

void QuorumAttemptTest::withoutAFenceItBearsNoToken() {
  QuorumServers of([](QuorumSetting& setting) { setting.terms.fence = false; });
  of.start_and_hold();
  QVERIFY(of.contender().believes());
  QCOMPARE(of.contender().token(), kNoToken);
  QCOMPARE(of.last(RequestKind::kObtain, 0).quorum.other, std::uint64_t{0});
}

void QuorumAttemptTest::aTtlThatATimerCannotTellIsRefused() {
  QVERIFY(!wrong_ttl(std::chrono::milliseconds(INT32_MAX)));
  const auto wrong = wrong_ttl(std::chrono::milliseconds(std::int64_t{INT32_MAX} + 1));
  QVERIFY(wrong && wrong->find("expected") != std::string::npos);
}

void QuorumAttemptTest::aTtlOfWhichTheDriftLeavesNothingIsRefused() {
  for (const Duration ttl : {Duration(1ns), Duration(2ms), Duration(2020us)}) {
    const auto wrong = wrong_ttl(ttl);
    QVERIFY(wrong && wrong->find("expected") != std::string::npos);
    QVERIFY(ttl <= clock_drift(ttl));
  }
  for (const Duration ttl : {Duration(3ms), Duration(2030us)}) QVERIFY(!wrong_ttl(ttl) && ttl > clock_drift(ttl));
  QVERIFY(!QuorumTerms::wrong_plan({}));  // 0s: the mutex's
}

void QuorumAttemptTest::anEvenNumberIsAdvisedAgainst() {
  QuorumTerms terms;
  QVERIFY(terms.advice().empty());
  terms.servers = 4;
  QVERIFY(terms.advice().find("wasted") != std::string::npos);
  QCOMPARE(terms.majority(), 3);
}

LEASESCOPE_SUITE(QuorumAttemptTest)
#include "quorum_attempt_test.moc"
