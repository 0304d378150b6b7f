// What lies under a point of the chart, and how it is told in a hover card. The worst incident wins, then the top mark.
#pragma once
#include <utility>
#include <vector>

#include <QPoint>
#include <QRect>
#include <QString>

#include "ui/timeline/paint/scene.h"

namespace leasescope {

enum class HitKind : std::uint8_t {
  kNone,
  kIncident,
  kStoreHeld,
  kHeld,
  kBelieved,
  kAttempt,
  kWrite,
  kRequest,
  kBand,
  kRefused,  // a start or a stop
  kFold
};

struct Hit {
  HitKind kind = HitKind::kNone;
  int row = -1;           // mutex, contender or resource, by the kind
  std::size_t index = 0;  // of the mark in its row; of the incident
  QRect bar;              // in the picture's coordinates
  TrueTime from{}, to{};  // equal for a moment

  explicit operator bool() const { return kind != HitKind::kNone; }
  friend bool operator==(const Hit& a, const Hit& b) {
    return a.kind == b.kind && a.row == b.row && a.index == b.index;
  }
};

Hit hit_test(const Scene& scene, QPoint at);
// The same mark where it lies now, after a pan or a zoom.
QRect bar_of(const Scene& scene, const Hit& hit);

struct HoverText {
  int contender = kNoContender;  // whose badge
  QString title, right;          // "holds orders", "#34"
  std::vector<std::pair<QString, QString>> lines;
  QString warning;  // on the tape's ground
};
HoverText describe(const ChartData& data, const Hit& hit, TrueTime at);

}  // namespace leasescope
