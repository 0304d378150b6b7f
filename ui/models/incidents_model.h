// The incidents of a history as a table; row i is history.incidents[i].
#pragma once
#include <QAbstractTableModel>

#include "ui/models/cast.h"
#include "ui/models/counted_time.h"
#include "ui/models/glyph.h"
#include "ui/models/row_order.h"

namespace leasescope {

class IncidentsModel : public QAbstractTableModel, public RowOrder {
  Q_OBJECT
 public:
  enum Column { kMark, kKind, kStart, kLasts, kWho, kTokens, kCause, kColumns };

  explicit IncidentsModel(QObject* parent = nullptr);

  // Another history, or none. Both must outlive the model or be taken away by another call.
  void setHistory(const History* history, const Cast* cast);
  // Takes up what was appended and what changed since.
  void sync();
  // What its times and lengths count; their order is that of the run.
  void setTime(const CountedTime& time);
  // The incident a reader should see first: the worst kind, of these the longest. -1: none.
  int worst() const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  std::optional<bool> before(int row, int other, int column) const override;

 private:
  QVariant textOf(const Incident& incident, int column) const;
  QVariant sortOf(const Incident& incident, int column) const;
  QVariantList whoOf(const Incident& incident) const;

  const History* history_ = nullptr;
  const Cast* cast_ = nullptr;
  CountedTime time_;
  int rows_ = 0;
  int firstOpen_ = 0;  // rows before it have ended and never change
};

}  // namespace leasescope
