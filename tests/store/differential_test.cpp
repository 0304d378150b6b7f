#include <fmt/format.h>

#include "simulator/live/descriptor_limit.h"
#include "tests/store/lease_duel.h"
#include "tests/store/node_duel.h"
#include "tests/support/stores.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

// At once: of few so many that one batch suffers a restart, of many more, for they wait together.
std::uint64_t batch_of(std::uint64_t wanted) { return wanted <= 1000 ? 500 : 1000; }

struct Tally {
  std::uint64_t agreed = 0, again = 0, calls = 0, batches = 0, restarts = 0;
};

// The first that differs, at its shortest; empty: none did. Those whose calls came too close to the end of a lease are
// played again.
template <class Duel, class Draw>
std::string played(Duel& duel, std::uint64_t first, std::uint64_t wanted, Draw draw, Tally& tally) {
  using Sequence = decltype(draw(first));
  const std::uint64_t most = batch_of(wanted);
  std::vector<Sequence> batch;
  for (std::uint64_t next = first; tally.agreed < wanted; ++tally.batches) {
    while (batch.size() < std::min(most, wanted - tally.agreed)) batch.push_back(draw(next++));
    const bool restarts = tally.batches % 8 == 1;
    tally.restarts += restarts;
    const std::vector<DuelVerdict> verdicts = duel.play(batch, restarts);
    std::vector<Sequence> again;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      tally.calls += verdicts[i].calls;
      if (verdicts[i].kind == DuelVerdict::Kind::kTooLate) again.push_back(batch[i]);
      if (verdicts[i].kind == DuelVerdict::Kind::kAgreed) ++tally.agreed;
      if (verdicts[i].kind != DuelVerdict::Kind::kDiffered) continue;
      const Sequence shortest = duel.shrunk(batch[i], restarts);
      const DuelVerdict shown = duel.play({shortest}, restarts).front();
      return fmt::format("seed {}, {} sequences before it agreed:\n{}at its shortest:\n{}", batch[i].seed, tally.agreed,
                         verdicts[i].trace, shown.trace);
    }
    tally.again += again.size();
    if (tally.again > wanted / 2 + most) return "the machine is too slow: calls come too close to the leases' ends";
    batch = std::move(again);
  }
  return {};
}

}  // namespace

// Random sequences of calls get the same replies of a model and of its live server; tests/differential_campaign plays
// more of them.
class DifferentialTest : public QObject {
  Q_OBJECT

 private slots:
  void everySequenceOfLeaseCallsIsAnsweredAlike_data() {
    QTest::addColumn<QString>("store");
    QTest::addColumn<bool>("remembers");
    for (const StoreType* type : lease_stores()) {
      QTest::newRow(type->name().data()) << QString::fromUtf8(type->name().data()) << true;
      if (!type->rows)
        QTest::addRow("%s that forgets", type->name().data()) << QString::fromUtf8(type->name().data()) << false;
    }
  }
  void everySequenceOfLeaseCallsIsAnsweredAlike() {
    QFETCH(QString, store);
    QFETCH(bool, remembers);
    LeaseDuel duel(*find_store_type(store.toStdString()), remembers);
    const auto started = duel.start();
    QVERIFY2(started, started ? "" : started.error().c_str());
    play(duel, lease_sequence);
  }

  void everySequenceOfCallsOfNodesIsAnsweredAlike_data() {
    QTest::addColumn<bool>("of no use");
    for (const StoreType* type : store_types())
      if (type->carries(Family::kNodes)) QTest::newRow(type->name().data()) << true;
  }
  void everySequenceOfCallsOfNodesIsAnsweredAlike() {
    const auto descriptors = allow_descriptors_for(5 * batch_of(sequences_wanted()), false);
    QVERIFY2(descriptors, descriptors ? "" : descriptors.error().c_str());
    NodeDuel duel(this_store());
    const auto started = duel.start();
    QVERIFY2(started, started ? "" : started.error().c_str());
    play(duel, node_sequence);
  }

 private:
  template <class Duel, class Draw>
  void play(Duel& duel, Draw draw) {
    Tally tally;
    const std::string differed = played(duel, first_seed(), sequences_wanted(), draw, tally);
    if (!differed.empty()) qWarning("%s", differed.c_str());  // whole: a failure's words are cut
    QVERIFY2(differed.empty(), "a model and its server differ");
    qInfo("%llu sequences from seed %llu, %llu calls, %llu restarts, %llu played again",
          static_cast<unsigned long long>(tally.agreed), static_cast<unsigned long long>(first_seed()),
          static_cast<unsigned long long>(tally.calls), static_cast<unsigned long long>(tally.restarts),
          static_cast<unsigned long long>(tally.again));
    QVERIFY(tally.restarts > 0 && tally.calls > 5 * tally.agreed);
  }
};

LEASESCOPE_SUITE(DifferentialTest)
#include "differential_test.moc"
