// The events of a history as a table, made row by row as they are looked at; appended in batches. Filtered and sorted
// here: a proxy would make a text of each of a million events.
#pragma once
#include <QAbstractTableModel>
#include <QElapsedTimer>
#include <unordered_map>
#include <vector>

#include "ui/models/cast.h"
#include "ui/models/counted_time.h"
#include "ui/models/glyph.h"

namespace leasescope {

class EventsModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kNumber, kTime, kWho, kKind, kToken, kWhat, kCausedBy, kColumns };

  explicit EventsModel(QObject* parent = nullptr);

  void setHistory(const History* history, const Cast* cast);
  // One insertion for all that was appended since. While it runs, an order other than time's is made every other
  // second.
  void sync(bool runs = false);
  // Shows the events that bear every word of `text`: who, what kind, which token ("#33"). Empty: all of them.
  void setFilter(const QString& text);
  // What its times count; their order is that of the run.
  void setTime(const CountedTime& time);
  // Equal ones stay in the order of time.
  void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QVariant textOf(std::size_t event, int column) const;
  std::size_t eventAt(int row) const;
  bool passes(const Event& event);
  std::uint32_t wordsIn(const QString& text) const;
  QString alike(const Event& event, int column) const;
  int rowOf(std::size_t event) const;  // -1: not shown
  // Rows are not simply the events, forwards or backwards.
  bool listed() const { return !words_.isEmpty() || sorted(); }
  bool sorted() const { return column_ > kTime; }
  std::vector<std::uint32_t> passing(std::size_t from);
  void arrange();
  template <class Do>
  void reorder(Do&& action);
  void rebuild();

  const History* history_ = nullptr;
  const Cast* cast_ = nullptr;
  int rows_ = 0;
  QStringList words_;
  CountedTime time_;
  int column_ = kTime;
  Qt::SortOrder order_ = Qt::AscendingOrder;
  bool arranged_ = true;  // nothing waits at the end for its place
  QElapsedTimer sinceArranged_;
  std::vector<std::uint32_t> shown_;  // by row, where rows are listed; by time where they are not sorted
  std::size_t read_ = 0;
  // Which words a kind of event and a contender bear, asked once each.
  std::unordered_map<std::uint32_t, std::uint32_t> kinds_, nodes_;
};

}  // namespace leasescope
