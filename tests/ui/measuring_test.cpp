// How long from here to there: by a drag that snaps to what is near, by the cursor alone; and an incident as a note.
#include <QClipboard>
#include <QGuiApplication>
#include <QMouseEvent>
#include <QSignalSpy>

#include "tests/support/window_suite.h"
#include "tests/ui/lane_histories.h"
#include "ui/models/incident_note.h"
#include "ui/models/words.h"
#include "ui/panels/summary_bar.h"
#include "ui/timeline/paint/snap.h"
#include "ui/timeline/timeline_view.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

struct MeasuredChart {
  HistoryWriter writer = gc_pause_history();
  TimelineView view;

  MeasuredChart() {
    view.resize(916, 548);
    view.show();
    view.setRun(gc_pause_facts());
    view.appendHistory(writer.history);
    view.setNow(at_ms(60000));
    view.setFollow(false);
    view.fitRange(at_ms(0), at_ms(30000), false);
    QCoreApplication::processEvents();
  }

  LeaseSpan first() const { return view.data().contenders()[0].held[0]; }
  int x(TrueTime at) const { return view.pixelOf(at); }
  // In A's row.
  int y() const { return 150; }
};

// From one pixel of the first contender's row to another.
void drag(TimelineView& view, QPoint from, QPoint to, Qt::KeyboardModifiers held) {
  const auto send = [&](QEvent::Type type, QPoint at, Qt::MouseButtons buttons) {
    const Qt::MouseButton button = type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton;
    QMouseEvent event(type, at, view.viewport()->mapToGlobal(at), button, buttons, held);
    QCoreApplication::sendEvent(view.viewport(), &event);
  };
  send(QEvent::MouseButtonPress, from, Qt::LeftButton);
  send(QEvent::MouseMove, (from + to) / 2, Qt::LeftButton);
  send(QEvent::MouseMove, to, Qt::LeftButton);
  send(QEvent::MouseButtonRelease, to, Qt::NoButton);
}

}  // namespace

class MeasuringTest : public WindowSuite {
  Q_OBJECT
 private slots:
  void aDragWithShiftMeasuresFromGrantToEnd() {
    MeasuredChart shown;
    const LeaseSpan lease = shown.first();
    const auto range = shown.view.visibleRange();
    const QPoint from(shown.x(lease.start.hi) + 4, shown.y()), to(shown.x(lease.end.hi) - 3, shown.y());
    drag(shown.view, from, to, Qt::ShiftModifier);
    QVERIFY(shown.view.measured().has_value());
    QCOMPARE(shown.view.measured()->first, lease.start.hi);
    QCOMPARE(shown.view.measured()->second, lease.end.hi);
    QCOMPARE(shown.view.visibleRange(), range);  // nor is it panned
  }

  void withAltItMeansAnyMoment() {
    MeasuredChart shown;
    const LeaseSpan lease = shown.first();
    const QPoint from(shown.x(lease.start.hi) + 4, shown.y()), to(shown.x(lease.end.hi) - 3, shown.y());
    drag(shown.view, from, to, Qt::ShiftModifier | Qt::AltModifier);
    QCOMPARE(shown.view.measured()->first, shown.view.timeAt(from.x()));
    QCOMPARE(shown.view.measured()->second, shown.view.timeAt(to.x()));
  }

  void withoutShiftADragPans() {
    MeasuredChart shown;
    const auto range = shown.view.visibleRange();
    drag(shown.view, {400, 150}, {300, 150}, Qt::NoModifier);
    QVERIFY(!shown.view.measured());
    QVERIFY(shown.view.visibleRange() != range);
  }

  // At whatever zoom, what is meant is something that happened within reach, or nothing is near.
  void whatIsMeantIsNear() {
    MeasuredChart shown;
    const ChartData& data = shown.view.data();
    int near = 0, none = 0;
    for (const int span_ms : {60000, 9000, 700}) {
      shown.view.fitRange(at_ms(8000), at_ms(8000 + span_ms), false);
      const ChartLayout layout = layout_chart(data, shown.view.viewport()->width());
      const auto [from, to] = shown.view.visibleRange();
      const Scene scene{data, layout, Viewport{from, to - from, layout.plot_width()}, shown.view.viewport()->height()};
      for (int x = layout.head; x < layout.width; x += 3)
        for (int y = layout.top(); y < scene.height; y += 29) {
          const auto found = snapped(scene, {x, y});
          ++(found ? near : none);
          if (found) QVERIFY(std::abs(scene.x(*found) - x) <= kSnapReach);
          const auto next = std::lower_bound(data.moments().begin(), data.moments().end(), scene.first_of(x));
          if (!found && next != data.moments().end() && scene.shows(*next))
            QVERIFY(std::abs(scene.x(*next) - x) > kSnapReach);
        }
    }
    QVERIFY(near > 100 && none > 100);
  }

  void theCursorMeasuresByKeysAlone() {
    TestWindow window;
    runToItsEnd(window);
    TimelineView& chart = *window.view()->timeline();
    QAction* const measure = window.action(ChartAction::kMeasure);
    chart.setFocus();
    chart.setCursorTime(TrueTime(std::chrono::seconds(5)));
    QTest::keyClick(&chart, Qt::Key_X);
    QVERIFY(measure->isChecked());
    QTest::keyClick(&chart, Qt::Key_Period);
    QTest::keyClick(&chart, Qt::Key_Period);
    QCOMPARE(chart.measured()->first, TrueTime(std::chrono::seconds(5)));
    QCOMPARE(chart.measured()->second, chart.cursorTime());
    QVERIFY(chart.cursorTime() > TrueTime(std::chrono::seconds(5)));
    const QString length = spanText(chart.measured()->second - chart.measured()->first);
    QVERIFY2(window.summary()->text().contains(QStringLiteral("Δ ") + length), qPrintable(window.summary()->text()));
    QTest::keyClick(&chart, Qt::Key_X);
    QVERIFY(!chart.measured());
    QVERIFY(!measure->isChecked());
    measure->trigger();
    QTest::keyClick(&chart, Qt::Key_Escape);
    QVERIFY(!chart.measured());
    QVERIFY(!measure->isChecked());
  }

  void whatIsMeasuredIsDrawnAndGoesWithTheRun() {
    MeasuredChart shown;
    const QImage before = shown.view.viewport()->grab().toImage();
    drag(shown.view, {300, shown.y()}, {420, shown.y()}, Qt::ShiftModifier | Qt::AltModifier);
    const QImage after = shown.view.viewport()->grab().toImage();
    int changed = 0;
    for (int x = 0; x < after.width(); ++x)
      if (after.pixel(x, shown.y()) != before.pixel(x, shown.y())) {
        ++changed;
        QVERIFY2(x >= 300 && x <= 420, qPrintable(QString::number(x)));
      }
    QVERIFY2(changed >= 115, qPrintable(QString::number(changed)));
    shown.view.setRun(gc_pause_facts());
    QVERIFY(!shown.view.measured());
  }

  void anIncidentIsCopiedAsMarkdown() {
    TestWindow window;
    runToItsEnd(window);
    QAction* const copy = window.action(ChartAction::kCopyIncident);
    window.lab().selectIncident(-1);
    QVERIFY(!copy->isEnabled());
    window.lab().selectIncident(0);
    QVERIFY(copy->isEnabled());
    copy->trigger();
    const QString note = QGuiApplication::clipboard()->text();
    const Incident& incident = window.lab().history()->incidents[0];
    QVERIFY2(note.startsWith(QStringLiteral("### ") + fromText(title(incident.kind))), qPrintable(note));
    for (const QString& part : {secondsText(incident.start), QStringLiteral("gc-pause, model redis, seed "),
                                QStringLiteral("| **"), QStringLiteral(" is c"), QStringLiteral("\n|--:|---|\n")})
      QVERIFY2(note.contains(part), qPrintable(note));
    QVERIFY2(!note.contains(u'<') || note.contains(QStringLiteral("\\<")), qPrintable(note));
    for (const QString& line : note.split(u'\n'))  // as many columns in every row
      if (line.startsWith(u'|')) QCOMPARE(line.count(u'|') - line.count(QStringLiteral("\\|")), 3);
  }
};

LEASESCOPE_SUITE(MeasuringTest)
#include "measuring_test.moc"
