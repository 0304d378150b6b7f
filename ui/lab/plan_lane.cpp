#include "ui/lab/plan_lane.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "ui/lab/fault_swatch.h"
#include "ui/lab/field_grid.h"
#include "ui/look/fonts.h"
#include "ui/models/words.h"
#include "ui/theme/look.h"
#include "ui/timeline/timeline_view.h"

namespace leasescope {
namespace {

constexpr int kBar = 14, kGap = 3;  // px: a bar, and what lies between two
constexpr int kLevels = 4;          // so many lie one above another
constexpr int kEdge = 4;            // px: so near an edge is the edge

}  // namespace

PlanLane::PlanLane(LabController& lab, TimelineView* chart, QWidget* parent)
    : QWidget(parent), lab_(lab), chart_(chart) {
  setObjectName(QStringLiteral("planLane"));
  setAccessibleName(tr("Fault plan"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  const auto again = [this] { load(); };
  connect(&lab, &LabController::scenarioChanged, this, again);
  connect(&lab, &LabController::valuesChanged, this, again);
  connect(chart, &TimelineView::rangeChanged, this, [this] { update(); });
  connect(&Look::instance(), &Look::changed, this, [this] { update(); });
  load();
}

// Rows that would lie on each other lie one above another, as far as there is room.
void PlanLane::load() {
  bars_.clear();
  setVisible(lab_.hasScenario());
  if (!lab_.hasScenario()) return;
  const LeaseTerms& terms = lab_.scenario().terms();
  for (const FaultTable& row : lab_.scenario().faults)
    bars_.push_back({{row.at.under(terms), row.duration.under(terms)}, 0});
  std::vector<std::size_t> order(bars_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return bars_[a].when.at < bars_[b].when.at; });
  std::vector<Duration> ends(kLevels, Duration::min());
  const Duration apart = lab_.scenario().length() / 200;  // two that do not last are told apart
  levels_ = 1;
  for (const std::size_t i : order) {
    Bar& bar = bars_[i];
    const auto room = std::find_if(ends.begin(), ends.end(), [&](Duration end) { return end <= bar.when.at; });
    bar.level = room == ends.end() ? kLevels - 1 : static_cast<int>(room - ends.begin());
    ends[static_cast<std::size_t>(bar.level)] = bar.when.at + std::max(bar.when.lasts, apart);
    levels_ = std::max(levels_, bar.level + 1);
  }
  if (selected_ >= static_cast<int>(bars_.size())) selected_ = -1;
  setFixedHeight(levels_ * (kBar + kGap) + kGap + 1);
  update();
}

void PlanLane::select(int row) {
  selected_ = row < static_cast<int>(bars_.size()) ? row : -1;
  update();
}

// ---- where and when

int PlanLane::plotLeft() const { return chart_->pixelOf(chart_->visibleRange().first); }

QRect PlanLane::rectOf(const PlanStretch& when, int level) const {
  return planBar(*chart_, when, kGap + level * (kBar + kGap), kBar);
}

QRect PlanLane::rectOf(int row) const {
  if (row < 0 || row >= static_cast<int>(bars_.size())) return {};
  const Bar& bar = bars_[static_cast<std::size_t>(row)];
  return rectOf(bar.when, bar.level);
}

// The selected one first, then whoever was painted last.
int PlanLane::rowAt(QPoint at) const {
  if (at.x() < plotLeft()) return -1;
  const auto near = [&](int row) { return rectOf(row).adjusted(-kEdge, 0, kEdge, 0).contains(at); };
  if (selected_ >= 0 && near(selected_)) return selected_;
  for (int row = static_cast<int>(bars_.size()) - 1; row >= 0; --row)
    if (near(row)) return row;
  return -1;
}

PlanLane::Hold PlanLane::holdAt(QPoint at, int row) const {
  if (row < 0) return Hold::kNew;
  const QRect bar = rectOf(row);
  const FaultKind* kind = find_fault_kind(lab_.scenario().faults[static_cast<std::size_t>(row)].kind);
  if (kind == nullptr || !kind->lasts) return Hold::kMove;
  if (at.x() >= bar.right() - kEdge) return Hold::kEnd;
  return at.x() <= bar.left() + kEdge && bar.width() > 3 * kEdge ? Hold::kBegin : Hold::kMove;
}

Duration PlanLane::grain() const { return planGrain(*chart_); }

Duration PlanLane::timeAt(int x, bool exact) const {
  const Duration at = std::clamp(chart_->timeAt(x).time_since_epoch(), Duration::zero(), lab_.scenario().length());
  return planRounded(at, exact ? kPlanExact : grain());
}

PlanStretch PlanLane::dragged(QPoint to, bool exact) const {
  const Duration from = timeAt(pressed_.x(), exact), there = timeAt(to.x(), exact);
  if (hold_ == Hold::kNew) return planBetween(from, there);
  PlanStretch out = bars_[static_cast<std::size_t>(selected_)].when;
  const Duration least = grain();
  if (hold_ == Hold::kMove) out.at = std::max(Duration::zero(), out.at + there - from);
  if (hold_ == Hold::kEnd) out.lasts = std::max(least, there - out.at);
  if (hold_ == Hold::kBegin) {
    const Duration end = out.at + out.lasts;
    out.at = std::min(there, end - least);
    out.lasts = end - out.at;
  }
  return out;
}

// ---- mouse

void PlanLane::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || event->pos().x() < plotLeft()) return;
  pressed_ = event->pos();
  const int row = rowAt(pressed_);
  hold_ = holdAt(pressed_, row);
  selected_ = row;
  if (row >= 0) emit chosen(row);
  update();
}

void PlanLane::mouseMoveEvent(QMouseEvent* event) {
  if (!lab_.hasScenario()) return;
  if (hold_ == Hold::kNothing) {
    const Hold hold = holdAt(event->pos(), rowAt(event->pos()));
    setCursor(event->pos().x() < plotLeft()                ? Qt::ArrowCursor
              : hold == Hold::kBegin || hold == Hold::kEnd ? Qt::SizeHorCursor
              : hold == Hold::kMove                        ? Qt::OpenHandCursor
                                                           : Qt::CrossCursor);
    return;
  }
  if (!ghost_ && !isPlanDrag(pressed_, event->pos())) return;
  ghost_ = dragged(event->pos(), event->modifiers().testFlag(Qt::AltModifier));
  QToolTip::showText(event->globalPosition().toPoint(),
                     tr("%1, for %2").arg(placeText(ghost_->at), placeText(ghost_->lasts)), this);
  update();
}

void PlanLane::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const Hold hold = std::exchange(hold_, Hold::kNothing);
  const std::optional<PlanStretch> after = std::exchange(ghost_, std::nullopt);
  QToolTip::hideText();
  update();
  if (!after) return;
  if (hold != Hold::kNew) return commit(selected_, bars_[static_cast<std::size_t>(selected_)].when, *after);
  add("pause", after->at, std::max(after->lasts, grain()), "owner");
}

bool PlanLane::add(const std::string& kind, Duration at, Duration lasts, const std::string& target) {
  const auto row = lab_.document().addFault(kind, at, lasts, target);
  if (!row) {
    emit lab_.told(tr("No fault was added: %1").arg(row.error()));
    return false;
  }
  select(*row);
  emit chosen(*row);
  return true;
}

void PlanLane::commit(int row, const PlanStretch& before, const PlanStretch& after) {
  std::optional<Duration> lasts;
  if (after.lasts != before.lasts) lasts = after.lasts;
  if (const auto done = lab_.document().moveFault(row, after.at, lasts); !done)
    emit lab_.told(tr("Not moved: %1").arg(done.error()));
}

// ---- keys

void PlanLane::nudge(int steps, bool length) {
  if (selected_ < 0) return;
  const PlanStretch before = bars_[static_cast<std::size_t>(selected_)].when;
  PlanStretch after = before;
  const Duration by = steps * kPlanStep * grain();
  Duration& moved = length ? after.lasts : after.at;
  moved = std::max(length ? grain() : Duration::zero(), moved + by);
  if (length && before.lasts == Duration::zero()) return;
  commit(selected_, before, after);
}

void PlanLane::keyPressEvent(QKeyEvent* event) {
  const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
  if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier) || !lab_.hasScenario())
    return QWidget::keyPressEvent(event);
  const int last = static_cast<int>(bars_.size()) - 1;
  switch (event->key()) {
    case Qt::Key_Left:
      return nudge(-1, shift);
    case Qt::Key_Right:
      return nudge(1, shift);
    case Qt::Key_Up:
    case Qt::Key_Down:
      if (last < 0) return;
      select(event->key() == Qt::Key_Up ? std::max(0, selected_ - 1) : std::min(last, selected_ + 1));
      return emit chosen(selected_);
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
      if (selected_ >= 0) (void)lab_.document().removeFault(selected_);
      return;
    case Qt::Key_Insert:
      add("pause", chart_->cursorTime().time_since_epoch() / grain() * grain(), lab_.scenario().terms().lease(),
          "owner");
      return;
    case Qt::Key_Escape:
      hold_ = Hold::kNothing;
      ghost_.reset();
      return chart_->setFocus();
    default:
      return QWidget::keyPressEvent(event);
  }
}

void PlanLane::focusInEvent(QFocusEvent* event) {
  if (selected_ < 0 && !bars_.empty() && event->reason() != Qt::MouseFocusReason) select(0);
  QWidget::focusInEvent(event);
  update();
}

void PlanLane::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  update();
}

bool PlanLane::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const int row = lab_.hasScenario() ? rowAt(help->pos()) : -1;
  if (row < 0) {
    QToolTip::showText(help->globalPos(), tr("Planned faults: drag to add one, to move one, or at its edge"), this);
    return true;
  }
  const FaultTable& fault = lab_.scenario().faults[static_cast<std::size_t>(row)];
  QToolTip::showText(help->globalPos(),
                     tr("%1 of %2 at %3%4")
                         .arg(fromText(fault.kind), fromText(fault.target), fromText(fault.at.text),
                              fault.enabled ? QString() : tr(", off")),
                     this);
  return true;
}

// ---- paint

void PlanLane::paintBar(QPainter& painter, int row) const {
  const FaultTable& fault = lab_.scenario().faults[static_cast<std::size_t>(row)];
  const bool moving = row == selected_ && ghost_ && hold_ != Hold::kNew;
  const QRect bar = moving ? rectOf(*ghost_, bars_[static_cast<std::size_t>(row)].level) : rectOf(row);
  if (bar.right() < plotLeft() || bar.left() > width()) return;
  if (fault.enabled) paintFault(painter, bar, fault.kind);
  painter.setPen(row == selected_ ? ink().focus : fault.enabled ? ink().line_strong : ink().line);
  painter.drawRect(bar.adjusted(0, 0, -1, -1));
  if (row == selected_ && hasFocus()) painter.drawRect(bar.adjusted(-1, -1, 0, 0));
  const QString name = fromText(fault.kind).replace(u'_', u' ');
  const QFontMetrics letters(painter.font());
  const int wide = letters.horizontalAdvance(name);
  const QRect seen = bar.intersected(QRect(plotLeft(), 0, width() - plotLeft(), height()));
  const bool inside = wide + 8 <= seen.width();
  const QRect room = inside ? seen : QRect(bar.right() + 4, bar.top(), wide + 2, bar.height());
  // Outside it must not run into the next.
  for (int other = 0; !inside && other < static_cast<int>(bars_.size()); ++other)
    if (other != row && rectOf(other).intersects(room)) return;
  if (inside) painter.fillRect(QRect(seen.left() + 3, bar.top() + 1, wide + 4, bar.height() - 2), ink().chart);
  painter.setPen(fault.enabled ? ink().text : ink().muted);
  painter.drawText(inside ? room.adjusted(5, 0, 0, 0) : room, Qt::AlignLeft | Qt::AlignVCenter, name);
}

void PlanLane::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), ink().chart);
  painter.setPen(ink().line);
  painter.drawLine(0, height() - 1, width(), height() - 1);
  if (!lab_.hasScenario()) return;
  painter.setFont(leasescope::font(Face::kText, 10));
  const int left = plotLeft();
  painter.save();
  painter.setClipRect(left, 0, width() - left, height());
  for (int row = 0; row < static_cast<int>(bars_.size()); ++row)
    if (row != selected_) paintBar(painter, row);
  if (selected_ >= 0) paintBar(painter, selected_);
  if (ghost_ && hold_ == Hold::kNew) {
    const QRect bar = rectOf(*ghost_, 0);
    paintFault(painter, bar, "pause");
    painter.setPen(ink().focus);
    painter.drawRect(bar.adjusted(0, 0, -1, -1));
  }
  painter.restore();
  painter.fillRect(QRect(0, 0, left, height() - 1), ink().panel);
  painter.setFont(leasescope::font(Face::kText, 11));
  painter.setPen(hasFocus() ? ink().text : ink().muted);
  painter.drawText(QRect(12, 0, left - 16, height() - 1), Qt::AlignVCenter | Qt::AlignLeft, tr("Planned faults"));
}

}  // namespace leasescope
