#include "ui/lab/lab_controller.h"

#include <QRandomGenerator>

#include <fmt/format.h>

#include "core/time/wide.h"

#include "core/store/types/types.h"
#include "simulator/run/recorded_run.h"
#include "simulator/scenario/differences.h"
#include "simulator/scenario/scenario_text.h"
#include "ui/lab/live_driver.h"
#include "ui/lab/virtual_driver.h"
#include "ui/models/words.h"

namespace leasescope {

LabController::LabController(QObject* parent) : Session(parent) {
  settle_.setInterval(100);
  settle_.setSingleShot(true);
  connect(&settle_, &QTimer::timeout, this, &LabController::settled);
  playTimer_.setInterval(16);
  connect(&playTimer_, &QTimer::timeout, this, &LabController::playFrame);
  connect(&document_, &ScenarioDocument::valuesChanged, this, &LabController::onEdited);
  connect(&document_, &ScenarioDocument::commentsLost, this,
          [this] { emit told(tr("The text was written anew, without its comments; undo brings them back")); });
}

LabController::~LabController() = default;

Problem LabController::loadProblem(const InputError& error, const LabSource* source) const {
  Problem p;
  const QString file = fromText(error.file);
  p.title = tr("%1 was not loaded").arg(file.section(u'/', -1));
  p.message = fromText(error.message);
  p.line = error.line;
  p.column = error.column;
  p.remains = driver_ ? tr("The run on the screen is still the previous one.") : QString();
  if (source && error.line > 0) {
    const QStringList lines = fromText(source->toml).split(u'\n');
    p.excerptFrom = std::max(1, error.line - 2);
    p.excerpt = lines.mid(p.excerptFrom - 1, 5);
  }
  return p;
}

bool LabController::open(const QString& nameOrPath) {
  const auto source = findSource(nameOrPath.toStdString());
  if (!source) {
    emit problem(loadProblem(source.error(), nullptr));
    return false;
  }
  if (const auto done = openSource(*source); !done) {
    emit problem(loadProblem(done.error(), &*source));
    return false;
  }
  return true;
}

void LabController::openNew() { (void)openSource(newSource()); }

void LabController::run(const LabSource& source, std::vector<Course> courses) {
  showing_ = true;
  // Where a file has an error that only the edited text is without, that text is all there is.
  if (!document_.open(source))
    (void)document_.open({source.name, courses.front().values.toml.toStdString(), source.builtIn, source.written});
  document_.take(courses.back().values);
  showing_ = false;
  known_.clear();
  startRun(std::move(courses));
  runOrPause();
}

tl::expected<void, InputError> LabController::openSource(const LabSource& source) {
  if (auto done = document_.open(source); !done) return done;
  known_.clear();
  emit problem({});
  emit scenarioChanged();
  newRun();
  return {};
}

void LabController::closeScenario() {
  settle_.stop();
  letGo();
  runScenario_.reset();
  courses_.clear();
  known_.clear();
  document_.close();
  recast(Cast());
  setState(RunState::kEmpty);
  emit scenarioChanged();
  emit runReset();
  emit incidentSelected(-1);
}

RunFacts LabController::facts() const {
  return run_facts(*runScenario_, runValues_.live() ? "live" : "virtual",
                   runValues_.live() ? shownStore(runValues_.store) : std::string());
}

QString LabController::whereText() const {
  return runValues_.live() ? tr("live %1").arg(fromText(shownStore(runValues_.store)))
                           : tr("model %1").arg(fromText(runScenario_->store.model));
}

const Scenario* LabController::repeatable() const {
  const bool whole = driver_ && driver_->virtualTime() && courses_.size() == 1 && now() >= TrueTime{} + length();
  return whole ? runScenario_.get() : nullptr;
}

HistoryHeader LabController::header() const {
  const auto first = readScenario(source(), courses_.front().values);
  HistoryHeader out = history_header(first ? *first : *runScenario_, driver_->outcome(), TrueTime::max());
  out.epoch_ns = driver_->epoch();
  if (courses_.size() > 1) out.fork = {courses_.back().from.time_since_epoch().count(), scenario_text(*runScenario_)};
  return out;
}

// Comments may have changed, and what they are about may have been written otherwise.
bool LabController::stale() const {
  if (!driver_ || !hasScenario() || values() == runValues_) return false;
  return values().store != runValues_.store || !same_run(scenario(), *runScenario_);
}

void LabController::onEdited() {
  if (showing_) return;
  emit valuesChanged();
  // A run that has not begun is simply the new one; the store that was started for it goes.
  const bool prepared = state_ == RunState::kPreparing;
  if (state_ == RunState::kReady || prepared) newRun();
  if (prepared) emit told(tr("The run had not begun: run it with these values"));
}

void LabController::setFault(int row, bool on) {
  if (hasScenario() && static_cast<std::size_t>(row) < scenario().faults.size())
    (void)edit(fmt::format("fault.{}.enabled", row), on ? "true" : "false");
}

tl::expected<void, QString> LabController::setStore(const std::string& store) {
  if (store != "model")
    if (const auto url = parse_store_url(store); !url)
      return tl::make_unexpected(tr("%1, or model").arg(fromText(url.error())));
  document_.setStore(store, tr("store %1").arg(fromText(shownStore(store))));
  return {};
}

void LabController::rollSeed() {
  if (!hasScenario()) return;
  (void)edit("seed", std::to_string(QRandomGenerator::global()->bounded(1, 1'000'000)));
}

void LabController::resetValues() {
  document_.revert();
  emit valuesReset();
}

void LabController::undoLast() { document_.undo().undo(); }

void LabController::redoLast() { document_.undo().redo(); }

void LabController::newRun() {
  if (courses_.size() > 1) remember(shown());  // the way back to a fork is not lost
  startRun({{TrueTime{}, values()}});
}

// A long run takes a while to be taken down: not now, when another is made, and it may be the one that is telling.
void LabController::letGo() {
  playTimer_.stop();
  played_.reset();
  if (!driver_) return;
  driver_->pause();
  driver_->disconnect(this);
  driver_.release()->deleteLater();
}

void LabController::startRun(std::vector<Course> courses) {
  settle_.stop();
  letGo();
  courses_ = std::move(courses);
  comesTo_.reset();
  goesOn_ = false;
  runValues_ = courses_.back().values;
  if (auto scenario = readScenario(source(), runValues_))
    runScenario_ = std::make_unique<Scenario>(std::move(*scenario));
  recast(runScenario_->contender_names());
  driver_ = makeDriver();
  driver_->setSpeed(permille_);
  connect(driver_.get(), &RunDriver::began, this, [this] {
    // A live run may make its history only when everything is connected: the views take it up anew.
    if (!driver_->virtualTime()) emit runReset();
    setState(RunState::kRunning);
  });
  connect(driver_.get(), &RunDriver::preparing, this, [this](const QString& step, int permille) {
    preparation_.words = step;
    preparation_.permille = permille;
    emit preparationMoved();
  });
  connect(driver_.get(), &RunDriver::cancelled, this, [this] {
    setState(RunState::kReady);
    emit told(tr("Cancelled before the run began"));
  });
  connect(driver_.get(), &RunDriver::advanced, this, &LabController::onAdvanced);
  connect(driver_.get(), &RunDriver::arrived, this, &LabController::onArrived);
  connect(driver_.get(), &RunDriver::ended, this, &LabController::onEnded);
  connect(driver_.get(), &RunDriver::remarked, this, [this](const QString& what) {
    emit problem({tr("The run on %1 is less than it could be").arg(fromText(shownStore(runValues_.store))),
                  what,
                  tr("It goes on."),
                  0,
                  0,
                  {},
                  1});
  });
  connect(driver_.get(), &RunDriver::failed, this, [this](const QString& message) {
    Problem p;
    p.title = tr("The run on %1 did not start").arg(fromText(shownStore(runValues_.store)));
    p.message = message;
    p.remains = tr("Nothing was written to the store.");
    setState(RunState::kReady);
    emit problem(p);
  });
  setState(RunState::kReady);
  emit runReset();
  emit incidentSelected(-1);
}

std::unique_ptr<RunDriver> LabController::makeDriver() const {
  if (runValues_.live()) return std::make_unique<LiveDriver>(*runScenario_, runValues_.store, nullptr);
  std::vector<VirtualDriver::Fork> forks;
  for (std::size_t i = 1; i < courses_.size(); ++i)
    if (auto scenario = readScenario(source(), courses_[i].values))
      forks.push_back({courses_[i].from, std::move(*scenario)});
  const auto first = readScenario(source(), courses_.front().values);
  return std::make_unique<VirtualDriver>(first ? *first : *runScenario_, std::move(forks), nullptr);
}

void LabController::setState(RunState state) {
  state_ = state;
  emit stateChanged(state);
}

void LabController::onAdvanced() {
  syncCast();
  emit advanced();
  emit playheadMoved(playhead());
  if (!settle_.isActive()) settle_.start();
}

void LabController::onEnded() {
  settle_.stop();
  setState(RunState::kFinished);
  emit settled();
  emit finished();
  if (comesTo_) seek(*comesTo_);
  comesTo_.reset();
}

void LabController::runOrPause() {
  if (!hasScenario()) return;
  if (state_ == RunState::kRunning) {
    if (!driver_->virtualTime()) return;
    driver_->pause();
    setState(RunState::kPaused);
    emit settled();
    return;
  }
  if (state_ == RunState::kPreparing) return;
  if (state_ == RunState::kPlaying) return endPlaying();
  if (waitsAtFork() && stale()) return forkHere();
  const bool recorded = driver_ && driver_->virtualTime() && playhead() < now();
  if (recorded && !(state_ == RunState::kFinished && stale())) return play();
  if (state_ == RunState::kFinished || (state_ != RunState::kPaused && stale())) newRun();
  if (!driver_) return;
  emit problem({});
  preparation_ = {tr("Preparing a run on %1").arg(fromText(shownStore(runValues_.store))), {}, 0};
  if (!driver_->virtualTime()) setState(RunState::kPreparing);
  driver_->start();
}

void LabController::restart() {
  if (!hasScenario()) return;
  // One that has not begun is as new as another; making it twice was felt. A live one may have failed.
  const bool untouched = state_ == RunState::kReady && driver_ && driver_->virtualTime() && !stale();
  if (!untouched) newRun();
  runOrPause();
}

void LabController::runToEnd() {
  setSpeed(0);
  if (state_ == RunState::kPlaying) {
    endPlaying();
    seek(now());
    if (state_ == RunState::kFinished) return;
  }
  if (state_ != RunState::kRunning) runOrPause();
}

// ---- playing what is recorded

// As fast as it goes is too fast to be seen: the whole run in a second then.
void LabController::play() {
  played_ = playedFrom_ = playhead();
  playing_.start();
  playTimer_.start();
  setState(RunState::kPlaying);
  emit playheadMoved(playhead());
}

void LabController::playFrame() {
  const std::int64_t us = playing_.nsecsElapsed() / 1000;
  const Duration passed =
      permille_ == 0 ? Duration(static_cast<std::int64_t>(static_cast<Int128>(length().count()) * us / 1'000'000))
                     : Duration(us * permille_);
  if (playedFrom_ + passed < now()) {
    played_ = playedFrom_ + passed;
    emit playheadMoved(*played_);
    if (!settle_.isActive()) settle_.start();
    return;
  }
  played_ = now();
  endPlaying();
  if (state_ == RunState::kPaused) runOrPause();  // it had not come further
}

void LabController::endPlaying() {
  if (!played_) return;
  playTimer_.stop();
  const TrueTime at = *played_;
  played_.reset();
  driver_->seek(at);
  setState(driver_->finished() ? RunState::kFinished : RunState::kPaused);
  emit playheadMoved(playhead());
  emit settled();
}

void LabController::stop() {
  if (state_ == RunState::kPlaying) return endPlaying();
  if (driver_ && (state_ == RunState::kRunning || state_ == RunState::kPaused || state_ == RunState::kPreparing))
    driver_->stop();
}

void LabController::setSpeed(int permille) {
  permille_ = permille;
  if (driver_) driver_->setSpeed(permille);
  if (played_) playedFrom_ = *played_;
  playing_.start();
  emit stateChanged(state_);
}

}  // namespace leasescope
