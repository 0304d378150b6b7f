// The filter of the table of events: how many come in which batches, that a run and a next filter do no harm, what is
// told of an error, completed, undone and copied.
#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QCompleter>
#include <QContextMenuEvent>
#include <QMenu>
#include <QSignalSpy>
#include <QToolButton>

#include "tests/support/window_suite.h"
#include "ui/models/events_model.h"
#include "ui/models/filter_words.h"
#include "ui/models/words.h"
#include "ui/panels/results_panel.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

// Walks over every row at each change: not where there are a million.
constexpr auto kFatal = QAbstractItemModelTester::FailureReportingMode::Fatal;
constexpr std::size_t kMillion = 1'000'000;

// Every fourth event is a grant, the others are renewals; their tokens are their numbers.
void append(History& history, std::size_t count) {
  const Name node = history.names.intern("late"), mutex = history.names.intern("jobs");
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t place = history.events.size();
    Event event;
    event.lo = event.hi = TrueTime(Duration(static_cast<std::int64_t>(place) * 1'000'000));
    event.kind = place % 4 == 0 ? EventKind::kGranted : EventKind::kRenewed;
    event.token = place + 1;
    event.node = node;
    event.mutex = mutex;
    history.events.push_back(event);
  }
  history.now = history.events.back().hi;
}

struct Inserted {
  explicit Inserted(const EventsModel& model) {
    QObject::connect(&model, &QAbstractItemModel::rowsInserted, &context,
                     [this](const QModelIndex&, int first, int last) {
                       ++batches;
                       rows += last - first + 1;
                     });
    QObject::connect(&model, &QAbstractItemModel::modelReset, &context, [this] { batches = rows = 0; });
  }
  QObject context;
  int batches = 0, rows = 0;
};

QString cell(const EventsModel& model, int row, EventsModel::Column column) {
  return model.index(row, column).data().toString();
}

QString message(const ResultsPanel& results) {
  return results.filterProblem()->findChild<QLabel*>(QStringLiteral("problemMessage"))->text();
}

}  // namespace

class EventFilterUiTest : public WindowSuite {
  Q_OBJECT
 private slots:
  void aMillionComeInBatchesAndTakeFourBytesARow();
  void theNextFilterLeavesTheOneBefore();
  void whatIsAppendedMeanwhileIsLookedThroughToo();
  void backwardsInTimeAndInOrderOfTokensTheyAreTheSame();
  void whoGetsALetterLateIsFoundByItAll();
  void whatIsTakenAwayIsForgotten();
  void whatIsNoFilterChangesNothing();
  void anErrorIsToldUnderTheField();
  void fieldsAndValuesAreCompletedByKeys();
  void aRowIsLookedForByTheMouse();
  void theFilterIsUndone();
  void whatIsFilteredIsCopied();
};

void EventFilterUiTest::aMillionComeInBatchesAndTakeFourBytesARow() {
  History history;
  append(history, kMillion);
  Cast cast;
  EventsModel model;
  model.setHistory(&history, &cast);
  QCOMPARE(model.rowCount(), static_cast<int>(kMillion));
  QCOMPARE(model.listBytes(), std::size_t{0});  // all of them, in their order: no list
  const Inserted inserted(model);
  QVERIFY(!model.setFilter(QStringLiteral("kind:granted")));
  QVERIFY(model.looks());  // it has not been waited for
  QCOMPARE(model.rowCount(), 0);
  QTRY_VERIFY_WITH_TIMEOUT(!model.looks(), kPatience);
  QCOMPARE(model.rowCount(), static_cast<int>(kMillion / 4));
  QCOMPARE(inserted.rows, model.rowCount());
  const int slices = static_cast<int>((kMillion + EventScan::kSlice - 1) / EventScan::kSlice);
  QCOMPARE(inserted.batches, slices);
  QCOMPARE(model.listBytes(), 4 * kMillion / 4);
  for (const int row : {0, 1, 20'000, 249'999})
    QCOMPARE(cell(model, row, EventsModel::kToken), tokenText(static_cast<Token>(row) * 4 + 1));
  QVERIFY(!model.setFilter({}));
  QCOMPARE(model.rowCount(), static_cast<int>(kMillion));
  QCOMPARE(model.listBytes(), std::size_t{0});
}

void EventFilterUiTest::theNextFilterLeavesTheOneBefore() {
  History history;
  append(history, kMillion);
  Cast cast;
  EventsModel model;
  model.setHistory(&history, &cast);
  const Inserted inserted(model);
  for (const char* typed : {"kind:granted", "kind:renewed", "kind:granted token:>900000", "token:900001..900010"})
    QVERIFY(!model.setFilter(QString::fromLatin1(typed)));
  QTRY_VERIFY_WITH_TIMEOUT(!model.looks(), kPatience);
  QCOMPARE(model.rowCount(), 10);
  QCOMPARE(inserted.batches, 1);  // nothing comes of those that were left
  QCOMPARE(cell(model, 0, EventsModel::kToken), tokenText(900'001));
}

void EventFilterUiTest::whatIsAppendedMeanwhileIsLookedThroughToo() {
  History history;
  append(history, 100'000);
  Cast cast;
  EventsModel model;
  QAbstractItemModelTester tester(&model, kFatal);
  model.setHistory(&history, &cast);
  QVERIFY(!model.setFilter(QStringLiteral("kind:granted")));
  // The list of events moves in memory while a slice of it is matched.
  for (int i = 0; i < 10; ++i) {
    append(history, 10'000);
    model.sync(true);
    QTest::qWait(1);
  }
  QTRY_VERIFY_WITH_TIMEOUT(!model.looks(), kPatience);
  model.sync(true);
  QTRY_VERIFY_WITH_TIMEOUT(!model.looks(), kPatience);
  QCOMPARE(model.rowCount(), 50'000);
  // A few are there at once.
  append(history, 400);
  model.sync(true);
  QVERIFY(!model.looks());
  QCOMPARE(model.rowCount(), 50'100);
  for (int row = 0; row < model.rowCount(); row += 997)
    QCOMPARE(cell(model, row, EventsModel::kToken), tokenText(static_cast<Token>(row) * 4 + 1));
}

void EventFilterUiTest::backwardsInTimeAndInOrderOfTokensTheyAreTheSame() {
  History history;
  append(history, 100'000);
  Cast cast;
  EventsModel model;
  QAbstractItemModelTester tester(&model, kFatal);
  model.setHistory(&history, &cast);
  model.sort(EventsModel::kTime, Qt::DescendingOrder);
  QVERIFY(!model.setFilter(QStringLiteral("kind:granted")));
  QTRY_VERIFY_WITH_TIMEOUT(!model.looks(), kPatience);
  QCOMPARE(model.rowCount(), 25'000);
  QCOMPARE(cell(model, 0, EventsModel::kToken), tokenText(99'997));
  QCOMPARE(cell(model, 24'999, EventsModel::kToken), tokenText(1));
  model.sort(EventsModel::kToken, Qt::DescendingOrder);
  QCOMPARE(cell(model, 0, EventsModel::kToken), tokenText(99'997));
  QVERIFY(!model.setFilter(QStringLiteral("-kind:granted")));
  QTRY_VERIFY_WITH_TIMEOUT(!model.looks() && !model.arranges(), kPatience);
  QCOMPARE(model.rowCount(), 75'000);
  QCOMPARE(cell(model, 0, EventsModel::kToken), tokenText(100'000));
  QCOMPARE(cell(model, 74'999, EventsModel::kToken), tokenText(2));
}

// Its first events came before it was known for a contender, and were looked through then.
void EventFilterUiTest::whoGetsALetterLateIsFoundByItAll() {
  History history;
  append(history, 3);
  Cast cast;
  EventsModel model;
  QAbstractItemModelTester tester(&model, kFatal);
  model.setHistory(&history, &cast);
  QVERIFY(!model.setFilter(QStringLiteral("by:a")));
  QCOMPARE(model.rowCount(), 0);
  QVERIFY(cast.sync(history));  // it is "A"
  model.sync(true);
  QCOMPARE(model.rowCount(), 3);
}

void EventFilterUiTest::whatIsTakenAwayIsForgotten() {
  History history, other;
  append(history, 100'000);
  append(other, 100);
  Cast cast;
  EventsModel model;
  QAbstractItemModelTester tester(&model, kFatal);
  model.setHistory(&history, &cast);
  QVERIFY(!model.setFilter(QStringLiteral("kind:granted")));
  QVERIFY(model.looks());
  model.setHistory(&other, &cast);
  QVERIFY(!model.looks());
  QCOMPARE(model.rowCount(), 25);
  QTest::qWait(50);
  QCOMPARE(model.rowCount(), 25);
  model.setHistory(nullptr, nullptr);
  QCOMPARE(model.rowCount(), 0);
}

void EventFilterUiTest::whatIsNoFilterChangesNothing() {
  History history;
  append(history, 100);
  Cast cast;
  EventsModel model;
  QAbstractItemModelTester tester(&model, kFatal);
  model.setHistory(&history, &cast);
  QVERIFY(!model.setFilter(QStringLiteral("kind:granted")));
  const QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
  const auto error = model.setFilter(QStringLiteral("kind:granted time:x"));
  QVERIFY(error.has_value());
  QCOMPARE(error->column, std::size_t{19});
  QCOMPARE(model.rowCount(), 25);
  QVERIFY(!model.setFilter(QStringLiteral("kind:granted ")));
  QCOMPARE(resets.count(), 0);
}

void EventFilterUiTest::anErrorIsToldUnderTheField() {
  TestWindow window;
  runToItsEnd(window);
  ResultsPanel& results = *window.results();
  results.showTab(ResultsPanel::kEvents);
  QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier);
  QLineEdit* filter = results.filter();
  QVERIFY(filter->hasFocus());
  QTest::keyClicks(filter, QStringLiteral("granted"));
  const int granted = results.events()->rowCount();
  QVERIFY(granted > 0);
  filter->insert(QStringLiteral(" time:"));  // at once, as it is pasted: nothing of it can be read
  QTest::keyClick(filter, Qt::Key_X);
  QVERIFY(results.filterProblem()->isHidden());  // nobody is told in the middle of a word
  QTest::keyClick(filter, Qt::Key_Return);
  QVERIFY(results.filterProblem()->isVisible());
  QVERIFY2(message(results).startsWith(QStringLiteral("Column 14: a time was expected, as 1.2s.")),
           qPrintable(message(results)));
  QCOMPARE(results.events()->rowCount(), granted);  // as of what could be read last
  // Over another table it is of no concern.
  results.showTab(ResultsPanel::kIncidents);
  QVERIFY(results.filterProblem()->isHidden());
  results.showTab(ResultsPanel::kEvents);
  QVERIFY(results.filterProblem()->isVisible());
  // By the mouse it is shut.
  QToolButton* shut = nullptr;
  for (QToolButton* button : results.filterProblem()->findChildren<QToolButton*>())
    if (button->toolTip() == QStringLiteral("Dismiss")) shut = button;
  QVERIFY(shut != nullptr);
  QTest::mouseClick(shut, Qt::LeftButton);
  QVERIFY(results.filterProblem()->isHidden());
  // Who rests is told without a key; what is mended is gone.
  QTest::keyClick(filter, Qt::Key_Y);
  QTRY_VERIFY(results.filterProblem()->isVisible());
  QTest::keyClick(filter, Qt::Key_Backspace);
  QTest::keyClick(filter, Qt::Key_Backspace);
  QTest::keyClicks(filter, QStringLiteral(">0s"));
  QVERIFY(results.filterProblem()->isHidden());
}

void EventFilterUiTest::fieldsAndValuesAreCompletedByKeys() {
  TestWindow window;
  runToItsEnd(window);
  ResultsPanel& results = *window.results();
  results.showTab(ResultsPanel::kEvents);
  results.focusFilter();
  QLineEdit* filter = results.filter();
  QVERIFY(filter->hasFocus());
  QAbstractItemView* offered = filter->completer()->popup();
  QTest::keyClicks(filter, QStringLiteral("-ki"));
  QVERIFY(offered->isVisible());
  QTest::keyClick(offered, Qt::Key_Down);
  QTest::keyClick(offered, Qt::Key_Return);
  QCOMPARE(filter->text(), QStringLiteral("-kind:"));
  QTRY_VERIFY(offered->isVisible());  // its values come by themselves
  QTest::keyClicks(filter, QStringLiteral("att"));
  QVERIFY(offered->isVisible());
  QTest::keyClick(offered, Qt::Key_Down);
  QTest::keyClick(offered, Qt::Key_Return);
  QCOMPARE(filter->text(), QStringLiteral("-kind:\"attempt lost\""));
  const int others = results.events()->rowCount(), all = static_cast<int>(window.lab().history()->events.size());
  QVERIFY(others > 0 && others < all);
  // What does not occur is not offered; what does is, once.
  FilterWords words;
  words.setHistory(window.lab().history(), &window.lab().cast());
  while (words.read(), words.reads()) {
  }
  const QStringList kinds = words.words(QStringLiteral("kind:"));
  QVERIFY(kinds.contains(QStringLiteral("kind:granted")));
  QVERIFY(!kinds.contains(QStringLiteral("kind:elected")));
  const QStringList who = words.words(QStringLiteral("x by:"));
  for (int place = 0; place < window.lab().cast().size(); ++place) {
    QVERIFY(who.contains(QStringLiteral("by:") + fromText(window.lab().cast().name(place))));
    QVERIFY(who.contains(QStringLiteral("by:") + Cast::letter(place)));
  }
  QCOMPARE(words.words(QStringLiteral("mutex:")).size(), 1);
  QVERIFY(words.words(QString()).contains(QStringLiteral("outcome:")));
}

void EventFilterUiTest::aRowIsLookedForByTheMouse() {
  TestWindow window;
  runToItsEnd(window);
  ResultsPanel& results = *window.results();
  results.showTab(ResultsPanel::kEvents);
  Table* table = results.eventTable();
  const QModelIndex at = table->model()->index(0, EventsModel::kKind);
  const QString kind = at.data().toString();
  const QPoint place = table->visualRect(at).center();
  QContextMenuEvent ask(QContextMenuEvent::Mouse, place, table->viewport()->mapToGlobal(place));
  QApplication::sendEvent(table->viewport(), &ask);
  auto* menu = window.findChild<QMenu*>(QStringLiteral("rowMenu"));
  QVERIFY(menu != nullptr);
  QAction* only = nullptr;
  for (QAction* action : menu->actions())
    if (action->text().startsWith(QStringLiteral("Only"))) only = action;
  QVERIFY(only != nullptr);
  QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(only).center());
  QCOMPARE(results.filter()->text(), FilterWords::written(QStringLiteral("kind:") + kind));
  const int rows = table->model()->rowCount();
  QVERIFY(rows > 0 && rows < static_cast<int>(window.lab().history()->events.size()));
  for (int row = 0; row < rows; ++row)
    QVERIFY(table->model()->index(row, EventsModel::kKind).data().toString().startsWith(kind));
}

void EventFilterUiTest::theFilterIsUndone() {
  TestWindow window;
  runToItsEnd(window);
  ResultsPanel& results = *window.results();
  results.showTab(ResultsPanel::kEvents);
  const int all = results.events()->rowCount();
  results.focusFilter();
  QTest::keyClicks(results.filter(), QStringLiteral("kind:granted"));
  const int granted = results.events()->rowCount();
  QVERIFY(granted > 0 && granted < all);
  results.showTab(ResultsPanel::kIncidents);
  QVERIFY(window.action(LabAction::kUndo)->text().contains(QStringLiteral("filter")));
  window.action(LabAction::kUndo)->trigger();  // all that was typed; over its table
  QCOMPARE(results.tabs()->currentIndex(), static_cast<int>(ResultsPanel::kEvents));
  QCOMPARE(results.filter()->text(), QString());
  QCOMPARE(results.events()->rowCount(), all);
  window.action(LabAction::kRedo)->trigger();
  QCOMPARE(results.filter()->text(), QStringLiteral("kind:granted"));
  QCOMPARE(results.events()->rowCount(), granted);
}

void EventFilterUiTest::whatIsFilteredIsCopied() {
  TestWindow window;
  runToItsEnd(window);
  ResultsPanel& results = *window.results();
  results.showTab(ResultsPanel::kEvents);
  results.filter()->setText(QStringLiteral("kind:granted token:2.."));
  Table* table = results.eventTable();
  QVERIFY(table->model()->rowCount() > 0);
  table->copyAllAsCsv();
  const QStringList lines = QGuiApplication::clipboard()->text().split(u'\n', Qt::SkipEmptyParts);
  QCOMPARE(lines.size(), table->model()->rowCount() + 1);
  for (qsizetype i = 1; i < lines.size(); ++i) {
    QVERIFY2(lines[i].contains(QStringLiteral("granted")), qPrintable(lines[i]));
    QVERIFY2(!lines[i].contains(QStringLiteral(",#1,")), qPrintable(lines[i]));
  }
}

LEASESCOPE_SUITE(EventFilterUiTest)
#include "event_filter_test.moc"
