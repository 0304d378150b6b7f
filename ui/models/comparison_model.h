// Two histories compared, as tables: what each came to, and event by event when it happened in either.
#pragma once
#include <QAbstractTableModel>
#include <vector>

#include "core/history/comparison.h"
#include "ui/models/cast.h"
#include "ui/models/glyph.h"

namespace leasescope {

// What each came to: counts first, then lengths.
class ComparedFiguresModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kName, kA, kB, kColumns };
  using QAbstractTableModel::QAbstractTableModel;

  void setComparison(const ComparedHistories* comparison);  // null: none

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  struct Row {
    QString name, a, b;
  };
  std::vector<Row> rows_;
};

class ComparedEventsModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kWho, kWhat, kA, kB, kLater, kColumns };
  using QAbstractTableModel::QAbstractTableModel;

  // One of the two histories, and who is who in it.
  struct Side {
    const History* history = nullptr;
    const Cast* cast = nullptr;
  };
  // All three must stay until another call; a comparison of null takes everything away.
  void setComparison(const ComparedHistories* comparison, Side a, Side b);
  // Without what happened at once in both.
  void showDifferencesOnly(bool only);

  const ComparedEvent& event(int row) const;
  // The first row after that one, or the last before it, that is a difference; -1: there is none.
  int nextDifference(int row, int step) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  void list();
  QVariant textOf(const ComparedEvent& event, int column) const;
  int placeOf(const ComparedEvent& event) const;

  const ComparedHistories* comparison_ = nullptr;
  Side a_, b_;
  bool differencesOnly_ = true;
  std::vector<std::uint32_t> rows_;  // places in the comparison's events
};

}  // namespace leasescope
