// A list of what can be opened, with a field that leaves the rows with its words.
#pragma once
#include <QLineEdit>
#include <QListView>
#include <QStyledItemDelegate>

#include "ui/models/word_filter.h"
#include "ui/panels/parts.h"

namespace leasescope {

class SearchList : public Pane {
  Q_OBJECT
 public:
  // `searched`: the role that is looked at, -1 for what the rows show. `none` is said where no row has the words, and
  // `empty` where there is no row at all.
  SearchList(QAbstractItemModel* model, int searched, const QString& placeholder, const QString& none,
             const QString& empty, QWidget* parent = nullptr);

  QListView* list() const { return list_; }
  QLineEdit* search() const { return search_; }
  void focusSearch();
  // Between the field and the rows.
  void setCaption(QWidget* caption);
  // Marks a row of the model without choosing it; -1: none.
  void setCurrentRow(int row);

 signals:
  void chosen(const QModelIndex& row);  // by mouse or keys
  void searched();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void sayNone();

  WordFilter* filter_;
  QString noneText_, emptyText_;
  QLineEdit* search_;
  QListView* list_ = nullptr;  // the field sends its events before there is one
  QLabel* none_;
};

// Rows of two lines: a name in the fixed font over something about it; at the right what a derived one paints.
class TwoLineDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  TwoLineDelegate(int aboutRole, int marksWidth, QObject* parent);
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 protected:
  virtual int nameRole() const { return Qt::DisplayRole; }
  virtual bool faint(const QModelIndex& /*index*/) const { return false; }
  // A word behind the name, where there is room; empty: none.
  virtual QString note(const QModelIndex& /*index*/) const { return {}; }
  // In `room`, as wide as was asked for.
  virtual void paintMarks(QPainter& /*painter*/, const QRect& /*room*/, const QModelIndex& /*index*/) const {}

 private:
  int about_, marks_;
};

}  // namespace leasescope
