#include "ui/lab/plan_times.h"

#include <QApplication>
#include <algorithm>

#include "ui/timeline/timeline_view.h"

namespace leasescope {

PlanStretch planBetween(Duration one, Duration other) {
  return {std::min(one, other), std::max(one, other) - std::min(one, other)};
}

QRect planBar(const TimelineView& chart, const PlanStretch& when, int top, int height) {
  constexpr int kLeast = 5;  // px
  const int left = chart.pixelOf(TrueTime{} + when.at), right = chart.pixelOf(TrueTime{} + when.at + when.lasts);
  return {left, top, std::max(right - left, kLeast), height};
}

bool isPlanDrag(QPoint pressed, QPoint now) {
  return (now - pressed).manhattanLength() >= QApplication::startDragDistance() / 2;
}

Duration planGrain(const TimelineView& chart) {
  const auto [from, to] = chart.visibleRange();
  const int pixels = std::max(1, chart.pixelOf(to) - chart.pixelOf(from));
  const std::int64_t pixel = std::max<std::int64_t>(1, (to - from).count() / pixels);
  std::int64_t out = kPlanExact.count();
  for (int turn = 0; out < pixel; ++turn) out = turn % 3 == 1 ? out / 2 * 5 : out * 2;
  return Duration(out);
}

Duration planRounded(Duration at, Duration step) { return (at + step / 2) / step * step; }

}  // namespace leasescope
