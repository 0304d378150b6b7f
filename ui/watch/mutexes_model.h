// Watched mutexes as a table: who owns each now, for how long, and what is left of its lease. It filters and sorts
// itself: there may be ten thousand of them, and what is said of each changes all the time. Where they are divided into
// groups, a row of its own stands before each group, in the same flat list: a tree would cost a view more.
#pragma once
#include <QAbstractTableModel>
#include <QSet>
#include <QStringList>
#include <array>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/observe/past_watch.h"
#include "ui/models/cast.h"
#include "ui/models/counted_time.h"
#include "ui/watch/mutex_groups.h"

namespace leasescope {

// A lease's bar, in the colour of its owner.
struct LeaseBar : LeaseShares {
  int hue = 0;
};

class MutexesModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column {
    kStore,
    kMutex,
    kSystem,
    kOwner,
    kHeldFor,
    kLease,
    kTransition,
    kWaiters,
    kToken,
    kHandoffs,
    kChanged,
    kState,
    kColumns
  };

  explicit MutexesModel(QObject* parent = nullptr);

  // Null: there is none. The cast gives owners their hues.
  void setWatch(const Watch* watch, const Cast* cast);
  // What is known at that moment of the watch, which is now; of `past` who owned each then.
  void sync(TrueTime at, const PastWatch* past = nullptr);

  // By which clock moments are told.
  void countBy(const CountedTime& time) { time_ = time; }

  // Only rows with each of these words, in that state, and, where they are wanted alone, of whom somebody should be
  // told.
  void setFilter(const QString& words, std::optional<WatchState> state, bool alarmed = false);
  // Of whom that is, as the history has them; shown by the next sync().
  void setAlarmed(const std::unordered_set<std::string>& mutexes);
  // Groups stand in their own order, whichever column rows are sorted by within them. At first none is folded.
  void setGrouping(Grouping by);
  Grouping grouping() const { return groups_.by(); }
  // Null: the row is a mutex, or there is none.
  const MutexGroup* group(int row) const;
  void setFolded(int row, bool folded);  // of a group's own row
  int groupRowOf(int row) const;         // that stands before it; -1: rows are in no groups
  // They stand before the others, within their group, in whichever order; by key(), as they were kept the last time.
  void setFavourites(const QStringList& keys);
  QStringList favourites() const;  // in order, those that were not met too
  bool isFavourite(const WatchedMutex* mutex) const;
  void setFavourite(const WatchedMutex* mutex, bool on);

  // Of those that bear the words.
  const std::array<int, kWatchStates>& counts() const { return counts_; }
  int alarmed() const { return alarmed_; }  // likewise
  // Whether there are locks of other makers among them.
  bool hasForeign() const { return foreign_; }
  int all() const { return static_cast<int>(lines_.size()); }

  const WatchedMutex* mutex(int row) const;  // null: there is no such row, or it is a group's
  // Of a mutex's row.
  const WatchedRow& line(int row) const { return lines_[order_[static_cast<std::size_t>(row)]].row; }
  LeaseBar bar(int row) const;
  int rowOf(const WatchedMutex* mutex) const;  // -1: it is not shown

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  void sort(int column, Qt::SortOrder order) override;

 private:
  struct Line {
    const WatchedMutex* of = nullptr;
    WatchedRow row;
    QString name, store;
    QString searched;  // in lower case: what does not change
    QString key;       // store, maker and name: the same when it is watched again
    bool favourite = false;
    bool alarmed = false;
    int group = -1;      // not known yet
    std::string system;  // by which it was grouped
    bool likely = false;
  };
  // A row: a line's place, or a group's with this bit.
  static constexpr std::size_t kHead = std::size_t{1} << 62;

  QString keyOf(const WatchedMutex& mutex) const;
  bool passes(const Line& line) const;
  bool bears(const Line& line) const;
  void assignGroup(Line& line);
  bool before(const Line& a, const Line& b) const;
  bool rowBefore(std::size_t a, std::size_t b) const;
  int rankOf(std::size_t row) const;
  // Its place among all lines and the groups behind them.
  std::size_t slot(std::size_t row) const { return row < kHead ? row : lines_.size() + (row - kHead); }
  void arrange();
  std::vector<bool> chooseRows();
  void add(const std::vector<bool>& wanted);
  void reorder();
  void drop(const std::vector<bool>& wanted);
  QVariant groupData(const MutexGroup& group, int column, int role) const;
  QString textOf(const Line& line, int column) const;
  QString leftText(const Line& line) const;
  QString heldText(const WatchedRow& row) const;
  QString transitionText(const Line& line) const;
  QString changedText(const Line& line) const;
  static QString stateText(const WatchedRow& row);
  TrueTime changed(const Line& line) const;

  const Watch* watch_ = nullptr;
  const Cast* cast_ = nullptr;
  bool isPast_ = false;  // what stands in the rows
  TrueTime at_{};        // of which moment
  CountedTime time_;
  std::vector<Line> lines_;  // as they were met
  MutexGroups groups_;
  std::vector<std::size_t> order_;  // of what is shown
  std::array<int, kWatchStates> counts_{};
  QStringList words_;
  QSet<QString> favourites_;
  std::optional<WatchState> state_;
  bool alarmedAlone_ = false;
  int alarmed_ = 0;
  std::vector<std::size_t> alarmedLines_;
  std::unordered_map<std::string, std::size_t> places_;  // of lines, as the history has their mutexes
  bool foreign_ = false;
  int column_ = kMutex;
  bool descending_ = false;
};

}  // namespace leasescope
