#include "ui/timeline/minimap_view.h"

#include <QMouseEvent>
#include <QPainter>

namespace leasescope {

MinimapView::MinimapView(const ChartData& chart, QWidget* parent) : QWidget(parent), data_(chart) {
  setAttribute(Qt::WA_OpaquePaintEvent);
  setMouseTracking(true);
  setAccessibleName(tr("Whole run"));
  setFixedHeight(measures().minimap);
}

void MinimapView::setTheme(Theme theme) {
  theme_ = theme;
  update();
}

void MinimapView::setHead(int width) {
  head_ = width;
  update();
}

void MinimapView::setMutex(int mutex) {
  mutex_ = mutex;
  update();
}

void MinimapView::setShown(TrueTime from, TrueTime to) {
  from_ = from;
  to_ = to;
  update();
}

void MinimapView::setPlayhead(std::optional<TrueTime> at) {
  playhead_ = at;
  update();
}

QSize MinimapView::sizeHint() const { return {400, measures().minimap}; }

Minimap MinimapView::minimap() const { return {data_, rect(), head_, from_, to_, playhead_, mutex_}; }

void MinimapView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paint_minimap(painter, minimap(), theme_, tiles_);
}

MinimapView::Grip MinimapView::gripAt(int x) const {
  const QRect frame = minimap().view_frame();
  if (std::abs(x - frame.left()) <= 4) return Grip::kFrom;
  if (std::abs(x - frame.right()) <= 4) return Grip::kTo;
  return x > frame.left() && x < frame.right() ? Grip::kMove : Grip::kNone;
}

void MinimapView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
  const int x = event->position().toPoint().x();
  grip_ = gripAt(x);
  grab_ = minimap().time(x) - from_;
  if (grip_ == Grip::kNone) {  // beside the frame: it comes to the pointer and can be dragged on
    grip_ = Grip::kMove;
    grab_ = (to_ - from_) / 2;
    drag(x);
  }
}

void MinimapView::mouseMoveEvent(QMouseEvent* event) {
  const int x = event->position().toPoint().x();
  if (grip_ != Grip::kNone) return drag(x);
  const Grip grip = gripAt(x);
  setCursor(grip == Grip::kFrom || grip == Grip::kTo ? Qt::SizeHorCursor : Qt::ArrowCursor);
}

void MinimapView::mouseReleaseEvent(QMouseEvent*) { grip_ = Grip::kNone; }

void MinimapView::drag(int x) {
  const TrueTime at = minimap().time(x);
  const Duration least = std::chrono::milliseconds(1);
  switch (grip_) {
    case Grip::kMove:
      emit rangeRequested(at - grab_, at - grab_ + (to_ - from_));
      return;
    case Grip::kFrom:
      emit rangeRequested(std::min(at, to_ - least), to_);
      return;
    case Grip::kTo:
      emit rangeRequested(from_, std::max(at, from_ + least));
      return;
    case Grip::kNone:
      return;
  }
}

}  // namespace leasescope
