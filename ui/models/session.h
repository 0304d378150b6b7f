// What is looked at: a history with its cast, how far it is known, what is selected in it and where the playhead is.
// The Lab, a recording, a watch are one each; the panels (ui/panels) know no more of them than this.
#pragma once
#include <QObject>
#include <QString>
#include <optional>
#include <vector>

#include "simulator/run/outcome.h"
#include "ui/models/cast.h"
#include "ui/models/counted_time.h"
#include "ui/models/problem.h"
#include "ui/models/run_facts.h"
#include "ui/models/watch_account.h"

class QUndoStack;

namespace leasescope {

// kPreparing: what is to be shown is not there yet: a live run starts its server, looks at its store or connects, a
// recording is read; it can be replaced, taken away or cancelled as at any other moment. kPlaying: what has been run
// already is shown again from the playhead on.
enum class RunState { kEmpty, kReady, kPreparing, kRunning, kPaused, kFinished, kPlaying };

// What is done in kPreparing: "Preparing a run on redis", "connecting 3 of 5 contenders".
struct Preparation {
  QString title;
  QString words;
  int permille = 0;
};

// What the status bar says of a session that comes to no outcome: "redis-eu 0.4 ms".
struct SessionFigure {
  QString name, value;
  bool alarm = false;
};

// The last moment before that one at which something happened, or the beginning; the next after it, or now.
TrueTime eventBefore(const History& history, TrueTime at);
TrueTime eventAfter(const History& history, TrueTime at);

class Session : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  virtual RunState state() const = 0;
  // None when nothing is open. It stays at its place until runReset().
  virtual const History* history() const = 0;
  // Of what it is the history; null without one.
  virtual const Scenario* runScenario() const = 0;
  virtual RunFacts facts() const = 0;  // of runScenario(), which there must be
  // What the chart is of: its one mutex, "3 mutexes".
  virtual QString whatText() const;
  // Where it happened: "model redis", "live postgres".
  virtual QString whereText() const = 0;
  virtual Outcome outcome() const = 0;
  // In the outcome's place, the most important first; none: it is the outcome that counts.
  virtual std::optional<std::vector<SessionFigure>> figures() const { return {}; }
  // Of a live run: scenario time 0, in ns since 1970 (UTC).
  virtual std::optional<std::int64_t> epochNs() const { return {}; }
  // Of what has happened up to the playhead; none where no two runs are the same.
  virtual std::optional<std::uint64_t> traceHash() const { return {}; }
  // Of a watch; nothing of a run.
  virtual WatchAccount watchAccount() const { return {}; }
  virtual bool live() const { return false; }  // in real time, now
  // What makes this very history again, all of which is known; null where nothing does: live, forked, not at its end.
  virtual const Scenario* repeatable() const { return nullptr; }
  virtual const Preparation& preparation() const = 0;

  virtual TrueTime now() const = 0;     // known up to here
  virtual Duration length() const = 0;  // of all there will be
  virtual std::vector<TrueTime> forks() const { return {}; }

  // ---- the playhead
  virtual TrueTime playhead() const = 0;
  // Why it cannot be moved; empty when it can.
  virtual QString whyNoTravel() const = 0;
  virtual void seek(TrueTime at) = 0;
  // By an input of the run, or by an event where inputs are not known.
  virtual void stepBack(int steps = 1) = 0;
  virtual void stepForward(int steps) = 0;
  // Whatever moves the playhead by itself stops doing so.
  virtual void holdStill() {}

  // ---- what the reader has done: to the scenario, to the rows, with markers; empty for what is opened anew
  virtual QUndoStack& undo() = 0;

  // ---- shared by all
  const Cast& cast() const { return cast_; }
  int selectedIncident() const { return incident_; }
  void selectIncident(int index);  // -1: none
  // +1 next, -1 previous.
  void stepIncident(int by);
  // How its moments are told, everywhere; by seconds of the run unless somebody wants another clock.
  const CountedTime& time() const { return time_; }
  void countBy(const CountedTime& time);

 signals:
  void runReset();  // another history, empty yet
  void advanced();  // the history grew
  void settled();   // ten times a second while it grows, at the end, and where the playhead comes to rest
  void finished();
  void stateChanged(RunState state);
  void preparationMoved();
  void castChanged();
  void incidentSelected(int index);  // -1: none
  void timeCounted();                // by another clock
  void playheadMoved(leasescope::TrueTime at);
  void problem(const Problem& problem);  // empty: it is gone
  void told(const QString& words);       // for the status bar, for a while

 protected:
  // Before runReset(): nobody is selected, and these are there.
  void recast(std::vector<std::string> names);
  void recast(Cast cast);  // who was met already
  // The history grew; tells of whoever is new in it.
  void syncCast();

 private:
  Cast cast_;
  int incident_ = -1;
  CountedTime time_;
};

}  // namespace leasescope
