// What a canvas writes into a picture past the painter is what the painter would have put there, to the last bit:
// rectangles of any colour, lines of colours and hatches, moved, clipped, cut by the picture's edges, at one pixel a
// point and at several.
#include <functional>
#include <random>

#include <QImage>
#include <QPainter>

#include "tests/support/ui_suite.h"
#include "ui/timeline/paint/canvas.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr int kWidth = 300, kHeight = 120, kPhase = 17;

// A picture with something in it, painted on by two ways.
struct Ways {
  explicit Ways(unsigned seed) : random(seed) {
    for (const double ratio : {1.0, 2.0, 3.0}) {
      QImage image(QSize(kWidth, kHeight) * ratio, QImage::Format_RGB32);
      image.setDevicePixelRatio(ratio);
      for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) image.setPixel(x, y, qRgb(x % 251, y % 256, (x * y) % 239));
      before.push_back(image);
    }
  }

  int below(int most) { return static_cast<int>(random() % static_cast<unsigned>(most)); }
  QRect area() { return {below(kWidth + 80) - 40, below(kHeight + 40) - 20, below(kWidth), below(60)}; }
  QColor colour() {
    const int alpha = below(3) == 0 ? 255 : below(256);
    return {below(256), below(256), below(256), alpha};
  }

  QImage painted(double ratio, QPoint moved, const std::optional<QRect>& clip,
                 const std::function<void(QPainter&, Canvas&)>& action) {
    QImage image = before[static_cast<std::size_t>(ratio) - 1].copy();
    QPainter painter(&image);
    painter.translate(moved);
    Canvas canvas(painter, Theme::kLight, tiles, kPhase);
    canvas.clip(clip);
    action(painter, canvas);
    return image;
  }

  std::mt19937 random;
  TileCache tiles;
  std::vector<QImage> before;  // by ratio
};

}  // namespace

class PixelsTest : public QObject {
  Q_OBJECT

 private slots:
  void eachIsWhatThePainterPutsThere() {
    constexpr std::array kTiles{Tile::kPause, Tile::kOverlap, Tile::kUnobserved, Tile::kVeil};
    Ways ways(20'261'129);
    for (int i = 0; i < 3'000; ++i) {
      const double ratio = 1 + i % 3;
      const QPoint moved(i % 2 == 0 ? 0 : ways.below(60) - 30, i % 4 == 0 ? 0 : ways.below(60) - 30);
      const std::optional<QRect> clip = i % 3 == 0 ? std::optional<QRect>{} : ways.area();
      const QRect area = ways.area();
      const QColor colour = ways.colour(), line(ways.below(256), ways.below(256), 30), ground(Qt::white);
      const Tile tile = kTiles[static_cast<std::size_t>(ways.below(kTiles.size()))];
      std::vector<QRgb> colours(static_cast<std::size_t>(area.width()));
      for (QRgb& of : colours) of = ways.below(3) == 0 ? 0 : qRgb(ways.below(256), ways.below(256), 70);
      const int what = i % 5;
      const QImage ours = ways.painted(ratio, moved, clip, [&](QPainter&, Canvas& canvas) {
        if (what < 2) canvas.fill(area.x(), area.y(), area.width(), area.height(), colour);
        if (what == 2) canvas.columns(area.x(), area.y(), area.height(), colours);
        if (what > 2) canvas.hatch(area.x(), area.y(), area.width(), area.height(), tile, line, ground);
      });
      const QImage painters = ways.painted(ratio, moved, clip, [&](QPainter& painter, Canvas&) {
        if (what < 2) painter.fillRect(area, colour);
        for (int x = 0; what == 2 && x < area.width(); ++x)
          if (const QRgb of = colours[static_cast<std::size_t>(x)]; of != 0)
            painter.fillRect(area.x() + x, area.y(), 1, area.height(), QColor::fromRgb(of));
        if (what <= 2) return;
        painter.setBrushOrigin(kPhase, 0);
        painter.fillRect(area, ways.tiles.hatch(tile, line, ground, ratio).brush);
      });
      QVERIFY2(ours == painters, qPrintable(QString::number(i)));
    }
  }

  void aPictureThatIsScaledIsPaintedByThePainter() {
    TileCache tiles;
    QImage image(100, 100, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.scale(2, 2);
    Canvas canvas(painter, Theme::kLight, tiles);
    canvas.fill(10, 10, 20, 20, Qt::black);
    QCOMPARE(image.pixelColor(59, 59), QColor(Qt::black));
    QCOMPARE(image.pixelColor(60, 60), QColor(Qt::white));
  }

  void aClipThatAnotherSetHolds() {
    TileCache tiles;
    QImage image(100, 100, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    Canvas canvas(painter, Theme::kLight, tiles);
    painter.setClipRect(0, 0, 50, 100);
    canvas.fill(0, 0, 100, 100, Qt::black);
    QCOMPARE(image.pixelColor(49, 50), QColor(Qt::black));
    QCOMPARE(image.pixelColor(50, 50), QColor(Qt::white));
  }
};

LEASESCOPE_SUITE(PixelsTest)
#include "pixels_test.moc"
