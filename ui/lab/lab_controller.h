// The Lab behind its widgets: the scenario's document, and its run as a session.
#pragma once
#include <QElapsedTimer>
#include <QTimer>
#include <memory>
#include <optional>
#include <vector>

#include "core/history/history_header.h"
#include "ui/lab/course.h"
#include "ui/lab/run_driver.h"
#include "ui/lab/scenario_document.h"
#include "ui/models/session.h"

namespace leasescope {

class LabController : public Session {
  Q_OBJECT
 public:
  explicit LabController(QObject* parent = nullptr);
  ~LabController() override;

  // A built-in name or the path of a TOML file. A failure leaves everything as it was and is told by `problem`.
  bool open(const QString& nameOrPath);
  void closeScenario();
  // One that nobody has written yet.
  void openNew();
  // That source with these courses, which another Lab has or may have: runs it at once. The last values are edited.
  void run(const LabSource& source, std::vector<Course> courses);
  // What is edited, in whatever way; what is run goes by its last valid text.
  ScenarioDocument& document() { return document_; }
  const ScenarioDocument& document() const { return document_; }
  bool hasScenario() const { return document_.isOpen(); }
  const Scenario& scenario() const { return document_.scenario(); }
  const LabSource& source() const { return document_.source(); }
  const LabValues& values() const { return document_.values(); }

  // One edit, undoable. The error says what was expected; nothing has changed then.
  tl::expected<void, QString> edit(const std::string& key, const std::string& value) {
    return document_.edit(key, value);
  }
  void setFault(int row, bool on);
  tl::expected<void, QString> setStore(const std::string& store);
  void rollSeed();
  void resetValues();
  QUndoStack& undo() override { return document_.undo(); }
  void undoLast();
  void redoLast();
  // The values were changed since the run on the screen began.
  bool stale() const;

  RunState state() const override { return state_; }
  bool live() const override { return driver_ && !driver_->virtualTime(); }
  const History* history() const override { return driver_ ? &driver_->history() : nullptr; }
  const Scenario* runScenario() const override { return runScenario_.get(); }
  const Scenario* repeatable() const override;
  RunFacts facts() const override;
  QString whereText() const override;
  const std::string& runStore() const { return runValues_.store; }
  TrueTime now() const override { return driver_ ? driver_->now() : TrueTime{}; }
  Duration length() const override { return runScenario_ ? runScenario_->length() : Duration{}; }
  std::optional<std::int64_t> epochNs() const override { return driver_ ? driver_->epoch() : std::nullopt; }
  Outcome outcome() const override { return driver_ ? driver_->outcome() : Outcome{}; }
  const Preparation& preparation() const override { return preparation_; }
  // Of the run on the screen, as it is written down; of one that was forked more than once its last fork alone.
  HistoryHeader header() const;

  // From the middle of what has been run, plays it from there and then goes on.
  void runOrPause();
  void restart();
  void step();
  void runToEnd();
  // A run that has not begun is cancelled.
  void stop();
  int speed() const { return permille_; }
  void setSpeed(int permille);  // 0 = as fast as it goes

  // ---- time travel (lab_travel.cpp): virtual runs only
  QString whyNoTravel() const override;
  TrueTime playhead() const override { return played_ ? *played_ : driver_ ? driver_->playhead() : TrueTime{}; }
  void seek(TrueTime at) override;
  void stepBack(int inputs = 1) override;
  void stepForward(int inputs) override;
  void holdStill() override;
  // Why there is no step from the playhead; empty when there is.
  QString whyNoStepBack() const;
  QString whyNoStepForward() const;
  // The same whichever way the playhead was come to. None in a live run.
  std::optional<std::uint64_t> traceHash() const override { return driver_ ? driver_->traceHash() : std::nullopt; }
  // Why the run cannot be forked at the playhead; empty when it can, as far as that is known before trying.
  QString whyNoFork() const;
  // Keeps what happened up to the playhead and goes on from there under the values as they are now; with no value
  // changed it waits there for one. Undoable. What cannot change is told by `problem`.
  void forkHere();
  // Of the run on the screen; the forks that have been on the screen, and the run with this one's beginning.
  const std::vector<Course>& courses() const { return courses_; }
  std::vector<TrueTime> forks() const override;
  std::vector<Shown> relatives() const;
  void goTo(const Shown& other);
  // Forked, with nothing after the fork run yet: values that are changed now still apply to it.
  bool waitsAtFork() const;

 signals:
  void scenarioChanged();  // another one
  void valuesChanged();    // the same one, edited, undone or redone
  void valuesReset();      // to those of the file, after valuesChanged() if that changed any

 private:
  friend class ForkCommand;
  tl::expected<void, InputError> openSource(const LabSource& source);
  void onEdited();
  void newRun();
  void letGo();
  void startRun(std::vector<Course> courses);
  std::unique_ptr<RunDriver> makeDriver() const;
  Shown shown() const;
  void show(const Shown& what, bool goOn);
  void remember(const Shown& what);
  void onArrived();
  void setState(RunState state);
  void play();
  void playFrame();
  void endPlaying();
  void onAdvanced();
  void onEnded();
  Problem loadProblem(const InputError& error, const LabSource* source) const;

  ScenarioDocument document_;
  bool showing_ = false;  // a fork or the way back from one: the run is made by whoever shows it
  LabValues runValues_;
  std::vector<Course> courses_;
  std::vector<Shown> known_;        // what has been on the screen, of this scenario
  std::optional<TrueTime> played_;  // the playhead while it is played
  TrueTime playedFrom_{};
  QElapsedTimer playing_;
  QTimer playTimer_;
  std::optional<TrueTime> comesTo_;  // the playhead, when a run that is made again has come as far as it was
  bool goesOn_ = false;              // and then the run goes on
  std::unique_ptr<Scenario> runScenario_;
  std::unique_ptr<RunDriver> driver_;
  QTimer settle_;
  RunState state_ = RunState::kEmpty;
  Preparation preparation_;
  int permille_ = 0;
};

}  // namespace leasescope
