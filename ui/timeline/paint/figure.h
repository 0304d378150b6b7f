// The chart on paper: a stretch of a run with all its rows, and the whole run below it, however wide the paper is.
#pragma once
#include <optional>

#include "ui/timeline/paint/painter.h"

namespace leasescope {

struct Stretch {
  TrueTime from{}, to{};
  std::optional<TrueTime> cursor;
};
// With a little room on both sides, so that marks at the very ends are seen whole.
Stretch whole_run(const ChartData& data);
// The worst incident with those that belong to it, what led there and what came of it; without any, the whole run.
Stretch around_the_worst(const ChartData& data);

// It as the chart's clock has it, over so many pixels.
ClockView view_of(const ChartData& data, const Stretch& shown, int width);
// "9.500 – 32.000 s"; of a contender's clock "B 129.500 – 152.000 s, by the clock of B"
QString stretch_words(const ChartData& data, const Stretch& shown);

class Figure {
 public:
  // `rows_height`: of the rows no more than so much is seen; 0 = all.
  Figure(const ChartData& data, int width, const Stretch& shown, int rows_height = 0);

  int width() const { return layout_.width; }
  int height() const;
  // From 0, 0 of the painter's on.
  void paint(QPainter& painter, Theme theme, TileCache& tiles) const;
  Scene scene() const;

 private:
  const ChartData& data_;
  ChartLayout layout_;
  Stretch shown_;
  int rows_ = 0;
};

// A line that explains the marks, as many as there is room for: bars first, then what goes wrong and what disturbs.
inline constexpr int kLegendHeight = 28;
void paint_legend_line(Canvas& canvas, int top, int width);

}  // namespace leasescope
