// Contenders up to 3.1 in whole live runs, on a private Redis: alone, and beside later ones; elsewhere they are
// refused.
#include "core/store/redis/store_type.h"
#include "simulator/live/live_refusal.h"
#include "simulator/live/private_server.h"
#include "simulator/scenario/reader.h"
#include "tests/live/runs.h"
#include "tests/support/stores.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

const Settings kBrief{"mutex.ttl=1s", "mutex.transition=500ms"};

// Of the catalogue, those whose outcome is theirs.
constexpr const char* kOfTheirs[] = {"dead-waiter", "self-wake-up", "mixed-fleet", "slow-callbacks",
                                     "gc-pause-in-flight"};

// Whoever owns stops, again and again, and begins anew.
constexpr const char* kMixed = R"(
schema = 1
title = "Three generations in turn"
duration = "9s"
[mutex]
name = "orders"
ttl = "2s"
transition = "1s"
[[contender]]
name = "old"
count = 2
behaviour = "3.1"
[[contender]]
name = "ours"
count = 2
[[contender]]
name = "new"
behaviour = "NEW"
[[resource]]
name = "ledger"
fencing = false
)";

Scenario mixed(const std::string& last) {
  std::string text = kMixed;
  text.replace(text.find("NEW"), 3, last);
  for (int at = 1000; at <= 8000; at += 500) {
    text += "[[fault]]\nat = \"" + std::to_string(at) + "ms\"\nkind = \"stop\"\ntarget = \"owner\"\n";
    text += "[[fault]]\nat = \"" + std::to_string(at + 400) + "ms\"\nkind = \"start\"\ntarget = \"all\"\n";
  }
  auto found = read_scenario(text, "mixed.toml");
  if (!found) throw std::runtime_error(found.error().text());
  found->mutex.named = true;
  return *found;
}

Settings and_more(Settings out, const std::string& more) {
  out.push_back(more);
  return out;
}

bool is_ours(const History& history, const Event& event) {
  return history.names.text(event.node).substr(0, 4) == "ours";
}

// How soon after a release by one of the two kinds one of the other was granted the mutex, at best; max(): never.
Duration best_hand_off(const History& history, bool from_ours) {
  Duration best = Duration::max();
  const Event* released = nullptr;
  for (const Event& event : history.events) {
    if (event.kind == EventKind::kReleased) released = &event;
    if (event.kind != EventKind::kGranted || released == nullptr) continue;
    if (is_ours(history, *released) == from_ours && is_ours(history, event) != from_ours)
      best = std::min<Duration>(best, event.lo - released->lo);
    released = nullptr;
  }
  return best;
}

}  // namespace

class LiveOlderTest : public QObject {
  Q_OBJECT

  Runs runs_;
  PrivateServer server_{redis::store_type()};

  void add(const std::string& key, const Scenario& what, const std::string& store = "redis") {
    QVERIFY2(runs_.add(key, what, store) != nullptr, (key + ": " + runs_.error).c_str());
  }

 private slots:
  void initTestCase() {
    for (const char* behaviour : {"3.1", "3.0"})
      add(std::string("healthy ") + behaviour,
          scenario("healthy",
                   and_more(and_more(kBrief, "duration=9s"), std::string("contender.*.behaviour=") + behaviour)));
    for (const char* name : kOfTheirs) {
      Scenario brief = scenario(name, kBrief);
      brief.duration = *parse_time_expression("6 lease + 3s");  // what comes after is the same over and over
      add(name, brief);
    }
    QVERIFY(server_.start().has_value());
    add("mixed", mixed("3.0"), printable(server_.url()) + "?legacy=on");
    add("mixed with 4.x", mixed("4.x"));
    QVERIFY(runs_.play(seconds(40)));
  }

  void aHealthyFleetShowsNoOverlap_data() {
    QTest::addColumn<bool>("of no use");
    for (const char* behaviour : {"3.1", "3.0"}) QTest::newRow(behaviour) << true;
  }
  void aHealthyFleetShowsNoOverlap() {
    const LiveRun& run = runs_.at(std::string("healthy ") + QTest::currentDataTag());
    check_reasons(run);
    const Summary& summary = run.history().summary;
    QCOMPARE(summary.acquisitions, std::uint64_t{1});
    QVERIFY(summary.renewals >= 7);
    // None of its writes has a token.
    QVERIFY(summary.tokenless_writes_refused > 0);
    for (const Event& event : of_kind(run.history(), EventKind::kGranted)) QCOMPARE(event.token, kNoToken);
  }

  // What the catalogue says of them in virtual time.
  void whatFollowsFromTheirQueueFollowsLiveToo_data() {
    QTest::addColumn<bool>("of no use");
    for (const char* name : kOfTheirs) QTest::newRow(name) << true;
  }
  void whatFollowsFromTheirQueueFollowsLiveToo() {
    const LiveRun& run = runs_.at(QTest::currentDataTag());
    QCOMPARE(QString::fromStdString(run.outcome().not_judged), QString());
    check_reasons(run);
  }

  // Ours takes part in the queue: either wakes the other, long before a timer would.
  void eachWakesTheOtherAndNeverTwoOwn() {
    const History& history = runs_.at("mixed").history();
    QCOMPARE(history.summary.double_grants, std::uint64_t{0});
    QVERIFY2(history.summary.handoffs >= 8, std::to_string(history.summary.handoffs).c_str());
    QVERIFY(best_hand_off(history, false) < milliseconds(250));
    QVERIFY(best_hand_off(history, true) < milliseconds(250));
  }
  void noneOwnsBeside4xEither() {
    const History& history = runs_.at("mixed with 4.x").history();
    QCOMPARE(history.summary.double_grants, std::uint64_t{0});
    QVERIFY(history.summary.handoffs >= 3);
  }

  void whereTheyAreNotSpokenTheyAreRefusedSayingWhereTheyAre() {
    for (const StoreType* type : lease_stores()) {
      StoreUrl url;
      url.type = type;
      const auto refusal = live_refusal(scenario("healthy", {"contender.0.behaviour=3.1"}), url);
      QCOMPARE(refusal.has_value(), type != &redis::store_type());
      if (!refusal) continue;
      QVERIFY2(refusal->find("the behaviour 3.1 of contender c is not spoken on ") == 0, refusal->c_str());
      QVERIFY2(refusal->find("virtual, live:redis;") != std::string::npos, refusal->c_str());
      QVERIFY2(refusal->find("say --store redis") != std::string::npos, refusal->c_str());
    }
  }
};

LEASESCOPE_SUITE(LiveOlderTest)
#include "live_older_test.moc"
