#include "ui/watch/mutexes_panel.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QStyleOption>
#include <QToolTip>
#include <QVBoxLayout>

#include "ui/look/fonts.h"
#include "ui/models/words.h"
#include "ui/theme/look.h"
#include "ui/watch/lease_bar.h"

namespace leasescope {
namespace {

constexpr int kAllChip = static_cast<int>(kWatchStates);  // behind those of the states
constexpr int kAlertChip = kAllChip + 1;
constexpr int kFigure = 68;  // px; "13.8 s" beside the bar
constexpr int kBarHeight = 13;

class MutexCell : public CellDelegate {
 public:
  MutexCell(const MutexesModel& model, QObject* parent) : CellDelegate(parent), model_(model) {}
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    if (const MutexGroup* const group = model_.group(index.row())) return paintGroup(painter, option, *group);
    CellDelegate::paint(painter, option, index);
    const QRect& cell = option.rect;
    if (index.column() == MutexesModel::kLease) {
      const QRect room(cell.x() + 8, cell.y() + (cell.height() - kBarHeight) / 2, cell.width() - 8 - kFigure,
                       kBarHeight);
      if (room.width() > 20) paintLeaseBar(*painter, room, model_.bar(index.row()));
    }
    if (index.column() == MutexesModel::kState)
      paintWatchState(*painter, QRect(cell.x() + 8, cell.y(), 14, cell.height() - 1), model_.line(index.row()).state);
  }
  // What a cell has no room for at all, beside what is cut.
  bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                 const QModelIndex& index) override {
    const QString more = index.data(Qt::ToolTipRole).toString();
    if (more.isEmpty()) return CellDelegate::helpEvent(event, view, option, index);
    QToolTip::showText(event->globalPos(), more, view);
    return true;
  }

 private:
  // Over the whole row: each cell paints its part of it.
  static void paintGroup(QPainter* painter, const QStyleOptionViewItem& option, const MutexGroup& group) {
    const Colours& c = ink();
    const auto* table = qobject_cast<const QTableView*>(option.widget);
    const bool selected = option.state & QStyle::State_Selected;
    const QRect& cell = option.rect;
    painter->save();
    painter->setClipRect(cell);
    painter->fillRect(cell, selected ? c.selection : c.header);
    painter->fillRect(QRect(cell.left(), cell.bottom(), cell.width(), 1), c.line);
    const int left = table == nullptr ? cell.left() : -table->horizontalHeader()->offset();
    QRect room(left + 10, cell.y(), 10, cell.height() - 1);
    const QPoint middle = room.center();
    const QPolygon mark = group.folded
                              ? QPolygon({middle + QPoint(-2, -4), middle + QPoint(3, 0), middle + QPoint(-2, 4)})
                              : QPolygon({middle + QPoint(-4, -2), middle + QPoint(4, -2), middle + QPoint(0, 3)});
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(c.text);
    painter->drawPolygon(mark);
    painter->setRenderHint(QPainter::Antialiasing, false);
    const auto put = [&](const QString& text, const QFont& font, const QColor& colour) {
      painter->setFont(font);
      painter->setPen(colour);
      painter->drawText(room, Qt::AlignVCenter | Qt::AlignLeft, text);
      room.translate(QFontMetrics(font).horizontalAdvance(text) + 10, 0);
    };
    room = QRect(left + 28, cell.y(), table == nullptr ? cell.width() : table->viewport()->width(), cell.height() - 1);
    put(group.title, leasescope::font(Face::kText, measures().font_body, 600), c.text);
    put(countText(static_cast<std::uint64_t>(group.count)), leasescope::font(Face::kMono, measures().font_small),
        selected ? c.text : c.muted);
    if (table != nullptr && table->hasFocus() && selected) {
      painter->fillRect(cell.left(), cell.top(), cell.width(), 2, c.focus);
      painter->fillRect(cell.left(), cell.bottom() - 2, cell.width(), 2, c.focus);
    }
    painter->restore();
  }

  const MutexesModel& model_;
};

// A word and a figure; filled with ink where it is the one that is chosen.
class Chip : public QAbstractButton {
 public:
  enum class Mark { kNone, kState, kAlert };
  Chip(Mark mark, WatchState state, const QString& word) : mark_(mark), state_(state), word_(word) {
    setCheckable(true);
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    setCount(0);
  }
  void setCount(int count) {
    setText(QStringLiteral("%1 %2").arg(word_, countText(static_cast<std::uint64_t>(count))));
    setAccessibleName(text());
    updateGeometry();
    update();
  }
  QSize sizeHint() const override {
    const QFontMetrics metrics(leasescope::font(Face::kText, measures().font_small, 500));
    return {metrics.horizontalAdvance(text()) + 18 + (mark_ != Mark::kNone ? 18 : 0), measures().chip};
  }
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent*) override {
    const Colours& c = ink();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF shape = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(QPen(hasFocus() ? c.focus : isChecked() ? c.accent : c.line_strong, hasFocus() ? 2 : 1));
    painter.setBrush(isChecked() ? c.accent : underMouse() ? c.hover : c.panel);
    painter.drawRoundedRect(shape, height() / 2.0, height() / 2.0);
    painter.setRenderHint(QPainter::Antialiasing, false);
    const QRect mark(7, 0, 14, height());
    if (mark_ == Mark::kState) {
      // On ink the marks would not be seen.
      if (isChecked()) painter.fillRect(mark.adjusted(-1, 4, 1, -4), c.panel);
      paintWatchState(painter, mark, state_);
    } else if (mark_ == Mark::kAlert) {
      paintIcon(painter, QRect(7, (height() - 14) / 2, 14, 14), Icon::kWarn, isChecked() ? c.on_accent : c.text);
    }
    const bool marked = mark_ != Mark::kNone;
    painter.setPen(isChecked() ? c.on_accent : c.text);
    painter.setFont(leasescope::font(Face::kText, measures().font_small, 500));
    painter.drawText(rect().adjusted(marked ? 24 : 0, 0, marked ? -8 : 0, 0), Qt::AlignCenter, text());
  }

 private:
  Mark mark_;
  WatchState state_;
  QString word_;
};

}  // namespace

MutexesPanel::MutexesPanel(WatchSession& session, QWidget* parent) : Pane(Ground::kPanel, parent), session_(session) {
  model_ = new MutexesModel(this);
  table_ = new Table;
  table_->setObjectName(QStringLiteral("watchedMutexes"));
  table_->setAccessibleName(tr("Watched mutexes"));
  table_->setModel(model_);
  table_->setItemDelegate(new MutexCell(*model_, table_));
  table_->verticalHeader()->setDefaultSectionSize(measures().table_dense);
  table_->setSortingEnabled(true);
  table_->sortByColumn(MutexesModel::kMutex, Qt::AscendingOrder);
  auto* head = new Pane(Ground::kHeader);
  head->setEdges(Qt::BottomEdge);
  head->setFixedHeight(measures().tool_bar - 4);
  auto* row = new QHBoxLayout(head);
  row->setContentsMargins(8, 0, 8, 1);
  row->setSpacing(6);
  makeHead(row);
  makeColumnsMenu();
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(head);
  column->addWidget(table_, 1);
  connect(&session, &Session::runReset, this, &MutexesPanel::reset);
  connect(&session, &WatchSession::lookedAt, this, &MutexesPanel::sync);
  connect(&session, &WatchSession::alertsChanged, this, &MutexesPanel::sync);
  connect(&session, &Session::timeCounted, this, &MutexesPanel::sync);
  connect(table_, &Table::filterWanted, search_, &QLineEdit::setText);
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& at) {
    // On a group's row what was chosen stays so.
    const WatchedMutex* const mutex = at.isValid() ? model_->mutex(at.row()) : nullptr;
    if (!syncing_ && mutex != nullptr) choose(mutex);
  });
  connect(table_, &Table::clicked, this, [this](const QModelIndex& at) {
    if (const MutexGroup* const group = model_->group(at.row())) setFolded(at.row(), !group->folded);
  });
  table_->installEventFilter(this);
  reset();
}

void MutexesPanel::makeHead(QHBoxLayout* row) {
  search_ = new QLineEdit;
  search_->setPlaceholderText(tr("Mutex, owner, store, token"));
  search_->setAccessibleName(search_->placeholderText());
  search_->addAction(icon(Icon::kSearch), QLineEdit::LeadingPosition);
  search_->setClearButtonEnabled(true);
  search_->setMinimumWidth(90);
  search_->setMaximumWidth(240);
  row->addWidget(search_, 1);
  chips_ = new QButtonGroup(this);
  chips_->setExclusive(true);
  const auto add = [&](int id, Chip::Mark mark, WatchState state, const QString& word) {
    auto* chip = new Chip(mark, state, word);
    chips_->addButton(chip, id);
    row->addWidget(chip);
  };
  add(kAllChip, Chip::Mark::kNone, {}, tr("all"));
  for (std::size_t i = 0; i < kWatchStates; ++i) {
    const auto state = static_cast<WatchState>(i);
    add(static_cast<int>(i), Chip::Mark::kState, state, fromText(text(state)));
  }
  add(kAlertChip, Chip::Mark::kAlert, {}, tr("alert"));
  alertChip()->setToolTip(tr("Of which a rule holds that nobody has acknowledged or muted"));
  alertChip()->setVisible(false);
  row->addStretch();
  groupMenu_ = new QMenu(this);
  groupMenu_->setObjectName(QStringLiteral("groupMenu"));
  groupButton_ = new QToolButton;
  groupButton_->setObjectName(QStringLiteral("groupBy"));
  groupButton_->setToolTip(tr("How the table is divided"));
  groupButton_->setFocusPolicy(Qt::TabFocus);
  row->addWidget(groupButton_);
  connect(groupButton_, &QToolButton::clicked, this,
          [this] { groupMenu_->popup(groupButton_->mapToGlobal(groupButton_->rect().bottomLeft())); });
  chips_->button(kAllChip)->setChecked(true);
  connect(chips_, &QButtonGroup::idClicked, this, [this](int id) {
    state_ = id >= kAllChip ? std::nullopt : std::optional(static_cast<WatchState>(id));
    alarmed_ = id == kAlertChip;
    filter();
  });
  connect(search_, &QLineEdit::textChanged, this, &MutexesPanel::filter);
}

QAbstractButton* MutexesPanel::chip(std::optional<WatchState> state) const {
  return chips_->button(state ? static_cast<int>(*state) : kAllChip);
}

QAbstractButton* MutexesPanel::alertChip() const { return chips_->button(kAlertChip); }

// ---- groups

void MutexesPanel::offerGrouping(const QList<QAction*>& actions) {
  groupMenu_->addActions(actions);
  for (qsizetype i = 0; i < actions.size(); ++i)
    connect(actions[i], &QAction::triggered, this,
            [this, by = kGroupings[static_cast<std::size_t>(i)]] { setGrouping(by); });
  setGrouping(model_->grouping());
}

void MutexesPanel::setGrouping(Grouping by) {
  syncing_ = true;
  model_->setGrouping(by);
  syncing_ = false;
  const QString titles[] = {tr("Not grouped"), tr("By store"), tr("By system"), tr("By state")};
  const auto place = static_cast<std::size_t>(by);
  groupButton_->setText(titles[place]);
  groupButton_->setAccessibleName(tr("How the table is divided: %1").arg(titles[place]));
  const QList<QAction*> actions = groupMenu_->actions();
  if (static_cast<qsizetype>(place) < actions.size()) actions[static_cast<qsizetype>(place)]->setChecked(true);
  if (const int row = model_->rowOf(chosen_); row >= 0) {
    choose(chosen_);
    table_->scrollTo(model_->index(row, 0));
  }
}

void MutexesPanel::goToRow(int row) {
  table_->selectionModel()->setCurrentIndex(model_->index(row, MutexesModel::kMutex),
                                            QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

// The keys go on from the group's row.
void MutexesPanel::setFolded(int row, bool folded) {
  syncing_ = true;
  goToRow(row);
  model_->setFolded(row, folded);
  syncing_ = false;
}

// Left folds, or goes to the group's row from one of its mutexes; Right unfolds; Enter does either.
bool MutexesPanel::foldByKey(int key) {
  const int row = table_->currentIndex().row();
  const MutexGroup* const group = model_->group(row);
  const bool enter = key == Qt::Key_Return || key == Qt::Key_Enter;
  if (group == nullptr) {
    const int head = key == Qt::Key_Left ? model_->groupRowOf(row) : -1;
    if (head >= 0) goToRow(head);
    return head >= 0;
  }
  if (!enter && key != Qt::Key_Left && key != Qt::Key_Right) return false;
  setFolded(row, enter ? !group->folded : key == Qt::Key_Left);
  return true;
}

bool MutexesPanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched == table_ && event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool plain = (key->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    if (plain && foldByKey(key->key())) return true;
  }
  return Pane::eventFilter(watched, event);
}

void MutexesPanel::addAbove(QWidget* widget) { static_cast<QVBoxLayout*>(layout())->insertWidget(1, widget); }

void MutexesPanel::focusSearch() {
  search_->setFocus(Qt::ShortcutFocusReason);
  search_->selectAll();
}

void MutexesPanel::resizeEvent(QResizeEvent* event) {
  Pane::resizeEvent(event);
  fitColumns();
}

void MutexesPanel::fitColumns() {
  constexpr int kWider = 900, kWide = 820;  // px
  const bool several = session_.watch() != nullptr && session_.watch()->stores().size() > 1;
  const std::vector<int> widths = columns_.widths({width(), several, model_->hasForeign()});
  if (widths != fitted_) table_->setWidths(fitted_ = widths);
  groupButton_->setVisible(width() >= kWider);  // the table's head has its menu too
  // The most that may be wrong, and what a reader counts.
  for (const WatchState state : {WatchState::kInTransition, WatchState::kFree})
    chip(state)->setVisible(width() >= kWide);
}

// ---- columns

void MutexesPanel::makeColumnsMenu() {
  columnsMenu_ = new QMenu(this);
  columnsMenu_->setObjectName(QStringLiteral("columnsMenu"));
  for (int column = 0; column < MutexesModel::kColumns; ++column) {
    const auto which = static_cast<MutexColumns::Column>(column);
    if (!MutexColumns::canBeHidden(which)) continue;
    QAction* const shows =
        columnsMenu_->addAction(model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    shows->setCheckable(true);
    shows->setData(column);
    connect(shows, &QAction::triggered, this, [this, which](bool on) {
      columns_.choose(which, on);
      fitColumns();
    });
  }
  columnsMenu_->addSeparator();
  byRoom_ = columnsMenu_->addAction(tr("As there is room"), this, [this] { setColumns({}); });
  columnsMenu_->addMenu(groupMenu_);
  groupMenu_->setTitle(tr("How the table is divided"));
  connect(columnsMenu_, &QMenu::aboutToShow, this, &MutexesPanel::loadColumnsMenu);
  QHeaderView* const head = table_->horizontalHeader();
  head->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(head, &QHeaderView::customContextMenuRequested, this,
          [this, head](const QPoint& at) { columnsMenu_->popup(head->mapToGlobal(at)); });
}

void MutexesPanel::loadColumnsMenu() {
  for (QAction* each : columnsMenu_->actions())
    if (each->isCheckable()) each->setChecked(!table_->isColumnHidden(each->data().toInt()));
  byRoom_->setEnabled(columns_.isChosen());
}

void MutexesPanel::askForColumns() {
  const QHeaderView* const head = table_->horizontalHeader();
  columnsMenu_->popup(head->mapToGlobal(head->rect().bottomLeft()));
  columnsMenu_->setActiveAction(columnsMenu_->actions().front());
}

void MutexesPanel::setColumns(const MutexColumns& columns) {
  columns_ = columns;
  fitColumns();
  loadColumnsMenu();
}

void MutexesPanel::reset() {
  chosen_ = nullptr;
  model_->setWatch(session_.watch(), &session_.cast());
  sync();
  emit chosenChanged();
}

void MutexesPanel::sync() {
  syncing_ = true;
  model_->countBy(session_.time());
  // Alerts are of now.
  const PastWatch* const past = session_.past();
  model_->setAlarmed(past == nullptr ? session_.alarmed() : std::unordered_set<std::string>{});
  model_->sync(past == nullptr ? session_.liveNow() : session_.playhead(), past);
  syncing_ = false;
  loadChips();
  sayNone();
  fitColumns();
  // Something is looked at from the beginning: the first.
  if (chosen_ == nullptr) {
    int first = 0;
    while (model_->group(first) != nullptr) ++first;
    if (const WatchedMutex* const mutex = model_->mutex(first)) choose(mutex);
    return;
  }
  if (model_->group(table_->currentIndex().row()) != nullptr) return;  // there the keys are
  if (const int row = model_->rowOf(chosen_); row >= 0 && table_->currentIndex().row() != row) choose(chosen_);
}

void MutexesPanel::filter() {
  syncing_ = true;
  model_->setFilter(search_->text(), state_, alarmed_);
  syncing_ = false;
  loadChips();
  sayNone();
  if (const int row = model_->rowOf(chosen_); row >= 0) {
    choose(chosen_);
    table_->scrollTo(model_->index(row, 0));
  }
}

void MutexesPanel::loadChips() {
  int all = 0;
  for (std::size_t i = 0; i < kWatchStates; ++i) {
    all += model_->counts()[i];
    static_cast<Chip*>(chips_->button(static_cast<int>(i)))->setCount(model_->counts()[i]);
  }
  static_cast<Chip*>(chips_->button(kAllChip))->setCount(all);
  static_cast<Chip*>(alertChip())->setCount(model_->alarmed());
  alertChip()->setVisible(!session_.rulesPath().isEmpty());
}

void MutexesPanel::sayNone() {
  if (session_.watch() == nullptr) return table_->setEmptyText({});
  if (model_->all() > 0)
    return table_->setEmptyText(
        tr("None of the %1 mutexes is like that.").arg(countText(static_cast<std::uint64_t>(model_->all()))));
  table_->setEmptyText(session_.watch()->complete() ? tr("There are no mutexes yet. New ones are looked for.")
                                                    : tr("Looking…"));
}

void MutexesPanel::choose(const WatchedMutex* mutex) {
  const bool other = chosen_ != mutex;
  chosen_ = mutex;
  syncing_ = true;
  // Who has scrolled away stays there.
  table_->setAutoScroll(false);
  if (const int row = model_->rowOf(mutex); row >= 0)
    table_->selectionModel()->setCurrentIndex(model_->index(row, 0),
                                              QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  table_->setAutoScroll(true);
  syncing_ = false;
  if (other) emit chosenChanged();
}

}  // namespace leasescope
