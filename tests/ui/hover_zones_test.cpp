// What pointing at a place tells in the window, a page tells there too.
#include <set>

#include "tests/support/ui_suite.h"
#include "tests/ui/report_runs.h"
#include "ui/timeline/paint/figure.h"
#include "ui/timeline/paint/hover_zones.h"

using namespace leasescope;
using namespace leasescope::tests;

class HoverZonesTest : public UiSuite {
  Q_OBJECT
 private slots:
  void everyZoneTellsWhatTheHoverCardWould() {
    const Ended ended("gc-pause");
    const Figure figure(ended.data, 1280, whole_run(ended.data));
    const Scene scene = figure.scene();
    const std::vector<HoverZone> zones = hover_zones(scene);
    std::set<LaneKind> lanes;
    std::size_t agree = 0;
    for (const HoverZone& zone : zones) {
      QVERIFY(!zone.text.title.isEmpty());
      QVERIFY(zone.area.left() >= scene.left() && zone.area.right() < scene.right() + 1);
      lanes.insert(zone.hit.lane);
      const HoverText card = describe(ended.data, zone.hit, scene.first_of(zone.area.center().x()));
      QCOMPARE(zone.text.title, card.title);
      agree += zone.text.warning == card.warning ? 1 : 0;
      for (const auto& line : zone.text.lines) QVERIFY(line.first != card.moving);
    }
    QVERIFY(lanes.count(LaneKind::kHeld) == 1 && lanes.count(LaneKind::kBelieved) == 1 &&
            lanes.count(LaneKind::kIncidents) == 1);
    QVERIFY2(agree > zones.size() * 9 / 10, "a warning holds where there is none");
    const auto both = std::any_of(zones.begin(), zones.end(), [](const HoverZone& zone) {
      return zone.text.warning.contains(QStringLiteral("believes too"));
    });
    QVERIFY(both);
  }
};

LEASESCOPE_SUITE(HoverZonesTest)
#include "hover_zones_test.moc"
