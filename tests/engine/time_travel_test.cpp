// Snapshots, seeking, stepping back and forking: every moment of a run can be come back to, and nothing differs there.
#include <malloc.h>

#include "simulator/run/fork.h"
#include "simulator/run/snapshots.h"
#include "tests/bench/contention_scenario.h"
#include "tests/engine/runs.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

TrueTime end_of(const Scenario& of) { return TrueTime{} + of.length(); }

// What tells two moments apart: where they are, what led there, and what will come of them.
struct Print {
  std::uint64_t inputs = 0, events = 0, hash = 0, incidents = 0, rest = 0;
  std::string last;

  friend bool operator==(const Print& a, const Print& b) {
    return a.inputs == b.inputs && a.events == b.events && a.hash == b.hash && a.incidents == b.incidents &&
           a.rest == b.rest && a.last == b.last;
  }
};

std::string text(const Print& p) {
  return fmt::format("input {}, {} events, {:x}, {} incidents, then {:x}, {}", p.inputs, p.events, p.hash, p.incidents,
                     p.rest, p.last);
}

Print print(BareRun run, TrueTime end) {
  Print out;
  out.inputs = run.inputs();
  out.events = run.events();
  out.hash = run.trace_hash();
  for (const Incident& incident : run.checkers().incidents()) {
    ++out.incidents;
    out.last = incident.cause;
    out.last += std::to_string(incident.end.time_since_epoch().count());
  }
  run.advance(end);
  run.finish(end);
  out.rest = run.trace_hash();
  for (const Incident& incident : run.checkers().incidents()) out.last += incident.cause;
  out.last += std::to_string(run.checkers().summary().leaderless.count());
  return out;
}

BareRun at_input(const Scenario& of, std::uint64_t inputs) {
  BareRun run(of);
  run.advance(end_of(of), inputs);
  return run;
}

// Ten contenders for an hour, with pauses, loss and drift: enough inputs for many snapshots.
Scenario long_run() { return bench::contention(10, 3600); }

struct Travelled {
  Scenario of;
  BareRun run;
  Snapshots snapshots;

  explicit Travelled(const Scenario& scenario, SnapshotTerms terms = {1'000, std::size_t{256} << 20})
      : of(scenario), run(scenario), snapshots(run, terms) {
    snapshots.advance(run, end_of(of));
  }
};

Scenario with_fault(Scenario of, const std::string& kind, Duration at, Duration duration) {
  FaultTable fault;
  fault.kind = kind;
  fault.target = "owner";
  fault.at = TimeExpression(at);
  fault.duration = TimeExpression(duration);
  of.faults.push_back(fault);
  return of;
}

}  // namespace

class TimeTravelTest : public QObject {
  Q_OBJECT
 private slots:
  // ---- seeking
  void everyInputIsTheSameAsRunningThere();
  void everyTimeIsTheSameAsRunningThere();
  void theEndIsTheSameAfterAnySeek();
  void seekingBeyondWhatWasRunRunsOn();
  void aSeekToTheBeginningFindsNothingDone();
  void oneStepBackAndOneForthIsNowhereElse();
  void stepsBackLeadToTheBeginning();
  void atTheBeginningThereIsNoStepBack();
  void incidentsThatWereOpenAreOpenAgain();

  // ---- what it takes
  void snapshotsStayWithinTheirBudget();
  void aSnapshotTakesWhatItSays();
  void thinnedSnapshotsStillLeadEverywhere();

  // ---- forks
  void aForkWithNothingChangedGoesOnAsItWouldHave();
  void aForkIsTheRunThatHadItsFaultsFromTheBeginning();
  void whatIsAddedAtTheMomentOfAnotherTakesTheSameTurn();
  void aForkKeepsItsPast();
  void aFaultMayBeTakenAwayOrMovedWhileItLiesAhead();
  void fencingMayGoAtAFork();
  void theLinkMayChangeAtAFork();
  void theDurationMayChangeAtAFork();
  void whatHasHappenedCannotBeChanged();
  void whatCannotChangeIsRefusedByName_data();
  void whatCannotChangeIsRefusedByName();
  void aForkOfAForkCanBeSoughtThroughout();

  // ---- the playhead of a run with its history
  void thePlayheadStopsAtEveryInputBothWays();
  void thePlayheadIsAtTheNewestWhenTheRunGoesOn();
  void thePlayheadStepsAcrossAFork();
  void whatCouldBeForkedIsKnownBefore();
};

void TimeTravelTest::everyInputIsTheSameAsRunningThere() {
  for (const char* name : {"gc-pause", "owner-partition", "lost-notification"}) {
    Travelled way(scenario(name), {200, std::size_t{256} << 20});
    const std::uint64_t all = way.run.inputs();
    for (std::uint64_t inputs = 0; inputs <= all; inputs += 37) {
      way.snapshots.seek_input(way.run, (inputs * 7'919) % (all + 1));
      const std::uint64_t here = way.run.inputs();
      QCOMPARE(here, (inputs * 7'919) % (all + 1));
      QCOMPARE(print(way.run, end_of(way.of)), print(at_input(way.of, here), end_of(way.of)));
    }
  }
}

void TimeTravelTest::everyTimeIsTheSameAsRunningThere() {
  Travelled way(scenario("gc-pause"), {200, std::size_t{256} << 20});
  for (const Duration at : {31s, 12s, 59s, 0s, 60s, 17s, 3s, 44s}) {
    BareRun run(way.of);
    run.advance(TrueTime{} + at);
    way.snapshots.seek(way.run, TrueTime{} + at);
    QCOMPARE(print(way.run, end_of(way.of)), print(run, end_of(way.of)));
  }
}

void TimeTravelTest::theEndIsTheSameAfterAnySeek() {
  Travelled way(long_run());
  const std::uint64_t hash = way.run.trace_hash(), all = way.run.inputs();
  QVERIFY(all > 20'000);
  RandomStream draws(1, "test", "seeks");
  for (int i = 0; i < 20; ++i) {
    way.snapshots.seek_input(way.run, draws.below(all + 1));
    way.snapshots.seek(way.run, end_of(way.of));
    QCOMPARE(way.run.trace_hash(), hash);
    QCOMPARE(way.run.inputs(), all);
  }
}

void TimeTravelTest::seekingBeyondWhatWasRunRunsOn() {
  const Scenario of = long_run();
  BareRun run(of);
  Snapshots snapshots(run, {1'000, std::size_t{256} << 20});
  snapshots.seek(run, TrueTime{} + 1800s);
  QVERIFY(snapshots.size() > 10);
  const std::uint64_t half = run.inputs();
  snapshots.seek_input(run, half + 5'000);
  QCOMPARE(run.inputs(), half + 5'000);
  QCOMPARE(print(run, end_of(of)), print(at_input(of, half + 5'000), end_of(of)));
}

void TimeTravelTest::aSeekToTheBeginningFindsNothingDone() {
  Travelled way(scenario("gc-pause"));
  way.snapshots.seek_input(way.run, 0);
  QCOMPARE(way.run.inputs(), std::uint64_t{0});
  QCOMPARE(way.run.trace_hash(), BareRun(way.of).trace_hash());
}

void TimeTravelTest::oneStepBackAndOneForthIsNowhereElse() {
  Travelled way(long_run());
  RandomStream draws(2, "test", "steps");
  for (int i = 0; i < 10; ++i) {
    way.snapshots.seek_input(way.run, 1 + draws.below(way.run.inputs()));
    const Print before = print(way.run, end_of(way.of));
    QVERIFY(way.snapshots.step_back(way.run));
    QCOMPARE(way.run.inputs(), before.inputs - 1);
    QVERIFY(way.run.step(end_of(way.of)));
    QCOMPARE(print(way.run, end_of(way.of)), before);
    way.snapshots.seek(way.run, end_of(way.of));
  }
}

void TimeTravelTest::stepsBackLeadToTheBeginning() {
  Travelled way(scenario("gc-pause"), {3'000, std::size_t{256} << 20});
  std::vector<std::uint64_t> hashes;
  BareRun forth(way.of);
  do hashes.push_back(forth.trace_hash());
  while (forth.step(end_of(way.of)));
  QCOMPARE(hashes.size(), way.run.inputs() + 1);
  do QCOMPARE(way.run.trace_hash(), hashes[way.run.inputs()]);
  while (way.snapshots.step_back(way.run));
  QCOMPARE(way.run.inputs(), std::uint64_t{0});
}

void TimeTravelTest::atTheBeginningThereIsNoStepBack() {
  Travelled way(scenario("healthy"));
  way.snapshots.seek_input(way.run, 0);
  QVERIFY(!way.snapshots.step_back(way.run));
}

void TimeTravelTest::incidentsThatWereOpenAreOpenAgain() {
  Travelled way(scenario("gc-pause"), {100, std::size_t{256} << 20});
  way.run.finish(end_of(way.of));
  TrueTime inside{};
  std::size_t index = 0;
  const IncidentList& all = way.run.checkers().incidents();
  for (; index < all.size() && all[index].kind != IncidentKind::kBeliefOverlap; ++index) {
  }
  QVERIFY(index < all.size());
  const TrueTime end = all[index].end;
  inside = all[index].start + (end - all[index].start) / 2;
  QVERIFY(!all[index].open);
  way.snapshots.seek(way.run, inside);
  way.run.review(inside);
  QVERIFY(way.run.checkers().incidents()[index].open);
  QCOMPARE(way.run.checkers().incidents()[index].end, inside);
  way.snapshots.seek(way.run, end_of(way.of));
  QVERIFY(!way.run.checkers().incidents()[index].open);
  QCOMPARE(way.run.checkers().incidents()[index].end, end);
}

// ---- what it takes

void TimeTravelTest::snapshotsStayWithinTheirBudget() {
  const Scenario of = long_run();
  for (const std::size_t budget : {std::size_t{1}, std::size_t{200'000}, std::size_t{1} << 20}) {
    BareRun run(of);
    Snapshots snapshots(run, {100, budget});
    const std::size_t one = run.bytes_beside(run);
    for (bool more = true; more;) {
      more = run.step(end_of(of));
      snapshots.keep(run);
      QVERIFY2(snapshots.bytes() <= std::max(budget, 2 * one), "the first stays whatever the budget");
    }
    QVERIFY(snapshots.spacing() > 100);
  }
}

void TimeTravelTest::aSnapshotTakesWhatItSays() {
  Travelled way(bench::contention(1000, 10), {1'000'000, std::size_t{256} << 20});
  std::vector<BareRun> copies;
  copies.reserve(20);
  const std::size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
  for (int i = 0; i < 20; ++i) copies.push_back(way.run);
  const std::size_t after = mallinfo2().uordblks + mallinfo2().hblkhd;
  [[maybe_unused]] const double measured = static_cast<double>(after - before) / 20 + sizeof(BareRun);
  const auto said = static_cast<double>(way.run.bytes_beside(way.run));
#ifdef __SANITIZE_ADDRESS__  // its allocator is not asked
  QVERIFY(said > 0);
#else
  QVERIFY2(said > 0.8 * measured && said < 1.2 * measured, fmt::format("said {}, measured {}", said, measured).c_str());
#endif
}

void TimeTravelTest::thinnedSnapshotsStillLeadEverywhere() {
  Travelled way(long_run(), {100, 400'000});
  QVERIFY(way.snapshots.spacing() >= 400);
  const std::uint64_t all = way.run.inputs();
  for (const std::uint64_t inputs : {all / 3, all - 1, std::uint64_t{1}, all / 2}) {
    way.snapshots.seek_input(way.run, inputs);
    QCOMPARE(print(way.run, end_of(way.of)), print(at_input(way.of, inputs), end_of(way.of)));
  }
}

// ---- forks

void TimeTravelTest::aForkWithNothingChangedGoesOnAsItWouldHave() {
  for (const BuiltIn& built_in : built_in_scenarios()) {
    const Scenario of = scenario(built_in.name);
    const std::uint64_t whole = print(BareRun(of), end_of(of)).rest;
    for (const Duration at : {1s, 11s, 12s, 15s, 30s}) {
      if (at >= of.length()) continue;
      BareRun run(of);
      run.advance(TrueTime{} + at - 1ns);
      const auto forked = fork(run, of, of, TrueTime{} + at);
      QVERIFY2(forked.has_value(), forked ? "" : forked.error().c_str());
      QCOMPARE(print(*forked, end_of(of)).rest, whole);
    }
  }
}

void TimeTravelTest::aForkIsTheRunThatHadItsFaultsFromTheBeginning() {
  const Scenario of = scenario("gc-pause");
  for (const Scenario& changed : {with_fault(of, "pause", 40s, 8s), with_fault(of, "partition", 25s, 12s),
                                  with_fault(with_fault(of, "pause", 41s, 3s), "crash", 33s, 0s)}) {
    BareRun run(of);
    run.advance(TrueTime{} + 20s - 1ns);
    auto forked = fork(run, of, changed, TrueTime{} + 20s);
    QVERIFY2(forked.has_value(), forked ? "" : forked.error().c_str());
    QCOMPARE(print(*forked, end_of(of)).rest, print(BareRun(changed), end_of(of)).rest);
    QVERIFY(print(*forked, end_of(of)).rest != print(run, end_of(of)).rest);
  }
}

// A fault that begins as another ends, and one that begins as another acts: a fork learns of it late, and no turn may
// hang on when.
void TimeTravelTest::whatIsAddedAtTheMomentOfAnotherTakesTheSameTurn() {
  Scenario strobe = with_fault(scenario("gc-pause"), "clock_strobe", 21s, 30s);
  strobe.faults.back().times = {{"by", TimeExpression(100ms)}, {"period", TimeExpression(5s)}};
  const Scenario of = with_fault(strobe, "partition", 40s, 5s);
  const Scenario ends_then = with_fault(of, "pause", 38s, 2s), acts_then = with_fault(of, "pause", 36s, 3s);
  for (const Scenario& changed : {ends_then, acts_then}) {
    BareRun run(of);
    run.advance(TrueTime{} + 33s - 1ns);
    const auto forked = fork(run, of, changed, TrueTime{} + 33s);
    QVERIFY2(forked.has_value(), forked ? "" : forked.error().c_str());
    QCOMPARE(print(*forked, end_of(of)).rest, print(BareRun(changed), end_of(of)).rest);
  }
}

void TimeTravelTest::aForkKeepsItsPast() {
  const Scenario of = scenario("gc-pause");
  BareRun run(of);
  run.advance(TrueTime{} + 20s - 1ns);
  const auto forked = fork(run, of, with_fault(of, "pause", 20s, 5s), TrueTime{} + 20s);
  QVERIFY(forked.has_value());
  QCOMPARE(forked->trace_hash(), run.trace_hash());
  QCOMPARE(forked->inputs(), run.inputs());
}

void TimeTravelTest::aFaultMayBeTakenAwayOrMovedWhileItLiesAhead() {
  const Scenario of = with_fault(scenario("gc-pause"), "pause", 40s, 8s);
  BareRun run(of);
  run.advance(TrueTime{} + 30s - 1ns);
  Scenario without = of;
  without.faults.back().enabled = false;
  Scenario gone = of;
  gone.faults.pop_back();
  Scenario later = of;
  later.faults.back().at = TimeExpression(45s);
  const std::vector<std::pair<Scenario, std::size_t>> changes{{without, 0}, {gone, 0}, {later, 1}};
  for (const auto& [changed, to_come] : changes) {
    const auto forked = fork(run, of, changed, TrueTime{} + 30s);
    QVERIFY2(forked.has_value(), forked ? "" : forked.error().c_str());
    QCOMPARE(print(*forked, end_of(of)).rest, print(BareRun(changed), end_of(of)).rest);
    QCOMPARE(forked->world().unfired().size(), to_come);
  }
}

void TimeTravelTest::fencingMayGoAtAFork() {
  const Scenario of = scenario("gc-pause");
  Scenario unfenced = of;
  unfenced.resources.front().fencing = false;
  BareRun run(of);
  run.advance(TrueTime{} + 15s - 1ns);  // the owner stands still, and another will be granted
  auto forked = fork(run, of, unfenced, TrueTime{} + 15s);
  QVERIFY(forked.has_value());
  forked->advance(end_of(of));
  QVERIFY(forked->checkers().summary().stale_writes_accepted > 0);
  run.advance(end_of(of));
  QCOMPARE(run.checkers().summary().stale_writes_accepted, std::uint64_t{0});
  QVERIFY(run.checkers().summary().stale_writes_rejected > 0);
}

void TimeTravelTest::theLinkMayChangeAtAFork() {
  const Scenario of = scenario("healthy");
  Scenario slow = of;
  slow.store.loss_ppm = 200'000;
  slow.store.latency = Distribution::constant(20ms);
  BareRun run(of);
  run.advance(TrueTime{} + 10s - 1ns);
  const auto forked = fork(run, of, slow, TrueTime{} + 10s);
  QVERIFY2(forked.has_value(), forked ? "" : forked.error().c_str());
  QVERIFY(print(*forked, end_of(of)).rest != print(run, end_of(of)).rest);
  QCOMPARE(forked->trace_hash(), run.trace_hash());
}

void TimeTravelTest::theDurationMayChangeAtAFork() {
  const Scenario of = scenario("healthy");
  Scenario longer = of;
  longer.duration = TimeExpression(90s);
  BareRun run(of);
  run.advance(TrueTime{} + 10s);
  QVERIFY(fork(run, of, longer, TrueTime{} + 10s).has_value());
  longer.duration = TimeExpression(5s);
  const auto over = fork(run, of, longer, TrueTime{} + 10s);
  QVERIFY(!over.has_value());
  QVERIFY2(over.error().find("duration is 5s") != std::string::npos, over.error().c_str());
}

void TimeTravelTest::whatHasHappenedCannotBeChanged() {
  const Scenario of = scenario("gc-pause");  // its pause begins at 11.9 s
  BareRun run(of);
  run.advance(TrueTime{} + 20s - 1ns);
  Scenario other = of;
  other.faults.front().duration = TimeExpression(1s);
  auto refused = fork(run, of, other, TrueTime{} + 20s);
  QVERIFY(!refused.has_value());
  QVERIFY2(refused.error().find("fault.0") == 0 && refused.error().find("cannot be changed") != std::string::npos,
           refused.error().c_str());
  other.faults.clear();
  QVERIFY(!fork(run, of, other, TrueTime{} + 20s).has_value());
  refused = fork(run, of, with_fault(of, "pause", 19s, 1s), TrueTime{} + 20s);
  QVERIFY(!refused.has_value());
  QVERIFY2(refused.error().find("lies before the fork at 20.000 s") != std::string::npos, refused.error().c_str());
  QVERIFY(fork(run, of, with_fault(of, "pause", 20s, 1s), TrueTime{} + 20s).has_value());
}

void TimeTravelTest::whatCannotChangeIsRefusedByName_data() {
  QTest::addColumn<QString>("set");
  QTest::addColumn<QString>("name");
  QTest::newRow("ttl") << "mutex.ttl=3s"
                       << "mutex.ttl";
  QTest::newRow("transition") << "mutex.transition=3s"
                              << "mutex.transition";
  QTest::newRow("name") << "mutex.name=other"
                        << "mutex.name";
  QTest::newRow("seed") << "seed=9"
                        << "seed";
  QTest::newRow("contenders") << "contender.0.count=5"
                              << "contender.0.count";
  QTest::newRow("their names") << "contender.0.name=x"
                               << "contender.0.name";
  QTest::newRow("their clocks") << "contender.0.clock.drift_ppm=77"
                                << "contender";
  QTest::newRow("time-out") << "store.timeout=3s"
                            << "store";
  QTest::newRow("work") << "resource.write_every=3s"
                        << "resource";
}

void TimeTravelTest::whatCannotChangeIsRefusedByName() {
  QFETCH(QString, set);
  QFETCH(QString, name);
  const auto may = check_fork(scenario("gc-pause"), scenario("gc-pause", {set.toStdString()}));
  QVERIFY(!may.has_value());
  QVERIFY2(may.error().rfind(name.toStdString(), 0) == 0, may.error().c_str());
  QVERIFY2(may.error().find("expected changes of fault") != std::string::npos, may.error().c_str());
}

void TimeTravelTest::aForkOfAForkCanBeSoughtThroughout() {
  const Scenario first = scenario("gc-pause");
  const Scenario second = with_fault(first, "pause", 30s, 8s);
  const Scenario third = with_fault(second, "partition", 45s, 5s);
  const SnapshotTerms terms{150, std::size_t{256} << 20};
  Travelled way(first, terms);

  Snapshots snapshots = way.snapshots;
  BareRun run = way.run;
  std::uint64_t forks[2] = {};
  const Scenario* course[] = {&first, &second, &third};
  for (int i = 0; i < 2; ++i) {
    const TrueTime at = TrueTime{} + (i == 0 ? 25s : 40s);
    snapshots.seek(run, at - 1ns);
    auto forked = fork(run, *course[i], *course[i + 1], at);
    QVERIFY2(forked.has_value(), forked ? "" : forked.error().c_str());
    run = *forked;
    forks[i] = run.inputs();
    snapshots = snapshots.fork(run);
    snapshots.advance(run, end_of(first));
  }
  // What it should be anywhere: the third course from its beginning.
  const Print whole = print(run, end_of(first));
  QCOMPARE(whole.rest, print(BareRun(third), end_of(first)).rest);
  const std::uint64_t all = run.inputs();
  for (std::uint64_t i = 0; i < 60; ++i) {
    const std::uint64_t inputs = i == 0 ? forks[0] : i == 1 ? forks[1] : (i * 7'919) % (all + 1);
    snapshots.seek_input(run, inputs);
    QCOMPARE(run.trace_hash(), at_input(third, inputs).trace_hash());
    if (i % 3 == 0) snapshots.seek(run, end_of(first));
    if (i % 3 == 1 && snapshots.step_back(run)) QCOMPARE(run.trace_hash(), at_input(third, inputs - 1).trace_hash());
  }
  snapshots.seek(run, end_of(first));
  QCOMPARE(print(run, end_of(first)), whole);
  // The first run is still there.
  way.snapshots.seek_input(way.run, forks[1] + 10);
  QCOMPARE(way.run.trace_hash(), at_input(first, forks[1] + 10).trace_hash());
}

// ---- the playhead of a run with its history

void TimeTravelTest::thePlayheadStopsAtEveryInputBothWays() {
  const Scenario of = scenario("gc-pause");
  std::vector<TrueTime> stops{TrueTime{}};
  for (BareRun run(of); run.step(end_of(of));) stops.push_back(run.now());
  VirtualRun run(of, SnapshotTerms{300, std::size_t{64} << 20});
  run.advance(TrueTime::max());
  const std::uint64_t hash = *run.outcome().trace_hash;
  QCOMPARE(run.playhead(), end_of(of));
  std::size_t at = stops.size();
  while (run.step_back()) QCOMPARE(run.playhead(), stops[--at]);
  QCOMPARE(run.playhead(), TrueTime{});
  while (at + 1 < stops.size()) {
    QVERIFY(run.step_forward());
    QCOMPARE(run.playhead(), stops[++at]);
  }
  QVERIFY(run.step_forward());  // to the end of the run, where nothing happens
  QCOMPARE(run.playhead(), end_of(of));
  QVERIFY(!run.step_forward());
  // Between two inputs the next stop is the one before, not the one before that.
  const std::size_t middle = stops.size() / 2;
  run.seek(stops[middle] + (stops[middle + 1] - stops[middle]) / 2);
  QVERIFY(run.step_back());
  QCOMPARE(run.playhead(), stops[middle]);
  QCOMPARE(*run.outcome().trace_hash, hash);
}

void TimeTravelTest::thePlayheadIsAtTheNewestWhenTheRunGoesOn() {
  VirtualRun run(scenario("gc-pause"), SnapshotTerms{});
  run.advance(TrueTime{} + 30s);
  run.seek(TrueTime{} + 10s);
  QCOMPARE(run.playhead(), TrueTime{} + 10s);
  run.advance(TrueTime{} + 31s);
  QCOMPARE(run.playhead(), TrueTime{} + 31s);
  QVERIFY(run.step_back());
  QVERIFY(run.playhead() < TrueTime{} + 31s && run.playhead() > TrueTime{} + 30s);
  run.seek(TrueTime{} + 100s);
  QCOMPARE(run.playhead(), TrueTime{} + 31s);
}

void TimeTravelTest::thePlayheadStepsAcrossAFork() {
  const Scenario of = scenario("gc-pause");
  const Scenario changed = with_fault(of, "pause", 30s, 8s);
  std::vector<TrueTime> stops;
  for (BareRun run(changed); run.step(end_of(of));) stops.push_back(run.now());
  VirtualRun run(of, SnapshotTerms{200, std::size_t{64} << 20});
  QVERIFY(run.fork(TrueTime{} + 25s, changed).has_value());
  run.advance(TrueTime::max());
  QCOMPARE(*run.outcome().trace_hash, hash_of(changed));
  run.seek(TrueTime{} + 24s);
  auto stop = std::upper_bound(stops.begin(), stops.end(), TrueTime{} + 24s);
  for (; stop != stops.end(); ++stop) {
    QVERIFY(run.step_forward());
    QCOMPARE(run.playhead(), *stop);
  }
}

void TimeTravelTest::whatCouldBeForkedIsKnownBefore() {
  const Scenario of = scenario("gc-pause");
  VirtualRun run(of, SnapshotTerms{});
  run.advance(TrueTime::max());
  QVERIFY(run.may_fork(TrueTime{} + 20s, with_fault(of, "pause", 30s, 2s)).has_value());
  QVERIFY(!run.may_fork(TrueTime{} + 40s, with_fault(of, "pause", 30s, 2s)).has_value());
  Scenario other = of;
  other.faults.clear();
  QVERIFY(run.may_fork(TrueTime{} + 5s, other).has_value());
  QVERIFY(!run.may_fork(TrueTime{} + 20s, other).has_value());
  // A fork goes on from the settings in force there.
  VirtualRun forked(of, SnapshotTerms{});
  const Scenario second = with_fault(of, "pause", 30s, 2s);
  QVERIFY(forked.fork(TrueTime{} + 25s, second).has_value());
  forked.advance(TrueTime::max());
  QVERIFY(forked.may_fork(TrueTime{} + 20s, of).has_value());
  QVERIFY(!forked.may_fork(TrueTime{} + 35s, of).has_value());
}

LEASESCOPE_SUITE(TimeTravelTest)
#include "time_travel_test.moc"
