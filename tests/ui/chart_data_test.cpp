#include "ui/timeline/paint/chart_data.h"

#include <set>

#include "tests/support/suite.h"
#include "tests/ui/gc_pause_history.h"
#include "ui/models/cast.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

ChartData folded(const History& history) {
  ChartData data;
  data.reset(gc_pause_facts());
  data.append(history);
  return data;
}

bool same(const SpanTrack& a, const SpanTrack& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const LeaseSpan& x, const LeaseSpan& y) {
    return x.start.lo == y.start.lo && x.end.hi == y.end.hi && x.token == y.token && x.ending == y.ending &&
           x.ttl_end == y.ttl_end && x.lease_end == y.lease_end;
  });
}

}  // namespace

class ChartDataTest : public QObject {
  Q_OBJECT
 private slots:
  // Whoever appends after another way was taken has other incidents in the same places.
  void anIncidentThatIsAnotherNowIsFoundAsThatAlone() {
    HistoryWriter w = gc_pause_history();
    Incident incident;
    incident.kind = IncidentKind::kBeliefOverlap;
    incident.start = at_ms(17'000);
    incident.end = at_ms(20'000);
    incident.mutex = w.mutex;
    incident.contenders = {w.a, w.b};
    w.history.incidents = {};
    w.history.incidents.push_back(incident);
    ChartData data = folded(w.history);
    const IncidentTracks& found = data.incidents_in_time();
    QCOMPARE(found.of_contender(IncidentKind::kBeliefOverlap, 0).size(), std::size_t{1});
    incident.kind = IncidentKind::kDoubleGrant;
    incident.start = at_ms(18'000);
    w.history.incidents = {};
    w.history.incidents.push_back(incident);
    w.history.now += Duration(1);
    QVERIFY(data.append(w.history));
    QCOMPARE(data.incidents().size(), std::size_t{1});
    QCOMPARE(found.of(IncidentKind::kBeliefOverlap).size(), std::size_t{0});
    QCOMPARE(found.of_contender(IncidentKind::kDoubleGrant, 0).size(), std::size_t{1});
    QCOMPARE(data.contenders()[0].incidents, 1U);
  }

  void theStoresLeasesFollowEachOther() {
    const HistoryWriter w = gc_pause_history();
    const ChartData data = folded(w.history);
    const SpanTrack& held = data.mutexes().front().held;
    QCOMPARE(held.front().contender, 0);
    QCOMPARE(held.front().ttl_end, at_ms(5001));
    QCOMPARE(held.front().ending, SpanEnd::kRenewed);
    QCOMPARE(held[2].ending, SpanEnd::kExpired);
    QCOMPARE(held[2].end.hi, at_ms(17000));
    QCOMPARE(held[3].token, Token{34});
    QVERIFY(!held[3].renewal && held[4].renewal);
    QCOMPARE(data.mutexes().front().gaps.front().begin.hi, at_ms(17000));
    QCOMPARE(data.mutexes().front().gaps.front().end.lo, at_ms(17189));
    QVERIFY(held.back().open());
  }

  void aBeliefOutlivesItsDeadlineUntilTheWatchdogIsHeard() {
    const HistoryWriter w = gc_pause_history();
    const ChartData data = folded(w.history);
    const LeaseSpan& last = data.contenders()[0].believed.back();
    QCOMPARE(last.start.hi, at_ms(10000));
    QCOMPARE(last.lease_end, at_ms(16990));  // the margin of the first belief is kept
    QCOMPARE(last.end.hi, at_ms(21000));
    QCOMPARE(last.ending, SpanEnd::kWatchdog);
  }

  void attemptsCarryTheJitterThatWokeThem() {
    const HistoryWriter w = gc_pause_history();
    const ChartData data = folded(w.history);
    const Column<AttemptMark>& attempts = data.contenders()[1].attempts;
    QCOMPARE(attempts.front().cause, AttemptCause::kStart);
    QCOMPARE(attempts[1].cause, AttemptCause::kTimer);
    QCOMPARE(attempts[1].jitter, Duration(ms(268)));
    const WakeWindow& window = data.contenders()[1].windows.front();
    QCOMPARE(window.lease_end, at_ms(7000));
    QCOMPARE(window.from, at_ms(6800));
    QCOMPARE(window.to, at_ms(8000));
  }

  void aNotificationOvertakesThePlannedWakeUp() {
    const HistoryWriter w = gc_pause_history();
    const ChartData data = folded(w.history);
    QCOMPARE(data.notifications().size(), std::size_t{2});
    QCOMPARE(data.notifications().front().source, 1);
    QCOMPARE(data.notifications().front().sent, at_ms(29000));
    QCOMPARE(data.contenders()[2].attempts.back().cause, AttemptCause::kNotified);
    QVERIFY(data.contenders()[2].windows.back().overtaken);
  }

  void aFaultLastsFromItsBeginToItsEnd() {
    const HistoryWriter w = gc_pause_history();
    const ChartData data = folded(w.history);
    const BandTrack& bands = data.contenders()[0].bands;
    QCOMPARE(bands.size(), std::size_t{1});
    QCOMPARE(bands.front().kind, BandKind::kPause);
    QCOMPARE(bands.front().begin, at_ms(12000));
    QCOMPARE(bands.front().end, at_ms(21000));
  }

  void bandsOfAKindAreAskedForByThemselves() {
    BandTrack bands;
    const auto put = [&](BandKind kind, int from, int to) {
      BandSpan band;
      band.kind = kind;
      band.begin = at_ms(from);
      band.end = at_ms(to);
      bands.push_back(band);
    };
    put(BandKind::kPause, 0, 10);
    put(BandKind::kUnobserved, 5, 8);
    put(BandKind::kPartition, 7, 9);
    put(BandKind::kUnobserved, 20, 30);
    put(BandKind::kUnobserved, 40, 50);
    using Places = std::vector<std::uint32_t>;
    QCOMPARE(bands.within(at_ms(6), at_ms(25), {}), (Places{0, 1, 2, 3}));
    QCOMPARE(bands.within(BandKind::kUnobserved, at_ms(6), at_ms(25), {}), (Places{1, 3}));
    QCOMPARE(bands.within(BandKind::kSkew, at_ms(6), at_ms(25), {}), Places{});
  }

  void foldingEventByEventGivesTheSame() {
    const HistoryWriter w = gc_pause_history();
    const ChartData whole = folded(w.history);
    ChartData stepped;
    stepped.reset(gc_pause_facts());
    History grown;
    grown.names = w.history.names;
    for (const Event& event : w.history.events) {
      grown.events.push_back(event);
      grown.now = event.hi;
      stepped.append(grown);
    }
    grown.incidents = w.history.incidents;
    QVERIFY(stepped.append(grown));
    QVERIFY(!stepped.append(grown));
    for (std::size_t i = 0; i < whole.contenders().size(); ++i) {
      QVERIFY(same(whole.contenders()[i].held, stepped.contenders()[i].held));
      QVERIFY(same(whole.contenders()[i].believed, stepped.contenders()[i].believed));
      QCOMPARE(whole.contenders()[i].attempts.size(), stepped.contenders()[i].attempts.size());
    }
    QCOMPARE(whole.moments(), stepped.moments());
    QCOMPARE(whole.resources().front().writes.size(), stepped.resources().front().writes.size());
  }

  void aResetForgetsEverything() {
    const HistoryWriter w = gc_pause_history();
    ChartData data = folded(w.history);
    const std::uint64_t before = data.revision();
    data.reset(gc_pause_facts());
    QVERIFY(data.revision() > before);
    QVERIFY(data.mutexes().front().held.empty());
    QVERIFY(data.incidents().empty());
    QCOMPARE(data.contenders().size(), std::size_t{3});
  }

  void aGrantWhileAnotherHoldsTakesOver() {
    HistoryWriter w;
    w.acquire(0, w.a, 1);
    w.acquire(3000, w.b, 2);
    const ChartData data = folded(w.history);
    const SpanTrack& held = data.mutexes().front().held;
    QCOMPARE(held.size(), std::size_t{2});
    QCOMPARE(held.front().ending, SpanEnd::kTakenOver);
    QCOMPARE(held.front().end.hi, at_ms(3000));
    QVERIFY(data.mutexes().front().gaps.empty());
  }

  void boundsOfALiveGrantAreKept() {
    HistoryWriter w;
    w.add(200, w.a, EventKind::kGranted, 1, ms(7000)).lo = at_ms(120);
    w.add(7300, w.a, EventKind::kExpired, 1).lo = at_ms(7120);
    const ChartData data = folded(w.history);
    const LeaseSpan& span = data.contenders()[0].held.front();
    QVERIFY(!span.start.exact() && !span.end.exact());
    QCOMPARE(span.start.lo, at_ms(120));
    QCOMPARE(span.end.lo, at_ms(7120));
  }

  // What the store did, not what it had promised: without an end it goes on.
  void aLeaseThatTheStoreHasNotEndedGoesOn() {
    HistoryWriter w;
    w.acquire(0, w.a, 1);
    w.history.now = at_ms(9000);
    ChartData data = folded(w.history);
    QCOMPARE(held_until(data, data.mutexes().front().held.back()), at_ms(9000));
    QVERIFY(data.mutexes().front().gaps.empty());
    w.add(21000, w.a, EventKind::kExpired, 1);
    data = folded(w.history);
    QCOMPARE(held_until(data, data.mutexes().front().held.back()), at_ms(21000));
    QCOMPARE(data.mutexes().front().gaps.back().begin.hi, at_ms(21000));
  }

  // Time in which the store did not answer is nobody's, neither held nor leaderless.
  void timeThatWasNotObservedIsNoGap() {
    HistoryWriter w;
    w.acquire(0, w.a, 1);
    w.add(7000, w.a, EventKind::kExpired, 1);
    w.add(8000, w.store, EventKind::kUnobservedBegan);
    w.add(20000, w.store, EventKind::kUnobservedEnded);
    w.acquire(21000, w.b, 2);
    const ChartData data = folded(w.history);
    const std::vector<GapSpan>& gaps = data.mutexes().front().gaps;
    QCOMPARE(gaps.size(), std::size_t{2});
    QCOMPARE(gaps[0].begin.hi, at_ms(7000));
    QCOMPARE(gaps[0].end.lo, at_ms(8000));
    QCOMPARE(gaps[1].begin.hi, at_ms(20000));
    QCOMPARE(gaps[1].end.lo, at_ms(21000));
    QCOMPARE(data.unobserved().size(), std::size_t{1});
  }

  // Of several stores the one that is not observed is named, where all of them have one row.
  void ofSeveralStoresTheOneThatIsNotObservedIsNamed() {
    HistoryWriter w;
    w.add(8000, w.history.names.intern("redis://b"), EventKind::kUnobservedBegan);
    RunFacts facts = gc_pause_facts();
    facts.legend.contenders.clear();
    for (const auto& [names, label] :
         {std::pair{"redis://b", "not observed"}, std::pair{"redis://a, redis://b", "redis://b: not observed"}}) {
      facts.store = names;
      ChartData data;
      data.reset(facts);
      data.append(w.history);
      QCOMPARE(data.unobserved()[0].label, std::string(label));
    }
  }

  // A store that is dead is not drawn as one that keeps a lease: what is not seen is nobody's until it is told.
  void aStoreThatDiedKeepsNothing() {
    HistoryWriter w;
    w.acquire(0, w.a, 1);
    w.add(7000, w.store, EventKind::kUnobservedBegan);
    w.history.now = at_ms(30000);
    ChartData data = folded(w.history);
    for (const auto* held : {&data.mutexes().front().held, &data.contenders()[0].held}) {
      QCOMPARE(held_until(data, held->back()), at_ms(7000));
      QCOMPARE(held->back().end.hi, at_ms(7000));
    }
    QVERIFY(data.mutexes().front().gaps.empty());
    QVERIFY(data.contenders()[0].believed.back().open());  // what it believes has nothing to do with it
    // It is back, and tells that the lease ran out meanwhile.
    w.add(40000, w.store, EventKind::kUnobservedEnded);
    w.add(9000, w.a, EventKind::kExpired, 1).lo = at_ms(7000);
    data = folded(w.history);
    QCOMPARE(data.mutexes().front().held.back().ending, SpanEnd::kExpired);
    QCOMPARE(data.mutexes().front().held.back().end.hi, at_ms(9000));
    QCOMPARE(data.contenders()[0].held.back().ending, SpanEnd::kExpired);
  }

  // ... or that the owner kept it all the time.
  void aLeaseThatWasKeptUnseenIsDrawnWhole() {
    HistoryWriter w;
    w.acquire(0, w.a, 1);
    w.add(7000, w.store, EventKind::kUnobservedBegan);
    w.add(9000, w.store, EventKind::kUnobservedEnded);
    w.add(9000, w.a, EventKind::kRenewed, 1, ms(7000));
    const ChartData data = folded(w.history);
    const SpanTrack& held = data.mutexes().front().held;
    QCOMPARE(held.size(), std::size_t{2});
    QCOMPARE(held[0].ending, SpanEnd::kRenewed);
    QVERIFY(held[1].renewal && held[1].open());
    QVERIFY(data.mutexes().front().gaps.empty());
  }

  // One cast for chart and tables, whoever a foreign contender is met by first.
  void aForeignContenderHasTheLetterOfTheTables() {
    HistoryWriter w;
    const Name early = w.history.names.intern("waits-elsewhere"), owner = w.history.names.intern("owns-elsewhere");
    w.add(5, early, EventKind::kNotification, kNoToken, static_cast<std::int64_t>(StoreEventKind::kReleased),
          owner.handle, static_cast<std::uint8_t>(NotificationStep::kReceived));
    w.acquire(10, owner, 9);
    w.add(20, early, EventKind::kGranted, 10, ms(7000));
    Cast cast;
    cast.reset(gc_pause_facts().legend.contenders);
    cast.sync(w.history);
    const ChartData data = folded(w.history);
    for (const Name name : {early, owner}) {
      const int place = cast.indexOf(w.history, name);
      QVERIFY(place >= 3);
      QCOMPARE(data.contenders()[static_cast<std::size_t>(place)].name, std::string(w.history.names.text(name)));
      QCOMPARE(data.letter(place), Cast::letter(place).toStdString());
    }
  }

  // No two contenders have one letter, however many there are.
  void lettersAreUniqueInEveryFleet() {
    std::set<QString> seen;
    for (int i = 0; i < 20'000; ++i) QVERIFY2(seen.insert(Cast::letter(i)).second, qPrintable(Cast::letter(i)));
    QCOMPARE(Cast::letter(685), QStringLiteral("ZZ"));
    QCOMPARE(Cast::letter(686), QStringLiteral("AAA"));
  }

  void aForeignOwnerGetsARowOfItsOwn() {
    HistoryWriter w;
    w.acquire(0, w.history.names.intern("elsewhere"), 9);
    const ChartData data = folded(w.history);
    QCOMPARE(data.contenders().size(), std::size_t{4});
    QVERIFY(data.contenders().back().foreign);
    QCOMPARE(data.letter(3), std::string("D"));
  }

  void fromTheEleventhOnLettersComeInPairs() {
    const ChartData data;
    QCOMPARE(data.letter(0), std::string("A"));
    QCOMPARE(data.letter(9), std::string("J"));
    QCOMPARE(data.letter(10), std::string("AA"));
    QCOMPARE(data.letter(11), std::string("AB"));
    QCOMPARE(data.hue(10), 0);
    QCOMPARE(data.hue(23), 3);
  }
};

LEASESCOPE_SUITE(ChartDataTest)
#include "chart_data_test.moc"
