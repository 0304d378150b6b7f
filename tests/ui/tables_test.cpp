// The tables, the search and marks of the scenario list, what menus look like, help and about.
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QDockWidget>
#include <QHeaderView>
#include <QHelpEvent>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QScrollBar>
#include <QSignalSpy>
#include <QToolTip>

#include "simulator/scenario/catalogue.h"
#include "simulator/scenario/reader.h"
#include "tests/support/window_suite.h"
#include "ui/lab/prospects.h"
#include "ui/lab/scenario_panel.h"
#include "ui/lab/values_panel.h"
#include "ui/models/foretold.h"
#include "ui/models/words.h"
#include "ui/panels/parts.h"
#include "ui/panels/results_panel.h"
#include "ui/panels/timeline_page.h"
#include "ui/timeline/timeline_view.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

QString cell(const Table* table, int row, int column) { return table->model()->index(row, column).data().toString(); }

// The text of a built-in scenario, as a reader keeps it in a file of their own.
QString writtenText(const char* name) {
  for (const BuiltIn& builtIn : built_in_scenarios())
    if (std::string_view(builtIn.name) == name) return fromText(builtIn.toml);
  return {};
}

// Writes it there and opens it, so that it stands in the list.
void keep(ScenarioListModel& list, const QString& path, const QString& toml) {
  QFile file(path);
  QVERIFY(!toml.isEmpty() && file.open(QIODevice::WriteOnly));
  file.write(toml.toUtf8());
  file.close();
  const auto scenario = read_scenario(toml.toStdString(), path.toStdString());
  QVERIFY(scenario.has_value());
  list.addFile(path, *scenario);
}

QStringList scenariosFor(TestWindow& window, const QString& search) {
  window.scenarios()->search()->setText(search);
  QStringList out;
  const auto* model = window.scenarios()->list()->model();
  for (int row = 0; row < model->rowCount(); ++row) out << model->index(row, 0).data().toString();
  return out;
}

}  // namespace

class TablesTest : public WindowSuite {
  Q_OBJECT
 private slots:
  void initTestCase();
  void everyTableIsSortedByAClickOnItsHeader();
  void whoHoldsHasALeaseThatRunsDown();
  void aRowIsCopiedAsTextAndAsCsv();
  void theMenuOfARowOffersWhatCanBeDoneWithIt();
  void whoIsChosenIsScrolledTo();
  void theFocusedRowHasOneFrame();
  void theWholeRowUnderThePointerIsShaded();
  void whatIsCutIsToldWhole();
  void scenariosAreFoundByWhatGoesWrongInThem_data();
  void scenariosAreFoundByWhatGoesWrongInThem();
  void theMarksAreThoseOfTheOutcome();
  void aScenarioThatIsWrittenAnewIsRunAnew();
  void aLargeFleetIsNotRunForItsMarks();
  void whichCanRunLiveIsShown();
  void theScenariosTextIsOnTheScreen();
  void helpIsAPanelAndAboutNamesTheVersion();
  void helpLeavesTheOtherPanelsTheirSizes();
  void menusHaveAFrameAndOneOfManyIsRadio();
  void longNamesPushNothingOut();
};

void TablesTest::initTestCase() {
  WindowSuite::initTestCase();
  Look::instance().choose(ThemeChoice::kLight);
}

void TablesTest::everyTableIsSortedByAClickOnItsHeader() {
  TestWindow window;
  runToItsEnd(window);
  const auto click = [](Table* table, int column) {
    QHeaderView* header = table->horizontalHeader();
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                      QPoint(header->sectionViewportPosition(column) + 20, header->height() / 2));
  };
  window.results()->showTab(2);
  Table* events = window.results()->eventTable();
  const QString first = cell(events, 0, EventsModel::kNumber);
  click(events, EventsModel::kTime);  // they are in its order: the other way round
  QVERIFY(cell(events, 0, EventsModel::kNumber) != first);
  QCOMPARE(cell(events, events->model()->rowCount() - 1, EventsModel::kNumber), first);
  click(events, EventsModel::kKind);
  QStringList kinds;
  for (int row = 0; row < events->model()->rowCount(); ++row) {
    const QString kind = cell(events, row, EventsModel::kKind);
    if (kinds.isEmpty() || kinds.last() != kind) kinds << kind;
  }
  QCOMPARE(QSet<QString>(kinds.begin(), kinds.end()).size(), kinds.size());  // each in one piece

  window.results()->showTab(1);
  Table* contenders = window.results()->contenderTable();
  click(contenders, ContendersModel::kHeld);
  const auto held = [&](int row) {
    return contenders->model()->index(row, ContendersModel::kHeld).data(kSortRole).toLongLong();
  };
  QCOMPARE(contenders->model()->rowCount(), 3);
  QVERIFY(held(0) <= held(1) && held(1) <= held(2));
  click(contenders, ContendersModel::kHeld);
  QVERIFY(held(0) >= held(1) && held(1) >= held(2) && held(0) > held(2));
}

void TablesTest::whoHoldsHasALeaseThatRunsDown() {
  TestWindow window;
  runToItsEnd(window);
  const QAbstractItemModel* model = window.results()->contenders();
  std::vector<QString> left;
  for (int row = 0; row < 3; ++row) left.push_back(model->index(row, ContendersModel::kLeft).data().toString());
  QCOMPARE(left[0], QStringLiteral("–"));
  QCOMPARE(left[1], QStringLiteral("–"));
  // As at the cursor, which stands at the end.
  const Duration rest = Duration(model->index(2, ContendersModel::kLeft).data(kSortRole).toLongLong());
  QVERIFY(rest > 0s && rest <= 7s);
  QCOMPARE(left[2], spanText(rest));
}

void TablesTest::aRowIsCopiedAsTextAndAsCsv() {
  TestWindow window;
  runToItsEnd(window);
  Table* table = window.results()->incidentTable();
  window.results()->showTab(0);
  table->setCurrentIndex(table->model()->index(0, IncidentsModel::kKind));
  table->setFocus();
  QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
  const QMimeData* copied = QGuiApplication::clipboard()->mimeData();
  QVERIFY(copied);
  const QStringList cells = copied->text().split(u'\t');
  QCOMPARE(cells.size(), 6);  // every column that has a title
  QVERIFY(cells.contains(QStringLiteral("Belief overlap")));
  QVERIFY(copied->text().contains(cell(table, 0, IncidentsModel::kCause)));
  const QString csv = QString::fromUtf8(copied->data(QStringLiteral("text/csv")));
  QCOMPARE(csv.count(u'\n'), 2);
  QVERIFY(csv.startsWith(QStringLiteral("Incident,\"Start, s\",Lasts,Who,Tokens,Cause")));
  table->copyAllAsCsv();
  QCOMPARE(QGuiApplication::clipboard()->text().count(u'\n'), table->model()->rowCount() + 1);
}

void TablesTest::theMenuOfARowOffersWhatCanBeDoneWithIt() {
  TestWindow window;
  runToItsEnd(window);
  window.results()->showTab(2);
  Table* table = window.results()->eventTable();
  const QModelIndex at = table->model()->index(0, EventsModel::kKind);
  const QPoint place = table->visualRect(at).center();
  QContextMenuEvent ask(QContextMenuEvent::Mouse, place, table->viewport()->mapToGlobal(place));
  QApplication::sendEvent(table->viewport(), &ask);
  auto* menu = window.findChild<QMenu*>(QStringLiteral("rowMenu"));
  QVERIFY(menu);
  QStringList entries;
  QAction* only = nullptr;
  for (QAction* action : menu->actions()) {
    entries << action->text();
    if (action->text().startsWith(QStringLiteral("Only"))) only = action;
  }
  QVERIFY(entries.contains(QStringLiteral("Copy row")) && entries.contains(QStringLiteral("Copy row as CSV")));
  QVERIFY(only);
  const int all = table->model()->rowCount();
  only->trigger();
  QVERIFY(table->model()->rowCount() < all);
  menu->close();
}

// A table in another order than the cast's: the one that is chosen, not the one whose place it has.
void TablesTest::whoIsChosenIsScrolledTo() {
  TestWindow window;
  runToItsEnd(window);
  window.results()->showTab(1);
  Table* table = window.results()->contenderTable();
  table->sortByColumn(ContendersModel::kWho, Qt::DescendingOrder);
  QSignalSpy chosen(window.results(), &ResultsPanel::contenderChosen);
  for (int row = 0; row < table->model()->rowCount(); ++row) {
    table->setCurrentIndex(table->model()->index(row, ContendersModel::kName));
    QCOMPARE(chosen.size(), row + 1);
    QCOMPARE(chosen.last().front().toInt(), table->model()->rowCount() - 1 - row);
  }
}

void TablesTest::theFocusedRowHasOneFrame() {
  TestWindow window;
  runToItsEnd(window);
  window.results()->showTab(0);
  Table* table = window.results()->incidentTable();
  table->setCurrentIndex(table->model()->index(1, IncidentsModel::kKind));
  window.activateWindow();
  table->setFocus();
  QTRY_VERIFY(table->hasFocus());
  const QImage image = table->viewport()->grab().toImage();
  const QRect row(0, table->rowViewportPosition(1), table->viewport()->width(), table->rowHeight(1) - 1);
  const QRgb focus = ink().focus.rgb();
  for (int x = 0; x < row.width(); x += 40) QCOMPARE(image.pixel(x, row.top()), focus);
  for (int y = row.top(); y < row.bottom(); y += 4) {
    QCOMPARE(image.pixel(0, y), focus);
    QCOMPARE(image.pixel(row.right(), y), focus);
  }
  // And none between its cells.
  const int inside = table->columnViewportPosition(IncidentsModel::kStart);
  QVERIFY(image.pixel(inside, row.center().y()) != focus);
}

void TablesTest::theWholeRowUnderThePointerIsShaded() {
  TestWindow window;
  runToItsEnd(window);
  window.results()->showTab(2);
  Table* table = window.results()->eventTable();
  const QRect cell = table->visualRect(table->model()->index(2, 1)),
              last = table->visualRect(table->model()->index(2, 5));
  QHoverEvent enters(QEvent::HoverMove, QPointF(cell.center()), QPointF(cell.center()), QPointF());
  QCoreApplication::sendEvent(table->viewport(), &enters);
  const auto shade = [&](const QRect& at, int rows) {
    return table->viewport()->grab().toImage().pixel(at.left() + 3, at.top() + 3 + rows * cell.height());
  };
  QCOMPARE(shade(cell, 0), ink().hover.rgb());
  QCOMPARE(shade(last, 0), ink().hover.rgb());
  QCOMPARE(shade(cell, 1), ink().panel.rgb());
  QHoverEvent leaves(QEvent::HoverLeave, QPointF(-1, -1), QPointF(-1, -1), QPointF(cell.center()));
  QCoreApplication::sendEvent(table->viewport(), &leaves);
  QCOMPARE(shade(cell, 0), ink().panel.rgb());
}

void TablesTest::whatIsCutIsToldWhole() {
  TestWindow window;
  runToItsEnd(window);
  window.results()->showTab(0);
  Table* table = window.results()->incidentTable();
  const QModelIndex cause = table->model()->index(0, IncidentsModel::kCause);
  const auto told = [&] {
    const QPoint at = table->visualRect(cause).center();
    QHelpEvent ask(QEvent::ToolTip, at, table->viewport()->mapToGlobal(at));
    QApplication::sendEvent(table->viewport(), &ask);
    return QToolTip::text();
  };
  QCOMPARE(told(), QString());  // it has room
  table->horizontalHeader()->setSectionResizeMode(IncidentsModel::kCause, QHeaderView::Interactive);
  table->setColumnWidth(IncidentsModel::kCause, 120);
  QCOMPARE(told(), cause.data().toString());
  QToolTip::hideText();
}

void TablesTest::scenariosAreFoundByWhatGoesWrongInThem_data() {
  QTest::addColumn<QString>("search");
  QTest::addColumn<QString>("found");
  QTest::newRow("an incident") << "overlap"
                               << "gc-pause";
  QTest::newRow("leaderless") << "leaderless"
                              << "lock-convoy";
  QTest::newRow("a fault") << "partition"
                           << "owner-partition";
  QTest::newRow("two words in any order") << "overlap pause"
                                          << "gc-pause";
  QTest::newRow("a name") << "leap-strobe"
                          << "leap-strobe";
  QTest::newRow("granted twice") << "double grant"
                                 << "leap-strobe";
}

void TablesTest::scenariosAreFoundByWhatGoesWrongInThem() {
  QFETCH(QString, search);
  QFETCH(QString, found);
  TestWindow window;
  window.show();
  window.prospects()->begin();
  QTRY_VERIFY_WITH_TIMEOUT(window.prospects()->done(), 30'000);
  const QStringList scenarios = scenariosFor(window, search);
  QVERIFY2(scenarios.contains(found), qPrintable(scenarios.join(u' ')));
  QVERIFY(static_cast<std::size_t>(scenarios.size()) < built_in_scenarios().size() * 3 / 4);  // not nearly all
}

void TablesTest::theMarksAreThoseOfTheOutcome() {
  TestWindow window;
  window.show();
  window.prospects()->begin();
  QTRY_VERIFY_WITH_TIMEOUT(window.prospects()->done(), 30'000);
  window.scenarios()->search()->clear();
  const auto* list = window.scenarios()->list()->model();
  for (const char* name :
       {"gc-pause", "healthy", "slow-callbacks", "owner-partition", "dead-waiter", "redis-restart"}) {
    int row = 0;
    while (list->index(row, 0).data().toString() != QLatin1String(name)) QVERIFY(++row < list->rowCount());
    TestWindow other;
    runToItsEnd(other, QString::fromLatin1(name));
    const auto shown = static_cast<Glyph>(list->index(row, 0).data(ScenarioListModel::kWithRole).toInt());
    QVERIFY2(shown == telling(other.lab().history()->incidents), name);
    if (QLatin1String(name) == QLatin1String("gc-pause"))
      QVERIFY(shown == glyph_of(IncidentKind::kStaleWriteRejected));  // as it was foretold
  }
}

void TablesTest::aScenarioThatIsWrittenAnewIsRunAnew() {
  LabController lab;
  ScenarioListModel list;
  Prospects prospects(lab, &list, nullptr);
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("mine.toml"));
  const auto write = [&](const char* name) { keep(list, path, writtenText(name)); };
  write("gc-pause");
  prospects.begin();
  QTRY_VERIFY_WITH_TIMEOUT(prospects.done(), 10'000);
  const auto mark = [&] { return static_cast<Glyph>(list.index(0).data(ScenarioListModel::kWithoutRole).toInt()); };
  QCOMPARE(mark(), glyph_of(IncidentKind::kStaleWriteAccepted));
  const QString search = list.index(0).data(ScenarioListModel::kSearchRole).toString();
  write("healthy");
  QVERIFY(!prospects.done());
  QTRY_VERIFY_WITH_TIMEOUT(prospects.done(), 10'000);
  QCOMPARE(mark(), Glyph::kNone);
  write("gc-pause");
  QTRY_VERIFY_WITH_TIMEOUT(prospects.done(), 10'000);
  QCOMPARE(mark(), glyph_of(IncidentKind::kStaleWriteAccepted));
  QCOMPARE(list.index(0).data(ScenarioListModel::kSearchRole).toString(), search);
}

// Whole worlds are made for it, between two frames.
void TablesTest::aLargeFleetIsNotRunForItsMarks() {
  LabController lab;
  ScenarioListModel list;
  Prospects prospects(lab, &list, nullptr);
  QTemporaryDir folder;
  for (const char* count : {"5000", "4"}) {
    const QString path = folder.filePath(QString::fromLatin1(count) + QStringLiteral(".toml"));
    keep(list, path, writtenText("gc-pause").replace(QStringLiteral("count = 3"), QStringLiteral("count = ") + count));
  }
  QSignalSpy met(&list, &QAbstractItemModel::dataChanged);
  prospects.begin();
  QTRY_VERIFY_WITH_TIMEOUT(prospects.done(), 30'000);
  QCOMPARE(met.size(), 1);
  QCOMPARE(met.front().front().toModelIndex().row(), 1);
}

void TablesTest::whichCanRunLiveIsShown() {
  TestWindow window;
  window.show();
  const QStringList live = scenariosFor(window, QStringLiteral("live"));
  QVERIFY(live.contains(QStringLiteral("healthy")));
  QVERIFY(!live.contains(QStringLiteral("owner-id-reuse")));
}

void TablesTest::theScenariosTextIsOnTheScreen() {
  TestWindow window;
  window.resize(1440, 900);
  window.show();
  window.open(QStringLiteral("gc-pause"));
  auto* about = window.findChild<QLabel*>(QStringLiteral("scenarioAbout"));
  QVERIFY(about && about->isVisible());
  QCOMPARE(about->text(), QString::fromStdString(window.lab().scenario().about));
}

void TablesTest::helpIsAPanelAndAboutNamesTheVersion() {
  QCoreApplication::setApplicationVersion(QStringLiteral("9.8.7 (abcdef0)"));
  TestWindow window;
  show(window);
  auto* legend = window.labPerspective().findChild<QDockWidget*>(QStringLiteral("legendDock"));
  QVERIFY(!legend->isVisible());
  QTest::keyClick(&window, Qt::Key_F1);
  QTRY_VERIFY(legend->isVisible());
  QTest::qWait(20);
  QVERIFY(legend->widget()->width() >= 200 && legend->widget()->height() >= 80);
  QString named;
  for (const QWidget* part : legend->findChildren<QWidget*>()) named += part->accessibleDescription();
  QVERIFY(named.contains(QStringLiteral("late release refused")));
  QTest::keyClick(&window, Qt::Key_F1);
  QVERIFY(!legend->isVisible());
  window.action(WindowAction::kAbout)->trigger();
  auto* box = window.findChild<QMessageBox*>();
  QVERIFY(box && box->text().contains(QStringLiteral("9.8.7 (abcdef0)")));
  box->close();
  window.resize(1920, 1080);
  window.action(WindowAction::kResetLayout)->trigger();
  QVERIFY(legend->isVisible());  // what would be an empty band
}

// What the reader has made wide stays so.
void TablesTest::helpLeavesTheOtherPanelsTheirSizes() {
  TestWindow window;
  show(window);
  const auto dock = [&](const char* name) {
    return window.labPerspective().findChild<QDockWidget*>(QString::fromLatin1(name));
  };
  QDockWidget *values = dock("labOwnDock"), *results = dock("resultsDock");
  window.labPerspective().resizeDocks({values}, {values->width() + 90}, Qt::Horizontal);
  window.labPerspective().resizeDocks({results}, {results->height() + 60}, Qt::Vertical);
  QTest::qWait(20);
  const int width = values->width(), height = results->height();
  QTest::keyClick(&window, Qt::Key_F1);
  QTRY_VERIFY(dock("legendDock")->isVisible());
  QTest::qWait(20);
  QCOMPARE(values->width(), width);
  QCOMPARE(results->height(), height);
  QVERIFY(dock("legendDock")->width() >= 200);
}

void TablesTest::menusHaveAFrameAndOneOfManyIsRadio() {
  TestWindow window;
  window.show();
  for (QAction* top : window.menuBar()->actions()) {
    QMenu* menu = top->menu();
    menu->popup(QPoint(10, 10));
    QTRY_VERIFY(menu->isVisible());
    const QImage image = menu->grab().toImage();
    const QRgb line = ink().line_strong.rgb();
    for (const QPoint corner :
         {QPoint(0, 0), QPoint(image.width() - 1, 0), QPoint(0, image.height() - 1),
          QPoint(image.width() - 1, image.height() - 1), QPoint(image.width() / 2, 0), QPoint(0, image.height() / 2)})
      QCOMPARE(image.pixel(corner), line);
    for (QAction* entry : menu->actions())
      if (!entry->isSeparator()) QVERIFY2(menu->actionGeometry(entry).height() >= 24, qPrintable(entry->text()));
    menu->close();
  }
  for (const QAction* each :
       {window.action(WindowAction::kLight), window.action(WindowAction::kDark), window.action(WindowAction::kSystem),
        window.action(LabAction::kSpeed01), window.action(LabAction::kSpeed1), window.action(LabAction::kSpeed10),
        window.action(LabAction::kSpeedMax)})
    QVERIFY(each->actionGroup() && each->actionGroup()->isExclusive());
}

void TablesTest::longNamesPushNothingOut() {
  const QString longName = QStringLiteral("ledger-of-all-payments-and-of-everything-else-that-is-paid-by-anybody");
  QFile file(home_.filePath(QStringLiteral("long.toml")));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(
      QStringLiteral("schema = 1\ntitle = \"Long\"\nduration = \"20s\"\n[mutex]\nname = \"orders:settlement:nightly:"
                     "region-eu-central-1:a-b-c-d-e\"\nttl = \"5s\"\ntransition = \"2s\"\n[[contender]]\ncount = 3\n"
                     "[[resource]]\nname = \"%1\"\nwrite_every = \"100ms\"\n[[fault]]\nat = \"5s\"\nkind = "
                     "\"pause\"\ntarget = \"owner\"\nduration = \"9s\"\n")
          .arg(longName)
          .toUtf8());
  file.close();
  TestWindow window;
  runToItsEnd(window, file.fileName());
  auto* values = window.valuesPanel();
  QVERIFY2(values->widget()->minimumSizeHint().width() <= values->viewport()->width(),
           qPrintable(QString::number(values->widget()->minimumSizeHint().width())));
  for (const char* name : {"ttl", "jitterFrom", "jitterTo"}) {
    const QLineEdit* field = values->field(QString::fromLatin1(name));
    const QRect place(field->mapTo(values->viewport(), QPoint(0, 0)), field->size());
    QVERIFY2(values->viewport()->rect().adjusted(0, -2000, 0, 2000).contains(place), name);
  }
  QVERIFY(window.view()->strip()->minimumSizeHint().width() < 700);
}

LEASESCOPE_SUITE(TablesTest)
#include "tables_test.moc"
