// Where every incident has its mark, whatever lies beside it.
#include "tests/support/ui_suite.h"
#include "tests/ui/painted_chart.h"
#include "ui/timeline/paint/hit.h"

using namespace leasescope;
using namespace leasescope::tests;

class RailTest : public UiSuite {
  Q_OBJECT
 private slots:
  // However long a tape is and whatever lies in it: no incident is without a mark, or a near one of its kind.
  void noIncidentIsMissingInTheRail_data() {
    QTest::addColumn<int>("from");
    QTest::addColumn<int>("to");
    QTest::addRow("the tape within the view") << 9500 << 32000;
    QTest::addRow("the tape wider than the view") << 18000 << 20500;
    QTest::addRow("the whole run") << 0 << 60000;
  }
  void noIncidentIsMissingInTheRail() {
    QFETCH(int, from);
    QFETCH(int, to);
    HistoryWriter w = gc_pause_history();
    for (int at = 17500; at < 21000; at += 700) w.incident(IncidentKind::kStaleWriteRejected, at, at, {w.a}, {33, 34});
    w.incident(IncidentKind::kLateRenewal, 19000, 19000, {w.a}, {33});
    w.incident(IncidentKind::kDoubleGrant, 19200, 19400, {w.a, w.b}, {33, 34});
    const PaintedChart chart(w.history);
    const Scene scene = chart.scene(at_ms(from), at_ms(to));
    const RailPlan plan = rail_plan(scene);
    const auto& incidents = chart.data.incidents();
    const QImage image = chart.paint(scene, Theme::kLight);
    for (std::size_t i = 0; i < plan.size(); ++i) {
      if (!scene.shows(incidents[i].start, incidents[i].end)) continue;
      bool told = false;
      for (std::size_t j = 0; j < plan.size(); ++j) {
        const int away = std::abs(plan[j].center().x() - scene.x(incidents[i].start));
        told |= !plan[j].isEmpty() && (i == j || (incidents[i].kind == incidents[j].kind && away <= 70));
      }
      QVERIFY2(told, qPrintable(QStringLiteral("incident %1").arg(i)));
      // ... and to be chosen by hand, and marked when it is.
      QVERIFY(!rail_rect(scene, i).isEmpty());
      if (!incidents[i].instant() || plan[i].isEmpty()) continue;
      const Hit hit = hit_test(scene, plan[i].center());
      QCOMPARE(hit.lane, LaneKind::kIncidents);
      QVERIFY2(hit.index == i, qPrintable(QStringLiteral("%1 instead of %2").arg(hit.index).arg(i)));
      // On ground of its own, so that it is told from the tape.
      QVERIFY(count(image, plan[i], colours(Theme::kLight).chart_alt) > 10);
    }
  }

  // What lasts is a bracket from its start to its end, with its glyph within; too short for both it is the glyph alone.
  void whatLastsIsABracketInTheRail() {
    HistoryWriter w;
    w.incident(IncidentKind::kUnknownOwner, 10000, 20000, {w.a}, {33});
    w.incident(IncidentKind::kLateHandover, 30000, 30010, {w.b}, {34});
    w.incident(IncidentKind::kSteppedDown, 40000, 40000, {w.b}, {34});
    w.history.now = at_ms(60000);
    const PaintedChart chart(w.history);
    const Scene scene = chart.scene(at_ms(0), at_ms(60000));
    const RailPlan plan = rail_plan(scene);
    QCOMPARE(plan[0].left(), scene.x(at_ms(10000)));
    QCOMPARE(plan[0].right() + 1, scene.x(at_ms(20000)));
    QCOMPARE(plan[1].width(), 12);
    QCOMPARE(plan[2].width(), 12);
    const QImage image = chart.paint(scene, Theme::kLight);
    const Colours& c = colours(Theme::kLight);
    const int line = scene.layout.ruler + scene.layout.rail - 4;
    QCOMPARE(count(image, {plan[0].right() - 30, line, 30, 1}, c.gap_line), 30);
    QCOMPARE(count(image, {plan[2].right() + 2, line, 30, 1}, c.gap_line), 0);
    QVERIFY(count(image, {plan[0].left() + 3, plan[0].top(), 12, 12}, c.notice) > 20);
  }
};

LEASESCOPE_SUITE(RailTest)
#include "rail_test.moc"
