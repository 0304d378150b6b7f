#include "ui/recordings/recordings_panel.h"

#include <QAction>
#include <QVBoxLayout>

namespace leasescope {
namespace {

class RecordingDelegate : public TwoLineDelegate {
 public:
  explicit RecordingDelegate(QObject* parent) : TwoLineDelegate(RecentRecordings::kAboutRole, 0, parent) {}

 protected:
  bool faint(const QModelIndex& index) const override { return index.data(RecentRecordings::kGoneRole).toBool(); }
};

}  // namespace

RecordingsPanel::RecordingsPanel(RecentRecordings* model, QWidget* parent)
    : Pane(Ground::kPanel, parent), model_(model) {
  rows_ = new SearchList(model, -1, tr("Search recordings"), tr("No recording with these words."),
                         tr("What is opened here, or saved from the Lab, is listed."));
  list()->setObjectName(QStringLiteral("recordings"));
  list()->setItemDelegate(new RecordingDelegate(list()));
  list()->setAccessibleName(tr("Recordings"));
  auto* forget = new QAction(tr("Take from the list"), list());
  forget->setShortcut(QKeySequence::Delete);
  forget->setShortcutContext(Qt::WidgetShortcut);
  list()->addAction(forget);
  list()->setContextMenuPolicy(Qt::ActionsContextMenu);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(rows_, 1);
  connect(rows_, &SearchList::chosen, this,
          [this](const QModelIndex& row) { emit chosen(row.data(RecentRecordings::kPathRole).toString()); });
  connect(forget, &QAction::triggered, this, &RecordingsPanel::forget);
}

void RecordingsPanel::setCurrent(const QString& path) { rows_->setCurrentRow(model_->rowOf(path)); }

void RecordingsPanel::forget() { model_->remove(list()->currentIndex().data(RecentRecordings::kPathRole).toString()); }

}  // namespace leasescope
