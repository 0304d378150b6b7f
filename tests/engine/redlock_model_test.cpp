// One server of a quorum lock: each row of the rules at the servers (core/quorum/README.md).
#include "simulator/model/quorum/redlock_model.h"

#include "tests/support/suite.h"

using namespace leasescope;
using namespace std::chrono_literals;

namespace {

const Name kMutex{1}, kA{2}, kB{3}, kC{4};
constexpr Duration kTtl = 5s;

// What is asked, at a moment of the server's clock; attempts are called by a number.
class Desk {
 public:
  bool keeps_victim = true;

  Desk& at(Duration moment) {
    now_ = moment;
    return *this;
  }
  const Reply& obtain(Name who, std::uint64_t attempt, Priority priority = 0, Token fence = kNoToken,
                      Duration ttl = kTtl) {
    QuorumCall call{attempt, fence, ttl, {priority}, {keeps_victim, false, false}};
    return ask(RequestKind::kObtain, who, call);
  }
  const Reply& re_enter(Name who, std::uint64_t held, std::uint64_t attempt, Priority priority) {
    return ask(RequestKind::kObtain, who, {attempt, held, kTtl, {priority}, {keeps_victim, false, true}});
  }
  const Reply& extend(Name who, std::uint64_t attempt, bool sets_missing = false) {
    return ask(RequestKind::kExtend, who, {attempt, 0, kTtl, {0}, {keeps_victim, sets_missing, false}});
  }
  const Reply& give_back(Name who, std::uint64_t attempt, bool to_victim = false) {
    return ask(RequestKind::kGiveBack, who, {attempt, 0, {}, {0}, {to_victim, false, false}});
  }
  const Reply& abort(Name who, std::uint64_t attempt) {
    return ask(RequestKind::kAbort, who, {attempt, 0, {}, {0}, {}});
  }
  void wake() {
    steps_.clear();
    model_.wake(0, {ServerTime{} + now_, TrueTime{} + now_}, steps_);
  }
  const Reply& ask(RequestKind kind, Name who, const QuorumCall& asked) {
    steps_.clear();
    ServerCall call;
    call.request.kind = kind;
    call.request.mutex = kMutex;
    call.request.contender = who;
    call.request.quorum = asked;
    model_.take(call, {ServerTime{} + now_, TrueTime{} + now_}, steps_);
    for (const ServerStep& step : steps_)
      if (step.replies) return step.reply;
    qFatal("no answer");
  }
  std::uint64_t holder() const { return model_.vote(0) == nullptr ? 0 : model_.vote(0)->acquisition; }
  Duration ends() const { return model_.vote(0)->expires_at.time_since_epoch(); }
  Priority priority() const { return model_.vote(0)->priority; }
  // "granted A", "ended A stolen" …, in order.
  std::vector<std::string> facts() const {
    std::vector<std::string> out;
    for (const ServerStep& step : steps_)
      if (step.fact == ServerStep::Fact::kOther)
        out.push_back((step.kind == EventKind::kVoteGranted ? "granted " + std::to_string(step.acquisition)
                                                            : "ended " + std::to_string(step.acquisition)) +
                      (step.kind == EventKind::kVoteGranted
                           ? std::string(text(static_cast<GrantKind>(step.detail)))
                           : " " + std::string(text(static_cast<VoteEnd>(step.detail)))));
    return out;
  }
  RedlockModel& model() { return model_; }
  ServerSteps& steps() { return steps_; }

 private:
  RedlockModel model_{1, {}, 2};
  ServerSteps steps_;
  Duration now_{};
};

QuorumAnswer answer(const Reply& reply) { return static_cast<QuorumAnswer>(reply.answer); }

}  // namespace

class RedlockModelTest : public QObject {
  Q_OBJECT
 private slots:
  void aFreeLockIsTaken();
  void equalAndLowerAreDenied();
  void aHigherOneSteals();
  void theLowestPriorityIsTheLowest();
  void aStolenLockLastsForAsLongAsItsVictimsAtLeast();
  void asPublishedItLastsForTheThiefsTimeAlone();
  void anAbortGivesItBackToTheVictim();
  void anAbortAfterTheVictimsEndFreesIt();
  void anAbortOfWhoWasStolenFromChangesNothingForTheThief();
  void asPublishedAThiefThatGivesUpFreesIt();
  void aVictimThatLetGoDoesNotGetItBack();
  void aVictimThatHasNotLetGoKeepsTheRestOfItsLeaseAndNoMore();
  void whoGivesBackWhatIsNotItsChangesNothing();
  void reEnteringKeepsTheEndAndTheHigherPriority();
  void aFenceThatIsNotAboveTheHighestIsRefused();
  void whoMayNotStealIsDeniedWhateverItsFence();
  void aKeyEndsByItsServersClock();
  void anExtensionIsForWhoHolds();
  void aMissingKeyIsWrittenAnewWhereThatIsAskedFor();
  void theSameCallTwiceTakesItOnce();
  void theSameCallTwiceNamesItsVictimTwice();
  void aNoticeGoesToOneContender();
  void aRestartWithoutPersistenceForgets();
};

void RedlockModelTest::aFreeLockIsTaken() {
  Desk desk;
  const Reply& reply = desk.obtain(kA, 10);
  QVERIFY(reply.done);
  QCOMPARE(answer(reply), QuorumAnswer::kSuccess);
  QCOMPARE(desk.holder(), std::uint64_t{10});
  QCOMPARE(desk.ends(), kTtl);
  QCOMPARE(desk.facts(), std::vector<std::string>{"granted 10"});
}

void RedlockModelTest::equalAndLowerAreDenied() {
  Desk desk;
  desk.obtain(kA, 10, 3);
  for (const Priority priority : {3, 2, -1}) {
    const Reply& reply = desk.at(1s).obtain(kB, 20, priority);
    QVERIFY(!reply.done);
    QCOMPARE(answer(reply), QuorumAnswer::kDenied);
    QCOMPARE(reply.owner, kA);
    QCOMPARE(reply.remaining, Duration(kTtl - 1s));
    QCOMPARE(desk.holder(), std::uint64_t{10});
    QVERIFY(desk.facts().empty());
  }
}

void RedlockModelTest::aHigherOneSteals() {
  Desk desk;
  desk.obtain(kA, 10);
  const Reply& reply = desk.obtain(kB, 20, 1);
  QVERIFY(reply.done);
  QCOMPARE(answer(reply), QuorumAnswer::kFromVictim);
  QCOMPARE(reply.owner, kA);
  QCOMPARE(reply.number, std::uint64_t{10});
  QCOMPARE(desk.holder(), std::uint64_t{20});
  QCOMPARE(desk.facts(), (std::vector<std::string>{"ended 10 stolen", "granted 20stolen"}));
}

void RedlockModelTest::theLowestPriorityIsTheLowest() {
  Desk desk;
  desk.obtain(kA, 10, 0);
  QVERIFY(!desk.obtain(kB, 20, INT32_MIN).done);
}

void RedlockModelTest::aStolenLockLastsForAsLongAsItsVictimsAtLeast() {
  Desk desk;
  desk.obtain(kA, 10);
  desk.at(1s).obtain(kB, 20, 1, kNoToken, 150ms);
  QCOMPARE(desk.ends(), kTtl);
  desk.at(2s).obtain(kC, 30, 2, kNoToken, 10s);
  QCOMPARE(desk.ends(), Duration(12s));
}

void RedlockModelTest::asPublishedItLastsForTheThiefsTimeAlone() {
  Desk desk;
  desk.keeps_victim = false;
  desk.obtain(kA, 10);
  desk.at(1s).obtain(kB, 20, 1, kNoToken, 150ms);
  QCOMPARE(desk.ends(), Duration(1150ms));
  QCOMPARE(answer(desk.at(1150ms).obtain(kC, 30)), QuorumAnswer::kSuccess);
}

void RedlockModelTest::anAbortGivesItBackToTheVictim() {
  Desk desk;
  desk.obtain(kA, 10);
  desk.at(1s).obtain(kB, 20, 1, kNoToken, 10s);
  desk.at(2s).abort(kB, 20);
  QCOMPARE(desk.holder(), std::uint64_t{10});
  QCOMPARE(desk.ends(), kTtl);
  QCOMPARE(desk.facts(), (std::vector<std::string>{"ended 20 aborted", "granted 10restored"}));
}

void RedlockModelTest::anAbortAfterTheVictimsEndFreesIt() {
  Desk desk;
  desk.obtain(kA, 10);
  desk.at(1s).obtain(kB, 20, 1, kNoToken, 10s);
  desk.at(kTtl).abort(kB, 20);
  QCOMPARE(desk.holder(), std::uint64_t{0});
}

void RedlockModelTest::anAbortOfWhoWasStolenFromChangesNothingForTheThief() {
  Desk desk;
  desk.obtain(kA, 10);
  desk.obtain(kB, 20, 1);
  desk.obtain(kC, 30, 2);
  desk.abort(kB, 20);
  QCOMPARE(desk.holder(), std::uint64_t{30});
  desk.abort(kC, 30);
  QCOMPARE(desk.holder(), std::uint64_t{10});  // and not who gave up
}

void RedlockModelTest::asPublishedAThiefThatGivesUpFreesIt() {
  Desk desk;
  desk.keeps_victim = false;
  desk.obtain(kA, 10);
  desk.obtain(kB, 20, 1);
  desk.give_back(kB, 20);
  QCOMPARE(desk.holder(), std::uint64_t{0});
  QCOMPARE(answer(desk.obtain(kB, 21, 1)), QuorumAnswer::kSuccess);  // while A believes that it holds
}

void RedlockModelTest::aVictimThatLetGoDoesNotGetItBack() {
  Desk desk;
  desk.obtain(kA, 10);
  desk.obtain(kB, 20, 1);
  QVERIFY(!desk.give_back(kA, 10).done);  // he held it no more
  QCOMPARE(desk.holder(), std::uint64_t{20});
  desk.abort(kB, 20);
  QCOMPARE(desk.holder(), std::uint64_t{0});
}

// Its thief has held meanwhile, so that it may not go on as if nothing had been; nor may anybody hold beside it.
void RedlockModelTest::aVictimThatHasNotLetGoKeepsTheRestOfItsLeaseAndNoMore() {
  Desk desk;
  desk.obtain(kA, 10);
  desk.at(1s).obtain(kB, 20, 1, kNoToken, 10s);
  QVERIFY(desk.at(2s).give_back(kB, 20, true).done);
  QCOMPARE(desk.facts(), (std::vector<std::string>{"ended 20 given back", "granted 10restored"}));
  QCOMPARE(desk.holder(), std::uint64_t{10});
  QCOMPARE(desk.ends(), kTtl);
  QVERIFY(!desk.extend(kA, 10).done && !desk.re_enter(kA, 10, 12, 0).done);
  QCOMPARE(answer(desk.obtain(kC, 30)), QuorumAnswer::kDenied);
  QVERIFY(!desk.give_back(kA, 10).done);  // it had lost it
  QCOMPARE(desk.holder(), std::uint64_t{0});
  desk.at(3s).obtain(kA, 11);
  desk.obtain(kB, 21, 1);
  desk.at(3s + kTtl).give_back(kB, 21, true);
  QCOMPARE(desk.holder(), std::uint64_t{0});
}

void RedlockModelTest::whoGivesBackWhatIsNotItsChangesNothing() {
  Desk desk;
  desk.obtain(kA, 10);
  QVERIFY(!desk.give_back(kB, 20).done);
  QVERIFY(!desk.abort(kA, 11).done);
  QCOMPARE(desk.holder(), std::uint64_t{10});
}

void RedlockModelTest::reEnteringKeepsTheEndAndTheHigherPriority() {
  Desk desk;
  desk.obtain(kA, 10, 2);
  const Reply& reply = desk.at(1s).re_enter(kA, 10, 11, 7);
  QCOMPARE(answer(reply), QuorumAnswer::kReentrant);
  QCOMPARE(reply.number, std::uint64_t{2});
  QCOMPARE(desk.holder(), std::uint64_t{10});
  QCOMPARE(desk.ends(), kTtl);
  QCOMPARE(desk.priority(), Priority{7});
  desk.re_enter(kA, 10, 12, 1);
  QCOMPARE(desk.priority(), Priority{7});
  QVERIFY(!desk.re_enter(kB, 20, 21, 9).done);
}

void RedlockModelTest::aFenceThatIsNotAboveTheHighestIsRefused() {
  Desk desk;
  desk.obtain(kA, 10, 0, 5);
  desk.give_back(kA, 10);
  const Reply& reply = desk.obtain(kB, 20, 0, 5);
  QVERIFY(!reply.done);
  QCOMPARE(answer(reply), QuorumAnswer::kBehind);
  QCOMPARE(reply.token, Token{5});
  QVERIFY(desk.obtain(kB, 21, 0, 6).done);
}

// Or it would ask once more at once, for nothing.
void RedlockModelTest::whoMayNotStealIsDeniedWhateverItsFence() {
  Desk desk;
  desk.obtain(kA, 10, 0, 5);
  const Reply& reply = desk.obtain(kB, 20, 0, 5);
  QCOMPARE(answer(reply), QuorumAnswer::kDenied);
  QCOMPARE(reply.token, Token{5});
  QCOMPARE(answer(desk.obtain(kB, 21, 1, 5)), QuorumAnswer::kBehind);
}

void RedlockModelTest::aKeyEndsByItsServersClock() {
  Desk desk;
  desk.obtain(kA, 10);
  desk.at(kTtl - 1ns).wake();
  QCOMPARE(desk.holder(), std::uint64_t{10});
  desk.at(kTtl).wake();
  QCOMPARE(desk.holder(), std::uint64_t{0});
  QCOMPARE(desk.facts(), std::vector<std::string>{"ended 10 run out"});
}

void RedlockModelTest::anExtensionIsForWhoHolds() {
  Desk desk;
  desk.obtain(kA, 10);
  QVERIFY(desk.at(2s).extend(kA, 10).done);
  QCOMPARE(desk.ends(), Duration(7s));
  desk.obtain(kB, 20, 1);
  QVERIFY(!desk.extend(kA, 10).done);
}

void RedlockModelTest::aMissingKeyIsWrittenAnewWhereThatIsAskedFor() {
  Desk desk;
  QVERIFY(!desk.extend(kA, 10).done);
  QVERIFY(desk.extend(kA, 10, true).done);
  QCOMPARE(desk.holder(), std::uint64_t{10});
  QVERIFY(!desk.extend(kB, 20, true).done);
}

void RedlockModelTest::theSameCallTwiceTakesItOnce() {
  Desk desk;
  desk.obtain(kA, 10, 0, 5);
  const Reply& reply = desk.at(1s).obtain(kA, 10, 0, 5);
  QVERIFY(reply.done);
  QVERIFY(desk.facts().empty());
  QCOMPARE(desk.ends(), kTtl);
}

// The second answer may overtake the first, and its thief has to wait for him.
void RedlockModelTest::theSameCallTwiceNamesItsVictimTwice() {
  for (const bool keeps_victim : {true, false}) {
    Desk desk;
    desk.keeps_victim = keeps_victim;
    desk.obtain(kA, 10);
    desk.obtain(kB, 20, 1);
    const Reply& reply = desk.obtain(kB, 20, 1);
    QVERIFY(reply.done);
    QCOMPARE(answer(reply), QuorumAnswer::kFromVictim);
    QCOMPARE(reply.owner, kA);
    QCOMPARE(reply.number, std::uint64_t{10});
    QVERIFY(desk.facts().empty());
  }
}

void RedlockModelTest::aNoticeGoesToOneContender() {
  Desk desk;
  QuorumCall call{10, 20, 3s, {0}, {}};
  call.to = kA.handle;
  desk.ask(RequestKind::kTell, kB, call);
  const ServerStep& step = *desk.steps().begin();
  QVERIFY(step.publishes);
  QCOMPARE(step.channel, kA);
  QCOMPARE(step.message.kind, StoreEventKind::kStolen);
  QCOMPARE(step.message.owner, kB);
  QCOMPARE(step.message.acquisition, std::uint64_t{10});
  QCOMPARE(step.message.by, std::uint64_t{20});
  QCOMPARE(step.message.server, std::uint8_t{2});
  QCOMPARE(step.message.until, WallTime(Duration(3s)));
}

void RedlockModelTest::aRestartWithoutPersistenceForgets() {
  Desk kept;
  kept.obtain(kA, 10);
  kept.steps().clear();
  kept.model().disturb(Disturbance::kRestart, {}, kept.steps());
  QCOMPARE(kept.holder(), std::uint64_t{10});
  RedlockModel forgetful(1, {false}, 0);
  ServerSteps steps;
  ServerCall call;
  call.request.kind = RequestKind::kObtain;
  call.request.contender = kA;
  call.request.quorum = {10, 0, kTtl, {0}, {}};
  forgetful.take(call, {}, steps);
  QVERIFY(forgetful.vote(0) != nullptr);
  forgetful.disturb(Disturbance::kRestart, {}, steps);
  QVERIFY(forgetful.vote(0) == nullptr);
}

LEASESCOPE_SUITE(RedlockModelTest)
#include "redlock_model_test.moc"
