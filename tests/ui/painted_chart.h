// A chart painted into a picture, to be looked at pixel by pixel.
#pragma once
#include <QImage>
#include <QPainter>

#include "tests/ui/gc_pause_history.h"
#include "ui/timeline/paint/marks.h"
#include "ui/timeline/paint/painter.h"

namespace leasescope::tests {

inline constexpr int kWidth = 916, kHeight = 492;

struct PaintedChart {
  ChartData data;
  ChartLayout layout;

  explicit PaintedChart(const History& history, int width = kWidth) {
    data.reset(gc_pause_facts());
    data.append(history);
    layout = layout_chart(data, width);
  }
  Scene scene(TrueTime from, TrueTime to, int height = kHeight) const {
    return {data, layout, Viewport::fitting(from, to, layout.plot_width()), height, 0};
  }
  QImage paint(const Scene& scene, Theme theme, double ratio = 1) const {
    QImage image(QSize(layout.width, scene.height) * ratio, QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    image.fill(Qt::magenta);
    QPainter painter(&image);
    TileCache tiles;
    paint_chart(painter, scene, theme, tiles);
    return image;
  }
};

inline int count(const QImage& image, const QRect& area, const QColor& colour) {
  int found = 0;
  const QRect inside = area.intersected(image.rect());
  for (int y = inside.top(); y <= inside.bottom(); ++y)
    for (int x = inside.left(); x <= inside.right(); ++x) found += image.pixelColor(x, y) == colour;
  return found;
}

inline QRect believed_band(const PaintedChart& chart, const Scene& scene, int contender) {
  const RowBox* row = chart.layout.contender_row(contender);
  const Band band = chart.layout.row.believed;
  return {scene.left(), scene.y(*row) + band.y, chart.layout.plot_width(), band.height};
}

}  // namespace leasescope::tests
