// What a margin says would have kept an incident away does, when it is set and run again.
#include "core/history/figures.h"
#include "core/history/margin.h"
#include "core/time/duration_text.h"
#include "tests/engine/runs.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

// Its times in seconds: those that are written in leases would move with the lease.
Scenario one_pause(std::uint64_t seed, const std::vector<std::string>& sets = {}) {
  std::vector<std::string> all{"fault.0.at=11900ms", "fault.0.duration=9s", "duration=60s", "fault.1.at=29050ms"};
  all.insert(all.end(), sets.begin(), sets.end());
  Scenario out = scenario("gc-pause", all);
  out.seed = seed;
  return out;
}

std::vector<Margin> overlaps(const VirtualRun& run) {
  std::vector<Margin> out;
  for (const Incident& incident : run.history().incidents)
    if (incident.kind == IncidentKind::kBeliefOverlap) out.push_back(margin_of(run.history(), incident));
  return out;
}

std::string in_ms(Duration of) { return format_duration(of / 1ms * 1ms); }

}  // namespace

class MarginsTest : public QObject {
  Q_OBJECT
 private slots:
  // Longer in its transition: the owner renews a ttl after the last time, and did so when it paused.
  void aLeaseThatIsLongerByTheMarginOutlastsThePause() {
    for (std::uint64_t seed = 7; seed < 12; ++seed) {
      const auto run = finished(one_pause(seed));
      const std::vector<Margin> had = overlaps(*run);
      QCOMPARE(had.size(), std::size_t{1});
      QCOMPARE(had.front().measure, MarginMeasure::kPause);
      QVERIFY2(had.front().margin() < Duration::zero(), had.front().words.c_str());
      const Duration longer = 2s - had.front().margin() + 20ms;
      QVERIFY(overlaps(*finished(one_pause(seed, {"mutex.transition=" + in_ms(longer)}))).empty());
    }
  }
  void aPauseThatIsShorterThanWhatWasLeftIsOutlasted() {
    for (std::uint64_t seed = 7; seed < 12; ++seed) {
      const std::vector<Margin> had = overlaps(*finished(one_pause(seed)));
      QCOMPARE(had.size(), std::size_t{1});
      const Duration shorter = had.front().had - 20ms;
      QVERIFY(overlaps(*finished(one_pause(seed, {"fault.0.duration=" + in_ms(shorter)}))).empty());
    }
  }
  // Each incident of the catalogue has a margin below zero, or a sentence that says why it has none; and whoever keeps
  // no events comes to the same.
  void everyIncidentOfTheCatalogueHasAMarginOrSaysWhyNot() {
    std::size_t known = 0;
    for (const BuiltIn& each : built_in_scenarios()) {
      const auto run = finished(scenario(each.name));
      const History& history = run->history();
      Figures figures;
      figures.append(history);
      for (const Incident& incident : history.incidents) {
        const Margin of = margin_of(figures.facts(), history.names, history.legend, incident);
        QVERIFY2(!of.words.empty() && of.words.back() == '.', qPrintable(QString::fromStdString(each.name)));
        if (!of.known()) continue;
        ++known;
        QVERIFY2(of.margin() <= Duration::zero() && of.had >= Duration::zero(),
                 qPrintable(QString("%1: %2").arg(each.name.c_str(), of.words.c_str())));
      }
    }
    QVERIFY(known > 20);
  }
};

LEASESCOPE_SUITE(MarginsTest)
#include "margins_test.moc"
