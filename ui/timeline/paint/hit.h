// What lies under a point of the chart, and how it is told in a hover card. The worst incident wins, then the top mark.
#pragma once
#include <utility>
#include <vector>

#include <QPoint>
#include <QRect>
#include <QString>

#include "ui/timeline/lanes/z_order.h"
#include "ui/timeline/paint/rail.h"
#include "ui/timeline/paint/scene.h"

namespace leasescope {

struct Hit {
  LaneKind lane = LaneKind::kNone;
  RowKind on = RowKind::kMutex;
  int row = -1;           // mutex, contender or resource, by the kind of row
  std::size_t index = 0;  // of the mark in its row; of the incident
  QRect bar;              // in the picture's coordinates
  TrueTime from{}, to{};  // equal for a moment
  bool mark = false;      // has no width of its own
  int line = 0;           // of several below each other in the row

  explicit operator bool() const { return lane != LaneKind::kNone; }
  friend bool operator==(const Hit& a, const Hit& b) {
    return a.lane == b.lane && a.on == b.on && a.row == b.row && a.index == b.index && a.line == b.line;
  }
};

Hit hit_test(const Scene& scene, QPoint at);
// In the rail of incidents.
Hit rail_hit(const Scene& scene, QPoint at);
// The same mark where it lies now, after a pan or a zoom. `rail`: where the incidents lie then, where that is known.
QRect bar_of(const Scene& scene, const Hit& hit, const RailMarks* rail = nullptr);

struct HoverText {
  int contender = kNoContender;  // whose badge
  QString title, right;          // "holds orders", "#34"
  std::vector<std::pair<QString, QString>> lines;
  QString warning;  // on the tape's ground
  QString moving;   // the label of the line that tells of the pointer's own moment; empty: none does
};
HoverText describe(const ChartData& data, const Hit& hit, TrueTime at);

}  // namespace leasescope
