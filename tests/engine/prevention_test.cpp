// What would have kept an incident away is told from runs of the same seed, and nothing else.
#include "simulator/campaign/prevention.h"
#include <set>

#include "core/time/duration_text.h"
#include "simulator/scenario/scenario_text.h"
#include "tests/engine/runs.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

const Unwanted kOverlap{IncidentKind::kBeliefOverlap, "orders"};

std::vector<Incident> overlaps(const Scenario& of) {
  std::vector<Incident> out;
  const auto run = finished(of);
  for (const Incident& incident : run->history().incidents)
    if (incident.kind == IncidentKind::kBeliefOverlap) out.push_back(incident);
  return out;
}

const Remedy* remedy(const Prevention& of, const std::string& path, bool longer) {
  for (const Remedy& each : of.remedies)
    if (each.path == path && (each.margin > Duration::zero()) == longer) return &each;
  return nullptr;
}

Scenario plain_pause(const std::vector<std::string>& sets = {}) {
  std::vector<std::string> all{"fault.0.at=11900ms", "fault.0.duration=9s", "duration=60s", "fault.1.at=29050ms"};
  all.insert(all.end(), sets.begin(), sets.end());
  return scenario("gc-pause", all);
}

}  // namespace

class PreventionTest : public QObject {
  Q_OBJECT
 private slots:
  // The owner wakes and notices at once: what its pause is too long by is what both believed for.
  void aPauseIsTooLongByAsMuchAsTheyOverlapped() {
    const Scenario of = plain_pause();
    const std::vector<Incident> had = overlaps(of);
    QCOMPARE(had.size(), 1u);
    const Prevention found = prevention_of(of, kOverlap);
    const Remedy* shorter = remedy(found, "fault.0.duration", false);
    QVERIFY(shorter != nullptr);
    QCOMPARE(shorter->from, std::string("9s"));
    const Duration overlap = had.front().end - had.front().start;
    QVERIFY2(-shorter->margin >= overlap && -shorter->margin <= overlap + 100ms,
             qPrintable(
                 QString("%1 and %2").arg(format_duration(shorter->margin).c_str(), format_duration(overlap).c_str())));
  }
  // Each remedy is a setting that anybody can try, and so is what lies just short of it.
  void whatIsToldHoldsWhenItIsSetAndNotJustShortOfIt() {
    for (const char* name : {"gc-pause", "starved-watchdog"}) {
      const Scenario of = written(scenario_text(scenario(name)));
      const auto plain = [&](const std::string& set) { return overlaps(scenario(name, {set})).empty(); };
      const Prevention found = prevention_of(of, kOverlap);
      QVERIFY(found.whole && !found.remedies.empty());
      for (const Remedy& each : found.remedies) {
        if (each.path.rfind("fault.", 0) != 0) continue;  // a change of terms moves what is told in their measures
        QVERIFY2(plain(each.path + "=" + each.to), qPrintable(QString("%1, %2").arg(name, each.path.c_str())));
        if (each.margin == Duration::zero()) continue;
        const Duration from = *parse_duration(each.from), to = *parse_duration(each.to);
        const Duration short_of_it = to + std::max(Duration(2ms), from / 90);
        QVERIFY2(!plain(each.path + "=" + format_duration(short_of_it)),
                 qPrintable(QString("%1, %2").arg(name, each.path.c_str())));
      }
    }
  }
  void aLongerLeaseOutlastsThePauseThoughTheScenarioIsWrittenInLeases() {
    const Scenario in_leases = scenario("gc-pause");
    const Prevention found = prevention_of(in_leases, kOverlap);
    const Remedy* ttl = remedy(found, "mutex.ttl", true);
    QVERIFY(ttl != nullptr);
    const Scenario longer = plain_pause({"mutex.ttl=" + ttl->to});
    QCOMPARE(prevention_of(longer, kOverlap).remedies.size(), 0u);
    QVERIFY(overlaps(longer).empty());
  }
  void whatIsOnOrOffIsTriedToo() {
    const Scenario of = scenario("gc-pause", {"resource.fencing=false"});
    const Prevention found = prevention_of(of, {IncidentKind::kStaleWriteAccepted, "orders"});
    const auto fencing = std::find_if(found.remedies.begin(), found.remedies.end(),
                                      [](const Remedy& each) { return each.path == "resource.*.fencing"; });
    QVERIFY(fencing != found.remedies.end());
    QCOMPARE(fencing->to, std::string("true"));
  }
  void whatDidNotHappenNeedsNoRemedy() {
    const Prevention found = prevention_of(scenario("healthy"), kOverlap);
    QVERIFY(found.whole && found.remedies.empty());
    QCOMPARE(found.runs, 1);
  }
  void aRemedyIsNoneThatBringsSomethingAsBad() {
    for (const char* name : {"gc-pause", "starved-watchdog", "lost-replies"}) {
      const Scenario of = scenario(name);
      const auto run = finished(of);
      for (const Incident& incident : run->history().incidents) {
        const Unwanted unwanted{incident.kind, std::string(run->history().names.text(incident.mutex))};
        for (const Remedy& each : prevention_of(of, unwanted).remedies) {
          if (each.path.rfind("fault.", 0) != 0) continue;
          const Summary now = finished(scenario(name, {each.path + "=" + each.to}))->outcome().summary;
          const Summary before = run->outcome().summary;
          QCOMPARE(now.incidents[static_cast<std::size_t>(incident.kind)], 0u);
          for (const IncidentKind kind : kAllIncidentKinds)
            if (severity(kind) <= severity(incident.kind))
              QVERIFY(now.incidents[static_cast<std::size_t>(kind)] <=
                      before.incidents[static_cast<std::size_t>(kind)]);
        }
      }
    }
  }
  // A shorter pause helps whatever is drawn; of the other scenario a change of ttl, as renewals happen to lie
  // otherwise.
  void chanceIsToldFromWhatHolds() {
    const Prevention pause = prevention_of(scenario("gc-pause"), kOverlap);
    QCOMPARE(pause.remedies.front().path, std::string("fault.0.duration"));
    QVERIFY(pause.remedies.front().others > kOtherSeeds / 2);
    std::set<int> prevented;
    for (std::uint64_t seed = 8; seed <= 27; ++seed) {
      Scenario of = plain_pause({"fault.0.duration=" + pause.remedies.front().to});
      of.seed = seed;
      if (overlaps(of).empty()) prevented.insert(static_cast<int>(seed));
    }
    QCOMPARE(static_cast<int>(prevented.size()), pause.remedies.front().others);
    const Prevention deleted = prevention_of(scenario("deleted-by-hand"), {IncidentKind::kDoubleGrant, "orders"});
    QVERIFY(!deleted.remedies.empty());
    QCOMPARE(deleted.remedies.front().path, std::string("fault.1.enabled"));
    QCOMPARE(deleted.remedies.front().others, kOtherSeeds);
    for (std::size_t i = 1; i < deleted.remedies.size(); ++i) QVERIFY(deleted.remedies[i].others < kOtherSeeds);
  }
  // Nothing happens to whoever does nothing: to begin after the fault, or never, is no remedy.
  void toDoNothingIsNoRemedy() {
    for (const BuiltIn& each : built_in_scenarios()) {
      const Scenario of = scenario(each.name);
      if (of.mutex.initial_delay == Duration::zero()) continue;
      const auto run = finished(of);
      std::set<IncidentKind> kinds;
      for (const Incident& incident : run->history().incidents) {
        if (!kinds.insert(incident.kind).second) continue;
        const Unwanted unwanted{incident.kind, std::string(run->history().names.text(incident.mutex))};
        for (const Remedy& found : prevention_of(of, unwanted).remedies) QVERIFY(found.path != "mutex.initial_delay");
      }
    }
  }
  void whoStopsItIsToldThatItIsNotAll() {
    int asked = 0;
    const Prevention found = prevention_of(scenario("gc-pause"), kOverlap, [&] { return ++asked <= 5; });
    QVERIFY(!found.whole);
    QCOMPARE(found.runs, 5);
  }
};

LEASESCOPE_SUITE(PreventionTest)
#include "prevention_test.moc"
