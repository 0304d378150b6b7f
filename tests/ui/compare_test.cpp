// Two recordings side by side: opened, linked, and told apart, by mouse and by keyboard.
#include <QAbstractItemModelTester>
#include <QDropEvent>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>

#include "tests/support/recorded_file.h"
#include "tests/support/window_suite.h"
#include "ui/compare/compare_perspective.h"
#include "ui/compare/compared_side.h"
#include "ui/compare/comparison_panel.h"
#include "ui/compare/distributions_panel.h"
#include "ui/models/words.h"
#include "ui/panels/preparation_box.h"
#include "ui/recordings/recordings_perspective.h"
#include "ui/timeline/timeline_view.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

ComparePerspective& compareOf(MainWindow& window) {
  return *static_cast<ComparePerspective*>(window.perspective(QStringLiteral("compare")));
}

}  // namespace

class CompareTest : public WindowSuite {
  Q_OBJECT
 private slots:
  void init() {
    UiSuite::init();
    QSettings().clear();
  }

  void aRunAndItsRepetitionAreTheSame() {
    TestWindow window;
    ComparePerspective& compare = opened(window, {}, {});
    QVERIFY(compare.panel()->comparison()->same());
    QCOMPARE(compare.panel()->verdict(), QStringLiteral("The same, event by event"));
    QCOMPARE(compare.panel()->eventsModel()->rowCount(), 0);
    QVERIFY(!compare.action(CompareAction::kNextDifference)->isEnabled());
    compare.action(CompareAction::kDifferencesOnly)->trigger();
    QVERIFY(compare.panel()->eventsModel()->rowCount() > 10);
  }

  void whereTwoSeedsPartIsToldAndBothChartsGoThere() {
    TestWindow window;
    ComparePerspective& compare = opened(window, {}, {"seed=8"});
    const ComparedEvent* first = compare.panel()->comparison()->first_difference();
    QVERIFY(first != nullptr);
    QVERIFY(compare.panel()->verdict().contains(secondsText(first->at())));
    QVERIFY(compare.document().contains(u'|'));
    // By keyboard alone.
    QTest::keyClick(&compare, Qt::Key_J);
    QCOMPARE(compare.panel()->events()->currentIndex().row(), 0);
    QTest::keyClick(&compare, Qt::Key_J);
    QCOMPARE(compare.panel()->events()->currentIndex().row(), 1);
    const ComparedEvent& chosen = compare.panel()->eventsModel()->event(1);
    for (const int side : {0, 1}) {
      TimelineView* chart = compare.side(side).chart();
      const auto [from, to] = chart->visibleRange();
      QVERIFY(from <= chosen.at() && chosen.at() <= to);
      const auto& own = side == 0 ? chosen.a : chosen.b;
      QCOMPARE(chart->cursorTime(), own ? own->hi : chosen.at());
    }
    QTest::keyClick(&compare, Qt::Key_J, Qt::ShiftModifier);
    QCOMPARE(compare.panel()->events()->currentIndex().row(), 0);
  }

  void linkedChartsShowTheSameStretchAndOthersTheirOwn() {
    TestWindow window;
    ComparePerspective& compare = opened(window, {}, {"seed=8"});
    TimelineView *a = compare.side(0).chart(), *b = compare.side(1).chart();
    QTest::keyClick(&compare, Qt::Key_W);
    QTRY_VERIFY(a->visibleRange() == b->visibleRange() && a->visibleRange().second < compare.side(0).session().now());
    b->setFocus();
    QTest::keyClick(&compare, Qt::Key_W);
    QTRY_VERIFY(a->visibleRange() == b->visibleRange());
    b->setCursorTime(TrueTime{} + std::chrono::seconds(9));
    QCOMPARE(a->cursorTime(), b->cursorTime());
    QTest::keyClick(&compare, Qt::Key_K);  // linked no more
    const auto before = a->visibleRange();
    b->zoomOut();
    QTest::qWait(300);
    QVERIFY(b->visibleRange() != before);
    QVERIFY(a->visibleRange() == before);
  }

  void theDistributionsOfTwoRunsStandBesideEachOtherAndAreAsFarApartAsTheyAre() {
    TestWindow window;
    ComparePerspective& same = opened(window, {}, {});
    DistributionsPanel* panel = same.distributions();
    QCOMPARE(panel->size(), std::size_t{4});  // of what has lengths
    const auto drawn = [&](const char* title) -> const ChartDrawing& {
      for (std::size_t i = 0; i < panel->size(); ++i)
        if (panel->chart(i)->drawing().title == QLatin1String(title)) return panel->chart(i)->drawing();
      qFatal("no such chart");
    };
    QTRY_VERIFY(drawn("Renewal").lines.size() == 2);
    QVERIFY(drawn("Renewal").note.startsWith(QStringLiteral("KS 0.00")));
    QCOMPARE(drawn("Renewal").lines[0].points, drawn("Renewal").lines[1].points);
    for (const ChartLine& line : drawn("Wake-ups").lines) {
      QCOMPARE(line.points.front().y(), 0.0);
      QCOMPARE(line.points.back().y(), 100.0);
      for (std::size_t i = 1; i < line.points.size(); ++i) {
        QVERIFY(line.points[i].x() >= line.points[i - 1].x());
        QVERIFY(line.points[i].y() >= line.points[i - 1].y());
      }
    }
  }

  void aPlaceOfADistributionLeadsBothChartsToALengthLikeIt() {
    TestWindow window;
    ComparePerspective& compare = opened(window, {}, {"seed=8"});
    DistributionsPanel* panel = compare.distributions();
    ChartView* chart = panel->chart(0);
    QTRY_VERIFY(!chart->drawing().lines.empty());
    QCOMPARE(chart->drawing().title, QStringLiteral("Wake-ups"));
    QVERIFY(!chart->drawing().note.startsWith(QStringLiteral("KS 0.00")));  // other seeds, other jitter
    chart->setFocus(Qt::TabFocusReason);
    QTest::keyClick(chart, Qt::Key_End);
    QTest::keyClick(chart, Qt::Key_Return);
    const TrueTime at = compare.side(0).chart()->cursorTime();
    QCOMPARE(compare.side(1).chart()->cursorTime(), at);
    bool asked = false;
    for (const int side : {0, 1})
      for (const Event& event : compare.side(side).session().history()->events)
        asked = asked || (event.kind == EventKind::kAttempt && event.at() == at);
    QVERIFY(asked);
  }

  void everyContenderOfBothIsInViewWhereSmallerRowsDoThat() {
    TestWindow window;
    ComparePerspective& compare = opened(window, {}, {"seed=8"});
    for (const int side : {0, 1}) {
      TimelineView* chart = compare.side(side).chart();
      QTRY_VERIFY(chart->heardRows() > 4);
      for (std::size_t row = 0; row < chart->heardRows(); ++row)
        if (chart->heardRow(row).contains(QStringLiteral(" c")))
          QVERIFY2(chart->viewport()->rect().contains(chart->heardRect(row)), qPrintable(chart->heardRow(row)));
    }
  }

  void aRunOfTheLabIsComparedWithTheNextOne() {
    TestWindow window;
    runToItsEnd(window);
    ComparePerspective& compare = compareOf(window);
    QTest::keyClick(&window, Qt::Key_M, Qt::ControlModifier | Qt::AltModifier);
    QTRY_VERIFY_WITH_TIMEOUT(compare.side(0).ready(), kPatience);
    QCOMPARE(&window.current(), static_cast<Perspective*>(&compare));
    window.turnTo(window.labPerspective());
    window.action(LabAction::kNewSeed)->trigger();
    window.action(LabAction::kRestart)->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kFinished, kPatience);
    window.action(LabAction::kCompareRun)->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(compare.panel()->comparison() != nullptr, kPatience);
    QVERIFY(!compare.panel()->comparison()->same());
    QVERIFY(compare.side(0).session().header().seed != compare.side(1).session().header().seed);
  }

  void aRecordingIsDroppedOnASideAndOpensThere() {
    record(path("a"), "gc-pause");
    TestWindow window;
    show(window);
    ComparePerspective& compare = compareOf(window);
    window.turnTo(compare);
    QMimeData file;
    file.setUrls({QUrl::fromLocalFile(path("a"))});
    QDragEnterEvent entered({10, 10}, Qt::CopyAction, &file, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&compare.side(1), &entered);
    QVERIFY(entered.isAccepted());
    QDropEvent drop({10, 10}, Qt::CopyAction, &file, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&compare.side(1), &drop);
    QTRY_VERIFY_WITH_TIMEOUT(compare.side(1).ready(), kPatience);
    QVERIFY(compare.side(0).session().history() == nullptr);
    QVERIFY(compare.panel()->comparison() == nullptr);
    window.open(path("a"));  // while it is shown, what is opened is its own
    QTRY_VERIFY_WITH_TIMEOUT(compare.side(0).ready(), kPatience);
    QCOMPARE(&window.current(), static_cast<Perspective*>(&compare));
    QTRY_VERIFY_WITH_TIMEOUT(compare.panel()->comparison() != nullptr, kPatience);
  }

  void aRecordingThatIsOpenIsTakenOverForAComparison() {
    record(path("a"), "gc-pause");
    TestWindow window;
    show(window);
    window.open(path("a"));
    auto* recordings = static_cast<RecordingsPerspective*>(window.perspective(QStringLiteral("recordings")));
    QVERIFY(!recordings->action(RecordingAction::kCompare)->isEnabled());
    QTRY_COMPARE_WITH_TIMEOUT(recordings->recording().state(), RunState::kFinished, kPatience);
    recordings->action(RecordingAction::kCompare)->trigger();
    ComparePerspective& compare = compareOf(window);
    QCOMPARE(&window.current(), static_cast<Perspective*>(&compare));
    QTRY_VERIFY_WITH_TIMEOUT(compare.side(0).ready(), kPatience);
    QCOMPARE(compare.side(0).session().path(), path("a"));
  }

  // What is compared may be taken away at any moment.
  void anotherRecordingAsOneOfThemIsComparedAnew() {
    TestWindow window;
    ComparePerspective& compare = opened(window, {}, {"seed=8"});
    const std::size_t moved = compare.panel()->comparison()->moved;
    record(path("c"), "healthy");
    compare.side(1).session().open(path("c"));
    QTRY_VERIFY_WITH_TIMEOUT(compare.side(1).session().path() == path("c") && compare.panel()->comparison() != nullptr,
                             kPatience);
    QVERIFY(compare.panel()->comparison()->moved != moved || compare.panel()->comparison()->only_a > 0);
    compare.action(CompareAction::kSwap)->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(compare.side(0).session().path(), path("c"), kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(compare.panel()->comparison() != nullptr, kPatience);
    compare.action(CompareAction::kClose)->trigger();
    QVERIFY(compare.panel()->comparison() == nullptr);
    QCOMPARE(compare.document(), QString());
  }

  void aComparisonCanBeCancelledAndBegunAnew_data() {
    QTest::addColumn<bool>("byKey");
    QTest::newRow("by its button") << false;
    QTest::newRow("by Esc") << true;
  }
  // As soon as it has begun; both stay open, and can be compared after all.
  void aComparisonCanBeCancelledAndBegunAnew() {
    QFETCH(const bool, byKey);
    record(path("a"), "gc-pause");
    record(path("b"), "gc-pause", {"seed=8"});
    TestWindow window;
    show(window);
    ComparePerspective& compare = compareOf(window);
    window.turnTo(compare);
    PreparationBox& box = *compare.progress();
    auto* cancel = box.findChild<QPushButton*>();
    auto* again = compare.panel()->findChild<QPushButton*>(QStringLiteral("compareThem"));
    QVERIFY(cancel != nullptr && again != nullptr && !again->isVisible());
    QSignalSpy compared(&compare, &ComparePerspective::compared);
    int begun = 0;
    auto atOnce = std::make_unique<QObject>();  // as long as it lives: whichever of the two begins it
    for (const int side : {0, 1})
      connect(&compare.side(side), &ComparedSide::changed, atOnce.get(), [&] {
        if (!compare.compares()) return;
        ++begun;
        QVERIFY2(box.text().startsWith(QStringLiteral("Comparing A and B")), qPrintable(box.text()));
        if (!byKey) return cancel->click();
        box.show();  // as it would be a moment later
        QTest::keyClick(&compare, Qt::Key_Escape);
      });
    compare.open(path("a"));
    QTRY_VERIFY_WITH_TIMEOUT(compare.side(0).ready(), kPatience);
    compare.open(path("b"));
    QTRY_VERIFY_WITH_TIMEOUT(begun > 0, kPatience);
    QVERIFY(!compare.compares());
    QTest::qWait(500);  // longer than it would have taken, and than the box waits
    atOnce.reset();
    QVERIFY(compare.side(0).ready() && compare.side(1).ready());
    QVERIFY(compare.panel()->comparison() == nullptr && !box.isVisible());
    QCOMPARE(compared.size(), 0);
    QVERIFY(again->isVisible() && compare.action(CompareAction::kSwap)->isEnabled());
    QTest::mouseClick(again, Qt::LeftButton);
    QVERIFY(!again->isVisible());
    QTRY_COMPARE_WITH_TIMEOUT(compared.size(), 1, kPatience);
    QVERIFY(compare.panel()->comparison() != nullptr && !again->isVisible());
    QTRY_VERIFY(!compare.distributions()->chart(0)->drawing().lines.empty());
  }

  void oneThatIsStillWrittenIsComparedAsItWasWhenItWasOpened() {
    const QString growing = path("growing");
    const auto found = find_scenario("gc-pause");
    VirtualRun run(*found);
    auto writer = RecordingWriter::create(growing.toStdString());
    (*writer)->head(history_header(*found, run.outcome(), TrueTime::max()));
    const auto until = [&](Duration to) {
      const std::size_t before = (*writer)->written();
      run.advance(TrueTime{} + to);
      (*writer)->append(run.history());
      QTRY_VERIFY((*writer)->written() > before);
    };
    until(std::chrono::seconds(10));
    TestWindow window;
    ComparePerspective& compare = opened(window, {}, {});
    QSignalSpy compared(&compare, &ComparePerspective::compared);
    compare.side(1).session().open(growing);
    QTRY_COMPARE_WITH_TIMEOUT(compared.size(), 1, kPatience);
    const Sequence then = compare.side(1).session().history()->last();
    until(std::chrono::seconds(20));
    QTest::qWait(500);
    QCOMPARE(compare.side(1).session().history()->last(), then);
    QCOMPARE(compared.size(), 1);
  }

  void whatIsNoRecordingIsToldOnItsSideAndTheOtherStays() {
    TestWindow window;
    ComparePerspective& compare = opened(window, {}, {});
    QFile bad(path("bad"));
    QVERIFY(bad.open(QIODevice::WriteOnly) && bad.write("SQLite format 3, or not") > 0);
    bad.close();
    QSignalSpy told(&compare.side(1).session(), &Session::problem);
    compare.side(1).session().open(path("bad"));
    QTRY_VERIFY_WITH_TIMEOUT(!told.isEmpty() && !told.last().first().value<Problem>().empty(), kPatience);
    QVERIFY(compare.side(0).ready());
    QTRY_VERIFY_WITH_TIMEOUT(compare.side(1).ready(), kPatience);
  }

  void noFigureOfALiveRunIsCut() {
    const Recorded a = record(path("a"), "gc-pause");
    Recorded b = record(path("b"), "gc-pause", {"seed=9"});
    for (Event& event : b.history.events) event.lo = event.hi - std::chrono::milliseconds(9);
    Cast cast;
    cast.reset(a.history.legend.contenders);
    ComparisonPanel panel;
    panel.resize(365, 600);
    panel.show(leasescope::compare(a.history, b.history), {&a.history, &cast}, {&b.history, &cast}, {}, {});
    const QFontMetricsF metrics(font(Face::kMono, measures().font_small));
    int bounds = 0;
    for (int row = 0; row < panel.events()->model()->rowCount(); ++row)
      for (const int column : {ComparedEventsModel::kA, ComparedEventsModel::kB, ComparedEventsModel::kLater}) {
        const QString text = panel.events()->model()->index(row, column).data().toString();
        bounds += text.contains(u'…') ? 1 : 0;
        QVERIFY2(metrics.horizontalAdvance(text) + 16 <= panel.events()->columnWidth(column), qPrintable(text));
      }
    QVERIFY(bounds > 5);
  }

  void itsModelsKeepTheRulesOfModels() {
    const Recorded a = record(path("a"), "gc-pause"), b = record(path("b"), "gc-pause", {"seed=9"});
    const ComparedHistories comparison = leasescope::compare(a.history, b.history);
    Cast cast;
    cast.reset(a.history.legend.contenders);
    ComparedFiguresModel figures;
    ComparedEventsModel events;
    QAbstractItemModelTester figuresTester(&figures, QAbstractItemModelTester::FailureReportingMode::Fatal);
    QAbstractItemModelTester eventsTester(&events, QAbstractItemModelTester::FailureReportingMode::Fatal);
    for (const bool only : {true, false}) {
      figures.setComparison(&comparison);
      events.setComparison(&comparison, {&a.history, &cast}, {&b.history, &cast});
      events.showDifferencesOnly(only);
      QVERIFY(events.rowCount() > 0);
      for (int row = 0; row < events.rowCount(); ++row)
        for (int column = 0; column < events.columnCount(); ++column)
          (void)events.index(row, column).data(Qt::DisplayRole);
      figures.setComparison(nullptr);
      events.setComparison(nullptr, {}, {});
      QCOMPARE(events.rowCount() + figures.rowCount(), 0);
    }
  }

 private:
  QString path(const char* name) const { return folder_.filePath(QString::fromLatin1(name) + ".recording"); }
  // Two runs of one scenario, open and compared.
  ComparePerspective& opened(TestWindow& window, const std::vector<std::string>& a, const std::vector<std::string>& b) {
    record(path("a"), "gc-pause", a);
    record(path("b"), "gc-pause", b);
    show(window);
    ComparePerspective& compare = compareOf(window);
    window.turnTo(compare);
    compare.open(path("a"));
    compare.open(path("b"));
    [&] { QTRY_VERIFY_WITH_TIMEOUT(compare.panel()->comparison() != nullptr, kPatience); }();
    return compare;
  }
  QTemporaryDir folder_;
};

LEASESCOPE_SUITE(CompareTest)
#include "compare_test.moc"
