// A hold of the quorum lock: its end, its extensions, its handles.
#include "tests/core/quorum_servers.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

class QuorumHoldTest : public QObject {
  Q_OBJECT
 private slots:
  void everyHandleIsToldOrEverySecond_data() { each_form(); }
  void everyHandleIsToldOrEverySecond();
  void ofThreeHandlesTheSecondIsNotTold_data();
  void ofThreeHandlesTheSecondIsNotTold();
  void theFirstReleaseOfTwo_data() { each_form(); }
  void theFirstReleaseOfTwo();
  void reEnteringDoesNotExtend();
  void aHandleThatIsAskedForWhenTheLockGoesIsRefused_data() { each_form(); }
  void aHandleThatIsAskedForWhenTheLockGoesIsRefused();
  void itsWatchdogEndsItAtTheEndOfTheLease();
  void anExtensionMovesTheEnd();
  void aHolderThatHasLeftAHandleExtendsItAndDoesNotEnterAgain();
  void whoSetsMissingKeysGoesByTheAnswerAlone();
  void aRestartRemembersNothing();
};

void QuorumHoldTest::everyHandleIsToldOrEverySecond() {
  QFETCH(bool, corrected);
  QuorumServers of([&](QuorumSetting& setting) {
    if (!corrected) specified(setting);
    setting.plan.handles = 2;
  });
  of.start_and_hold();
  of.pass(0s);
  of.re_enter();
  QCOMPARE(of.contender().handles(), 2);
  of.hear_theft();
  if (corrected) of.input(WorkDone{});
  QCOMPARE(of.count(RequestKind::kAcknowledge), std::size_t{1});
  QCOMPARE(of.contender().believes(), !corrected);
  of.pass(kTtl);
  QCOMPARE(of.contender().owns(of.now().steady), !corrected);  // nobody tells the second handle, ever
}

void QuorumHoldTest::ofThreeHandlesTheSecondIsNotTold_data() {
  QTest::addColumn<bool>("corrected");
  QTest::addColumn<bool>("stolen");
  for (const bool corrected : {false, true})
    for (const bool stolen : {false, true})
      QTest::addRow("%s, %s", corrected ? "corrected" : "specified", stolen ? "stolen" : "its time is over")
          << corrected << stolen;
}
void QuorumHoldTest::ofThreeHandlesTheSecondIsNotTold() {
  QFETCH(bool, corrected);
  QFETCH(bool, stolen);
  QuorumServers of([&](QuorumSetting& setting) {
    if (!corrected) specified(setting);
    setting.plan.handles = 3;
  });
  of.start_and_hold();
  for (int more = 0; more < 2; ++more) {
    of.pass(0s);
    of.re_enter();
  }
  QCOMPARE(of.contender().handles(), 3);
  stolen ? of.hear_theft() : of.pass(kTtl);
  QCOMPARE(of.contender().handles(), corrected ? 0 : 1);  // the first and the third are told
  QCOMPARE(of.contender().believes(), !corrected);
  of.pass(2 * kTtl);
  QCOMPARE(of.contender().owns(of.now().steady), !corrected);
}

void QuorumHoldTest::theFirstReleaseOfTwo() {
  QFETCH(bool, corrected);
  QuorumServers of([&](QuorumSetting& setting) {
    if (!corrected) specified(setting);
    setting.plan.handles = 2;
    setting.plan.hold = 100ms;
  });
  of.start_and_hold();
  of.pass(0s);
  of.re_enter();
  of.pass(100ms);
  QCOMPARE(of.count(RequestKind::kGiveBack), std::size_t{corrected ? 0U : 5U});
  QVERIFY(of.contender().owns(of.now().steady));
  of.pass(100ms);
  of.input(WorkDone{});
  QVERIFY(!of.contender().believes());
  QCOMPARE(of.count(RequestKind::kGiveBack), std::size_t{5});
}

void QuorumHoldTest::reEnteringDoesNotExtend() {
  QuorumServers of([](QuorumSetting& setting) { setting.plan.handles = 2; });
  of.start_and_hold();
  const std::uint64_t acquisition = of.contender().acquisition();
  const Duration left = *of.armed(QuorumTimer::kWatch);
  of.pass(0s);
  QCOMPARE(of.last(RequestKind::kObtain, 0).quorum.other, acquisition);
  QVERIFY(of.last(RequestKind::kObtain, 0).quorum.rules.re_enters);
  QVERIFY(of.last(RequestKind::kObtain, 0).quorum.acquisition != acquisition);
  of.pass(10ms);
  of.re_enter();
  QCOMPARE(of.contender().acquisition(), acquisition);
  QCOMPARE(*of.armed(QuorumTimer::kWatch), Duration(left - 10ms));
  QCOMPARE(of.notes.back().kind, EventKind::kReentered);
  QCOMPARE(of.notes.back().b, std::int64_t{2});
}

// Its call returns, before that of the unlock by which its application learns that it has lost the lock.
void QuorumHoldTest::aHandleThatIsAskedForWhenTheLockGoesIsRefused() {
  QFETCH(bool, corrected);
  QuorumServers of([&](QuorumSetting& setting) {
    if (!corrected) specified(setting);
    setting.plan.handles = 3;
  });
  of.start_and_hold();
  of.pass(0s);
  of.re_enter();
  of.pass(0s);
  const Note asked = of.notes.back();
  QCOMPARE(asked.kind, EventKind::kInvoked);
  of.hear_theft();
  const auto refused = std::find_if(of.notes.begin(), of.notes.end(), [&](const Note& note) {
    return note.kind == EventKind::kReturned && note.a == asked.a;
  });
  QVERIFY(refused != of.notes.end());
  QCOMPARE(refused->b, static_cast<std::int64_t>(Ending::kFailed));
  // What the servers say to it then comes too late.
  const std::size_t said = of.notes.size();
  of.re_enter();
  QVERIFY(std::none_of(of.notes.begin() + static_cast<std::ptrdiff_t>(said), of.notes.end(),
                       [](const Note& note) { return note.kind == EventKind::kReentered; }));
}

void QuorumHoldTest::itsWatchdogEndsItAtTheEndOfTheLease() {
  QuorumServers of;
  of.start_and_hold();
  of.pass(kTtl - kDrift - 1ns);
  QVERIFY(of.contender().believes());
  of.pass(1ns);
  QVERIFY(!of.contender().believes());
}

void QuorumHoldTest::anExtensionMovesTheEnd() {
  QuorumServers of([](QuorumSetting& setting) { setting.terms.extend = QuorumTerms::Extend::kHeld; });
  of.start_and_hold();
  of.pass(kTtl / 3);
  QCOMPARE(of.count(RequestKind::kExtend), std::size_t{5});
  of.pass(10ms);
  for (const std::uint8_t server : {2, 3, 4}) {
    Reply reply = of.answer_to(server, QuorumAnswer::kSuccess, RequestKind::kExtend);
    of.input(reply);
  }
  QCOMPARE(*of.armed(QuorumTimer::kWatch), Duration(kTtl - 10ms - kDrift));
  of.pass(kTtl / 3 - 10ms);
  for (const std::uint8_t server : {0, 1, 2})
    of.input(of.answer_to(server, QuorumAnswer::kDenied, RequestKind::kExtend));
  QVERIFY(of.contender().believes());  // what it has lasts
}

// It enters as often as it was told; or it would enter where it should extend, and lose its lock to nobody.
void QuorumHoldTest::aHolderThatHasLeftAHandleExtendsItAndDoesNotEnterAgain() {
  QuorumServers of([](QuorumSetting& setting) {
    setting.terms.extend = QuorumTerms::Extend::kHeld;
    setting.plan.handles = 2;
    setting.plan.hold = 2s;
  });
  of.start_and_hold();
  of.pass(0s);
  of.re_enter();
  of.pass(kTtl / 3);
  QCOMPARE(of.count(RequestKind::kExtend), std::size_t{5});
  for (const std::uint8_t server : {0, 1, 2})
    of.input(of.answer_to(server, QuorumAnswer::kSuccess, RequestKind::kExtend));
  of.pass(2s - kTtl / 3);
  QCOMPARE(of.contender().handles(), 1);
  of.pass(2 * kTtl / 3 - 2s + 1ns);
  QCOMPARE(of.count(RequestKind::kExtend), std::size_t{10});
  QCOMPARE(of.count(RequestKind::kObtain), std::size_t{10});  // its attempt, and one re-entry
}

void QuorumHoldTest::whoSetsMissingKeysGoesByTheAnswerAlone() {
  QuorumServers of([](QuorumSetting& setting) { setting.terms.extend = QuorumTerms::Extend::kSetMissing; });
  of.start_and_hold();
  of.pass(2 * kTtl);
  QVERIFY(of.contender().owns(of.now().steady));
  QVERIFY(of.last(RequestKind::kExtend, 0).quorum.rules.sets_missing);
  for (const std::uint8_t server : {0, 1, 2})
    of.input(of.answer_to(server, QuorumAnswer::kDenied, RequestKind::kExtend));
  QVERIFY(!of.contender().believes());
}

void QuorumHoldTest::aRestartRemembersNothing() {
  QuorumServers of;
  of.start_and_hold();
  const QuorumContender next = of.contender().reborn(of.other);
  QVERIFY(!next.believes());
  QCOMPARE(next.id(), of.other);
  QCOMPARE(next.acquisition(), std::uint64_t{0});
  QVERIFY(next.draws() == of.contender().draws());  // or its attempts would be taken for those of before
}

LEASESCOPE_SUITE(QuorumHoldTest)
#include "quorum_hold_test.moc"
