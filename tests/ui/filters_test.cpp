// Filters of the results' tables: which rows remain, what is completed, and that what goes chooses nothing.
#include <QCompleter>
#include <QContextMenuEvent>
#include <QMenu>
#include <QSignalSpy>

#include "tests/support/window_suite.h"
#include "ui/panels/results_panel.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

QString cell(const Table* table, int row, int column) { return table->model()->index(row, column).data().toString(); }

}  // namespace

class FiltersTest : public WindowSuite {
  Q_OBJECT
 private slots:
  void theEventsAreFilteredByKindWhoAndToken() {
    TestWindow window;
    runToItsEnd(window);
    window.results()->showTab(2);
    Table* events = window.results()->eventTable();
    const int all = events->model()->rowCount();
    const auto filtered = [&](const char* words) {
      window.results()->filter()->setText(QString::fromLatin1(words));
      return events->model()->rowCount();
    };
    const int granted = filtered("granted");
    QVERIFY(granted > 0 && granted < all / 4);
    for (int row = 0; row < granted; ++row)
      QVERIFY2(cell(events, row, EventsModel::kKind).contains(QStringLiteral("granted")),
               qPrintable(cell(events, row, 3)));
    const int second = filtered("granted #2");
    QCOMPARE(second, 1);
    QCOMPARE(cell(events, 0, EventsModel::kToken), QStringLiteral("#2"));
    const int ofB = filtered("b");
    QVERIFY(ofB > 0 && ofB < all);
    QVERIFY(window.results()->tabs()->tabText(2).contains(QStringLiteral("of")));
    QCOMPARE(filtered("no such thing"), 0);
    QCOMPARE(filtered(""), all);
    // While a run goes on the filter holds for what is new.
    QCOMPARE(filtered("granted"), granted);
    window.lab().restart();
    QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kFinished, kPatience);
    QCOMPARE(events->model()->rowCount(), granted);
  }

  void aFilterHoldsForItsOwnTable() {
    TestWindow window;
    runToItsEnd(window);
    window.results()->showTab(0);
    const int incidents = window.results()->incidentTable()->model()->rowCount();
    QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier);
    QVERIFY(window.results()->filter()->hasFocus());
    window.results()->filter()->setText(QStringLiteral("overlap pause"));
    QCOMPARE(window.results()->incidentTable()->model()->rowCount(), 1);
    window.results()->showTab(1);
    QVERIFY(window.results()->filter()->text().isEmpty());
    QCOMPARE(window.results()->contenderTable()->model()->rowCount(), 3);
    window.results()->showTab(0);
    QCOMPARE(window.results()->filter()->text(), QStringLiteral("overlap pause"));
    window.results()->filter()->clear();
    QCOMPARE(window.results()->incidentTable()->model()->rowCount(), incidents);
  }

  void theLastWordOfAFilterIsCompleted() {
    TestWindow window;
    runToItsEnd(window);
    window.results()->showTab(ResultsPanel::kEvents);
    QLineEdit* filter = window.results()->filter();
    window.results()->focusFilter();
    QTest::keyClicks(filter, QStringLiteral("c3 gra"));
    QCompleter* completer = filter->completer();
    QVERIFY(completer != nullptr);
    QCOMPARE(completer->currentCompletion(), QStringLiteral("c3 granted"));
    QTest::keyClicks(filter, QStringLiteral("nted"));
    QCOMPARE(filter->text(), QStringLiteral("c3 granted"));
    window.results()->showTab(ResultsPanel::kIncidents);
    completer->setCompletionPrefix(QStringLiteral("bel"));
    QCOMPARE(completer->currentCompletion(), QStringLiteral("Belief overlap"));
  }

  // The current row of a table moves by itself where its row goes: nobody has chosen the one it comes to, and what
  // would follow from a choice would change the rows in the middle of their change.
  void whatAFilterTakesAwayChoosesNothing() {
    TestWindow window;
    runToItsEnd(window);
    ResultsPanel& results = *window.results();
    results.showTab(ResultsPanel::kIncidents);
    Table& table = *results.incidentTable();
    const int rows = table.model()->rowCount();
    const QString first = cell(&table, 0, IncidentsModel::kKind);
    QString other;
    for (int row = 1; row < rows && (other.isEmpty() || other == first); ++row)
      other = cell(&table, row, IncidentsModel::kKind);
    QVERIFY2(!other.isEmpty() && other != first, "the run has incidents of two kinds");
    table.setCurrentIndex(table.model()->index(0, IncidentsModel::kKind));
    const int chosen = window.lab().selectedIncident();
    QVERIFY(chosen >= 0);
    const QSignalSpy led(&results, &ResultsPanel::incidentChosen);
    results.filter()->setText(other);
    QVERIFY(table.model()->rowCount() > 0 && table.model()->rowCount() < rows);
    QCOMPARE(window.lab().selectedIncident(), chosen);
    QCOMPARE(led.count(), 0);
    QVERIFY(!table.currentIndex().isValid());
    results.filter()->clear();
    QCOMPARE(window.lab().selectedIncident(), chosen);
    QCOMPARE(cell(&table, table.currentIndex().row(), IncidentsModel::kKind), first);
    // Of contenders likewise.
    results.showTab(ResultsPanel::kContenders);
    Table& contenders = *results.contenderTable();
    contenders.setCurrentIndex(contenders.model()->index(0, ContendersModel::kName));
    const QSignalSpy shown(&results, &ResultsPanel::contenderChosen);
    results.filter()->setText(cell(&contenders, contenders.model()->rowCount() - 1, ContendersModel::kName));
    QCOMPARE(shown.count(), 0);
  }

  // Whatever cell is asked for, its own row is among those that remain.
  void onlyRowsLikeThisOneAreSome() {
    TestWindow window;
    runToItsEnd(window);
    window.results()->showTab(2);
    Table* table = window.results()->eventTable();
    int offered = 0;
    for (const int row : {0, 5, 20, 60}) {
      for (int column = 0; column < EventsModel::kColumns; ++column) {
        const QModelIndex at = table->model()->index(row, column);
        if (table->isColumnHidden(column)) continue;
        const QString number = cell(table, row, EventsModel::kNumber);
        table->scrollTo(at);
        const QPoint place = table->visualRect(at).center();
        QContextMenuEvent ask(QContextMenuEvent::Mouse, place, table->viewport()->mapToGlobal(place));
        QApplication::sendEvent(table->viewport(), &ask);
        auto* menu = window.findChild<QMenu*>(QStringLiteral("rowMenu"));
        QVERIFY(menu);
        for (QAction* action : menu->actions()) {
          if (!action->text().startsWith(QStringLiteral("Only"))) continue;
          ++offered;
          const QString text = action->text();
          action->trigger();
          bool found = false;
          for (int i = 0; i < table->model()->rowCount() && !found; ++i)
            found = cell(table, i, EventsModel::kNumber) == number;
          QVERIFY2(found, qPrintable(text));
          break;
        }
        delete menu;
        window.results()->filter()->clear();
      }
    }
    QVERIFY(offered > 8);
  }
};

LEASESCOPE_SUITE(FiltersTest)
#include "filters_test.moc"
