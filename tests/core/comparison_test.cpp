// Two histories side by side: what is the same in both, what moved, what only one has (T).
#include "core/history/comparison.h"

#include "tests/support/suite.h"

using namespace leasescope;
using namespace std::chrono_literals;

namespace {

// A history by hand, in which names are met in an order of its own.
class Told {
 public:
  explicit Told(const std::vector<const char*>& names) {
    for (const char* name : names) history.names.intern(name);
  }
  Told& at(Duration when, EventKind kind, const char* who, Token token = kNoToken, Duration unsure = {}) {
    Event event;
    event.hi = TrueTime{} + when;
    event.lo = event.hi - unsure;
    event.kind = kind;
    event.node = history.names.intern(who);
    event.mutex = history.names.intern("m");
    event.token = token;
    history.events.push_back(event);
    history.now = std::max(history.now, event.hi);
    return *this;
  }

  History history;
};

Told first() {
  Told told({"a", "b"});
  told.at(1s, EventKind::kGranted, "a", 1).at(2s, EventKind::kRenewed, "a", 1).at(4s, EventKind::kReleased, "a", 1);
  return told.at(5s, EventKind::kGranted, "b", 2).at(9s, EventKind::kExpired, "b", 2);
}

std::string told(const ComparedEvent& event) {
  return event.who + " " + std::string(text(event.kind)) + (event.a ? " a" : "") + (event.b ? " b" : "");
}

}  // namespace

class ComparisonTest : public QObject {
  Q_OBJECT
 private slots:
  void aHistoryIsTheSameAsItself() {
    const Told a = first();
    const ComparedHistories found = compare(a.history, a.history);
    QVERIFY(found.same());
    QVERIFY(found.first_difference() == nullptr);
    QCOMPARE(found.events.size(), std::size_t{4});  // a renewal is none of them
    for (const ComparedEvent& event : found.events) QCOMPARE(event.later(), Duration{});
  }

  void namesAreComparedByWhatTheySay() {
    const Told a = first();
    Told b({"x", "m", "b", "a"});  // other handles
    for (const Event& event : a.history.events)
      b.at(event.hi - TrueTime{}, event.kind, std::string(a.history.names.text(event.node)).c_str(), event.token);
    QVERIFY(compare(a.history, b.history).same());
  }

  void whatMovedIsToldWithHowMuchLaterItHappened() {
    const Told a = first();
    Told b = first();
    b.history.events[3].lo = b.history.events[3].hi = TrueTime{} + 5200ms;
    const ComparedHistories found = compare(a.history, b.history);
    QCOMPARE(found.moved, std::size_t{1});
    QCOMPARE(found.only_a + found.only_b, std::size_t{0});
    QVERIFY(found.first_difference() != nullptr);
    QCOMPARE(told(*found.first_difference()), std::string("b granted a b"));
    QCOMPARE(found.first_difference()->later(), Duration(200ms));
  }

  void theLongestGapIsToldWithWhereItEndsInEither() {
    const Told a = first();
    Told b = first();
    b.history.events[3].lo = b.history.events[3].hi = TrueTime{} + 5200ms;
    const ComparedHistories found = compare(a.history, b.history);
    for (const ComparedLength& length : found.lengths) {
      if (length.name != "gap, longest") continue;
      QCOMPARE(length.a, Duration(1s));
      QCOMPARE(length.b, Duration(1200ms));
      QVERIFY(length.at.a == TrueTime{} + 5s && length.at.b == TrueTime{} + 5200ms);
      return;
    }
    QFAIL("no gap is told");
  }

  // A live store's answers are timed by their bounds; in virtual time the model says how long they take.
  void howLongTheStoreTakesIsMeasuredLiveAndTheModelsElse() {
    Told a = first(), b({"a", "b"});
    a.history.legend.store.round_trip = 1ms;
    b.at(1s, EventKind::kGranted, "a", 1).at(2s, EventKind::kRenewed, "a", 1, 4ms).at(3s, EventKind::kAttempt, "b");
    b.history.now = a.history.now;
    const ComparedHistories found = compare(a.history, b.history);
    QCOMPARE(found.lengths.back().name, std::string_view("store round trip, median"));
    QCOMPARE(found.lengths.back().a, Duration(1ms));
    QCOMPARE(found.lengths.back().b, Duration(4ms));
    QVERIFY(!found.lengths.back().at.a && found.lengths.back().at.b == TrueTime{} + 2s);
    QCOMPARE(found.rates.size(), std::size_t{1});
    QCOMPARE(found.rates.front().a, std::uint64_t{0});
    QCOMPARE(found.rates.front().b, std::uint64_t{111});  // one in nine seconds
  }

  // What a live store did is known within bounds: where they meet, nothing contradicts.
  void withinItsBoundsALiveEventIsNoDifference() {
    const Told a = first();
    Told b = first();
    b.history.events[3].hi = TrueTime{} + 5200ms;
    b.history.events[3].lo = TrueTime{} + 4900ms;
    QVERIFY(compare(a.history, b.history).same());
    b.history.events[3].lo = TrueTime{} + 5001ms;
    QCOMPARE(compare(a.history, b.history).moved, std::size_t{1});
  }

  void anotherOwnerOfATermIsInOneOfThemOnly() {
    const Told a = first();
    Told b({"a", "b"});
    b.at(1s, EventKind::kGranted, "a", 1).at(4s, EventKind::kReleased, "a", 1);
    b.at(5s, EventKind::kGranted, "c", 2).at(9s, EventKind::kExpired, "c", 2);
    const ComparedHistories found = compare(a.history, b.history);
    QCOMPARE(found.only_a, std::size_t{2});
    QCOMPARE(found.only_b, std::size_t{2});
    std::vector<std::string> all;
    for (const ComparedEvent& event : found.events) all.push_back(told(event));
    const std::vector<std::string> expected{"a granted a b", "a released a b", "b granted a",
                                            "c granted b",   "b expired a",    "c expired b"};
    QCOMPARE(all, expected);
  }

  // The n-th of its like is compared with the n-th.
  void whatHappensAgainAndAgainIsComparedOneByOne() {
    Told a({}), b({});
    for (const Duration at : {1s, 3s, 5s}) a.at(at, EventKind::kBelieved, "a", 7);
    for (const Duration at : {1s, 3s}) b.at(at + 100ms, EventKind::kBelieved, "a", 7);
    b.history.now = TrueTime{} + 6s;
    const ComparedHistories found = compare(a.history, b.history);
    QCOMPARE(found.moved, std::size_t{2});
    QCOMPARE(found.only_a, std::size_t{1});
    QCOMPARE(found.events[1].later(), Duration(100ms));
    QVERIFY(!found.events[2].b);
  }

  // Of what one of them did not live to see nothing can be said.
  void theShorterOneEndsTheComparison() {
    const Told a = first();
    Told b = first();
    b.history.events.pop_back();
    b.history.now = TrueTime{} + 8s;
    QVERIFY(compare(a.history, b.history).same());
    QCOMPARE(compare(a.history, b.history, TrueTime{} + 9s).only_a, std::size_t{1});
  }

  void countsThatAreNoughtInBothAreLeftOut() {
    Told a = first(), b = first();
    a.history.summary.handoffs = 3;
    b.history.summary.incidents[static_cast<std::size_t>(IncidentKind::kDoubleGrant)] = 1;
    const ComparedHistories found = compare(a.history, b.history);
    QCOMPARE(found.counts.size(), std::size_t{2});
    QCOMPARE(std::string(found.counts[0].name), std::string("handoffs"));
    QCOMPARE(found.counts[0].a, std::uint64_t{3});
    QCOMPARE(found.counts[1].name, std::string("incidents: double_grant"));
    QCOMPARE(found.counts[1].b, std::uint64_t{1});
    QCOMPARE(std::string(found.lengths.front().name), std::string("hand-off, median"));
    QCOMPARE(found.lengths.front().b, Duration(1s));
  }
};

LEASESCOPE_SUITE(ComparisonTest)
#include "comparison_test.moc"
