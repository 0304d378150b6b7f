// What is measured of a history as a table: one row a measure.
#pragma once
#include <QAbstractTableModel>
#include <array>

#include "core/history/measures/statistics.h"

namespace leasescope {

class StatisticsModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kMeasure, kCount, kMedian, kMost95, kMost99, kLongest, kColumns };

  explicit StatisticsModel(QObject* parent = nullptr);

  // Another history, or none. It must outlive the model or be taken away by another call.
  void setHistory(const History* history);
  // Takes up what was appended since, as much of it as the window has time for; whether that was all.
  bool sync();
  const Measure& measure(int row) const { return *measures_.all()[static_cast<std::size_t>(row)]; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  using Row = std::array<QString, kColumns>;
  void load();

  const History* history_ = nullptr;
  Statistics measures_;
  std::vector<Row> rows_;  // as they were when the events were taken up
};

}  // namespace leasescope
