// The contenders of a run as a table: what each is doing now and what it has come to so far.
#pragma once
#include <QAbstractTableModel>
#include <optional>

#include "core/history/standing.h"
#include "ui/models/cast.h"
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
  void sync();

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  struct Tally {
    std::uint32_t place = Standing::kNone;  // in the standing; none: no event yet
    bool holds = false;                     // its time is counted
    std::optional<LifecycleError> refused;  // the last start or stop, until one is done
    Token token = kNoToken;
    std::uint64_t acquired = 0, renewed = 0, lost = 0, writes = 0, rejected = 0;
    TrueTime heldSince{}, believedSince{};
    std::optional<TrueTime> unseen;  // that it holds, since then
    Duration held{}, believed{};
  };

  void count(const Event& event);
  void countHeld(Tally& who, const Event& event);
  Tally* tallyOf(std::uint32_t place);
  static void endHold(Tally& who, TrueTime at);
  static TrueTime heldUntil(const Tally& who, TrueTime at);
  void loseSight(std::uint32_t mutex, TrueTime at);
  QString stateOf(const Tally& who) const;
  QString standingOf(const Tally& who) const;
  QVariant textOf(int row, int column) const;
  QVariant sortOf(int row, int column) const;
  Duration heldBy(const Tally& who) const;
  Duration believedBy(const Tally& who) const;

  const History* history_ = nullptr;
  const Cast* cast_ = nullptr;
  std::vector<Tally> tallies_;
  Standing standing_;
  Sequence read_ = 0;  // events counted so far
  int rows_ = 0;
};

}  // namespace leasescope
