#include "ui/panels/results_panel.h"

#include <QHeaderView>
#include <QVBoxLayout>

#include "ui/models/words.h"
#include "ui/theme/tokens.h"
#include "ui/timeline/paint/fonts.h"

namespace leasescope {

ResultsPanel::ResultsPanel(Session& session, QWidget* parent) : Pane(Ground::kPanel, parent), session_(session) {
  tabs_ = new QTabBar;
  tabs_->setObjectName(QStringLiteral("results"));
  tabs_->setExpanding(false);
  tabs_->setDrawBase(false);
  for (int i = 0; i < kTabs; ++i) tabs_->addTab(QString());
  incidents_ = new IncidentsModel(this);
  contenders_ = new ContendersModel(this);
  events_ = new EventsModel(this);
  byStart_ = new WordFilter(this);
  byStart_->setSourceModel(incidents_);
  byStart_->setSortRole(kSortRole);
  byStart_->sort(IncidentsModel::kStart);
  contenderOrder_ = new WordFilter(this);
  contenderOrder_->setSourceModel(contenders_);
  contenderOrder_->setSortRole(kSortRole);
  filter_ = new QLineEdit;
  filter_->setObjectName(QStringLiteral("tableFilter"));
  filter_->setPlaceholderText(tr("Filter"));
  filter_->setToolTip(tr("Only rows with these words: a kind, a contender, a token such as #33  (Ctrl+F)"));
  filter_->setAccessibleName(tr("Filter the table"));
  filter_->setFixedSize(150, 20);
  filter_->setTextMargins(4, 0, 0, 0);
  filter_->setClearButtonEnabled(true);
  completer_ = new WordCompleter(filter_);

  incidentTable_ = new Table;
  incidentTable_->setObjectName(QStringLiteral("incidents"));
  incidentTable_->setModel(byStart_);
  incidentTable_->horizontalHeader()->setSortIndicator(IncidentsModel::kStart, Qt::AscendingOrder);
  incidentTable_->setSortingEnabled(true);
  incidentTable_->setAccessibleName(tr("Incidents"));
  contenderTable_ = new Table;
  contenderTable_->setModel(contenderOrder_);
  contenderTable_->horizontalHeader()->setSortIndicator(ContendersModel::kWho, Qt::AscendingOrder);
  contenderTable_->setSortingEnabled(true);
  contenderTable_->setAccessibleName(tr("Contenders"));
  eventTable_ = new Table;
  eventTable_->setModel(events_);
  eventTable_->horizontalHeader()->setSortIndicator(EventsModel::kTime, Qt::AscendingOrder);
  eventTable_->setSortingEnabled(true);
  eventTable_->setAccessibleName(tr("Events"));

  pages_ = new QStackedWidget;
  for (Table* table : {incidentTable_, contenderTable_, eventTable_}) pages_->addWidget(table);
  statistics_ = new StatisticsPage(session);
  pages_->addWidget(statistics_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(pages_);
  setCompact(false);
  titleTabs();

  connect(filter_, &QLineEdit::textChanged, this, &ResultsPanel::applyFilter);
  for (Table* table : {incidentTable_, contenderTable_, eventTable_})
    connect(table, &Table::filterWanted, filter_, &QLineEdit::setText);
  connect(tabs_, &QTabBar::currentChanged, this, [this](int tab) {
    pages_->setCurrentIndex(tab);
    filter_->setVisible(tab != kStatistics);
    filter_->setText(filters_[tab]);
    loadWords();
    syncEvents();
  });
  connect(incidentTable_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& row) {
            if (!changing_ && row.isValid()) choose(row);
          });
  connect(incidentTable_, &Table::clicked, this, [this](const QModelIndex& row) {
    choose(row);  // again, to come back to it after panning away
  });
  const auto goTo = [this](const QModelIndex& row) {
    if (!changing_ && row.isValid()) emit timeChosen(TrueTime(Duration(row.data(kTimeRole).toLongLong())));
  };
  connect(eventTable_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, goTo);
  connect(contenderTable_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& row) {
            if (!changing_ && row.isValid()) emit contenderChosen(contenderOrder_->mapToSource(row).row());
          });
  connect(statistics_, &StatisticsPage::timeChosen, this, &ResultsPanel::timeChosen);
  connect(&session, &Session::runReset, this, &ResultsPanel::reset);
  connect(&session, &Session::settled, this, &ResultsPanel::sync);
  connect(&session, &Session::stateChanged, this, &ResultsPanel::titleTabs);
  connect(&session, &Session::castChanged, this, [this] {
    const Changing changing(changing_);
    contenders_->sync();
  });
  connect(&session, &Session::castChanged, this, &ResultsPanel::loadWords);
  connect(&session, &Session::incidentSelected, this, &ResultsPanel::select);
  connect(&session, &Session::timeCounted, this, &ResultsPanel::countTime);
}

void ResultsPanel::setCompact(bool compact) {
  compact_ = compact;
  // The longest title in bold, in whatever font there is.
  const QFontMetrics bold(leasescope::font(Face::kText, measures().font_body, 600));
  const int kind =
      std::max(compact ? 128 : 132, bold.horizontalAdvance(fromText(title(IncidentKind::kStaleWriteRejected))) + 18);
  incidentTable_->setWidths(compact ? std::vector<int>{30, kind, 66, 80, 74, 0, -1}
                                    : std::vector<int>{30, kind, 70, 82, 74, 96, -1});
  contenderTable_->setWidths(compact ? std::vector<int>{34, 96, -1, 56, 74, 66, 66, 80, 80, 0, 62, 0}
                                     : std::vector<int>{34, 120, -1, 60, 84, 80, 80, 86, 86, 108, 70, 80});
  eventTable_->setWidths(compact ? std::vector<int>{64, 70, 100, 0, 56, -1, 0}
                                 : std::vector<int>{64, 76, 104, 148, 60, -1, 76});
  statistics_->setCompact(compact);
  fitTimes();
}

// A wall clock's moments are longer than seconds are, those of another day the longest.
void ResultsPanel::fitTimes() {
  counts_ = session_.time().counts;
  const QFontMetrics fixed(leasescope::font(Face::kMono, measures().font_small));
  const int figure = fixed.horizontalAdvance(session_.time().figure(session_.now())) + 18;
  incidentTable_->setColumnWidth(IncidentsModel::kStart, std::max(compact_ ? 66 : 70, figure));
  eventTable_->setColumnWidth(EventsModel::kTime, std::max(compact_ ? 70 : 76, figure));
}

void ResultsPanel::countTime() {
  const Changing changing(changing_);
  incidents_->setTime(session_.time());
  events_->setTime(session_.time());
  if (counts_ != session_.time().counts) fitTimes();
}

// What may be looked for in the table that is shown.
void ResultsPanel::loadWords() {
  const History* const history = session_.history();
  QStringList words;
  for (int i = 0; i < session_.cast().size(); ++i) words << fromText(session_.cast().name(i));
  const int tab = tabs_->currentIndex();
  if (tab == kIncidents)
    for (const IncidentKind kind : kAllIncidentKinds) words << fromText(leasescope::title(kind));
  if (tab == kEvents && history != nullptr) {
    for (int kind = 0; kind < kEventKinds; ++kind)
      words << fromText(leasescope::text(static_cast<EventKind>(kind))).replace(u'_', u' ');
    for (const FaultLegend& fault : history->legend.faults) words << fromText(fault.name);
  }
  completer_->setWords(std::move(words));
}

void ResultsPanel::reset() {
  const Changing changing(changing_);
  incidents_->setHistory(session_.history(), &session_.cast());
  contenders_->setHistory(session_.history(), &session_.cast());
  events_->setHistory(session_.history(), &session_.cast());
  statistics_->reset();
  loadWords();
  titleTabs();
}

void ResultsPanel::sync() {
  const Changing changing(changing_);
  incidents_->sync();
  contenders_->sync();
  syncEvents();
  statistics_->sync();
  titleTabs();
}

void ResultsPanel::syncEvents() {
  const Changing changing(changing_);
  // A table nobody looks at costs nothing.
  if (tabs_->currentIndex() == kEvents) events_->sync(session_.state() == RunState::kRunning);
}

// Nobody needs to look only where what was expected has happened as well.
QString ResultsPanel::noIncident() const {
  if (!session_.history()->incidents.empty()) return {};
  const Outcome outcome = session_.outcome();
  if (outcome.as_expected.value_or(false)) return tr("No incident: nobody needs to look at this run.");
  QString text = tr("No incident, but %1").arg(fromText(verdict_text(outcome)));
  for (const std::string& reason : outcome.reasons) text += u'\n' + fromText(reason);
  return outcome.as_expected ? text : tr("No incident; %1.").arg(fromText(verdict_text(outcome)));
}

void ResultsPanel::titleTabs() {
  const History* history = session_.history();
  const auto title = [this](int tab, const QString& name, std::uint64_t count) {
    const Table* tables[]{incidentTable_, contenderTable_, eventTable_};
    const auto shown = static_cast<std::uint64_t>(tables[tab]->model()->rowCount());
    tabs_->setTabText(tab, filters_[tab].isEmpty() ? QStringLiteral("%1  %2").arg(name, countText(count))
                                                   : tr("%1  %2 of %3").arg(name, countText(shown), countText(count)));
  };
  title(kIncidents, tr("Incidents"), history ? history->incidents.size() : 0);
  title(kContenders, tr("Contenders"), static_cast<std::uint64_t>(session_.cast().size()));
  title(kEvents, tr("Events"), history ? history->events.size() : 0);
  tabs_->setTabText(kStatistics, tr("Statistics"));
  QString empty = tr("No incident yet.");
  if (!history)
    empty = tr("Incidents of a run are listed here, with their cause.");
  else if (session_.state() == RunState::kReady)
    empty = tr("Not run yet. Press Space to run.");
  else if (session_.state() == RunState::kPreparing && history->events.empty())
    empty = tr("The run has not begun yet.");
  else if (session_.state() == RunState::kFinished)
    empty = noIncident();
  const QString filtered = tr("No row has these words.");
  incidentTable_->setEmptyText(filters_[kIncidents].isEmpty() ? empty : filtered);
  contenderTable_->setEmptyText(filters_[kContenders].isEmpty() ? tr("The contenders of a run are listed here.")
                                                                : filtered);
  eventTable_->setEmptyText(filters_[kEvents].isEmpty() ? tr("Every event of a run is listed here, as it happens.")
                                                        : filtered);
}

void ResultsPanel::select(int incident) {
  const Changing changing(changing_);
  incidents_->sync();
  if (incident < 0) {
    incidentTable_->clearSelection();
    incidentTable_->setCurrentIndex({});
  } else {
    const QModelIndex row = byStart_->mapFromSource(incidents_->index(incident, IncidentsModel::kKind));
    incidentTable_->setCurrentIndex(row);
    incidentTable_->scrollTo(row);
  }
}

void ResultsPanel::focusFilter() {
  if (tabs_->currentIndex() == kStatistics) showTab(kEvents);
  filter_->setFocus(Qt::ShortcutFocusReason);
  filter_->selectAll();
}

void ResultsPanel::applyFilter(const QString& text) {
  const int tab = tabs_->currentIndex();
  filters_[tab] = text;
  const Changing changing(changing_);
  if (tab == kIncidents) {
    byStart_->setWords(text);
    select(session_.selectedIncident());  // where its row is again, or is no more
  }
  if (tab == kContenders) contenderOrder_->setWords(text);
  if (tab == kEvents) events_->setFilter(text);
  titleTabs();
}

void ResultsPanel::showTab(int tab) { tabs_->setCurrentIndex(tab); }

void ResultsPanel::choose(const QModelIndex& row) {
  const int incident = byStart_->mapToSource(row).row();
  if (incident != session_.selectedIncident()) session_.selectIncident(incident);
  emit incidentChosen(incident);
}

}  // namespace leasescope
