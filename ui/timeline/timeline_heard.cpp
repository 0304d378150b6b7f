// What the timeline says of itself to those who hear it.
#include <QAccessible>

#include "ui/timeline/paint/heard.h"
#include "ui/timeline/timeline_view.h"

namespace leasescope {

QString TimelineView::heardRow(std::size_t row) const { return heard_row(data_, layout_.rows[row], cursorTime()); }

std::vector<Hit> TimelineView::heardSegments(std::size_t row, std::size_t most) const {
  return heard_segments(scene(), layout_.rows[row], most);
}

QRect TimelineView::heardRect(std::size_t row) const {
  const Scene now = scene();
  return onViewport({0, now.y(layout_.rows[row]), layout_.width, layout_.rows[row].height});
}

QRect TimelineView::heardRect(const Hit& segment) const { return onViewport(bar_of(scene(), segment)); }

bool TimelineView::isHeardCurrent(std::size_t row) const {
  return hasFocus() && layout_.rows[row].kind == RowKind::kContender && layout_.rows[row].index == currentRow();
}

bool TimelineView::isHeardSelected(const Hit& segment) const {
  if (segment.lane == LaneKind::kIncidents) return static_cast<int>(segment.index) == selectedIncident_;
  return selected_ && segment == selected_;
}

void TimelineView::chooseHeard(std::size_t row) {
  if (layout_.rows[row].kind == RowKind::kContender) setCurrentRow(layout_.rows[row].index);
}

void TimelineView::chooseHeard(const Hit& segment) { choose(segment, segment.from); }

std::uint64_t TimelineView::heardPicture() const {
  const LayerKey key = layerKey();
  if (key == heardKey_) return heardPicture_;
  heardKey_ = key;
  return ++heardPicture_;
}

// The row that keys are about now.
void TimelineView::tellFocus() {
  for (std::size_t row = 0; row < layout_.rows.size(); ++row) {
    if (!isHeardCurrent(row)) continue;
    QAccessibleEvent event(this, QAccessible::Focus);
    event.setChild(static_cast<int>(row));
    QAccessible::updateAccessibility(&event);
  }
}

}  // namespace leasescope
