#include "ui/window/session_perspective.h"

#include <QClipboard>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QScrollBar>
#include <QTabBar>
#include <QTimer>
#include <QUndoStack>
#include <algorithm>
#include <utility>

#include "core/observe/watch_record.h"
#include "ui/models/incident_note.h"
#include "ui/models/words.h"
#include "ui/panels/cursor_panel.h"
#include "ui/panels/export_part_dialog.h"
#include "ui/panels/legend_panel.h"
#include "ui/panels/parts.h"
#include "ui/panels/report_export.h"
#include "ui/panels/results_panel.h"
#include "ui/panels/selection_panel.h"
#include "ui/panels/summary_bar.h"
#include "ui/panels/timeline_page.h"
#include "ui/report/report_format.h"
#include "ui/theme/look.h"
#include "ui/timeline/timeline_view.h"

namespace leasescope {
namespace {

constexpr int kWide = 1600;           // from it on the legend lies beside the tables
constexpr int kResultsAtLeast = 124;  // tabs, header, three rows
constexpr int kLeft = 232, kRight = 292, kRightNarrow = 236;
constexpr int kSelectionAtLeast = 180, kOwnAtLeast = 240;
// As Counts has them.
constexpr ChartAction kClocks[] = {ChartAction::kTimeOfRun, ChartAction::kTimeInUtc, ChartAction::kTimeHere,
                                   ChartAction::kTimeOfRow};

}  // namespace

SessionPerspective::SessionPerspective(Session& session, const QString& word, const QString& name, QWidget* parent)
    : Perspective(word, name, parent), session_(session), notebook_(new Notebook(session, this)) {
  chartActions_ = new ChartActions(chartActionSpecs(), this);
  chartActions_->tell({ActionTable::tr("View"), QStringLiteral("Alt+1…7"), tr("Show or hide a panel")});
  chartActions_->tell({ActionTable::tr("Chart"), QStringLiteral("A D"), tr("Pan left, right")});
  chartActions_->tell({ActionTable::tr("Chart"), tr("wheel"), tr("Zoom at the pointer")});
  chartActions_->tell({ActionTable::tr("Chart"), tr("drag"), tr("Pan")});
  chartActions_->tell(
      {ActionTable::tr("Chart"), tr("Shift+drag"), tr("Measure from event to event; with Alt anywhere")});
  showList_ = new QAction(this);
}

void SessionPerspective::build(const Parts& parts) {
  showList_->setText(parts.listTitle);
  view_ = new TimelinePage(session_,
                           {showList_, action(ChartAction::kFitAll), action(ChartAction::kUndoZoom),
                            action(ChartAction::kFollow), exportActions()},
                           action(ChartAction::kShowRows), parts.empty);
  setCentralWidget(view_);
  summary_ = new SummaryBar(session_);
  exporter_ = new ReportExport(session_, this);
  buildPanels(parts);
  connectChart();
  connectExporter();
  connectTables();
  connectSession();
  connectNotes();
  connectRows();
}

QWidget* SessionPerspective::status() { return summary_; }

void SessionPerspective::setListNote(const QString& note) { listTitle_->setNote(note); }

void SessionPerspective::offerUndo(QAction& undo, QAction& redo) {
  QUndoStack& stack = session_.undo();
  connect(&undo, &QAction::triggered, &stack, &QUndoStack::undo);
  connect(&redo, &QAction::triggered, &stack, &QUndoStack::redo);
  const auto load = [&stack, &undo, &redo] {
    undo.setEnabled(stack.canUndo());
    redo.setEnabled(stack.canRedo());
    undo.setText(stack.canUndo() ? tr("&Undo %1").arg(stack.undoText()) : tr("&Undo"));
    redo.setText(stack.canRedo() ? tr("&Redo %1").arg(stack.redoText()) : tr("&Redo"));
  };
  connect(&stack, &QUndoStack::indexChanged, this, load);
  load();
}

void SessionPerspective::buildPanels(const Parts& parts) {
  listDock_ = addDock(word() + QStringLiteral("ListDock"), parts.listTitle, parts.list, Qt::LeftDockWidgetArea);
  listTitle_ = new DockTitle(listDock_, parts.listTitle);
  listDock_->setTitleBarWidget(listTitle_);

  results_ = new ResultsPanel(session_);
  resultsDock_ =
      addDock(QStringLiteral("resultsDock"), tr("Incidents, contenders, events"), results_, Qt::BottomDockWidgetArea);
  auto* resultsTitle = new DockTitle(resultsDock_, results_->tabs());
  resultsTitle->addAtRight(results_->filter());
  incidentHint_ = new QWidget;
  auto* row = new QHBoxLayout(incidentHint_);
  row->setContentsMargins(8, 0, 8, 0);
  row->setSpacing(6);
  row->addWidget(new KeyCap(QStringLiteral("[")));
  row->addWidget(new KeyCap(QStringLiteral("]")));
  row->addWidget(label(tr("previous, next incident"), 11, 400, Ink::kMuted));
  resultsTitle->addAtRight(incidentHint_);
  resultsDock_->setTitleBarWidget(resultsTitle);

  selection_ = new SelectionPanel(session_);
  selectionDock_ = addDock(QStringLiteral("selectionDock"), tr("Selection"), selection_, Qt::RightDockWidgetArea);
  rightTitles_.push_back(new DockTitle(selectionDock_, tr("Selection")));
  if (parts.own != nullptr) {
    own_ = parts.own;
    ownDock_ = addDock(word() + QStringLiteral("OwnDock"), parts.ownShort, own_, Qt::RightDockWidgetArea);
    rightTitles_.push_back(new DockTitle(ownDock_, parts.ownTitle));
  }
  cursor_ = new CursorPanel(session_);
  cursorDock_ = addDock(QStringLiteral("cursorDock"), tr("Cursor"), cursor_, Qt::RightDockWidgetArea);
  auto* cursorTitle = new DockTitle(cursorDock_, tr("At the cursor"));
  connect(cursor_, &CursorPanel::timeShown, cursorTitle, &DockTitle::setNote);
  rightTitles_.push_back(cursorTitle);
  legendDock_ = addDock(QStringLiteral("legendDock"), tr("Help and legend"), new LegendPanel(parts.how),
                        Qt::BottomDockWidgetArea);
  legendDock_->setTitleBarWidget(new DockTitle(legendDock_, tr("Help and legend")));
  buildNotes();
  layOut();
}

// ---- the layout

QList<QDockWidget*> SessionPerspective::atRight() const {
  QList<QDockWidget*> out{selectionDock_};
  if (ownDock_ != nullptr) out << ownDock_;
  return out << cursorDock_;
}

void SessionPerspective::layOut() {
  for (QDockWidget* dock : docks()) dock->setFloating(false);
  addDockWidget(Qt::LeftDockWidgetArea, listDock_);
  addDockWidget(Qt::BottomDockWidgetArea, resultsDock_);
  for (QDockWidget* dock : atRight()) addDockWidget(Qt::RightDockWidgetArea, dock);
  splitDockWidget(resultsDock_, notesDock_, Qt::Horizontal);
  splitDockWidget(notesDock_, legendDock_, Qt::Horizontal);
  for (QDockWidget* dock : docks()) dock->show();
  setCompact(wouldBeCompact());
  // Whatever Qt has made of a layout that was none: every panel is there.
  for (QDockWidget* dock : docks())
    if (dock != legendDock_ && dock != notesDock_ && (dock != listDock_ || !compact())) dock->show();
  notesDock_->hide();
  showLegendWhereThereIsRoom();
}

// Beside the tables, where they would leave an empty band.
void SessionPerspective::showLegendWhereThereIsRoom() {
  legendDock_->setVisible(!compact() && !resultsDock_->isHidden() && window()->width() >= kWide);
  sizeDocks();
}

void SessionPerspective::setCompact(bool compact) {
  Perspective::setCompact(compact);
  const QList<QDockWidget*> right = atRight();
  for (std::size_t i = 0; i < rightTitles_.size(); ++i) {
    QDockWidget* dock = right[static_cast<qsizetype>(i)];
    QWidget* old = dock->titleBarWidget();
    // Tabs say the name already; a title of no height takes its place.
    QWidget* title = compact ? new QWidget(dock) : rightTitles_[i];
    dock->setTitleBarWidget(title);
    rightTitles_[i]->setVisible(!compact);
    if (old && old != rightTitles_[i] && old != title) old->deleteLater();
  }
  // Taken out first: a dock split from a tab would stay in the tab.
  std::vector<bool> shown;
  for (QDockWidget* dock : right) {
    shown.push_back(!dock->isHidden());
    removeDockWidget(dock);
  }
  for (QDockWidget* dock : right) addDockWidget(Qt::RightDockWidgetArea, dock, Qt::Vertical);
  for (std::size_t i = 0; i < shown.size(); ++i) right[static_cast<qsizetype>(i)]->setVisible(shown[i]);
  if (compact) {
    for (qsizetype i = 1; i < right.size(); ++i) tabifyDockWidget(right[i - 1], right[i]);
    selectionDock_->raise();
  }
  listDock_->setVisible(!compact);
  view_->strip()->setCompact(compact);
  results_->setCompact(compact);
  incidentHint_->setVisible(!compact);
  cursor_->setTitled(!compact);
  sizeDocks();
}

// After the first run, unless its rows are those that were expected, or the reader has moved something since.
void SessionPerspective::sizeAnew() {
  if (view_->timeline()->contentHeight() == expected_ || resultsDock_->height() != given_) return;
  sizeDocks();
  // What was scrolled to when there was less room.
  QTimer::singleShot(0, this, [chart = view_->timeline()] {
    chart->verticalScrollBar()->setValue(0);
    chart->showRowsOfIncident(chart->selectedIncident());
  });
}

// Side docks have their own width; the bottom dock gets what the chart leaves.
void SessionPerspective::sizeDocks() {
  expected_ = view_->timeline()->contentHeight();
  resizeDocks({listDock_, selectionDock_}, {kLeft, compact() ? kRightNarrow : kRight}, Qt::Horizontal);
  const int body = height();
  // Of a fleet whoever is idle has no row, which all are before the run: it gets the room it will take.
  const bool fleet = session_.cast().size() >= kFoldFrom;
  const int chart =
      fleet ? body : measures().view_strip + view_->lanesHeight() + view_->timeline()->contentHeight() + 4;
  if (legendDock_->isVisible() && !legendDock_->isFloating()) shareWithLegend(width() - kLeft - kRight);
  resizeDocks({resultsDock_}, {std::clamp(body - chart, kResultsAtLeast, std::max(kResultsAtLeast, body / 2))},
              Qt::Vertical);
  if (!compact()) {
    const int cursor = cursor_->sizeHint().height() + measures().dock_title;
    const int own = own_ == nullptr ? 0
                                    : std::min(own_->sizeHint().height() + measures().dock_title,
                                               std::max(kOwnAtLeast, body - cursor - kSelectionAtLeast));
    QList<int> heights{std::max(120, body - own - cursor)};
    if (own_ != nullptr) heights << own;
    resizeDocks(atRight(), heights << cursor, Qt::Vertical);
  }
  QTimer::singleShot(0, this, [this] { given_ = resultsDock_->height(); });  // when they have what they were given
}

// The legend stands beside the results, in room that was theirs.
void SessionPerspective::shareWithLegend(int room) {
  const int legend = std::min(width() / 3, room / 2);
  resizeDocks({resultsDock_, legendDock_}, {room - legend, legend}, Qt::Horizontal);
}

void SessionPerspective::present(bool on) {
  Perspective::present(on);
  view_->present(on);
}

void SessionPerspective::showEvent(QShowEvent* event) {
  Perspective::showEvent(event);
  if (!laidOut_ && !presents()) showLegendWhereThereIsRoom();
}

void SessionPerspective::remember(QSettings& settings) const {
  Perspective::remember(settings);
  settings.setValue(word() + QStringLiteral("/tab"), results_->tabs()->currentIndex());
  // Whose clock a contender's is another run does not know.
  const Counts counts = counts_ == Counts::kContender ? default_ : counts_;
  settings.setValue(word() + QStringLiteral("/clock"), static_cast<int>(counts));
}

void SessionPerspective::restore(const QSettings& settings) {
  Perspective::restore(settings);
  results_->showTab(std::clamp(settings.value(word() + QStringLiteral("/tab"), 0).toInt(), 0, ResultsPanel::kTabs - 1));
  const int clock = settings.value(word() + QStringLiteral("/clock"), static_cast<int>(default_)).toInt();
  count(static_cast<Counts>(std::clamp(clock, 0, 2)));
}

// ---- what is done with the chart, and what it tells

void SessionPerspective::connectChart() {
  const auto on = [this](ChartAction which, auto act) { connect(action(which), &QAction::triggered, this, act); };
  TimelineView* chart = view_->timeline();
  for (std::size_t i = 0; i < report_formats().size(); ++i)
    on(exportAction(i), [this, i] { exportAs(report_formats()[i]); });
  on(ChartAction::kCopyIncident, [this] { copyIncident(); });
  on(ChartAction::kZoomIn, [chart] { chart->zoomIn(); });
  on(ChartAction::kZoomOut, [chart] { chart->zoomOut(); });
  on(ChartAction::kFitSelection, [chart] { chart->fitSelection(); });
  on(ChartAction::kFitAll, [chart] { chart->fitAll(true); });
  on(ChartAction::kUndoZoom, [chart] { chart->undoZoom(); });
  on(ChartAction::kRedoZoom, [chart] { chart->redoZoom(); });
  connect(chart, &TimelineView::placesChanged, this, &SessionPerspective::loadPlaces);
  connect(action(ChartAction::kFollow), &QAction::toggled, chart, &TimelineView::setFollow);
  connect(chart, &TimelineView::followChanged, action(ChartAction::kFollow), &QAction::setChecked);
  action(ChartAction::kFollow)->setChecked(chart->follows());
  on(ChartAction::kMeasure, [this, chart] { chart->measureFromCursor(action(ChartAction::kMeasure)->isChecked()); });
  connect(chart, &TimelineView::measureChanged, this, &SessionPerspective::tellMeasured);
  on(ChartAction::kNextIncident, [chart] { chart->goToIncident(1); });
  on(ChartAction::kPreviousIncident, [chart] { chart->goToIncident(-1); });
  on(ChartAction::kNextEvent, [chart] { chart->goToEvent(1); });
  on(ChartAction::kPreviousEvent, [chart] { chart->goToEvent(-1); });
  on(ChartAction::kTimeOfRun, [this] { count(Counts::kRun); });
  on(ChartAction::kTimeInUtc, [this] { count(Counts::kUtc); });
  on(ChartAction::kTimeHere, [this] { count(Counts::kLocal); });
  on(ChartAction::kTimeOfRow, [this] { countByRow(); });
  on(ChartAction::kSearch, [this] {
    listDock_->show();
    searchList();
  });
  connect(showList_, &QAction::triggered, this, [this] {
    if (listDock_->isVisible()) return listDock_->hide();
    listDock_->show();
    searchList();
  });
  on(ChartAction::kHelp, [this] { help(); });
  connect(chart, &TimelineView::cursorMoved, cursor_, &CursorPanel::setTime);
  connect(chart, &TimelineView::incidentClicked, this, [this](int index) {
    if (index != session_.selectedIncident()) session_.selectIncident(index);
  });
}

// A run in virtual time was at no hour of any day. Who is not in this run has no clock in it.
Axis SessionPerspective::chosenAxis() const {
  Axis axis;
  axis.epoch_ns = session_.epochNs().value_or(0);
  const bool clock = axis.epoch_ns != 0;
  if (counts_ == Counts::kUtc || counts_ == Counts::kLocal) axis.counts = clock ? counts_ : Counts::kRun;
  if (counts_ != Counts::kContender || session_.history() == nullptr) return axis;
  const Cast& cast = session_.cast();
  for (int place = 0; place < cast.size(); ++place) {
    if (cast.name(place) != counted_by_) continue;
    axis.counts = Counts::kContender;
    const OffsetCourse* const known = cast.wallClock(*session_.history(), place);
    const OffsetCourse& course = known == nullptr ? OffsetCourse{} : *known;
    const Axis& before = view_->timeline()->axis();
    const bool same = before.shown != nullptr && before.shown->letter == Cast::letter(place) &&
                      before.shown->course.points == course.points;
    axis.shown = same ? before.shown : std::make_shared<ShownClock>(ShownClock{Cast::letter(place), course});
  }
  return axis;
}

void SessionPerspective::loadAxis() {
  const Axis axis = chosenAxis();
  view_->setAxis(axis);
  session_.countBy(axis);
  for (const ChartAction which : {ChartAction::kTimeInUtc, ChartAction::kTimeHere}) {
    action(which)->setEnabled(axis.epoch_ns != 0);
    action(which)->setStatusTip(axis.epoch_ns != 0 ? QString() : tr("A run in virtual time has no wall clock"));
  }
  action(kClocks[static_cast<std::size_t>(axis.counts)])->setChecked(true);
}

void SessionPerspective::count(Counts counts) {
  counts_ = counts;
  loadAxis();
}

// Of the row that is current; without one it stays as it was.
void SessionPerspective::countByRow() {
  if (view_->timeline()->currentRow() < 0) return loadAxis();
  counted_by_ = currentRowName();
  count(Counts::kContender);
  const Axis& axis = view_->timeline()->axis();
  const bool right = axis.shown != nullptr && axis.shown->course.points.empty();
  summary_->tell(right ? tr("The clock of %1 was right all the time").arg(fromText(counted_by_))
                       : tr("The chart is drawn by the clock of %1").arg(fromText(counted_by_)));
}

void SessionPerspective::tellMeasured() {
  const auto& measured = view_->timeline()->measured();
  action(ChartAction::kMeasure)->setChecked(measured.has_value());
  if (!measured) return summary_->tell({});
  const auto [from, to] = std::minmax(measured->first, measured->second);
  const Axis& axis = view_->timeline()->axis();
  summary_->tell(tr("Δ %1, from %2 to %3").arg(spanText(axis.between(from, to)), axis.text(from), axis.text(to)));
}

void SessionPerspective::copyIncident() {
  const int incident = session_.selectedIncident();
  if (incident < 0) return;
  QString text = markdownOf(session_, incident, selection_->prevention());
  for (const QString& line : noteOfSelected().split(u'\n', Qt::SkipEmptyParts))
    text += QStringLiteral("\n> %1").arg(line) + (line.isEmpty() ? QString() : QStringLiteral("  "));
  QGuiApplication::clipboard()->setText(text);
  summary_->tell(tr("The incident was copied, with how it came about"));
}

void SessionPerspective::connectTables() {
  TimelineView* chart = view_->timeline();
  connect(action(ChartAction::kFilter), &QAction::triggered, this, [this] {
    resultsDock_->show();
    results_->focusFilter();
  });
  connect(results_, &ResultsPanel::timeChosen, this, [chart](TrueTime at) {
    chart->setFollow(false);
    chart->centreOn(at, at);
    chart->setCursorTime(at);
  });
  connect(results_, &ResultsPanel::incidentChosen, view_, &TimelinePage::showIncident);
  connect(results_, &ResultsPanel::contenderChosen, this, [chart](int place) { chart->showRows({place}); });
}

void SessionPerspective::connectSession() {
  connect(&session_, &Session::stateChanged, this, &SessionPerspective::loadActions);
  connect(&session_, &Session::settled, this, &SessionPerspective::loadActions);
  connect(&session_, &Session::incidentSelected, this, &SessionPerspective::loadActions);
  connect(&session_, &Session::told, summary_, &SummaryBar::tell);
  connect(&session_, &Session::runReset, this, &SessionPerspective::documentChanged);
  connect(&session_, &Session::runReset, this, [this] {
    // The first one says how much room its rows take; later ones leave the reader's sizes alone.
    if (laidOut_ || session_.runScenario() == nullptr || !isVisible()) return;
    laidOut_ = true;
    QTimer::singleShot(0, this, [this] { sizeDocks(); });  // when the panels know their new heights
    awaited_ = true;
  });
  // Some rows are known only when the run has shown that there are any: a queue, several stores, transfers.
  connect(&session_, &Session::finished, this, [this] {
    if (std::exchange(awaited_, false)) QTimer::singleShot(0, this, &SessionPerspective::sizeAnew);
  });
  // While the run goes on the newest moment is what a reader looks at.
  connect(&session_, &Session::settled, this, [this] {
    if (session_.selectedIncident() < 0) cursor_->setTime(session_.playhead());
  });
  // A run that went wrong tells at once what was worst; the chart stays where it is.
  connect(&session_, &Session::finished, this, [this] {
    if (session_.selectedIncident() < 0) session_.selectIncident(results_->incidents()->worst());
  });
}

void SessionPerspective::loadActions() {
  const bool open = session_.runScenario() != nullptr;
  const auto enable = [this](ChartAction which, bool on) { action(which)->setEnabled(on); };
  const History* history = session_.history();
  const bool drawn = history != nullptr && !history->events.empty();
  for (QAction* each : exportActions()) each->setEnabled(drawn);
  for (const ChartAction which :
       {ChartAction::kZoomIn, ChartAction::kZoomOut, ChartAction::kFitSelection, ChartAction::kFitAll,
        ChartAction::kBusiestFirst, ChartAction::kAllRows, ChartAction::kFollow, ChartAction::kMeasure,
        ChartAction::kNextEvent, ChartAction::kPreviousEvent})
    enable(which, open);
  loadPlaces();
  const bool incidents = history != nullptr && !history->incidents.empty();
  enable(ChartAction::kCopyIncident, session_.selectedIncident() >= 0);
  enable(ChartAction::kNextIncident, incidents);
  enable(ChartAction::kPreviousIncident, incidents);
  loadAxis();
  loadNoteActions();
  loadRows();
}

void SessionPerspective::loadPlaces() {
  const bool open = session_.runScenario() != nullptr;
  const ViewHistory& places = view_->timeline()->places();
  action(ChartAction::kUndoZoom)->setEnabled(open && places.has_back());
  action(ChartAction::kRedoZoom)->setEnabled(open && places.has_forward());
}

QList<QAction*> SessionPerspective::exportActions() const {
  QList<QAction*> out;
  for (std::size_t i = 0; i < report_formats().size(); ++i) out << action(exportAction(i));
  return out;
}

void SessionPerspective::exportAs(const ReportFormat& format) {
  if (exporter_->busy()) return summary_->tell(tr("Not exported: another is being written"));
  // Of a run all is reported: what is expected of it is expected of the whole.
  WantedPart part;
  if (session_.outcome().scenario == kWatchName) {
    const auto wanted = askPart_(partOffer());
    if (!wanted) return;
    part = *wanted;
  }
  const QString ending = fromText(format.ending);
  const QString name = fromText(session_.runScenario()->name) + ending;
  const QString path = QFileDialog::getSaveFileName(this, tr("Export"), name, QStringLiteral("*") + ending);
  if (path.isEmpty()) return;
  ExportWish wish = view_->exportWish(path, format);
  wish.events = results_->events()->filter();
  wish.part = std::move(part);
  exporter_->begin(wish);
}

PartOffer SessionPerspective::partOffer() const {
  PartOffer out;
  const TimelineView& chart = *view_->timeline();
  const TrueTime known = session_.now();
  const auto [from, to] = chart.visibleRange();
  out.seen = {std::clamp(from, TrueTime{}, known), std::clamp(to, TrueTime{}, known)};
  if (const auto& measured = chart.measured()) out.measured = std::minmax(measured->first, measured->second);
  for (const MutexRow& each : chart.data().mutexes()) out.mutexes.push_back(each.name);
  out.chosen = notebook_->rows().filter.mutex;
  out.time = session_.time();
  return out;
}

void SessionPerspective::connectExporter() {
  askPart_ = [this](const PartOffer& offer) -> std::optional<WantedPart> {
    ExportPartDialog dialog(offer, this);
    if (dialog.exec() != QDialog::Accepted) return {};
    return dialog.part();
  };
  connect(exporter_, &ReportExport::written, this,
          [this](const QString& path) { summary_->tell(tr("%1 was written").arg(QFileInfo(path).fileName())); });
  connect(exporter_, &ReportExport::failed, this, [this](const QString& path, const QString& why) {
    Problem p;
    p.title = tr("%1 was not written").arg(QFileInfo(path).fileName());
    p.message = why;
    emit session_.problem(p);
  });
}

// The window is closed: nobody wants what is not written yet.
void SessionPerspective::letGo() { exporter_->cancel(); }

// Where there is room for it beside the chart it stays; the same key puts it away.
void SessionPerspective::help() {
  if (legendDock_->isVisible() && !legendDock_->visibleRegion().isEmpty()) return legendDock_->hide();
  const int width = resultsDock_->width();
  legendDock_->show();
  legendDock_->raise();
  if (!legendDock_->isFloating()) shareWithLegend(width);
}

}  // namespace leasescope
