// What a small chart beside the timeline shows: bars along an axis, or lines over it. Plain data, whoever draws it.
#pragma once
#include <vector>

#include <QColor>
#include <QPointF>
#include <QString>

namespace leasescope {

struct ChartBar {
  double from = 0, to = 0;  // along the axis; each begins where the one before it ends
  double height = 0;
  double bad = 0;  // of its height
  QString text;    // "1.2 to 1.4 s: 34"
};
struct ChartLine {
  QString name;
  QColor colour;
  std::vector<QPointF> points;
  bool dashed = false;
};
// Across the chart, from bottom to top.
struct ChartMark {
  double at = 0;
  QString name;
};

struct ChartDrawing {
  QString title, note;
  QString across, up;    // units of the axes: "s", "ms"; empty where there is none
  double unit_ns = 1e9;  // of the axis, where that is time
  double from = 0, to = 1;
  std::vector<ChartBar> bars;
  std::vector<ChartLine> lines;
  std::vector<ChartMark> marks;
  QString empty;  // stands there where there is neither
};

// At most so many of the points, and among them each stretch's lowest and highest.
std::vector<QPointF> thinned(const std::vector<QPointF>& points, std::size_t most);
// 1, 2 or 5 times a power of ten, so that at most so many fit into a length above 0.
double round_step(double length, int most);

}  // namespace leasescope
