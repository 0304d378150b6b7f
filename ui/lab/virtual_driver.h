// Drives a VirtualRun from a timer: so much simulated time a frame, and never more than a few milliseconds of it.
#pragma once
#include <QElapsedTimer>
#include <QTimer>

#include "simulator/run/virtual_run.h"
#include "ui/lab/run_driver.h"

namespace leasescope {

class VirtualDriver : public RunDriver {
  Q_OBJECT
 public:
  VirtualDriver(const Scenario& scenario, QObject* parent);

  const History& history() const override { return run_.history(); }
  Outcome outcome() const override;
  TrueTime now() const override { return run_.now(); }
  bool finished() const override { return run_.finished(); }
  bool virtualTime() const override { return true; }

  void start() override;
  void pause() override;
  void step() override;
  void setSpeed(int permille) override;
  void stop() override;

 private:
  void frame();
  void anchor();
  TrueTime target() const;

  VirtualRun run_;
  QTimer timer_;
  QElapsedTimer clock_;
  TrueTime anchor_{};  // simulated time when the clock was started
  int permille_ = 0;
  qint64 busy_ = 0;  // ns spent in the run
};

}  // namespace leasescope
