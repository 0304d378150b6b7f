// What a swarm's run is judged by: what came through, not what a model says of itself.
#include "simulator/campaign/invariants.h"

#include "simulator/engine/world.h"
#include "simulator/scenario/scenario_legend.h"
#include "tests/engine/runs.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

// Writes that a resource has let through, as it calls them.
class Judged {
 public:
  explicit Judged(bool fencing)
      : of_(scenario("healthy", {fencing ? "resource.fencing=true" : "resource.fencing=false"})),
        world_(of_, make_facts(of_)),
        invariants_(of_, world_.names()) {
    while (world_.names().text({resource_}) != of_.resources.front().name) ++resource_;
  }

  Judged& write(Token token, EventKind kind = EventKind::kWriteAccepted) {
    Event event;
    event.kind = kind;
    event.token = token;
    event.a = resource_;
    invariants_.append(event);
    return *this;
  }
  std::vector<Broken> broken() const {
    return invariants_.broken(Checkers(of_.terms(), world_.names(), legend_of(of_)));
  }

 private:
  Scenario of_;
  World world_;
  Invariants invariants_;
  std::uint32_t resource_ = 0;
};

// The owner's release falls behind; it gives the call up, starts anew, and is granted again before the release arrives.
Scenario overtaken_release(int seed) {
  Scenario of = scenario("healthy", {"store.timeout=33ms", "duration=20s", "seed=" + std::to_string(seed)});
  const auto add = [&](const char* kind, const char* target, Duration at) -> FaultTable& {
    FaultTable& fault = of.faults.emplace_back();
    fault.kind = kind;
    fault.target = target;
    fault.at = at;
    return fault;
  };
  FaultTable& reorder = add("reorder", "owner", 12s);
  reorder.duration = TimeExpression(100ms);
  reorder.words["direction"] = "to_store";
  reorder.numbers["ppm"] = 1'000'000;
  reorder.times["by"] = TimeExpression(2s);
  add("stop", "owner", 12050ms);
  add("start", "all", 12150ms);
  return of;
}

// What is broken in such a run; `told_of`: the invariants hear of its faults.
std::vector<Broken> broken_in(const Scenario& of, bool told_of) {
  World world(of, make_facts(of));
  Checkers checkers(of.terms(), world.names(), legend_of(of));
  Invariants invariants(of, world.names());
  while (world.step(TrueTime{} + of.length()))
    for (Event event : world.events()) {
      checkers.append(event);
      if (!told_of && event.kind == EventKind::kFaultBegan) event.kind = EventKind::kFaultEnded;
      invariants.append(event);
    }
  checkers.finish(TrueTime{} + of.length());
  return invariants.broken(checkers);
}

// Events of a scenario, told by hand.
class Told {
 public:
  explicit Told(Scenario of)
      : of_(std::move(of)),
        world_(of_, make_facts(of_)),
        checkers_(of_.terms(), world_.names(), legend_of(of_)),
        invariants_(of_, world_.names()) {}

  void that(int at_ms, EventKind kind, const std::string& who, const char* fault = "", Sequence cause = 0) {
    Event event;
    event.lo = event.hi = TrueTime{} + std::chrono::milliseconds(at_ms);
    event.kind = kind;
    event.node = name(who);
    event.mutex = name("orders");
    event.cause = cause;
    if (const FaultKind* of = find_fault_kind(fault)) event.detail = static_cast<std::uint8_t>(index_of(*of));
    checkers_.append(event);
    invariants_.append(event);
  }
  std::vector<Broken> broken() {
    checkers_.finish(TrueTime{} + 20s);
    return invariants_.broken(checkers_);
  }

 private:
  Name name(const std::string& text) const {
    std::uint32_t handle = 0;
    while (world_.names().text({handle}) != text) ++handle;
    return Name{handle};
  }

  Scenario of_;
  World world_;
  Checkers checkers_;
  Invariants invariants_;
};

}  // namespace

class InvariantsTest : public QObject {
  Q_OBJECT
 private slots:
  void risingTokensBreakNothing() { QVERIFY(Judged(true).write(1).write(1).write(2).write(5).broken().empty()); }
  void aFencedResourceThatLetsALowerTokenThroughIsCaughtWhateverItCallsIt() {
    for (const EventKind word : {EventKind::kWriteAccepted, EventKind::kWriteStaleAccepted}) {
      const auto broken = Judged(true).write(2).write(1, word).write(2).broken();
      QCOMPARE(broken.size(), std::size_t{1});
      QCOMPARE(broken[0].failure, Failure::kStaleWriteAccepted);
      QVERIFY(broken[0].excused_by < 0);
      QVERIFY2(broken[0].reason.find("with token 1, after it had seen 2") != std::string::npos,
               broken[0].reason.c_str());
    }
  }
  void aRefusedWriteIsNotCounted() {
    QVERIFY(Judged(true)
                .write(2)
                .write(1, EventKind::kWriteRejected)
                .write(9, EventKind::kWriteRejected)
                .write(3)
                .broken()
                .empty());
  }
  // It names its term.
  void aReleaseThatWasOvertakenEndsNoLaterTerm() {
    for (int seed = 1; seed <= 50; ++seed) QVERIFY(broken_in(overtaken_release(seed), false).empty());
  }
  void on4xItEndsTheNextTermAndOnlyReorderingExcusesThat() {
    int seen = 0;
    for (int seed = 1; seed <= 50; ++seed) {
      Scenario of = overtaken_release(seed);
      for (ContenderTable& table : of.contenders) table.behaviour = Behaviour::k4x;
      const std::vector<Broken> broken = broken_in(of, true), untold = broken_in(of, false);
      QCOMPARE(untold.size(), broken.size());
      for (std::size_t i = 0; i < broken.size(); ++i) {
        QCOMPARE(broken[i].failure, Failure::kUnexplainedOverlap);
        QCOMPARE(broken[i].excused_by, index_of(*find_fault_kind("reorder")));
        QCOMPARE(untold[i].excused_by, -1);
        QVERIFY2(
            broken[i].reason.find("a release that it had sent before it started anew came late") != std::string::npos,
            broken[i].reason.c_str());
      }
      seen += !broken.empty();
    }
    QVERIFY2(seen >= 5, std::to_string(seen).c_str());  // where the message of the release comes last
  }
  void aFaultExcusesOnlyAnOverlapOfWhomItHitAndOnlyForALease_data() {
    QTest::addColumn<QString>("whom");
    QTest::addColumn<int>("overlap_ms");  // the pause lasts from 1 s to 4 s, a lease 7 s
    QTest::addColumn<bool>("excused");
    QTest::newRow("one of the two, paused") << "c1" << 3000 << true;
    QTest::newRow("the other of the two") << "c2" << 3000 << true;
    QTest::newRow("a lease after its end") << "c1" << 11000 << true;
    QTest::newRow("long over") << "c1" << 11001 << false;
    QTest::newRow("somebody else") << "c3" << 3000 << false;
  }
  void aFaultExcusesOnlyAnOverlapOfWhomItHitAndOnlyForALease() {
    QFETCH(QString, whom);
    QFETCH(int, overlap_ms);
    QFETCH(bool, excused);
    Told told(scenario("healthy", {}));
    told.that(1000, EventKind::kFaultBegan, whom.toStdString(), "pause");
    if (overlap_ms > 4000) told.that(4000, EventKind::kFaultEnded, whom.toStdString(), "pause");
    told.that(overlap_ms - 1, EventKind::kBelieved, "c1");
    told.that(overlap_ms, EventKind::kBelieved, "c2");
    const std::vector<Broken> broken = told.broken();
    QCOMPARE(broken.size(), std::size_t{1});
    QCOMPARE(broken[0].excused_by >= 0, excused);
  }
  void onlyAnOldReleaseOfWhomAFaultHitIsExcusedForComingLate_data() {
    QTest::addColumn<QString>("behaviour");
    QTest::addColumn<QString>("whom");
    QTest::addColumn<bool>("excused");
    QTest::newRow("it names no term") << "4.x"
                                      << "c1" << true;
    QTest::newRow("it names its term") << "leasescope"
                                       << "c1" << false;
    QTest::newRow("somebody else's came late") << "4.x"
                                               << "c2" << false;
  }
  void onlyAnOldReleaseOfWhomAFaultHitIsExcusedForComingLate() {
    QFETCH(QString, behaviour);
    QFETCH(QString, whom);
    QFETCH(bool, excused);
    Told told(scenario("healthy", {"contender.0.behaviour=" + behaviour.toStdString()}));
    told.that(500, EventKind::kFaultBegan, whom.toStdString(), "reorder");
    told.that(600, EventKind::kCrashed, "c1");  // what it had sent is the cause of the release
    told.that(700, EventKind::kStarted, "c1");
    told.that(900, EventKind::kBelieved, "c1");
    told.that(1000, EventKind::kReleased, "c1", "", 1);
    told.that(1100, EventKind::kBelieved, "c2");
    const std::vector<Broken> broken = told.broken();
    QCOMPARE(broken.size(), std::size_t{1});
    QCOMPARE(broken[0].excused_by >= 0, excused);
  }
  void twoUnderOneIdExcuseOnlyTheirOwnOverlaps_data() {
    QTest::addColumn<QString>("whom");
    QTest::addColumn<QString>("as");
    QTest::addColumn<bool>("excused");
    QTest::newRow("it came back under another's id") << "c1"
                                                     << "c3" << true;
    QTest::newRow("somebody came back under its id") << "c3"
                                                     << "c2" << true;
    QTest::newRow("others did") << "c3"
                                << "c4" << false;
  }
  void twoUnderOneIdExcuseOnlyTheirOwnOverlaps() {
    QFETCH(QString, whom);
    QFETCH(QString, as);
    QFETCH(bool, excused);
    Scenario of = scenario("healthy", {"contender.0.count=4"});
    FaultTable& fault = of.faults.emplace_back();
    fault.kind = "restart_as";
    fault.target = whom.toStdString();
    fault.words["as"] = as.toStdString();
    Told told(of);
    told.that(500, EventKind::kFaultBegan, whom.toStdString(), "restart_as");
    told.that(900, EventKind::kBelieved, "c1");
    told.that(1000, EventKind::kBelieved, "c2");
    const std::vector<Broken> broken = told.broken();
    QCOMPARE(broken.size(), std::size_t{1});
    QCOMPARE(broken[0].excused_by >= 0, excused);
  }
  void withoutAFenceALowerTokenIsNoBreach() {
    QVERIFY(Judged(false).write(2).write(1, EventKind::kWriteStaleAccepted).broken().empty());
  }
};

LEASESCOPE_SUITE(InvariantsTest)
#include "invariants_test.moc"
