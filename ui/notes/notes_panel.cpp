#include "ui/notes/notes_panel.h"

#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>

namespace leasescope {

NotesPanel::NotesPanel(Session& session, Notebook& notebook, QWidget* parent) : Table(parent) {
  setObjectName(QStringLiteral("notesPanel"));
  setAccessibleName(tr("Markers, notes and views"));
  model_ = new NotesModel(session, notebook, this);
  setModel(model_);
  setWidths({26, 70, 130, -1});
  setEditTriggers(EditKeyPressed | DoubleClicked);
  setEmptyText(tr("M puts a marker at the cursor, B keeps a view."));
  connect(this, &Table::clicked, this, &NotesPanel::choose);
  // A row that is edited, or gone, leaves the place to its neighbour.
  connect(model_, &QAbstractItemModel::modelAboutToBeReset, this, [this] { setProperty("row", currentIndex().row()); });
  connect(model_, &QAbstractItemModel::modelReset, this, [this] {
    const int row = std::min(property("row").toInt(), model_->rowCount() - 1);
    if (row >= 0) setCurrentIndex(model_->index(row, NotesModel::kName));
  });
}

void NotesPanel::show(NotesModel::Kind kind, std::size_t place, bool rename) {
  const int row = model_->rowOf(kind, place);
  if (row < 0) return;
  const QModelIndex name = model_->index(row, NotesModel::kName);
  setCurrentIndex(name);
  scrollTo(name);
  if (!rename) return;
  setFocus(Qt::ShortcutFocusReason);
  edit(name);
}

void NotesPanel::choose(const QModelIndex& row) {
  if (row.isValid()) emit chosen(model_->at(row.row()).kind, model_->at(row.row()).place);
}

void NotesPanel::removeCurrent() {
  if (currentIndex().isValid()) model_->remove(currentIndex().row());
}

void NotesPanel::keyPressEvent(QKeyEvent* event) {
  if (state() == EditingState) return Table::keyPressEvent(event);
  if (event->key() == Qt::Key_Delete) return removeCurrent();
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return choose(currentIndex());
  Table::keyPressEvent(event);
}

void NotesPanel::contextMenuEvent(QContextMenuEvent* event) {
  const bool keyboard = event->reason() == QContextMenuEvent::Keyboard;
  const QModelIndex at = keyboard ? currentIndex() : indexAt(event->pos());
  if (!at.isValid()) return;
  setCurrentIndex(at);
  auto* menu = new QMenu(this);
  menu->setObjectName(QStringLiteral("noteMenu"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addAction(tr("Go there"), this, [this] { choose(currentIndex()); })->setShortcut(Qt::Key_Return);
  const auto offer = [&](const QString& text, int column) {
    const QModelIndex cell = at.siblingAtColumn(column);
    menu->addAction(text, this,
                    [this, cell = QPersistentModelIndex(cell)] {
                      if (cell.isValid()) edit(cell);
                    })
        ->setEnabled(cell.flags() & Qt::ItemIsEditable);
  };
  offer(tr("Rename"), NotesModel::kName);
  offer(tr("Write a note"), NotesModel::kText);
  menu->addSeparator();
  menu->addAction(tr("Delete"), this, &NotesPanel::removeCurrent)->setShortcut(Qt::Key_Delete);
  menu->popup(keyboard ? viewport()->mapToGlobal(visualRect(at).bottomLeft()) : event->globalPos());
}

}  // namespace leasescope
