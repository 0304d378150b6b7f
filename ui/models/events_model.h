// The events of a history as a table, made row by row as they are looked at; appended in batches.
#pragma once
#include <QAbstractTableModel>

#include "ui/models/cast.h"
#include "ui/models/glyph.h"

namespace leasescope {

class EventsModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kNumber, kTime, kWho, kKind, kToken, kWhat, kCausedBy, kColumns };

  explicit EventsModel(QObject* parent = nullptr);

  void setHistory(const History* history, const Cast* cast);
  // One insertion for all that was appended since.
  void sync();
  // The first row at or after `at`.
  int rowAt(TrueTime at) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QVariant textOf(int row, int column) const;

  const History* history_ = nullptr;
  const Cast* cast_ = nullptr;
  int rows_ = 0;
};

}  // namespace leasescope
