#include "ui/main_window.h"

#include <QApplication>
#include <QCheckBox>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QKeyEvent>
#include <QMenuBar>
#include <QMimeData>
#include <QScreen>
#include <QScrollBar>
#include <QSettings>
#include <QStatusBar>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>

#include "ui/lab/cursor_panel.h"
#include "ui/lab/key_sheet.h"
#include "ui/lab/lab_view.h"
#include "ui/lab/legend_panel.h"
#include "ui/lab/prospects.h"
#include "ui/lab/results_panel.h"
#include "ui/lab/scenario_panel.h"
#include "ui/lab/selection_panel.h"
#include "ui/lab/summary_bar.h"
#include "ui/lab/transport_bar.h"
#include "ui/lab/values_panel.h"
#include "ui/models/words.h"
#include "ui/theme/look.h"
#include "ui/timeline/timeline_view.h"

namespace leasescope {
namespace {

constexpr int kLayoutVersion = 2;
constexpr int kNarrow = 1200;         // below it the side docks become a button and tabs
constexpr int kWide = 1600;           // from it on the legend lies beside the tables
constexpr int kLow = 700;             // below it three docks do not fit one above another
constexpr int kResultsAtLeast = 124;  // tabs, header, three rows
constexpr int kLeft = 232, kRight = 292, kRightNarrow = 236;
constexpr int kSelectionAtLeast = 180, kValuesAtLeast = 240;

bool isSmall(QSize window) { return window.width() < kNarrow || window.height() < kLow; }

// Of the screen, without what its panels and the window's own frame take.
QSize roomOnScreen() {
  constexpr QSize kFrame(8, 40);
  const QScreen* screen = QGuiApplication::primaryScreen();
  return screen ? screen->availableSize() - kFrame : QSize(1440, 900);
}

}  // namespace

MainWindow::MainWindow(QWidget* parent) : QMainWindow(parent) {
  setObjectName(QStringLiteral("leasescope"));
  setAcceptDrops(true);
  setDockNestingEnabled(true);
  const QSize room = roomOnScreen();
  setMinimumSize(std::min(800, room.width()), std::min(500, room.height()));
  list_ = new ScenarioListModel(this);
  list_->addBuiltIns();
  actions_ = new LabActions(this);
  showScenarios_ = new QAction(tr("Scenarios"), this);
  auto* empty = new EmptyState(list_->rowCount(), action(LabAction::kOpenFile));
  connect(empty, &EmptyState::wanted, this, &MainWindow::open);
  view_ = new LabView(lab_,
                      {showScenarios_, action(LabAction::kFitAll), action(LabAction::kUndoZoom),
                       action(LabAction::kFollow), action(LabAction::kExportPng), action(LabAction::kExportSvg)},
                      empty, action(LabAction::kStop));
  setCentralWidget(view_);
  auto* bar = new QToolBar(tr("Run"));
  bar->setObjectName(QStringLiteral("transport"));
  bar->setMovable(false);
  bar->setFixedHeight(measures().tool_bar);
  transport_ =
      new TransportBar(lab_, {action(LabAction::kRestart), action(LabAction::kStepBack), action(LabAction::kRun),
                              action(LabAction::kStep), action(LabAction::kToEnd), action(LabAction::kStop),
                              action(LabAction::kNewSeed), action(LabAction::kFork)});
  bar->addWidget(transport_);
  addToolBar(bar);
  summary_ = new SummaryBar(lab_);
  statusBar()->setSizeGripEnabled(false);
  statusBar()->setFixedHeight(measures().status_bar);
  statusBar()->addPermanentWidget(summary_, 1);
  statusBar()->setContentsMargins(0, 0, 0, 0);
  statusBar()->layout()->setContentsMargins(0, 0, 0, 0);
  buildDocks();
  buildMenus();
  connectActions();
  connectLab();
  qApp->installEventFilter(this);
  loadActions();
  loadTitle();
  resize(1440, 900);  // restore() fits it to the screen
}

MainWindow::~MainWindow() {
  qApp->removeEventFilter(this);
  lab_.disconnect();
}

QDockWidget* MainWindow::addDock(const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area) {
  auto* dock = new QDockWidget(title, this);
  dock->setObjectName(name);
  dock->setWidget(content);
  addDockWidget(area, dock);
  return dock;
}

void MainWindow::buildDocks() {
  setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  setTabPosition(Qt::RightDockWidgetArea, QTabWidget::North);
  scenarios_ = new ScenarioPanel(list_);
  scenarioDock_ = addDock(QStringLiteral("scenarioDock"), tr("Scenarios"), scenarios_, Qt::LeftDockWidgetArea);
  auto* scenarioTitle = new DockTitle(scenarioDock_, tr("Scenarios"));
  scenarioTitle->setNote(countText(static_cast<std::uint64_t>(list_->rowCount())));
  connect(list_, &ScenarioListModel::rowsInserted, scenarioTitle,
          [this, scenarioTitle] { scenarioTitle->setNote(countText(static_cast<std::uint64_t>(list_->rowCount()))); });
  scenarioDock_->setTitleBarWidget(scenarioTitle);

  results_ = new ResultsPanel(lab_);
  resultsDock_ =
      addDock(QStringLiteral("resultsDock"), tr("Incidents, contenders, events"), results_, Qt::BottomDockWidgetArea);
  auto* resultsTitle = new DockTitle(resultsDock_, results_->tabs());
  resultsTitle->addAtRight(results_->filter());
  auto* hint = new QWidget;
  auto* row = new QHBoxLayout(hint);
  row->setContentsMargins(8, 0, 8, 0);
  row->setSpacing(6);
  row->addWidget(new KeyCap(QStringLiteral("[")));
  row->addWidget(new KeyCap(QStringLiteral("]")));
  row->addWidget(label(tr("previous, next incident"), 11, 400, Ink::kMuted));
  resultsTitle->addAtRight(hint);
  incidentHint_ = hint;
  resultsDock_->setTitleBarWidget(resultsTitle);

  selection_ = new SelectionPanel(lab_);
  values_ = new ValuesPanel(lab_, action(LabAction::kRestart), action(LabAction::kFork));
  cursor_ = new CursorPanel(lab_);
  selectionDock_ = addDock(QStringLiteral("selectionDock"), tr("Selection"), selection_, Qt::RightDockWidgetArea);
  valuesDock_ = addDock(QStringLiteral("valuesDock"), tr("Values"), values_, Qt::RightDockWidgetArea);
  cursorDock_ = addDock(QStringLiteral("cursorDock"), tr("Cursor"), cursor_, Qt::RightDockWidgetArea);
  legendDock_ = addDock(QStringLiteral("legendDock"), tr("Help and legend"), new LegendPanel, Qt::BottomDockWidgetArea);
  legendDock_->setTitleBarWidget(new DockTitle(legendDock_, tr("Help and legend")));
  prospects_ = new Prospects(lab_, list_, this);
  auto* cursorTitle = new DockTitle(cursorDock_, tr("At the cursor"));
  connect(cursor_, &CursorPanel::timeShown, cursorTitle, &DockTitle::setNote);
  rightTitles_ = {new DockTitle(selectionDock_, tr("Selection")), new DockTitle(valuesDock_, tr("Scenario values")),
                  cursorTitle};
  layOut();
}

QList<QDockWidget*> MainWindow::docks() const {
  return {scenarioDock_, resultsDock_, selectionDock_, valuesDock_, cursorDock_, legendDock_};
}

void MainWindow::layOut() {
  for (QDockWidget* dock : docks()) dock->setFloating(false);
  addDockWidget(Qt::LeftDockWidgetArea, scenarioDock_);
  addDockWidget(Qt::BottomDockWidgetArea, resultsDock_);
  for (QDockWidget* dock : {selectionDock_, valuesDock_, cursorDock_}) addDockWidget(Qt::RightDockWidgetArea, dock);
  splitDockWidget(resultsDock_, legendDock_, Qt::Horizontal);
  for (QDockWidget* dock : docks()) dock->show();
  setCompact(isSmall(size()));
  // Whatever Qt has made of a layout that was none: every panel is there.
  for (QDockWidget* dock : docks())
    if (dock != legendDock_ && (dock != scenarioDock_ || !compact_)) dock->show();
  showLegendWhereThereIsRoom();
}

// Beside the tables, where they would leave an empty band.
void MainWindow::showLegendWhereThereIsRoom() {
  legendDock_->setVisible(!compact_ && width() >= kWide);
  sizeDocks();
}

// Whether a reader can come by every panel: one that is closed is opened from the View menu, one that is open lies in
// a place of the window or on a screen.
bool MainWindow::everyPanelIsReachable() const {
  for (const QDockWidget* dock : docks()) {
    if (dock->isHidden()) continue;
    if (!dock->isFloating() && dockWidgetArea(const_cast<QDockWidget*>(dock)) == Qt::NoDockWidgetArea) return false;
    if (!dock->isFloating()) continue;
    // Its title has to be in reach of the mouse.
    const QRect title(dock->pos(), QSize(dock->width(), measures().dock_title));
    const QList<QScreen*> screens = QGuiApplication::screens();
    const bool seen = std::any_of(screens.begin(), screens.end(), [&](const QScreen* screen) {
      const QRect shown = screen->availableGeometry() & title;
      return shown.width() >= 60 && shown.height() >= 10;
    });
    if (!seen) return false;
  }
  return true;
}

// Known only when the window has its size: a layout may have squeezed the chart or a panel to nothing.
void MainWindow::mendSizes() {
  bool squeezed = view_->width() < 200 || view_->height() < 120;
  for (const QDockWidget* dock : docks())
    squeezed |= dock->isVisible() && !dock->isFloating() && (dock->width() < 80 || dock->height() < 40);
  if (squeezed) layOut();
}

void MainWindow::setCompact(bool compact) {
  compact_ = compact;
  const QList<QDockWidget*> right{selectionDock_, valuesDock_, cursorDock_};
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
    tabifyDockWidget(selectionDock_, valuesDock_);
    tabifyDockWidget(valuesDock_, cursorDock_);
    selectionDock_->raise();
  }
  scenarioDock_->setVisible(!compact);
  view_->strip()->setCompact(compact);
  transport_->setCompact(compact);
  results_->setCompact(compact);
  incidentHint_->setVisible(!compact);
  cursor_->setTitled(!compact);
  values_->setCompact(compact);
  sizeDocks();
}

// After the first run, unless its rows are those that were expected, or the reader has moved something since.
void MainWindow::sizeAnew() {
  if (view_->timeline()->contentHeight() == expected_ || resultsDock_->height() != given_) return;
  sizeDocks();
  // What was scrolled to when there was less room.
  QTimer::singleShot(0, this, [chart = view_->timeline()] {
    chart->verticalScrollBar()->setValue(0);
    chart->showRowsOfIncident(chart->selectedIncident());
  });
}

// Side docks have their own width; the bottom dock gets what the chart leaves.
void MainWindow::sizeDocks() {
  expected_ = view_->timeline()->contentHeight();
  const QList<QDockWidget*> right{selectionDock_, valuesDock_, cursorDock_};
  resizeDocks({scenarioDock_, selectionDock_}, {kLeft, compact_ ? kRightNarrow : kRight}, Qt::Horizontal);
  const int body = height() - measures().menu_bar - measures().tool_bar - measures().status_bar;
  // Of a fleet whoever is idle has no row, which all are before the run: it gets the room it will take.
  const bool fleet = lab_.cast().size() >= kFoldFrom;
  const int chart = fleet ? body : measures().view_strip + view_->timeline()->contentHeight() + 4;
  if (legendDock_->isVisible() && !legendDock_->isFloating()) shareWithLegend(width() - kLeft - kRight);
  resizeDocks({resultsDock_}, {std::clamp(body - chart, kResultsAtLeast, std::max(kResultsAtLeast, body / 2))},
              Qt::Vertical);
  if (!compact_) {
    const int cursor = cursor_->sizeHint().height() + measures().dock_title;
    const int values = std::min(values_->sizeHint().height() + measures().dock_title,
                                std::max(kValuesAtLeast, body - cursor - kSelectionAtLeast));
    resizeDocks(right, {std::max(120, body - values - cursor), values, cursor}, Qt::Vertical);
  }
  QTimer::singleShot(0, this, [this] { given_ = resultsDock_->height(); });  // when they have what they were given
}

// The legend stands beside the results, in room that was theirs.
void MainWindow::shareWithLegend(int room) {
  const int legend = std::min(width() / 3, room / 2);
  resizeDocks({resultsDock_, legendDock_}, {room - legend, legend}, Qt::Horizontal);
}

void MainWindow::buildMenus() {
  const auto add = [this](const QString& title, std::initializer_list<LabAction> which) {
    QMenu* menu = menuBar()->addMenu(title);
    for (const LabAction each : which)
      if (each == LabAction::kCount)
        menu->addSeparator();
      else
        menu->addAction(action(each));
    return menu;
  };
  menuBar()->setFixedHeight(measures().menu_bar);
  auto* mark = new QLabel;
  mark->setPixmap(appIcon().pixmap(16, 16));
  mark->setFixedSize(34, measures().menu_bar);
  mark->setAlignment(Qt::AlignCenter);
  menuBar()->setCornerWidget(mark, Qt::TopLeftCorner);
  document_ = label({}, 12, 400, Ink::kMuted);
  document_->setParent(menuBar());
  document_->setAlignment(Qt::AlignCenter);
  document_->setAttribute(Qt::WA_TransparentForMouseEvents);
  constexpr LabAction kLine = LabAction::kCount;
  add(tr("&File"), {LabAction::kOpenFile, LabAction::kCloseScenario, kLine, LabAction::kExportPng,
                    LabAction::kExportSvg, kLine, LabAction::kQuit});
  add(tr("&Edit"), {LabAction::kUndo, LabAction::kRedo, kLine, LabAction::kResetValues});
  QMenu* view = add(tr("&View"),
                    {LabAction::kZoomIn, LabAction::kZoomOut, LabAction::kFitSelection, LabAction::kFitAll,
                     LabAction::kUndoZoom, LabAction::kBusiestFirst, LabAction::kAllRows, LabAction::kFollow, kLine});
  int key = 1;
  for (QDockWidget* dock : docks()) {
    QAction* toggle = dock->toggleViewAction();
    toggle->setText(tr("Panel %1").arg(dock->windowTitle()));
    toggle->setShortcut(QKeySequence(QStringLiteral("Alt+%1").arg(key++)));
    view->addAction(toggle);
  }
  view->addSeparator();
  for (const LabAction theme : {LabAction::kLight, LabAction::kDark, LabAction::kSystem})
    view->addAction(action(theme));
  view->addSeparator();
  view->addAction(action(LabAction::kResetLayout));
  add(tr("&Go"), {LabAction::kNextIncident, LabAction::kPreviousIncident, kLine, LabAction::kNextEvent,
                  LabAction::kPreviousEvent, kLine, LabAction::kSearch, LabAction::kFilter});
  add(tr("&Run"),
      {LabAction::kRun, LabAction::kRestart, LabAction::kToEnd, LabAction::kStop, kLine, LabAction::kStep,
       LabAction::kStepBack, LabAction::kStepTen, LabAction::kStepBackTen, kLine, LabAction::kFork, kLine,
       LabAction::kSpeed01, LabAction::kSpeed1, LabAction::kSpeed10, LabAction::kSpeedMax, kLine, LabAction::kNewSeed});
  add(tr("&Help"), {LabAction::kHelp, LabAction::kKeys, kLine, LabAction::kAbout});
}

QMenu* MainWindow::createPopupMenu() { return nullptr; }  // the View menu has it all, with keys

void MainWindow::open(const QString& nameOrPath) {
  if (!lab_.open(nameOrPath)) return;
  if (!lab_.source().builtIn) list_->addFile(nameOrPath, lab_.scenario());
  scenarios_->setCurrent(fromText(lab_.source().name));
  if (!lab_.values().live()) lab_.runOrPause();
}

void MainWindow::loadTitle() {
  QString title = tr("Leasescope");
  if (const Scenario* scenario = lab_.runScenario()) {
    const std::string& store = lab_.runStore();
    const QString world = store == "model" ? tr("virtual world") : tr("live %1").arg(fromText(shownStore(store)));
    title = QStringLiteral("%1 · %2").arg(fromText(scenario->name), world);
    if (lab_.courses().size() > 1) title += QStringLiteral(" · %1").arg(TransportBar::nameOf(lab_.courses()).toLower());
  }
  setWindowTitle(title);
  document_->setText(lab_.runScenario() ? title : QString());
  document_->adjustSize();
  placeDocument();
}

void MainWindow::placeDocument() {
  // Centred in the window; out of the way of the menus when it is narrow.
  const int menus = menuBar()->actionGeometry(menuBar()->actions().last()).right() + 16;
  document_->move(std::max(menus, (width() - document_->width()) / 2), (menuBar()->height() - document_->height()) / 2);
}

void MainWindow::loadActions() {
  const RunState state = lab_.state();
  const bool open = lab_.hasScenario(), live = lab_.values().live(), preparing = state == RunState::kPreparing;
  const bool running = state == RunState::kRunning;
  const auto enable = [this](LabAction which, bool on) { action(which)->setEnabled(on); };
  enable(LabAction::kCloseScenario, open);
  enable(LabAction::kExportPng, lab_.history() && !lab_.history()->events.empty());
  enable(LabAction::kExportSvg, lab_.history() && !lab_.history()->events.empty());
  enable(LabAction::kRun, open && !preparing && !(running && lab_.live()));
  enable(LabAction::kRestart, open && !(running && lab_.live()));
  enable(LabAction::kToEnd, open && !live && !lab_.live() && state != RunState::kFinished);
  enable(LabAction::kStop, running || preparing || state == RunState::kPaused || state == RunState::kPlaying);
  action(LabAction::kStop)->setText(preparing ? tr("Cancel the s&tart") : tr("S&top here"));
  action(LabAction::kStop)->setToolTip(withKey(*action(LabAction::kStop)));
  enable(LabAction::kNewSeed, open);
  enable(LabAction::kResetValues, open && lab_.values().changed());
  for (const LabAction speed : {LabAction::kSpeed01, LabAction::kSpeed1, LabAction::kSpeed10, LabAction::kSpeedMax})
    enable(speed, !live);
  for (const LabAction which :
       {LabAction::kZoomIn, LabAction::kZoomOut, LabAction::kFitSelection, LabAction::kFitAll, LabAction::kUndoZoom,
        LabAction::kBusiestFirst, LabAction::kAllRows, LabAction::kFollow})
    enable(which, open);
  const bool incidents = lab_.history() && !lab_.history()->incidents.empty();
  enable(LabAction::kNextIncident, incidents);
  enable(LabAction::kPreviousIncident, incidents);
  enable(LabAction::kNextEvent, open);
  enable(LabAction::kPreviousEvent, open);
  loadTravel();
  action(LabAction::kSpeed01)->setChecked(lab_.speed() == 100);
  action(LabAction::kSpeed1)->setChecked(lab_.speed() == 1000);
  action(LabAction::kSpeed10)->setChecked(lab_.speed() == 10000);
  action(LabAction::kSpeedMax)->setChecked(lab_.speed() == 0);
}

// What hangs on the playhead. What is off says why.
void MainWindow::loadTravel() {
  const auto load = [this](LabAction which, const QString& why) {
    QAction& travel = *action(which);
    const QString tip = why.isEmpty() ? withKey(travel) : QStringLiteral("%1: %2").arg(withKey(travel), why);
    // An action that is told what it is already makes its buttons anew.
    if (travel.isEnabled() != why.isEmpty()) travel.setEnabled(why.isEmpty());
    if (travel.toolTip() != tip) travel.setToolTip(tip);
  };
  const QString back = lab_.whyNoStepBack(), forth = lab_.whyNoStepForward();
  load(LabAction::kStepBack, back);
  load(LabAction::kStepBackTen, back);
  load(LabAction::kStep, forth);
  load(LabAction::kStepTen, forth);
  load(LabAction::kFork, lab_.whyNoFork());
}

void MainWindow::remember() const {
  QSettings settings;
  settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
  settings.setValue(QStringLiteral("window/state"), saveState(kLayoutVersion));
  settings.setValue(QStringLiteral("window/compact"), compact_);
  settings.setValue(QStringLiteral("window/theme"), word(Look::instance().choice()));
  settings.setValue(QStringLiteral("lab/speed"), lab_.speed());
  settings.setValue(QStringLiteral("lab/tab"), results_->tabs()->currentIndex());
  // A store may name a password; it is never written down.
  settings.setValue(QStringLiteral("lab/scenario"), fromText(lab_.source().name));
}

void MainWindow::restore() {
  const QSettings settings;
  const bool known = restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray());
  if (!known) resize(QSize(1440, 900).boundedTo(roomOnScreen()));
  const bool wasCompact = settings.value(QStringLiteral("window/compact"), isSmall(size())).toBool();
  setCompact(wasCompact);
  const QByteArray sound = saveState(kLayoutVersion);  // a failed restore leaves Qt's own books half written
  laidOut_ = restoreState(settings.value(QStringLiteral("window/state")).toByteArray(), kLayoutVersion) &&
             everyPanelIsReachable();
  if (!laidOut_) {
    restoreState(sound, kLayoutVersion);
    layOut();
  }
  lab_.setSpeed(settings.value(QStringLiteral("lab/speed"), 0).toInt());
  results_->showTab(std::clamp(settings.value(QStringLiteral("lab/tab"), 0).toInt(), 0, 2));
}

QString MainWindow::lastScenario() {
  return QSettings().value(QStringLiteral("lab/scenario"), QStringLiteral("gc-pause")).toString();
}

QString MainWindow::rememberedTheme() {
  return QSettings().value(QStringLiteral("window/theme"), QStringLiteral("system")).toString();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  remember();
  if (lab_.state() == RunState::kPreparing) lab_.stop();
  event->accept();
}

void MainWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  placeDocument();
  const bool compact = isSmall(size());
  if (isVisible() && compact != compact_) setCompact(compact);
}

void MainWindow::showEvent(QShowEvent* event) {
  QMainWindow::showEvent(event);
  // Sizes of docks hold only once the window has its own.
  if (compact_ != isSmall(size()))
    setCompact(!compact_);
  else if (!laidOut_)
    sizeDocks();
  if (!laidOut_) showLegendWhereThereIsRoom();
  if (laidOut_) QTimer::singleShot(0, this, &MainWindow::mendSizes);
  QTimer::singleShot(1000, prospects_, &Prospects::begin);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  const auto urls = event->mimeData()->urls();
  if (!urls.isEmpty() && urls.front().isLocalFile()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const auto urls = event->mimeData()->urls();
  if (!urls.isEmpty() && urls.front().isLocalFile()) open(urls.front().toLocalFile());
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
  // Space runs and pauses, wherever the focus has fallen; only a switch is thrown by it. A button is pressed by Enter.
  auto* button = qobject_cast<QAbstractButton*>(watched);
  const bool ours = button && (button->window() == this || button->window()->parentWidget() == this);  // or floats
  if (ours) {
    const bool key = event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress;
    const int which = key ? static_cast<QKeyEvent*>(event)->key() : 0;
    const bool thrown = button->isCheckable() && !qobject_cast<QToolButton*>(button);
    if (event->type() == QEvent::ShortcutOverride && which == Qt::Key_Space && thrown) {
      event->accept();
      return true;
    }
    if (event->type() == QEvent::KeyPress && (which == Qt::Key_Return || which == Qt::Key_Enter) && !thrown) {
      button->click();
      return true;
    }
  }
  return QMainWindow::eventFilter(watched, event);
}

}  // namespace leasescope
