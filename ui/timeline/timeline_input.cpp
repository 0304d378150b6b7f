// The hands and keys of the timeline: wheel, drag, click, hover, shortcuts.
#include <cmath>
#include <utility>

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>

#include "ui/timeline/paint/snap.h"
#include "ui/timeline/timeline_view.h"

namespace leasescope {
namespace {

constexpr int kNotch = 120;           // of a wheel, in eighths of a degree
constexpr double kNotchFactor = 0.8;  // of the span

}  // namespace

// ---- selection

void TimelineView::selectIncident(int index) {
  if (index == selectedIncident_) return;
  selectedIncident_ = index < static_cast<int>(data_.incidents().size()) ? index : -1;
  selected_ = {};
  viewport()->update();
}

void TimelineView::choose(const Hit& hit, TrueTime at) {
  if (hit.lane == LaneKind::kFolds && hit.index > 0) return setRowChoice(with_all_shown(choice_));
  if (hit.lane == LaneKind::kFolds && !can_unfold(data_)) return;
  if (hit.lane == LaneKind::kFolds) {
    RowChoice other = choice_;
    other.unfolded = !other.unfolded;
    return setRowChoice(other);
  }
  pointAtSelection(at);
  if (hit.lane == LaneKind::kIncidents) {
    showRowsOfIncident(static_cast<int>(hit.index));
    selectIncident(static_cast<int>(hit.index));
    emit incidentClicked(static_cast<int>(hit.index));
    emit selectionChanged(static_cast<int>(hit.index), hit.from, hit.to);
    return;
  }
  selectedIncident_ = -1;
  selected_ = hit;
  viewport()->update();
  emit selectionChanged(-1, hit.from, hit.to);
}

void TimelineView::goToIncident(int step) {
  const std::vector<IncidentMark>& incidents = data_.incidents();
  if (incidents.empty()) return;
  // In the order of time; the list itself is in the order of detection.
  std::vector<int> order(incidents.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return incidents[static_cast<std::size_t>(a)].start < incidents[static_cast<std::size_t>(b)].start;
  });
  auto place = std::find(order.begin(), order.end(), selectedIncident_);
  int next = 0;
  if (place == order.end()) {
    const auto after = std::find_if(order.begin(), order.end(),
                                    [&](int i) { return incidents[static_cast<std::size_t>(i)].start > cursorTime(); });
    next = static_cast<int>(after - order.begin()) - (step < 0 ? 1 : 0);
  } else {
    next = static_cast<int>(place - order.begin()) + step;
  }
  if (next < 0 || next >= static_cast<int>(order.size())) return;
  const int index = order[static_cast<std::size_t>(next)];
  const IncidentMark& incident = incidents[static_cast<std::size_t>(index)];
  selectIncident(index);
  centreOn(incident.start, incident.end);
  showRowsOfIncident(index);
  pointAtSelection(incident.start);
  emit incidentClicked(index);
  emit selectionChanged(index, incident.start, incident.end);
}

void TimelineView::goToEvent(int step) {
  const Column<TrueTime>& moments = data_.moments();
  const TrueTime at = cursorTime();
  auto next = step > 0 ? std::upper_bound(moments.begin(), moments.end(), at)
                       : std::lower_bound(moments.begin(), moments.end(), at);
  if (step > 0 ? next == moments.end() : next == moments.begin()) return;
  if (step < 0) --next;
  goToMoment(*next);
}

// ---- mouse

void TimelineView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return QAbstractScrollArea::mousePressEvent(event);
  animation_.stop();
  pressed_ = true;
  dragging_ = false;
  measuring_ = event->modifiers().testFlag(Qt::ShiftModifier) && onChart(event->position()).x() >= layout_.head;
  pressedAt_ = onChart(event->position());
  pressedShown_ = shown_;
  pressedScroll_ = verticalScrollBar()->value();
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
  const QPoint at = onChart(event->position());
  if (!pressed_) return hover(at, event->modifiers().testFlag(Qt::ControlModifier));
  const QPoint moved = at - pressedAt_;
  if (!dragging_ && moved.manhattanLength() < QApplication::startDragDistance() / 2) return;
  if (measuring_) return measure(*event);
  if (!dragging_) {
    dragging_ = true;
    leaveHover();
    viewport()->setCursor(Qt::ClosedHandCursor);
    leavePlace(Move::kJump);
    setFollow(false);
  }
  setShown(pressedShown_.panned(-moved.x()));
  verticalScrollBar()->setValue(pressedScroll_ - moved.y());
}

// What lies near is meant, unless Alt is held.
TrueTime TimelineView::meant(QPoint at, Qt::KeyboardModifiers held) const {
  const TrueTime there = view().time(plotX(std::clamp(at.x(), layout_.head, layout_.width)));
  return held.testFlag(Qt::AltModifier) ? there : snapped(scene(), at).value_or(there);
}

void TimelineView::measure(const QMouseEvent& event) {
  if (!dragging_) {
    dragging_ = true;
    leaveHover();
    viewport()->setCursor(Qt::SizeHorCursor);
    setFollow(false);
    setMeasured({});
  }
  const TrueTime from = measured_ ? measured_->first : meant(pressedAt_, event.modifiers());
  setMeasured({{from, meant(onChart(event.position()), event.modifiers())}});
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
  if (!pressed_ || event->button() != Qt::LeftButton) return;
  pressed_ = false;
  viewport()->unsetCursor();
  const QPoint at = onChart(event->position());
  const int marker = dragging_ ? -1 : markerAt(at);
  if (marker >= 0)
    emit markerClicked(marker);
  else if (!dragging_ && contenderAt(at) >= 0)
    setCurrentRow(contenderAt(at));
  if (marker < 0 && !dragging_ && at.x() >= layout_.head) choose(hit_test(scene(), at), view().time(plotX(at.x())));
  dragging_ = false;
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event) {
  const int marker = markerAt(onChart(event->position()));
  if (event->button() == Qt::LeftButton && marker >= 0) return emit markerOpened(marker);
  if (event->button() != Qt::LeftButton || !hit_test(scene(), onChart(event->position()))) return;
  fitSelection();
}

void TimelineView::wheelEvent(QWheelEvent* event) {
  const QPoint at = onChart(event->position());
  QPoint delta = event->angleDelta();
  if (event->modifiers().testFlag(Qt::AltModifier) && delta.y() == 0)
    delta = delta.transposed();  // Alt turns the wheel
  event->accept();
  if (at.x() < layout_.head) return verticalScrollBar()->setValue(verticalScrollBar()->value() - delta.y() / 2);
  const bool sideways = event->modifiers().testFlag(Qt::ShiftModifier) || std::abs(delta.x()) > std::abs(delta.y());
  if (sideways) return pan(-(std::abs(delta.x()) > std::abs(delta.y()) ? delta.x() : delta.y()));
  if (delta.y() == 0) return;
  const double factor = std::pow(kNotchFactor, static_cast<double>(delta.y()) / kNotch);
  zoomBy(std::llround(factor * 1e6), at.x());
}

// ---- hover

void TimelineView::hover(QPoint at, bool atOnce) {
  hoverAt_ = at;
  const Hit hit = hit_test(scene(), at);
  const int marker = markerAt(at);
  const bool leads = hit.lane == LaneKind::kIncidents || marker >= 0;
  viewport()->setCursor(leads ? Qt::PointingHandCursor : Qt::ArrowCursor);
  if (std::exchange(overMarker_, marker) != marker) viewport()->update();
  if (!(hit == hovered_)) {
    hovered_ = hit;
    hideCard();
    viewport()->update();
  }
  if (!hit) return hoverTimer_.stop();
  if (atOnce) return showCard();
  if (!card_ || !card_->isVisible()) return hoverTimer_.start();
  // Where there was no room but beside the pointer, it makes way.
  if (card_->geometry().contains(viewport()->mapTo(window(), onViewport({at, QSize(1, 1)}).topLeft()))) showCard();
}

void TimelineView::hideCard() {
  if (card_) card_->hide();
}

void TimelineView::showCard() {
  if (!hovered_) return;
  Scene now = scene();
  now.pinned = layout_.pinned_row(now.scroll);
  // The whole row stays free, not only the bar.
  const RowBox* const row = rowAt(hoverAt_);
  const QRect anchor = row != nullptr ? QRect(0, now.y(*row), layout_.width, row->height) : bar_of(now, hovered_);
  if (!card_ || card_->parentWidget() != window()) {
    delete card_.data();
    card_ = new HoverCard(window());
    card_->setTheme(theme_);
  }
  const auto onWindow = [this](const QRect& rect) {
    return QRect(viewport()->mapTo(window(), rect.topLeft()), rect.size());
  };
  const TrueTime there = view().time(plotX(hoverAt_.x()));
  card_->tell(data_, describe(data_, hovered_, there),
              {onWindow(onViewport(anchor)), onWindow(onViewport({hoverAt_, QSize(1, 1)})).topLeft(),
               onWindow(viewport()->rect())});
}

void TimelineView::leaveHover() {
  hoverTimer_.stop();
  hideCard();
  hoverAt_ = {};
  if (std::exchange(overMarker_, -1) >= 0) viewport()->update();
  if (!hovered_) return;
  hovered_ = {};
  viewport()->update();
}

bool TimelineView::viewportEvent(QEvent* event) {
  // On another page, too, the card lies on the window.
  if (event->type() == QEvent::Leave || event->type() == QEvent::Hide) leaveHover();
  if (event->type() == QEvent::ToolTip && tipOfMarker(*static_cast<QHelpEvent*>(event))) return true;
  return QAbstractScrollArea::viewportEvent(event);
}

// ---- keys

void TimelineView::keyPressEvent(QKeyEvent* event) {
  if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
    return QAbstractScrollArea::keyPressEvent(event);
  const int step = std::max(1, layout_.plot_width() / (event->modifiers().testFlag(Qt::ShiftModifier) ? 2 : 10));
  switch (event->key()) {
    case Qt::Key_W:
      return zoomIn();
    case Qt::Key_S:
      return zoomOut();
    case Qt::Key_A:
    case Qt::Key_Left:
      return pan(-step);
    case Qt::Key_D:
    case Qt::Key_Right:
      return pan(step);
    case Qt::Key_Up:
      return verticalScrollBar()->triggerAction(QAbstractSlider::SliderSingleStepSub);
    case Qt::Key_Down:
      return verticalScrollBar()->triggerAction(QAbstractSlider::SliderSingleStepAdd);
    case Qt::Key_F:
      return fitSelection();
    case Qt::Key_Home:
      return pan(static_cast<int>(std::clamp<std::int64_t>(shown_.pixel(TrueTime{}), INT32_MIN, INT32_MAX)));
    case Qt::Key_End: {
      const TrueTime end = data_.place(std::max(data_.end(), data_.now()));
      return pan(static_cast<int>(std::clamp<std::int64_t>(shown_.pixel(end) - shown_.width, INT32_MIN, INT32_MAX)));
    }
    case Qt::Key_Period:
      return goToEvent(1);
    case Qt::Key_Comma:
      return goToEvent(-1);
    case Qt::Key_BracketRight:
      return goToIncident(1);
    case Qt::Key_BracketLeft:
      return goToIncident(-1);
    case Qt::Key_L:
      return setFollow(!follow_);
    case Qt::Key_Escape:
      if (measured_) return setMeasured({});
      if (selected_ || selectedIncident_ >= 0) return choose({}, cursorTime());
      return event->ignore();  // it may mean something to what is around
    default:
      return QAbstractScrollArea::keyPressEvent(event);
  }
}

}  // namespace leasescope
