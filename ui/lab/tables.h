// How the tables paint their cells: marks, badges, figures in the fixed font; and the table views themselves.
#pragma once
#include <QStyledItemDelegate>
#include <QTableView>

namespace leasescope {

class CellDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

// A table in the window's manner: rows of 24, no grid but hairlines, whole rows selected.
class Table : public QTableView {
  Q_OBJECT
 public:
  explicit Table(QWidget* parent = nullptr);
  // Widths by column; -1 = what is left. Given again when the window is narrow.
  void setWidths(const std::vector<int>& widths);
  // What stands there when there are no rows.
  void setEmptyText(const QString& text);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString empty_;
};

}  // namespace leasescope
