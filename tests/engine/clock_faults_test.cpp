// Pauses, starved timers and clocks that go wrong, as the contender sees them, and what the history tells of its
// clocks.
#include "tests/engine/faulty.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

// How far a contender's wall clock is from where it would have been, by what its changes say.
struct Reckoned {
  Duration at_end{};
  Duration furthest{};
};
Reckoned reckon(const History& history, const std::string& node) {
  Reckoned out;
  std::int64_t ppm = 0;
  TrueTime since{};
  const auto pass = [&](TrueTime now) {
    out.at_end += Duration((now - since).count() * ppm / 1'000'000);
    since = now;
    out.furthest = std::max(out.furthest, std::chrono::abs(out.at_end));
  };
  for (const Event& event : history.events) {
    if (event.kind != EventKind::kClockChanged || history.names.text(event.node) != node) continue;
    pass(event.at());
    out.at_end += Duration(event.a);
    ppm += event.b;
    out.furthest = std::max(out.furthest, std::chrono::abs(out.at_end));
  }
  pass(history.now);
  return out;
}

}  // namespace

class ClockFaultsTest : public QObject {
  Q_OBJECT
 private slots:
  // ---- pauses and clocks that stand
  void aPauseLetsTheClocksRunUnlessTheyStand() {
    const std::string pause = "duration = \"1s\"\n";
    const auto runs = finished(alone(fault("pause", "2s", pause)));
    const auto stands = finished(alone(fault("pause", "2s", pause + "clock = \"stands\"")));
    QCOMPARE(first(runs->history(), EventKind::kRenewed), at(5003ms));
    QCOMPARE(first(stands->history(), EventKind::kRenewed), at(6003ms));
  }
  void afterAMigrationTheOwnerBelievesUntilItAsks() {
    const auto run = finished(alone(fault("pause", "2s", "duration = \"8s\"\nclock = \"stands\"")));
    QCOMPARE(first(run->history(), EventKind::kExpired), at(7003ms));
    QVERIFY(first(run->history(), EventKind::kChecked, "a", 10s) < at(10200ms));  // it works on: its clock saw no gap
    QCOMPARE(first(run->history(), EventKind::kDisbelieved), at(13002ms + 2ms));  // until its renewal is refused
  }
  void aRequestTimesOutOnTheClockThatStood() {
    const auto run = finished(alone(fault("partition", "5s", "duration = \"3s\"") +
                                    fault("pause", "5500ms", "duration = \"2s\"\nclock = \"stands\"")));
    QCOMPARE(first(run->history(), EventKind::kAttempt, "a", 1s), at(5002ms + 1s + 2s));
  }
  // Also that a migrated machine's clocks stood, and by what a clock was off before anything happened.
  void everyChangeOfAClockIsTold() {
    const auto stood = finished(alone(fault("pause", "2s", "duration = \"8s\"\nclock = \"stands\"")));
    using Told = std::vector<std::tuple<TrueTime, std::string, Duration, std::int64_t>>;
    const auto told = [](const History& history) {
      Told out;
      for (const Event& event : history.events)
        if (event.kind == EventKind::kClockChanged)
          out.emplace_back(event.at(), detail_text(event), Duration(event.a), event.b);
      return out;
    };
    QVERIFY(told(stood->history()) == (Told{{at(2s), "both", 0s, -1'000'000}, {at(10s), "both", 0s, 1'000'000}}));
    const auto ahead =
        finished(written(world(contender("a", "clock = { offset = \"3s\", steady_ppm = -50 }"),
                               fault("clock_step", "5s", "by = \"-1s\"") +
                                   fault("clock_drift", "6s", "ppm = 7\nwhich = \"steady\"\nduration = \"1s\""))));
    QVERIFY(told(ahead->history()) == (Told{{at(0s), "wall", 3s, 0},
                                            {at(0s), "steady", 0s, -50},
                                            {at(5s), "wall", -1s, 0},
                                            {at(6s), "steady", 0s, 7},
                                            {at(7s), "steady", 0s, -7}}));
    QCOMPARE(ahead->history().event(1).cause, Sequence{0});
  }
  // What has run up to its bound runs no slower, and its clock is not told to.
  void aClockThatIsAsSlowAsItCanBeIsNotToldToBeSlower() {
    const std::string slow = "ppm = -400000\nduration = \"4s\"";
    const auto run = finished(alone(fault("clock_drift", "2s", slow) + fault("clock_drift", "3s", slow)));
    std::vector<std::int64_t> told;
    for (const Event& event : run->history().events)
      if (event.kind == EventKind::kClockChanged) told.push_back(event.b);
    QCOMPARE(told, (std::vector<std::int64_t>{-400'000, -100'000, 100'000, 400'000}));
  }
  void twoPausesAreOverWhenBothAre() {
    const auto run =
        finished(alone(fault("pause", "2s", "duration = \"4s\"") + fault("pause", "3s", "duration = \"1s\"")));
    QCOMPARE(first(run->history(), EventKind::kRenewed), at(6001ms));
  }
  void clocksStandUntilTheLastPauseThatHoldsThem() {
    const auto run = finished(alone(fault("pause", "1s", "duration = \"1s\"\nclock = \"stands\"") +
                                    fault("pause", "1500ms", "duration = \"1s\"\nclock = \"stands\"")));
    QCOMPARE(first(run->history(), EventKind::kRenewed), at(5003ms + 1500ms));
  }
  void aStarvedOwnerWorksOnWithoutItsWatchdog() {
    const auto run = finished(alone(fault("starve", "2s", "duration = \"10s\"")));
    QCOMPARE(first(run->history(), EventKind::kExpired), at(7003ms));
    QVERIFY(first(run->history(), EventKind::kChecked, "a", 7s) > at(12s));  // its check looks at the clock
    Scenario older = alone(fault("starve", "2s", "duration = \"10s\""));
    older.contenders.front().behaviour = Behaviour::k4x;
    QVERIFY(first(finished(older)->history(), EventKind::kChecked, "a", 11s) < at(11200ms));
    QCOMPARE(first(run->history(), EventKind::kDisbelieved), at(12s));
  }
  // The answer to its renewal is held back past its deadline; handed over before the watchdog it renews all the same.
  void workThatStoppedAtACheckGoesOnOnceAnAnswerThatWasHeldBackRenews() {
    const auto run = finished(written(R"(schema = 1
title = "t"
duration = "30s"
[mutex]
name = "orders"
system = "cas"
ttl = "6s"
[store]
latency = "400ms"
[[contender]]
name = "a"
[[resource]]
name = "ledger"
write_every = "100ms"
[[fault]]
at = "3s"
kind = "starve"
target = "owner"
duration = "4500ms"
)"));
    const History& history = run->history();
    QCOMPARE(first(history, EventKind::kDisbelieved, "a"), TrueTime::max());
    const TrueTime again = first(history, EventKind::kWriteAccepted, "a", 7s);
    QVERIFY(again > at(7500ms) && again < at(7600ms));
  }
  void aPauseInsideAStarvationStopsTheWorkToo() {
    const auto run =
        finished(alone(fault("starve", "2s", "duration = \"4s\"") + fault("pause", "3s", "duration = \"1s\"")));
    QVERIFY(first(run->history(), EventKind::kChecked, "a", 3s) >= at(4s));
    QVERIFY(first(run->history(), EventKind::kChecked, "a", 4s) < at(4200ms));
    QCOMPARE(first(run->history(), EventKind::kRenewed), at(6001ms));
  }

  // ---- clocks
  void aSlowClockMakesATimerLateToTheNanosecond() {
    // 4.002 s are left at 1 s; at nine tenths of the speed they take 4.446 666 666 6… s.
    const auto run = finished(alone(fault("clock_drift", "1s", "duration = \"20s\"\nppm = -100000")));
    QCOMPARE(first(run->history(), EventKind::kRenewed), at(1s + 4446666667ns + 1ms));
  }
  void aFastClockMakesItEarly() {
    const auto run = finished(alone(fault("clock_drift", "1s", "duration = \"20s\"\nppm = 100000")));
    QCOMPARE(first(run->history(), EventKind::kRenewed), at(1s + 3638181819ns + 1ms));
  }
  void aTimerIsArmedAnewWhenTheDriftEnds() {
    // 1.1 s pass on the clock within the second; 2.902 s are left at the end of it.
    const auto run = finished(alone(fault("clock_drift", "1s", "duration = \"1s\"\nppm = 100000")));
    QCOMPARE(first(run->history(), EventKind::kRenewed), at(2s + 2902ms + 1ms));
  }
  void twoDriftsAddUpAndComeApart() {
    const auto run = finished(alone(fault("clock_drift", "1s", "duration = \"2s\"\nppm = 100000") +
                                    fault("clock_drift", "2s", "duration = \"2s\"\nppm = -300000")));
    // On the clock: 1.1 s, then 0.8 s, then 0.7 s; 4.002 - 2.6 = 1.402 s are left at 4 s.
    QCOMPARE(first(run->history(), EventKind::kRenewed), at(4s + 1402ms + 1ms));
    const TrueTime second = first(run->history(), EventKind::kRenewed, "a", 6s);
    QCOMPARE(second, at(5402ms + 5s + 1ms));  // and nothing is left of them
  }
  void aDriftOfTheWallClockMovesNoTimer() {
    const auto run = finished(alone(fault("clock_drift", "1s", "duration = \"20s\"\nppm = 100000\nwhich = \"wall\"")));
    QCOMPARE(first(run->history(), EventKind::kRenewed), at(5003ms));
  }
  void aTimeOutDriftsWithTheClock() {
    const auto run = finished(alone(fault("partition", "5s", "duration = \"4s\"") +
                                    fault("clock_drift", "5500ms", "duration = \"4s\"\nppm = -500000")));
    // Sent at 5.002 s: 0.498 s before the drift, the other 0.502 s at half the speed.
    QCOMPARE(first(run->history(), EventKind::kAttempt, "a", 1s), at(5500ms + 1004ms));
  }
  void driftsThatWouldStopAClockLeaveItHalfItsSpeed() {
    const auto run = finished(alone(fault("clock_drift", "1s", "duration = \"3s\"\nppm = -500000") +
                                    fault("clock_drift", "1s", "duration = \"3s\"\nppm = -500000") +
                                    fault("clock_drift", "1s", "duration = \"3s\"\nppm = -400000")));
    QCOMPARE(first(run->history(), EventKind::kRenewed), at(4s + 4002ms - 1500ms + 1ms));
  }
  void aStrobeGoesToAndFroAndEndsWhereItBegan() {
    for (const char* length : {"5s", "6s", "5500ms"}) {
      const auto run = finished(
          alone(fault("clock_strobe", "2s", fmt::format("by = \"3s\"\nperiod = \"1s\"\nduration = \"{}\"", length))));
      const Reckoned clock = reckon(run->history(), "a");
      QCOMPARE(clock.at_end, 0s);
      QCOMPARE(clock.furthest, 3s);
      QVERIFY(count_of(run->history(), EventKind::kClockChanged, "a") >= 6);
      QCOMPARE(first(run->history(), EventKind::kRenewed), at(5003ms));  // the steady clock knows nothing of it
    }
  }
  void aSineSwingsByItsAmplitudeAndComesBack() {
    const auto run = finished(alone(fault("clock_sine", "2s", "by = \"100ms\"\nperiod = \"8s\"\nduration = \"16s\"")));
    const Reckoned clock = reckon(run->history(), "a");
    QVERIFY(std::chrono::abs(clock.at_end) < 100ns);
    QVERIFY(clock.furthest > 99900us && clock.furthest <= 100ms);
    QVERIFY(first(run->history(), EventKind::kRenewed) != at(5003ms));  // the steady clock swings with it
  }
  void aSineThatIsCutShortLeavesTheRateAsItWas() {
    const auto run = finished(alone(fault("clock_sine", "2s", "by = \"100ms\"\nperiod = \"8s\"\nduration = \"5s\"")));
    const TrueTime first_after = first(run->history(), EventKind::kRenewed, "a", 8s);
    QCOMPARE(first(run->history(), EventKind::kRenewed, "a", 14s) - first_after, 5000ms);
  }
  void aSlewSpreadsItsWholeAmountAndLeavesIt() {
    for (const char* by : {"250ms", "-250ms", "1234567ns", "3ns"}) {
      const auto run = finished(alone(fault("clock_slew", "2s", fmt::format("by = \"{}\"\nduration = \"7s\"", by))));
      const Duration wanted = std::string(by) == "250ms"    ? Duration(250ms)
                              : std::string(by) == "-250ms" ? Duration(-250ms)
                              : std::string(by) == "3ns"    ? Duration(3ns)
                                                            : Duration(1234567ns);
      const Reckoned clock = reckon(run->history(), "a");
      QVERIFY(std::chrono::abs(clock.at_end - wanted) <= 1ns);
      QVERIFY(clock.furthest <= std::chrono::abs(wanted) + 1ns);
    }
  }
  void whatIsTooMuchToSlewIsSteppedAtTheEnd() {
    const auto run = finished(alone(fault("clock_slew", "2s", "by = \"3s\"\nduration = \"2s\"")));
    QCOMPARE(reckon(run->history(), "a").at_end, 3s);
    QCOMPARE(first(run->history(), EventKind::kRenewed), at(5003ms - 1s));  // half as fast again, for two seconds
  }
};

LEASESCOPE_SUITE(ClockFaultsTest)
#include "clock_faults_test.moc"
