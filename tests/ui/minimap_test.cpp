// The whole run in a strip under its chart.
#include <QBuffer>
#include <QRegularExpression>
#include <QSvgGenerator>

#include "tests/support/ui_suite.h"
#include "tests/ui/painted_chart.h"

using namespace leasescope;
using namespace leasescope::tests;

class MinimapTest : public UiSuite {
  Q_OBJECT
 private slots:
  void theMinimapShowsTheIncidentAndTheFrame() {
    const HistoryWriter w = gc_pause_history();
    const PaintedChart chart(w.history);
    QImage image(kWidth, 56, QImage::Format_RGB32);
    image.fill(Qt::magenta);
    QPainter painter(&image);
    TileCache tiles;
    const Minimap minimap{chart.data, image.rect(), chart.layout.head, at_ms(9500), at_ms(32000)};
    paint_minimap(painter, minimap, Theme::kLight, tiles);
    painter.end();
    const Colours& c = colours(Theme::kLight);
    QCOMPARE(count(image, image.rect(), Qt::magenta), 0);
    QVERIFY(count(image, QRect(minimap.x(at_ms(17189)), 3, 30, 9), c.overlap) > 20);
    QCOMPARE(minimap.view_frame().left(), minimap.x(at_ms(9500)));
    QVERIFY(at_ms(30000) - minimap.time(minimap.x(at_ms(30000))) < std::chrono::milliseconds(100));
  }

  // However wide it is: the last one, which has no room right of its tick, is left out rather than put on another.
  void theTimesOfTheMinimapStandApart() {
    HistoryWriter w = gc_pause_history();
    w.history.now = at_ms(60'000);
    PaintedChart chart(w.history);
    Axis clock;
    clock.counts = Counts::kUtc;
    clock.epoch_ns = 1'764'411'462'716'000'000;
    chart.data.setAxis(clock);
    for (int width = 500; width < 900; width += 3) {
      QBuffer svg;
      QSvgGenerator generator;
      generator.setOutputDevice(&svg);
      generator.setSize({width, 56});
      QPainter painter(&generator);
      TileCache tiles;
      const Minimap minimap{chart.data, QRect(0, 0, width, 56), chart.layout.head, at_ms(0), at_ms(60'000)};
      paint_minimap(painter, minimap, Theme::kLight, tiles);
      painter.end();
      const QRegularExpression time(QStringLiteral("x=\"([0-9.]+)\"[^>]*>([0-9]+:[0-9]+:[0-9]+)<"));
      double free_from = 0;
      int times = 0;
      for (auto each = time.globalMatch(QString::fromUtf8(svg.data())); each.hasNext(); ++times) {
        const auto found = each.next();
        const double x = found.captured(1).toDouble();
        QVERIFY2(x >= free_from, qPrintable(QStringLiteral("%1 at a width of %2").arg(found.captured(2)).arg(width)));
        free_from = x + 5.5 * static_cast<double>(found.captured(2).size()) + 4;  // 6 px a letter, and a gap
      }
      QVERIFY2(times > 2, svg.data());
    }
  }

  void theMinimapTellsTheOwnersOfTheMutexThatIsShown() {
    HistoryWriter w;
    for (const Name name : {w.a, w.b}) w.add(0, name, EventKind::kStarted);
    w.acquire(1, w.a, 33);
    w.mutex = w.history.names.intern("stock");
    w.acquire(2, w.b, 7);
    w.history.now = at_ms(60'000);
    PaintedChart chart(w.history);
    RowChoice rows;
    rows.filter.mutex = "stock";
    chart.layout = layout_chart(chart.data, kWidth, rows);
    const auto strip = [&chart](int mutex) {
      QImage image(kWidth, 56, QImage::Format_RGB32);
      QPainter painter(&image);
      TileCache tiles;
      const Minimap minimap{chart.data, image.rect(), chart.layout.head, at_ms(0), at_ms(60'000), {}, mutex};
      paint_minimap(painter, minimap, Theme::kLight, tiles);
      return image;
    };
    const auto& id = colours(Theme::kLight).id;
    const QImage all = strip(0), shown = strip(chart.layout.first_mutex());
    QVERIFY(count(all, all.rect(), id[0].ink) > 200);
    QCOMPARE(count(shown, shown.rect(), id[0].ink), 0);
    QVERIFY(count(shown, shown.rect(), id[1].ink) > 200);
  }
};

LEASESCOPE_SUITE(MinimapTest)
#include "minimap_test.moc"
