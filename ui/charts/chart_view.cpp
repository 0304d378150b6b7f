#include "ui/charts/chart_view.h"

#include <algorithm>
#include <cmath>

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QVBoxLayout>

#include "ui/charts/chart_canvas.h"
#include "ui/panels/parts.h"
#include "ui/theme/look.h"

namespace leasescope {
namespace {

constexpr int kTitle = 18;  // px

}  // namespace

ChartView::ChartView(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  title_ = label({}, 12, 600);
  title_->setFixedHeight(kTitle);  // a chart that is squeezed has its title whole
  note_ = new ElidedLabel;
  setInk(note_, Ink::kMuted);
  note_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  canvas_ = new ChartCanvas(*this);
  auto* const head = new QHBoxLayout;
  head->setContentsMargins(8, 4, 8, 0);
  head->setSpacing(10);
  head->addWidget(title_);
  head->addWidget(note_, 1);
  auto* const column = new QVBoxLayout(this);
  column->setContentsMargins(1, 0, 1, 2);
  column->setSpacing(0);
  column->addLayout(head);
  column->addWidget(canvas_, 1);
  connect(&Look::instance(), &Look::changed, this, [this] { setDrawing(drawing_); });
}

ChartView::~ChartView() = default;

void ChartView::setDrawing(ChartDrawing drawing) {
  drawing_ = std::move(drawing);
  places_.clear();
  for (const ChartLine& line : drawing_.lines)
    for (const QPointF& point : line.points) places_.push_back(point.x());
  std::sort(places_.begin(), places_.end());
  places_.erase(std::unique(places_.begin(), places_.end()), places_.end());
  current_ = std::min(current_, static_cast<int>(stops()) - 1);
  title_->setText(drawing_.title);
  note_->setFullText(drawing_.note);
  canvas_->buildLater();
  describe();
  update();
}

QPoint ChartView::pointAt(double across) const { return canvas_->mapTo(this, canvas_->pointAt(across)); }

double ChartView::stopAt(std::size_t i) const {
  if (drawing_.bars.empty()) return places_[i];
  return (drawing_.bars[i].from + drawing_.bars[i].to) / 2;
}

int ChartView::barAt(double across) const {
  for (std::size_t i = 0; i < drawing_.bars.size(); ++i)
    if (across >= drawing_.bars[i].from && across < drawing_.bars[i].to) return static_cast<int>(i);
  return -1;
}

QString ChartView::textAt(double across) const {
  if (const int bar = barAt(across); bar >= 0) return drawing_.bars[static_cast<std::size_t>(bar)].text;
  if (!drawing_.bars.empty() || across < drawing_.from || across > drawing_.to) return {};
  QStringList lines;
  for (const ChartLine& line : drawing_.lines) {
    const auto later = std::upper_bound(line.points.begin(), line.points.end(), across,
                                        [](double x, const QPointF& point) { return x < point.x(); });
    if (later == line.points.begin()) continue;
    const QPointF& before = *(later - 1);
    double y = before.y();
    if (later != line.points.end() && later->x() > before.x())
      y += (later->y() - before.y()) * (across - before.x()) / (later->x() - before.x());
    lines << QStringLiteral("%1: %2 %3").arg(line.name).arg(y, 0, 'g', 4).arg(drawing_.up);
  }
  return lines.join(u'\n');
}

void ChartView::move(int to) {
  if (stops() == 0) return;
  current_ = std::clamp(to, 0, static_cast<int>(stops()) - 1);
  describe();
  canvas_->viewport()->update();
}

void ChartView::choose(double across) {
  if (stops() == 0) return;
  if (!drawing_.bars.empty()) {
    const int bar = barAt(across);
    if (bar < 0) return;
    move(bar);
    emit barChosen(bar);
    return;
  }
  if (across < drawing_.from || across > drawing_.to) return;
  const auto next = std::lower_bound(places_.begin(), places_.end(), across);
  move(static_cast<int>(next - places_.begin()));
  emit placeChosen(across);
}

// For those who hear the window: what the chart is, and the current place of it.
void ChartView::describe() {
  setAccessibleName(drawing_.title);
  QString text = drawing_.note.isEmpty() ? drawing_.empty : drawing_.note;
  if (current_ >= 0) text = textAt(stopAt(static_cast<std::size_t>(current_)));
  setAccessibleDescription(text);
}

void ChartView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
      return move(current_ - 1);
    case Qt::Key_Right:
      return move(current_ + 1);
    case Qt::Key_Home:
      return move(0);
    case Qt::Key_End:
      return move(static_cast<int>(stops()) - 1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (current_ >= 0) choose(stopAt(static_cast<std::size_t>(current_)));
      return;
    default:
      QWidget::keyPressEvent(event);
  }
}

void ChartView::focusInEvent(QFocusEvent* event) {
  if (current_ < 0 && event->reason() != Qt::MouseFocusReason) move(0);
  canvas_->viewport()->update();
  QWidget::focusInEvent(event);
}

void ChartView::focusOutEvent(QFocusEvent* event) {
  canvas_->viewport()->update();
  QWidget::focusOutEvent(event);
}

void ChartView::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), ink().panel);
  painter.fillRect(0, 0, 1, height(), ink().line);
  if (!canvas_->isHidden()) return;
  painter.setPen(ink().muted);
  painter.drawText(rect().adjusted(12, 24, -12, -8), static_cast<int>(Qt::AlignCenter) | Qt::TextWordWrap,
                   drawing_.empty);
}

}  // namespace leasescope
