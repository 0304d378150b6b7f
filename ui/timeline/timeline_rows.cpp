// One row of the timeline: which it is that keys are about, and the menu that a pointer or the menu key asks for.
#include <QContextMenuEvent>

#include "ui/timeline/paint/marks.h"
#include "ui/timeline/paint/snap.h"
#include "ui/timeline/timeline_view.h"

namespace leasescope {

int TimelineView::currentRow() const { return layout_.contender_row(currentRow_) != nullptr ? currentRow_ : -1; }

void TimelineView::setCurrentRow(int contender) {
  if (contender == currentRow_) return;
  currentRow_ = contender;
  viewport()->update();
  tellFocus();
  emit currentRowChanged(currentRow());
}

void TimelineView::stepRow(int by) {
  const int now = currentRow();
  const RowBox *before = nullptr, *after = nullptr, *first = nullptr, *last = nullptr;
  bool passed = false;
  for (const RowBox& row : layout_.rows) {
    if (row.kind != RowKind::kContender) continue;
    if (first == nullptr) first = &row;
    last = &row;
    if (row.index == now)
      passed = true;
    else if (!passed)
      before = &row;
    else if (after == nullptr)
      after = &row;
  }
  const RowBox* const found = now < 0 ? (by > 0 ? first : last) : by > 0 ? after : before;
  if (found == nullptr) return;
  setCurrentRow(found->index);
  showRows({found->index});
}

int TimelineView::blockerOf(int contender, TrueTime at) const {
  const std::vector<ContenderRow>& all = data_.contenders();
  for (std::size_t who = 0; who < all.size(); ++who)
    if (static_cast<int>(who) != contender && all[who].mutex == all[static_cast<std::size_t>(contender)].mutex &&
        span_at(all[who].held, at))
      return static_cast<int>(who);
  return -1;
}

std::vector<std::string> TimelineView::neighboursOf(int contender) const {
  const RowBox* const own = layout_.contender_row(contender);
  if (own == nullptr) return {};
  const std::vector<ContenderRow>& all = data_.contenders();
  const auto mutex_of = [&](int who) { return all[static_cast<std::size_t>(who)].mutex; };
  std::vector<std::string> names;
  for (const RowBox& row : layout_.rows)
    if (row.kind == RowKind::kContender && row.pinned == own->pinned &&
        (row.pinned || mutex_of(row.index) == mutex_of(contender)))
      names.push_back(all[static_cast<std::size_t>(row.index)].name);
  return names;
}

const RowBox* TimelineView::rowAt(QPoint at) const {
  Scene now = scene();
  now.pinned = layout_.pinned_row(now.scroll);
  if (at.y() < layout_.top()) return nullptr;
  for (const RowBox& row : layout_.rows)
    if (now.stays(row) == (at.y() < now.rows_top()) && at.y() >= now.y(row) && at.y() < now.y(row) + row.height)
      return &row;
  return nullptr;
}

int TimelineView::contenderAt(QPoint at) const {
  const RowBox* const row = rowAt(at);
  return row != nullptr && row->kind == RowKind::kContender ? row->index : -1;
}

std::optional<TimelineView::Aim> TimelineView::aim(const RowBox& row) const {
  const bool store = row.kind == RowKind::kStore || row.kind == RowKind::kMutex;
  if (!store && row.kind != RowKind::kContender) return std::nullopt;
  Scene now = scene();
  now.pinned = layout_.pinned_row(now.scroll);
  return Aim{store ? -1 : row.index, onViewport({layout_.head, now.y(row), layout_.plot_width(), row.height})};
}

std::optional<TimelineView::Aim> TimelineView::aimAt(QPoint at) const {
  const RowBox* const row = rowAt(onChart(at));
  return row == nullptr || onChart(at).x() < layout_.head ? std::nullopt : aim(*row);
}

std::optional<TimelineView::Aim> TimelineView::aimOf(int contender) const {
  if (contender >= 0) {
    const RowBox* const row = layout_.contender_row(contender);
    return row == nullptr ? std::nullopt : aim(*row);
  }
  for (const RowBox& row : layout_.rows)
    if (row.kind == RowKind::kStore || row.kind == RowKind::kMutex) return aim(row);
  return std::nullopt;
}

std::optional<TrueTime> TimelineView::snappedAt(QPoint at) const { return snapped(scene(), onChart(at)); }

void TimelineView::contextMenuEvent(QContextMenuEvent* event) {
  const bool keyboard = event->reason() == QContextMenuEvent::Keyboard;
  const RowBox* row = keyboard ? layout_.contender_row(currentRow()) : rowAt(onChart(event->pos()));
  event->accept();
  leaveHover();
  const int contender = row != nullptr && row->kind == RowKind::kContender ? row->index : -1;
  int mutex = row != nullptr && row->kind == RowKind::kMutex ? row->index : -1;
  if (contender >= 0) mutex = data_.contenders()[static_cast<std::size_t>(contender)].mutex;
  if (contender >= 0) setCurrentRow(contender);
  QPoint at = event->globalPos();
  if (keyboard) {
    Scene now = scene();
    now.pinned = layout_.pinned_row(now.scroll);
    const QPoint there(layout_.head / 2, row != nullptr ? now.y(*row) + row->height / 2 : layout_.top());
    at = viewport()->mapToGlobal(onViewport({there, QSize()}).topLeft());
  }
  emit rowMenuWanted(contender, mutex, at);
}

}  // namespace leasescope
