// Several recordings as one: what is laid over what, and what is refused.
#include <QTemporaryDir>

#include "core/history/recording/joined_names.h"
#include "tests/support/merged.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

class MergedHistoryTest : public QObject {
  Q_OBJECT
 private slots:
  void init() { ++turn_; }
  void ofOneItIsThatRecording();
  void twoObserversAreInTheOrderOfTime();
  void whoeverBearsTheSameNameIsKeptApartAndSaid();
  void mutexesThatTwoHaveWatchedAreKeptApart();
  void theCauseOfAnEventIsTheSameEvent();
  void incidentsAreThoseOfAllByTheirBeginnings();
  void alertsAreThoseOfAllByTheirMoments();
  void ofSeveralThereIsNoVerdict();
  void whatMakesNoSenseIsRefused_data();
  void whatMakesNoSenseIsRefused();
  void damageIsToldAndWhatLiesBeforeIsRight();
  void namesAreRenamedAsWholeWords();

 private:
  std::string path(const char* name) const {
    return folder_.filePath(QString("%1-%2").arg(name).arg(turn_)).toStdString();
  }
  std::string recorded(const char* name, const Recorded& what) const {
    const std::string error = record(path(name), what);
    if (!error.empty()) qFatal("%s", error.c_str());
    return path(name);
  }
  QTemporaryDir folder_;
  int turn_ = 0;
};

namespace {

constexpr std::int64_t kEpoch = 1'700'000'000'000'000'000;

Recorded observed(std::int64_t epoch_ns, const char* scenario = "watch") {
  Recorded out;
  out.header = told_header();
  out.header.scenario = scenario;
  out.header.epoch_ns = epoch_ns;
  ToldHistory told;
  told.grow(9'000);
  told.add_incident(IncidentKind::kBeliefOverlap, true);
  out.history = told.history();
  out.outcome.emplace();
  out.outcome->simulated_ns = out.history.now.time_since_epoch().count();
  out.outcome->as_expected = true;
  out.outcome->inputs = 7;
  return out;
}

std::string name_of(const History& history, Name name) { return std::string(history.names.text(name)); }

}  // namespace

void MergedHistoryTest::ofOneItIsThatRecording() {
  const Recorded whole = observed(kEpoch);
  const Recorded one = merged({recorded("one", whole)});
  QCOMPARE(difference(one, whole), std::string());
  QVERIFY(one.outcome->as_expected.value());
  Recorded unfinished = observed(kEpoch);
  unfinished.outcome.reset();
  QCOMPARE(difference(merged({recorded("unfinished", unfinished)}), unfinished), std::string());
}

void MergedHistoryTest::twoObserversAreInTheOrderOfTime() {
  const Duration later = std::chrono::milliseconds(30);
  const Recorded a = observed(kEpoch), b = observed(kEpoch + later.count(), "other");
  const Recorded both = merged({recorded("b", b), recorded("a", a)});
  QCOMPARE(both.error, std::string());
  QCOMPARE(both.header.epoch_ns.value(), kEpoch);
  QCOMPARE(both.header.scenario, std::string("other + watch"));
  QCOMPARE(both.history.events.size(), a.history.events.size() * 2);
  QCOMPARE(both.history.now, a.history.now + later);
  TrueTime reached = TrueTime::min();
  std::vector<std::size_t> next(2);
  for (const Event& event : both.history.events) {
    // The event of B or of A that is next there: node c1 or c2 of B, and those with numbers of A.
    const bool of_b = name_of(both.history, event.node).size() == 2;
    const Event& was = (of_b ? b : a).history.events[next[of_b ? 0 : 1]++];
    QCOMPARE(event.hi, was.hi + (of_b ? later : Duration{}));
    QVERIFY(event.kind == was.kind && event.token == was.token);
    reached = std::max(reached, event.hi);
    QVERIFY(event.hi + Duration(1'500) >= reached);  // each recording keeps its own order, which is not that of `hi`
  }
}

void MergedHistoryTest::whoeverBearsTheSameNameIsKeptApartAndSaid() {
  const std::string a = recorded("a", observed(kEpoch)), b = recorded("b", observed(kEpoch + 5, "other"));
  const Recorded both = merged({a, b});
  QCOMPARE(both.history.legend.contenders, (std::vector<std::string>{"c1", "c2", "c1 (2)", "c2 (2)"}));
  QCOMPARE(both.history.legend.mutexes.size(), std::size_t{4});
  QCOMPARE(both.history.legend.mutexes[2].name, std::string("orders (2)"));
  QCOMPARE(both.history.legend.mutexes[2].capacity, 3U);
  QCOMPARE(both.history.legend.faults.size(), std::size_t{2});  // of the same words: one
  QCOMPARE(both.remarks.size(), std::size_t{1});
  QCOMPARE(both.remarks[0], b + ": archive is archive (2), bills is bills (2), c1 is c1 (2), c2 is c2 (2), "
                                "ledger is ledger (2), orders is orders (2)");
}

// No legend names them: a watch meets its mutexes.
void MergedHistoryTest::mutexesThatTwoHaveWatchedAreKeptApart() {
  Recorded a = observed(kEpoch), b = observed(kEpoch + 5, "other");
  for (Recorded* const each : {&a, &b}) {
    each->history.legend.mutexes.clear();
    each->history.legend.contenders.clear();
    each->history.legend.resources.clear();
  }
  const Recorded both = merged({recorded("a", a), recorded("b", b)});
  QCOMPARE(both.error, std::string());
  std::map<std::string, std::size_t> events;
  for (const Event& event : both.history.events) ++events[name_of(both.history, event.mutex)];
  QCOMPARE(events, (std::map<std::string, std::size_t>{{"orders", 9'000}, {"orders (2)", 9'000}}));
  QCOMPARE(both.remarks, (std::vector<std::string>{path("b") + ": orders is orders (2)"}));
  // Owners are whoever they are, whoever has seen them.
  QVERIFY(std::all_of(both.history.events.begin(), both.history.events.end(), [&](const Event& event) {
    return name_of(both.history, event.node).find('(') == std::string::npos;
  }));
}

void MergedHistoryTest::theCauseOfAnEventIsTheSameEvent() {
  const Recorded a = observed(kEpoch), b = observed(kEpoch + 1, "other");
  const Recorded both = merged({recorded("a", a), recorded("b", b)});
  std::vector<std::size_t> next(2);
  std::vector<std::vector<Sequence>> numbers(2);
  for (std::size_t i = 0; i < both.history.events.size(); ++i) {
    const Event& event = both.history.events[i];
    const std::size_t whose = name_of(both.history, event.node).size() == 2 ? 0 : 1;
    const Event& was = (whose == 0 ? a : b).history.events[next[whose]++];
    QCOMPARE(event.cause, was.cause == 0 ? Sequence{0} : numbers[whose].at(was.cause - 1));
    numbers[whose].push_back(both.history.number(i));
  }
}

void MergedHistoryTest::incidentsAreThoseOfAllByTheirBeginnings() {
  Recorded a = observed(kEpoch), b = observed(kEpoch - 1'000'000, "other");
  a.history.incidents.edit(0).cause = "c1 paused, and c2 was granted orders.";
  b.history.incidents.edit(0).cause = "c2 was slow.";
  const Recorded both = merged({recorded("a", a), recorded("b", b)});
  QCOMPARE(both.history.incidents.size(), std::size_t{2});
  QCOMPARE(both.history.incidents[0].cause, std::string("c2 (2) was slow."));
  QCOMPARE(name_of(both.history, both.history.incidents[0].mutex), std::string("orders (2)"));
  QCOMPARE(both.history.incidents[1].cause, a.history.incidents[0].cause);
  QCOMPARE(both.history.incidents[1].start, a.history.incidents[0].start + Duration(1'000'000));
  QCOMPARE(both.history.summary.renewals, a.history.summary.renewals * 2);
}

void MergedHistoryTest::alertsAreThoseOfAllByTheirMoments() {
  const auto with_alerts = [&](const char* name, std::int64_t epoch_ns, const char* scenario, int alerts) {
    const Recorded of = observed(epoch_ns, scenario);
    auto writer = RecordingWriter::create(path(name));
    (*writer)->head(of.header);
    (*writer)->append(of.history);
    for (int i = 1; i <= alerts; ++i) {
      const TrueTime from = TrueTime(Duration(i * 1000)), to = from + Duration(500);
      const auto number = static_cast<std::uint64_t>(i);
      (*writer)->note(of.history, {{number, AlertDeed::kBegan, from, from, name, "no_owner", Name{1}, "nobody"},
                                   {number, AlertDeed::kOver, to, to, name, "no_owner", Name{1}, "nobody"}});
    }
    if (!(*writer)->finish(of.history, *of.outcome)) qFatal("%s was not written", name);
    return path(name);
  };
  const std::string a = with_alerts("a", kEpoch, "watch", 2), b = with_alerts("b", kEpoch + 100, "other", 2);
  const auto both = MergedHistory::open({a, b});
  QVERIFY2(both, both ? "" : both.error().c_str());
  QVERIFY((*both)->alerts() != nullptr);
  const std::vector<FiredAlert> fired = fired_alerts(*(*both)->alerts());
  std::string told;
  for (const FiredAlert& each : fired)
    told += fmt::format("{} of {} from {} to {}\n", each.rule, (*both)->frame().names.text(each.subject),
                        each.from.time_since_epoch().count(), each.to.time_since_epoch().count());
  QCOMPARE(told, std::string("a of orders from 1000 to 1500\nb of orders (2) from 1100 to 1600\n"
                             "a of orders from 2000 to 2500\nb of orders (2) from 2100 to 2600\n"));
  // One that keeps none takes nothing away, and of those alone nothing is said.
  const std::string c = recorded("c", observed(kEpoch + 200, "third")), d = recorded("d", observed(kEpoch, "fourth"));
  QCOMPARE((*MergedHistory::open({c, a}))->alerts()->size(), std::size_t{4});
  QVERIFY((*MergedHistory::open({c, d}))->alerts() == nullptr);
}

void MergedHistoryTest::ofSeveralThereIsNoVerdict() {
  Recorded a = observed(kEpoch), b = observed(kEpoch + 5, "other");
  const Recorded both = merged({recorded("a", a), recorded("b", b)});
  QVERIFY(both.outcome && !both.outcome->as_expected && !both.outcome->trace_hash);
  QCOMPARE(both.outcome->inputs, std::uint64_t{14});
  b.outcome.reset();
  init();
  QVERIFY(!merged({recorded("a", a), recorded("b", b)}).outcome);
}

void MergedHistoryTest::whatMakesNoSenseIsRefused_data() {
  QTest::addColumn<QString>("world");
  QTest::addColumn<QString>("scenario");
  QTest::addColumn<quint64>("seed");
  QTest::addColumn<qint64>("epoch");  // 0: none
  QTest::addColumn<QString>("told");
  const quint64 same = UINT64_MAX;
  QTest::newRow("virtual with live")
      << "virtual"
      << "other" << same << qint64{0}
      << "are of the live and the virtual world, whose times have nothing to do with each other";
  QTest::newRow("the same run") << "live"
                                << "watch" << same << qint64{kEpoch} << "are recordings of the same run: name it once";
  QTest::newRow("no epoch") << "live"
                            << "other" << same << qint64{0} << "does not say what time it began at";
  QTest::newRow("a wrong clock") << "live"
                                 << "other" << same << qint64{-kEpoch * 3}
                                 << "began more than 70 years apart: the clock of one of them was wrong";
}

void MergedHistoryTest::whatMakesNoSenseIsRefused() {
  QFETCH(QString, world);
  QFETCH(QString, scenario);
  QFETCH(quint64, seed);
  QFETCH(qint64, epoch);
  QFETCH(QString, told);
  Recorded other = observed(kEpoch, scenario.toLatin1());
  other.header.world = world.toStdString();
  other.header.seed = seed;
  other.header.epoch_ns.reset();
  if (epoch != 0) other.header.epoch_ns = epoch;
  const Recorded both = merged({recorded("a", observed(kEpoch)), recorded("b", other)});
  QVERIFY2(both.error.find(told.toStdString()) != std::string::npos, both.error.c_str());
  QVERIFY(both.error.find(path("a")) != std::string::npos && both.error.find(path("b")) != std::string::npos);
  // Two runs of one scenario in virtual time, each from 0.
  Recorded one = observed(kEpoch), two = observed(kEpoch);
  for (Recorded* run : {&one, &two}) {
    run->header.world = "virtual";
    run->header.epoch_ns.reset();
  }
  two.header.seed = 8;
  init();
  const Recorded seeds = merged({recorded("a", one), recorded("b", two)});
  QVERIFY2(seeds.error.find("are two runs of watch (seeds 18446744073709551615 and 8)") != std::string::npos,
           seeds.error.c_str());
  two.header.scenario = "another";
  init();
  QCOMPARE(merged({recorded("a", one), recorded("b", two)}).error, std::string());
}

void MergedHistoryTest::damageIsToldAndWhatLiesBeforeIsRight() {
  const std::string a = recorded("a", observed(kEpoch)), b = recorded("b", observed(kEpoch + 5, "other"));
  auto database = Database::open(b, Database::Mode::kChange);
  QVERIFY((*database)->run("UPDATE block SET sum = sum + 1 WHERE first > 4097"));
  database->reset();
  const Recorded both = merged({a, b});
  QVERIFY2(both.error.find(b + ": is damaged: its events 8193 to 9000") == 0 ||
               both.error.find("is damaged: its events 8193 to 9000") != std::string::npos,
           both.error.c_str());
  QVERIFY(both.history.events.size() >= 16'384);
}

void MergedHistoryTest::namesAreRenamedAsWholeWords() {
  const std::map<std::string, std::string> names{{"c1", "c1 (2)"}, {"c1 (2)", "c1 (3)"}, {"orders", "orders"}};
  QCOMPARE(renamed("c1 and c10, c1 (2)'s orders of xc1; c1.", names),
           std::string("c1 (2) and c10, c1 (3)'s orders of xc1; c1 (2)."));
  JoinedNames joined;
  QCOMPARE(joined.add({"x", "y (2)"})["x"], std::string("x"));
  auto second = joined.add({"x", "y", "y (2)"});
  QCOMPARE(second["x"], std::string("x (2)"));
  QCOMPARE(second["y"], std::string("y"));
  QCOMPARE(second["y (2)"], std::string("y (3)"));
}

LEASESCOPE_SUITE(MergedHistoryTest)
#include "merged_history_test.moc"
