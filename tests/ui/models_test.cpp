// The item models over real histories, with Qt's own tester watching every change.
#include <QAbstractItemModelTester>

#include "simulator/run/virtual_run.h"
#include "simulator/scenario/catalogue.h"
#include "tests/support/ui_suite.h"
#include "tests/ui/gc_pause_history.h"
#include "ui/models/contenders_model.h"
#include "ui/models/events_model.h"
#include "ui/models/incidents_model.h"
#include "ui/models/moment.h"
#include "ui/models/scenario_list_model.h"
#include "ui/models/story.h"
#include "ui/models/word_filter.h"
#include "ui/models/words.h"

using namespace leasescope;
namespace tests = leasescope::tests;
using namespace std::chrono_literals;

namespace {

constexpr auto kFatal = QAbstractItemModelTester::FailureReportingMode::Fatal;

VirtualRun runOf(const std::string& name) {
  const auto scenario = find_scenario(name);
  if (!scenario) qFatal("%s", scenario.error().text().c_str());
  return VirtualRun(*scenario);
}

// Rows that bear each of the words in some cell.
int rowsWith(const QAbstractItemModel& model, const QString& text) {
  int rows = 0;
  for (int row = 0; row < model.rowCount(); ++row) {
    QStringList missing = text.split(u' ', Qt::SkipEmptyParts);
    for (int column = 0; column < model.columnCount(); ++column)
      for (const int role : {int{Qt::DisplayRole}, int{Qt::AccessibleTextRole}}) {
        const QString cell = model.index(row, column).data(role).toString();
        missing.removeIf([&](const QString& word) { return cell.contains(word, Qt::CaseInsensitive); });
      }
    rows += missing.isEmpty();
  }
  return rows;
}

int incidentOf(const History& history, IncidentKind kind) {
  for (std::size_t i = 0; i < history.incidents.size(); ++i)
    if (history.incidents[i].kind == kind) return static_cast<int>(i);
  return -1;
}

}  // namespace

class ModelsTest : public leasescope::tests::UiSuite {
  Q_OBJECT
 private slots:
  void theyKeepTheContractWhileARunGrows();
  void filtersOfWordsKeepTheContractWhileARunGrows();
  void aFilterOfOneRoleKeepsTheContractWhileTheListGrows();
  void incidentsAreInTheOrderThatTheirCellsTell();
  void theyForgetAHistoryThatIsTakenAway();
  void theOverlapIsAmongTheIncidents();
  void contendersAreCounted();
  void aMomentSaysWhoBelievesAndWhoHolds();
  void aMomentIsTheSameFromAnySnapshot();
  void theStoryOfAnOverlapNamesThePauseTheGrantAndTheStepDown();
  void whereNothingBearsATokenNobodyIsSaidToHaveWrittenNothingStale();
  void aHolderByAConnectionHasNoDeadline();
  void scenariosShowWhatTheyExpect();
  void heldEndsWhereTheStoreIsSeenNoMore();
  void theEventChosenStaysChosenInEveryOrder_data();
  void theEventChosenStaysChosenInEveryOrder();
  void numbersAreWrittenForPeople();
};

void ModelsTest::theyKeepTheContractWhileARunGrows() {
  VirtualRun run = runOf("gc-pause");
  Cast cast;
  cast.reset(run.scenario().contender_names());
  IncidentsModel incidents;
  EventsModel events;
  ContendersModel contenders;
  QAbstractItemModelTester a(&incidents, kFatal), b(&events, kFatal), c(&contenders, kFatal);
  incidents.setHistory(&run.history(), &cast);
  events.setHistory(&run.history(), &cast);
  contenders.setHistory(&run.history(), &cast);
  while (run.advance(TrueTime::max(), 37)) {
    cast.sync(run.history());
    incidents.sync();
    events.sync();
    contenders.sync();
  }
  incidents.sync();
  events.sync();
  contenders.sync();
  QCOMPARE(incidents.rowCount(), static_cast<int>(run.history().incidents.size()));
  QCOMPARE(events.rowCount(), static_cast<int>(run.history().events.size()));
  QCOMPARE(contenders.rowCount(), 3);
}

// Each pair of them, by each column that is told without its cells.
void ModelsTest::incidentsAreInTheOrderThatTheirCellsTell() {
  VirtualRun run = runOf("mixed-fleet");
  while (run.advance(TrueTime::max())) {
  }
  Cast cast;
  cast.reset(run.scenario().contender_names());
  cast.sync(run.history());
  IncidentsModel incidents;
  incidents.setHistory(&run.history(), &cast);
  QVERIFY(incidents.rowCount() > 3);
  const auto cell = [&](int row, int column) { return incidents.index(row, column).data(kSortRole).toLongLong(); };
  int told = 0;
  for (int column = 0; column < IncidentsModel::kColumns; ++column)
    for (int a = 0; a < incidents.rowCount(); ++a)
      for (int b = 0; b < incidents.rowCount(); ++b) {
        const std::optional<bool> before = incidents.before(a, b, column);
        if (!before) continue;
        QCOMPARE(*before, cell(a, column) < cell(b, column));
        ++told;
      }
  QCOMPARE(told, 4 * incidents.rowCount() * incidents.rowCount());
}

// As the results have them: searched through and put in another order by their reader, while the run goes on.
void ModelsTest::filtersOfWordsKeepTheContractWhileARunGrows() {
  VirtualRun run = runOf("gc-pause");
  Cast cast;
  cast.reset(run.scenario().contender_names());
  IncidentsModel incidents;
  ContendersModel contenders;
  WordFilter found, who;
  found.setSourceModel(&incidents);
  found.setSortRole(kSortRole);
  who.setSourceModel(&contenders);
  who.setSortRole(kSortRole);
  QAbstractItemModelTester a(&found, kFatal), b(&who, kFatal);
  incidents.setHistory(&run.history(), &cast);
  contenders.setHistory(&run.history(), &cast);
  const QStringList words{{}, "overlap BELIEF", "no such thing", "C", "WRITE"};
  for (int turn = 0; run.advance(TrueTime::max(), 37); ++turn) {
    cast.sync(run.history());
    incidents.sync();
    contenders.sync();
    if (turn % 3 == 0) found.setWords(words[turn / 3 % words.size()]);
    if (turn % 4 == 0) who.setWords(words[turn / 4 % words.size()]);
    const Qt::SortOrder order = turn % 2 == 0 ? Qt::AscendingOrder : Qt::DescendingOrder;
    if (turn % 5 == 0) found.sort(turn / 5 % IncidentsModel::kColumns, order);
    if (turn % 7 == 0) who.sort(turn / 7 % ContendersModel::kColumns, order);
  }
  incidents.sync();
  contenders.sync();
  for (const QString& word : words) {
    found.setWords(word);
    who.setWords(word);
    QCOMPARE(found.rowCount(), rowsWith(incidents, word));
    QCOMPARE(who.rowCount(), rowsWith(contenders, word));
  }
  QVERIFY(rowsWith(incidents, "overlap BELIEF") > 0);
  QCOMPARE(rowsWith(incidents, "no such thing"), 0);
  incidents.setHistory(nullptr, nullptr);
  contenders.setHistory(nullptr, nullptr);
  QCOMPARE(found.rowCount() + who.rowCount(), 0);
}

// As the list of scenarios has it.
void ModelsTest::aFilterOfOneRoleKeepsTheContractWhileTheListGrows() {
  ScenarioListModel scenarios;
  WordFilter found;
  found.searchRole(ScenarioListModel::kSearchRole);
  found.setSourceModel(&scenarios);
  QAbstractItemModelTester tester(&found, kFatal);
  scenarios.addBuiltIns();
  QCOMPARE(found.rowCount(), scenarios.rowCount());
  found.setWords("pause");
  const auto withPauses = [&] {
    int rows = 0;
    for (int row = 0; row < scenarios.rowCount(); ++row)
      rows +=
          scenarios.index(row).data(ScenarioListModel::kSearchRole).toString().contains("pause", Qt::CaseInsensitive);
    return rows;
  };
  const int pauses = withPauses();
  QVERIFY(pauses > 0 && pauses < scenarios.rowCount());
  QCOMPARE(found.rowCount(), pauses);
  scenarios.addFile(QStringLiteral("/somewhere/mine.toml"), *find_scenario("gc-pause"));
  QCOMPARE(found.rowCount(), pauses + 1);
  scenarios.addFile(QStringLiteral("/somewhere/mine.toml"), *find_scenario("healthy"));  // it is another one now
  QCOMPARE(found.rowCount(), withPauses());
  found.setWords({});
  QCOMPARE(found.rowCount(), scenarios.rowCount());
}

void ModelsTest::theyForgetAHistoryThatIsTakenAway() {
  VirtualRun run = runOf("gc-pause");
  run.advance(TrueTime::max());
  Cast cast;
  cast.reset(run.scenario().contender_names());
  IncidentsModel incidents;
  EventsModel events;
  QAbstractItemModelTester a(&incidents, kFatal), b(&events, kFatal);
  incidents.setHistory(&run.history(), &cast);
  events.setHistory(&run.history(), &cast);
  incidents.setHistory(nullptr, nullptr);
  events.setHistory(nullptr, nullptr);
  QCOMPARE(incidents.rowCount(), 0);
  QCOMPARE(events.rowCount(), 0);
}

void ModelsTest::theOverlapIsAmongTheIncidents() {
  VirtualRun run = runOf("gc-pause");
  run.advance(TrueTime::max());
  Cast cast;
  cast.reset(run.scenario().contender_names());
  IncidentsModel model;
  model.setHistory(&run.history(), &cast);
  const int row = incidentOf(run.history(), IncidentKind::kBeliefOverlap);
  QVERIFY(row >= 0);
  QCOMPARE(model.worst(), row);
  QCOMPARE(model.index(row, IncidentsModel::kKind).data().toString(), QStringLiteral("Belief overlap"));
  QCOMPARE(model.index(row, IncidentsModel::kMark).data(kGlyphRole).toInt(),
           static_cast<int>(glyph_of(IncidentKind::kBeliefOverlap)));
  QCOMPARE(model.index(row, IncidentsModel::kWho).data(kWhoRole).toList().size(), 2);
}

void ModelsTest::contendersAreCounted() {
  VirtualRun run = runOf("healthy");
  run.advance(TrueTime::max());
  Cast cast;
  cast.reset(run.scenario().contender_names());
  ContendersModel model;
  model.setHistory(&run.history(), &cast);
  int acquired = 0, renewed = 0;
  for (int row = 0; row < model.rowCount(); ++row) {
    acquired += model.index(row, ContendersModel::kAcquired).data().toInt();
    renewed += model.index(row, ContendersModel::kRenewed).data().toInt();
  }
  QCOMPARE(static_cast<std::uint64_t>(acquired), run.outcome().summary.acquisitions);
  QCOMPARE(static_cast<std::uint64_t>(renewed), run.outcome().summary.renewals);
}

void ModelsTest::aMomentSaysWhoBelievesAndWhoHolds() {
  VirtualRun run = runOf("gc-pause");
  run.advance(TrueTime::max());
  Cast cast;
  cast.reset(run.scenario().contender_names());
  Moments moments;
  moments.setHistory(&run.history(), &cast);
  const auto& overlap =
      run.history().incidents[static_cast<std::size_t>(incidentOf(run.history(), IncidentKind::kBeliefOverlap))];
  const auto standings = moments.at(overlap.start + (overlap.end - overlap.start) / 2);
  int believe = 0, hold = 0, paused = 0, overdue = 0;
  for (const ContenderAt& s : standings) {
    believe += s.believes;
    hold += s.holds;
    paused += s.paused;
    overdue += s.believes && s.deadline < overlap.start;
  }
  QCOMPARE(believe, 2);
  QCOMPARE(hold, 1);
  QCOMPARE(paused, 1);
  QCOMPARE(overdue, 1);
}

void ModelsTest::aMomentIsTheSameFromAnySnapshot() {
  auto scenario = find_scenario("healthy", {"duration=1200s"});
  QVERIFY(scenario);
  VirtualRun run(*scenario);
  run.advance(TrueTime::max());
  QVERIFY(run.history().events.size() > 20'000);
  Cast cast;
  cast.reset(run.scenario().contender_names());
  Moments walked, jumped;
  walked.setHistory(&run.history(), &cast);
  jumped.setHistory(&run.history(), &cast);
  for (int s = 0; s < 1200; s += 7) walked.at(TrueTime(std::chrono::seconds(s)));
  for (const int s : {1199, 3, 600, 599, 1000}) {
    const auto a = walked.at(TrueTime(std::chrono::seconds(s))), b = jumped.at(TrueTime(std::chrono::seconds(s)));
    QCOMPARE(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      QCOMPARE(a[i].believes, b[i].believes);
      QCOMPARE(a[i].heldToken, b[i].heldToken);
      QCOMPARE(a[i].deadline, b[i].deadline);
    }
  }
}

void ModelsTest::theStoryOfAnOverlapNamesThePauseTheGrantAndTheStepDown() {
  VirtualRun run = runOf("gc-pause");
  run.advance(TrueTime::max());
  Cast cast;
  cast.reset(run.scenario().contender_names());
  const auto& overlap =
      run.history().incidents[static_cast<std::size_t>(incidentOf(run.history(), IncidentKind::kBeliefOverlap))];
  QString all;
  TrueTime last = TrueTime::min();
  for (const StoryLine& line : storyOf(run.history(), cast, overlap)) {
    QVERIFY(line.at >= last);
    last = line.at;
    all += line.text + u'\n';
  }
  QVERIFY2(all.contains(QStringLiteral("pauses for")), qPrintable(all));
  QVERIFY2(all.contains(QStringLiteral("Store: grants")), qPrintable(all));
  QVERIFY2(all.contains(QStringLiteral("steps down")), qPrintable(all));
  QVERIFY2(all.contains(QStringLiteral("rejected")), qPrintable(all));
  QVERIFY(accountOf(run.history(), cast, overlap).contains(QStringLiteral("both believed")));
  QVERIFY(!accountOf(run.history(), cast, overlap).contains(QStringLiteral("nobody can tell")));
}

void ModelsTest::whereNothingBearsATokenNobodyIsSaidToHaveWrittenNothingStale() {
  VirtualRun run = runOf("advisory-machine-stops");
  run.advance(TrueTime::max());
  Cast cast;
  cast.reset(run.scenario().contender_names());
  const auto& overlap =
      run.history().incidents[static_cast<std::size_t>(incidentOf(run.history(), IncidentKind::kBeliefOverlap))];
  const QString told = accountOf(run.history(), cast, overlap);
  QVERIFY2(told.contains(QStringLiteral("which writes are stale nobody can tell")), qPrintable(told));
  QCOMPARE(tokensText(overlap.kind, overlap.tokens), QStringLiteral("no token"));
}

void ModelsTest::aHolderByAConnectionHasNoDeadline() {
  VirtualRun run = runOf("advisory-machine-stops");
  run.advance(TrueTime::max());
  Cast cast;
  cast.reset(run.scenario().contender_names());
  Moments moments;
  moments.setHistory(&run.history(), &cast);
  int believed = 0;
  for (TrueTime at{}; at < run.history().now; at += std::chrono::seconds(1))
    for (const ContenderAt& each : moments.at(at)) {
      if (!each.believes) continue;
      ++believed;
      QCOMPARE(each.deadline, TrueTime::max());
    }
  QVERIFY(believed > 0);
}

void ModelsTest::scenariosShowWhatTheyExpect() {
  ScenarioListModel model;
  QAbstractItemModelTester tester(&model, kFatal);
  model.addBuiltIns();
  const int row = model.rowOf(QStringLiteral("gc-pause"));
  QVERIFY(row >= 0);
  QCOMPARE(model.index(row).data(ScenarioListModel::kWithoutRole).toInt(),
           static_cast<int>(glyph_of(IncidentKind::kStaleWriteAccepted)));
  QCOMPARE(model.index(row).data(ScenarioListModel::kWithRole).toInt(),
           static_cast<int>(glyph_of(IncidentKind::kStaleWriteRejected)));
  const int healthy = model.rowOf(QStringLiteral("healthy"));
  QCOMPARE(model.index(healthy).data(ScenarioListModel::kStoresRole).toStringList(),
           QStringList({"Redis", "PostgreSQL", "MySQL"}));
  const int byHand = model.rowOf(QStringLiteral("deleted-by-hand"));  // its fault is Redis's alone
  QCOMPARE(model.index(byHand).data(ScenarioListModel::kStoresRole).toStringList(), QStringList("Redis"));
  QCOMPARE(model.index(healthy).data(ScenarioListModel::kWithoutRole).toInt(), static_cast<int>(Glyph::kNone));
  Scenario silent = *find_scenario("gc-pause");
  silent.expected = silent.expected_unfenced = {};
  QCOMPARE(model.index(model.addFile(QStringLiteral("/somewhere/silent.toml"), silent))
               .data(ScenarioListModel::kExpectsRole)
               .toString(),
           QStringLiteral("It does not say what is expected."));
  const int before = model.rowCount();
  QCOMPARE(model.addFile(QStringLiteral("/somewhere/mine.toml"), *find_scenario("healthy")), before);
  QCOMPARE(model.addFile(QStringLiteral("/somewhere/mine.toml"), *find_scenario("gc-pause")), before);
  QCOMPARE(model.rowCount(), before + 1);
}

// What was not seen is not counted, also when it is told afterwards that the lease ran out some time.
void ModelsTest::heldEndsWhereTheStoreIsSeenNoMore() {
  tests::HistoryWriter w;
  w.acquire(0, w.a, 1);
  w.add(7000, w.store, EventKind::kUnobservedBegan);
  w.history.now = tests::at_ms(60'000);
  Cast cast;
  cast.reset(tests::gc_pause_facts().legend.contenders);
  cast.sync(w.history);
  ContendersModel contenders;
  contenders.setHistory(&w.history, &cast);
  const QModelIndex held = contenders.index(0, ContendersModel::kHeld);
  QCOMPARE(held.data().toString(), spanText(7s));
  w.add(61'000, w.store, EventKind::kUnobservedEnded);
  w.add(61'000, w.a, EventKind::kExpired, 1).lo = tests::at_ms(7000);
  contenders.sync();
  QCOMPARE(held.data().toString(), spanText(7s));
  // One that was kept all the time held all the time.
  w.acquire(61'500, w.a, 2);
  w.add(62'000, w.store, EventKind::kUnobservedBegan);
  w.add(63'000, w.store, EventKind::kUnobservedEnded);
  w.add(63'000, w.a, EventKind::kRenewed, 2, tests::ms(7000));
  w.add(64'500, w.a, EventKind::kReleased, 2);
  contenders.sync();
  QCOMPARE(held.data().toString(), spanText(10s));
}

void ModelsTest::theEventChosenStaysChosenInEveryOrder_data() {
  QTest::addColumn<int>("column");
  QTest::addColumn<bool>("down");
  QTest::addColumn<QString>("filter");
  for (const int column : {EventsModel::kTime, EventsModel::kKind, EventsModel::kWho})
    for (const bool down : {false, true})
      for (const char* filter : {"", "a"})
        QTest::addRow("column %d %s %s", column, down ? "down" : "up", filter)
            << column << down << QString::fromLatin1(filter);
}
// ... while the run grows: the row goes where its event goes.
void ModelsTest::theEventChosenStaysChosenInEveryOrder() {
  QFETCH(int, column);
  QFETCH(bool, down);
  QFETCH(QString, filter);
  VirtualRun run = runOf("gc-pause");
  Cast cast;
  cast.reset(run.scenario().contender_names());
  run.advance(TrueTime{} + 10s);
  cast.sync(run.history());
  EventsModel events;
  QAbstractItemModelTester tester(&events, kFatal);
  events.setHistory(&run.history(), &cast);
  events.setFilter(filter);
  const QPersistentModelIndex chosen = events.index(5, EventsModel::kNumber);
  const QString number = chosen.data().toString();
  int resets = 0;
  connect(&events, &QAbstractItemModel::modelReset, this, [&] { ++resets; });
  events.sort(column, down ? Qt::DescendingOrder : Qt::AscendingOrder);
  QVERIFY(chosen.isValid());
  QCOMPARE(chosen.data().toString(), number);
  int rows = events.rowCount();
  for (const TrueTime until : {TrueTime{} + 20s, TrueTime{} + 40s, TrueTime::max()}) {
    run.advance(until);
    cast.sync(run.history());
    events.sync();
    QVERIFY(events.rowCount() > rows);
    rows = events.rowCount();
    QVERIFY(chosen.isValid());
    QCOMPARE(chosen.data().toString(), number);
  }
  QCOMPARE(resets, 0);
  // ... and the order is the one that is made at once.
  EventsModel fresh;
  fresh.setHistory(&run.history(), &cast);
  fresh.setFilter(filter);
  fresh.sort(column, down ? Qt::DescendingOrder : Qt::AscendingOrder);
  QCOMPARE(events.rowCount(), fresh.rowCount());
  for (int row = 0; row < rows; ++row)
    QCOMPARE(events.index(row, EventsModel::kNumber).data(), fresh.index(row, EventsModel::kNumber).data());
}

void ModelsTest::numbersAreWrittenForPeople() {
  QCOMPARE(spanText(3811ms), QStringLiteral("3.811 s"));
  QCOMPARE(spanText(188ms), QStringLiteral("188 ms"));
  QCOMPARE(spanText(500us), QStringLiteral("0.5 ms"));
  QCOMPARE(secondsText(Duration(-3640ms)), QString::fromUtf8("−3.640"));
  QCOMPARE(countText(1209), QString::fromUtf8("1\u2009209"));
  QCOMPARE(countText(999), QStringLiteral("999"));
  QCOMPARE(tokenText(33), QStringLiteral("#33"));
  QCOMPARE(tokenText(kNoToken), QStringLiteral("no token"));
}

LEASESCOPE_SUITE(ModelsTest)
#include "models_test.moc"
