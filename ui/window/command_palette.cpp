#include "ui/window/command_palette.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/look/fonts.h"
#include "ui/panels/parts.h"
#include "ui/theme/look.h"

namespace leasescope {
namespace {

constexpr int kWidth = 448, kField = 38, kRow = 28, kRows = 10, kSide = 12;

// The name, where it is in the menus, and its keys as they stand on the board.
class CommandDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {100, kRow}; }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const Colours& c = ink();
    const QRect r = option.rect;
    const bool can = index.flags() & Qt::ItemIsEnabled;
    if (option.state & QStyle::State_Selected)
      painter->fillRect(r, c.selection);
    else if (option.state & QStyle::State_MouseOver && can)
      painter->fillRect(r, c.hover);
    const QRect room = r.adjusted(kSide, 0, -kSide, 0);
    painter->setFont(leasescope::font(Face::kText, measures().font_body));
    painter->setPen(can ? c.text : c.faint);
    const QString text = index.data().toString();
    painter->drawText(room, Qt::AlignVCenter, text);
    const int named = painter->fontMetrics().horizontalAdvance(text);
    painter->setFont(leasescope::font(Face::kText, measures().font_small));
    painter->setPen(c.muted);
    painter->drawText(room.adjusted(named + 8, 0, 0, 0), Qt::AlignVCenter,
                      index.data(CommandsModel::kMenuRole).toString());
    painter->setFont(leasescope::font(Face::kMono, measures().font_small));
    painter->setPen(can ? c.text : c.faint);
    painter->drawText(room, Qt::AlignVCenter | Qt::AlignRight, index.data(CommandsModel::kKeysRole).toString());
  }
};

// 0 is best; -1: it has not all of the words.
int rankOf(const Command& command, const QStringList& words) {
  const QString text = command.text + u' ' + command.menu;
  bool begins = true;
  for (const QString& word : words) {
    if (!text.contains(word, Qt::CaseInsensitive)) return -1;
    const QString behind = u' ' + word;
    begins &= command.text.startsWith(word, Qt::CaseInsensitive) || command.text.contains(behind, Qt::CaseInsensitive);
  }
  const int doable = command.action && command.action->isEnabled() ? 0 : 3;
  if (command.text.startsWith(words.join(u' '), Qt::CaseInsensitive)) return doable;
  return doable + (begins ? 1 : 2);
}

}  // namespace

void CommandsModel::setCommands(std::vector<Command> all) {
  all_ = std::move(all);
  setWords({});
}

void CommandsModel::setWords(const QString& words) {
  const QStringList each = words.split(u' ', Qt::SkipEmptyParts);
  std::vector<std::pair<int, std::size_t>> ranked;
  for (std::size_t i = 0; i < all_.size(); ++i)
    if (const int rank = rankOf(all_[i], each); rank >= 0) ranked.emplace_back(rank, i);
  std::sort(ranked.begin(), ranked.end());
  beginResetModel();
  shown_.clear();
  for (const auto& [rank, place] : ranked) shown_.push_back(place);
  endResetModel();
}

int CommandsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

QVariant CommandsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const Command& command = at(index.row());
  const QString keys = command.action ? command.action->shortcut().toString() : QString();
  switch (role) {
    case Qt::DisplayRole:
      return command.text;
    case Qt::AccessibleTextRole:
      return QStringLiteral("%1, %2, %3").arg(command.text, command.menu, keys);
    case Qt::ToolTipRole:
      return command.action ? command.action->toolTip() : QString();
    case kMenuRole:
      return command.menu;
    case kKeysRole:
      return keys;
    default:
      return {};
  }
}

Qt::ItemFlags CommandsModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return {};
  const Command& command = at(index.row());
  return command.action && command.action->isEnabled() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::NoItemFlags;
}

CommandPalette::CommandPalette(QWidget* window) : QWidget(window) {
  setObjectName(QStringLiteral("commandPalette"));
  setAccessibleName(tr("Commands"));
  model_ = new CommandsModel(this);
  field_ = new QLineEdit;
  field_->setObjectName(QStringLiteral("command"));
  field_->setFrame(false);
  field_->setFixedHeight(kField - 2);
  field_->setFont(leasescope::font(Face::kText, 14));
  field_->setPlaceholderText(tr("What to do"));
  field_->setAccessibleName(tr("What to do"));
  field_->addAction(icon(Icon::kSearch), QLineEdit::LeadingPosition);
  field_->installEventFilter(this);
  count_ = label({}, 11, 400, Ink::kMuted);
  auto* head = new QHBoxLayout;
  head->setContentsMargins(4, 1, kSide, 1);
  head->addWidget(field_, 1);
  head->addWidget(count_);
  list_ = new QListView;
  list_->setFrameShape(QFrame::NoFrame);
  list_->setModel(model_);
  list_->setItemDelegate(new CommandDelegate(list_));
  list_->setUniformItemSizes(true);
  list_->setMouseTracking(true);
  list_->setFocusPolicy(Qt::NoFocus);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(1, 1, 1, 1);
  column->setSpacing(1);  // where the line is
  column->addLayout(head);
  column->addWidget(list_);
  setFixedWidth(kWidth);
  connect(field_, &QLineEdit::textChanged, this, &CommandPalette::load);
  connect(list_, &QListView::clicked, this, &CommandPalette::choose);
  hide();
}

void CommandPalette::appear(std::vector<Command> all) {
  before_ = window()->focusWidget();
  model_->setCommands(std::move(all));
  field_->clear();
  load();
  move(std::max(0, (parentWidget()->width() - width()) / 2), 60);
  raise();
  show();
  field_->setFocus(Qt::ShortcutFocusReason);
}

void CommandPalette::load() {
  model_->setWords(field_->text());
  count_->setText(tr("%1 of %2").arg(model_->rowCount()).arg(model_->all()));
  list_->setFixedHeight(std::clamp(model_->rowCount(), 1, kRows) * kRow);
  list_->setCurrentIndex(model_->rowCount() > 0 ? model_->index(0) : QModelIndex());
  adjustSize();
}

void CommandPalette::leave() {
  hide();
  if (before_) before_->setFocus();
}

void CommandPalette::choose(const QModelIndex& row) {
  if (!row.isValid() || !(row.flags() & Qt::ItemIsEnabled)) return;
  QAction* action = model_->at(row.row()).action;
  leave();
  // When the key that chose it has been let go of by everybody.
  QTimer::singleShot(0, action, &QAction::trigger);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (watched == field_ && event->type() == QEvent::FocusOut && isVisible()) hide();
  if (watched != field_ || event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  const auto* key = static_cast<QKeyEvent*>(event);
  const int row = list_->currentIndex().row(), last = model_->rowCount() - 1;
  const auto go = [&](int to) {
    list_->setCurrentIndex(model_->index(std::clamp(to, 0, std::max(0, last))));
    return true;
  };
  switch (key->key()) {
    case Qt::Key_Escape:
      leave();
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      choose(list_->currentIndex());
      return true;
    case Qt::Key_Down:
      return go(row + 1);
    case Qt::Key_Up:
      return go(row - 1);
    case Qt::Key_PageDown:
      return go(row + kRows);
    case Qt::Key_PageUp:
      return go(row - kRows);
    default:
      return QWidget::eventFilter(watched, event);
  }
}

void CommandPalette::paintEvent(QPaintEvent*) {
  const Colours& c = ink();
  QPainter painter(this);
  painter.fillRect(rect(), palette().color(QPalette::Base));
  painter.fillRect(0, list_->y() - 1, width(), 1, c.line_strong);
  painter.setPen(c.text);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

}  // namespace leasescope
