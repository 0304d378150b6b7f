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
  // What is cut is told whole.
  bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                 const QModelIndex& index) override;
  // As wide as its text is in the font that it is painted in.
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  static QString shownText(const QStyleOptionViewItem& option, const QModelIndex& index);
};

// A table in the window's manner: rows of 24, no grid but hairlines, whole rows selected, focused, hovered and copied.
class Table : public QTableView {
  Q_OBJECT
 public:
  explicit Table(QWidget* parent = nullptr);
  // Widths by column; -1 = what is left. Given again when the window is narrow.
  void setWidths(const std::vector<int>& widths);
  // What stands there when there are no rows.
  void setEmptyText(const QString& text);
  const QString& emptyText() const { return empty_; }
  int hoveredRow() const { return hoveredRow_; }  // -1: none

  // A row with tabs between its cells, or as a line of CSV; row -1 gives the titles.
  QString rowText(int row) const;
  QString rowCsv(int row) const;
  // Titles and rows, at most so many: the window waits meanwhile, and who wants more has the exports.
  static constexpr int kMostCopied = 2'000;
  QString csv() const;
  void copyRow() const;
  void copyRowAsCsv() const;
  void copyAllAsCsv() const;

 signals:
  void filterWanted(const QString& text);  // only what is like this cell; empty: all again

 protected:
  bool viewportEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  QStringList cells(int row) const;
  QString empty_;
  int hoveredRow_ = -1;
};

}  // namespace leasescope
