// The contenders of a run as a table: what each is doing now and what it has come to so far.
#pragma once
#include <QAbstractTableModel>
#include <optional>

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
    bool running = false, believes = false, holds = false, paused = false, cut = false;
    std::optional<LifecycleError> refused;  // the last start or stop, until one is done
    Name mutex;
    Token token = kNoToken;
    std::uint64_t acquired = 0, renewed = 0, lost = 0, writes = 0, rejected = 0;
    TrueTime heldSince{}, believedSince{};
    std::optional<TrueTime> unseen;  // that it holds, since then
    Duration held{}, believed{};
  };

  void count(const Event& event);
  void countHeld(Tally& who, const Event& event);
  static void endHold(Tally& who, TrueTime at);
  static TrueTime heldUntil(const Tally& who, TrueTime at);
  void loseSight(TrueTime at);
  QString stateOf(const Tally& who) const;
  static QString standingOf(const Tally& who);
  QVariant textOf(int row, int column) const;
  QVariant sortOf(int row, int column) const;
  Duration heldBy(const Tally& who) const;
  Duration believedBy(const Tally& who) const;

  const History* history_ = nullptr;
  const Cast* cast_ = nullptr;
  std::vector<Tally> tallies_;
  std::vector<int> holders_;  // by the mutex's name handle: who was granted it last, -1 = nobody
  Sequence read_ = 0;         // events counted so far
  int rows_ = 0;
};

}  // namespace leasescope
