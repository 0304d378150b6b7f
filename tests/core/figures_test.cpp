// What a run came to for each contender, folded from its events (T).
#include "core/history/figures.h"

#include "core/base/random_stream.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace std::chrono_literals;

class FiguresTest : public QObject {
  Q_OBJECT
 private slots:
  void aReleaseToAnothersGrantIsAHandOffAndAnExpiryIsAGap() {
    History history;
    const Name mutex = history.names.intern("m"), a = history.names.intern("a"), b = history.names.intern("b");
    Figures figures;
    const auto add = [&](Duration at, EventKind kind, Name node, std::uint8_t detail = 0) {
      Event event;
      event.lo = event.hi = TrueTime{} + at;
      event.kind = kind;
      event.detail = detail;
      event.node = node;
      event.mutex = mutex;
      history.events.push_back(event);
      figures.append(history);
      history.forgotten += static_cast<Sequence>(history.events.size());  // as `run` does
      history.events.clear();
    };
    add(1s, EventKind::kGranted, a);
    add(1s, EventKind::kBelieved, a);
    add(2s, EventKind::kRenewed, a);
    add(3s, EventKind::kDisbelieved, a);
    add(3s, EventKind::kReleased, a);
    add(3100ms, EventKind::kGranted, b);
    add(3200ms, EventKind::kBelieved, b);
    add(5s, EventKind::kExpired, b);
    add(7s, EventKind::kGranted, a);
    add(7s, EventKind::kGranted, b, static_cast<std::uint8_t>(GrantKind::kRestored));
    history.now = TrueTime{} + 8s;
    QCOMPARE(figures.handoffs().count, std::uint64_t{1});
    QCOMPARE(figures.handoffs().p50, Duration(100ms));
    QCOMPARE(figures.gaps().count, std::uint64_t{2});
    QCOMPARE(figures.gaps().longest, Duration(2s));
    const auto contenders = figures.contenders(history);
    QCOMPARE(contenders.size(), std::size_t{2});
    QCOMPARE(contenders.at("a").acquisitions, std::uint64_t{2});
    QCOMPARE(contenders.at("b").acquisitions, std::uint64_t{1});  // what came back was none
    QCOMPARE(contenders.at("a").renewals, std::uint64_t{1});
    QCOMPARE(contenders.at("a").believed, Duration(2s));
    QCOMPARE(contenders.at("b").believed, Duration(4800ms));  // it still does
  }
  void whoStealsItOrReadsHasAcquiredItAndWhoGetsItBackHasNot() {
    History history;
    Figures figures;
    Event granted;
    granted.kind = EventKind::kGranted;
    granted.node = history.names.intern("a");
    granted.mutex = history.names.intern("m");
    for (const auto how :
         {GrantKind::kAsked, GrantKind::kStolen, GrantKind::kShared, GrantKind::kRestored, GrantKind::kStolenAgain}) {
      granted.detail = static_cast<std::uint8_t>(how);
      history.events.push_back(granted);
    }
    figures.append(history);
    QCOMPARE(figures.contenders(history).at("a").acquisitions, std::uint64_t{3});
  }
  void aPercentileIsOneOfTheLengths() {
    std::vector<Duration> lengths;
    for (int i = 1; i <= 200; ++i) lengths.push_back(i * 1ms);
    const Percentiles of = percentiles_of(lengths);
    QCOMPARE(of.p50, Duration(100ms));
    QCOMPARE(of.p95, Duration(190ms));
    QCOMPARE(of.p99, Duration(198ms));
    QCOMPARE(of.longest, Duration(200ms));
    QCOMPARE(percentiles_of({3ms}).p50, Duration(3ms));
    QCOMPARE(percentiles_of({}).count, std::uint64_t{0});
  }
  void percentilesAreThoseOfTheLengthsInOrder() {
    RandomStream draws(7, "figures", "lengths");
    for (std::size_t count = 1; count <= 500; ++count) {
      std::vector<Duration> lengths(count);
      for (Duration& each : lengths) each = Duration(static_cast<std::int64_t>(draws.below(100)));
      const Percentiles of = percentiles_of(lengths);
      std::sort(lengths.begin(), lengths.end());
      const auto at = [&](std::size_t percent) { return lengths[(count * percent + 99) / 100 - 1]; };
      QCOMPARE(of.p50, at(50));
      QCOMPARE(of.p95, at(95));
      QCOMPARE(of.p99, at(99));
      QCOMPARE(of.longest, lengths.back());
    }
  }
};

LEASESCOPE_SUITE(FiguresTest)
#include "figures_test.moc"
