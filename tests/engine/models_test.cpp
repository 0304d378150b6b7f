// What the models of servers answer. Where they agree, the same sentences hold for each; they are those of
// tests/store/lease_store_test.cpp, which the real servers are asked.
#include "simulator/model/server_model.h"
#include "tests/support/suite.h"

#include <QTest>

#include <map>

using namespace leasescope;
using namespace std::chrono_literals;

namespace {

const Name kMutex{1}, kA{2}, kB{3};

// A model at a desk: it is asked at moments that the test names, and remembers what it said.
class Desk {
 public:
  explicit Desk(ServerModel model) : model_(std::move(model)) {}

  struct Said {
    bool at_once = true;
    std::vector<ServerStep> steps;

    const Reply& reply() const {
      for (const ServerStep& step : steps)
        if (step.replies) return step.reply;
      qFatal("no answer");
    }
    const ServerStep* fact(ServerStep::Fact fact) const {
      for (const ServerStep& step : steps)
        if (step.fact == fact) return &step;
      return nullptr;
    }
    const ServerStep* message(StoreEventKind kind) const {
      for (const ServerStep& step : steps)
        if (step.publishes && step.message.kind == kind) return &step;
      return nullptr;
    }
    std::size_t answers() const {
      return static_cast<std::size_t>(
          std::count_if(steps.begin(), steps.end(), [](const ServerStep& step) { return step.replies; }));
    }
  };

  Desk& at(Duration since_start) {
    now_ = TrueTime{} + since_start;
    return *this;
  }
  // The server's clock is set; its leases do not know.
  void set_clock(Duration by) {
    clock_.step(now_, by);
    disturb(Disturbance::kClockChanged);
  }

  Said ask(RequestKind kind, Name who, Duration lease = 5s, Wire wire = Wire::kTerm) {
    ServerCall call;
    call.request.id = ++requests_;
    call.request.kind = kind;
    call.request.wire = wire;
    call.request.mutex = kMutex;
    call.request.contender = who;
    call.request.ttl = lease - 1s;
    call.request.lease = lease;
    call.request.timeout = 4s;
    call.request.term = terms_[who.handle];
    Said said;
    said.at_once = std::visit([&](auto& model) { return model.take(call, moment(), steps_); }, model_);
    return take_down(std::move(said));
  }
  void means(Name who, Token term) { terms_[who.handle] = term; }
  Said acquire(Name who, Duration lease = 5s) { return ask(RequestKind::kAcquire, who, lease); }
  Said guard(Name who, Duration lease = 5s) { return ask(RequestKind::kGuard, who, lease); }
  Said release(Name who) { return ask(RequestKind::kRelease, who); }

  Said disturb(Disturbance what) {
    std::visit([&](auto& model) { model.disturb(what, moment(), steps_); }, model_);
    return take_down({});
  }
  TrueTime deadline() const {
    return std::visit([&](const auto& model) { return model.deadline(0, clock_); }, model_);
  }
  Said wake() {
    std::visit([&](auto& model) { model.wake(0, moment(), steps_); }, model_);
    return take_down({});
  }
  Name owner() const {
    return std::visit([](const auto& model) { return model.owner(0); }, model_);
  }

 private:
  ServerNow moment() const { return {clock_.at(now_), now_}; }
  Said take_down(Said said) {
    said.steps.assign(steps_.begin(), steps_.end());
    steps_.clear();
    for (const ServerStep& step : said.steps)
      if (step.replies && step.reply.done) terms_[step.reply.owner.handle] = step.reply.token;
    return said;
  }

  ServerModel model_;
  ServerSteps steps_;
  SkewedClock<ServerTime> clock_{1h, 0};
  TrueTime now_{};
  std::uint64_t requests_ = 0;
  std::map<std::uint32_t, Token> terms_;  // by name handle: what each was told last
};

ServerModel redis(const RedisTerms& terms = {}) { return RedisModel({kMutex}, terms); }
ServerModel sql(SqlTerms::Statement statement, SqlTerms::Now now = SqlTerms::Now::kClock) {
  return SqlModel({kMutex}, SqlTerms{statement, now, 10});
}
constexpr auto kForUpdate = SqlTerms::Statement::kForUpdate;
constexpr auto kUpdate = SqlTerms::Statement::kUpdate;
using Fact = ServerStep::Fact;

Desk desk_of(const QString& model) {
  if (model == "redis") return Desk(redis());
  return Desk(sql(model == "sql for-update" ? kForUpdate : kUpdate));
}

}  // namespace

class ModelsTest : public QObject {
  Q_OBJECT

  static void all() {
    QTest::addColumn<QString>("model");
    for (const char* model : {"redis", "sql for-update", "sql update"}) QTest::newRow(model) << model;
  }
  static void ours() {  // those that our own adapters speak
    QTest::addColumn<QString>("model");
    for (const char* model : {"redis", "sql for-update"}) QTest::newRow(model) << model;
  }
  static Desk desk() {
    QFETCH(QString, model);
    return desk_of(model);
  }

 private slots:
  // ---- where they agree

  void aFreeMutexIsGrantedForTheWholeLeaseWithAToken_data() { all(); }
  void aFreeMutexIsGrantedForTheWholeLeaseWithAToken() {
    Desk desk = ModelsTest::desk();
    const auto said = desk.at(10ms).acquire(kA);
    QVERIFY(said.at_once && said.reply().ending == Ending::kOk);
    QCOMPARE(said.reply().owner, kA);
    QCOMPARE(said.reply().remaining, Duration(5s));
    QCOMPARE(said.reply().token, Token{1});
    QVERIFY(said.fact(Fact::kGranted) != nullptr);
    QCOMPARE(said.fact(Fact::kGranted)->lease, Duration(5s));
    QCOMPARE(desk.owner(), kA);
  }
  void aHeldMutexIsRefusedNamingItsOwnerAndWhatIsLeft_data() { all(); }
  void aHeldMutexIsRefusedNamingItsOwnerAndWhatIsLeft() {
    Desk desk = ModelsTest::desk();
    desk.at(0s).acquire(kA);
    const auto refused = desk.at(1200ms).acquire(kB);
    QVERIFY(refused.reply().ending == Ending::kOk);
    QCOMPARE(refused.reply().owner, kA);
    QCOMPARE(refused.reply().remaining, Duration(3800ms));
    QCOMPARE(refused.reply().token, Token{1});
    QVERIFY(refused.fact(Fact::kGranted) == nullptr);
  }
  void aGuardRenewsTheLeaseAndKeepsTheToken_data() { all(); }
  void aGuardRenewsTheLeaseAndKeepsTheToken() {
    Desk desk = ModelsTest::desk();
    desk.at(0s).acquire(kA, 2s);
    for (Duration at = 1s; at < 10s; at += 1500ms) {
      const auto renewed = desk.at(at).guard(kA, 2s);
      QCOMPARE(renewed.reply().owner, kA);
      QCOMPARE(renewed.reply().token, Token{1});
      QVERIFY(renewed.fact(Fact::kRenewed) != nullptr);
      QCOMPARE(desk.acquire(kB).reply().owner, kA);
    }
  }
  void aGuardNeverTakesTheMutexAnew_data() { ours(); }
  void aGuardNeverTakesTheMutexAnew() {
    Desk desk = ModelsTest::desk();
    const auto of_nothing = desk.at(0s).guard(kA);
    QVERIFY(of_nothing.reply().ending == Ending::kOk && of_nothing.reply().owner.empty());
    QCOMPARE(of_nothing.reply().token, kNoToken);
    desk.acquire(kA, 1s);
    QVERIFY(desk.at(1100ms).guard(kA).reply().owner.empty());
    desk.acquire(kB);
    QCOMPARE(desk.guard(kA).reply().owner, kB);
  }
  void aLeaseEndsByItselfAndNotBefore_data() { all(); }
  void aLeaseEndsByItselfAndNotBefore() {
    Desk desk = ModelsTest::desk();
    desk.at(0s).acquire(kA);
    const TrueTime ends = desk.deadline();
    QVERIFY(ends >= TrueTime{} + 5s && ends <= TrueTime{} + 5s + 1ms);
    QCOMPARE(desk.at(4999ms).acquire(kB).reply().owner, kA);
    QVERIFY(desk.wake().steps.empty());
    const auto ended = desk.at(ends.time_since_epoch()).wake();
    QVERIFY(ended.fact(Fact::kExpired) != nullptr && desk.owner().empty());
    QCOMPARE(desk.deadline(), TrueTime::max());
    const auto said = desk.acquire(kB);
    QCOMPARE(said.reply().owner, kB);
    QCOMPARE(said.reply().token, Token{2});
  }
  void anEndIsNotedBeforeTheNextGrant_data() { all(); }
  void anEndIsNotedBeforeTheNextGrant() {
    Desk desk = ModelsTest::desk();
    desk.at(0s).acquire(kA);
    const auto said = desk.at(6s).acquire(kB);
    QCOMPARE(said.steps.at(0).fact, Fact::kExpired);
    QCOMPARE(said.steps.at(0).owner, kA);
    QCOMPARE(said.steps.at(1).fact, Fact::kGranted);
  }
  void tokensStrictlyIncreaseFromTermToTerm_data() { all(); }
  void tokensStrictlyIncreaseFromTermToTerm() {
    Desk desk = ModelsTest::desk();
    for (Token token = 1; token <= 6; ++token) {
      const Name who = token % 2 == 0 ? kB : kA;
      QCOMPARE(desk.acquire(who).reply().token, token);
      QVERIFY(desk.release(who).reply().done);
    }
  }
  void aReleaseByAnotherChangesNothing_data() { all(); }
  void aReleaseByAnotherChangesNothing() {
    Desk desk = ModelsTest::desk();
    desk.acquire(kA);
    const auto refused = desk.release(kB);
    QVERIFY(refused.reply().ending == Ending::kOk && !refused.reply().done);
    QCOMPARE(desk.owner(), kA);
  }
  void subscribersHearOfAcquisitionAndReleaseAndOfNoRenewal_data() { ours(); }
  void subscribersHearOfAcquisitionAndReleaseAndOfNoRenewal() {
    Desk desk = ModelsTest::desk();
    QVERIFY(desk.ask(RequestKind::kSubscribe, kB).reply().ending == Ending::kOk);
    QVERIFY(desk.acquire(kA).message(StoreEventKind::kAcquired) != nullptr);
    for (const ServerStep& step : desk.guard(kA).steps) QVERIFY(!step.publishes);
    QVERIFY(desk.release(kA).message(StoreEventKind::kReleased) != nullptr);
  }
  void aTermWithoutTokensLeavesTheFenceAlone_data() { all(); }
  void aTermWithoutTokensLeavesTheFenceAlone() {
    Desk desk = ModelsTest::desk();
    desk.acquire(kA);
    desk.release(kA);
    QCOMPARE(desk.ask(RequestKind::kAcquire, kB, 5s, Wire::kTokenless).reply().token, kNoToken);
    QCOMPARE(desk.ask(RequestKind::kGuard, kB, 5s, Wire::kTokenless).reply().token, kNoToken);
    desk.ask(RequestKind::kRelease, kB, 5s, Wire::kTokenless);
    QCOMPARE(desk.acquire(kA).reply().token, Token{2});
  }
  void aClockSetForwardEndsALeaseAndOneSetBackProlongsIt_data() { all(); }
  void aClockSetForwardEndsALeaseAndOneSetBackProlongsIt() {
    Desk forward = desk(), back = desk();
    for (Desk* each : {&forward, &back}) each->at(0s).acquire(kA);
    forward.at(1s).set_clock(6s);
    back.at(1s).set_clock(-6s);
    QCOMPARE(forward.acquire(kB).reply().owner, kB);
    QCOMPARE(back.at(10s).acquire(kB).reply().owner, kA);
    QCOMPARE(back.at(12s).acquire(kB).reply().owner, kB);
  }
  void aCallOfAFamilyItDoesNotSpeakIsRefused_data() { all(); }
  void aCallOfAFamilyItDoesNotSpeakIsRefused() {
    Desk desk = ModelsTest::desk();
    const auto said = desk.ask(static_cast<RequestKind>(200), kA);
    QVERIFY(said.at_once && said.reply().ending == Ending::kFailed);
    QVERIFY(desk.owner().empty());
  }
  void aRestartOfAServerThatPersistsForgetsNothing_data() { all(); }
  void aRestartOfAServerThatPersistsForgetsNothing() {
    Desk desk = ModelsTest::desk();
    desk.at(0s).acquire(kA);
    desk.disturb(Disturbance::kCrash);
    QVERIFY(desk.at(3s).disturb(Disturbance::kRestart).steps.empty());
    QCOMPARE(desk.acquire(kB).reply().owner, kA);
    QCOMPARE(desk.at(5002ms).acquire(kB).reply().token, Token{2});
  }

  // ---- Redis alone

  void withoutPersistenceARestartForgetsEvenTheFence() {
    Desk desk(redis({false, false, 1ms}));
    desk.at(0s).acquire(kA);
    const auto restarted = desk.at(1s).disturb(Disturbance::kRestart);
    QVERIFY(restarted.fact(Fact::kForgotten) != nullptr);
    QCOMPARE(restarted.fact(Fact::kForgotten)->owner, kA);
    QCOMPARE(desk.acquire(kB).reply().token, Token{1});
  }
  void aReplicaLeadsWithWhatItHadGotALagAgo() {
    Desk desk(redis({true, true, 100ms}));
    desk.at(0s).acquire(kA);
    desk.at(2s).release(kA);
    desk.at(3s).acquire(kB);
    const auto soon = Desk(desk).at(3050ms).disturb(Disturbance::kFailover);
    QVERIFY(soon.fact(Fact::kForgotten) != nullptr && soon.fact(Fact::kRestored) == nullptr);
    Desk later = desk;
    QVERIFY(later.at(3100ms).disturb(Disturbance::kFailover).steps.empty());
    QCOMPARE(later.owner(), kB);
  }
  void aLostFenceCounterIsCountedAgain() {
    Desk desk(redis({true, true, 100ms}));
    desk.at(0s).acquire(kA);
    desk.at(2s).release(kA);
    QCOMPARE(desk.at(3s).acquire(kB).reply().token, Token{2});
    desk.at(3010ms).disturb(Disturbance::kFailover);
    QCOMPARE(desk.at(3020ms).acquire(kA).reply().token, Token{2});
  }
  void aReleaseThatIsLostRestoresTheLeaseBefore() {
    Desk desk(redis({true, true, 100ms}));
    desk.at(0s).acquire(kA);
    desk.at(2s).release(kA);
    desk.at(2010ms).acquire(kB);
    const auto failed_over = desk.at(2050ms).disturb(Disturbance::kFailover);
    QCOMPARE(failed_over.steps.at(0).fact, Fact::kForgotten);
    QCOMPARE(failed_over.steps.at(0).owner, kB);
    QCOMPARE(failed_over.steps.at(1).fact, Fact::kRestored);
    QCOMPARE(failed_over.steps.at(1).owner, kA);
    QCOMPARE(failed_over.steps.at(1).lease, Duration(2950ms));
    QCOMPARE(failed_over.steps.at(1).token, Token{1});
    QCOMPARE(desk.acquire(kB).reply().owner, kA);
  }
  void aRenewalThatIsLostEndsTheLeaseEarly() {
    Desk desk(redis({true, true, 100ms}));
    desk.at(0s).acquire(kA);
    desk.at(4s).guard(kA);
    const auto failed_over = desk.at(4050ms).disturb(Disturbance::kFailover);
    QCOMPARE(failed_over.steps.size(), std::size_t{1});  // the server has to look at its end again
    QCOMPARE(failed_over.steps.at(0).fact, Fact::kNothing);
    QCOMPARE(desk.deadline(), TrueTime{} + 5s);
  }
  void aCutReplicaStaysWhereItWasUntilItIsHealed() {
    Desk desk(redis({true, true, 1ms}));
    desk.at(0s).acquire(kA, 20s);
    desk.at(1s).disturb(Disturbance::kReplicaCut);
    desk.at(2s).release(kA);
    desk.at(3s).acquire(kB, 20s);
    Desk healed = desk;
    desk.at(4s).disturb(Disturbance::kFailover);
    QCOMPARE(desk.owner(), kA);
    healed.at(4s).disturb(Disturbance::kReplicaHeal);
    healed.disturb(Disturbance::kFailover);
    QCOMPARE(healed.owner(), kB);
  }
  void whatARestoredStateHeldMayBeOverByThen() {
    Desk desk(redis({true, true, 1ms}));
    desk.at(0s).acquire(kA);
    desk.at(1s).disturb(Disturbance::kReplicaCut);
    desk.at(6s).acquire(kB);
    const auto failed_over = desk.at(7s).disturb(Disturbance::kFailover);
    QCOMPARE(failed_over.steps.size(), std::size_t{1});
    QCOMPARE(failed_over.steps.at(0).fact, Fact::kForgotten);
    QVERIFY(desk.owner().empty());
  }
  void aReplicaOfManyChangesIsExactAtEveryLag() {
    for (int lag = 0; lag <= 40; ++lag) {
      Desk desk(redis({true, true, lag * 10ms}));
      for (int i = 0; i < 100; ++i) {  // one change each 10 ms: a term begins, a term ends
        desk.at(i * 10ms);
        i % 2 == 0 ? desk.acquire(kA) : desk.release(kA);
      }
      desk.disturb(Disturbance::kFailover);
      QCOMPARE(desk.owner().empty(), (99 - lag) % 2 == 1);
      desk.ask(RequestKind::kRelease, kA, 5s, Wire::kFenced);  // whatever its term is now
      QCOMPARE(desk.acquire(kB).reply().token, static_cast<Token>((99 - lag) / 2 + 2));
    }
  }
  void aKeyDeletedByHandIsFreeAndItsTokenIsShownOn() {
    Desk desk(redis());
    desk.at(0s).acquire(kA);
    const auto erased = desk.at(1s).disturb(Disturbance::kErase);
    QVERIFY(erased.fact(Fact::kForgotten) != nullptr);
    for (const ServerStep& step : erased.steps) QVERIFY(!step.publishes);
    desk.ask(RequestKind::kAcquire, kB, 5s, Wire::kTokenless);
    QCOMPARE(desk.acquire(kA).reply().token, Token{1});  // of the dead term, until it runs out
    QCOMPARE(desk.at(5500ms).acquire(kA).reply().token, kNoToken);
    QCOMPARE(desk.at(7s).acquire(kA).reply().token, Token{2});
  }

  // ---- a term is (owner, token)

  void anAcquireOfOnesOwnLeaseBeginsANewTermForItsRest_data() { all(); }
  void anAcquireOfOnesOwnLeaseBeginsANewTermForItsRest() {
    Desk own = desk();
    own.at(0s).acquire(kA);
    const auto again = own.at(2s).acquire(kA);
    QCOMPARE(again.reply().token, Token{2});
    QCOMPARE(again.reply().remaining, 3s);
    QVERIFY(again.reply().done);
    QCOMPARE(again.fact(Fact::kGranted)->lease, Duration(3s));
    QCOMPARE(own.at(4900ms).acquire(kB).reply().owner, kA);
    QCOMPARE(own.at(5100ms).acquire(kB).reply().owner, kB);  // a retrier that hears nothing extends nothing
  }
  void aGuardOfAnEarlierTermRenewsNothing_data() { all(); }
  void aGuardOfAnEarlierTermRenewsNothing() {
    Desk own = desk();
    own.at(0s).acquire(kA);
    own.at(1s).acquire(kA);
    own.means(kA, 1);
    const auto late = own.at(2s).guard(kA);
    QVERIFY(!late.reply().done && late.fact(Fact::kRenewed) == nullptr);
    QCOMPARE(late.reply().owner, kA);  // and is told which term there is
    QCOMPARE(late.reply().token, Token{2});
    QCOMPARE(late.reply().remaining, 3s);
    own.means(kA, 2);
    QVERIFY(own.guard(kA).reply().done);
  }
  void aReleaseOfAnEarlierTermFreesNothing_data() { all(); }
  void aReleaseOfAnEarlierTermFreesNothing() {
    Desk own = desk();
    own.at(0s).acquire(kA);
    own.at(1s).acquire(kA);
    own.means(kA, 1);
    const auto late = own.at(2s).release(kA);
    QVERIFY(!late.reply().done && late.fact(Fact::kReleased) == nullptr);
    QVERIFY(late.fact(Fact::kReleaseRefused) != nullptr);
    QCOMPARE(late.fact(Fact::kReleaseRefused)->token, Token{1});
    QCOMPARE(late.message(StoreEventKind::kReleased), nullptr);
    own.means(kA, 2);
    QVERIFY(own.release(kA).reply().done);
  }
  void anOlderContendersOwnAcquireStillChangesNothing() {
    Desk own(redis());
    own.at(0s).ask(RequestKind::kAcquire, kA, 5s, Wire::kFenced);
    const auto again = own.at(2s).ask(RequestKind::kAcquire, kA, 5s, Wire::kFenced);
    QCOMPARE(again.reply().token, Token{1});
    QVERIFY(again.fact(Fact::kGranted) == nullptr && again.message(StoreEventKind::kAcquired) == nullptr);
  }
  // The `:token` key of a tokenless term is not there: the guard takes one, and the term is a new one.
  void aGuardWhoseTokenIsMissingTakesANewOne() {
    Desk own(redis());
    own.at(0s).ask(RequestKind::kAcquire, kA, 5s, Wire::kTokenless);
    own.means(kA, 7);
    const auto guarded = own.at(2s).guard(kA);
    QVERIFY(guarded.reply().done);
    QCOMPARE(guarded.reply().token, Token{1});
    QCOMPARE(guarded.reply().remaining, 5s);
    QCOMPARE(guarded.fact(Fact::kGranted)->token, Token{1});
    QVERIFY(guarded.message(StoreEventKind::kAcquired) != nullptr);
  }

  // ---- SQL alone

  void atTheEndOfTheTransitionItselfNobodyCan_data() {
    QTest::addColumn<bool>("for_update");
    QTest::newRow("for-update") << true;
    QTest::newRow("update") << false;
  }
  void atTheEndOfTheTransitionItselfNobodyCan() {
    QFETCH(bool, for_update);
    Desk desk(sql(for_update ? kForUpdate : kUpdate));
    desk.at(0s).acquire(kA);
    for (const Duration at : {Duration(5s), Duration(5s + 999us)}) {
      const auto other = desk.at(at).acquire(kB);
      QCOMPARE(other.reply().owner, kA);
      QCOMPARE(other.reply().remaining, Duration::zero());
      const auto own = desk.guard(kA);
      QVERIFY(own.fact(Fact::kRenewed) == nullptr && own.fact(Fact::kGranted) == nullptr);
      // Our function says that nobody has it; Simba's reads its own name in the row, with nothing left.
      QCOMPARE(own.reply().owner, for_update ? Name{} : kA);
    }
    QVERIFY(Desk(desk).at(4999ms).guard(kA).fact(Fact::kRenewed) != nullptr);
    QCOMPARE(desk.at(5001ms).acquire(kB).reply().owner, kB);
  }
  void anExpiredOwnerOfSimbasStatementCompetesLikeAnyone() {
    Desk desk(sql(kUpdate));
    desk.at(0s).acquire(kA);
    const auto again = desk.at(6s).ask(RequestKind::kGuard, kA, 5s, Wire::kFenced);
    QVERIFY(again.fact(Fact::kGranted) != nullptr);
    QCOMPARE(again.reply().token, Token{2});
  }
  void aReleaseAsksForTheOwnerAlone() {
    Desk desk(sql(kForUpdate));
    desk.at(0s).acquire(kA);
    const auto late = desk.at(6s).release(kA);
    QVERIFY(late.reply().done && late.message(StoreEventKind::kReleased) != nullptr);
    QVERIFY(late.fact(Fact::kReleased) == nullptr);  // it had run out: that came first
    QVERIFY(late.fact(Fact::kExpired) != nullptr);
  }
  void simbasStatementPublishesNothing() {
    Desk desk(sql(kUpdate));
    for (const auto& said : {desk.acquire(kA), desk.guard(kA), desk.release(kA)})
      for (const ServerStep& step : said.steps) QVERIFY(!step.publishes);
  }
  void callsWaitForALockedRowAndAreServedInTheirOrder() {
    Desk desk(sql(kForUpdate));
    desk.at(0s).disturb(Disturbance::kStall);
    QVERIFY(!desk.at(1s).acquire(kA).at_once);
    QVERIFY(!desk.at(2s).acquire(kB).at_once);
    const auto served = desk.at(3s).disturb(Disturbance::kUnstall);
    QCOMPARE(served.answers(), std::size_t{2});
    for (const ServerStep& step : served.steps)
      if (step.replies) QCOMPARE(step.reply.owner, kA);
  }
  void ourLeaseIsCountedAfterTheWait() {
    Desk desk(sql(kForUpdate));
    desk.at(0s).disturb(Disturbance::kStall);
    desk.at(1s).acquire(kA, 3s);
    QCOMPARE(desk.at(4s).disturb(Disturbance::kUnstall).reply().remaining, Duration(3s));
    QCOMPARE(desk.deadline(), TrueTime{} + 7001ms);
  }
  void aWaitForTheRowIsGivenUpByTheServer() {
    Desk ours(sql(kForUpdate)), simbas(sql(kUpdate));
    for (Desk* each : {&ours, &simbas}) {
      each->at(0s).disturb(Disturbance::kStall);
      each->at(1s).acquire(kA);
    }
    QCOMPARE(ours.deadline(), TrueTime{} + 5s);  // lock_timeout is the request's own
    const auto given_up = ours.at(5s).wake();
    QCOMPARE(given_up.answers(), std::size_t{1});
    QVERIFY(given_up.reply().ending == Ending::kFailed);
    QCOMPARE(ours.at(6s).disturb(Disturbance::kUnstall).answers(), std::size_t{0});
    QCOMPARE(simbas.deadline(), TrueTime{} + 51s);
    QCOMPARE(simbas.at(40s).disturb(Disturbance::kUnstall).reply().owner, kA);
  }
  void aStepOfTheClockDoesNotShortenAWait() {
    Desk desk(sql(kForUpdate));
    desk.at(0s).disturb(Disturbance::kStall);
    desk.at(1s).acquire(kA);
    desk.set_clock(1h);
    QCOMPARE(desk.deadline(), TrueTime{} + 5s);
  }
  void simbasLeaseIsCountedFromBeforeTheWaitAndBornExpired() {
    Desk desk(sql(kUpdate));
    desk.at(0s).disturb(Disturbance::kStall);
    desk.at(1s).acquire(kA, 3s);
    const auto granted = desk.at(5s).disturb(Disturbance::kUnstall);
    QCOMPARE(granted.reply().owner, kA);
    QCOMPARE(granted.reply().remaining, Duration::zero());
    QVERIFY(granted.fact(Fact::kGranted) != nullptr && granted.fact(Fact::kExpired) != nullptr);
    QVERIFY(desk.owner().empty());
    QCOMPARE(desk.acquire(kB).reply().token, Token{2});
  }
  void whoLosesToALeaseThatEndedMeanwhileTriesOnceMore() {
    Desk desk(sql(kUpdate));
    desk.at(0s).acquire(kA, 3s);
    desk.at(1s).disturb(Disturbance::kStall);
    desk.at(2s).acquire(kB, 3s);  // by its own time A still holds
    const auto served = desk.at(4s).disturb(Disturbance::kUnstall);
    QCOMPARE(served.reply().owner, kB);
    QCOMPARE(served.reply().remaining, Duration(3s));
  }
  void withANowOfTheTransactionALeaseIsShorterThanItSays() {
    for (const auto statement : {kForUpdate, kUpdate}) {
      Desk desk(sql(statement, SqlTerms::Now::kTransaction));
      desk.at(0s).disturb(Disturbance::kStall);
      desk.at(1s).acquire(kA, 3s);
      const auto granted = desk.at(3500ms).disturb(Disturbance::kUnstall);
      QCOMPARE(granted.reply().remaining, Duration(3s));
      QCOMPARE(granted.fact(Fact::kGranted)->lease, Duration(3s));
      QCOMPARE(desk.deadline(), TrueTime{} + 4001ms);  // half a second later
    }
  }
  void withANowOfTheTransactionALeaseThatEndedMeanwhileIsRefused() {
    for (const auto statement : {kForUpdate, kUpdate}) {
      Desk frozen(sql(statement, SqlTerms::Now::kTransaction)), clock(sql(statement));
      for (Desk* each : {&frozen, &clock}) {
        each->at(0s).acquire(kA, 3s);
        each->at(1s).disturb(Disturbance::kStall);
        each->at(2s).acquire(kB, 3s);
      }
      const auto refused = frozen.at(3900ms).disturb(Disturbance::kUnstall);
      QCOMPARE(refused.reply().owner, kA);
      QCOMPARE(refused.reply().remaining, Duration(1s));
      QCOMPARE(clock.at(3900ms).disturb(Disturbance::kUnstall).reply().owner, kB);
    }
  }
  void withANowOfTheTransactionAnExpiredOwnerRenews() {
    Desk desk(sql(kForUpdate, SqlTerms::Now::kTransaction));
    desk.at(0s).acquire(kA, 3s);
    desk.at(1s).disturb(Disturbance::kStall);
    desk.at(2s).guard(kA, 3s);
    desk.at(3500ms).wake();
    QVERIFY(desk.owner().empty());
    const auto renewed = desk.disturb(Disturbance::kUnstall);
    QVERIFY(renewed.fact(Fact::kRenewed) != nullptr);
    QCOMPARE(desk.owner(), kA);
  }
  void aCrashRollsBackWhatWaited() {
    Desk desk(sql(kForUpdate));
    desk.at(0s).disturb(Disturbance::kStall);
    desk.acquire(kA);
    desk.disturb(Disturbance::kCrash);
    desk.disturb(Disturbance::kRestart);
    QVERIFY(desk.acquire(kB).at_once);  // the session that held the row is gone as well
    QVERIFY(desk.disturb(Disturbance::kUnstall).steps.empty());
  }
  void aLeaseThatHadRunOutLastsAgainWhenTheClockIsSetBack() {
    Desk desk(sql(kForUpdate));
    desk.at(0s).acquire(kA);
    desk.at(1s).set_clock(10s);
    QVERIFY(desk.wake().steps.empty() && desk.owner().empty());  // noted with the step
    desk.at(2s).set_clock(-10s);
    QCOMPARE(desk.owner(), kA);
    QCOMPARE(desk.acquire(kB).reply().owner, kA);
  }
  void aDeletedRowBeginsAtTheFirstTokenAgain() {
    Desk desk(sql(kForUpdate));
    desk.acquire(kA);
    QVERIFY(desk.disturb(Disturbance::kErase).fact(Fact::kForgotten) != nullptr);
    QVERIFY(desk.guard(kA).reply().owner.empty());
    QCOMPARE(desk.acquire(kB).reply().token, Token{1});
  }
  void aDeletionWaitsForALockedRow() {
    Desk desk(sql(kForUpdate));
    desk.acquire(kA);
    desk.disturb(Disturbance::kStall);
    QVERIFY(desk.disturb(Disturbance::kErase).steps.empty());
    QVERIFY(desk.disturb(Disturbance::kUnstall).fact(Fact::kForgotten) != nullptr);
  }
  void aTermWithoutTokensKeepsTheColumnOfTheTermBefore() {
    Desk desk(sql(kUpdate));
    desk.acquire(kA);
    desk.release(kA);
    desk.ask(RequestKind::kAcquire, kB, 5s, Wire::kTokenless);
    QCOMPARE(desk.acquire(kA).reply().token, Token{1});  // B's lease under A's token, to who reads tokens
  }
};

LEASESCOPE_SUITE(ModelsTest)
#include "models_test.moc"
