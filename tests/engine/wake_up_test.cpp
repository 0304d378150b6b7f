// How a release wakes who waits, in virtual time: what a hand-off takes, who takes over past an expiry, what is
// refused. Each way takes 1 ms; ttl 5 s, transition 2 s.
#include <fmt/format.h>

#include "simulator/scenario/scenario_text.h"
#include "tests/engine/runs.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

Q_DECLARE_METATYPE(leasescope::Duration)

namespace {

// "first" owns; the others have begun to wait, one after another.
std::string fleet(const std::string& mode, int waiters) {
  std::string out = kReckoned;
  out.insert(out.find("[store]"), "wake_up = \"" + mode + "\"\n");
  out += "[[contender]]\nname = \"first\"\n";
  for (int i = 1; i <= waiters; ++i) out += fmt::format("[[contender]]\nname = \"w{0}\"\nstart = \"{0}00ms\"\n", i);
  return out;
}
std::string fault(const std::string& at, const std::string& kind) {
  return "[[fault]]\nat = \"" + at + "\"\nkind = \"" + kind + "\"\ntarget = \"first\"\n";
}

std::size_t attempts_between(const History& history, Duration from, Duration to) {
  std::size_t n = 0;
  for (const Event& event : history.events)
    n += event.kind == EventKind::kAttempt && event.at() >= at(from) && event.at() < at(to);
  return n;
}

}  // namespace

class WakeUpTest : public QObject {
  Q_OBJECT
 private slots:
  void aHandOffTakesAsLongAsItsMessagesDo_data() {
    QTest::addColumn<QString>("mode");
    QTest::addColumn<Duration>("gap");
    QTest::newRow("message, acquire, answer") << "broadcast" << Duration(3ms);
    QTest::newRow("the same, of one") << "queue" << Duration(3ms);
    QTest::newRow("message") << "hand-over" << Duration(1ms);
  }
  void aHandOffTakesAsLongAsItsMessagesDo() {
    QFETCH(QString, mode);
    QFETCH(Duration, gap);
    const auto run = finished(written(fleet(mode.toStdString(), 3) + fault("3050ms", "stop")));
    const History& history = run->history();
    QCOMPARE(first(history, EventKind::kDisbelieved, "first", 3s), at(3050ms));
    TrueTime next = TrueTime::max();
    for (const char* waiter : {"w1", "w2", "w3"})
      next = std::min(next, first(history, EventKind::kBelieved, waiter, 3s));
    QCOMPARE(next - first(history, EventKind::kReleased, "first", 3s), gap);
    if (mode != "broadcast") QCOMPARE(first(history, EventKind::kBelieved, "w1", 3s), next);  // who came first
    QCOMPARE(history.summary.double_grants, std::uint64_t{0});
    QCOMPARE(history.summary.belief_overlap.count(), 0);
  }

  // What it costs does not grow with the fleet.
  void aHandOffByTheLineIsOneCallOfWhoTakesOver() {
    for (const int waiters : {2, 10, 50}) {
      const std::string faults = fault("8010ms", "stop");
      const auto by_line = finished(written(fleet("hand-over", waiters) + faults));
      const auto calm = finished(written(fleet("hand-over", waiters)));
      const std::size_t refreshes = attempts_between(calm->history(), 8010ms, 8050ms);
      const std::size_t all = attempts_between(by_line->history(), 8010ms, 8050ms);
      QVERIFY(all >= 1 && all <= refreshes + 2);
      const auto by_broadcast = finished(written(fleet("broadcast", waiters) + faults));
      QVERIFY(attempts_between(by_broadcast->history(), 8010ms, 8050ms) >= static_cast<std::size_t>(waiters));
    }
  }

  void whoComesFirstTakesOverAtTheEndOfTheLease_data() {
    QTest::addColumn<QString>("mode");
    QTest::newRow("queue") << "queue";
    QTest::newRow("hand-over") << "hand-over";
  }
  void whoComesFirstTakesOverAtTheEndOfTheLease() {
    QFETCH(QString, mode);
    const auto run = finished(written(fleet(mode.toStdString(), 3) + fault("3050ms", "crash")));
    const TrueTime expired = first(run->history(), EventKind::kExpired, "first");
    QVERIFY(expired != TrueTime::max());
    TrueTime granted = TrueTime::max();
    for (const char* waiter : {"w1", "w2", "w3"})
      granted = std::min(granted, first(run->history(), EventKind::kGranted, waiter));
    QVERIFY2(granted - expired <= 3ms, qPrintable(QString::number((granted - expired) / 1us)));
  }

  void theRunIsTheSameEveryTime() {
    for (const char* mode : {"queue", "hand-over"}) {
      const Scenario of = written(fleet(mode, 5) + fault("3050ms", "stop") + fault("4s", "start"));
      QCOMPARE(hash_of(of), hash_of(of));
    }
  }
  void whatIsNotSaidIsBroadcast() {
    QCOMPARE(hash_of(written(fleet("broadcast", 3))), [] {
      std::string plain = fleet("broadcast", 3);
      plain.erase(plain.find("wake_up"), std::string("wake_up = \"broadcast\"\n").size());
      return hash_of(written(plain));
    }());
    const Scenario of = written(fleet("hand-over", 3));
    QCOMPARE(read_scenario(scenario_text(of), "again.toml")->mutex.wake_up, WakeUp::kHandOver);
    QVERIFY(scenario_text(written(fleet("broadcast", 3))).find("wake_up") == std::string::npos);
  }

  // Each calls in its own form; nobody owns beside another, and the older ones are woken.
  void othersTakePartBesideALine() {
    for (const char* behaviour : {"4.x", "3.1"}) {
      std::string text = fleet("hand-over", 2) + "[[contender]]\nname = \"other\"\nstart = \"5s\"\nbehaviour = \"" +
                         behaviour + "\"\n" + fault("8s", "stop");
      for (const char* waiter : {"w1", "w2"})
        text += fmt::format("[[fault]]\nat = \"{}s\"\nkind = \"stop\"\ntarget = \"{}\"\n", waiter[1] == '1' ? 11 : 14,
                            waiter);
      const auto run = finished(written(text));
      QCOMPARE(run->history().summary.double_grants, std::uint64_t{0});
      QCOMPARE(run->history().summary.belief_overlap.count(), 0);
      const TrueTime other = first(run->history(), EventKind::kBelieved, "other");
      QVERIFY(other >= at(14s));
      if (behaviour == std::string("4.x")) QVERIFY(other <= at(14s + 10ms));
    }
  }

  void aModelThatCannotIsRefused() {
    std::string text = fleet("hand-over", 1);
    text.insert(text.find("latency"), "model = \"sql\"\n");
    const auto wrong = read_scenario(text, "t.toml");
    QVERIFY(!wrong);
    QVERIFY2(wrong.error().text().find("mutex.wake_up is \"hand-over\", which a store of model sql cannot do: leave it "
                                       "out, or set store.model = \"redis\"") != std::string::npos,
             wrong.error().text().c_str());
    const auto unknown = find_scenario("healthy", {"mutex.wake_up=loud"});
    QVERIFY(!unknown);
    QVERIFY(unknown.error().text().find("hand-over") != std::string::npos);
  }
};

LEASESCOPE_SUITE(WakeUpTest)
#include "wake_up_test.moc"
