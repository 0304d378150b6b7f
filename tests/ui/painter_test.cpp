#include "ui/timeline/paint/painter.h"

#include <algorithm>
#include <random>

#include "tests/support/ui_suite.h"
#include "tests/ui/painted_chart.h"
#include "ui/timeline/paint/hit.h"

using namespace leasescope;
using namespace leasescope::tests;

class PainterTest : public UiSuite {
  Q_OBJECT
 private slots:
  void theTapeLiesOnBothBeliefsAndInTheRail_data() {
    QTest::addColumn<bool>("dark");
    QTest::addColumn<double>("ratio");
    for (const bool dark : {false, true})
      for (const double ratio : {1.0, 1.5, 2.0}) QTest::addRow("%d %f", dark, ratio) << dark << ratio;
  }
  void theTapeLiesOnBothBeliefsAndInTheRail() {
    QFETCH(bool, dark);
    QFETCH(double, ratio);
    const Theme theme = dark ? Theme::kDark : Theme::kLight;
    const HistoryWriter w = gc_pause_history();
    const PaintedChart chart(w.history);
    const Scene scene = chart.scene(at_ms(9500), at_ms(32000));
    const QImage image = chart.paint(scene, theme, ratio);
    const auto in_pixels = [&](QRect r) {
      return QRect(QPointF(r.topLeft() * ratio).toPoint(),
                   QSize(static_cast<int>(r.width() * ratio), static_cast<int>(r.height() * ratio)));
    };
    const int middle = (scene.x(at_ms(17189)) + scene.x(at_ms(21000))) / 2;
    const Colours& c = colours(theme);
    for (const int contender : {0, 1}) {
      QRect band = believed_band(chart, scene, contender);
      band.setLeft(middle - 12);
      band.setRight(middle + 12);
      QVERIFY(count(image, in_pixels(band), c.overlap) > 20);
      QVERIFY(count(image, in_pixels(band), c.overlap_ink) > 20);
    }
    QVERIFY(count(image, in_pixels(rail_rect(scene, 0)), c.overlap) > 20);
    // C believes nothing then: no tape there; the dark theme's edges of the incident are amber, so not between them.
    QRect free = believed_band(chart, scene, 2);
    free.setLeft(middle - 12);
    free.setRight(middle + 12);
    QCOMPARE(count(image, in_pixels(free), c.overlap), 0);
  }

  void aRefusedStartOrStopIsStruckOutAndSaysWhy() {
    HistoryWriter w;
    w.add(5000, w.a, EventKind::kRefused, kNoToken, 1, 0, static_cast<std::uint8_t>(LifecycleError::kCannotStop));
    w.add(15000, w.a, EventKind::kRefused, kNoToken, 2, 0, static_cast<std::uint8_t>(LifecycleError::kCannotStart));
    w.history.now = at_ms(30000);
    const PaintedChart chart(w.history);
    const Scene scene = chart.scene(at_ms(0), at_ms(30000));
    const RowBox* row = chart.layout.contender_row(0);
    const int y = scene.y(*row) + chart.layout.row.attempts.y + 6;
    const Hit stop = hit_test(scene, {scene.x(at_ms(5000)), y}), start = hit_test(scene, {scene.x(at_ms(15000)), y});
    QCOMPARE(describe(chart.data, stop, at_ms(5000)).title, QStringLiteral("stop refused"));
    QCOMPARE(describe(chart.data, stop, at_ms(5000)).lines.back().second, QStringLiteral("it is starting"));
    QCOMPARE(describe(chart.data, start, at_ms(15000)).title, QStringLiteral("start refused"));
    for (const Theme theme : {Theme::kLight, Theme::kDark}) {
      const QImage image = chart.paint(scene, theme);
      for (const int ms_at : {5000, 15000}) {
        const QRect place(scene.x(at_ms(ms_at)) - 4, y - 4, 10, 10);
        const int ground = count(image, place, colours(theme).chart);
        QVERIFY2(ground > 30 && ground < 75, qPrintable(QString::number(ground)));  // hollow, and struck out
      }
    }
  }

  // No label is crossed by an incident's edge, and none lies on another.
  void labelsKeepClearOfEdgesAndOfEachOther() {
    Places places;
    places.reserve({100, 10, 4, 200});
    QVERIFY(!places.claim({90, 40, 30, 12}));
    QVERIFY(places.claim({104, 40, 30, 12}));
    QVERIFY(!places.claim({120, 45, 30, 12}));
    QVERIFY(places.claim({120, 60, 30, 12}));
    const HistoryWriter w = gc_pause_history();
    const PaintedChart chart(w.history);
    const Scene scene = chart.scene(at_ms(9500), at_ms(32000));
    const RailPlan plan = rail_plan(scene);
    for (std::size_t i = 0; i < plan.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) QVERIFY(!plan[i].intersects(plan[j]));
  }

  // The open square at the store is two things; pointed at, it says which.
  void aLateReleaseThatWasRefusedSaysSo() {
    HistoryWriter w;
    w.add(5000, w.a, EventKind::kReleaseRefused, 33);
    w.history.now = at_ms(30000);
    const PaintedChart chart(w.history, 1200);
    const Scene scene = chart.scene(at_ms(0), at_ms(30000));
    const Hit hit{LaneKind::kRequests, RowKind::kStore, 0, 0, {}, at_ms(5000), at_ms(5000)};
    QCOMPARE(describe(chart.data, hit, at_ms(5000)).title, QStringLiteral("late release refused"));
    const RowBox& row = chart.layout.rows.back();
    QCOMPARE(row.kind, RowKind::kStore);
    const QRect square(scene.x(at_ms(5000)) - 3, scene.y(row) + measures().store_axis - 3, 7, 7);
    const QImage image = chart.paint(scene, Theme::kLight);
    QCOMPARE(count(image, square, colours(Theme::kLight).id[0].ink), 24);  // its frame alone
  }

  // W: a second resource that has seen no later token takes the old owner's write, and the chart says what it missed.
  void aWriteTakenByWhoCouldNotKnowSaysSo() {
    HistoryWriter w = gc_pause_history();
    const Name archive = w.history.names.intern("archive");
    w.add(21002, w.a, EventKind::kWriteAccepted, 33, archive.handle, kNoToken);
    std::stable_sort(w.history.events.begin(), w.history.events.end(),
                     [](const Event& one, const Event& other) { return one.hi < other.hi; });
    w.history.now = at_ms(60000);
    const PaintedChart chart(w.history, 1200);
    QCOMPARE(chart.data.resources().size(), std::size_t{2});
    const HoverText told = describe(
        chart.data, {LaneKind::kWrites, RowKind::kResource, 1, 0, {}, at_ms(21002), at_ms(21002)}, at_ms(21002));
    QCOMPARE(told.title, QStringLiteral("write accepted"));
    QCOMPARE(told.lines.back().second, QStringLiteral("no token, not #34"));
    const HoverText own =
        describe(chart.data, {LaneKind::kWrites, RowKind::kResource, 0, 0, {}, at_ms(101), at_ms(101)}, at_ms(101));
    QCOMPARE(own.lines.back().second, QStringLiteral("#33"));

    // Its words stand beside it although an incident's edge does.
    const Scene scene = chart.scene(at_ms(15000), at_ms(27000), chart.layout.height());
    const QImage image = chart.paint(scene, Theme::kLight);
    const auto row = std::find_if(chart.layout.rows.rbegin(), chart.layout.rows.rend(),
                                  [](const RowBox& each) { return each.kind == RowKind::kResource; });
    const int axis = scene.y(*row) + row->height - measures().resource_axis_from_bottom;
    int dark = 0;
    for (int x = scene.x(at_ms(21002)) + 4; x < scene.x(at_ms(21002)) + 154; ++x)
      for (int y = axis + 3; y < axis + 15; ++y) dark += image.pixelColor(x, y).lightness() < 128;
    QVERIFY2(dark > 100, qPrintable(QString::number(dark)));
  }

  // The count on a plate is that of the run, wherever the picture ends; accepted writes between do not break it.
  void aPlateCountsTheSameWhileItIsPanned() {
    HistoryWriter w;
    for (int at = 10000; at < 30000; at += 100) {
      w.add(at, w.a, EventKind::kWriteRejected, 33, w.ledger.handle, 34);
      w.add(at + 50, w.b, EventKind::kWriteAccepted, 34, w.ledger.handle, 34);
    }
    w.history.now = at_ms(60000);
    const PaintedChart chart(w.history);
    for (int from = 5000; from < 29000; from += 1500) {
      const Scene scene = chart.scene(at_ms(from), at_ms(from + 10000));
      const auto refusals = refusals_of(scene, chart.data.resources().front());
      QCOMPARE(refusals.size(), std::size_t{1});
      QVERIFY2(refusals.front().count == 200, qPrintable(QString::number(refusals.front().count)));
    }
  }

  // A thousand terms within a few pixels are a few marks and plates, not a thousand.
  void refusedWritesAreBoundedByPixels() {
    HistoryWriter w;
    for (int i = 0; i < 20'000; ++i)
      w.add(10000 + i, w.a, EventKind::kWriteRejected, static_cast<Token>(1 + i % 5000), w.ledger.handle, 9000);
    w.history.now = at_ms(60000);
    const PaintedChart chart(w.history);
    const auto refusals = refusals_of(chart.scene(at_ms(0), at_ms(60000)), chart.data.resources().front());
    std::uint64_t all = 0;
    for (const Refusals& each : refusals) all += each.count;
    QCOMPARE(all, std::uint64_t{20'000});
    QVERIFY2(refusals.size() <= static_cast<std::size_t>(kWidth / 14), qPrintable(QString::number(refusals.size())));
  }

  void anIncidentIsThreePixelsWideAtEveryZoom() {
    const HistoryWriter w = gc_pause_history();
    const PaintedChart chart(w.history);
    std::mt19937_64 random(7);
    int seen = 0;
    for (int i = 0; i < 300; ++i) {
      const Duration span(std::int64_t{1} << (20 + random() % 31));  // a millisecond to two weeks
      const Duration back(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(span.count())));
      const TrueTime from = at_ms(19000) - back;
      const Scene scene = chart.scene(from, from + span);
      if (!scene.shows(at_ms(17189), at_ms(21000))) continue;
      ++seen;
      const PixelRange range = incident_range(scene, chart.data.incidents().front());
      QVERIFY(range.to - range.from >= measures().incident_min_width);
      QVERIFY(range.from >= scene.left() && range.to <= scene.right());
      const QImage image = chart.paint(scene, Theme::kLight);
      QRect band = believed_band(chart, scene, 0);
      band.setLeft(range.from);
      band.setRight(range.to - 1);
      const Colours& c = colours(Theme::kLight);
      QVERIFY2(count(image, band, c.overlap) > 0, qPrintable(QString::number(span.count())));
      QVERIFY(count(image, rail_rect(scene, 0), c.overlap) > 0);
    }
    QVERIFY(seen > 200);
  }

  void everyPixelIsPaintedAndNothingLeavesThePlot() {
    const HistoryWriter w = gc_pause_history();
    const PaintedChart chart(w.history);
    const Colours& c = colours(Theme::kLight);
    for (const auto& [from, to] :
         {std::pair{9500, 32000}, std::pair{0, 60000}, std::pair{17100, 17300}, std::pair{-30000, 90000}}) {
      const Scene scene = chart.scene(at_ms(from), at_ms(to));
      const QImage image = chart.paint(scene, Theme::kLight);
      QCOMPARE(count(image, image.rect(), Qt::magenta), 0);
      // The header of a row carries no bar: only the badge has the contender's hue.
      for (int contender = 0; contender < 3; ++contender) {
        const RowBox* row = chart.layout.contender_row(contender);
        const QRect beside(40, scene.y(*row) + 26, chart.layout.head - 42, row->height - 28);
        QCOMPARE(count(image, beside, c.id[static_cast<std::size_t>(contender)].ink), 0);
      }
    }
  }

  void heldIsSolidAndItsTransitionHatched() {
    const HistoryWriter w = gc_pause_history();
    const PaintedChart chart(w.history);
    const Scene scene = chart.scene(at_ms(9500), at_ms(32000));
    const QImage image = chart.paint(scene, Theme::kLight);
    const RowBox* row = chart.layout.contender_row(0);
    const int y = scene.y(*row) + chart.layout.row.held.y + 2;
    const IdentityColours& id = colours(Theme::kLight).id[0];
    QCOMPARE(image.pixelColor(scene.x(at_ms(14000)), y), id.ink);
    const QRect transition(scene.x(at_ms(15100)), y, scene.x(at_ms(16900)) - scene.x(at_ms(15100)), 18);
    QVERIFY(count(image, transition, id.mid) > 100);
    QVERIFY(count(image, transition, id.ink) > 100);
    // A renewal leaves one pixel of the ground.
    QCOMPARE(image.pixelColor(scene.x(at_ms(10000)), y), colours(Theme::kLight).chart);
  }

  void aReacquireByTheSameOwnerShowsABoundary() {
    HistoryWriter w;
    w.acquire(0, w.a, 1);
    w.add(5000, w.a, EventKind::kExpired, 1);
    w.acquire(5001, w.a, 2);
    w.history.now = at_ms(20000);
    const PaintedChart chart(w.history);
    const Scene scene = chart.scene(at_ms(0), at_ms(60000));
    const QImage image = chart.paint(scene, Theme::kLight);
    const RowBox* row = chart.layout.contender_row(0);
    const QRect around(scene.x(at_ms(5000)) - 1, scene.y(*row) + chart.layout.row.held.y + 3, 4, 10);
    QVERIFY(count(image, around, colours(Theme::kLight).chart) >= 10 ||
            count(image, around, colours(Theme::kLight).chart_alt) >= 10);
  }

  // Under the flag of the cursor a number stands whole or not at all.
  void theFlagCutsNoNumber() {
    const HistoryWriter w = gc_pause_history();
    const PaintedChart chart(w.history);
    const Scene scene = chart.scene(at_ms(0), at_ms(60000));
    const QImage without = chart.paint(scene, Theme::kLight);
    const int top = 1, height = chart.layout.ruler - 11;  // above the ticks
    const QColor ground = colours(Theme::kLight).header;
    const auto inked = [&](const QImage& image, int x) { return count(image, {x, top, 1, height}, ground) < height; };
    int covered = 0;
    for (int at = 500; at < 60000; at += 700) {
      QImage with = without;
      TileCache tiles;
      QPainter painter(&with);
      Overlay overlay;
      overlay.cursor = at_ms(at);
      paint_overlay(painter, scene, Theme::kLight, tiles, overlay);
      painter.end();
      for (int from = scene.left(); from < scene.right(); ++from) {
        if (!inked(without, from)) continue;
        int to = from, gap = 0;  // a number, as columns that are near to each other
        for (int x = from; x < scene.right() && gap < 8; ++x) inked(without, x) ? (to = x + 1, gap = 0) : ++gap;
        const auto same = [&](int x) { return with.copy(x, top, 1, height) == without.copy(x, top, 1, height); };
        int touched = 0;
        for (int x = from; x < to; ++x) touched += !same(x);
        covered += touched > 0;
        for (int x = from; x < to && touched > 0; ++x)
          QVERIFY2(!inked(without, x) || !same(x), qPrintable(QStringLiteral("%1 ms, column %2").arg(at).arg(x)));
        from = to;
      }
    }
    QVERIFY(covered > 30);
  }

  void timeThatWasNotRunIsVeiled() {
    HistoryWriter w;
    w.acquire(0, w.a, 1);
    w.history.now = at_ms(3000);
    const PaintedChart chart(w.history);
    const Scene scene = chart.scene(at_ms(0), at_ms(60000));
    const QImage image = chart.paint(scene, Theme::kLight);
    const Colours& c = colours(Theme::kLight);
    const RowBox* row = chart.layout.contender_row(2);
    const QRect later(scene.x(at_ms(30000)), scene.y(*row) + 10, 100, 60);
    QVERIFY(count(image, later, c.veil_line) > 50);
    QCOMPARE(count(image, later, c.chart) + count(image, later, c.chart_alt), 0);
  }

  void boundsArePaintedInSteps() {
    HistoryWriter w;
    w.add(3000, w.a, EventKind::kGranted, 1, ms(7000)).lo = at_ms(1000);
    w.history.now = at_ms(8000);
    const PaintedChart chart(w.history);
    const Scene scene = chart.scene(at_ms(0), at_ms(8000));
    const QImage image = chart.paint(scene, Theme::kLight);
    const RowBox* row = chart.layout.contender_row(0);
    const int y = scene.y(*row) + chart.layout.row.held.y + 5;
    const IdentityColours& id = colours(Theme::kLight).id[0];
    QCOMPARE(image.pixelColor(scene.x(at_ms(1300)), y), id.fade3);
    QCOMPARE(image.pixelColor(scene.x(at_ms(2000)), y), id.fade2);
    QCOMPARE(image.pixelColor(scene.x(at_ms(2800)), y), id.fade1);
    QCOMPARE(image.pixelColor(scene.x(at_ms(3500)), y), id.ink);
  }

  // What ended is less and less sure to be held, up to when it surely is not. A renewal is held on both sides of its
  // bounds: only when it happened is not known, so that it has dots above and below the bar and no steps in it.
  void boundsFallAtAnEndAndAreDottedAtARenewal() {
    HistoryWriter w;
    w.add(1000, w.a, EventKind::kGranted, 1, ms(7000));
    w.add(4000, w.a, EventKind::kRenewed, 1, ms(7000)).lo = at_ms(2000);
    w.add(8000, w.a, EventKind::kReleased, 1).lo = at_ms(6000);
    w.history.now = at_ms(9000);
    const PaintedChart chart(w.history);
    const Scene scene = chart.scene(at_ms(0), at_ms(9000));
    const QImage image = chart.paint(scene, Theme::kLight);
    const Colours& c = colours(Theme::kLight);
    const IdentityColours& id = c.id[0];
    const Band held = chart.layout.row.held;
    const int top = scene.y(*chart.layout.contender_row(0)) + held.y, bottom = top + held.height;
    const auto at = [&](std::int64_t ms_at) { return image.pixelColor(scene.x(at_ms(ms_at)), top + 5); };
    QCOMPARE(at(5500), id.ink);
    QCOMPARE(at(6300), id.fade1);
    QCOMPARE(at(7000), id.fade2);
    QCOMPARE(at(7700), id.fade3);
    for (const std::int64_t ms_at : {1500, 2500, 3000, 3500, 4500}) QCOMPARE(at(ms_at), id.ink);
    // Every third pixel of a hairline is inked.
    const auto inked = [&](int x, int from, int to) { return count(image, {x, from, 1, to - from}, c.text); };
    for (const std::int64_t ms_at : {2000, 4000}) {
      const int x = scene.x(at_ms(ms_at));
      QCOMPARE(inked(x, top - 3, top), 1);
      QCOMPARE(inked(x, top, bottom), 0);
      QCOMPARE(inked(x, bottom, bottom + 4), 2);
    }
    for (const int x : {scene.x(at_ms(6000)), scene.x(at_ms(8000)) - 1})
      QVERIFY(inked(x, top, bottom) >= held.height / 3 - 1);
  }

  // Nobody can tell who held it meanwhile: where the mutex is told of, and where the store is, lies the tile of it, and
  // before and after there is none.
  void whatWasNotObservedIsTiled() {
    HistoryWriter w;
    w.acquire(0, w.a, 1);
    w.add(8000, w.store, EventKind::kUnobservedBegan);
    w.add(16000, w.store, EventKind::kUnobservedEnded);
    w.history.now = at_ms(24000);
    const PaintedChart chart(w.history);
    const Scene scene = chart.scene(at_ms(0), at_ms(24000));
    const QImage image = chart.paint(scene, Theme::kLight);
    const QColor& line = colours(Theme::kLight).unobserved_line;
    const auto found = [&](const RowBox& row, std::int64_t from, std::int64_t to) {
      return count(image, {scene.x(at_ms(from)), scene.y(row), scene.x(at_ms(to)) - scene.x(at_ms(from)), row.height},
                   line);
    };
    int rows = 0;
    for (const RowBox& row : chart.layout.rows) {
      if (row.kind != RowKind::kMutex && row.kind != RowKind::kStore) continue;
      ++rows;
      QVERIFY2(found(row, 8500, 15500) > 100, qPrintable(QString::number(found(row, 8500, 15500))));
      QCOMPARE(found(row, 500, 7500), 0);
      QCOMPARE(found(row, 16500, 23500), 0);
    }
    QCOMPARE(rows, 2);
  }

  // From the band of who released it down to the attempt of who was told.
  void anArrowLeadsFromTheReleaseToWhoWasWoken() {
    HistoryWriter w;
    w.acquire(0, w.a, 1);
    w.add(4000, w.a, EventKind::kReleased, 1);
    w.add(10000, w.c, EventKind::kNotification, kNoToken, static_cast<std::int64_t>(StoreEventKind::kReleased),
          w.a.handle, static_cast<std::uint8_t>(NotificationStep::kReceived));
    w.history.now = at_ms(20000);
    const PaintedChart chart(w.history);
    const Scene scene = chart.scene(at_ms(0), at_ms(20000));
    const QImage image = chart.paint(scene, Theme::kLight);
    const QColor& arrow = colours(Theme::kLight).arrow;
    const RowBox &from = *chart.layout.contender_row(0), &to = *chart.layout.contender_row(2);
    const auto in_column = [&](std::int64_t at, int top, int bottom) {
      return count(image, {scene.x(at_ms(at)) - 4, top, 9, bottom - top}, arrow);
    };
    const int held = scene.y(from) + chart.layout.row.held.y + chart.layout.row.held.height / 2;
    const int attempts = scene.y(to) + chart.layout.row.attempts.y;
    QVERIFY(in_column(4000, held, attempts - 20) > 10);           // down from the release
    QVERIFY(in_column(10000, attempts - 20, attempts + 1) > 10);  // to the head
    QCOMPARE(in_column(15000, held, attempts + 1), 0);
    QCOMPARE(in_column(4000, attempts - 10, attempts + 1), 0);  // the head is at whom it woke
  }
};

LEASESCOPE_SUITE(PainterTest)
#include "painter_test.moc"
