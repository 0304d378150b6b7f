#include "ui/watch/event_feed.h"

#include <QAction>
#include <QHBoxLayout>
#include <QScrollBar>
#include <QVBoxLayout>

#include "ui/models/words.h"
#include "ui/panels/search_list.h"

namespace leasescope {
namespace {}  // namespace

EventFeed::EventFeed(WatchSession& session, QWidget* parent) : Pane(Ground::kPanel, parent) {
  setObjectName(QStringLiteral("eventFeed"));
  setEdges(Qt::TopEdge);
  model_ = new EventFeedModel(session, this);
  kind_ = new QComboBox;
  kind_->setObjectName(QStringLiteral("feedKind"));
  kind_->setAccessibleName(tr("Which events"));
  kind_->addItems({tr("Owners"), tr("Waiters"), tr("Beliefs"), tr("Not observed"), tr("All")});
  filter_ = new QLineEdit;
  filter_->setObjectName(QStringLiteral("feedFilter"));
  filter_->setPlaceholderText(tr("Mutex or owner"));
  filter_->setAccessibleName(tr("Only events of this mutex or owner"));
  filter_->setClearButtonEnabled(true);
  newest_ = new QPushButton;
  newest_->setObjectName(QStringLiteral("feedNewest"));
  none_ = label({}, 12, 400, Ink::kMuted);
  none_->setWordWrap(true);
  none_->setContentsMargins(12, 6, 12, 6);
  list_ = new QListView;
  list_->setObjectName(QStringLiteral("feed"));
  list_->setAccessibleName(tr("Events, the newest first"));
  list_->setAccessibleDescription(tr("Enter leads the table and the chart there"));
  list_->setFrameShape(QFrame::NoFrame);
  list_->setModel(model_);
  list_->setItemDelegate(new TwoLineDelegate(EventFeedModel::kAboutRole, 0, list_));
  list_->setUniformItemSizes(true);
  list_->setMouseTracking(true);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->viewport()->setBackgroundRole(QPalette::Button);
  auto* go = new QAction(tr("Go there"), list_);
  go->setShortcuts({QKeySequence(Qt::Key_Return), QKeySequence(Qt::Key_Enter)});
  go->setShortcutContext(Qt::WidgetShortcut);
  list_->addAction(go);
  auto* head = new QHBoxLayout;
  head->setContentsMargins(10, 7, 10, 6);
  head->setSpacing(6);
  head->addWidget(kind_);
  head->addWidget(filter_, 1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 1, 0, 0);
  column->setSpacing(0);
  column->addLayout(head);
  column->addWidget(newest_);
  column->addWidget(none_);
  column->addWidget(list_, 1);

  connect(kind_, &QComboBox::currentIndexChanged, this, &EventFeed::applyFilter);
  connect(filter_, &QLineEdit::textChanged, this, &EventFeed::applyFilter);
  connect(list_, &QListView::clicked, this, &EventFeed::choose);
  connect(go, &QAction::triggered, this, [this] { choose(list_->currentIndex()); });
  connect(list_->verticalScrollBar(), &QScrollBar::valueChanged, this, &EventFeed::pause);
  connect(newest_, &QPushButton::clicked, list_, &QListView::scrollToTop);
  connect(newest_, &QPushButton::clicked, list_, [this] { list_->setFocus(Qt::OtherFocusReason); });
  connect(model_, &EventFeedModel::synced, this, &EventFeed::load);
  load();
}

void EventFeed::focusList() {
  list_->setFocus(Qt::ShortcutFocusReason);
  if (!list_->currentIndex().isValid() && model_->rowCount() > 0) list_->setCurrentIndex(model_->index(0));
}

void EventFeed::choose(const QModelIndex& row) {
  if (!row.isValid()) return;
  emit chosen(TrueTime(Duration(row.data(EventFeedModel::kAtRole).toLongLong())),
              row.data(EventFeedModel::kMutexRole).toString());
}

void EventFeed::applyFilter() {
  model_->setFilter(static_cast<FeedKind>(kind_->currentIndex()), filter_->text());
  list_->scrollToTop();
}

// Whoever looks back is not to have the rows run away under the pointer.
void EventFeed::pause() { model_->setPaused(list_->verticalScrollBar()->value() > 0); }

void EventFeed::load() {
  const std::size_t waiting = model_->waiting();
  newest_->setVisible(waiting > 0);
  if (waiting > 0)
    newest_->setText(tr("%1 new event(s), to the newest", nullptr, howMany(waiting)).arg(countText(waiting)));
  const bool none = model_->rowCount() == 0;
  const bool all = kind_->currentIndex() == kFeedKinds - 1 && filter_->text().isEmpty();
  none_->setVisible(none);
  none_->setText(all ? tr("Events are listed here as they are seen.") : tr("No event of these yet."));
}

}  // namespace leasescope
