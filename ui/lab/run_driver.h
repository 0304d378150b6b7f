// What the Lab asks of a run, in virtual or in real time. Neither ever holds the event loop for more than a frame.
#pragma once
#include <QObject>
#include <optional>

#include <tl/expected.hpp>

#include "simulator/run/outcome.h"

namespace leasescope {

class RunDriver : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  virtual const History& history() const = 0;
  virtual Outcome outcome() const = 0;
  virtual TrueTime now() const = 0;
  virtual bool finished() const = 0;
  // Real time cannot be paused, stepped or hurried.
  virtual bool virtualTime() const = 0;
  // Its zero in wall time, in ns since 1970; none in virtual time.
  virtual std::optional<std::int64_t> epoch() const { return {}; }

  virtual void start() = 0;
  virtual void pause() {}
  virtual void step() {}
  // Simulated time for a thousand of real time; 0 = as fast as it goes.
  virtual void setSpeed(int /*permille*/) {}
  // Ends the run here; `ended` follows, or `cancelled` when it had not begun.
  virtual void stop() = 0;

  // ---- where the world can be come back to: virtual time only
  virtual TrueTime playhead() const { return now(); }
  virtual void seek(TrueTime /*at*/) {}
  // One input; false at the beginning.
  virtual bool stepBack() { return false; }
  // Of what has happened up to the playhead; may take a few milliseconds.
  virtual std::optional<std::uint64_t> traceHash() { return {}; }
  // Whether it could go on from there under another scenario; the error says what cannot change.
  virtual tl::expected<void, QString> mayFork(TrueTime /*at*/, const Scenario& /*changed*/) const {
    return tl::make_unexpected(tr("a live run has one course only"));
  }
  // From the next start on as fast as it goes, until then; `arrived` follows, unless it ends before.
  virtual void hurry(TrueTime /*to*/) {}

 signals:
  void advanced();
  void ended();
  // Before it begins, as far as there is something to do; `permille` of the way.
  void preparing(const QString& step, int permille);
  void cancelled();
  void failed(const QString& message);  // before anything was recorded
  void began();                         // the clock runs
  void remarked(const QString& what);   // to know of the store before one believes the run
  void arrived();                       // where it was to hurry
};

}  // namespace leasescope
