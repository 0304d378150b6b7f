// What the Lab asks of a run, in virtual or in real time. Neither ever holds the event loop for more than a frame.
#pragma once
#include <QObject>

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

  virtual void start() = 0;
  virtual void pause() {}
  virtual void step() {}
  // Simulated time for a thousand of real time; 0 = as fast as it goes.
  virtual void setSpeed(int /*permille*/) {}
  // Ends the run here; `ended` follows.
  virtual void stop() = 0;

 signals:
  void advanced();
  void ended();
  void failed(const QString& message);  // before anything was recorded
  void began();                         // the clock runs
};

}  // namespace leasescope
