// Scenarios after what was seen of a mutex: they can be read, run well, and have what was seen in them.
#include "core/observe/simulated.h"
#include "simulator/scenario/reader.h"
#include "tests/engine/runs.h"
#include "tests/support/suite.h"

#include <QTest>

using namespace leasescope;
using namespace std::chrono_literals;

namespace {

WatchedMutex seen(const std::string& name, const std::vector<Sighting>& looks) {
  NameTable names;
  SeenMutex book(
      {names.intern(name), names.intern("store")}, [](const Event&) { return Sequence{0}; },
      [&names](std::string_view text) { return names.intern(text); });
  WatchedMutex out(name, name, "", 0, std::move(book));
  for (const Sighting& look : looks) {
    out.book.see(look);
    out.terms.push_back({look.owner, look.token, out.book.since_lo(), out.book.since_hi(), TrueTime::max()});
  }
  return out;
}

Sighting look(int ms, const char* owner, std::optional<Duration> left, std::optional<Duration> ttl_left = {}) {
  Sighting out;
  out.owner = owner;
  out.left = left;
  out.ttl_left = ttl_left;
  out.asked = out.answered = TrueTime{} + std::chrono::milliseconds(ms);
  return out;
}

}  // namespace

class SimulatedTest : public QObject {
  Q_OBJECT
 private slots:
  void whatIsSeenStandsInIt() {
    WatchedMutex of =
        seen("orders", {look(0, "a", 3'000ms, -3'000ms), look(1'000, "b", 15'950ms, 9'950ms), look(2'000, "", {})});
    const auto scenario = read_scenario(scenario_after(of, {"sql", 3ms}), "seen.toml");
    QVERIFY2(scenario, scenario ? "" : scenario.error().text().c_str());
    QVERIFY(scenario->terms().ttl == 10s && scenario->terms().transition == 6s);
    QCOMPARE(scenario->mutex_names(), std::vector<std::string>{"orders"});
    QCOMPARE(scenario->contender_names().size(), std::size_t{2});
    QVERIFY(scenario->about.find("as long as it was seen, its transition likewise") != std::string::npos);
  }
  void whatIsNotSeenIsSaidToBeAssumed() {
    const auto whole = read_scenario(
        scenario_after(seen("a", {look(0, "", {}), look(10, "x", 7'990ms)}), {"redis", 400us}), "seen.toml");
    QVERIFY2(whole, whole ? "" : whole.error().text().c_str());
    QVERIFY(whole->terms().ttl == 5s && whole->terms().transition == 3s);
    QVERIFY(whole->about.find("assumed to share it as 10 to 6") != std::string::npos);
    const auto middle = read_scenario(scenario_after(seen("a", {look(0, "x", 2s)}), {"redis", 1ms}), "seen.toml");
    QVERIFY2(middle, middle ? "" : middle.error().text().c_str());
    QVERIFY(middle->about.find("met in the middle") != std::string::npos);
    const auto none = read_scenario(scenario_after(seen("a", {look(0, "", {})}), {"redis", {}}), "seen.toml");
    QVERIFY2(none, none ? "" : none.error().text().c_str());
    QVERIFY(none->about.find("defaults") != std::string::npos);
  }
  void whoeverWaitsContends() {
    Sighting crowded = look(0, "a", 16s);
    crowded.waiters = 6;
    const auto scenario = read_scenario(scenario_after(seen("orders", {crowded}), {"redis", 1ms}), "seen.toml");
    QVERIFY(scenario);
    QCOMPARE(scenario->contender_names().size(), std::size_t{7});
  }
  void aLatchIsALatch() {
    Sighting led = look(0, "a", {});
    led.system = "latch";
    const auto scenario = read_scenario(scenario_after(seen("boss", {led}), {"zookeeper", 2ms}), "seen.toml");
    QVERIFY2(scenario, scenario ? "" : scenario.error().text().c_str());
    QCOMPARE(scenario->mutex.system, std::string("latch"));
  }
  // Whatever a mutex is called, and however short its lease.
  void anyNameAndAnyLeaseCanBeRead() {
    for (const std::string& name :
         {std::string("a \"quoted\" \\ name"), std::string(300, 'x'), std::string("caf\xc3\xa9\n\x01")})
      for (const Duration left : {Duration(1ms), Duration(3'333ms), Duration(24h)}) {
        const std::string text = scenario_after(seen(name, {look(0, "a", left)}), {"redis", 1ns});
        const auto scenario = read_scenario(text, "seen.toml");
        QVERIFY2(scenario, scenario ? "" : (scenario.error().text() + "\n" + text).c_str());
      }
  }
};

LEASESCOPE_SUITE(SimulatedTest)
#include "simulated_test.moc"
