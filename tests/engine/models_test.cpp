// Where the models of servers agree, the same sentences hold for each; they are those of
// tests/store/lease_store_test.cpp, which the real servers are asked.
#include "tests/engine/desk.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

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
  void aFreeMutexIsGrantedForTheWholeLeaseWithAToken_data() { all(); }
  void aFreeMutexIsGrantedForTheWholeLeaseWithAToken() {
    Desk desk = ModelsTest::desk();
    const auto said = desk.at(10ms).acquire(kA);
    QVERIFY(said.at_once);
    QCOMPARE(said.reply().ending, Ending::kOk);
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
    QCOMPARE(refused.reply().ending, Ending::kOk);
    QCOMPARE(refused.reply().owner, kA);
    QCOMPARE(refused.reply().remaining, Duration(3800ms));
    QCOMPARE(refused.reply().token, Token{1});
    QCOMPARE(refused.fact(Fact::kGranted), nullptr);
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
    QCOMPARE(of_nothing.reply().ending, Ending::kOk);
    QVERIFY(of_nothing.reply().owner.empty());
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
    QCOMPARE(refused.reply().ending, Ending::kOk);
    QVERIFY(!refused.reply().done);
    QCOMPARE(desk.owner(), kA);
  }
  void subscribersHearOfAcquisitionAndReleaseAndOfNoRenewal_data() { ours(); }
  void subscribersHearOfAcquisitionAndReleaseAndOfNoRenewal() {
    Desk desk = ModelsTest::desk();
    QCOMPARE(desk.ask(RequestKind::kSubscribe, kB).reply().ending, Ending::kOk);
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
    QVERIFY(said.at_once);
    QCOMPARE(said.reply().ending, Ending::kFailed);
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
    QVERIFY(!late.reply().done);
    QCOMPARE(late.fact(Fact::kRenewed), nullptr);
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
    QVERIFY(!late.reply().done);
    QCOMPARE(late.fact(Fact::kReleased), nullptr);
    QVERIFY(late.fact(Fact::kReleaseRefused) != nullptr);
    QCOMPARE(late.fact(Fact::kReleaseRefused)->token, Token{1});
    QCOMPARE(late.message(StoreEventKind::kReleased), nullptr);
    own.means(kA, 2);
    QVERIFY(own.release(kA).reply().done);
  }
};

LEASESCOPE_SUITE(ModelsTest)
#include "models_test.moc"
