#include "ui/lab/lab_perspective.h"

#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QTimer>
#include <utility>

#include "ui/lab/fault_tool.h"
#include "ui/lab/paired_runs.h"
#include "ui/lab/plan_lane.h"
#include "ui/lab/prospects.h"
#include "ui/lab/run_saver.h"
#include "ui/lab/scenario_panel.h"
#include "ui/lab/text_panel.h"
#include "ui/lab/transport_bar.h"
#include "ui/lab/values_panel.h"
#include "ui/models/words.h"
#include "ui/panels/empty_page.h"
#include "ui/panels/preparation_box.h"
#include "ui/panels/timeline_page.h"
#include "ui/timeline/timeline_view.h"

namespace leasescope {

LabPerspective::LabPerspective(WindowActions& frame, QWidget* parent)
    : SessionPerspective(lab_, QStringLiteral("lab"), tr("Lab"), parent) {
  list_ = new ScenarioListModel(this);
  list_->addBuiltIns();
  actions_ = new LabActions(labActionSpecs(), this);
  actions_->tell({ActionTable::tr("Run"), QStringLiteral("Esc"), tr("Cancel the start of a store")});
  actions_->tell({ActionTable::tr("View"), QStringLiteral("Alt+8"), tr("Show or hide the text")});
  actions_->tell(
      {ActionTable::tr("Chart"), tr("drag on the plan"), tr("Add a fault, move it, or stretch it by its edge")});
  actions_->tell(
      {ActionTable::tr("Chart"), QStringLiteral("Left Right"), tr("On the plan: move the fault; with Shift its end")});
  actions_->tell({ActionTable::tr("Chart"), QStringLiteral("Ins Del"), tr("On the plan: add a fault, remove it")});
  actions_->tell({ActionTable::tr("Chart"), tr("drag with the fault tool"),
                  tr("Add a fault of whose row it is, from event to event; with Alt anywhere")});
  actions_->tell({ActionTable::tr("Chart"), QStringLiteral("K Shift+K"),
                  tr("With the fault tool: another kind that fits the row")});
  actions_->tell({ActionTable::tr("Chart"), QStringLiteral("Up Down Left Right"),
                  tr("With the fault tool: the row, the begin; with Shift the end; Enter adds it")});
  actions_->tell({ActionTable::tr("Chart"), QStringLiteral("S"), tr("With the fault tool: the store, or a contender")});
  actions_->tell({ActionTable::tr("Edit"), QStringLiteral("Up Down"), tr("In a field: more, less")});
  transport_ =
      new TransportBar(lab_, {action(LabAction::kRestart), action(LabAction::kStepBack), action(LabAction::kRun),
                              action(LabAction::kStep), action(LabAction::kToEnd), action(LabAction::kStop),
                              action(LabAction::kNewSeed), action(LabAction::kFork)});
  scenarios_ = new ScenarioPanel(list_);
  values_ = new ValuesPanel(lab_, action(LabAction::kRestart), action(LabAction::kFork), action(LabAction::kAddFault));
  auto* empty = new EmptyPage(tr("No scenario is open"),
                              tr("Pick one of %1 from the list, or drop a TOML file here.").arg(list_->rowCount()));
  connect(empty->addButton(tr("Open gc-pause")), &QPushButton::clicked, this,
          [this] { open(QStringLiteral("gc-pause")); });
  empty->addButton(tr("Open file…"), frame[WindowAction::kOpenFile]);
  build({tr("Scenarios"), tr("Choose a scenario at the left; Space runs and pauses it."), scenarios_, empty,
         tr("Scenario values"), tr("Values"), values_});
  text_ = new TextPanel(lab_.document());
  textDock_ = addDock(QStringLiteral("labTextDock"), tr("TOML"), text_, Qt::BottomDockWidgetArea);
  textDock_->setTitleBarWidget(new DockTitle(textDock_, tr("Scenario as TOML")));
  planLane_ = new PlanLane(lab_, view()->timeline());
  view()->addLane(planLane_);
  connect(planLane_, &PlanLane::chosen, this, [this](int row) { values_->plan()->showRow(row); });
  connect(values_->plan(), &FaultPlanForm::rowOpened, planLane_, &PlanLane::select);
  faultTool_ = new FaultTool(lab_, view()->timeline(), planLane_);
  layOut();
  preparation_ = new PreparationBox(lab_, action(LabAction::kStop), view()->place());
  prospects_ = new Prospects(lab_, list_, this);
  saver_ = new RunSaver(lab_, this);
  const auto count = [this] { setListNote(countText(static_cast<std::uint64_t>(list_->rowCount()))); };
  connect(list_, &ScenarioListModel::rowsInserted, this, count);
  count();
  connectActions();
  connectPairs();
  connectFiles();
  connectText();
  connectLab();
  loadActions();
}

LabPerspective::~LabPerspective() {
  lab_.document().undo().disconnect();
  lab_.document().disconnect();
  lab_.disconnect();
}

QWidget* LabPerspective::tools() { return transport_; }

std::vector<ActionTable*> LabPerspective::actionTables() {
  std::vector<ActionTable*> out = SessionPerspective::actionTables();
  out.push_back(actions_);
  return out;
}

QString LabPerspective::document() const {
  const Scenario* scenario = lab_.runScenario();
  if (scenario == nullptr) return {};
  const std::string& store = lab_.runStore();
  const QString world = store == "model" ? tr("virtual world") : tr("live %1").arg(fromText(shownStore(store)));
  QString title = QStringLiteral("%1 · %2").arg(fromText(scenario->name), world);
  if (lab_.courses().size() > 1) title += QStringLiteral(" · %1").arg(TransportBar::nameOf(lab_.courses()).toLower());
  return title;
}

// Whatever is no other's is a scenario, and if not so the Lab says what is wrong with it.
bool LabPerspective::takes(const QString& /*path*/, const QByteArray& /*begin*/) const { return true; }

QStringList LabPerspective::fileFilters() const { return {tr("Scenarios (*.toml)")}; }

void LabPerspective::open(const QString& nameOrPath) {
  if (mayLeave()) openSource(nameOrPath);
}

void LabPerspective::openSource(const QString& nameOrPath) {
  if (!lab_.open(nameOrPath)) return;
  if (!lab_.source().builtIn) {
    list_->addFile(nameOrPath, lab_.scenario());
    noteRecent(nameOrPath);
  }
  scenarios_->setCurrent(fromText(lab_.source().name));
  if (!lab_.values().live()) lab_.runOrPause();
}

void LabPerspective::remember(QSettings& settings) const {
  SessionPerspective::remember(settings);
  settings.setValue(QStringLiteral("lab/speed"), lab_.speed());
  // A store may name a password; it is never written down.
  if (lab_.source().written) settings.setValue(QStringLiteral("lab/scenario"), fromText(lab_.source().name));
}

void LabPerspective::restore(const QSettings& settings) {
  SessionPerspective::restore(settings);
  lab_.setSpeed(settings.value(QStringLiteral("lab/speed"), 0).toInt());
}

// The text lies beside the tables when it is wanted.
void LabPerspective::layOut() {
  SessionPerspective::layOut();
  if (textDock_ == nullptr) return;
  splitDockWidget(resultsDock(), textDock_, Qt::Horizontal);
  textDock_->hide();
}

void LabPerspective::letGo() {
  SessionPerspective::letGo();
  if (lab_.state() == RunState::kPreparing) lab_.stop();
  pairs_->cancel();
}

QString LabPerspective::lastScenario() {
  return QSettings().value(QStringLiteral("lab/scenario"), QStringLiteral("gc-pause")).toString();
}

void LabPerspective::setCompact(bool compact) {
  SessionPerspective::setCompact(compact);
  transport_->setCompact(compact);
  values_->setCompact(compact);
}

void LabPerspective::searchList() { scenarios_->focusSearch(); }

void LabPerspective::showEvent(QShowEvent* event) {
  SessionPerspective::showEvent(event);
  QTimer::singleShot(1000, prospects_, &Prospects::begin);
}

void LabPerspective::connectActions() {
  const auto on = [this](LabAction which, auto act) { connect(action(which), &QAction::triggered, this, act); };
  on(LabAction::kSaveRecording, [this] { saveRecording(); });
  on(LabAction::kCompareRun, [this] { compareRun(); });
  on(LabAction::kUndo, [this] { text_->flush(); });  // what is being typed is the first to be undone
  offerUndo(*action(LabAction::kUndo), *action(LabAction::kRedo));
  on(LabAction::kResetValues, [this] { lab_.resetValues(); });
  on(LabAction::kRun, [this] { lab_.runOrPause(); });
  on(LabAction::kRestart, [this] { lab_.restart(); });
  on(LabAction::kStep, [this] { lab_.step(); });
  on(LabAction::kStepBack, [this] { lab_.stepBack(); });
  on(LabAction::kStepTen, [this] { lab_.stepForward(10); });
  on(LabAction::kStepBackTen, [this] { lab_.stepBack(10); });
  on(LabAction::kFork, [this] { lab_.forkHere(); });
  on(LabAction::kFaultTool, [this] { faultTool_->take(action(LabAction::kFaultTool)->isChecked()); });
  connect(faultTool_, &FaultTool::taken, action(LabAction::kFaultTool), &QAction::setChecked);
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
}

void LabPerspective::connectLab() {
  connect(scenarios_, &ScenarioPanel::chosen, this, [this](const QString& source) {
    open(source);
    if (compact()) listDock()->hide();
  });
  // Another one's notes are another's; the same one opened anew has them still.
  connect(&lab_, &LabController::scenarioChanged, this, [this] { notebook().turnTo(fromText(lab_.source().name)); });
  connect(&lab_, &LabController::valuesChanged, this, [this] { loadActions(); });
  connect(&lab_, &LabController::playheadMoved, this, &LabPerspective::loadTravel);
  connect(transport_->scrubber(), &Scrubber::incidentWanted, view()->timeline(), &TimelineView::goToIncident);
  connect(saver_, &RunSaver::saved, this, [this](const QString& path) {
    if (path == std::exchange(toCompare_, QString())) return emit opensIn(QStringLiteral("compare"), path);
    notebook().saveBeside(path);
    emit lab_.told(tr("Saved to %1").arg(QFileInfo(path).fileName()));
    emit wrote(path);
  });
  connect(saver_, &RunSaver::failed, this, [this](const QString& path, const QString& why) {
    Problem p;
    p.title = tr("%1 was not written").arg(QFileInfo(path).fileName());
    p.message = why;
    emit lab_.problem(p);
  });
}

void LabPerspective::saveRecording() {
  if (const QString why = saver_->whyNot(); !why.isEmpty()) return emit lab_.told(tr("Not saved: %1").arg(why));
  const QString name = fromText(lab_.runScenario()->name) + QStringLiteral(".recording");
  const QString path =
      QFileDialog::getSaveFileName(this, tr("Save the run as a recording"), name, tr("Recordings (*.recording)"));
  if (!path.isEmpty()) saver_->save(path);
}

// As it is now, beside another: it is kept in a file of its own, which goes with the window.
void LabPerspective::compareRun() {
  if (const QString why = saver_->whyNot(); !why.isEmpty()) return emit lab_.told(tr("Not compared: %1").arg(why));
  const Scenario& run = *lab_.runScenario();
  toCompare_ = pathToCompare(tr("%1, seed %2").arg(fromText(run.name)).arg(run.seed));
  saver_->save(toCompare_);
}

// Where nothing lies yet.
QString LabPerspective::pathToCompare(const QString& name) {
  if (!comparedRuns_) comparedRuns_ = std::make_unique<QTemporaryDir>();
  const QString stem = QString(name).replace(u'/', u'-');
  QString path = comparedRuns_->filePath(stem + QStringLiteral(".recording"));
  for (int i = 2; QFileInfo::exists(path); ++i)
    path = comparedRuns_->filePath(QStringLiteral("%1 (%2).recording").arg(stem).arg(i));
  return path;
}

void LabPerspective::loadActions() {
  SessionPerspective::loadActions();
  const RunState state = lab_.state();
  const bool open = lab_.hasScenario(), live = lab_.values().live(), preparing = state == RunState::kPreparing;
  const bool running = state == RunState::kRunning;
  const auto enable = [this](LabAction which, bool on) { action(which)->setEnabled(on); };
  enable(LabAction::kCloseScenario, open);
  enable(LabAction::kRun, open && !preparing && !(running && lab_.live()));
  enable(LabAction::kRestart, open && !(running && lab_.live()));
  enable(LabAction::kToEnd, open && !live && !lab_.live() && state != RunState::kFinished);
  enable(LabAction::kStop, running || preparing || state == RunState::kPaused || state == RunState::kPlaying);
  action(LabAction::kStop)->setText(preparing ? tr("Cancel the s&tart") : tr("S&top here"));
  action(LabAction::kStop)->setToolTip(withKey(*action(LabAction::kStop)));
  for (const LabAction which : {LabAction::kNewSeed, LabAction::kBothWorlds, LabAction::kTwoSeeds,
                                LabAction::kTwoSettings, LabAction::kForkAndOrigin})
    enable(which, open);
  const bool some = lab_.history() && !lab_.history()->events.empty() && !running;
  enable(LabAction::kSaveRecording, some);
  enable(LabAction::kCompareRun, some);
  enable(LabAction::kResetValues, lab_.document().modified());
  for (const LabAction which :
       {LabAction::kSaveScenario, LabAction::kSaveScenarioAs, LabAction::kAddFault, LabAction::kFaultTool,
        LabAction::kCopyToml, LabAction::kCopyCommand, LabAction::kCopySpring})
    enable(which, open);
  enable(LabAction::kGoToError, lab_.document().error().has_value());
  for (const LabAction speed : {LabAction::kSpeed01, LabAction::kSpeed1, LabAction::kSpeed10, LabAction::kSpeedMax})
    enable(speed, !live);
  loadTravel();
  action(LabAction::kSpeed01)->setChecked(lab_.speed() == 100);
  action(LabAction::kSpeed1)->setChecked(lab_.speed() == 1000);
  action(LabAction::kSpeed10)->setChecked(lab_.speed() == 10000);
  action(LabAction::kSpeedMax)->setChecked(lab_.speed() == 0);
}

// What hangs on the playhead. What is off says why.
void LabPerspective::loadTravel() {
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

}  // namespace leasescope
