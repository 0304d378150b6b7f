#include <hiredis/hiredis.h>

#include <map>
#include <memory>
#include <optional>
#include <set>

#include "core/store/redis/store_type.h"
#include "core/store/url.h"
#include "simulator/fault/kind.h"
#include "simulator/live/live_run.h"
#include "simulator/live/private_server.h"
#include "simulator/run/outcome_text.h"
#include "simulator/scenario/catalogue.h"
#include "tests/live/runs.h"
#include "tests/support/event_wait.h"
#include "tests/support/stores.h"
#include "tests/support/suite.h"

using namespace leasescope;
using leasescope::tests::check_reasons;
using leasescope::tests::each_lease_store;
using leasescope::tests::each_lease_store_that_tells;
using leasescope::tests::lease_stores;
using leasescope::tests::of_kind;
using leasescope::tests::Runs;
using leasescope::tests::Settings;
using leasescope::tests::this_store;
using leasescope::tests::wait_until;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

const Settings kShort{"mutex.ttl=1s", "mutex.transition=500ms", "duration=9s"};

Scenario scenario(const std::string& name, const Settings& settings = kShort) {
  return leasescope::tests::scenario(name, settings);
}

constexpr const char* kSteps = R"(
schema = 1
title = "Every step"
duration = "8s"
[mutex]
name = "orders"
ttl = "1s"
transition = "500ms"
[[contender]]
name = "old"
behaviour = "4.x"
[[contender]]
name = "new"
start = "300ms"
[[resource]]
name = "ledger"
[[fault]]
at = "1s"
kind = "clock_step"
target = "old"
by = "-300ms"
[[fault]]
at = "1500ms"
kind = "crash"
target = "old"
[[fault]]
at = "1600ms"
kind = "partition"
target = "new"
direction = "to_store"
duration = "200ms"
[[fault]]
at = "4500ms"
kind = "restart"
target = "old"
[[fault]]
at = "5500ms"
kind = "stop"
target = "owner"
[[fault]]
at = "7s"
kind = "start"
target = "new"
[expect]
double_grants = 0
acquisitions = ">= 3"
)";

}  // namespace

class LiveRunTest : public QObject {
  Q_OBJECT

  Runs runs_;
  // What some rows of several tests look at, a store each: played in the same seconds, with the first row that asks.
  std::map<std::string, std::unique_ptr<PrivateServer>> shared_;
  std::optional<Runs> others_;

  std::string why_no_others() {
    const auto read = read_scenario(kSteps, "steps.toml");
    if (!read) return read.error().text();
    Settings settings = kShort;
    settings.insert(settings.end(), {"mutex.name=shared", "duration=5s"});
    Settings longer = settings;
    longer.back() = "duration=8s";
    for (const StoreType* type : lease_stores()) {
      auto& server = shared_[std::string(type->name())];
      server = std::make_unique<PrivateServer>(*type, PrivateServerOptions{"", 200});
      if (const auto started = server->start(); !started) return started.error();
    }
    for (const auto& [store, server] : shared_)
      if (others_->add("steps " + store, *read, store) == nullptr ||
          others_->add("first " + store, scenario("healthy", settings), printable(server->url())) == nullptr ||
          others_->add("second " + store, scenario("healthy", longer), printable(server->url())) == nullptr)
        return others_->error;
    return others_->play(seconds(20)) ? std::string() : "not all have ended in time";
  }
  // Empty: they have been played.
  std::string play_others() {
    if (others_) return others_failed_;
    others_.emplace();
    return others_failed_ = why_no_others();
  }
  std::string others_failed_;
  const LiveRun& other(const char* name) const {
    return others_->at(std::string(name) + " " + QTest::currentDataTag());
  }

  const LiveRun& of(const char* name) const { return runs_.at(std::string(name) + " " + QTest::currentDataTag()); }

 private slots:
  void initTestCase() {
    for (const StoreType* type : lease_stores()) {
      const std::string store(type->name());
      for (const char* name : {"healthy", "gc-pause", "owner-partition", "lost-notification"})
        QVERIFY2(runs_.add(std::string(name) + " " + store, scenario(name), store), runs_.error.c_str());
      Settings unfenced = kShort;
      unfenced.push_back("resource.fencing=false");
      QVERIFY2(runs_.add(std::string("unfenced ") + store, scenario("gc-pause", unfenced), store), runs_.error.c_str());
      // What is freed and refused is the same where nobody is told.
      const Settings terms{"mutex.ttl=1s", "mutex.transition=2s", "duration=9s", "needs_messages=false"};
      Settings ours = terms;
      ours.push_back("contender.*.behaviour=leasescope");
      QVERIFY2(runs_.add(std::string("late-release 4.x ") + store, scenario("late-release", terms), store),
               runs_.error.c_str());
      QVERIFY2(runs_.add(std::string("late-release ") + store, scenario("late-release", ours), store),
               runs_.error.c_str());
    }
    QVERIFY(runs_.play(seconds(25)));
  }

  void aHealthyFleetShowsNoOverlapAndNoIncident_data() { each_lease_store(); }
  void aHealthyFleetShowsNoOverlapAndNoIncident() {
    const LiveRun& run = of("healthy");
    check_reasons(run);
    QCOMPARE(run.outcome().summary.acquisitions, std::uint64_t{1});
    QVERIFY(run.outcome().summary.renewals >= 7);
    QVERIFY(run.history().incidents.empty());
  }

  void anOutcomeSaysThatItWasLive_data() { each_lease_store(); }
  void anOutcomeSaysThatItWasLive() {
    const Outcome outcome = of("healthy").outcome();
    QCOMPARE(outcome.world, "live");
    QCOMPARE(outcome.store, QTest::currentDataTag());
    QVERIFY(!outcome.trace_hash);
    QCOMPARE(outcome.simulated, seconds(9));
    QVERIFY(outcome.events > 100);
  }

  void aPauseThatOutlivesTheLeaseIsFencedOff_data() { each_lease_store(); }
  void aPauseThatOutlivesTheLeaseIsFencedOff() {
    const LiveRun& run = of("gc-pause");
    check_reasons(run);
    const Summary& summary = run.history().summary;
    QVERIFY(summary.belief_overlap > seconds(1));
    QVERIFY(summary.stale_writes_rejected >= 1);
    QCOMPARE(summary.double_grants, std::uint64_t{0});
  }

  void aPausedContenderTakesNothingIn_data() { each_lease_store(); }
  void aPausedContenderTakesNothingIn() {
    const History& history = of("gc-pause").history();
    const Event began = of_kind(history, EventKind::kFaultBegan).front();
    const Event ended = of_kind(history, EventKind::kFaultEnded).front();
    QVERIFY(ended.lo - began.lo >= milliseconds(3500));
    int seen = 0;
    for (const Event& event : history.events) {
      const bool its_own = event.kind == EventKind::kChecked || event.kind == EventKind::kNotification ||
                           event.kind == EventKind::kAttempt || event.kind == EventKind::kDisbelieved;
      if (!its_own || event.node != began.node) continue;
      ++seen;
      QVERIFY(event.hi <= began.lo || event.hi >= ended.lo);
    }
    QVERIFY(seen > 20);
  }

  void withoutFencingTheStaleWriteIsAccepted_data() { each_lease_store(); }
  void withoutFencingTheStaleWriteIsAccepted() {
    const LiveRun& run = of("unfenced");
    check_reasons(run);
    QVERIFY(run.history().summary.stale_writes_accepted >= 1);
  }

  void anOwnerCutOffStepsDownBeforeItsLeaseEnds_data() { each_lease_store(); }
  void anOwnerCutOffStepsDownBeforeItsLeaseEnds() {
    const LiveRun& run = of("owner-partition");
    check_reasons(run);
    const History& history = run.history();
    QCOMPARE(history.summary.belief_overlap.count(), Duration::rep{0});
    bool watchdog = false;
    for (const Event& event : of_kind(history, EventKind::kDisbelieved))
      watchdog = watchdog || event.detail == static_cast<std::uint8_t>(DisbeliefReason::kWatchdog);
    QVERIFY(watchdog);
    QVERIFY(!of_kind(history, EventKind::kExpired).empty());
  }

  void aLostMessageIsDroppedByTheProxyAndOnlyDelaysTheHandOff_data() { each_lease_store_that_tells(); }
  void aLostMessageIsDroppedByTheProxyAndOnlyDelaysTheHandOff() {
    const LiveRun& run = of("lost-notification");
    check_reasons(run);
    bool lost = false;
    for (const Event& event : of_kind(run.history(), EventKind::kNotification))
      lost = lost || event.detail == static_cast<std::uint8_t>(NotificationStep::kLost);
    QVERIFY(lost);
  }

  // The contender has given the release up, and it reaches the server half a second after the new start.
  void aLateReleaseOf4xFreesTheLaterTerm_data() { each_lease_store(); }
  void aLateReleaseOf4xFreesTheLaterTerm() {
    const LiveRun& run = of("late-release 4.x");
    const Summary& summary = run.outcome().summary;
    // Who waits comes at once where it is told.
    if (this_store().tells) {
      QVERIFY(summary.belief_overlap >= milliseconds(200));
      QVERIFY(summary.stale_writes_rejected >= 1);
    }
    QCOMPARE(summary.double_grants, std::uint64_t{0});
    const std::vector<Event> freed = of_kind(run.history(), EventKind::kReleased);
    QCOMPARE(freed.size(), std::size_t{1});
    QVERIFY(freed.front().lo - TrueTime{} > milliseconds(6400) &&
            freed.front().hi - freed.front().lo < milliseconds(300));
  }
  void aLateReleaseIsRefusedAndTold_data() { each_lease_store(); }
  void aLateReleaseIsRefusedAndTold() {
    const LiveRun& run = of("late-release");
    const Summary& summary = run.outcome().summary;
    QCOMPARE(summary.late_releases_refused, std::uint64_t{1});
    QCOMPARE(summary.double_grants, std::uint64_t{0});
    QCOMPARE(summary.belief_overlap, Duration::zero());
    QCOMPARE(summary.handoffs, std::uint64_t{0});
    const std::vector<Event> refused = of_kind(run.history(), EventKind::kReleaseRefused);
    QCOMPARE(refused.size(), std::size_t{1});
    QCOMPARE(refused.front().token, Token{1});  // the second term is #2
    QVERIFY(refused.front().lo - TrueTime{} > milliseconds(6400));
    QVERIFY(outcome_text(run.outcome(), run.history(), run.scenario()).find("1 late release refused") !=
            std::string::npos);
  }

  void aGrantHasBoundsAndEveryEventIsWithinTheRun_data() { each_lease_store(); }
  void aGrantHasBoundsAndEveryEventIsWithinTheRun() {
    for (const char* name : {"healthy", "gc-pause", "owner-partition"}) {
      for (const Event& grant : of_kind(of(name).history(), EventKind::kGranted)) QVERIFY(grant.lo < grant.hi);
      for (const Event& event : of(name).history().events) {
        QVERIFY(event.lo <= event.hi);
        QVERIFY(event.lo >= TrueTime{});
        QVERIFY(event.hi < TrueTime(seconds(9)) + milliseconds(200));
      }
    }
  }

  void everyKindOfStepAndFaultThatWorksLiveIsPlayed_data() { each_lease_store(); }
  void everyKindOfStepAndFaultThatWorksLiveIsPlayed() {
    const std::string failed = play_others();
    QVERIFY2(failed.empty(), failed.c_str());
    const History& history = other("steps").history();
    std::vector<std::string> began;
    for (const Event& event : of_kind(history, EventKind::kFaultBegan))
      began.emplace_back(all_fault_kinds()[event.detail].name);
    const std::vector<std::string> planned{"clock_step", "crash", "partition", "restart", "stop", "start"};
    QCOMPARE(began, planned);
    QCOMPARE(of_kind(history, EventKind::kCrashed).size(), std::size_t{1});
    QCOMPARE(of_kind(history, EventKind::kRestarted).size(), std::size_t{1});
    QCOMPARE(of_kind(history, EventKind::kStopped).size(), std::size_t{1});
    QCOMPARE(of_kind(history, EventKind::kClockChanged).size(), std::size_t{1});
    QCOMPARE(of_kind(history, EventKind::kStarted).size(), std::size_t{4});  // two, the restarted, the started
    QVERIFY(!of_kind(history, EventKind::kExpired).empty());                 // what the crashed one held
    QCOMPARE(history.summary.double_grants, std::uint64_t{0});
    QCOMPARE(history.summary.fence_regressions, std::uint64_t{0});
    check_reasons(other("steps"));
  }

  // ---- stores that others use too

  void aServerKilledInTheMiddleIsShownAndTheRunGoesOn_data() { each_lease_store(); }
  void aServerKilledInTheMiddleIsShownAndTheRunGoesOn() {
    PrivateServer server(this_store());
    QVERIFY(server.start().has_value());
    Settings settings = kShort;
    settings.back() = "duration=7s";
    LiveRun run(scenario("healthy", settings), printable(server.url()));
    const auto prepared = leasescope::tests::prepared(run);
    QVERIFY2(prepared.has_value(), prepared ? "" : prepared.error().c_str());
    bool finished = false;
    connect(&run, &LiveRun::finished, this, [&] { finished = true; });
    run.start();
    QTest::qWait(2000);
    server.kill();
    QTest::qWait(1800);
    const auto back = server.start_again();
    QVERIFY2(back.has_value(), back ? "" : back.error().c_str());
    QVERIFY(wait_until([&] { return finished; }, seconds(15)));

    const History& history = run.history();
    QCOMPARE(of_kind(history, EventKind::kDisconnected).size(), std::size_t{3});
    QCOMPARE(of_kind(history, EventKind::kConnected).size(), std::size_t{3});
    QCOMPARE(history.summary.acquisitions, std::uint64_t{2});  // before and after
    QCOMPARE(history.summary.double_grants, std::uint64_t{0});
    QCOMPARE(history.summary.belief_overlap.count(), Duration::rep{0});
    // While it was dead nobody knows who held; it is not said that nobody did.
    QCOMPARE(of_kind(history, EventKind::kUnobservedBegan).size(), std::size_t{1});
    QCOMPARE(of_kind(history, EventKind::kUnobservedEnded).size(), std::size_t{1});
    QVERIFY2(history.summary.leaderless < milliseconds(100),
             std::to_string(history.summary.leaderless.count()).c_str());
    QCOMPARE(run.outcome().simulated, seconds(7));
  }

  void twoRunsOnOneMutexNeverHoldItAtOnceAndTheirTokensIncrease_data() { each_lease_store(); }
  void twoRunsOnOneMutexNeverHoldItAtOnceAndTheirTokensIncrease() {
    const std::string failed = play_others();
    QVERIFY2(failed.empty(), failed.c_str());

    // The first to own hands over at its end, when it is the shorter run; either way the tokens are unlike.
    std::map<Token, std::set<std::string>> owners;
    std::uint64_t foreign = 0;
    for (const char* key : {"first", "second"}) {
      const History& history = other(key).history();
      QCOMPARE(history.summary.double_grants, std::uint64_t{0});
      QCOMPARE(history.summary.fence_regressions, std::uint64_t{0});
      Token last = 0;
      for (const Event& grant : of_kind(history, EventKind::kGranted)) {
        QVERIFY(grant.token > last);
        last = grant.token;
        const std::string who(history.names.text(grant.node));
        const bool ours = who.find('@') == std::string::npos;
        foreign += ours ? 0 : 1;
        owners[grant.token].insert(ours ? std::string(key) + " " + who : "foreign");
      }
    }
    QVERIFY(foreign >= 1);
    for (const auto& [token, who] : owners) {
      std::size_t ours = 0;
      for (const std::string& each : who) ours += each == "foreign" ? 0 : 1;
      QVERIFY(ours <= 1);  // one term has one owner, in whichever history it is seen
    }
  }

  void aGivenStoreKeepsTheFenceCounterAndNothingElse() {
    PrivateServer server(redis::store_type());
    QVERIFY(server.start().has_value());
    Settings settings = kShort;
    settings.back() = "duration=1500ms";
    Runs runs;
    QVERIFY2(runs.add("one", scenario("healthy", settings), printable(server.url())), runs.error.c_str());
    QVERIFY(runs.play(seconds(10)));
    redisContext* const context = redisConnectUnix(server.url().endpoint.unix_path.c_str());
    auto* const keys = static_cast<redisReply*>(redisCommand(context, "KEYS *"));
    QCOMPARE(keys->elements, std::size_t{1});
    QCOMPARE(QString(keys->element[0]->str), QString("simba:{leasescope:healthy:orders}:fence"));
    freeReplyObject(keys);
    redisFree(context);
  }

  void stopEndsARunEarly() {
    LiveRun run(scenario("healthy"), "redis");
    QVERIFY(leasescope::tests::prepared(run).has_value());
    bool finished = false;
    int advances = 0;
    connect(&run, &LiveRun::finished, this, [&] { finished = true; });
    connect(&run, &LiveRun::advanced, this, [&] { ++advances; });
    run.start();
    QTest::qWait(1000);
    run.stop();
    QVERIFY(wait_until([&] { return finished; }, seconds(5)));
    QVERIFY(run.now() >= TrueTime(milliseconds(990)));
    QVERIFY(run.now() < TrueTime(milliseconds(1500)));
    QCOMPARE(run.outcome().simulated, run.now() - TrueTime{});
    QVERIFY(advances >= 10);
  }

  // ---- what is refused before anything starts

  void aFaultThatCannotBeProducedLiveIsRefusedSayingWhereItCan() {
    LiveRun run(scenario("owner-id-reuse"), "redis");
    const auto prepared = leasescope::tests::prepared(run);
    QVERIFY(!prepared);
    for (const char* word : {"restart_as", "redis", "virtual"})
      QVERIFY2(prepared.error().find(word) != std::string::npos, prepared.error().c_str());
  }

  // Nobody in between can read what is said over TLS; to hold it up one need not.
  void aFaultThatReadsMessagesIsRefusedOverTls() {
    LiveRun reads(scenario("lost-notification"), "rediss://me:hush@127.0.0.1:1");
    const auto refused = tests::prepared(reads);
    QVERIFY(!refused.has_value());
    QVERIFY2(refused.error().find("the fault lost_notification cannot be produced over TLS") == 0,
             refused.error().c_str());
    QVERIFY2(refused.error().find("virtual") != std::string::npos, refused.error().c_str());
    QVERIFY2(refused.error().find("hush") == std::string::npos, refused.error().c_str());
    LiveRun holds(scenario("owner-partition"), "rediss://127.0.0.1:1");
    const auto unreached = tests::prepared(holds);
    QVERIFY(!unreached.has_value());
    QVERIFY2(unreached.error().find("Connection refused") != std::string::npos, unreached.error().c_str());
  }

  void aMutexAnotherRunIsUsingIsRefused() {
    PrivateServer server(redis::store_type());
    QVERIFY(server.start().has_value());
    redisContext* const context = redisConnectUnix(server.url().endpoint.unix_path.c_str());
    freeReplyObject(redisCommand(context, "SET simba:{leasescope:healthy:orders} 0:1@other"));
    redisFree(context);
    LiveRun run(scenario("healthy"), printable(server.url()));
    const auto prepared = leasescope::tests::prepared(run);
    QVERIFY(!prepared);
    for (const char* word : {"0:1@other", "--set mutex.name="})
      QVERIFY2(prepared.error().find(word) != std::string::npos, prepared.error().c_str());
  }

  void aStoreThatDoesNotAnswerIsRefusedSayingWhich() {
    for (const char* url : {"redis://127.0.0.1:1", "postgresql://me:hush@127.0.0.1:1/db"}) {
      LiveRun run(scenario("healthy"), url);
      const auto prepared = leasescope::tests::prepared(run);
      QVERIFY(!prepared);
      QVERIFY2(prepared.error().find("127.0.0.1:1") != std::string::npos, prepared.error().c_str());
      QVERIFY2(prepared.error().find("hush") == std::string::npos, prepared.error().c_str());
    }
  }
};

LEASESCOPE_SUITE(LiveRunTest)
#include "live_run_test.moc"
