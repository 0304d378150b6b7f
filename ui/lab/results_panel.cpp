#include "ui/lab/results_panel.h"

#include <QHeaderView>
#include <QVBoxLayout>

#include "ui/models/words.h"
#include "ui/theme/tokens.h"
#include "ui/timeline/paint/fonts.h"

namespace leasescope {

ResultsPanel::ResultsPanel(LabController& lab, QWidget* parent) : Pane(Ground::kPanel, parent), lab_(lab) {
  tabs_ = new QTabBar;
  tabs_->setObjectName(QStringLiteral("results"));
  tabs_->setExpanding(false);
  tabs_->setDrawBase(false);
  for (int i = 0; i < 3; ++i) tabs_->addTab(QString());
  incidents_ = new IncidentsModel(this);
  contenders_ = new ContendersModel(this);
  events_ = new EventsModel(this);
  byStart_ = new QSortFilterProxyModel(this);
  byStart_->setSourceModel(incidents_);
  byStart_->setSortRole(kSortRole);
  byStart_->sort(IncidentsModel::kStart);

  incidentTable_ = new Table;
  incidentTable_->setObjectName(QStringLiteral("incidents"));
  incidentTable_->setModel(byStart_);
  incidentTable_->horizontalHeader()->setSortIndicator(IncidentsModel::kStart, Qt::AscendingOrder);
  incidentTable_->setSortingEnabled(true);
  incidentTable_->horizontalHeader()->setSortIndicatorShown(false);
  incidentTable_->setAccessibleName(tr("Incidents"));
  contenderTable_ = new Table;
  contenderTable_->setModel(contenders_);
  contenderTable_->setAccessibleName(tr("Contenders"));
  eventTable_ = new Table;
  eventTable_->setModel(events_);
  eventTable_->setAccessibleName(tr("Events"));
  contenderTable_->setEmptyText(tr("The contenders of a run are listed here."));
  eventTable_->setEmptyText(tr("Every event of a run is listed here, as it happens."));

  pages_ = new QStackedWidget;
  for (Table* table : {incidentTable_, contenderTable_, eventTable_}) pages_->addWidget(table);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(pages_);
  setCompact(false);
  titleTabs();

  connect(tabs_, &QTabBar::currentChanged, this, [this](int tab) {
    pages_->setCurrentIndex(tab);
    syncEvents();
  });
  connect(incidentTable_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& row) {
            if (!selecting_ && row.isValid()) choose(row);
          });
  connect(incidentTable_, &Table::clicked, this, [this](const QModelIndex& row) {
    choose(row);  // again, to come back to it after panning away
  });
  const auto goTo = [this](const QModelIndex& row) {
    if (row.isValid()) emit timeChosen(TrueTime(Duration(row.data(kTimeRole).toLongLong())));
  };
  connect(eventTable_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, goTo);
  connect(contenderTable_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& row) {
            if (row.isValid()) emit contenderChosen(row.row());
          });
  connect(&lab, &LabController::runReset, this, &ResultsPanel::reset);
  connect(&lab, &LabController::settled, this, &ResultsPanel::sync);
  connect(&lab, &LabController::castChanged, contenders_, &ContendersModel::sync);
  connect(&lab, &LabController::incidentSelected, this, &ResultsPanel::select);
}

void ResultsPanel::setCompact(bool compact) {
  // The longest title in bold, in whatever font there is.
  const QFontMetrics bold(leasescope::font(Face::kText, measures().font_body, 600));
  const int kind =
      std::max(compact ? 128 : 132, bold.horizontalAdvance(fromText(title(IncidentKind::kStaleWriteRejected))) + 18);
  incidentTable_->setWidths(compact ? std::vector<int>{30, kind, 66, 80, 74, 0, -1}
                                    : std::vector<int>{30, kind, 70, 82, 74, 96, -1});
  contenderTable_->setWidths(compact ? std::vector<int>{34, 96, -1, 56, 76, 76, 84, 84, 0, 62, 0}
                                     : std::vector<int>{34, 120, -1, 60, 80, 80, 86, 86, 108, 70, 80});
  eventTable_->setWidths(compact ? std::vector<int>{64, 70, 100, 0, 56, -1, 0}
                                 : std::vector<int>{64, 76, 104, 148, 60, -1, 76});
}

void ResultsPanel::reset() {
  incidents_->setHistory(lab_.history(), &lab_.cast());
  contenders_->setHistory(lab_.history(), &lab_.cast());
  events_->setHistory(lab_.history(), &lab_.cast());
  titleTabs();
}

void ResultsPanel::sync() {
  incidents_->sync();
  contenders_->sync();
  syncEvents();
  titleTabs();
}

void ResultsPanel::syncEvents() {
  // A table nobody looks at costs nothing.
  if (tabs_->currentIndex() == 2) events_->sync();
}

void ResultsPanel::titleTabs() {
  const History* history = lab_.history();
  const auto title = [](const QString& name, std::uint64_t count) {
    return QStringLiteral("%1  %2").arg(name, countText(count));
  };
  tabs_->setTabText(0, title(tr("Incidents"), history ? history->incidents.size() : 0));
  tabs_->setTabText(1, title(tr("Contenders"), static_cast<std::uint64_t>(lab_.cast().size())));
  tabs_->setTabText(2, title(tr("Events"), history ? history->events.size() : 0));
  QString empty = tr("No incident yet.");
  if (!history)
    empty = tr("Incidents of a run are listed here, with their cause.");
  else if (lab_.state() == RunState::kReady)
    empty = tr("Not run yet. Press Space to run.");
  else if (lab_.state() == RunState::kFinished)
    empty = tr("No incident: nobody needs to look at this run.");
  incidentTable_->setEmptyText(empty);
}

void ResultsPanel::select(int incident) {
  incidents_->sync();
  selecting_ = true;
  if (incident < 0) {
    incidentTable_->clearSelection();
    incidentTable_->setCurrentIndex({});
  } else {
    const QModelIndex row = byStart_->mapFromSource(incidents_->index(incident, IncidentsModel::kKind));
    incidentTable_->setCurrentIndex(row);
    incidentTable_->scrollTo(row);
  }
  selecting_ = false;
}

void ResultsPanel::showTab(int tab) { tabs_->setCurrentIndex(tab); }

void ResultsPanel::choose(const QModelIndex& row) {
  const int incident = byStart_->mapToSource(row).row();
  if (incident != lab_.selectedIncident()) lab_.selectIncident(incident);
  emit incidentChosen(incident);
}

}  // namespace leasescope
