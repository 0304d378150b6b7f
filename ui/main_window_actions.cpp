// What the window's actions do, and what the Lab's signals change in the window.
#include <QCoreApplication>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QTimer>

#include "ui/lab/cursor_panel.h"
#include "ui/lab/key_sheet.h"
#include "ui/lab/lab_view.h"
#include "ui/lab/results_panel.h"
#include "ui/lab/scenario_panel.h"
#include "ui/lab/summary_bar.h"
#include "ui/lab/transport_bar.h"
#include "ui/main_window.h"

#include <utility>
#include "ui/models/words.h"
#include "ui/theme/look.h"
#include "ui/timeline/timeline_view.h"

namespace leasescope {

void MainWindow::connectActions() {
  const auto on = [this](LabAction which, auto act) { connect(action(which), &QAction::triggered, this, act); };
  TimelineView* chart = view_->timeline();
  on(LabAction::kOpenFile, [this] { openFile(); });
  on(LabAction::kCloseScenario, [this] {
    lab_.closeScenario();
    scenarios_->setCurrent({});
  });
  on(LabAction::kExportPng, [this] { exportChart(QStringLiteral("png")); });
  on(LabAction::kExportSvg, [this] { exportChart(QStringLiteral("svg")); });
  on(LabAction::kQuit, [this] { close(); });
  on(LabAction::kUndo, [this] { lab_.undoLast(); });
  on(LabAction::kRedo, [this] { lab_.redoLast(); });
  on(LabAction::kResetValues, [this] { lab_.resetValues(); });
  on(LabAction::kZoomIn, [chart] { chart->zoomIn(); });
  on(LabAction::kZoomOut, [chart] { chart->zoomOut(); });
  on(LabAction::kFitSelection, [chart] { chart->fitSelection(); });
  on(LabAction::kFitAll, [chart] { chart->fitAll(true); });
  on(LabAction::kUndoZoom, [chart] { chart->undoZoom(); });
  const auto chooseRows = [this, chart] {
    chart->setRowChoice({action(LabAction::kBusiestFirst)->isChecked(), action(LabAction::kAllRows)->isChecked()});
  };
  connect(action(LabAction::kBusiestFirst), &QAction::toggled, chart, chooseRows);
  connect(action(LabAction::kAllRows), &QAction::toggled, chart, chooseRows);
  connect(chart, &TimelineView::rowChoiceChanged, this, [this](bool byRelevance, bool unfolded) {
    action(LabAction::kBusiestFirst)->setChecked(byRelevance);
    action(LabAction::kAllRows)->setChecked(unfolded);
  });
  connect(action(LabAction::kFollow), &QAction::toggled, chart, &TimelineView::setFollow);
  connect(chart, &TimelineView::followChanged, action(LabAction::kFollow), &QAction::setChecked);
  action(LabAction::kFollow)->setChecked(chart->follows());
  on(LabAction::kLight, [] { Look::instance().choose(ThemeChoice::kLight); });
  on(LabAction::kDark, [] { Look::instance().choose(ThemeChoice::kDark); });
  on(LabAction::kSystem, [] { Look::instance().choose(ThemeChoice::kSystem); });
  const auto checkTheme = [this] {
    const ThemeChoice choice = Look::instance().choice();
    action(LabAction::kLight)->setChecked(choice == ThemeChoice::kLight);
    action(LabAction::kDark)->setChecked(choice == ThemeChoice::kDark);
    action(LabAction::kSystem)->setChecked(choice == ThemeChoice::kSystem);
  };
  connect(&Look::instance(), &Look::changed, this, checkTheme);
  checkTheme();
  on(LabAction::kResetLayout, [this] { layOut(); });
  on(LabAction::kNextIncident, [chart] { chart->goToIncident(1); });
  on(LabAction::kPreviousIncident, [chart] { chart->goToIncident(-1); });
  on(LabAction::kNextEvent, [chart] { chart->goToEvent(1); });
  on(LabAction::kPreviousEvent, [chart] { chart->goToEvent(-1); });
  const auto search = [this] {
    scenarioDock_->show();
    scenarios_->focusSearch();
  };
  on(LabAction::kSearch, search);
  connect(showScenarios_, &QAction::triggered, this, [this, search] {
    if (scenarioDock_->isVisible()) return scenarioDock_->hide();
    search();
  });
  on(LabAction::kRun, [this] { lab_.runOrPause(); });
  on(LabAction::kRestart, [this] { lab_.restart(); });
  on(LabAction::kStep, [this] { lab_.step(); });
  on(LabAction::kStepBack, [this] { lab_.stepBack(); });
  on(LabAction::kStepTen, [this] { lab_.stepForward(10); });
  on(LabAction::kStepBackTen, [this] { lab_.stepBack(10); });
  on(LabAction::kFork, [this] { lab_.forkHere(); });
  on(LabAction::kToEnd, [this] { lab_.runToEnd(); });
  on(LabAction::kStop, [this] { lab_.stop(); });
  on(LabAction::kSpeed01, [this] { lab_.setSpeed(100); });
  on(LabAction::kSpeed1, [this] { lab_.setSpeed(1000); });
  on(LabAction::kSpeed10, [this] { lab_.setSpeed(10000); });
  on(LabAction::kSpeedMax, [this] { lab_.setSpeed(0); });
  on(LabAction::kNewSeed, [this] {
    lab_.rollSeed();
    if (!lab_.values().live()) lab_.restart();
  });
  on(LabAction::kKeys, [this] {
    if (!keys_) keys_ = new KeySheet(actions_->keys(), this);
    keys_->toggle();
  });
  on(LabAction::kFilter, [this] {
    resultsDock_->show();
    results_->focusFilter();
  });
  on(LabAction::kHelp, [this] { help(); });
  on(LabAction::kAbout, [this] { about(); });
}

void MainWindow::connectLab() {
  connect(scenarios_, &ScenarioPanel::chosen, this, [this](const QString& source) {
    open(source);
    if (compact_) scenarioDock_->hide();
  });
  connect(&lab_, &LabController::stateChanged, this, &MainWindow::loadActions);
  connect(&lab_, &LabController::settled, this, &MainWindow::loadActions);
  connect(&lab_, &LabController::valuesChanged, this, &MainWindow::loadActions);
  connect(&lab_, &LabController::playheadMoved, this, &MainWindow::loadTravel);
  connect(&lab_, &LabController::runReset, this, &MainWindow::loadTitle);
  connect(&lab_, &LabController::told, summary_, &SummaryBar::tell);
  connect(transport_->scrubber(), &Scrubber::incidentWanted, view_->timeline(), &TimelineView::goToIncident);
  connect(&lab_, &LabController::runReset, this, [this] {
    // The first scenario says how much room its rows take; later ones leave the reader's sizes alone.
    if (!laidOut_ && lab_.hasScenario() && isVisible()) {
      laidOut_ = true;
      QTimer::singleShot(0, this, &MainWindow::sizeDocks);  // when the panels know their new heights
      awaited_ = true;
    }
  });
  // Some rows are known only when the run has shown that there are any: a queue, several stores, transfers.
  connect(&lab_, &LabController::finished, this, [this] {
    if (std::exchange(awaited_, false)) QTimer::singleShot(0, this, &MainWindow::sizeAnew);
  });
  const QUndoStack& undo = lab_.undo();
  const auto loadUndo = [this, &undo] {
    action(LabAction::kUndo)->setEnabled(undo.canUndo());
    action(LabAction::kRedo)->setEnabled(undo.canRedo());
    action(LabAction::kUndo)->setText(undo.canUndo() ? tr("&Undo %1").arg(undo.undoText()) : tr("&Undo"));
    action(LabAction::kRedo)->setText(undo.canRedo() ? tr("&Redo %1").arg(undo.redoText()) : tr("&Redo"));
  };
  connect(&undo, &QUndoStack::indexChanged, this, loadUndo);
  loadUndo();
  TimelineView* chart = view_->timeline();
  connect(chart, &TimelineView::cursorMoved, cursor_, &CursorPanel::setTime);
  connect(chart, &TimelineView::incidentClicked, this, [this](int index) {
    if (index != lab_.selectedIncident()) lab_.selectIncident(index);
  });
  // While the run goes on the newest moment is what a reader looks at.
  connect(&lab_, &LabController::settled, this, [this] {
    if (lab_.selectedIncident() < 0) cursor_->setTime(lab_.playhead());
  });
  // A run that went wrong tells at once what was worst; the chart stays where it is.
  connect(&lab_, &LabController::finished, this, [this] {
    if (lab_.selectedIncident() < 0) lab_.selectIncident(results_->incidents()->worst());
  });
  connect(results_, &ResultsPanel::timeChosen, this, [chart](TrueTime at) {
    chart->setFollow(false);
    chart->centreOn(at, at);
    chart->setCursorTime(at);
  });
  connect(results_, &ResultsPanel::incidentChosen, view_, &LabView::showIncident);
  connect(results_, &ResultsPanel::contenderChosen, this, [chart](int place) { chart->showRows({place}); });
}

void MainWindow::openFile() {
  const QString path = QFileDialog::getOpenFileName(this, tr("Open a scenario"), QString(), tr("Scenarios (*.toml)"));
  if (!path.isEmpty()) open(path);
}

void MainWindow::exportChart(const QString& ending) {
  const QString name = QStringLiteral("%1.%2").arg(fromText(lab_.runScenario()->name), ending);
  const QString path = QFileDialog::getSaveFileName(this, tr("Export the chart"), name, QStringLiteral("*.") + ending);
  if (path.isEmpty()) return;
  QString error;
  if (view_->exportChart(path, &error)) return;
  Problem p;
  p.title = tr("%1 was not written").arg(QFileInfo(path).fileName());
  p.message = error;
  emit lab_.problem(p);
}

// Where there is room for it beside the chart it stays; the same key puts it away.
void MainWindow::help() {
  if (legendDock_->isVisible() && !legendDock_->visibleRegion().isEmpty()) return legendDock_->hide();
  const int width = resultsDock_->width();
  legendDock_->show();
  legendDock_->raise();
  if (!legendDock_->isFloating()) shareWithLegend(width);
}

void MainWindow::about() {
  auto* box = new QMessageBox(
      QMessageBox::NoIcon, tr("About Leasescope"),
      tr("<b>Leasescope</b> %1<br><br>It makes distributed mutexes visible: it runs the real contention protocols, in "
         "virtual time and against real stores, and draws who believed and who held.<br><br>Made with Qt %2.")
          .arg(QCoreApplication::applicationVersion().toHtmlEscaped(), QString::fromLatin1(qVersion())),
      QMessageBox::Close, this);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setModal(false);
  box->show();
}

}  // namespace leasescope
