#include "ui/compare/compared_side.h"

#include <QAction>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMimeData>
#include <QVBoxLayout>

#include "ui/look/tokens.h"
#include "ui/models/words.h"
#include "ui/panels/empty_page.h"
#include "ui/panels/preparation_box.h"
#include "ui/panels/timeline_page.h"
#include "ui/timeline/timeline_view.h"

namespace leasescope {

ComparedSide::ComparedSide(const QString& letter, QAction* open, QWidget* parent)
    : Pane(Ground::kChart, parent), letter_(letter) {
  setObjectName(QStringLiteral("side%1").arg(letter));
  setAcceptDrops(true);
  session_.setFollowing(false);  // what is compared event by event stays what it is meanwhile
  auto* head = new Pane(Ground::kHeader);
  head->setEdges(Qt::BottomEdge);
  head->setFixedHeight(measures().view_strip);
  auto* row = new QHBoxLayout(head);
  row->setContentsMargins(12, 0, 8, 0);
  row->setSpacing(8);
  row->addWidget(title_ = label(letter, 13, 600));
  file_ = new ElidedLabel;
  file_->setElideMode(Qt::ElideMiddle);
  row->addWidget(file_, 1);
  what_ = new ElidedLabel;
  what_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  what_->setForegroundRole(QPalette::PlaceholderText);
  row->addWidget(what_, 2);
  row->addWidget(toolButton(open, head));

  auto* empty = new EmptyPage(tr("Nothing is open as %1").arg(letter),
                              tr("Open a recording, or drop one here: another seed, another setting, a live run."));
  empty->addButton(tr("Open…"), open);
  page_ = new TimelinePage(session_, empty);
  page_->timeline()->setFitting(true);
  stop_ = new QAction(tr("Stop reading %1").arg(letter), this);
  connect(stop_, &QAction::triggered, &session_, &RecordedSession::stopReading);
  new PreparationBox(session_, stop_, page_->place());
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(head);
  column->addWidget(page_, 1);

  connect(&session_, &RecordedSession::folded, this,
          [this](FoldedHistory& history) { page_->timeline()->take(std::move(history.chart)); });
  for (const auto signal : {&Session::runReset, &Session::finished})
    connect(&session_, signal, this, [this] {
      load();
      emit changed();
    });
  load();
}

TimelineView* ComparedSide::chart() const { return page_->timeline(); }

void ComparedSide::present(bool on) { page_->present(on); }

void ComparedSide::setName(const QString& name) {
  title_->setText(name.isEmpty() ? letter_ : QStringLiteral("%1 · %2").arg(letter_, name));
}

QString ComparedSide::about() const {
  if (session_.history() == nullptr) return {};
  return QStringLiteral("%1 · %2 · %3")
      .arg(fromText(session_.runScenario()->name), session_.whereText(), tr("seed %1").arg(session_.header().seed));
}

void ComparedSide::load() {
  const bool open = session_.history() != nullptr;
  file_->setFullText(open ? QFileInfo(session_.path()).fileName() : tr("nothing is open"));
  file_->setToolTip(session_.path());
  what_->setFullText(about());
}

void ComparedSide::dragEnterEvent(QDragEnterEvent* event) {
  const auto urls = event->mimeData()->urls();
  if (!urls.isEmpty() && urls.front().isLocalFile()) event->acceptProposedAction();
}

void ComparedSide::dropEvent(QDropEvent* event) {
  session_.open(event->mimeData()->urls().front().toLocalFile());
  event->acceptProposedAction();
}

}  // namespace leasescope
