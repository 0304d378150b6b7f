// How a release wakes who waits, in whole live runs on a private Redis; where a store cannot, the run is refused.
#include "tests/live/runs.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

// Each stops twice, and begins again.
constexpr const char* kInTurn = R"(
schema = 1
title = "In turn"
duration = "6s"
[mutex]
name = "orders"
ttl = "2s"
transition = "1s"
wake_up = "MODE"
[[contender]]
count = 4
[[resource]]
name = "ledger"
write_every = "20ms"
compute = "1ms"
)";

Scenario in_turn(const std::string& mode, bool crash = false) {
  std::string text = kInTurn;
  text.replace(text.find("MODE"), 4, mode);
  if (crash) text += "[[fault]]\nat = \"1s\"\nkind = \"crash\"\ntarget = \"owner\"\n";
  for (int at = 1000; at <= 5000 && !crash; at += 500) {
    text += "[[fault]]\nat = \"" + std::to_string(at) + "ms\"\nkind = \"stop\"\ntarget = \"owner\"\n";
    text += "[[fault]]\nat = \"" + std::to_string(at + 250) + "ms\"\nkind = \"start\"\ntarget = \"all\"\n";
  }
  auto found = read_scenario(text, "in-turn.toml");
  if (!found) throw std::runtime_error(found.error().text());
  return *found;
}

std::size_t messages(const History& history, StoreEventKind kind) {
  std::size_t n = 0;
  for (const Event& event : of_kind(history, EventKind::kNotification))
    n += event.detail == static_cast<std::uint8_t>(NotificationStep::kReceived) &&
         event.a == static_cast<std::int64_t>(kind);
  return n;
}

std::string refused(const Scenario& of, const std::string& store) {
  LiveRun run(of, store);
  const auto ready = prepared(run);
  return ready ? "" : ready.error();
}

}  // namespace

class LiveWakeUpTest : public QObject {
  Q_OBJECT
 private slots:
  void eachModeHandsOnWithoutTwoOwners() {
    Runs runs;
    for (const char* mode : {"broadcast", "queue", "hand-over"})
      QVERIFY2(runs.add(mode, in_turn(mode), "redis") != nullptr, runs.error.c_str());
    QVERIFY2(runs.add("crash", in_turn("hand-over", true), "redis") != nullptr, runs.error.c_str());
    QVERIFY(runs.play(seconds(20)));
    for (const char* mode : {"broadcast", "queue", "hand-over", "crash"}) {
      const History& history = runs.at(mode).history();
      QCOMPARE(history.summary.double_grants, std::uint64_t{0});
      QCOMPARE(history.summary.belief_overlap.count(), 0);
      QCOMPARE(history.summary.stale_writes_rejected, std::uint64_t{0});
      QCOMPARE(history.summary.fence_regressions, std::uint64_t{0});
      if (mode != std::string("crash")) QVERIFY(history.summary.handoffs >= 8);
    }
    const History& line = runs.at("hand-over").history();
    QVERIFY(messages(line, StoreEventKind::kHandedOver) >= 8);
    QCOMPARE(messages(line, StoreEventKind::kReleased), std::size_t{0});
    QVERIFY(messages(runs.at("queue").history(), StoreEventKind::kReleased) >= 8);
    check_beliefs(line);
    check_take_over(runs.at("crash").history());
  }

  void whatAStoreCannotIsRefused() {
    const std::string postgres = refused(in_turn("hand-over"), "postgres");
    QVERIFY2(postgres.find("mutex.wake_up = \"hand-over\" is not done on") != std::string::npos, postgres.c_str());
    QVERIFY2(postgres.find("live:redis") != std::string::npos, postgres.c_str());
    QVERIFY(postgres.find("live:postgres") == std::string::npos);
    const std::string legacy = refused(in_turn("hand-over"), "redis://127.0.0.1:1?legacy=on");
    QVERIFY2(legacy.find("mutex.wake_up is \"hand-over\", and the URL says legacy=on") == 0, legacy.c_str());
    const std::string other = refused(in_turn("queue"), "redis://127.0.0.1:1?wake-up=hand-over");
    QVERIFY2(other.find("and the URL says wake-up=hand-over: leave one of them out") != std::string::npos,
             other.c_str());
  }

 private:
  // Each belief that a message began is told of a term that the store is known to have granted by then.
  static void check_beliefs(const History& history) {
    for (const Event& belief : of_kind(history, EventKind::kBelieved)) {
      bool granted = false;
      for (const Event& grant : of_kind(history, EventKind::kGranted))
        granted = granted || (grant.node == belief.node && grant.token == belief.token && grant.lo <= belief.hi);
      QVERIFY(granted);
    }
  }
  // Nobody released: whoever comes first asks at the end of the lease.
  static void check_take_over(const History& history) {
    const std::vector<Event> expired = of_kind(history, EventKind::kExpired);
    QVERIFY(!expired.empty());
    for (const Event& grant : of_kind(history, EventKind::kGranted)) {
      if (grant.hi < expired.front().lo) continue;
      qInfo("granted %.1f ms past the expiry", static_cast<double>((grant.hi - expired.front().lo) / milliseconds(1)));
      QVERIFY(grant.hi - expired.front().lo < milliseconds(50));
      return;
    }
    QFAIL("nobody took over");
  }
};

LEASESCOPE_SUITE(LiveWakeUpTest)
#include "live_wake_up_test.moc"
