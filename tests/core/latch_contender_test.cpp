// The latch and the client of its session, worked by hand: what it asks, what it tells, and when. The session is 6 s.

#include "core/latch/latch_contender.h"
#include "tests/support/suite.h"
#include "tests/support/worked_by_hand.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

using OnDisconnect = LatchTerms::OnDisconnect;

class Latch : public WorkedByHand<LatchContender> {
 public:
  explicit Latch(const LatchTerms& terms = {}, const LatchPlan& plan = {}) : WorkedByHand(6s, terms, plan) {}

  bool leads() const { return believes(); }

  void answer(RequestKind kind, std::uint64_t number = 0, Token token = kNoToken, NodeAnswer said = NodeAnswer::kDone,
              Duration remaining = 6s) {
    Reply reply;
    reply.begin(last(kind));
    reply.number = number;
    reply.token = token;
    reply.remaining = remaining;
    reply.answer = static_cast<std::uint8_t>(said);
    input(reply);
  }
  void list(Children children) { answer(RequestKind::kChildren, children.packed()); }
  void event(StoreEventKind kind, std::uint64_t number, std::uint64_t session = 11) {
    input(StoreEvent{kind, Name{2}, Name{3}, 0, session, number});
  }

  void connect(std::uint64_t session = 11) {
    input(Start{});
    answer(RequestKind::kConnect, session);
  }
  void create(std::uint32_t number = 4, Token token = 40) { answer(RequestKind::kCreate, number, token); }
  void lead(Token token = 40) {
    connect();
    create(4, token);
    list({4, 0});
  }
  // Nothing is heard until the client gives its connection up, and says so.
  void fall_silent() { pass(4s + 100ms); }
  void come_back(std::uint64_t session = 11) {
    pass(1s);
    answer(RequestKind::kConnect, session);
  }
};

LatchTerms with(OnDisconnect on_disconnect) {
  LatchTerms terms;
  terms.on_disconnect = on_disconnect;
  return terms;
}

}  // namespace

class LatchContenderTest : public QObject {
  Q_OBJECT
 private slots:
  // ---- the latch
  void theLowestNodeLeadsByItsCzxid() {
    Latch latch;
    latch.lead(40);
    QVERIFY(latch.leads());
    QCOMPARE(latch.token(), Token{40});
    QCOMPARE(latch.asked(RequestKind::kLook), 0u);  // it knows whose node that is: it has made it in this session
  }
  void anyOtherWatchesTheOneBeforeIt() {
    Latch latch;
    latch.connect();
    latch.create();
    latch.list({4, 3});
    QCOMPARE(latch.last(RequestKind::kLook).nodes.node, 3u);
    QVERIFY(latch.last(RequestKind::kLook).nodes.watch);
    latch.answer(RequestKind::kLook, 12, 30);
    QVERIFY(!latch.leads());
    latch.event(StoreEventKind::kNodeDeleted, 1);
    QCOMPARE(latch.asked(RequestKind::kChildren), 2u);
  }
  void whoIsGoneAlreadyIsNotWaitedFor() {
    Latch latch;
    latch.connect();
    latch.create();
    latch.list({4, 3});
    latch.answer(RequestKind::kLook, 0, kNoToken, NodeAnswer::kNoNode);
    QCOMPARE(latch.asked(RequestKind::kChildren), 2u);
  }
  void anEventDuringACallIsLookedAtAfterIt() {
    Latch latch;
    latch.connect();
    latch.create();
    latch.list({4, 3});
    latch.event(StoreEventKind::kNodeDeleted, 1);
    QCOMPARE(latch.asked(RequestKind::kChildren), 1u);
    latch.answer(RequestKind::kLook, 12, 30);
    QCOMPARE(latch.asked(RequestKind::kChildren), 2u);
  }
  void anEventThatWasLostShowsByTheNextPing() {
    Latch latch;
    latch.connect();
    latch.create();
    latch.list({4, 3});
    latch.answer(RequestKind::kLook, 12, 30);
    latch.pass(2s);
    latch.answer(RequestKind::kHeartbeat, 1);
    QCOMPARE(latch.asked(RequestKind::kChildren), 2u);
    latch.event(StoreEventKind::kNodeDeleted, 1);  // late, and known
    latch.list({4, 3});
    latch.answer(RequestKind::kLook, 12, 30);
    QCOMPARE(latch.asked(RequestKind::kChildren), 2u);
  }
  void whoseNodeIsGoneMakesAnother() {
    Latch latch;
    latch.connect();
    latch.create();
    latch.list({0, 0});
    QCOMPARE(latch.asked(RequestKind::kCreate), 2u);
  }

  // ---- the connection
  void aClientPingsAfterHalfOfTheLongestSilence_data() {
    QTest::addColumn<int>("session_ms");
    QTest::addColumn<int>("ping_ms");
    QTest::newRow("1 s") << 1000 << 334;
    QTest::newRow("3 s") << 3000 << 1000;
    QTest::newRow("4 s: a second before, but not before a second") << 4000 << 1000;
    QTest::newRow("12 s: a second before") << 12000 << 3000;
    QTest::newRow("60 s: every ten at the latest") << 60000 << 10000;
  }
  void aClientPingsAfterHalfOfTheLongestSilence() {
    QFETCH(int, session_ms);
    QFETCH(int, ping_ms);
    Latch latch;
    latch.input(Start{});
    latch.answer(RequestKind::kConnect, 11, kNoToken, NodeAnswer::kDone, std::chrono::milliseconds(session_ms));
    latch.pass(std::chrono::milliseconds(ping_ms - 1));
    QCOMPARE(latch.asked(RequestKind::kHeartbeat), 0u);
    latch.pass(1ms);
    QCOMPARE(latch.asked(RequestKind::kHeartbeat), 1u);
  }
  void aLeaderThatHearsNothingForTwoThirdsOfItsSessionStepsDownATenthOfASecondLater() {
    Latch latch;
    latch.lead();
    latch.pass(4s + 99ms);
    QVERIFY(latch.leads());
    latch.pass(1ms);
    QVERIFY(!latch.leads());
    QCOMPARE(latch.count(EventKind::kDisconnected), 1u);
    QCOMPARE(latch.notes.back().kind, EventKind::kDisbelieved);
    QCOMPARE(static_cast<DisbeliefReason>(latch.notes.back().detail), DisbeliefReason::kDisconnected);
  }
  void pingsThatAreAnsweredKeepTheLead() {
    Latch latch;
    latch.lead();
    for (int i = 0; i < 20; ++i) {
      latch.pass(1s);
      if (latch.asked(RequestKind::kHeartbeat) > 0) latch.answer(RequestKind::kHeartbeat);
    }
    QVERIFY(latch.leads());
  }
  void aNaiveLeaderLeadsOnUntilItGivesItsSessionUp() {
    Latch latch(with(OnDisconnect::kIgnore));
    latch.lead();
    latch.fall_silent();
    QVERIFY(latch.leads());
    latch.pass(6s - 1ms);
    QVERIFY(latch.leads());
    latch.pass(1ms);
    QVERIFY(!latch.leads());
    QCOMPARE(latch.last(RequestKind::kConnect).nodes.session, 0u);
  }
  void whoReconnectsInTimeLeadsOnByTheSameNode() {
    Latch latch;
    latch.lead(40);
    latch.fall_silent();
    latch.come_back();
    QCOMPARE(latch.last(RequestKind::kConnect).nodes.session, 11u);
    latch.list({4, 0});
    QVERIFY(latch.leads());
    QCOMPARE(latch.token(), Token{40});
    QCOMPARE(latch.asked(RequestKind::kCreate), 1u);
  }
  void aClosedConnectionIsToldATenthOfASecondLater() {
    Latch latch;
    latch.lead();
    latch.event(StoreEventKind::kDisconnected, 1);
    latch.pass(99ms);
    QVERIFY(latch.leads());
    latch.pass(1ms);
    QVERIFY(!latch.leads());
  }
  void theEndOfAnotherSessionIsNoneOfItsBusiness() {
    Latch latch;
    latch.lead();
    latch.event(StoreEventKind::kDisconnected, 1, 5);
    latch.pass(1s);
    QVERIFY(latch.leads());
  }
  void onlyTheServerSaysThatASessionHasExpired() {
    Latch latch;
    latch.lead();
    latch.fall_silent();
    latch.pass(1s);
    latch.answer(RequestKind::kConnect, 0, kNoToken, NodeAnswer::kSessionEnded);
    QCOMPARE(latch.last(RequestKind::kConnect).nodes.session, 0u);
    latch.answer(RequestKind::kConnect, 12);
    QCOMPARE(latch.asked(RequestKind::kCreate), 2u);
    QVERIFY(!latch.leads());
  }
  void aPauseEndsTheLeadATenthOfASecondAfterIt() {
    Latch latch;
    latch.lead();
    latch.pause(20s);
    latch.pass(99ms);
    QVERIFY(latch.leads());
    latch.pass(1ms);
    QVERIFY(!latch.leads());
  }
  void aRefusedConnectionIsTriedAgain() {
    Latch latch;
    latch.input(Start{});
    latch.fail(RequestKind::kConnect, Ending::kFailed);
    latch.pass(1100ms);
    QCOMPARE(latch.asked(RequestKind::kConnect), 2u);
    QCOMPARE(latch.count(EventKind::kDisconnected), 0u);
  }

  // ---- a lost answer to a create
  void withProtectionALostAnswerIsLookedForByItsWord() {
    Latch latch;
    latch.connect();
    const std::uint64_t word = latch.last(RequestKind::kCreate).nodes.word;
    QVERIFY(word != 0);
    latch.fail(RequestKind::kCreate);
    latch.pass(100ms);
    latch.come_back();
    QCOMPARE(latch.asked(RequestKind::kCreate), 1u);
    QCOMPARE(latch.last(RequestKind::kChildren).nodes.word, word);
    latch.list({4, 0});
    latch.answer(RequestKind::kLook, 11, 40);
    QVERIFY(latch.leads());
  }
  void withProtectionANodeThatWasNeverMadeIsMade() {
    Latch latch;
    latch.connect();
    latch.fail(RequestKind::kCreate);
    latch.pass(100ms);
    latch.come_back();
    latch.list({0, 0});
    QCOMPARE(latch.asked(RequestKind::kCreate), 2u);
  }
  void withoutProtectionASecondNodeIsMade() {
    LatchTerms terms;
    terms.protection = false;
    Latch latch(terms);
    latch.connect();
    QCOMPARE(latch.last(RequestKind::kCreate).nodes.word, 0u);
    latch.fail(RequestKind::kCreate);
    latch.pass(100ms);
    latch.come_back();
    QCOMPARE(latch.asked(RequestKind::kCreate), 2u);
    QCOMPARE(latch.asked(RequestKind::kChildren), 0u);
  }

  // ---- a node of a session that is over
  void aLowestNodeOfAnotherSessionIsDeletedAndAnotherMade() {
    Latch latch;
    latch.lead();
    latch.fall_silent();
    latch.pass(6s);  // it gives its session up
    latch.answer(RequestKind::kConnect, 12);
    latch.list({4, 0});
    latch.answer(RequestKind::kLook, 11, 40);
    QVERIFY(!latch.leads());
    QCOMPARE(latch.last(RequestKind::kDelete).nodes.node, 4u);
    QCOMPARE(latch.last(RequestKind::kCreate).nodes.session, 12u);
    QCOMPARE(latch.asked(RequestKind::kCreate), 2u);
  }
  void naivelyItLeadsByIt() {
    LatchTerms terms;
    terms.checks_session = false;
    Latch latch(terms);
    latch.lead();
    latch.fall_silent();
    latch.pass(6s);
    latch.answer(RequestKind::kConnect, 12);
    latch.list({4, 0});
    latch.answer(RequestKind::kLook, 11, 40);
    QVERIFY(latch.leads());
    QCOMPARE(latch.asked(RequestKind::kDelete), 0u);
  }

  // ---- the application
  void theWorkEndsBeforeTheNodeIsGivenBack() {
    Latch latch({}, {2s, 1s});
    latch.lead();
    latch.pass(2s);
    QVERIFY(!latch.leads());
    QCOMPARE(latch.asked(RequestKind::kDelete), 0u);
    latch.input(WorkDone{});
    QCOMPARE(latch.last(RequestKind::kDelete).nodes.node, 4u);
    latch.answer(RequestKind::kDelete);
    QCOMPARE(latch.asked(RequestKind::kCreate), 1u);
    latch.pass(1s);
    QCOMPARE(latch.asked(RequestKind::kCreate), 2u);
  }
  void whatItGivesBackWhileItIsCutOffIsGivenBackAfterwards() {
    Latch latch(with(OnDisconnect::kIgnore), {5s, 1s});
    latch.lead();
    latch.pass(5s);
    latch.input(WorkDone{});
    QCOMPARE(latch.asked(RequestKind::kDelete), 0u);
    latch.come_back();
    QCOMPARE(latch.last(RequestKind::kDelete).nodes.node, 4u);
  }
  void aStopClosesTheSessionAfterTheWork() {
    Latch latch;
    latch.lead();
    latch.input(Stop{});
    QVERIFY(!latch.leads());
    QCOMPARE(latch.asked(RequestKind::kCloseSession), 0u);
    latch.input(WorkDone{});
    QCOMPARE(latch.last(RequestKind::kCloseSession).nodes.session, 11u);
    QCOMPARE(latch.status(), Status::kStopping);
    latch.answer(RequestKind::kCloseSession);
    QCOMPARE(latch.status(), Status::kInitial);
    QCOMPARE(latch.count(EventKind::kStopped), 1u);
    for (const Timer timer : {LatchTimer::kLine, LatchTimer::kSession, LatchTimer::kApplication})
      QVERIFY(!latch.armed(timer));
  }
  void aStopOfOneThatIsCutOffWaitsForNobody() {
    Latch latch;
    latch.lead();
    latch.fall_silent();
    latch.input(WorkDone{});
    latch.input(Stop{});
    QCOMPARE(latch.status(), Status::kInitial);
    latch.input(Start{});
    QCOMPARE(latch.last(RequestKind::kConnect).nodes.session, 0u);
  }
  void everyCallOfTheApplicationReturns() {
    Latch latch({}, {2s, 1s});
    latch.lead();
    latch.pass(2s);
    latch.input(WorkDone{});
    latch.answer(RequestKind::kDelete);
    QCOMPARE(latch.count(EventKind::kInvoked), 2u);
    QCOMPARE(latch.count(EventKind::kReturned), 2u);
    latch.pass(1s);
    latch.input(Stop{});
    QCOMPARE(latch.count(EventKind::kInvoked), 3u);
    QCOMPARE(latch.count(EventKind::kReturned), 3u);
    QCOMPARE(latch.notes.back().b, static_cast<std::int64_t>(Ending::kFailed));
  }
  void aStartOrStopThatTheStatusForbidsIsRefused() {
    Latch latch;
    latch.input(Stop{});
    QVERIFY(latch.sent.empty());
    latch.input(Start{});
    latch.input(Start{});
    QCOMPARE(latch.sent.size(), 1u);
  }
};

LEASESCOPE_SUITE(LatchContenderTest)
#include "latch_contender_test.moc"
