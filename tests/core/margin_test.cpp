// By how much an incident came to be: histories by hand, and figures by hand.
#include "core/history/margin.h"

#include "core/history/figures.h"
#include "core/history/recorder.h"
#include "core/store/port.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

// Faults of the legend, by their places in it.
constexpr std::uint8_t kPause = 0, kCut = 1, kStarve = 2;

Legend legend_by_hand() {
  Legend legend;
  legend.faults = {{"pause", "pause", "", "", Disturbs::kPauses, BandKind::kPause, true},
                   {"partition", "partition", "", "", Disturbs::kCuts, BandKind::kPartition, true},
                   {"starve", "starve", "", "", Disturbs::kStarves, BandKind::kPause, true}};
  legend.contenders = {"a", "b"};
  legend.store.timeout = 1s;
  legend.store.round_trip = 1ms;
  return legend;
}

// Times in ms; leases last 7 s.
class Chronicle {
 public:
  Chronicle() : recorder_({}, LeaseTerms{5s, 2s, {}}, legend_by_hand()) {
    for (const char* who : {"a", "b"}) tell(0, EventKind::kStarted, who);
  }
  void tell(int at_ms, EventKind kind, const char* who, Token token = 0, std::int64_t a = 0, std::int64_t b = 0,
            std::uint8_t detail = 0) {
    Event event;
    event.lo = event.hi = TrueTime{} + std::chrono::milliseconds(at_ms);
    event.node = recorder_.intern(who);
    event.mutex = recorder_.intern("m");
    event.kind = kind;
    event.token = token;
    event.a = a;
    event.b = b;
    event.detail = detail;
    recorder_.append(event);
  }
  void granted(int at_ms, const char* who, Token token) {
    tell(at_ms, EventKind::kGranted, who, token, Duration(7s).count());
  }
  void believed(int at_ms, const char* who, Token token) { tell(at_ms, EventKind::kBelieved, who, token); }
  void ceased(int at_ms, const char* who, DisbeliefReason why = DisbeliefReason::kLost) {
    tell(at_ms, EventKind::kDisbelieved, who, 0, 0, 0, static_cast<std::uint8_t>(why));
  }
  void disturbed(int from_ms, int to_ms, const char* who, std::uint8_t fault, bool begins) {
    const Duration planned = std::chrono::milliseconds(to_ms - from_ms);
    tell(begins ? from_ms : to_ms, begins ? EventKind::kFaultBegan : EventKind::kFaultEnded, who, 0, planned.count(), 0,
         fault);
  }
  std::int64_t handle(const char* name) { return recorder_.intern(name).handle; }
  const History& finish(int at_ms) {
    recorder_.finish(TrueTime{} + std::chrono::milliseconds(at_ms));
    return recorder_.history();
  }

 private:
  Recorder recorder_;
};

// Of the only incident of that kind; one of no measure when there is none.
Margin margin(const History& history, IncidentKind kind) {
  for (const Incident& incident : history.incidents)
    if (incident.kind == kind) return margin_of(history, incident);
  return {MarginMeasure::kNone, {}, {}, "there is no such incident"};
}

// What it is, in a line that a failure shows.
std::string told(const Margin& of) {
  return fmt::format("{} {} {} {}", text(of.measure), of.had.count() / 1'000'000, of.needed.count() / 1'000'000,
                     of.margin().count() / 1'000'000);
}

bool says(const Margin& of, std::string_view words) { return of.words.find(words) != std::string::npos; }

// `a` renews at 5 s, is disturbed from 6 to 15 s, and its lease ends at 12 s.
const History& outlived(Chronicle& of, std::uint8_t fault) {
  of.granted(0, "a", 1);
  of.believed(0, "a", 1);
  of.tell(5000, EventKind::kRenewed, "a", 1, Duration(7s).count());
  of.disturbed(6000, 15000, "a", fault, true);
  of.tell(12000, EventKind::kExpired, "a", 1);
  of.granted(12500, "b", 2);
  of.believed(12510, "b", 2);
  of.disturbed(6000, 15000, "a", fault, false);
  of.ceased(15001, "a");
  return of.finish(16000);
}

}  // namespace

class MarginTest : public QObject {
  Q_OBJECT
 private slots:
  void aPauseIsMeasuredAgainstWhatWasLeftOfTheLease() {
    Chronicle of;
    const Margin found = margin(outlived(of, kPause), IncidentKind::kBeliefOverlap);
    QCOMPARE(told(found), std::string("pause 6000 9000 -3000"));
    QVERIFY2(says(found, "a's lease #1 had 6.000 s left when a pause of 9.000 s began, 3.000 s too little"),
             found.words.c_str());
    QVERIFY2(says(found, "a lease longer by 3.000 s") && says(found, "a pause shorter than 6.000 s"),
             found.words.c_str());
  }
  void soAreTimersThatStarveAndATimeWithoutTheStore() {
    Chronicle starved, cut;
    QCOMPARE(told(margin(outlived(starved, kStarve), IncidentKind::kBeliefOverlap)),
             std::string("starvation 6000 9000 -3000"));
    QCOMPARE(told(margin(outlived(cut, kCut), IncidentKind::kBeliefOverlap)), std::string("cut 6000 9000 -3000"));
  }
  void aStepOfTheStoresClockIsMeasuredAgainstIt() {
    Chronicle of;
    of.granted(0, "a", 1);
    of.believed(0, "a", 1);
    of.tell(4000, EventKind::kClockChanged, "store", 0, Duration(5s).count());
    of.tell(4000, EventKind::kExpired, "a", 1);
    of.granted(4100, "b", 2);
    of.believed(4200, "b", 2);
    of.ceased(6000, "a");
    const History& history = of.finish(7000);
    QCOMPARE(told(margin(history, IncidentKind::kBeliefOverlap)), std::string("store_clock_step 3000 5000 -2000"));
    const Margin granted = margin(history, IncidentKind::kDoubleGrant);
    QCOMPARE(told(granted), std::string("store_clock_step 3000 5000 -2000"));
    QVERIFY2(says(granted, "a step of less than 3.000 s"), granted.words.c_str());
  }
  // A contender's own clock is no store's, and nothing tells what took the lease away.
  void aStepOfAContendersClockIsNoStoresStep() {
    Chronicle of;
    of.granted(0, "a", 1);
    of.tell(4000, EventKind::kClockChanged, "a", 0, Duration(5s).count());
    of.tell(4000, EventKind::kExpired, "a", 1);
    of.granted(4100, "b", 2);
    const Margin found = margin(of.finish(5000), IncidentKind::kDoubleGrant);
    QVERIFY(!found.known());
    QVERIFY2(says(found, "2.900 s before the promise was over"), found.words.c_str());
  }
  void whoWentOnBelievingDidSoForLonger() {
    Chronicle of;
    of.granted(0, "a", 1);
    of.believed(0, "a", 1);
    of.tell(7000, EventKind::kExpired, "a", 1);
    of.granted(7500, "b", 2);
    of.believed(7600, "b", 2);
    of.ceased(8000, "a");
    QCOMPARE(told(margin(of.finish(9000), IncidentKind::kBeliefOverlap)), std::string("belief 7000 8000 -1000"));
  }
  void whoWasToldLateIsMeasuredByTheAnswer() {
    Chronicle of;
    of.granted(0, "a", 1);
    of.tell(7000, EventKind::kExpired, "a", 1);
    of.granted(8000, "b", 2);
    of.believed(8100, "b", 2);
    of.believed(9000, "a", 1);
    of.ceased(9500, "a");
    QCOMPARE(told(margin(of.finish(10000), IncidentKind::kBeliefOverlap)), std::string("answer 7000 9000 -2000"));
  }
  void aReleaseBeforeTheApplicationStoppedIsMeasuredByIt() {
    Chronicle of;
    of.granted(0, "a", 1);
    of.believed(0, "a", 1);
    of.tell(3000, EventKind::kReleased, "a", 1);
    of.granted(3100, "b", 2);
    of.believed(3200, "b", 2);
    of.ceased(4000, "a");
    QCOMPARE(told(margin(of.finish(5000), IncidentKind::kBeliefOverlap)), std::string("release 3000 4000 -1000"));
  }
  void aRenewalIsMeasuredFromTheEndOfTheLease() {
    Chronicle of;
    of.granted(0, "a", 1);
    of.tell(7000, EventKind::kExpired, "a", 1);
    of.tell(7400, EventKind::kAttempt, "a", 0, 0, static_cast<std::int64_t>(RequestKind::kGuard),
            static_cast<std::uint8_t>(AttemptResult::kLost));
    QCOMPARE(told(margin(of.finish(8000), IncidentKind::kLateRenewal)), std::string("renewal 7000 7400 -400"));
  }
  void aStaleWriteIsMeasuredFromTheEndOfTheLease() {
    Chronicle of;
    of.granted(0, "a", 1);
    of.tell(7000, EventKind::kExpired, "a", 1);
    of.granted(8000, "b", 2);
    of.tell(9000, EventKind::kWriteRejected, "a", 1, of.handle("ledger"), 2);
    of.tell(9500, EventKind::kWriteStaleAccepted, "a", 1, of.handle("other"), 2);
    const History& history = of.finish(10000);
    const Margin rejected = margin(history, IncidentKind::kStaleWriteRejected);
    QCOMPARE(told(rejected), std::string("write 7000 9000 -2000"));
    QVERIFY2(says(rejected, "Only the fence refused it"), rejected.words.c_str());
    const Margin accepted = margin(history, IncidentKind::kStaleWriteAccepted);
    QCOMPARE(told(accepted), std::string("write 7000 9500 -2500"));
    QVERIFY2(says(accepted, "A fence would have refused it"), accepted.words.c_str());
  }
  void whoStepsDownIsMeasuredByWhatDisturbedIt() {
    Chronicle of;
    of.granted(0, "a", 1);
    of.believed(0, "a", 1);
    of.disturbed(3000, 13000, "a", kCut, true);
    of.ceased(6900, "a", DisbeliefReason::kWatchdog);
    of.disturbed(3000, 13000, "a", kCut, false);
    const Margin found = margin(of.finish(14000), IncidentKind::kSteppedDown);
    QCOMPARE(told(found), std::string("cut 3900 10000 -6100"));
    QVERIFY2(says(found, "3.900 s left until it stepped down"), found.words.c_str());
  }
  // A waiter meant to wake 1.5 s after the lease had ended; its first call failed, and it was granted 8 s after it.
  void aGapIsMeasuredAgainstTheSleepOfWhoeverWokeFirst() {
    Chronicle of;
    of.granted(0, "a", 1);
    of.tell(1000, EventKind::kWakeupPlanned, "b", 0, Duration(7500ms).count(), Duration(500ms).count());
    of.tell(7000, EventKind::kExpired, "a", 1);
    of.tell(10000, EventKind::kAttempt, "b", 0, 0, static_cast<std::int64_t>(RequestKind::kAcquire),
            static_cast<std::uint8_t>(AttemptResult::kFailed));
    of.granted(15000, "b", 2);
    QCOMPARE(told(margin(of.finish(16000), IncidentKind::kLeaderless)), std::string("wake_up 1500 8000 -6500"));
  }
  void aGapThatNobodyPlannedToEndHasNoMargin() {
    Chronicle of;
    of.granted(0, "a", 1);
    of.tell(7000, EventKind::kExpired, "a", 1);
    of.granted(15000, "b", 2);
    const Margin found = margin(of.finish(16000), IncidentKind::kLeaderless);
    QVERIFY(!found.known());
    QVERIFY2(says(found, "meant to wake"), found.words.c_str());
  }
  void aHandOverIsMeasuredAgainstWhatItMayTake() {
    Chronicle of;
    of.granted(0, "a", 1);
    of.tell(3000, EventKind::kReleased, "a", 1);
    of.granted(3500, "b", 2);
    QCOMPARE(told(margin(of.finish(4000), IncidentKind::kLateHandover)), std::string("hand_over 260 500 -240"));
  }
  void anOwnerThatDoesNotKnowIsMeasuredAgainstACall() {
    Chronicle of;
    of.granted(0, "a", 1);
    of.tell(5000, EventKind::kReleased, "a", 1);
    QCOMPARE(told(margin(of.finish(6000), IncidentKind::kUnknownOwner)), std::string("unaware 2000 5000 -3000"));
  }
  void whereTheHistoryDoesNotTellItSaysWhichFactIsMissing() {
    Chronicle of;
    of.believed(1000, "a", 1);
    of.believed(3000, "b", 2);
    of.ceased(4500, "a");
    const Margin found = margin(of.finish(5000), IncidentKind::kBeliefOverlap);
    QVERIFY(!found.known());
    QVERIFY2(says(found, "when one of the two was granted the mutex is not told"), found.words.c_str());
    Chronicle fallen;
    fallen.granted(0, "a", 5);
    fallen.tell(1000, EventKind::kReleased, "a", 5);
    fallen.granted(1001, "b", 5);
    const Margin fence = margin(fallen.finish(2000), IncidentKind::kFenceRegression);
    QVERIFY(!fence.known());
    QVERIFY2(says(fence, "no length of time"), fence.words.c_str());
  }
  void aLockThatLastsAsLongAsASessionHasNoLeaseToBeLonger() {
    Chronicle of;
    of.tell(0, EventKind::kGranted, "a", 1, kNoDeadline);
    of.tell(3000, EventKind::kExpired, "a", 1);
    of.granted(4000, "b", 2);
    of.tell(5000, EventKind::kWriteRejected, "a", 1, of.handle("ledger"), 2);
    const Margin found = margin(of.finish(6000), IncidentKind::kStaleWriteRejected);
    QVERIFY(!found.known());
    QVERIFY2(says(found, "as long as a session lasts"), found.words.c_str());
  }
  // Whoever folds a run as it goes, and keeps no event of it, comes to the same.
  void whatIsFoldedAsItGoesSaysTheSame() {
    Chronicle of;
    const History& history = outlived(of, kPause);
    QVERIFY(!history.incidents.empty());
    Figures figures;
    for (Sequence last = 1; last <= history.last(); ++last) figures.append(history, last);
    for (const Incident& incident : history.incidents) {
      const Margin folded = margin_of(figures.facts(), history.names, history.legend, incident);
      QCOMPARE(folded.words, margin_of(history, incident).words);
      QCOMPARE(told(folded), told(margin_of(history, incident)));
    }
  }
};

LEASESCOPE_SUITE(MarginTest)
#include "margin_test.moc"
