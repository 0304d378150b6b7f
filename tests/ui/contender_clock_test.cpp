// The chart by the clock of the contender whose row it is: by keys, from its row's menu, and in words.
#include <QClipboard>

#include "tests/support/window_suite.h"
#include "ui/lab/transport_bar.h"
#include "ui/models/words.h"
#include "ui/panels/cursor_panel.h"
#include "ui/panels/results_panel.h"
#include "ui/panels/selection_panel.h"
#include "ui/panels/summary_bar.h"
#include "ui/timeline/paint/hit.h"
#include "ui/timeline/timeline_view.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

class ContenderClockTest : public WindowSuite {
  Q_OBJECT
  static bool labelled(const QWidget& part, const QString& begin) {
    const QList<QLabel*> labels = part.findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(),
                       [&](const QLabel* each) { return each->text().startsWith(begin); });
  }

 private slots:
  void byKeysTheRulerCountsAsTheCurrentRowDoes() {
    TestWindow window;
    runToItsEnd(window, QStringLiteral("generals"));
    TimelineView& chart = *window.view()->timeline();
    chart.setFocus();
    QVERIFY(!window.action(ChartAction::kTimeOfRow)->isEnabled());
    QTest::keyClick(&chart, Qt::Key_Down, Qt::ControlModifier);
    QTest::keyClick(&chart, Qt::Key_Down, Qt::ControlModifier);
    QTest::keyClick(&chart, Qt::Key_4, Qt::ControlModifier | Qt::AltModifier);
    QCOMPARE(chart.axis().text(TrueTime(10s)), QStringLiteral("B 130.000 s"));
    QVERIFY(window.action(ChartAction::kTimeOfRow)->isChecked());
    chart.setCursorTime(TrueTime(10s));
    QVERIFY2(window.labPerspective().cursor()->accessibleName().contains(QStringLiteral("B 130.000 s")),
             qPrintable(window.labPerspective().cursor()->accessibleName()));
    // The other one's is right: the same key, for another row.
    QTest::keyClick(&chart, Qt::Key_Up, Qt::ControlModifier);
    QTest::keyClick(&chart, Qt::Key_4, Qt::ControlModifier | Qt::AltModifier);
    QCOMPARE(chart.axis().text(TrueTime(10s)), QStringLiteral("A 10.000 s"));
    QTest::keyClick(&chart, Qt::Key_1, Qt::ControlModifier | Qt::AltModifier);
    QCOMPARE(chart.axis().text(TrueTime(10s)), QStringLiteral("10.000 s"));
    QVERIFY(!window.action(ChartAction::kTimeOfRow)->isChecked());
  }
  void aHoverCardTellsItsTimesByThatClock() {
    TestWindow window;
    runToItsEnd(window, QStringLiteral("generals"));
    TimelineView& chart = *window.view()->timeline();
    chart.setCurrentRow(1);
    window.action(ChartAction::kTimeOfRow)->trigger();
    const ChartData& data = chart.data();
    const auto& attempts = data.contenders()[0].attempts;
    QVERIFY(!attempts.empty());
    const Hit hit{LaneKind::kAttempts, RowKind::kContender, 0, 0, {}, {}, {}};
    const HoverText text = describe(data, hit, attempts.front().at);
    QVERIFY2(text.lines.front().second.startsWith(QStringLiteral("B 120.")), qPrintable(text.lines.front().second));
  }
  void tablesThePlayheadAndTheSelectedIncidentAreToldByThatClock() {
    TestWindow window;
    runToItsEnd(window, QStringLiteral("generals"));
    const History& history = *window.lab().history();
    QVERIFY(!history.incidents.empty());
    window.lab().selectIncident(0);
    const TrueTime start = history.incidents.front().start;
    QAbstractItemModel& incidents = *window.results()->incidents();
    QAbstractItemModel& events = *window.results()->eventTable()->model();
    const auto told = [&] {
      const int last = events.rowCount() - 1;
      return QStringList{incidents.headerData(IncidentsModel::kStart, Qt::Horizontal).toString(),
                         incidents.index(0, IncidentsModel::kStart).data().toString(),
                         events.headerData(EventsModel::kTime, Qt::Horizontal).toString(),
                         events.index(last, EventsModel::kTime).data().toString()};
    };
    window.results()->showTab(ResultsPanel::kEvents);
    const TrueTime last = history.events.back().at();
    QCOMPARE(told(), QStringList({"Start, s", secondsText(start), "Time, s", secondsText(last)}));
    window.view()->timeline()->setCurrentRow(1);
    window.action(ChartAction::kTimeOfRow)->trigger();
    QCOMPARE(told(), QStringList({"Start, B s", secondsText(start + 120s), "Time, B s", secondsText(last + 120s)}));
    QVERIFY(labelled(*window.labPerspective().selection(), QStringLiteral("B %1 ").arg(secondsText(start + 120s))));
    QVERIFY(labelled(*window.transport(), QStringLiteral("B %1 s").arg(secondsText(window.lab().playhead() + 120s))));
    window.action(ChartAction::kCopyIncident)->trigger();
    const QString copied = QGuiApplication::clipboard()->text();
    QVERIFY2(copied.contains(QStringLiteral("| B s | how it came about |")), qPrintable(copied));
    QVERIFY2(copied.contains(QStringLiteral("B %1 ").arg(secondsText(start + 120s))), qPrintable(copied));
  }
  // Another run knows no such contender; one that does goes on with its own.
  void aRunWithoutThatContenderCountsItsSeconds() {
    TestWindow window;
    runToItsEnd(window, QStringLiteral("generals"));
    TimelineView& chart = *window.view()->timeline();
    chart.setCurrentRow(1);
    window.action(ChartAction::kTimeOfRow)->trigger();
    runToItsEnd(window, QStringLiteral("generals"));
    QCOMPARE(chart.axis().text(TrueTime(1s)), QStringLiteral("B 121.000 s"));
    runToItsEnd(window, QStringLiteral("gc-pause"));
    QCOMPARE(chart.axis().text(TrueTime(1s)), QStringLiteral("1.000 s"));
    QVERIFY(window.action(ChartAction::kTimeOfRun)->isChecked());
  }
};

LEASESCOPE_SUITE(ContenderClockTest)
#include "contender_clock_test.moc"
