#include "ui/panels/results_panel.h"

#include <QHeaderView>
#include <QUndoCommand>
#include <QUndoStack>
#include <QVBoxLayout>
#include <utility>

#include "ui/look/fonts.h"
#include "ui/look/tokens.h"
#include "ui/models/words.h"
#include "ui/panels/long_table.h"

namespace leasescope {
namespace {

constexpr int kCalmMs = 700;
constexpr int kNarrow = 150, kWide = 320;

}  // namespace

// The filter of a table before and after; what is typed into it in one go is one step.
class TableFilterCommand : public QUndoCommand {
 public:
  TableFilterCommand(ResultsPanel& panel, int tab, QString before, QString after, bool typed)
      : QUndoCommand(ResultsPanel::tr("filter of the table")),
        panel_(panel),
        tab_(tab),
        before_(std::move(before)),
        after_(std::move(after)),
        typed_(typed) {}
  void undo() override { panel_.showFilter(tab_, before_); }
  void redo() override { panel_.showFilter(tab_, after_); }
  int id() const override { return typed_ ? 2 : -1; }
  bool mergeWith(const QUndoCommand* next) override {
    const auto* more = dynamic_cast<const TableFilterCommand*>(next);
    if (more == nullptr || more->tab_ != tab_ || more->before_ != after_) return false;
    after_ = more->after_;
    setObsolete(after_ == before_);
    return true;
  }

 private:
  ResultsPanel& panel_;
  int tab_;
  QString before_, after_;
  bool typed_;
};

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
  filter_->setAccessibleName(tr("Filter the table"));
  filter_->setFixedHeight(20);
  filter_->setMinimumWidth(kNarrow);
  filter_->setTextMargins(4, 0, 0, 0);
  filter_->setClearButtonEnabled(true);
  completer_ = new WordCompleter(filter_);
  completer_->popup()->setMinimumWidth(2 * kNarrow);
  filterProblem_ = new ProblemBox;
  filterProblem_->setObjectName(QStringLiteral("filterProblem"));

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
  eventTable_ = new LongTable;
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
  column->setSpacing(0);
  column->addWidget(filterProblem_);
  column->addWidget(pages_, 1);
  setCompact(false);
  loadFilter();
  titleTabs();

  connectFilter();
  connect(tabs_, &QTabBar::currentChanged, this, [this](int tab) {
    pages_->setCurrentIndex(tab);
    filter_->setVisible(tab != kStatistics);
    loadFilter();
    tellError();
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
  connect(&session, &Session::castChanged, this, &ResultsPanel::moreWords);
  connect(&session, &Session::incidentSelected, this, &ResultsPanel::select);
  connect(&session, &Session::timeCounted, this, &ResultsPanel::countTime);
}

void ResultsPanel::connectFilter() {
  calm_.setSingleShot(true);
  calm_.setInterval(kCalmMs);
  connect(&calm_, &QTimer::timeout, this, [this] {
    if (completer_->popup()->isVisible()) return calm_.start();  // a value is about to be chosen
    tellError();
  });
  connect(filter_, &QLineEdit::returnPressed, this, &ResultsPanel::tellError);
  connect(filter_, &QLineEdit::textChanged, this, &ResultsPanel::changeFilter);
  for (Table* table : {incidentTable_, contenderTable_, eventTable_})
    connect(table, &Table::filterWanted, this, [this](const QString& text) {
      picked_ = true;
      filter_->setText(text);
      picked_ = false;
    });
  connect(&filterWords_, &FilterWords::grew, this, &ResultsPanel::moreWords);
  connect(filter_, &QLineEdit::textEdited, this, [this](const QString& text) {
    if (stale_ || (tabs_->currentIndex() == kEvents && FilterWords::field(text) != field_)) loadWords();
  });
  connect(events_, &EventsModel::looked, this, &ResultsPanel::titleTabs);
  connect(events_, &EventsModel::arrangesChanged, this, &ResultsPanel::titleTabs);
  connect(
      completer_, qOverload<const QString&>(&QCompleter::activated), filter_, [this] { offerValues(); },
      Qt::QueuedConnection);
}

// While words are offered none are exchanged: by the arrow keys the field shows what is offered.
void ResultsPanel::moreWords() {
  stale_ = true;
  if (!completer_->popup()->isVisible()) loadWords();
}

// After a field that was chosen its values.
void ResultsPanel::offerValues() {
  const QString text = filter_->text();
  if (tabs_->currentIndex() != kEvents || !text.endsWith(u':')) return;
  loadWords();
  completer_->setCompletionPrefix(text);
  completer_->complete();
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
  const int tab = tabs_->currentIndex();
  stale_ = false;
  if (tab == kEvents) {
    field_ = FilterWords::field(filter_->text());
    completer_->setManner({&FilterWords::begin, &FilterWords::written});
    completer_->setWords(filterWords_.words(filter_->text()));
    return;
  }
  QStringList words;
  for (int i = 0; i < session_.cast().size(); ++i) words << fromText(session_.cast().name(i));
  if (tab == kIncidents)
    for (const IncidentKind kind : kAllIncidentKinds) words << fromText(leasescope::title(kind));
  completer_->setManner({});
  completer_->setWords(std::move(words));
}

void ResultsPanel::reset() {
  const Changing changing(changing_);
  incidents_->setHistory(session_.history(), &session_.cast());
  contenders_->setHistory(session_.history(), &session_.cast());
  events_->setHistory(session_.history(), &session_.cast());
  filterWords_.setHistory(session_.history(), &session_.cast());
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
  if (tabs_->currentIndex() != kEvents) return;
  events_->sync(session_.state() == RunState::kRunning);
  filterWords_.read();
}

// Nobody needs to look only where what was expected has happened as well.
QString ResultsPanel::noIncidentOf(const Outcome& outcome) {
  const Duration unobserved = outcome.summary.unobserved;
  if (outcome.as_expected.value_or(false) && unobserved > Duration::zero())
    return tr("No incident in what was observed; for %1 the store did not tell.").arg(spanText(unobserved));
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
  if (events_->arranges()) tabs_->setTabText(kEvents, tr("%1, being sorted").arg(tabs_->tabText(kEvents)));
  tabs_->setTabText(kStatistics, tr("Statistics"));
  QString empty = tr("No incident yet.");
  if (!history)
    empty = tr("Incidents of a run are listed here, with their cause.");
  else if (session_.state() == RunState::kReady)
    empty = tr("Not run yet. Press Space to run.");
  else if (session_.state() == RunState::kPreparing && history->events.empty())
    empty = tr("The run has not begun yet.");
  else if (session_.state() == RunState::kFinished)
    empty = history->incidents.empty() ? noIncidentOf(session_.outcome()) : QString();
  const QString filtered = tr("No row has these words.");
  incidentTable_->setEmptyText(filters_[kIncidents].isEmpty() ? empty : filtered);
  contenderTable_->setEmptyText(filters_[kContenders].isEmpty() ? tr("The contenders of a run are listed here.")
                                                                : filtered);
  eventTable_->setEmptyText(filters_[kEvents].isEmpty() ? tr("Every event of a run is listed here, as it happens.")
                            : events_->looks()          ? tr("Looking through the events.")
                                                        : tr("No event passes this filter."));
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

// The field's text is another: a step that can be undone.
void ResultsPanel::changeFilter(const QString& text) {
  const int tab = tabs_->currentIndex();
  if (loading_ || text == filters_[tab]) return;
  session_.undo().push(new TableFilterCommand(*this, tab, filters_[tab], text, !picked_));
}

void ResultsPanel::showFilter(int tab, const QString& text) {
  filters_[tab] = text;
  showTab(tab);
  loadFilter();
  applyFilter(tab);
}

// The field as it is over the table that is shown.
void ResultsPanel::loadFilter() {
  const int tab = tabs_->currentIndex();
  loading_ = true;
  if (filter_->text() != filters_[tab]) filter_->setText(filters_[tab]);
  loading_ = false;
  filter_->setMaximumWidth(tab == kEvents ? kWide : kNarrow);
  filter_->setToolTip(tab == kEvents
                          ? tr("Only events that pass: kind:granted -by:c1 token:>41 time:1.2s..1.5s  (Ctrl+F)")
                          : tr("Only rows with these words  (Ctrl+F)"));
}

void ResultsPanel::applyFilter(int tab) {
  const Changing changing(changing_);
  if (tab == kIncidents) {
    byStart_->setWords(filters_[tab]);
    select(session_.selectedIncident());  // where its row is again, or is no more
  }
  if (tab == kContenders) contenderOrder_->setWords(filters_[tab]);
  if (tab == kEvents) {
    error_ = events_->setFilter(filters_[tab]);
    if (!error_ || !filterProblem_->isHidden()) tellError();
    if (error_) calm_.start();
  }
  titleTabs();
}

// Under the field, what is wrong with the filter of events.
void ResultsPanel::tellError() {
  calm_.stop();
  Problem problem;
  if (error_ && tabs_->currentIndex() == kEvents) {
    problem.title = tr("This is no filter");
    problem.message = fromText(error_->text());
    problem.remains = tr("The rows are those of the filter before.");
  }
  filterProblem_->showProblem(problem);
}

void ResultsPanel::showTab(int tab) { tabs_->setCurrentIndex(tab); }

void ResultsPanel::choose(const QModelIndex& row) {
  const int incident = byStart_->mapToSource(row).row();
  if (incident != session_.selectedIncident()) session_.selectIncident(incident);
  emit incidentChosen(incident);
}

}  // namespace leasescope
