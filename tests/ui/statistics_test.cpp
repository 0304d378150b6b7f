// What is measured of a run: the table and the charts beside it, and where a bar of them leads.
#include <QAbstractItemModelTester>

#include "tests/support/window_suite.h"
#include "ui/charts/chart_view.h"
#include "ui/charts/measure_drawing.h"
#include "ui/panels/results_panel.h"
#include "ui/panels/timeline_page.h"
#include "ui/timeline/timeline_view.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

int rowOf(const StatisticsPage& page, std::string_view measure) {
  for (int row = 0; row < page.model()->rowCount(); ++row)
    if (page.model()->measure(row).name() == measure) return row;
  return -1;
}

// Shown, chosen, and so drawn.
ChartView* chartOf(TestWindow& window, std::string_view measure) {
  window.results()->showTab(ResultsPanel::kStatistics);
  StatisticsPage* page = window.results()->statistics();
  const int row = rowOf(*page, measure);
  page->table()->selectRow(row);
  return page->chart(row);
}

QString cell(const StatisticsPage& page, std::string_view measure, int column) {
  return page.model()->index(rowOf(page, measure), column).data().toString();
}

// The highest bar.
int highest(const ChartDrawing& drawing) {
  const auto best = std::max_element(drawing.bars.begin(), drawing.bars.end(),
                                     [](const ChartBar& a, const ChartBar& b) { return a.height < b.height; });
  return static_cast<int>(best - drawing.bars.begin());
}

}  // namespace

class StatisticsTest : public WindowSuite {
  Q_OBJECT
 private slots:
  void theTableCountsWhatTheHistoryHas() {
    TestWindow window;
    runToItsEnd(window);
    StatisticsPage* page = window.results()->statistics();
    QAbstractItemModelTester tester(page->model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    window.results()->showTab(ResultsPanel::kStatistics);
    const History& history = *window.lab().history();
    std::uint64_t calls = 0;
    for (const Event& event : history.events) calls += event.kind == EventKind::kAttempt;
    QVERIFY(calls > 0);
    QCOMPARE(cell(*page, "requests", StatisticsModel::kCount), QString::number(calls));
    QCOMPARE(cell(*page, "renewal", StatisticsModel::kCount), QString::number(history.summary.renewals));
    QVERIFY(!cell(*page, "renewal", StatisticsModel::kMedian).isEmpty());
  }
  void aHistogramHasEveryLengthOnce() {
    TestWindow window;
    runToItsEnd(window);
    for (const char* measure : {"renewal", "gap", "wake-ups"}) {
      const ChartDrawing& drawing = chartOf(window, measure)->drawing();
      const auto& lengths = std::get<Lengths>(
          window.results()->statistics()->model()->measure(rowOf(*window.results()->statistics(), measure)).measured());
      double sum = 0;
      for (const ChartBar& bar : drawing.bars) sum += bar.height;
      QVERIFY2(lengths.count() > 0, measure);
      QCOMPARE(sum, static_cast<double>(lengths.count()));
      for (std::size_t i = 1; i < drawing.bars.size(); ++i) QCOMPARE(drawing.bars[i].from, drawing.bars[i - 1].to);
    }
  }
  void aClickOnABarTakesTheChartToItsMomentAndAnotherToTheNext() {
    TestWindow window;
    runToItsEnd(window);
    ChartView* chart = chartOf(window, "renewal");
    QTest::qWait(50);
    const int bar = highest(chart->drawing());
    const ChartBar& chosen = chart->drawing().bars[static_cast<std::size_t>(bar)];
    QVERIFY(chosen.height >= 2);
    QWidget* const under = chart->childAt(chart->pointAt((chosen.from + chosen.to) / 2));
    QVERIFY(under != nullptr);
    std::vector<TrueTime> moments;
    for (int i = 0; i < 2; ++i) {
      QTest::mouseClick(under, Qt::LeftButton, {},
                        under->mapFrom(chart, chart->pointAt((chosen.from + chosen.to) / 2)));
      moments.push_back(window.view()->timeline()->cursorTime());
    }
    QVERIFY(moments[1] > moments[0]);
    for (const TrueTime at : moments) {
      bool renewed = false;
      for (const Event& event : window.lab().history()->events)
        renewed = renewed || (event.kind == EventKind::kRenewed && event.at() == at);
      QVERIFY(renewed);
    }
  }
  void keysGoFromBarToBarAndEnterGoesThere() {
    TestWindow window;
    runToItsEnd(window);
    ChartView* chart = chartOf(window, "requests");
    chart->setFocus(Qt::TabFocusReason);
    QCOMPARE(chart->current(), 0);
    QTest::keyClick(chart, Qt::Key_Right);
    QTest::keyClick(chart, Qt::Key_Right);
    QCOMPARE(chart->current(), 2);
    QCOMPARE(chart->accessibleDescription(), chart->drawing().bars[2].text);
    QTest::keyClick(chart, Qt::Key_Return);
    const double seconds = chart->drawing().bars[2].from;
    QCOMPARE(window.view()->timeline()->cursorTime(), TrueTime(Duration(std::llround(seconds * 1e9))));
    QTest::keyClick(chart, Qt::Key_End);
    QCOMPARE(chart->current(), static_cast<int>(chart->drawing().bars.size()) - 1);
  }
  void asManyChartsStandThereAsThereIsRoomForAndTheChosenIsOne() {
    TestWindow window;
    runToItsEnd(window);
    StatisticsPage* page = window.results()->statistics();
    window.results()->showTab(ResultsPanel::kStatistics);
    for (const int width : {1024, 1440, 2560}) {
      window.resize(width, 900);
      QTest::qWait(30);
      for (int row = 0; row < page->model()->rowCount(); ++row) {
        page->table()->selectRow(row);
        QVERIFY(page->chart(row)->isVisible());
        QTest::qWait(1);
        QVERIFY2(page->chart(row)->geometry().right() < page->width(), qPrintable(QString::number(width)));
      }
    }
  }
  void whatIsMeasuredOfNothingSaysSo() {
    TestWindow window;
    ChartView* chart = chartOf(window, "clocks");
    QVERIFY(chart->drawing().lines.empty());
    QVERIFY(!chart->drawing().empty.isEmpty());
  }
  void theFilterIsOfRowsAlone() {
    TestWindow window;
    runToItsEnd(window);
    window.results()->showTab(ResultsPanel::kStatistics);
    QVERIFY(window.results()->filter()->isHidden());
    window.results()->focusFilter();
    QCOMPARE(window.results()->tabs()->currentIndex(), static_cast<int>(ResultsPanel::kEvents));
    QVERIFY(!window.results()->filter()->isHidden());
  }
};

LEASESCOPE_SUITE(StatisticsTest)
#include "statistics_test.moc"
