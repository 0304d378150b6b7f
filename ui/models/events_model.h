// The events of a history as a table, made row by row as they are looked at; appended in batches. Filtered and sorted
// here: a proxy would make a text of each of ten million events. Where all are shown in order of time there is no list
// of them; else one of four bytes a row.
#pragma once
#include <QAbstractTableModel>
#include <QElapsedTimer>
#include <optional>
#include <vector>

#include "ui/models/cast.h"
#include "ui/models/counted_time.h"
#include "ui/models/event_order.h"
#include "ui/models/event_scan.h"
#include "ui/models/glyph.h"

namespace leasescope {

class EventsModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kNumber, kTime, kWho, kKind, kToken, kWhat, kCausedBy, kColumns };

  explicit EventsModel(QObject* parent = nullptr);

  void setHistory(const History* history, const Cast* cast);
  // One insertion for all that was appended since. While it runs, an order other than time's is made every other
  // second at most.
  void sync(bool runs = false);
  // Shows the events that pass this filter (core/history/event_filter.h); empty: all of them. Where there are many they
  // come by and by, and another filter leaves them. Of a text that is no filter the error; what was shown is shown on.
  std::optional<FilterError> setFilter(const QString& text);
  // Events are not looked through yet.
  bool looks() const { return scan_.looks(); }
  std::size_t listBytes() const { return shown_.capacity() * sizeof(std::uint32_t); }
  // What its times count; their order is that of the run.
  void setTime(const CountedTime& time);
  // Equal ones stay in the order of time; backwards they are the other way round too. Of many rows the order is made
  // beside the window: until it is there they stay in the one before, and another order leaves it.
  void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;
  // Rows are still in another order than the one that was asked for.
  bool arranges() const { return !(by_ == wanted_); }
  EventFilter filter() const { return filter_; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 signals:
  void looked();           // through so many more events, or all of them
  void arrangesChanged();  // arranges() may be another

 private:
  struct Order {
    int column = kTime;
    Qt::SortOrder order = Qt::AscendingOrder;

    bool sorted() const { return column > kTime; }  // by another column than time's
    bool backwards() const { return order == Qt::DescendingOrder; }
    bool operator==(const Order& other) const { return column == other.column && order == other.order; }
  };
  QVariant textOf(std::size_t event, int column) const;
  std::size_t eventAt(int row) const;
  QString alike(const Event& event, int column) const;
  int rowOf(std::size_t event) const;  // -1: not shown
  // Rows are not simply the events, forwards or backwards.
  bool listed() const { return filter_.any() || sorted(); }
  bool sorted() const { return by_.sorted(); }
  void look();
  void take(const std::vector<std::uint32_t>& places, std::size_t upTo);
  void insert(std::size_t rows, const std::vector<std::uint32_t>& places);
  void follow();
  void settle();
  void arrange();
  void order();
  bool fill(std::vector<EventOrder::Row>& rows, std::size_t from, std::size_t to) const;
  void adopt(std::vector<std::uint32_t>& events);
  void inTime();
  template <class Do>
  void reorder(Do&& action);
  void rebuild();

  const History* history_ = nullptr;
  const Cast* cast_ = nullptr;
  int rows_ = 0;
  QString text_;  // of the filter
  EventFilter filter_;
  EventScan scan_;
  CountedTime time_;
  Order by_;      // the order in which rows are
  Order wanted_;  // ... and the one that was asked for
  EventOrder making_;
  bool arranged_ = true;  // nothing waits at the end for its place
  bool runs_ = false;
  QElapsedTimer sinceArranged_, sinceBegun_;
  qint64 arrangingMs_ = 0;            // what the last one beside the window took
  std::vector<std::uint32_t> shown_;  // by row, where rows are listed; by time where they are not sorted
  std::size_t read_ = 0;              // events that are shown or were looked at
};

}  // namespace leasescope
