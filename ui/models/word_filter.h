// Shows the rows that bear every word searched for, in any order and in any of their cells.
#pragma once
#include <QSortFilterProxyModel>
#include <QStringList>

#include "ui/models/row_order.h"

namespace leasescope {

class WordFilter : public QSortFilterProxyModel {
 public:
  using QSortFilterProxyModel::QSortFilterProxyModel;

  // Looks at this role of the first column instead of at what all cells show.
  void searchRole(int role) { role_ = role; }
  void setWords(const QString& text) {
    words_ = text.split(u' ', Qt::SkipEmptyParts);
    invalidateFilter();
  }
  void setSourceModel(QAbstractItemModel* model) override {
    order_ = dynamic_cast<const RowOrder*>(model);
    QSortFilterProxyModel::setSourceModel(model);
  }

 protected:
  bool lessThan(const QModelIndex& a, const QModelIndex& b) const override {
    const auto before = order_ ? order_->before(a.row(), b.row(), a.column()) : std::nullopt;
    return before ? *before : QSortFilterProxyModel::lessThan(a, b);
  }
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
    if (words_.isEmpty()) return true;
    const QString text = textOf(row, parent);
    for (const QString& word : words_)
      if (!text.contains(word, Qt::CaseInsensitive)) return false;
    return true;
  }

 private:
  QString textOf(int row, const QModelIndex& parent) const {
    if (role_ >= 0) return sourceModel()->index(row, 0, parent).data(role_).toString();
    QString text;
    for (int column = 0; column < sourceModel()->columnCount(parent); ++column) {
      const QModelIndex cell = sourceModel()->index(row, column, parent);
      text += cell.data().toString() + u'\n' + cell.data(Qt::AccessibleTextRole).toString() + u'\n';
    }
    return text;
  }

  QStringList words_;
  int role_ = -1;
  const RowOrder* order_ = nullptr;
};

}  // namespace leasescope
