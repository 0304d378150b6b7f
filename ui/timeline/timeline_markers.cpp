// The timeline's markers: where the next one would be put, the way from one to another, and what a pointer does there.
#include <QHelpEvent>
#include <QToolTip>

#include "ui/models/words.h"
#include "ui/timeline/timeline_view.h"

namespace leasescope {

void TimelineView::setMarkers(MarkerFlags markers) {
  if (markers == markers_) return;
  markers_ = std::move(markers);
  viewport()->update();
}

void TimelineView::pointAtSelection(TrueTime cursor) {
  setCursorTime(cursor);
  chosenAt_ = cursor;
}

TrueTime TimelineView::markedTime() const {
  const bool chosen = chosenAt_ && *chosenAt_ == cursorTime();
  if (chosen && selectedIncident_ >= 0) return data_.incidents()[static_cast<std::size_t>(selectedIncident_)].start;
  if (chosen && selected_) return selected_.from;
  return cursorTime();
}

void TimelineView::goToMarker(int step) {
  const TrueTime at = cursorTime();
  const MarkerFlag* found = nullptr;
  for (const MarkerFlag& each : markers_) {
    if (step > 0 && each.at > at && found == nullptr) found = &each;
    if (step < 0 && each.at < at) found = &each;
  }
  if (found != nullptr) goToMoment(found->at);
}

void TimelineView::goToMoment(TrueTime at) {
  setFollow(false);
  if (!scene().shows(at)) leavePlace(Move::kJump);
  reveal(at);
  setCursorTime(at);
}

void TimelineView::goToPlace(const ViewPlace& place) {
  leavePlace(Move::kJump);
  const Viewport there = placed(place.from, place.from + place.span);
  goTo({there.from, there.span, place.scroll});
}

int TimelineView::markerAt(QPoint at) const { return flag_at(scene(), markers_, cursor_, at); }

QRect TimelineView::markerRect(int marker) const {
  for (const FlagPlace& place : flag_places(scene(), markers_, cursor_))
    if (place.flag == marker) return onViewport(place.plate);
  return {};
}

bool TimelineView::tipOfMarker(const QHelpEvent& event) const {
  const int marker = markerAt(onChart(event.pos()));
  if (marker < 0) return false;
  const MarkerFlag& flag = markers_[static_cast<std::size_t>(marker)];
  QString tip = QStringLiteral("%1, %2").arg(flag.name, axis().text(flag.at));
  if (!flag.text.isEmpty()) tip += u'\n' + flag.text;
  QToolTip::showText(event.globalPos(), tip, viewport());
  return true;
}

}  // namespace leasescope
