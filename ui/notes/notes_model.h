// All that was kept of a session as one table, by time: markers, notes to incidents, named views.
#pragma once
#include <QAbstractTableModel>
#include <vector>

#include "ui/notes/notebook.h"

namespace leasescope {

class NotesModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kMark, kTime, kName, kText, kColumns };
  enum class Kind : std::uint8_t { kMarker, kIncident, kView };
  struct Row {
    Kind kind = Kind::kMarker;
    std::size_t place = 0;  // among those of its kind, in the notebook
    TrueTime at{};
    bool operator==(const Row&) const = default;
  };

  NotesModel(Session& session, Notebook& notebook, QObject* parent = nullptr);

  const Row& at(int row) const { return rows_[static_cast<std::size_t>(row)]; }
  int rowOf(Kind kind, std::size_t place) const;  // -1: none
  // Undoable.
  void remove(int row);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  void load();
  QString nameOf(const Row& row) const;
  QString textOf(const Row& row) const;

  Session& session_;
  Notebook& notebook_;
  std::vector<Row> rows_;
};

}  // namespace leasescope
