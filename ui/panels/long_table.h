// A table of ten million rows. The vertical header of a QTableView keeps eight bytes for each row, and walks over all
// of them at a reset and whenever some have come; this one keeps nothing of a row: all are equally high, and where one
// lies is reckoned.
#pragma once
#include "ui/panels/tables.h"

namespace leasescope {

class LongTable : public Table {
  Q_OBJECT
 public:
  explicit LongTable(QWidget* parent = nullptr);

  void setModel(QAbstractItemModel* model) override;
  QRect visualRect(const QModelIndex& index) const override;
  QModelIndex indexAt(const QPoint& at) const override;
  void scrollTo(const QModelIndex& index, ScrollHint hint = EnsureVisible) override;
  int rows() const { return model() == nullptr ? 0 : model()->rowCount(); }
  int rowsAtOnce() const;  // that fit whole, at least one

 protected:
  int verticalOffset() const override;
  QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) override;
  void setSelection(const QRect& rect, QItemSelectionModel::SelectionFlags command) override;
  QRegion visualRegionForSelection(const QItemSelection& selection) const override;
  int sizeHintForColumn(int column) const override;
  void updateGeometries() override;
  void scrollContentsBy(int dx, int dy) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  int pitch() const;
  int firstRow() const;
  int top(int row) const;
  int nextColumn(int from, int by) const;
  void relayout();

  std::vector<QMetaObject::Connection> ofModel_;
};

}  // namespace leasescope
