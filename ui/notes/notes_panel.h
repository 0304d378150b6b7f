// The dock "Markers": what was kept, to be gone to, renamed, written to and taken away.
#pragma once
#include "ui/notes/notes_model.h"
#include "ui/panels/tables.h"

namespace leasescope {

class NotesPanel : public Table {
  Q_OBJECT
 public:
  NotesPanel(Session& session, Notebook& notebook, QWidget* parent = nullptr);

  NotesModel* notes() const { return model_; }
  QSize sizeHint() const override { return {320, 160}; }
  // Marks its row; with `rename` its name is edited at once.
  void show(NotesModel::Kind kind, std::size_t place, bool rename);

 signals:
  void chosen(leasescope::NotesModel::Kind kind, std::size_t place);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  void choose(const QModelIndex& row);
  void removeCurrent();

  NotesModel* model_;
};

}  // namespace leasescope
