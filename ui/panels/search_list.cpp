#include "ui/panels/search_list.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QTimer>

#include "ui/look/fonts.h"
#include "ui/theme/look.h"

namespace leasescope {

SearchList::SearchList(QAbstractItemModel* model, int searched, const QString& placeholder, const QString& none,
                       const QString& empty, QWidget* parent)
    : Pane(Ground::kPanel, parent), noneText_(none), emptyText_(empty) {
  filter_ = new WordFilter(this);
  filter_->searchRole(searched);
  filter_->setSourceModel(model);
  search_ = new QLineEdit;
  search_->setPlaceholderText(placeholder);
  search_->addAction(icon(Icon::kSearch), QLineEdit::LeadingPosition);
  search_->setAccessibleName(placeholder);
  search_->installEventFilter(this);
  auto* key = new KeyCap(QStringLiteral("/"), search_);
  auto* inside = new QHBoxLayout(search_);
  inside->setContentsMargins(0, 0, 4, 0);
  inside->addStretch();
  inside->addWidget(key);
  auto* searchRow = new Pane(Ground::kPanel);
  searchRow->setEdges(Qt::BottomEdge);
  auto* searchLayout = new QHBoxLayout(searchRow);
  searchLayout->setContentsMargins(10, 8, 10, 9);
  searchLayout->addWidget(search_);

  list_ = new QListView;
  list_->setFrameShape(QFrame::NoFrame);
  list_->setModel(filter_);
  list_->setUniformItemSizes(true);
  list_->setMouseTracking(true);
  list_->setVerticalScrollMode(QListView::ScrollPerPixel);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->viewport()->setBackgroundRole(QPalette::Button);
  list_->viewport()->installEventFilter(this);
  none_ = label({}, 12, 400, Ink::kMuted);
  none_->setContentsMargins(12, 12, 12, 12);
  none_->setWordWrap(true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(searchRow);
  column->addWidget(none_);
  column->addWidget(list_, 1);

  connect(search_, &QLineEdit::textChanged, this, [this, key](const QString& text) {
    filter_->setWords(text);
    key->setVisible(text.isEmpty());
    sayNone();
    emit this->searched();
  });
  connect(search_, &QLineEdit::returnPressed, this, [this] {
    if (filter_->rowCount() > 0)
      emit chosen(list_->currentIndex().isValid() ? list_->currentIndex() : filter_->index(0, 0));
  });
  for (auto changed : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
    connect(filter_, changed, this, &SearchList::sayNone);
  connect(filter_, &QAbstractItemModel::modelReset, this, &SearchList::sayNone);
  sayNone();
  connect(list_, &QListView::clicked, this, &SearchList::chosen);
  connect(list_, &QListView::activated, this, &SearchList::chosen);
}

void SearchList::sayNone() {
  none_->setVisible(filter_->rowCount() == 0);
  none_->setText(filter_->sourceModel()->rowCount() == 0 ? emptyText_ : noneText_);
}

void SearchList::setCaption(QWidget* caption) { static_cast<QVBoxLayout*>(layout())->insertWidget(1, caption); }

void SearchList::focusSearch() {
  search_->setFocus(Qt::ShortcutFocusReason);
  search_->selectAll();
}

void SearchList::setCurrentRow(int row) {
  const QAbstractItemModel* model = filter_->sourceModel();
  const QModelIndex index = row < 0 ? QModelIndex() : filter_->mapFromSource(model->index(row, 0));
  list_->setCurrentIndex(index);
  if (index.isValid()) list_->scrollTo(index);
}

bool SearchList::eventFilter(QObject* watched, QEvent* event) {
  if (watched == search_ && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Escape && !search_->text().isEmpty()) {
      search_->clear();
      return true;
    }
    if (key == Qt::Key_Down) {
      list_->setFocus();
      return true;
    }
  }
  // What was chosen before there was room for the list, or when there was more of it, is still to be seen.
  if (list_ != nullptr && watched == list_->viewport() && event->type() == QEvent::Resize &&
      list_->currentIndex().isValid())
    QTimer::singleShot(0, list_, [this] { list_->scrollTo(list_->currentIndex()); });
  return Pane::eventFilter(watched, event);
}

// ---- rows

TwoLineDelegate::TwoLineDelegate(int aboutRole, int marksWidth, QObject* parent)
    : QStyledItemDelegate(parent), about_(aboutRole), marks_(marksWidth) {}

QSize TwoLineDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
  return {100, measures().list_item};
}

void TwoLineDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const Colours& c = ink();
  const QRect r = option.rect;
  const bool selected = option.state & QStyle::State_Selected;
  const bool hover = option.state & QStyle::State_MouseOver;
  painter->fillRect(r, selected ? c.selection : hover ? c.hover : c.panel);
  painter->fillRect(QRect(r.left(), r.bottom(), r.width(), 1), c.line);
  const QRect text = r.adjusted(12, 4, -(10 + (marks_ > 0 ? marks_ + 8 : 0)), -4);
  painter->setFont(leasescope::font(Face::kMono, measures().font_small, selected ? 700 : 400));
  painter->setPen(faint(index) ? c.muted : c.text);
  const auto elide = [&](int role) {
    return painter->fontMetrics().elidedText(index.data(role).toString(), Qt::ElideRight, text.width());
  };
  const QString name = elide(nameRole());
  painter->drawText(text.adjusted(0, 0, 0, -14), Qt::AlignVCenter, name);
  const int named = painter->fontMetrics().horizontalAdvance(name) + 8;
  painter->setPen(c.muted);
  if (const QString behind = note(index); !behind.isEmpty() && named + 22 <= text.width()) {
    painter->setFont(leasescope::font(Face::kText, measures().font_caption));
    painter->drawText(text.adjusted(named, 0, 0, -14), Qt::AlignVCenter, behind);
  }
  painter->setFont(leasescope::font(Face::kText, measures().font_small));
  painter->drawText(text.adjusted(0, 15, 0, 0), Qt::AlignVCenter, elide(about_));
  if (marks_ > 0) paintMarks(*painter, QRect(r.right() - 10 - marks_ + 1, r.top(), marks_, r.height() - 1), index);
  if (option.state & QStyle::State_HasFocus) {
    painter->setPen(QPen(c.focus, 2));
    painter->drawRect(r.adjusted(1, 1, -1, -2));
  }
}

}  // namespace leasescope
