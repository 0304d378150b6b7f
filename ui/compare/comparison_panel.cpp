#include "ui/compare/comparison_panel.h"

#include <algorithm>

#include <QHeaderView>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

#include "ui/models/words.h"

namespace leasescope {
namespace {

constexpr int kLeastFigure = 62;  // px

}  // namespace

ComparisonPanel::ComparisonPanel(QWidget* parent) : Pane(Ground::kPanel, parent) {
  setObjectName(QStringLiteral("comparison"));
  figures_ = new ComparedFiguresModel(this);
  events_ = new ComparedEventsModel(this);
  verdict_ = label({}, 13, 600);
  verdict_->setWordWrap(true);
  detail_ = label({}, 12, 400, Ink::kMuted);
  detail_->setWordWrap(true);
  auto* head = new Pane(Ground::kPanel);
  head->setEdges(Qt::BottomEdge);
  auto* text = new QVBoxLayout(head);
  text->setContentsMargins(12, 8, 12, 10);
  text->setSpacing(4);
  text->addWidget(verdict_);
  text->addWidget(detail_);
  compare_ = new QPushButton(tr("Compare them"));
  compare_->setObjectName(QStringLiteral("compareThem"));
  text->addWidget(compare_, 0, Qt::AlignLeft);
  connect(compare_, &QPushButton::clicked, this, &ComparisonPanel::comparisonWanted);

  figureTable_ = new Table;
  figureTable_->setModel(figures_);
  figureTable_->setObjectName(QStringLiteral("comparedFigures"));
  figureTable_->setWidths({-1, 108, 108});
  figureTable_->setAccessibleName(tr("What each came to"));
  eventTable_ = new Table;
  eventTable_->setObjectName(QStringLiteral("comparedEvents"));
  eventTable_->setModel(events_);
  eventTable_->setWidths({34, -1, kLeastFigure, kLeastFigure, kLeastFigure});
  eventTable_->setAccessibleName(tr("Event by event"));
  auto* split = new QSplitter(Qt::Vertical);
  split->addWidget(figureTable_);
  split->addWidget(eventTable_);
  split->setStretchFactor(1, 2);
  split->setChildrenCollapsible(false);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(head);
  column->addWidget(split, 1);

  const auto choose = [this](const QModelIndex& row) {
    if (row.isValid()) emit eventChosen(events_->event(row.row()));
  };
  connect(eventTable_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, choose);
  connect(eventTable_, &Table::clicked, this, choose);  // again, to come back to it after panning away
  const auto look = [this](const QModelIndex& row) {
    if (!row.isValid()) return;
    const ComparedPlaces at = figures_->places(row.row());
    if (at.a || at.b) emit figureChosen(at);
  };
  connect(figureTable_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, look);
  connect(figureTable_, &Table::clicked, this, look);
  clear({});
}

void ComparisonPanel::clear(const QString& why, Offer offer) {
  figures_->setComparison(nullptr);
  events_->setComparison(nullptr, {}, {});
  comparison_.reset();
  verdict_->setText(tr("Nothing is compared yet"));
  detail_->setText(why);
  compare_->setVisible(offer == Offer::kToCompare);
  eventTable_->setEmptyText({});
}

void ComparisonPanel::show(ComparedHistories comparison, ComparedEventsModel::Side a, ComparedEventsModel::Side b,
                           const ComparedOutcomes& outcomes, const QString& remark) {
  clear({});
  comparison_ = std::move(comparison);
  remark_ = remark;
  figures_->setComparison(&*comparison_, outcomes);
  events_->setComparison(&*comparison_, a, b);
  verdict_->setText(verdict());
  detail_->setText(detail());
  eventTable_->setEmptyText(tr("No difference."));
  fitFigures();
}

// Half a figure says something else than the whole: words are cut first. Bounds of a live run are twice as wide. Of a
// long run not all rows are looked at; the last moments are those with the most digits.
void ComparisonPanel::fitFigures() {
  for (const int column : {ComparedEventsModel::kA, ComparedEventsModel::kB, ComparedEventsModel::kLater}) {
    eventTable_->resizeColumnToContents(column);
    const int last = eventTable_->sizeHintForIndex(events_->index(events_->rowCount() - 1, column)).width();
    eventTable_->setColumnWidth(column, std::max({kLeastFigure, eventTable_->columnWidth(column), last}));
  }
}

QString ComparisonPanel::verdict() const {
  if (!comparison_) return {};
  const ComparedEvent* first = comparison_->first_difference();
  if (first == nullptr) return tr("The same, event by event");
  return tr("They part at %1 s").arg(secondsText(first->at()));
}

QString ComparisonPanel::detail() const {
  QStringList parts;
  const auto& of = *comparison_;
  const std::size_t same = of.events.size() - of.only_a - of.only_b - of.moved;
  parts << tr("%1 event(s) at once", nullptr, howMany(same)).arg(countText(same));
  if (of.moved > 0) parts << tr("%1 moved").arg(of.moved);
  if (of.only_a > 0) parts << tr("%1 in A only").arg(of.only_a);
  if (of.only_b > 0) parts << tr("%1 in B only").arg(of.only_b);
  QString text = parts.join(QStringLiteral(", ")) + u'.';
  if (!remark_.isEmpty()) text += u' ' + remark_;
  return text;
}

void ComparisonPanel::showDifferencesOnly(bool only) {
  events_->showDifferencesOnly(only);
  fitFigures();
}

void ComparisonPanel::goToDifference(int step) {
  const QModelIndex at = eventTable_->currentIndex();
  const int before = at.isValid() ? at.row() : step > 0 ? -1 : events_->rowCount();
  const int row = events_->nextDifference(before, step);
  if (row >= 0) eventTable_->selectRow(row);
}

}  // namespace leasescope
