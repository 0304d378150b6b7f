// What a perspective over a session does with the rows of its chart. Each of it can be undone.
#include <QMenu>

#include "ui/models/words.h"
#include "ui/panels/rows_bar.h"
#include "ui/panels/summary_bar.h"
#include "ui/panels/timeline_page.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/session_perspective.h"

namespace leasescope {

void SessionPerspective::connectRows() {
  const auto on = [this](ChartAction which, auto act) { connect(action(which), &QAction::triggered, this, act); };
  TimelineView* chart = view_->timeline();
  RowsBar* bar = view_->rows();
  on(ChartAction::kNextRow, [chart] { chart->stepRow(1); });
  on(ChartAction::kPreviousRow, [chart] { chart->stepRow(-1); });
  on(ChartAction::kBlocker, [this] { goToBlocker(); });
  on(ChartAction::kPinRow, [this] { pinRow(); });
  on(ChartAction::kHideRow, [this] { hideRow(); });
  on(ChartAction::kShowRows, [this] { notebook_->arrange(with_all_shown(notebook_->rows()), tr("show all rows")); });
  on(ChartAction::kRowUp, [this] { moveRow(-1); });
  on(ChartAction::kRowDown, [this] { moveRow(1); });
  on(ChartAction::kResetRows, [this] { notebook_->arrange(rearranged(notebook_->rows()), tr("rows as they were")); });
  on(ChartAction::kFindRow, [bar] { bar->ask(); });
  on(ChartAction::kBusiestFirst, [this] {
    RowChoice rows = notebook_->rows();
    rows.by_relevance = action(ChartAction::kBusiestFirst)->isChecked();
    notebook_->arrange(rows, tr("busiest rows first"));
  });
  on(ChartAction::kAllRows, [this] {
    RowChoice rows = notebook_->rows();
    rows.unfolded = action(ChartAction::kAllRows)->isChecked();
    notebook_->arrange(rows, tr("idle rows"));
  });
  connect(notebook_, &Notebook::rowsChanged, chart, [this, chart] { chart->setRowChoice(notebook_->rows()); });
  connect(notebook_, &Notebook::rowsChanged, this, &SessionPerspective::loadRows);
  connect(chart, &TimelineView::rowChoiceChanged, this,
          [this, chart] { notebook_->arrange(chart->rowChoice(), tr("choice of rows")); });
  connect(chart, &TimelineView::leftOutChanged, this, &SessionPerspective::loadRows);
  connect(chart, &TimelineView::currentRowChanged, this, &SessionPerspective::loadRows);
  connect(chart, &TimelineView::rowMenuWanted, this, &SessionPerspective::showRowMenu);
  connect(bar, &RowsBar::filterWanted, this, [this](const RowFilter& filter, bool typed) {
    RowChoice rows = notebook_->rows();
    rows.filter = filter;
    notebook_->arrange(rows, tr("filter of rows"), typed ? Notebook::Typed::kYes : Notebook::Typed::kNo);
  });
  connect(bar, &RowsBar::left, chart, [chart] { chart->setFocus(Qt::OtherFocusReason); });
  connect(&session_, &Session::runReset, this, [this, bar] {
    QStringList names;
    if (const Scenario* scenario = session_.runScenario())
      for (const std::string& name : scenario->mutex_names()) names << fromText(name);
    bar->setMutexes(names);
    loadRows();
  });
  loadRows();
}

void SessionPerspective::loadRows() {
  const RowChoice& rows = notebook_->rows();
  const bool open = session_.runScenario() != nullptr;
  const LeftOut out = open ? view_->timeline()->leftOut() : LeftOut{};
  view_->rows()->load(rows, out.rows, out.incidents);
  action(ChartAction::kBusiestFirst)->setChecked(rows.by_relevance);
  action(ChartAction::kAllRows)->setChecked(rows.unfolded);
  const bool one = open && view_->timeline()->currentRow() >= 0;
  for (const ChartAction which : {ChartAction::kBlocker, ChartAction::kTimeOfRow, ChartAction::kPinRow,
                                  ChartAction::kHideRow, ChartAction::kRowUp, ChartAction::kRowDown})
    action(which)->setEnabled(one);
  for (const ChartAction which : {ChartAction::kNextRow, ChartAction::kPreviousRow, ChartAction::kFindRow})
    action(which)->setEnabled(open);
  action(ChartAction::kShowRows)->setEnabled(open && !(with_all_shown(rows) == rows));
  action(ChartAction::kResetRows)->setEnabled(open && !(rearranged(rows) == rows));
  const bool pinned = one && has_name(rows.pinned, currentRowName());
  action(ChartAction::kPinRow)->setText(pinned ? tr("Un&pin the row") : tr("&Pin the row to the top"));
}

std::string SessionPerspective::currentRowName() const {
  const TimelineView* chart = view_->timeline();
  return chart->data().contenders()[static_cast<std::size_t>(chart->currentRow())].name;
}

void SessionPerspective::pinRow() {
  const std::string name = currentRowName();
  const bool pinned = has_name(notebook_->rows().pinned, name);
  notebook_->arrange(with_pinned(notebook_->rows(), name, !pinned),
                     pinned ? tr("unpin %1").arg(fromText(name)) : tr("pin %1").arg(fromText(name)));
}

// The next one is the current one then, so that a series of them is a series of the same key.
void SessionPerspective::hideRow() {
  TimelineView* chart = view_->timeline();
  const std::string name = currentRowName();
  const int hidden = chart->currentRow();
  chart->stepRow(1);
  if (chart->currentRow() == hidden) chart->stepRow(-1);
  notebook_->arrange(with_hidden(notebook_->rows(), name), tr("hide %1").arg(fromText(name)));
  const QString key = action(ChartAction::kShowRows)->shortcut().toString();
  summary_->tell(tr("%1 is hidden; %2 shows all rows").arg(fromText(name), key));
}

void SessionPerspective::moveRow(int by) {
  TimelineView* chart = view_->timeline();
  const std::string name = currentRowName();
  const int row = chart->currentRow();
  notebook_->arrange(with_moved(notebook_->rows(), chart->neighboursOf(row), name, by),
                     tr("move %1").arg(fromText(name)));
  chart->showRows({row});
}

// From whoever waits to whom it waits for, at the cursor; from there on, to whom that one waited for before.
void SessionPerspective::goToBlocker() {
  TimelineView* chart = view_->timeline();
  const int row = chart->currentRow();
  const TrueTime at = chart->cursorTime();
  const int who = chart->blockerOf(row, at);
  const auto name = [chart](int of) { return fromText(chart->data().contenders()[static_cast<std::size_t>(of)].name); };
  if (who < 0)
    return summary_->tell(tr("At %1 nobody else holds what %2 is after").arg(chart->axis().text(at), name(row)));
  chart->setCurrentRow(who);
  chart->reveal(at);
  chart->showRows({who});
  summary_->tell(tr("At %1 %2 holds it").arg(chart->axis().text(at), name(who)));
}

void SessionPerspective::showRowMenu(int contender, int mutex, QPoint at) {
  auto* menu = new QMenu(this);
  menu->setObjectName(QStringLiteral("chartRowMenu"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  if (contender >= 0) {
    menu->addActions({action(ChartAction::kBlocker), action(ChartAction::kTimeOfRow)});
    menu->addSeparator();
    menu->addActions({action(ChartAction::kPinRow), action(ChartAction::kHideRow), action(ChartAction::kRowUp),
                      action(ChartAction::kRowDown)});
    menu->addSeparator();
  }
  const std::vector<MutexRow>& mutexes = view_->timeline()->data().mutexes();
  if (mutex >= 0 && mutexes.size() > 1) {
    const std::string name = mutexes[static_cast<std::size_t>(mutex)].name;
    const QString shown =
        fontMetrics().elidedText(fromText(name), Qt::ElideMiddle, 240).replace(u'&', QStringLiteral("&&"));
    menu->addAction(tr("Only rows of %1").arg(shown), this, [this, name] {
      RowChoice rows = notebook_->rows();
      rows.filter.mutex = name;
      notebook_->arrange(rows, tr("filter of rows"));
    });
  }
  menu->addActions({action(ChartAction::kFindRow), action(ChartAction::kShowRows), action(ChartAction::kResetRows)});
  menu->popup(at);
}

}  // namespace leasescope
