// Rows as a reader wants them: pinned, hidden, moved, filtered, by mouse and again by keys; undone; and nothing that is
// hidden is forgotten.
#include <rapidcheck.h>

#include <QContextMenuEvent>
#include <QMenu>
#include <QScrollBar>

#include "tests/support/window_suite.h"
#include "tests/ui/lane_histories.h"
#include "ui/models/words.h"
#include "ui/notes/notebook.h"
#include "ui/panels/results_panel.h"
#include "ui/panels/rows_bar.h"
#include "ui/timeline/paint/hit.h"
#include "ui/timeline/paint/marks.h"
#include "ui/timeline/timeline_view.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

QStringList drawn(const ChartData& data, const ChartLayout& layout) {
  QStringList names;
  for (const RowBox& row : layout.rows)
    if (row.kind == RowKind::kContender) names << fromText(data.contenders()[static_cast<std::size_t>(row.index)].name);
  return names;
}

ChartLayout layout_of(const TimelineView& view) {
  return layout_chart(view.data(), view.viewport()->width(), view.rowChoice(),
                      view.viewport()->height() - measures().ruler - measures().incident_rail);
}

QStringList drawn(const TimelineView& view) { return drawn(view.data(), layout_of(view)); }

QPoint head_of(const TimelineView& view, int contender) {
  const ChartLayout layout = layout_of(view);
  const RowBox* row = layout.contender_row(contender);
  return {60, layout.top() + row->y + row->height / 2};
}

QMenu* menu_at(TestWindow& window, QPoint at) {
  TimelineView& chart = *window.view()->timeline();
  QContextMenuEvent event(QContextMenuEvent::Mouse, at, chart.viewport()->mapToGlobal(at));
  QCoreApplication::sendEvent(chart.viewport(), &event);
  return window.labPerspective().findChild<QMenu*>(QStringLiteral("chartRowMenu"));
}

void choose(TestWindow& window, QPoint at, QAction* action) {
  QMenu* menu = menu_at(window, at);
  QVERIFY(menu != nullptr);
  QVERIFY(menu->actions().contains(action));
  action->trigger();
  menu->close();
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

ChartData gc_pause_chart() {
  ChartData data;
  data.reset(gc_pause_facts());
  const HistoryWriter writer = gc_pause_history();
  data.append(writer.history);
  return data;
}

std::string name_of(const ChartData& data, std::size_t contender) { return data.contenders()[contender].name; }

}  // namespace

class ArrangedRowsTest : public WindowSuite {
  Q_OBJECT
 private slots:
  void whoHoldsItIsGoneToByAKey() {
    TestWindow window;
    runToItsEnd(window);
    TimelineView& chart = *window.view()->timeline();
    const std::vector<ContenderRow>& all = chart.data().contenders();
    const auto first = std::find_if(all.begin(), all.end(), [](const auto& each) { return !each.held.empty(); });
    QVERIFY(first != all.end());
    const int holder = static_cast<int>(first - all.begin()), waiter = holder == 0 ? 1 : 0;
    const LeaseSpan held = first->held[0];
    const TrueTime at = held.start.hi + 1ms;
    QCOMPARE(chart.blockerOf(waiter, at), holder);
    chart.setCurrentRow(waiter);
    chart.setCursorTime(at);
    chart.setFocus();
    QTest::keyClick(&chart, Qt::Key_B, Qt::ControlModifier);
    QCOMPARE(chart.currentRow(), holder);
    const auto [from, to] = chart.visibleRange();
    QVERIFY(from <= at && at <= to);
    // Nobody blocks who holds it.
    QTest::keyClick(&chart, Qt::Key_B, Qt::ControlModifier);
    QCOMPARE(chart.currentRow(), holder);
  }
  void byTheMouseARowIsPinnedHiddenMovedAndUndone() {
    TestWindow window;
    runToItsEnd(window);
    TimelineView& chart = *window.view()->timeline();
    QCOMPARE(drawn(chart), QStringList({"c1", "c2", "c3"}));
    choose(window, head_of(chart, 2), window.action(ChartAction::kPinRow));
    QCOMPARE(drawn(chart), QStringList({"c3", "c1", "c2"}));
    choose(window, head_of(chart, 0), window.action(ChartAction::kRowDown));
    QCOMPARE(drawn(chart), QStringList({"c3", "c2", "c1"}));
    choose(window, head_of(chart, 1), window.action(ChartAction::kHideRow));
    QCOMPARE(drawn(chart), QStringList({"c3", "c1"}));
    RowsBar* bar = window.view()->rows();
    QVERIFY(bar->isVisible());
    QVERIFY2(bar->text().startsWith(QStringLiteral("1 row hidden, part of ")), qPrintable(bar->text()));
    for (QToolButton* button : bar->findChildren<QToolButton*>())
      if (button->defaultAction() == window.action(ChartAction::kShowRows)) QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(drawn(chart), QStringList({"c3", "c2", "c1"}));
    QVERIFY(!bar->isVisible());
    for (const QStringList& before : {QStringList({"c3", "c1"}), QStringList({"c3", "c2", "c1"}),
                                      QStringList({"c3", "c1", "c2"}), QStringList({"c1", "c2", "c3"})}) {
      window.action(LabAction::kUndo)->trigger();
      QCOMPARE(drawn(chart), before);
    }
  }

  void byKeysAlone() {
    TestWindow window;
    runToItsEnd(window);
    TimelineView& chart = *window.view()->timeline();
    chart.setFocus();
    QVERIFY(!window.action(ChartAction::kHideRow)->isEnabled());
    QTest::keyClick(&chart, Qt::Key_Down, Qt::ControlModifier);
    QCOMPARE(chart.currentRow(), 0);
    QTest::keyClick(&chart, Qt::Key_Down, Qt::ControlModifier);
    QTest::keyClick(&chart, Qt::Key_Down, Qt::ControlModifier);
    QTest::keyClick(&chart, Qt::Key_Down, Qt::ControlModifier);
    QCOMPARE(chart.currentRow(), 2);
    QTest::keyClick(&chart, Qt::Key_P);
    QCOMPARE(drawn(chart), QStringList({"c3", "c1", "c2"}));
    QVERIFY(plainText(*window.action(ChartAction::kPinRow)).startsWith(QStringLiteral("Unpin")));
    QTest::keyClick(&chart, Qt::Key_Down, Qt::ControlModifier);
    QTest::keyClick(&chart, Qt::Key_Down, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(drawn(chart), QStringList({"c3", "c2", "c1"}));
    QTest::keyClick(&chart, Qt::Key_H);
    QTest::keyClick(&chart, Qt::Key_H);
    QCOMPARE(drawn(chart).size(), 1);
    QTest::keyClick(&chart, Qt::Key_H, Qt::ShiftModifier);
    QCOMPARE(drawn(chart).size(), 3);
    // Typed: one step back, however many letters.
    QTest::keyClick(&chart, Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    QLineEdit* words = window.view()->rows()->words();
    QTRY_VERIFY(words->hasFocus());
    window.action(ChartAction::kResetRows)->trigger();
    const int steps = window.lab().undo().index();
    QTest::keyClicks(words, QStringLiteral("c2 ord"));
    QCOMPARE(drawn(chart), QStringList({"c2"}));
    QCOMPARE(window.lab().undo().index(), steps + 1);
    QTest::keyClick(words, Qt::Key_Return);
    QVERIFY(chart.hasFocus());
    QTest::keyClick(&chart, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(drawn(chart), QStringList({"c1", "c2", "c3"}));
    QCOMPARE(words->text(), QString());
    QTest::keyClick(&chart, Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    QTest::keyClicks(words, QStringLiteral("nobody"));
    QVERIFY(drawn(chart).isEmpty());
    QVERIFY2(window.view()->rows()->text().startsWith(QStringLiteral("3 rows hidden, part of ")),
             qPrintable(window.view()->rows()->text()));
    QTest::keyClick(words, Qt::Key_Escape);
    QCOMPARE(drawn(chart).size(), 3);
    QVERIFY(!window.view()->rows()->isVisible());
  }

  void onlyThoseAreLeftWhoArePartOfSuchAnIncident() {
    TestWindow window;
    runToItsEnd(window);
    TimelineView& chart = *window.view()->timeline();
    QComboBox* kinds = window.view()->rows()->kinds();
    window.action(ChartAction::kFindRow)->trigger();
    kinds->setCurrentIndex(kinds->findText(fromText(title(IncidentKind::kBeliefOverlap))));
    emit_activated(kinds);
    QStringList wrong;
    for (const Incident& incident : window.lab().history()->incidents)
      if (incident.kind == IncidentKind::kBeliefOverlap)
        for (const Name who : incident.contenders) wrong << fromText(window.lab().history()->names.text(who));
    wrong.sort();
    wrong.removeDuplicates();
    QCOMPARE(drawn(chart), wrong);
    QVERIFY(wrong.size() < 3);
  }

  // However rows are arranged every incident has its place in the rail, every contender a row or a place in a count.
  void nobodyAndNoIncidentIsLost() {
    const ChartData data = gc_pause_chart();
    const bool held = rc::check("rows", [&] {
      RowChoice rows;
      const auto some = [&](std::vector<std::string>& names) {
        for (int i = *rc::gen::inRange(0, 4); i > 0; --i)
          names.push_back(*rc::gen::element<std::string>(name_of(data, 0), name_of(data, 1), "nobody"));
      };
      some(rows.pinned);
      some(rows.hidden);
      some(rows.order);
      rows.by_relevance = *rc::gen::arbitrary<bool>();
      rows.filter.words = *rc::gen::element<std::string>("", "c", name_of(data, 1), "nobody");
      rows.filter.mutex = *rc::gen::element<std::string>("", data.mutexes()[0].name, "no such");
      if (*rc::gen::arbitrary<bool>())
        rows.filter.kind = kAllIncidentKinds[static_cast<std::size_t>(*rc::gen::inRange(0, kIncidentKinds))];
      const ChartLayout layout = layout_chart(data, 916, rows, *rc::gen::inRange(0, 900));
      int contenders = layout.left_out.rows, y = 0;
      for (const RowBox& row : layout.rows) {
        RC_ASSERT(row.y == y);
        y += row.height;
        contenders += row.count + (row.kind == RowKind::kContender ? 1 : 0);
        RC_ASSERT(!row.kept || row.y + row.height <= layout.kept_height);
      }
      RC_ASSERT(contenders == static_cast<int>(data.contenders().size()));
      RC_ASSERT(y == layout.rows_height);
      const int most = std::max(0, layout.height() - 300);
      const Scene scene{data, layout, Viewport::fitting(TrueTime{}, data.end(), layout.plot_width()), 300,
                        *rc::gen::inRange(0, most + 1)};
      for (std::size_t i = 0; i < data.incidents().size(); ++i) RC_ASSERT(!rail_rect(scene, i).isEmpty());
      QImage image(916, 300, QImage::Format_RGB32);
      QPainter painter(&image);
      static TileCache tiles;
      paint_chart(painter, scene, Theme::kLight, tiles, Painters::kOne);
      hit_test(scene, {*rc::gen::inRange(0, 916), *rc::gen::inRange(0, 300)});
    });
    QVERIFY(held);
  }

  void aPinnedRowStaysAndIsHitWhereItIsSeen() {
    const ChartData data = gc_pause_chart();
    RowChoice rows;
    rows.pinned = {name_of(data, 1)};
    const ChartLayout layout = layout_chart(data, 916, rows, 300);
    QVERIFY(layout.rows[0].kept && layout.rows[0].index == 1);
    const auto picture = [&](int scroll) {
      const Scene scene{data, layout, Viewport::fitting(TrueTime{}, data.end(), layout.plot_width()), 300, scroll};
      QImage image(916, 300, QImage::Format_RGB32);
      QPainter painter(&image);
      TileCache tiles;
      paint_chart(painter, scene, Theme::kLight, tiles, Painters::kOne);
      return image;
    };
    // Arrows to the rows below go where these are.
    const QRect head(0, layout.top(), layout.head, layout.kept_height);
    const QImage before = picture(0), after = picture(70);
    QCOMPARE(after.copy(head), before.copy(head));
    const Scene scrolled{data, layout, Viewport::fitting(TrueTime{}, data.end(), layout.plot_width()), 300, 70};
    const LeaseSpan span = data.contenders()[1].held[0];
    const int y = layout.top() + layout.row.held.y;
    for (const QImage* image : {&before, &after})
      QCOMPARE(image->pixelColor(scrolled.x(span.start.hi) + 3, y + layout.row.held.height - 3),
               colours(Theme::kLight).id[static_cast<std::size_t>(data.hue(1))].ink);
    const Hit hit = hit_test(
        scrolled, {scrolled.x(span.start.hi) + 3, layout.top() + layout.row.held.y + layout.row.held.height / 2});
    QCOMPARE(hit.on, RowKind::kContender);
    QCOMPARE(hit.row, 1);
  }

  void pinsNeverTakeMoreThanHalf() {
    const ChartData data = gc_pause_chart();
    RowChoice rows;
    for (const ContenderRow& row : data.contenders()) rows.pinned.push_back(row.name);
    for (int room = 0; room < 900; room += 50) QVERIFY(layout_chart(data, 916, rows, room).kept_height <= room / 2);
  }

  void theLineOfTheHiddenSaysHowManyAndAClickShowsThem() {
    TestWindow window;
    runToItsEnd(window);
    TimelineView& chart = *window.view()->timeline();
    RowChoice rows;
    rows.hidden = {"c2", "c3"};
    window.labPerspective().notebook().arrange(rows, QStringLiteral("two"));
    const ChartLayout layout = layout_of(chart);
    const auto fold = std::find_if(layout.rows.begin(), layout.rows.end(),
                                   [](const RowBox& row) { return row.kind == RowKind::kFold; });
    QVERIFY(fold != layout.rows.end());
    QCOMPARE(fold->left_out.rows, 2);
    int part = 0;
    for (const IncidentMark& incident : chart.data().incidents())
      part +=
          std::any_of(incident.contenders.begin(), incident.contenders.end(), [](int who) { return who > 0; }) ? 1 : 0;
    QCOMPARE(fold->left_out.incidents, part);
    QVERIFY(part > 0);
    window.lab().selectIncident(window.results()->incidents()->worst());  // of rows that are hidden: it is told of
    window.view()->showIncident(window.lab().selectedIncident());
    QVERIFY(!chart.incidentRect(window.lab().selectedIncident()).isEmpty());
    QTest::mouseClick(chart.viewport(), Qt::LeftButton, {}, {layout.head + 20, layout.top() + fold->y + 6});
    QCOMPARE(drawn(chart).size(), 3);
    window.action(LabAction::kUndo)->trigger();
    QCOMPARE(drawn(chart), QStringList({"c1"}));
  }

  void aKeptViewHasItsRowsAndUndoHasThoseBefore() {
    TestWindow window;
    runToItsEnd(window);
    TimelineView& chart = *window.view()->timeline();
    chart.setFocus();
    chart.setCurrentRow(1);
    QTest::keyClick(&chart, Qt::Key_H);
    QTest::keyClick(&chart, Qt::Key_B);
    QTest::keyClick(&chart, Qt::Key_H, Qt::ShiftModifier);
    QCOMPARE(drawn(chart).size(), 3);
    window.labPerspective().entries()[0]->trigger();
    QCOMPARE(drawn(chart), QStringList({"c1", "c3"}));
    window.action(LabAction::kUndo)->trigger();
    QCOMPARE(drawn(chart).size(), 3);
  }

  void whatAReaderDoesIsUndoneStepByStep() {
    TestWindow window;
    runToItsEnd(window);
    Notebook& notebook = window.labPerspective().notebook();
    const std::vector<std::string> names{"c1", "c2", "c3"};
    const bool held = rc::check("undo", [&] {
      const RowChoice first = notebook.rows();
      const Notes notes = notebook.notes();
      const int begin = window.lab().undo().index();
      for (int i = *rc::gen::inRange(1, 12); i > 0; --i) {
        const std::string name = *rc::gen::elementOf(names);
        const int what = *rc::gen::inRange(0, 6);
        if (what == 0) notebook.arrange(with_hidden(notebook.rows(), name), QStringLiteral("hide"));
        if (what == 1) notebook.arrange(with_pinned(notebook.rows(), name, true), QStringLiteral("pin"));
        if (what == 2) notebook.arrange(with_pinned(notebook.rows(), name, false), QStringLiteral("unpin"));
        if (what == 3) notebook.arrange(with_moved(notebook.rows(), names, name, 1), QStringLiteral("move"));
        if (what == 4) notebook.arrange(with_all_shown(notebook.rows()), QStringLiteral("all"));
        if (what == 5) notebook.addMarker(TrueTime(std::chrono::seconds(*rc::gen::inRange(0, 60))));
      }
      while (window.lab().undo().index() > begin) window.lab().undo().undo();
      RC_ASSERT(notebook.rows() == first);
      RC_ASSERT(notebook.notes() == notes);
      RC_ASSERT(window.view()->timeline()->rowChoice() == first);
    });
    QVERIFY(held);
  }

 private:
  static void emit_activated(QComboBox* box) { Q_EMIT box->activated(box->currentIndex()); }
};

LEASESCOPE_SUITE(ArrangedRowsTest)
#include "arranged_rows_test.moc"
