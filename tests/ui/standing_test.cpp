// Whoever tells who holds and who believes tells the same, at every event of a thousand runs of the swarm; and it is
// what the contenders themselves say.
#include "simulator/campaign/swarm.h"
#include "simulator/run/bare_run.h"
#include "simulator/scenario/scenario_legend.h"
#include "tests/support/suite.h"
#include "ui/models/contenders_model.h"
#include "ui/models/moment.h"
#include "ui/models/run_facts.h"
#include "ui/timeline/paint/chart_data.h"

#include <QTest>

#include <algorithm>

using namespace leasescope;

namespace {

constexpr std::uint64_t kMostInputs = 4'000;  // of one seed
constexpr std::size_t kMomentEvery = 97;      // a moment is read anew, all others go on from event to event

struct Views {
  explicit Views(const Scenario& of) : run(of) {
    history.names = run.world().names();
    history.legend = legend_of(of);
    cast.reset(of.contender_names());
    chart.reset(run_facts(of));
    moments.setHistory(&history, &cast);
    table.setHistory(&history, &cast);
  }

  BareRun run;
  History history;
  Cast cast;
  ChartData chart;
  ContendersModel table;
  Moments moments;
};

// What one of them says of one contender.
struct Said {
  bool believes = false, holds = false, paused = false, cut = false;
  friend bool operator==(const Said& a, const Said& b) {
    return a.believes == b.believes && a.holds == b.holds && a.paused == b.paused && a.cut == b.cut;
  }
  std::string text() const {
    return std::string(believes ? "believes " : "") + (holds ? "holds " : "") + (paused ? "paused " : "") +
           (cut ? "cut off" : "");
  }
};

Said by_checkers(const Views& of, Name name) {
  const Standing& standing = of.run.checkers().standing();
  const Standing::Contender* const who = standing.contender(name);
  if (who == nullptr) return {};
  bool holds = false;
  for (const Standing::Mutex& mutex : standing.mutexes())
    for (const Standing::Hold& hold : mutex.holds) holds = holds || standing.contender(hold.contender).name == name;
  return {who->believes, holds, who->is(Disturbs::kPauses), who->is(Disturbs::kCuts)};
}

bool lasts(const ContenderRow& row, const Legend& legend, Disturbs what) {
  return std::any_of(row.bands.begin(), row.bands.end(), [&](const BandSpan& band) {
    return band.open() && band.fault >= 0 && legend.disturbs(static_cast<std::uint8_t>(band.fault)) == what;
  });
}

Said by_chart(const Views& of, int place) {
  const ContenderRow& row = of.chart.contenders()[static_cast<std::size_t>(place)];
  // One whose id another bears may be held for on that one's mutex as well as on its own.
  const auto open = [](const LeaseSpan& span) { return span.open(); };
  return {!row.believed.empty() && row.believed.back().open(), std::any_of(row.held.begin(), row.held.end(), open),
          lasts(row, of.history.legend, Disturbs::kPauses), lasts(row, of.history.legend, Disturbs::kCuts)};
}

Said by_moment(const ContenderAt& who) { return {who.believes, who.holds, who.paused, who.cut}; }

// The table says one thing at a time; what it then leaves out is not compared.
bool says(const QString& state, const Said& said) {
  if (state.startsWith(QStringLiteral("paused"))) return said.paused && state.contains(u"believes") == said.believes;
  if (state.startsWith(QStringLiteral("cut off")))
    return !said.paused && said.cut && state.contains(u"believes") == said.believes;
  const bool believes = state.startsWith(QStringLiteral("owns")) || state.startsWith(QStringLiteral("believes"));
  const bool holds = state.startsWith(QStringLiteral("owns")) || state.startsWith(QStringLiteral("holds"));
  return !said.paused && !said.cut && believes == said.believes && holds == said.holds;
}

}  // namespace

class StandingTest : public QObject {
  Q_OBJECT
 private slots:
  void chartTablesMomentsAndCheckersAgreeAtEveryEvent() {
    std::uint64_t compared = 0, believed = 0, held = 0, disturbed = 0;
    for (std::uint64_t seed = 1; seed <= 1'000 && !QTest::currentTestFailed(); ++seed) {
      const auto scenario = draw_swarm(seed);
      QVERIFY2(scenario.has_value(), std::to_string(seed).c_str());
      Views of(*scenario);
      Checkers checkers(scenario->terms(), of.history.names, of.history.legend);
      const int places = of.cast.size();
      while (of.run.inputs() < kMostInputs && of.run.step(TrueTime::max()) && !QTest::currentTestFailed()) {
        for (const Event& event : of.run.world().events()) {
          of.history.events.push_back(event);
          of.history.now = event.hi;
          of.chart.append(of.history);
          of.table.sync();
          checkers.append(event);
          const int place = of.cast.indexOf(of.history, event.node);
          if (place >= 0) agree(of, checkers.standing(), seed, place, event);
          ++compared;
        }
        if (of.run.inputs() % kMomentEvery != 0) continue;
        const std::vector<ContenderAt> now = of.moments.at(of.history.now);
        for (int place = 0; place < places; ++place) {
          const Name name = of.history.names.intern(of.cast.name(place));
          const Said said = by_checkers(of, name);
          believed += said.believes;
          held += said.holds;
          disturbed += said.paused || said.cut;
          const bool same = by_moment(now[static_cast<std::size_t>(place)]) == said && by_chart(of, place) == said;
          QVERIFY2(same, told(of, seed, place, said).c_str());
          // A contender that was crashed is another's memory; one that is up says itself what it believes.
          if (of.run.checkers().standing().contender(name) != nullptr &&
              of.run.checkers().standing().contender(name)->up)
            QVERIFY2(of.run.world().fleet().believes(static_cast<NodeIndex>(place)) == said.believes,
                     told(of, seed, place, said).c_str());
        }
      }
    }
    qInfo("%llu events compared; at %llu moments one believed, at %llu one held, at %llu one was disturbed",
          static_cast<unsigned long long>(compared), static_cast<unsigned long long>(believed),
          static_cast<unsigned long long>(held), static_cast<unsigned long long>(disturbed));
    QVERIFY(compared > 500'000 && believed > 1'000 && held > 1'000 && disturbed > 1'000);
  }

 private:
  static std::string told(const Views& of, std::uint64_t seed, int place, const Said& said) {
    return "seed " + std::to_string(seed) + ", event " + std::to_string(of.history.last()) + ", " +
           of.cast.name(place) + ": checkers " + said.text() + "; chart " + by_chart(of, place).text() + "; table " +
           of.table.index(place, ContendersModel::kState).data().toString().toStdString();
  }

  static void agree(const Views& of, const Standing& standing, std::uint64_t seed, int place, const Event& event) {
    const Standing::Contender* const who = standing.contender(event.node);
    const Said said = who == nullptr ? Said{}
                                     : Said{who->believes, standing.seen_to_hold(*who), who->is(Disturbs::kPauses),
                                            who->is(Disturbs::kCuts)};
    const QString state = of.table.index(place, ContendersModel::kState).data().toString();
    QVERIFY2(by_chart(of, place) == said && says(state, said), told(of, seed, place, said).c_str());
  }
};

LEASESCOPE_SUITE(StandingTest)
#include "standing_test.moc"
