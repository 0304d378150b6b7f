#include <fmt/format.h>

#include "core/store/types/types.h"
#include "simulator/scenario/reader.h"
#include "tests/live/runs.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

const std::vector<const char*>& plays() {
  static const std::vector<const char*> out{"quorum-healthy",    "quorum-gc-pause", "steal-chain",
                                            "steal-edges",       "starvation",      "setnx-on-extend",
                                            "half-told-handles", "nobody-holds",    "redlock-clock-forward"};
  return out;
}

// Two take turns on so many servers, of which something is done to some.
Scenario turns(const std::string& name, int servers, bool persistence, const std::string& plan) {
  const std::string text = fmt::format(
      "schema = 1\ntitle = \"{}\"\nduration = \"9s\"\n[mutex]\nname = \"orders\"\nsystem = \"quorum\"\nttl = \"1s\"\n"
      "[quorum]\nservers = {}\nextend = \"held\"\n[store]\nmodel = \"redlock\"\n[store.redlock]\npersistence = {}\n"
      "[[contender]]\nname = \"c\"\ncount = 2\nhold = \"200ms\"\nrest = \"100ms\"\n"
      "[[resource]]\nname = \"ledger\"\nwrite_every = \"50ms\"\n{}",
      name, servers, persistence, plan);
  const auto read = read_scenario(text, name);
  if (!read) throw std::runtime_error(read.error().text());
  return *read;
}

std::string fault(const char* kind, int store, const char* at, const char* lasts) {
  return fmt::format("[[fault]]\nkind = \"{}\"\ntarget = \"store {}\"\nat = \"{}\"\nduration = \"{}\"\n", kind, store,
                     at, lasts);
}

}  // namespace

// The quorum lock over three and five live servers of their own: the same contenders, the same faults, the same
// expectations as in virtual time.
class LiveQuorumTest : public QObject {
  Q_OBJECT

  Runs runs_;

  static bool between(const Event& event, milliseconds from, milliseconds to) {
    return event.at() >= TrueTime(from) && event.at() < TrueTime(to);
  }
  static std::size_t grants(const History& history, milliseconds from, milliseconds to) {
    const auto all = of_kind(history, EventKind::kGranted);
    return static_cast<std::size_t>(
        std::count_if(all.begin(), all.end(), [&](const Event& each) { return between(each, from, to); }));
  }

 private slots:
  void initTestCase() {
    const auto add = [&](const std::string& key, const Scenario& what) {
      return runs_.add(key, what, "redis") != nullptr;
    };
    for (const char* name : plays()) QVERIFY2(add(name, scenario(name, {"mutex.ttl=1s"})), runs_.error.c_str());
    for (const char* name : {"quorum-gc-pause", "steal-edges"})
      QVERIFY2(add(std::string(name) + " unfenced", scenario(name, {"mutex.ttl=1s", "resource.fencing=false"})),
               runs_.error.c_str());
    QVERIFY2(add("three", turns("three", 3, true, "")), runs_.error.c_str());
    QVERIFY2(add("one killed", turns("one killed", 3, true, fault("store_crash", 2, "2s", "3s"))), runs_.error.c_str());
    QVERIFY2(add("most killed", turns("most killed", 5, true,
                                      fault("store_crash", 1, "2s", "3s") + fault("store_crash", 3, "2s", "3s") +
                                          fault("store_crash", 5, "2s", "3s"))),
             runs_.error.c_str());
    QVERIFY2(add("one forgets", turns("one forgets", 5, false, fault("store_crash", 4, "2s", "500ms"))),
             runs_.error.c_str());
    QVERIFY2(add("one frozen", turns("one frozen", 5, true, fault("store_freeze", 3, "2s", "3s"))),
             runs_.error.c_str());
    QVERIFY(runs_.play(seconds(60)));
  }

  void eachHasTheOutcomeOfVirtualTime_data() {
    QTest::addColumn<QString>("key");
    for (const char* name : plays()) QTest::newRow(name) << QString(name);
    QTest::newRow("quorum-gc-pause unfenced") << "quorum-gc-pause unfenced";
    QTest::newRow("steal-edges unfenced") << "steal-edges unfenced";
  }
  void eachHasTheOutcomeOfVirtualTime() {
    QFETCH(QString, key);
    check_reasons(runs_.at(key.toStdString()));
  }

  void nobodyHoldsBesideAnotherWhateverHappensToSomeOfTheServers_data() {
    QTest::addColumn<QString>("key");
    for (const char* name : {"three", "one killed", "most killed", "one forgets", "one frozen"})
      QTest::newRow(name) << QString(name);
  }
  void nobodyHoldsBesideAnotherWhateverHappensToSomeOfTheServers() {
    QFETCH(QString, key);
    const LiveRun& run = runs_.at(key.toStdString());
    const Summary& summary = run.history().summary;
    QCOMPARE(summary.double_grants, std::uint64_t{0});
    QCOMPARE(summary.belief_overlap.count(), std::int64_t{0});
    QCOMPARE(summary.stale_writes_accepted, std::uint64_t{0});
    QCOMPARE(summary.fence_regressions, std::uint64_t{0});
    QCOMPARE(run.outcome().summary.illegal_mutexes, std::uint64_t{0});
    QVERIFY(summary.acquisitions >= 6);
    for (const Event& grant : of_kind(run.history(), EventKind::kGranted)) QVERIFY(grant.lo <= grant.hi);
  }
  void aMajorityThatAnswersIsEnough() {
    for (const char* key : {"one killed", "one frozen", "one forgets"})
      QVERIFY(grants(runs_.at(key).history(), milliseconds(2200), milliseconds(5000)) >= 3);
  }
  void withoutAMajorityNobodyIsGrantedUntilOneIsBack() {
    const History& history = runs_.at("most killed").history();
    QCOMPARE(grants(history, milliseconds(2100), milliseconds(5000)), std::size_t{0});
    QVERIFY(grants(history, milliseconds(5000), milliseconds(9000)) >= 3);
  }
  void aGrantIsTheVotesOfAMajority() {
    const History& history = runs_.at("three").history();
    const auto votes = of_kind(history, EventKind::kVoteGranted);
    for (const Event& grant : of_kind(history, EventKind::kGranted)) {
      const auto of_it = std::count_if(votes.begin(), votes.end(), [&](const Event& vote) {
        return vote.node == grant.node && vote.token == grant.token && vote.at() <= grant.at();
      });
      QVERIFY(of_it >= 2);
    }
    QVERIFY(!of_kind(history, EventKind::kReleased).empty());
    QVERIFY(of_kind(history, EventKind::kExpired).empty());
  }

  void whatCannotBeIsRefusedSayingWhatCan() {
    Runs runs;
    QVERIFY(runs.add("given", scenario("quorum-healthy", {}), "redis://127.0.0.1:1") == nullptr);
    QVERIFY2(runs.error.find("the system quorum needs 5 servers that know nothing of each other") != std::string::npos,
             runs.error.c_str());
    QVERIFY2(runs.error.find("expected --store redis") != std::string::npos, runs.error.c_str());
    QVERIFY(runs.add("elsewhere", scenario("quorum-healthy", {}), "postgres") == nullptr);
    QVERIFY2(runs.error.find("virtual, live:redis") != std::string::npos, runs.error.c_str());
  }
};

LEASESCOPE_SUITE(LiveQuorumTest)
#include "live_quorum_test.moc"
