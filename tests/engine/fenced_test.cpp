// The fenced lock: what its users see, and what the group that keeps it does, as both were seen on the real one.
#include "tests/engine/hall.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

using Call = FencedCall;
using Result = FencedResult;

SessionAnswer said(const std::optional<Reply>& reply) { return static_cast<SessionAnswer>(reply->answer); }

Duration since(const Hall& hall, Duration from) { return hall.granted().back().at - from; }

}  // namespace

class FencedTest : public QObject {
  Q_OBJECT

 private slots:
  // ---- the fence
  void aFenceIsTheIndexOfItsOwnersRequest() {
    Hall hall(1);
    const auto first = hall.lock(0);  // the session took index 1
    QCOMPARE(first->fence, Token{2});
    hall.unlock(0);
    QCOMPARE(hall.index(), Token{3});
    QCOMPARE(hall.lock(0)->fence, Token{4});
    hall.unlock(0);
    QCOMPARE(hall.lock(0)->fence, Token{6});  // a lock and an unlock are two
  }
  void aWaiterGetsTheFenceOfItsRequestNotOfItsGrant() {
    Hall hall(2);
    hall.lock(0);
    QVERIFY(!hall.lock(1));
    const Token asked = hall.index();
    for (int i = 0; i < 5; ++i) hall.ask(0, Call::kFence);
    hall.unlock(0);
    QCOMPARE(hall.answers(1).back().result, Result::kDone);
    QCOMPARE(hall.answers(1).back().fence, asked);
    QVERIFY(hall.index() > asked + 5);
  }
  void everythingThatIsCommittedMovesTheIndex() {
    Hall hall(2);
    hall.lock(0);
    const Token before = hall.index();
    for (const Call question : {Call::kFence, Call::kIsLocked, Call::kLockCount}) hall.ask(0, question);
    QCOMPARE(hall.index(), before + 3);
    hall.lock(0);  // once more
    hall.unlock(0);
    QCOMPARE(hall.index(), before + 5);
    hall.try_lock(1);  // refused: a session and a call
    QCOMPARE(hall.index(), before + 7);
    hall.pass(1s);  // a heartbeat of the holder
    QCOMPARE(hall.index(), before + 8);
  }
  // So fences order the holders of one lock, and say nothing across locks: who held later may have the lower one.
  void anotherLockOfTheGroupMovesTheIndexToo() {
    Hall hall(0);
    const std::uint64_t a = hall.open(), b = hall.open();
    hall.raw(a, RequestKind::kLock, 1, Duration::max());
    QVERIFY(!hall.raw(b, RequestKind::kLock, 1, Duration::max()));
    const Token asked = hall.index();
    const Token of_the_other = hall.raw(a, RequestKind::kLock, 2, Duration::max(), 1, 1)->token;
    QCOMPARE(of_the_other, asked + 1);
    hall.raw(a, RequestKind::kUnlock, 3);
    QCOMPARE(hall.granted().back().fence, asked);
    QVERIFY(hall.granted().back().fence < of_the_other);
  }
  void aReentryKeepsTheFenceAlsoWhilePartlyReleased() {
    Hall hall(1);
    const Token fence = hall.lock(0)->fence;
    const auto again = hall.lock(0);
    QCOMPARE(again->fence, fence);
    QCOMPARE(again->count, 2u);
    QCOMPARE(hall.unlock(0)->count, 1u);
    QCOMPARE(hall.ask(0, Call::kFence)->fence, fence);
    QCOMPARE(hall.unlock(0)->count, 0u);
    QCOMPARE(hall.owner(), Name{});
  }

  // ---- one operation, once
  void theSameUidTwiceIsOneLock() {
    Hall hall(0);
    const std::uint64_t session = hall.open();
    const auto first = hall.raw(session, RequestKind::kLock, 7, Duration::max());
    const auto second = hall.raw(session, RequestKind::kLock, 7, Duration::max());
    QCOMPARE(second->token, first->token);
    QCOMPARE(second->number, 1u);
  }
  void aReleaseAskedAgainSucceedsEvenWhenAnotherHolds() {
    Hall hall(0);
    const std::uint64_t a = hall.open(), b = hall.open();
    hall.raw(a, RequestKind::kLock, 1, Duration::max());
    hall.raw(b, RequestKind::kLock, 1, Duration::max());
    QCOMPARE(said(hall.raw(a, RequestKind::kUnlock, 2)), SessionAnswer::kDone);
    QCOMPARE(said(hall.raw(a, RequestKind::kUnlock, 2)), SessionAnswer::kDone);
    QCOMPARE(said(hall.raw(a, RequestKind::kUnlock, 3)), SessionAnswer::kNotOwner);
    QCOMPARE(said(hall.raw(b, RequestKind::kUnlock, 2)), SessionAnswer::kDone);
  }
  void anOldLockAskedAgainAfterItsReleaseIsANewRequest() {
    Hall hall(0);
    const std::uint64_t a = hall.open(), b = hall.open();
    hall.raw(a, RequestKind::kLock, 1, Duration::max());
    hall.raw(a, RequestKind::kUnlock, 2);
    hall.raw(b, RequestKind::kLock, 1, Duration::max());
    QVERIFY(!hall.raw(a, RequestKind::kLock, 1, Duration::max()));  // it waits
    QCOMPARE(hall.told(EventKind::kQueued), 1);
  }
  void aLateRetryOfATryThatTimedOutFailsOnAFreeLock() {
    Hall hall(0);
    const std::uint64_t a = hall.open(), b = hall.open();
    hall.raw(a, RequestKind::kLock, 1, Duration::max());
    QVERIFY(!hall.raw(b, RequestKind::kLock, 5, 100ms));
    hall.pass(200ms);
    QCOMPARE(said(hall.heard()), SessionAnswer::kNotLocked);
    hall.raw(a, RequestKind::kUnlock, 2);
    QCOMPARE(said(hall.raw(b, RequestKind::kLock, 5, 100ms)), SessionAnswer::kNotLocked);
    QCOMPARE(said(hall.raw(b, RequestKind::kLock, 6, 100ms)), SessionAnswer::kDone);
  }
  void whatWasRefusedIsRefusedAgainUnderItsUid() {
    CpTerms terms;
    terms.limit = 1;
    Hall hall(0, terms);
    const std::uint64_t a = hall.open(), b = hall.open();
    hall.raw(a, RequestKind::kLock, 1, Duration::max());
    QCOMPARE(said(hall.raw(b, RequestKind::kLock, 1)), SessionAnswer::kNotLocked);  // it does not wait
    QCOMPARE(said(hall.raw(a, RequestKind::kLock, 2, Duration::max())), SessionAnswer::kLimit);
    QCOMPARE(said(hall.raw(a, RequestKind::kLock, 2, Duration::max())), SessionAnswer::kLimit);
    hall.raw(a, RequestKind::kUnlock, 3);
    QCOMPARE(said(hall.raw(b, RequestKind::kLock, 1)), SessionAnswer::kNotLocked);  // though it is free by now
    QCOMPARE(said(hall.raw(b, RequestKind::kLock, 2)), SessionAnswer::kDone);
  }
  void anUnlockOfWhoWaitsEndsItsWait() {
    Hall hall(0);
    const std::uint64_t a = hall.open(), b = hall.open();
    hall.raw(a, RequestKind::kLock, 1, Duration::max());
    hall.raw(b, RequestKind::kLock, 1, Duration::max());
    QCOMPARE(said(hall.raw(b, RequestKind::kUnlock, 2)), SessionAnswer::kNotOwner);
    QCOMPARE(said(hall.locked()), SessionAnswer::kCancelled);
    QCOMPARE(hall.told(EventKind::kDequeued), 1);
    hall.raw(a, RequestKind::kUnlock, 2);
    QCOMPARE(hall.granted().size(), std::size_t{1});
  }
  void aNewerCallOfOneEndpointCancelsItsOlderOne() {
    Hall hall(0);
    const std::uint64_t a = hall.open(), b = hall.open();
    hall.raw(a, RequestKind::kLock, 1, Duration::max());
    hall.raw(b, RequestKind::kLock, 1, Duration::max());
    QVERIFY(!hall.heard());
    hall.raw(b, RequestKind::kLock, 2, Duration::max());
    QCOMPARE(said(hall.heard()), SessionAnswer::kCancelled);
    QCOMPARE(hall.told(EventKind::kQueued), 2);
    QCOMPARE(hall.told(EventKind::kDequeued), 1);
  }
  void aCallWhoseAnswerWasLostIsAskedAgainAndTakesEffectOnce() {
    Hall hall(1);
    hall.lock(0);
    hall.unlock(0);
    hall.lose_answers(true);
    QVERIFY(!hall.lock(0));
    hall.lose_answers(false);
    hall.give_up(0);
    QCOMPARE(hall.answers(0).back().result, Result::kDone);
    QCOMPARE(hall.answers(0).back().count, 1u);
    QCOMPARE(hall.granted().size(), std::size_t{2});
    QCOMPARE(hall.unlock(0)->count, 0u);
  }
  void aCallOfUnknownOutcomeIsReportedWhereThatIsAsked() {
    Hall hall(1, {}, true);
    hall.lock(0);
    hall.unlock(0);
    hall.lose_answers(true);
    QVERIFY(!hall.try_lock(0, 1s));
    hall.lose_answers(false);
    hall.give_up(0);
    QCOMPARE(hall.answers(0).back().result, Result::kUnknown);
    QCOMPARE(hall.try_lock(0, 1s)->count, 2u);  // it had taken effect
    hall.lose_answers(true);
    QVERIFY(!hall.unlock(0));
    hall.lose_answers(false);
    hall.give_up(0);
    QCOMPARE(hall.answers(0).back().result, Result::kUnknown);
    QCOMPARE(hall.ask(0, Call::kLockCount)->count, 1u);
  }

  // ---- what its users see
  void overTheLimitALockIsRefusedAndATryIsFalse() {
    CpTerms terms;
    terms.limit = 2;
    Hall hall(1, terms);
    const Token fence = hall.lock(0)->fence;
    hall.lock(0);
    QCOMPARE(hall.lock(0)->result, Result::kLimit);
    QCOMPARE(hall.try_lock(0)->result, Result::kNotLocked);
    QCOMPARE(hall.try_lock(0, 1s)->result, Result::kNotLocked);  // at once
    QCOMPARE(hall.ask(0, Call::kLockCount)->count, 2u);
    QCOMPARE(hall.ask(0, Call::kFence)->fence, fence);
  }
  void anotherThreadOrMemberNeitherLocksNorUnlocks() {
    Hall hall(2);
    hall.lock(0);
    QCOMPARE(hall.try_lock(0, {}, 1)->result, Result::kNotLocked);
    QCOMPARE(hall.unlock(0, 1)->result, Result::kNotOwner);
    QCOMPARE(hall.try_lock(1)->result, Result::kNotLocked);
    QCOMPARE(hall.unlock(1)->result, Result::kNotOwner);
    hall.unlock(0);
    QCOMPARE(hall.unlock(0)->result, Result::kNotOwner);  // the last holder, of a free lock
  }
  void theFenceOfAnotherIsNeverTold() {
    Hall hall(2);
    hall.lock(0);
    QCOMPARE(hall.ask(1, Call::kFence)->result, Result::kNotOwner);
    QVERIFY(hall.ask(0, Call::kIsLocked)->by_me);
    QVERIFY(!hall.ask(1, Call::kIsLocked)->by_me);
    QCOMPARE(hall.ask(1, Call::kLockCount)->count, 1u);
  }
  void aTryWaitsForItsTimeAndNoLonger() {
    Hall hall(2);
    hall.lock(0);
    QVERIFY(!hall.try_lock(1, 300ms));
    hall.pass(280ms);
    QVERIFY(hall.answers(1).empty());
    hall.pass(20ms);
    QCOMPARE(hall.answers(1).back().result, Result::kNotLocked);
    QVERIFY(!hall.try_lock(1, 300ms));
    hall.unlock(0);
    QCOMPARE(hall.answers(1).back().result, Result::kDone);
  }
  void whoWaitsIsServedInTheOrderOfTheRequests() {
    constexpr std::size_t kClients = 3;
    Hall hall(kClients);
    hall.lock(0);
    for (std::uint32_t thread = 0; thread < FencedClient::kThreads; ++thread)
      for (std::size_t who = 0; who < kClients; ++who)
        if (who != 0 || thread != 0) QVERIFY(!hall.lock(who, thread));
    Token last = kNoToken;
    for (std::uint32_t thread = 0; thread < FencedClient::kThreads; ++thread)
      for (std::size_t who = 0; who < kClients; ++who) {
        QCOMPARE(hall.granted().back().who, Hall::name(who));
        QVERIFY(hall.granted().back().fence > last);
        last = hall.granted().back().fence;
        QCOMPARE(hall.unlock(who, thread)->result, Result::kDone);
      }
    QCOMPARE(hall.granted().size(), std::size_t{12});
    QCOMPARE(hall.owner(), Name{});
  }

  // ---- sessions
  void questionsAloneMakeNoSession() {
    Hall hall(1);
    hall.ask(0, Call::kIsLocked);
    hall.ask(0, Call::kLockCount);
    QCOMPARE(hall.told(EventKind::kSessionOpened), 0);
    QCOMPARE(hall.client(0).session(), 0u);
  }
  void aSessionIsKeptAliveWhileSomethingIsHeldOrAwaited() {
    Hall hall(2);
    hall.lock(0);
    hall.lock(1);
    hall.pass(60s);
    QCOMPARE(hall.told(EventKind::kSessionEnded), 0);
    QVERIFY(hall.told(EventKind::kSessionRenewed) >= 110);
    QCOMPARE(hall.owner(), Hall::name(0));
  }
  void anIdleSessionRunsOutAndTheNextLockOpensAnother() {
    Hall hall(1);
    hall.lock(0);
    hall.unlock(0);
    hall.pass(9900ms);
    QCOMPARE(hall.told(EventKind::kSessionEnded), 0);
    hall.pass(1200ms);
    QCOMPARE(hall.told(EventKind::kSessionEnded), 1);
    QCOMPARE(hall.lock(0)->result, Result::kDone);
    QCOMPARE(hall.told(EventKind::kSessionOpened), 2);
  }
  void everyOperationIsASignOfLife() {
    Hall hall(0);
    const std::uint64_t session = hall.open();
    for (std::uint64_t uid = 1; uid <= 4; ++uid) {
      hall.pass(8s);
      QCOMPARE(said(hall.raw(session, RequestKind::kLock, uid, Duration::max())), SessionAnswer::kDone);
    }
    hall.pass(8s);
    QCOMPARE(said(hall.raw(session, RequestKind::kUnlock, 5)), SessionAnswer::kDone);
    hall.pass(8s);
    hall.raw(session, RequestKind::kQuery, 0);  // a question is none
    hall.pass(3200ms);
    QCOMPARE(hall.told(EventKind::kSessionEnded), 1);
  }
  void aHeartbeatDefeatsAnExpiryThatIsUnderWay() {
    CpTerms terms;
    terms.commit = 50ms;
    Hall hall(0, terms);
    hall.raw(0, RequestKind::kOpenSession, 0);
    hall.pass(100ms);  // opened at 50 ms by a clock that looks every second from 50 ms on
    const std::uint64_t session = hall.heard()->number;
    hall.pass(10040ms - hall.now());  // the look at 10.05 s proposes its end; a heartbeat is in the log before
    hall.raw(session, RequestKind::kHeartbeat, 0);
    hall.pass(300ms);
    QCOMPARE(hall.told(EventKind::kSessionEnded), 0);
    QCOMPARE(said(hall.heard()), SessionAnswer::kDone);
  }
  // Nobody is given less time than he was told of, whichever way the clock is set.
  void aSignOfLifeNeverShortensASession() {
    Hall hall(0);
    const std::uint64_t session = hall.open();
    hall.pass(1s);
    hall.raw(session, RequestKind::kHeartbeat, 0);  // until 11 s
    hall.set_clock(-5s);
    hall.raw(session, RequestKind::kHeartbeat, 0);
    hall.set_clock(5s);
    hall.pass(9500ms);
    QCOMPARE(hall.told(EventKind::kSessionEnded), 0);
    hall.pass(1600ms);
    QCOMPARE(hall.told(EventKind::kSessionEnded), 1);
  }
  void aClosedSessionFreesAtOnceAndEndsWhatWaits() {
    Hall hall(2);
    hall.lock(0);
    hall.lock(0);
    hall.lock(1);
    hall.close(0);
    QCOMPARE(hall.answers(1).back().result, Result::kDone);
    QCOMPARE(hall.owner(), Hall::name(1));
  }
  void aWaitEndsWithItsSession() {
    Hall hall(0);
    const std::uint64_t a = hall.open(), b = hall.open();
    hall.raw(a, RequestKind::kLock, 1, Duration::max());
    hall.raw(b, RequestKind::kLock, 1, Duration::max());
    hall.raw(b, RequestKind::kCloseSession, 0);
    QCOMPARE(hall.told(EventKind::kDequeued), 1);
    QCOMPARE(said(hall.locked()), SessionAnswer::kSessionEnded);
    QCOMPARE(said(hall.raw(b, RequestKind::kLock, 2, Duration::max())), SessionAnswer::kSessionEnded);
  }

  // ---- what is lost is told, on the next call
  void whoeverHeldInAClosedSessionIsToldByItsNextCall_data() {
    QTest::addColumn<int>("call");
    QTest::addColumn<bool>("stays");
    QTest::newRow("lock") << static_cast<int>(Call::kLock) << false;
    QTest::newRow("try_lock") << static_cast<int>(Call::kTryLock) << false;
    QTest::newRow("unlock") << static_cast<int>(Call::kUnlock) << false;
    QTest::newRow("fence") << static_cast<int>(Call::kFence) << true;
    QTest::newRow("is_locked") << static_cast<int>(Call::kIsLocked) << true;
    QTest::newRow("lock_count") << static_cast<int>(Call::kLockCount) << true;
  }
  void whoeverHeldInAClosedSessionIsToldByItsNextCall() {
    QFETCH(int, call);
    QFETCH(bool, stays);
    Hall hall(1);
    hall.lock(0);
    hall.disturb(Disturbance::kCloseSession);  // nobody else took the lock
    QCOMPARE(hall.ask(0, static_cast<Call>(call))->result, Result::kOwnershipLost);
    // Told by a question the mark stays; else the next unlock is that of one who does not hold.
    QCOMPARE(hall.unlock(0)->result, stays ? Result::kOwnershipLost : Result::kNotOwner);
    const auto anew = hall.lock(0);
    QCOMPARE(anew->result, Result::kDone);
    QCOMPARE(anew->count, 1u);
    QCOMPARE(hall.told(EventKind::kSessionOpened), 2);
  }
  void eachThreadIsToldOnItsOwnNextCall() {
    // Each of them holds a lock of its own in the same session; here one holds, and the other waits.
    Hall hall(1);
    hall.lock(0, 0);
    hall.lock(0, 1);
    hall.disturb(Disturbance::kCloseSession);
    hall.pass(1s);
    QCOMPARE(hall.unlock(0, 0)->result, Result::kOwnershipLost);
    QCOMPARE(hall.answers(0)[1].thread, 1u);
    QCOMPARE(hall.answers(0)[1].result, Result::kDone);  // it asked again in a new session
  }
  // Asked again, as any call that was not answered; but in a new session it would be another lock.
  void anEntryThatIsAskedAgainAfterItsSessionIsToldThatTheLockIsLost() {
    Hall hall(1);
    hall.lock(0);
    hall.lose_answers(true);
    QVERIFY(!hall.lock(0));  // once more
    hall.disturb(Disturbance::kCloseSession);
    hall.lose_answers(false);
    hall.pass(1100ms);  // a heartbeat is told that the session has ended
    hall.give_up(0);
    QCOMPARE(hall.answers(0).back().result, Result::kOwnershipLost);
    QCOMPARE(hall.granted().size(), std::size_t{1});
    QCOMPARE(hall.owner(), Name{});
  }
  void aStoppedHolderLosesTheLockAndIsToldNothing() {
    Hall hall(2);
    hall.lock(0);
    hall.lock(1);
    hall.pass(3s);
    hall.stop(0);
    const Duration stopped = hall.now();
    hall.pass(13700ms);
    QCOMPARE(hall.owner(), Hall::name(1));
    // What was left of the ttl at its last heartbeat, and until the next look.
    QVERIFY(since(hall, stopped) > 9s && since(hall, stopped) <= 11001ms);
    const std::size_t told = hall.answers(0).size();
    hall.go_on(0);
    hall.pass(2s);
    QCOMPARE(hall.answers(0).size(), told);
    QCOMPARE(hall.unlock(0)->result, Result::kOwnershipLost);
  }

  // ---- the group
  void aCrashedHoldersLockIsFreeAfterItsTtl_data() {
    QTest::addColumn<bool>("leader");
    QTest::newRow("a follower's member") << false;
    QTest::newRow("the leader's member") << true;
  }
  void aCrashedHoldersLockIsFreeAfterItsTtl() {
    QFETCH(bool, leader);
    Hall hall(2);
    hall.lock(0);
    hall.lock(1);
    hall.pass(5300ms);
    hall.crash(0);
    const Duration crashed = hall.now();
    if (leader) hall.disturb(Disturbance::kLeaderLost);
    hall.pass(20s);
    QCOMPARE(hall.owner(), Hall::name(1));
    // ttl less the age of its last heartbeat, and up to a look of 1 s; with the leader an interval and an election
    // more.
    const Duration least = leader ? 10600ms : 9s, most = leader ? 12s : 11s;
    QVERIFY2(since(hall, crashed) >= least && since(hall, crashed) <= most,
             qPrintable(QString::number(since(hall, crashed) / 1ms)));
    QCOMPARE(hall.told(EventKind::kElected), leader ? 1 : 0);
  }
  void whatReachedAnotherMemberIsCommittedByTheNextLeader_data() {
    QTest::addColumn<bool>("reached");
    QTest::newRow("reached") << true;
    QTest::newRow("did not") << false;
  }
  void whatReachedAnotherMemberIsCommittedByTheNextLeader() {
    QFETCH(bool, reached);
    CpTerms terms;
    terms.commit = 40ms;
    Hall hall(0, terms);
    hall.raw(0, RequestKind::kOpenSession, 0);
    hall.pass(100ms);
    const std::uint64_t session = hall.heard()->number;
    hall.raw(session, RequestKind::kLock, 1, Duration::max());  // 10 ms ago
    if (reached) hall.pass(15ms);
    hall.disturb(Disturbance::kLeaderLost);
    QCOMPARE(hall.heard()->ending, Ending::kUnknown);
    hall.pass(2s);
    QCOMPARE(hall.granted().size(), std::size_t{reached ? 1U : 0U});
    hall.raw(session, RequestKind::kLock, 1, Duration::max());
    hall.pass(100ms);
    QCOMPARE(said(hall.heard()), SessionAnswer::kDone);
    QCOMPARE(hall.heard()->number, 1u);
  }
  void aTryEndsThoughItsEndWasLostWithItsLeader_data() {
    QTest::addColumn<bool>("all");
    QTest::newRow("the leader") << false;
    QTest::newRow("all members") << true;
  }
  void aTryEndsThoughItsEndWasLostWithItsLeader() {
    QFETCH(bool, all);
    CpTerms terms;
    terms.commit = 40ms;
    Hall hall(0, terms);
    const auto session = [&] {
      hall.raw(0, RequestKind::kOpenSession, 0);
      hall.pass(100ms);
      return hall.heard()->number;
    };
    const std::uint64_t a = session(), b = session();
    hall.raw(a, RequestKind::kLock, 1, Duration::max());
    hall.pass(100ms);
    hall.raw(b, RequestKind::kLock, 5, 200ms);
    hall.pass(240ms - 10ms + 5ms);  // committed after 40 ms; its end has been in the leader's log for 5 ms
    QVERIFY(!hall.heard());
    hall.disturb(all ? Disturbance::kCrash : Disturbance::kLeaderLost);
    if (all) hall.disturb(Disturbance::kRestart);
    hall.raw(b, RequestKind::kLock, 5, 200ms);  // asked again
    hall.pass(3s);
    QVERIFY(hall.heard());
    QCOMPARE(said(hall.heard()), SessionAnswer::kNotLocked);
  }
  void whoWaitsKeepsItsPlaceOverAnElection() {
    Hall hall(3);
    hall.lock(0);
    hall.lock(1);
    hall.lock(2);
    hall.disturb(Disturbance::kLeaderLost);
    hall.pass(3s);
    QCOMPARE(hall.told(EventKind::kQueued), 2);
    hall.unlock(0);
    QCOMPARE(hall.answers(1).back().result, Result::kDone);
    QVERIFY(hall.answers(2).empty());
  }
  void aLeadersClockThatJumpsEndsEverySession() {
    Hall hall(2);
    hall.lock(0);
    hall.lock(1);
    hall.set_clock(1min);
    hall.pass(1s);
    // The waiter's went a moment later, so that it was granted the lock and lost it at once.
    QCOMPARE(hall.told(EventKind::kSessionEnded), 2);
    QCOMPARE(hall.answers(1).back().result, Result::kDone);
    QCOMPARE(hall.owner(), Name{});
    for (const std::size_t who : {0, 1}) {
      QCOMPARE(hall.ask(who, Call::kIsLocked)->result, Result::kOwnershipLost);
      QCOMPARE(hall.unlock(who)->result, Result::kOwnershipLost);
    }
    QCOMPARE(hall.lock(1)->result, Result::kDone);
  }
  void afterASessionThatEndedNobodyIsGrantedForTheLockDelay() {
    CpTerms terms;
    terms.lock_delay = 5s;
    Hall hall(2, terms);
    hall.lock(0);
    hall.lock(1);
    hall.disturb(Disturbance::kCloseSession);
    const Duration ended = hall.now();
    hall.pass(4900ms);
    QCOMPARE(hall.owner(), Name{});
    hall.pass(200ms);
    QCOMPARE(hall.owner(), Hall::name(1));
    QCOMPARE(since(hall, ended), Duration(5s));
    hall.close(1);  // as it should be: no delay
    QCOMPARE(hall.lock(0)->result, Result::kOwnershipLost);
    QCOMPARE(hall.lock(0)->result, Result::kDone);
  }
};

LEASESCOPE_SUITE(FencedTest)
#include "fenced_test.moc"
