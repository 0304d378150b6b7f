// The contenders of a run as a table: what each is doing now and what it has come to so far.
#pragma once
#include <QAbstractTableModel>

#include "ui/models/cast.h"
#include "ui/models/contender_tallies.h"
#include "ui/models/glyph.h"

namespace leasescope {

class ContendersModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column {
    kWho,
    kName,
    kState,
    kToken,
    kLeft,
    kAcquired,
    kRenewed,
    kHeld,
    kBelieved,
    kLost,
    kWrites,
    kRejected,
    kColumns
  };

  explicit ContendersModel(QObject* parent = nullptr);

  void setHistory(const History* history, const Cast* cast);
  // Of that history, counted by somebody else.
  void take(ContenderTallies tallies);
  void sync();

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QString stateOf(const ContenderTally& who) const;
  QString standingOf(const ContenderTally& who) const;
  // Of the lease that it holds, by what the store promised last; none where it holds none, or one that has no end.
  std::optional<Duration> leftOf(const ContenderTally& who) const;
  QVariant textOf(int row, int column) const;
  QVariant sortOf(int row, int column) const;

  const History* history_ = nullptr;
  const Cast* cast_ = nullptr;
  ContenderTallies tallies_;
  int rows_ = 0;
};

}  // namespace leasescope
