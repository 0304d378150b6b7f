// Two histories compared, as tables: what each came to, and event by event when it happened in either.
#pragma once
#include <QAbstractTableModel>
#include <optional>
#include <vector>

#include "core/history/comparison.h"
#include "core/history/history_header.h"
#include "simulator/run/outcome.h"
#include "ui/models/cast.h"
#include "ui/models/glyph.h"

namespace leasescope {

// What tells two compared runs apart, a word or two of each: "virtual" and "live: redis", "seed 7" and "seed 8", "ttl =
// 5s" and "ttl = 7s", "origin" and "fork at 15.000 s". Empty where nothing does, or too much.
struct ComparedNames {
  QString a, b;
};
struct ComparedRun {
  const HistoryHeader& header;
  const Scenario& scenario;  // that it ran under at its end
};
ComparedNames namesOfTwo(const ComparedRun& a, const ComparedRun& b);

// What each came to that no figure says: its outcome, and why.
struct ComparedOutcomes {
  Outcome a, b;
};

// What each came to: the outcome first, then counts, lengths, rates.
class ComparedFiguresModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kName, kA, kB, kColumns };
  using QAbstractTableModel::QAbstractTableModel;

  void setComparison(const ComparedHistories* comparison,  // null: none
                     const std::optional<ComparedOutcomes>& outcomes = {});
  // Over the columns; empty: by their letters.
  void setNames(const ComparedNames& names);
  // Where a row's figures are seen: in either or, where neither has a place, where the two part first.
  ComparedPlaces places(int row) const { return rows_[static_cast<std::size_t>(row)].at; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  struct Row {
    QString name, a, b;
    ComparedPlaces at{};
    QString tipA{}, tipB{};
  };
  void list(const ComparedHistories& comparison);
  std::vector<Row> rows_;
  ComparedNames names_;
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
