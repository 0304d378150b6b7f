// The timeline by a contender's clock: where moments lie on its chart, and what is shown when another one is chosen.
#include <QScrollBar>

#include "ui/timeline/timeline_view.h"

namespace leasescope {

std::pair<TrueTime, TrueTime> TimelineView::visibleRange() const {
  if (kept_ && kept_->on_chart == shown_) return {kept_->from, kept_->to};
  const ClockView now = view();
  return {now.from, now.to()};
}

Viewport TimelineView::placed(TrueTime from, TrueTime to) const {
  return Viewport::fitting(data_.place(from), data_.place(to), layout_.plot_width());
}

ViewPlace TimelineView::place() const {
  const auto [from, to] = visibleRange();
  return {from, to - from, verticalScrollBar()->value()};
}

ViewPlace TimelineView::placeOnChart() const { return {shown_.from, shown_.span, verticalScrollBar()->value()}; }

void TimelineView::setAxis(const Axis& axis) {
  if (axis == data_.axis()) return;
  keepMoments([&] { data_.setAxis(axis); });
  leaveHover();
  viewport()->update();
  minimap_->update();
}

void TimelineView::keepMoments(const std::function<void()>& change) {
  const std::shared_ptr<const ClockMap> before = data_.clock();
  const auto [from, to] = visibleRange();
  change();
  const std::shared_ptr<const ClockMap>& now = data_.clock();
  if (before == now || (before != nullptr && now != nullptr && *before == *now)) return;
  animation_.stop();
  zoomAnchor_ = {};
  history_.change([&](const ViewPlace& place) {
    const Viewport there{place.from, place.span, shown_.width};
    const ClockView seen(there, before.get());
    const Viewport next = placed(seen.from, seen.to());
    return ViewPlace{next.from, next.span, place.scroll};
  });
  const Viewport next = placed(from, to);
  kept_.reset();
  if (clamped(next) == next) kept_ = {next, from, to};
  if (clamped(next) != shown_) return setShown(next);
  emit rangeChanged(from, to);
}

}  // namespace leasescope
