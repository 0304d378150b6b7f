#include "ui/panels/long_table.h"

#include <QHeaderView>
#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>
#include <QSignalBlocker>
#include <algorithm>

namespace leasescope {
namespace {

// Knows how high a row is, and of no row.
class NoRows : public QHeaderView {
 public:
  explicit NoRows(QWidget* parent) : QHeaderView(Qt::Vertical, parent) {}
  void setModel(QAbstractItemModel* /*model*/) override {}
  void setSelectionModel(QItemSelectionModel* /*selection*/) override {}
};

}  // namespace

LongTable::LongTable(QWidget* parent) : Table(parent) {
  const int high = verticalHeader()->defaultSectionSize();
  auto* header = new NoRows(this);
  header->setMinimumSectionSize(verticalHeader()->minimumSectionSize());
  header->setDefaultSectionSize(high);
  setVerticalHeader(header);
  header->hide();
  setVerticalScrollMode(ScrollPerItem);
  connect(verticalScrollBar(), &QScrollBar::valueChanged, viewport(), qOverload<>(&QWidget::update));
}

void LongTable::setModel(QAbstractItemModel* model) {
  for (const QMetaObject::Connection& each : ofModel_) disconnect(each);
  ofModel_.clear();
  Table::setModel(model);
  if (model == nullptr) return;
  // After what the view does itself about them.
  ofModel_ = {connect(model, &QAbstractItemModel::rowsInserted, this, &LongTable::relayout),
              connect(model, &QAbstractItemModel::rowsRemoved, this, &LongTable::relayout),
              connect(model, &QAbstractItemModel::layoutChanged, this, &LongTable::relayout),
              connect(model, &QAbstractItemModel::modelReset, this, &LongTable::relayout),
              // The view asks its header where these cells are, which has no rows.
              connect(model, &QAbstractItemModel::dataChanged, viewport(), qOverload<>(&QWidget::update))};
  relayout();
}

void LongTable::relayout() {
  updateGeometries();
  viewport()->update();
}

int LongTable::pitch() const { return std::max(1, verticalHeader()->defaultSectionSize()); }
int LongTable::firstRow() const { return verticalScrollBar()->value(); }
int LongTable::rowsAtOnce() const { return std::max(1, viewport()->height() / pitch()); }

// In the viewport; what lies far out lies just far out.
int LongTable::top(int row) const {
  constexpr qint64 kFar = 1 << 28;
  return static_cast<int>(std::clamp((qint64{row} - firstRow()) * pitch(), -kFar, kFar));
}

int LongTable::verticalOffset() const { return -top(0); }

QRect LongTable::visualRect(const QModelIndex& index) const {
  if (!index.isValid() || index.model() != model() || isColumnHidden(index.column())) return {};
  return {columnViewportPosition(index.column()), top(index.row()), columnWidth(index.column()), pitch()};
}

QModelIndex LongTable::indexAt(const QPoint& at) const {
  const int column = columnAt(at.x());
  if (model() == nullptr || column < 0 || at.y() < 0) return {};
  const qint64 row = qint64{firstRow()} + at.y() / pitch();
  return row < rows() ? model()->index(static_cast<int>(row), column) : QModelIndex();
}

void LongTable::scrollTo(const QModelIndex& index, ScrollHint hint) {
  if (!index.isValid() || index.model() != model()) return;
  const int row = index.row(), first = firstRow(), fit = rowsAtOnce();
  const bool seen = row >= first && row < first + fit;
  if (hint == PositionAtCenter)
    verticalScrollBar()->setValue(row - fit / 2);
  else if (hint == PositionAtTop || (hint == EnsureVisible && row < first))
    verticalScrollBar()->setValue(row);
  else if (hint == PositionAtBottom || !seen)
    verticalScrollBar()->setValue(row - fit + 1);
  const QRect cell = visualRect(index);
  QScrollBar* across = horizontalScrollBar();
  if (cell.left() < 0 || cell.width() > viewport()->width())
    across->setValue(across->value() + cell.left());
  else if (cell.right() >= viewport()->width())
    across->setValue(across->value() + cell.right() - viewport()->width() + 1);
}

// The next one that is shown, or where it began.
int LongTable::nextColumn(int from, int by) const {
  const int columns = model()->columnCount();
  int column = from + by;
  while (column >= 0 && column < columns && isColumnHidden(column)) column += by;
  return column >= 0 && column < columns ? column : from;
}

QModelIndex LongTable::moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) {
  const int count = rows(), columns = count == 0 ? 0 : model()->columnCount();
  if (columns == 0) return {};
  const int left = nextColumn(-1, 1), right = nextColumn(columns, -1);
  const QModelIndex at = currentIndex();
  if (!at.isValid()) return model()->index(0, left);
  qint64 row = at.row();
  int column = at.column();
  const bool far = modifiers & Qt::ControlModifier;
  switch (action) {
    case MoveUp:
      row = far ? 0 : row - 1;
      break;
    case MoveDown:
      row = far ? count - 1 : row + 1;
      break;
    case MovePageUp:
      row -= rowsAtOnce();
      break;
    case MovePageDown:
      row += rowsAtOnce();
      break;
    case MoveHome:
      column = left;
      if (far) row = 0;
      break;
    case MoveEnd:
      column = right;
      if (far) row = count - 1;
      break;
    case MoveLeft:
    case MovePrevious:
      column = nextColumn(column, -1);
      break;
    case MoveRight:
    case MoveNext:
      column = nextColumn(column, 1);
      break;
  }
  return model()->index(static_cast<int>(std::clamp<qint64>(row, 0, count - 1)), column);
}

void LongTable::setSelection(const QRect& rect, QItemSelectionModel::SelectionFlags command) {
  const QRect area = rect.normalized();
  const QModelIndex first = indexAt(area.topLeft()), last = indexAt(area.bottomRight());
  if (selectionModel() == nullptr || !first.isValid() || !last.isValid()) return;
  selectionModel()->select(QItemSelection(first, last), command);
}

QRegion LongTable::visualRegionForSelection(const QItemSelection& selection) const {
  QRegion region;
  const int first = firstRow(), last = first + rowsAtOnce() + 1;
  for (const QItemSelectionRange& range : selection) {
    const int from = std::max(range.top(), first), to = std::min(range.bottom(), last);
    if (range.isValid() && from <= to) region += QRect(0, top(from), viewport()->width(), (to - from + 1) * pitch());
  }
  return region;
}

// Of the rows that are seen.
int LongTable::sizeHintForColumn(int column) const {
  QStyleOptionViewItem option;
  initViewItemOption(&option);
  int hint = 0;
  const int last = std::min(rows(), firstRow() + rowsAtOnce());
  for (int row = firstRow(); row < last; ++row) {
    const QModelIndex index = model()->index(row, column);
    hint = std::max(hint, itemDelegateForIndex(index)->sizeHint(option, index).width());
  }
  return hint;
}

// The base lays out the columns, and takes it that there is no row.
void LongTable::updateGeometries() {
  QScrollBar* bar = verticalScrollBar();
  const int at = bar->value(), before = bar->maximum();
  {
    const QSignalBlocker quiet(bar);
    Table::updateGeometries();
  }
  bar->setSingleStep(1);
  bar->setPageStep(rowsAtOnce());
  bar->setRange(0, std::max(0, rows() - rowsAtOnce()));
  if (before > 0 && bar->maximum() == 0) emit bar->rangeChanged(0, 0);  // it was not to be heard above
  bar->setValue(at);
  if (bar->value() != at) viewport()->update();
  // Beside a bar that it does not know of there is less room.
  const int over = horizontalHeader()->length() - viewport()->width();
  if (over > horizontalScrollBar()->maximum()) horizontalScrollBar()->setMaximum(over);
}

void LongTable::scrollContentsBy(int dx, int dy) {
  if (dx != 0) Table::scrollContentsBy(dx, 0);
  if (dy != 0) viewport()->update();
}

void LongTable::paintEvent(QPaintEvent* event) {
  Table::paintEvent(event);  // what stands there when there are no rows
  const int count = rows();
  if (count == 0) return;
  QPainter painter(viewport());
  QStyleOptionViewItem option;
  initViewItemOption(&option);
  const QStyle::State state = option.state & ~(QStyle::State_Selected | QStyle::State_HasFocus);
  const QRect dirty = event->region().boundingRect();
  const int first = firstRow() + std::max(0, dirty.top()) / pitch();
  const int last = std::min(count - 1, firstRow() + std::max(0, dirty.bottom()) / pitch());
  for (int row = first; row <= last; ++row) {
    for (int column = 0; column < model()->columnCount(); ++column) {
      if (isColumnHidden(column)) continue;
      const QModelIndex index = model()->index(row, column);
      option.rect = visualRect(index);
      if (!option.rect.intersects(dirty)) continue;
      option.state = state;
      if (selectionModel()->isSelected(index)) option.state |= QStyle::State_Selected;
      if (index == currentIndex() && hasFocus()) option.state |= QStyle::State_HasFocus;
      itemDelegateForIndex(index)->paint(&painter, option, index);
    }
  }
}

}  // namespace leasescope
