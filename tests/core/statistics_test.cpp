// What is measured of a history: lengths, rates and courses, folded as it grows.
#include "core/history/measures/statistics.h"

#include "core/base/random_stream.h"
#include "core/history/figures.h"
#include "core/store/port.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace std::chrono_literals;

namespace {

const Measure& named(const Statistics& measures, std::string_view name) {
  for (const auto& each : measures.all())
    if (each->name() == name) return *each;
  qFatal("no such measure");
}
const Lengths& lengths(const Statistics& measures, std::string_view name) {
  return std::get<Lengths>(named(measures, name).measured());
}

// Two contenders and a mutex, and what is told of them.
struct Tale {
  History history;
  Name mutex = history.names.intern("m"), a = history.names.intern("a"), b = history.names.intern("b");

  Event& tell(Duration at, EventKind kind, Name node) {
    Event event;
    event.lo = event.hi = TrueTime{} + at;
    event.kind = kind;
    event.node = node;
    event.mutex = mutex;
    history.events.push_back(event);
    history.now = event.hi;
    return history.events.back();
  }
  void attempt(Duration at, Name who, AttemptResult result) {
    Event& event = tell(at, EventKind::kAttempt, who);
    event.detail = static_cast<std::uint8_t>(result);
    event.b = static_cast<std::int64_t>(RequestKind::kAcquire);
  }
  void lease(Duration at, EventKind kind, Name who, Duration length) { tell(at, kind, who).a = length.count(); }
  Statistics measured() const {
    Statistics out(history.legend);
    out.append(history);
    return out;
  }
};

// A grant, a renewal, a hand-off and a lease that ran out, as in spec of the default behaviour.
Tale some_leases() {
  Tale tale;
  tale.tell(0s, EventKind::kStarted, tale.a);
  tale.tell(0s, EventKind::kStarted, tale.b);
  tale.lease(1s, EventKind::kGranted, tale.a, 10s);
  tale.attempt(1s, tale.a, AttemptResult::kWon);
  tale.attempt(1100ms, tale.b, AttemptResult::kLost);
  Event& planned = tale.tell(1100ms, EventKind::kWakeupPlanned, tale.b);  // the lease ends at 11 s
  planned.a = Duration(10'200ms).count();
  planned.b = Duration(300ms).count();
  tale.lease(4s, EventKind::kRenewed, tale.a, 10s);
  tale.tell(5s, EventKind::kReleased, tale.a);
  tale.lease(5250ms, EventKind::kGranted, tale.b, 10s);
  tale.attempt(5300ms, tale.b, AttemptResult::kWon);
  tale.tell(15s, EventKind::kExpired, tale.b);
  tale.lease(17s, EventKind::kGranted, tale.b, 10s);
  tale.attempt(17s, tale.b, AttemptResult::kUnknown);
  return tale;
}

}  // namespace

class StatisticsTest : public QObject {
  Q_OBJECT
 private slots:
  void aHandOffFollowsAReleaseAndAGapWhateverEndedIt() {
    const Statistics of = some_leases().measured();
    QCOMPARE(lengths(of, "hand-off").values(), std::vector<Duration>{250ms});
    QCOMPARE(lengths(of, "gap").values(), (std::vector<Duration>{250ms, 2s}));
    QCOMPARE(lengths(of, "gap").known(1), TrueTime{} + 17s);
  }
  void aRenewalIsAsFarFromTheEndAsTheLeaseHadLeft() {
    QCOMPARE(lengths(some_leases().measured(), "renewal").values(), std::vector<Duration>{7s});
  }
  void aWakeUpIsMeasuredFromTheEndThatWasTold() {
    // Told of 11 s, woken by the release: 5.7 s before.
    QCOMPARE(lengths(some_leases().measured(), "wake-ups").values(), std::vector<Duration>{-5700ms});
  }
  void whoStopsInItsSleepDoesNotWakeFromIt() {
    Tale tale;
    Event& planned = tale.tell(1s, EventKind::kWakeupPlanned, tale.a);
    planned.a = Duration(1s).count();
    tale.tell(1500ms, EventKind::kStopped, tale.a);
    tale.tell(9s, EventKind::kStarted, tale.a);
    tale.attempt(9s, tale.a, AttemptResult::kWon);
    QCOMPARE(lengths(tale.measured(), "wake-ups").count(), std::uint64_t{0});
  }
  void requestsAreCountedAndThoseWithoutAnAnswerApart() {
    const Statistics of = some_leases().measured();
    const Rate& rate = std::get<Rate>(named(of, "requests").measured());
    QCOMPARE(rate.count(), std::uint64_t{4});
    QCOMPARE(rate.bad(), std::uint64_t{1});
    QCOMPARE(rate.stretches()[170].bad, std::uint64_t{1});  // of 100 ms
  }
  void aClockIsOffByItsStepsAndByItsRate() {
    Tale tale;
    tale.tell(1s, EventKind::kClockChanged, tale.a).a = Duration(2s).count();
    tale.tell(10s, EventKind::kClockChanged, tale.a).b = 100'000;
    tale.tell(20s, EventKind::kClockChanged, tale.a).b = -100'000;
    tale.tell(20s, EventKind::kClockChanged, tale.b).a = -Duration(1ms).count();
    const Statistics of = tale.measured();
    const auto& courses = std::get<Courses>(named(of, "clocks").measured());
    QCOMPARE(courses.size(), std::size_t{2});
    const OffsetCourse& a = courses.front();
    QVERIFY(a.who == tale.a);
    for (const auto& [at, off] : {std::pair<Duration, Duration>{500ms, 0s}, {1s, 2s}, {15s, 2500ms}, {60s, 3s}})
      QCOMPARE(a.off(TrueTime{} + at), off);
    QCOMPARE(courses.back().off(TrueTime{} + 21s), -Duration(1ms));
  }
  void piecesComeToTheSameAsTheWhole() {
    const Tale tale = some_leases();
    Statistics whole = tale.measured(), pieces(tale.history.legend);
    int calls = 1;
    while (!pieces.append(tale.history, 2)) ++calls;
    QCOMPARE(calls, 7);
    for (const char* name : {"hand-off", "gap", "renewal", "wake-ups"})
      QCOMPARE(lengths(pieces, name).values(), lengths(whole, name).values());
  }
  void ofVeryManyLengthsSomeAreKeptFromBeginToEnd() {
    Lengths of;
    constexpr int kAll = 1'000'000;
    for (int i = 0; i < kAll; ++i) of.add(Duration(i == 777'777 ? 1h : 1ms), TrueTime{} + i * 1us);
    QCOMPARE(of.count(), std::uint64_t{kAll});
    QCOMPARE(of.longest(), Duration(1h));
    QVERIFY(of.kept() > Lengths::kMost / 2 && of.kept() <= Lengths::kMost);
    for (std::size_t i = 2; i < of.kept(); ++i)
      QCOMPARE(of.known(i) - of.known(i - 1), of.known(1) - of.known(0));  // as far apart everywhere
  }
  void theNextOfALengthIsFoundAndAfterTheLastTheFirst() {
    Lengths of;
    for (int i = 1; i <= 4; ++i) of.add(i % 2 == 0 ? 20ms : 10ms, TrueTime{} + i * 1s);
    QVERIFY(of.next_within(15ms, 25ms, TrueTime::min()) == TrueTime{} + 2s);
    QVERIFY(of.next_within(15ms, 25ms, TrueTime{} + 2s) == TrueTime{} + 4s);
    QVERIFY(of.next_within(15ms, 25ms, TrueTime{} + 4s) == TrueTime{} + 2s);
    QVERIFY(!of.next_within(30ms, 40ms, TrueTime::min()));
  }
  void aRateOfADayKeepsItsCountInFewStretches() {
    Rate of;
    for (int i = 0; i < 86'400; ++i) of.add(TrueTime{} + i * 1s, i % 100 == 0);
    QVERIFY(of.stretches().size() <= Rate::kMost);
    Rate::Stretch sum;
    for (const Rate::Stretch& each : of.stretches()) {
      sum.all += each.all;
      sum.bad += each.bad;
    }
    QCOMPARE(sum.all, std::uint64_t{86'400});
    QCOMPARE(sum.bad, std::uint64_t{864});
    QCOMPARE(of.count(), std::uint64_t{86'400});
  }
};

LEASESCOPE_SUITE(StatisticsTest)
#include "statistics_test.moc"
