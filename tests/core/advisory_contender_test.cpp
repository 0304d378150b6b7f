// The advisory lock and the client of its connection, worked by hand: what it asks, what it tells, and when.
#include "core/advisory/advisory_contender.h"

#include <optional>

#include "tests/support/suite.h"
#include "tests/support/worked_by_hand.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

class Application : public WorkedByHand<AdvisoryContender> {
 public:
  explicit Application(const AdvisoryPlan& plan = {}, const AdvisoryTerms& terms = {})
      : WorkedByHand(6s, terms, plan) {}

  std::uint64_t connection() const { return contender().connection(); }
  // How the last call of that kind ended; none: it has not.
  std::optional<Ending> ended(Operation operation) const {
    std::optional<Ending> out;
    for (const Note& note : notes) {
      if (note.detail != static_cast<std::uint8_t>(operation)) continue;
      if (note.kind == EventKind::kInvoked) out.reset();
      if (note.kind == EventKind::kReturned) out = static_cast<Ending>(note.b);
    }
    return out;
  }

  void answer(const Request& to, SessionAnswer said = SessionAnswer::kDone, std::uint64_t number = 1,
              bool done = false) {
    Reply reply;
    reply.begin(to);
    reply.answer = static_cast<std::uint8_t>(said);
    reply.number = number;
    reply.done = done;
    reply.remaining = 30s;
    input(reply);
  }
  void answer(RequestKind kind, SessionAnswer said = SessionAnswer::kDone, std::uint64_t number = 1,
              bool done = false) {
    answer(last(kind), said, number, done);
  }

  void connect(std::uint64_t number = 11) {
    input(Start{});
    answer(RequestKind::kOpenSession, SessionAnswer::kDone, number);
  }
  void hold() {
    connect();
    answer(RequestKind::kLock);
  }
  // Another connection, once it has rested.
  void open_again(std::uint64_t number = 12) {
    pass(1s);
    answer(RequestKind::kOpenSession, SessionAnswer::kDone, number);
  }
};

AdvisoryPlan held_for(Duration hold, Duration rest = 1s) {
  AdvisoryPlan out;
  out.hold = hold;
  out.rest = rest;
  return out;
}
AdvisoryPlan entered(int times) {
  AdvisoryPlan out = held_for(2s);
  out.times = times;
  return out;
}
AdvisoryPlan trying() {
  AdvisoryPlan out;
  out.tries = 3s;
  return out;
}
AdvisoryTerms checking() {
  AdvisoryTerms out;
  out.check = 2s;
  return out;
}

}  // namespace

class AdvisoryContenderTest : public QObject {
  Q_OBJECT
 private slots:
  // ---- the lock
  void aLockIsWaitedForWithoutEndAndBearsNoToken() {
    Application of;
    of.connect();
    QCOMPARE(of.last(RequestKind::kLock).session.session, 11u);
    QCOMPARE(of.last(RequestKind::kLock).session.wait, Duration::max());
    QVERIFY(of.last(RequestKind::kLock).timeout > 24h);
    QVERIFY(!of.believes());
    of.answer(RequestKind::kLock);
    QVERIFY(of.believes());
    QCOMPARE(of.notes.back().token, kNoToken);
  }
  void whoTriesDoesNotWaitAndTriesAgain() {
    Application of(trying());
    of.connect();
    QCOMPARE(of.last(RequestKind::kLock).session.wait, Duration::zero());
    of.answer(RequestKind::kLock, SessionAnswer::kNotLocked);
    QCOMPARE(of.ended(Operation::kTryLock), std::optional(Ending::kFailed));
    of.pass(3s - 1ms);
    QCOMPARE(of.asked(RequestKind::kLock), std::size_t{1});
    of.pass(1ms);
    QCOMPARE(of.asked(RequestKind::kLock), std::size_t{2});
    of.answer(RequestKind::kLock);
    QVERIFY(of.believes());
  }
  void theWorkEndsBeforeTheLockIsGivenBack() {
    Application of(held_for(2s));
    of.hold();
    of.pass(2s);
    QVERIFY(!of.believes());
    QCOMPARE(of.asked(RequestKind::kUnlock), std::size_t{0});
    of.input(WorkDone{});
    QCOMPARE(of.asked(RequestKind::kUnlock), std::size_t{1});
    of.answer(RequestKind::kUnlock, SessionAnswer::kDone, 0);
    QCOMPARE(of.ended(Operation::kUnlock), std::optional(Ending::kOk));
    of.pass(1s);
    QCOMPARE(of.asked(RequestKind::kLock), std::size_t{2});
  }
  void whoEnteredThriceUnlocksThrice() {
    Application of(entered(3));
    of.connect();
    for (std::uint64_t times = 1; times <= 3; ++times) of.answer(RequestKind::kLock, SessionAnswer::kDone, times);
    QCOMPARE(of.asked(RequestKind::kLock), std::size_t{3});
    QCOMPARE(of.count(EventKind::kBelieved), std::size_t{1});
    of.pass(2s);
    of.input(WorkDone{});
    for (std::uint64_t left = 3; left-- > 0;) of.answer(RequestKind::kUnlock, SessionAnswer::kDone, left);
    QCOMPARE(of.asked(RequestKind::kUnlock), std::size_t{3});
    QVERIFY(of.armed(AdvisoryTimer::kApplication));  // it rests
  }
  void anUnlockOfWhatIsNotHeldFailsAndIsNotRepeated() {
    Application of(entered(2));
    of.connect();
    of.answer(RequestKind::kLock);
    of.answer(RequestKind::kLock, SessionAnswer::kDone, 2);
    of.pass(2s);
    of.input(WorkDone{});
    of.answer(RequestKind::kUnlock, SessionAnswer::kNotOwner, 0);
    QCOMPARE(of.ended(Operation::kUnlock), std::optional(Ending::kFailed));
    QCOMPARE(of.asked(RequestKind::kUnlock), std::size_t{1});
  }

  // ---- the connection
  void aHolderThatCallsNothingIsToldNothing() {
    Application of;
    of.hold();
    of.pass(24h);
    QCOMPARE(of.asked(RequestKind::kHeartbeat), std::size_t{0});
    QVERIFY(of.believes());
  }
  void aHolderThatChecksIsToldByAConnectionError() {
    Application of({}, checking());
    of.hold();
    of.pass(2s);
    of.answer(RequestKind::kHeartbeat);
    QVERIFY(of.believes());
    of.pass(2s);
    QCOMPARE(of.asked(RequestKind::kHeartbeat), std::size_t{2});
    of.fail(RequestKind::kHeartbeat);
    QVERIFY(!of.believes());
    QCOMPARE(of.connection(), 0u);
    QCOMPARE(of.count(EventKind::kDisconnected), std::size_t{1});
  }
  void whoLostItsConnectionUnlocksInVainAndLocksAnewOverAnother() {
    Application of({}, checking());
    of.hold();
    of.pass(2s);
    of.answer(RequestKind::kHeartbeat, SessionAnswer::kSessionEnded);
    of.input(WorkDone{});
    QCOMPARE(of.ended(Operation::kUnlock), std::optional(Ending::kFailed));
    QCOMPARE(of.asked(RequestKind::kUnlock), std::size_t{0});
    of.open_again();
    QCOMPARE(of.last(RequestKind::kLock).session.session, 12u);
    QVERIFY(!of.believes());
    of.answer(RequestKind::kLock);
    QVERIFY(of.believes());
  }
  // It may open one before the work has come to its end; what it held was not held over that.
  void anUnlockGoesOverNoOtherConnection() {
    Application of({}, checking());
    of.hold();
    of.pass(2s);
    of.fail(RequestKind::kHeartbeat);
    of.open_again();
    QCOMPARE(of.asked(RequestKind::kLock), std::size_t{1});
    of.input(WorkDone{});
    QCOMPARE(of.asked(RequestKind::kUnlock), std::size_t{0});
    QCOMPARE(of.last(RequestKind::kLock).session.session, 12u);
  }
  void anUnlockThatIsNotAnsweredIsUnknownAndTheApplicationGoesOn() {
    Application of(held_for(2s, 0s));
    of.hold();
    of.pass(2s);
    of.input(WorkDone{});
    of.fail(RequestKind::kUnlock);
    QCOMPARE(of.ended(Operation::kUnlock), std::optional(Ending::kUnknown));
    of.open_again();
    QCOMPARE(of.asked(RequestKind::kLock), std::size_t{2});
  }
  void aRefusedConnectionIsTriedAgainWithinASecond() {
    Application of;
    of.input(Start{});
    of.fail(RequestKind::kOpenSession, Ending::kFailed);
    QCOMPARE(of.connection(), 0u);
    of.pass(1s);
    QCOMPARE(of.asked(RequestKind::kOpenSession), std::size_t{2});
    QCOMPARE(of.count(EventKind::kInvoked), std::size_t{1});
  }
  void whoseConnectionBreaksWhileItWaitsCallsAnew() {
    Application of;
    of.connect();
    of.fail(RequestKind::kLock);
    QCOMPARE(of.count(EventKind::kInvoked), std::size_t{2});
    of.open_again();
    QCOMPARE(of.last(RequestKind::kLock).session.session, 12u);
  }
  void aReentryOfUnknownOutcomeEndsTheHold() {
    Application of(entered(2));
    of.hold();
    of.fail(RequestKind::kLock);
    QVERIFY(!of.believes());
    QCOMPARE(of.ended(Operation::kLock), std::optional(Ending::kUnknown));
  }
  void itsConnectionIsTheOneItOpens() {
    Application of;
    of.input(Start{});
    QCOMPARE(of.connection(), of.last(RequestKind::kOpenSession).id);
    of.answer(RequestKind::kOpenSession, SessionAnswer::kDone, 11);
    QCOMPARE(of.connection(), of.last(RequestKind::kOpenSession).id);
  }

  // ---- what TCP would have sent again
  void whoWaitsAsksNowAndThenWhetherItsConnectionStands() {
    Application of;
    of.connect();
    of.pass(10s - 1ms);
    QCOMPARE(of.asked(RequestKind::kHeartbeat), std::size_t{0});
    of.pass(1ms);
    QCOMPARE(of.asked(RequestKind::kHeartbeat), std::size_t{1});
    of.answer(RequestKind::kHeartbeat, SessionAnswer::kDone, 0, true);
    of.pass(10s);
    QCOMPARE(of.asked(RequestKind::kHeartbeat), std::size_t{2});
    QCOMPARE(of.asked(RequestKind::kLock), std::size_t{1});
  }
  void aLostAnswerToALockShowsByThat() {
    Application of;
    of.connect();
    of.pass(10s);
    of.answer(RequestKind::kHeartbeat, SessionAnswer::kDone, 1);
    QVERIFY(of.believes());
    of.answer(RequestKind::kLock);  // late
    QCOMPARE(of.count(EventKind::kBelieved), std::size_t{1});
  }
  void aLockThatWasLostOnItsWayIsAskedAgainAsTheSameCall() {
    Application of;
    of.connect();
    const std::uint64_t uid = of.last(RequestKind::kLock).session.uid;
    of.pass(10s);
    of.answer(RequestKind::kHeartbeat, SessionAnswer::kDone, 0, false);
    QCOMPARE(of.asked(RequestKind::kLock), std::size_t{2});
    QCOMPARE(of.last(RequestKind::kLock).session.uid, uid);
    QCOMPARE(of.count(EventKind::kInvoked), std::size_t{1});
  }

  // ---- late answers
  void answersOfAnEarlierConnectionAreNobodys() {
    Application of({}, checking());
    of.hold();
    of.pass(2s);
    const Request look = of.last(RequestKind::kHeartbeat), lock = of.last(RequestKind::kLock);
    of.fail(RequestKind::kHeartbeat);
    of.input(WorkDone{});
    of.open_again();
    of.answer(lock);
    of.answer(look, SessionAnswer::kSessionEnded);
    QVERIFY(!of.believes());
    QCOMPARE(of.connection(), of.last(RequestKind::kOpenSession).id);
  }
  void whatWasAskedBeforeALockDoesNotTellOfIt() {
    Application of(held_for(3s, 0s), checking());
    of.hold();
    of.pass(2s);
    const Request look = of.last(RequestKind::kHeartbeat);
    of.pass(1s);
    of.input(WorkDone{});
    of.answer(RequestKind::kUnlock, SessionAnswer::kDone, 0);
    of.answer(look, SessionAnswer::kDone, 1);
    QVERIFY(!of.believes());
  }

  // ---- a stop, in each phase
  void aStopBeforeItHasAConnectionWaitsForNobody() {
    Application of;
    of.input(Start{});
    of.input(Stop{});
    QCOMPARE(of.status(), Status::kInitial);
    QCOMPARE(of.ended(Operation::kLock), std::optional(Ending::kFailed));
    QCOMPARE(of.connection(), 0u);
    of.answer(RequestKind::kOpenSession);
    QCOMPARE(of.connection(), 0u);
    QCOMPARE(of.asked(RequestKind::kLock), std::size_t{0});
  }
  void aStopOfAWaiterClosesItsConnection() {
    Application of;
    of.connect();
    of.input(Stop{});
    QCOMPARE(of.ended(Operation::kLock), std::optional(Ending::kUnknown));
    QCOMPARE(of.last(RequestKind::kCloseSession).session.session, 11u);
    QCOMPARE(of.status(), Status::kStopping);
    of.answer(RequestKind::kLock);  // it was its turn meanwhile
    QVERIFY(!of.believes());
    of.answer(RequestKind::kCloseSession);
    QCOMPARE(of.status(), Status::kInitial);
  }
  void aStopOfAHolderEndsTheWorkThenTheLockThenTheConnection() {
    Application of;
    of.hold();
    of.input(Stop{});
    QVERIFY(!of.believes());
    QCOMPARE(of.asked(RequestKind::kUnlock), std::size_t{0});
    of.input(WorkDone{});
    QCOMPARE(of.asked(RequestKind::kCloseSession), std::size_t{0});
    of.answer(RequestKind::kUnlock, SessionAnswer::kDone, 0);
    QCOMPARE(of.asked(RequestKind::kCloseSession), std::size_t{1});
    of.answer(RequestKind::kCloseSession);
    QCOMPARE(of.status(), Status::kInitial);
    QCOMPARE(of.count(EventKind::kStopped), std::size_t{1});
    for (const Timer timer : {AdvisoryTimer::kConnection, AdvisoryTimer::kApplication}) QVERIFY(!of.armed(timer));
  }
  void aStopWhileItLetsGoOrUnlocksChangesNothing() {
    Application of(held_for(2s));
    of.hold();
    of.pass(2s);
    of.input(Stop{});
    QCOMPARE(of.sent.size(), std::size_t{2});
    of.input(WorkDone{});
    of.answer(RequestKind::kUnlock, SessionAnswer::kDone, 0);
    QCOMPARE(of.asked(RequestKind::kCloseSession), std::size_t{1});
  }
  void aStopOfOneThatRestsClosesItsConnection() {
    Application of(held_for(2s));
    of.hold();
    of.pass(2s);
    of.input(WorkDone{});
    of.answer(RequestKind::kUnlock, SessionAnswer::kDone, 0);
    of.input(Stop{});
    QCOMPARE(of.asked(RequestKind::kCloseSession), std::size_t{1});
  }
  void aStopWithoutAnAnswerEndsAtItsTimeOut() {
    Application of;
    of.hold();
    of.input(Stop{});
    of.input(WorkDone{});
    of.fail(RequestKind::kUnlock);
    QCOMPARE(of.status(), Status::kInitial);
    QCOMPARE(of.ended(Operation::kUnlock), std::optional(Ending::kUnknown));
    QCOMPARE(of.asked(RequestKind::kCloseSession), std::size_t{0});
    of.input(Start{});
    QCOMPARE(of.asked(RequestKind::kOpenSession), std::size_t{2});
  }
  void aStartOrStopThatTheStatusForbidsIsRefused() {
    Application of;
    of.input(Stop{});
    QVERIFY(of.sent.empty());
    of.input(Start{});
    of.input(Start{});
    QCOMPARE(of.sent.size(), std::size_t{1});
  }
};

LEASESCOPE_SUITE(AdvisoryContenderTest)
#include "advisory_contender_test.moc"
