// For a lecture: the chart alone, on the whole screen, with larger type and rows; and everything again as it was.
#include <QDockWidget>
#include <QMenuBar>
#include <QScrollBar>
#include <QSettings>
#include <QStatusBar>
#include <QToolBar>

#include "tests/support/window_suite.h"
#include "ui/panels/results_panel.h"
#include "ui/timeline/timeline_view.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

std::vector<bool> shownDocks(const TestWindow& window) {
  std::vector<bool> out;
  for (const QDockWidget* dock : window.labPerspective().docks()) out.push_back(!dock->isHidden());
  return out;
}

int shownCount(const TestWindow& window) {
  const std::vector<bool> shown = shownDocks(window);
  return static_cast<int>(std::count(shown.begin(), shown.end(), true));
}

}  // namespace

class PresentationTest : public WindowSuite {
  Q_OBJECT
 private slots:
  void theChartStandsAloneAndEverythingComesBack() {
    TestWindow window;
    runToItsEnd(window);
    window.labPerspective().docks().last()->hide();
    const std::vector<bool> before = shownDocks(window);
    const QByteArray layout = window.labPerspective().saveState();
    QTest::keyClick(&window, Qt::Key_F11);
    QVERIFY(window.action(WindowAction::kPresent)->isChecked());
    QCOMPARE(shownCount(window), 0);
    QVERIFY(window.menuBar()->isHidden() && window.statusBar()->isHidden());
    for (const QToolBar* bar : window.findChildren<QToolBar*>()) QVERIFY(bar->isHidden());
    QVERIFY(window.isFullScreen());
    QTRY_COMPARE(window.view()->timeline()->size(), window.size());
    TimelineView* chart = window.view()->timeline();
    chart->setFocus();
    QTest::keyClick(chart, Qt::Key_Escape);  // what is selected goes first
    QVERIFY(window.action(WindowAction::kPresent)->isChecked());
    QTest::keyClick(chart, Qt::Key_Escape);
    QVERIFY(!window.action(WindowAction::kPresent)->isChecked());
    QVERIFY(shownDocks(window) == before);
    QVERIFY(!window.menuBar()->isHidden() && !window.statusBar()->isHidden());
    QVERIFY(!window.isFullScreen());
    QCOMPARE(window.labPerspective().saveState(), layout);
  }
  void whatIsThereIsLargerAndStillUnderThePointer() {
    TestWindow window;
    runToItsEnd(window);
    TimelineView* chart = window.view()->timeline();
    window.lab().selectIncident(-1);
    const int head = chart->pixelOf(chart->visibleRange().first);
    window.present(true);
    QTRY_COMPARE(chart->size(), window.size());
    QCOMPARE(chart->pixelOf(chart->visibleRange().first), head * 3 / 2);
    // A moment is where it is said to be.
    const auto [from, to] = chart->visibleRange();
    const TrueTime middle = from + (to - from) / 2;
    const Duration pixel = (to - from) / (chart->viewport()->width() - head * 3 / 2);
    QVERIFY(std::chrono::abs(chart->timeAt(chart->pixelOf(middle)) - middle) <= 2 * pixel);
    // A click on an incident's mark selects it.
    QVERIFY(chart->data().incidents().size() > 0);
    const QRect mark = chart->incidentRect(0);
    QVERIFY(chart->viewport()->rect().contains(mark.center()));
    QTest::mouseClick(chart->viewport(), Qt::LeftButton, {}, mark.center());
    QCOMPARE(window.lab().selectedIncident(), 0);
    // The wheel keeps what is under the pointer.
    const QPoint at(chart->viewport()->width() * 2 / 3, 200);
    const TrueTime under = chart->timeAt(at.x());
    QWheelEvent wheel(at, chart->viewport()->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(chart->viewport(), &wheel);
    const auto [near, far] = chart->visibleRange();
    QVERIFY(far - near < to - from);
    QVERIFY(std::chrono::abs(chart->timeAt(at.x()) - under) <= 2 * pixel);
    window.present(false);
    QTRY_COMPARE(chart->pixelOf(chart->visibleRange().first), head);
  }
  void threeContendersHaveTheirLargeRowsOn1280By720() {
    for (const char* scenario : {"gc-pause", "healthy"}) {
      TestWindow window;
      runToItsEnd(window, QString::fromLatin1(scenario));
      window.present(true);
      window.setWindowState(Qt::WindowNoState);  // a screen of that size
      window.resize(1280, 720);
      TimelineView* chart = window.view()->timeline();
      QTRY_COMPARE(chart->viewport()->width(), 1280);
      int large = 0;
      for (std::size_t row = 0; row < chart->heardRows(); ++row)
        if (chart->heardRow(row).contains(QStringLiteral(" c")))
          large = std::max(large, chart->heardRect(row).height());
      QVERIFY2(large >= 1.5 * measures().comfortable.height - 2, qPrintable(QString::number(large)));
    }
  }
  void aRunIsStartedAndPausedWithoutItsTools() {
    TestWindow window;
    show(window);
    window.lab().setSpeed(1);
    QVERIFY(window.lab().open(QStringLiteral("gc-pause")));
    window.present(true);
    window.view()->timeline()->setFocus();
    QTest::keyClick(window.view()->timeline(), Qt::Key_Space);
    QTRY_COMPARE(window.lab().state(), RunState::kRunning);
    QTest::keyClick(window.view()->timeline(), Qt::Key_Space);
    QTRY_COMPARE(window.lab().state(), RunState::kPaused);
  }
  void anotherPerspectiveIsPresentedAsWell() {
    TestWindow window;
    runToItsEnd(window);
    const std::vector<bool> before = shownDocks(window);
    window.present(true);
    Perspective* recordings = window.perspective(QStringLiteral("recordings"));
    QTest::keyClick(&window, Qt::Key_2, Qt::ControlModifier);
    QCOMPARE(&window.current(), recordings);
    QVERIFY(recordings->presents() && !window.labPerspective().presents());
    for (const QDockWidget* dock : recordings->docks()) QVERIFY(dock->isHidden());
    window.present(false);
    QVERIFY(!recordings->presents());
    window.turnTo(window.labPerspective());
    QVERIFY(shownDocks(window) == before);
  }
  void aWindowThatIsClosedMeanwhileIsRememberedAsItWasBefore() {
    std::vector<bool> before;
    // Without one: a later Qt fits it into the screen.
    const auto size_kept = [&](bool presented) {
      {
        TestWindow window;
        runToItsEnd(window);
        before = shownDocks(window);
        window.present(presented);
        window.close();
      }
      TestWindow again;
      again.restore();
      return again.size();
    };
    const QSize size = size_kept(false);
    QCOMPARE(size_kept(true), size);
    TestWindow again;
    again.restore();
    show(again);
    QVERIFY(shownDocks(again) == before);
    QVERIFY(!again.menuBar()->isHidden());
    QSettings().clear();
  }
  void itSaysForAMomentHowItEnds() {
    TestWindow window;
    runToItsEnd(window);
    window.present(true);
    const auto labels = window.findChildren<QLabel*>(QString(), Qt::FindDirectChildrenOnly);
    const auto told = std::find_if(labels.begin(), labels.end(),
                                   [](const QLabel* label) { return label->text().contains(QStringLiteral("F11")); });
    QVERIFY(told != labels.end());
    QVERIFY((*told)->isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(!(*told)->isVisible(), 6'000);
  }
};

LEASESCOPE_SUITE(PresentationTest)
#include "presentation_test.moc"
