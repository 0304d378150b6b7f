// Drives a VirtualRun from a timer: so much simulated time a frame, and never more than a few milliseconds of it.
#pragma once
#include <QElapsedTimer>
#include <QTimer>
#include <memory>
#include <optional>
#include <vector>

#include "simulator/run/virtual_run.h"
#include "ui/lab/run_driver.h"

namespace leasescope {

class VirtualDriver : public RunDriver {
  Q_OBJECT
 public:
  // From this moment on the run goes by another scenario; what a fork may change has been looked at before.
  struct Fork {
    TrueTime at{};
    Scenario scenario;
  };
  VirtualDriver(const Scenario& scenario, std::vector<Fork> forks, QObject* parent);
  ~VirtualDriver() override;

  const History& history() const override { return run_->history(); }
  Outcome outcome() const override;
  TrueTime now() const override { return run_->now(); }
  bool finished() const override { return run_->finished(); }
  bool virtualTime() const override { return true; }

  void start() override;
  void pause() override;
  void step() override;
  void setSpeed(int permille) override;
  void stop() override;

  TrueTime playhead() const override { return run_->playhead(); }
  void seek(TrueTime at) override { run_->seek(at); }
  bool stepBack() override;
  std::optional<std::uint64_t> traceHash() override { return run_->trace_hash_at_playhead(); }
  tl::expected<void, QString> mayFork(TrueTime at, const Scenario& changed) const override;
  void hurry(TrueTime to) override { hurry_ = to; }

 private:
  void frame();
  bool goOn(TrueTime until, std::uint64_t most);
  void anchor();
  TrueTime target() const;

  std::unique_ptr<VirtualRun> run_;
  std::vector<Fork> forks_;  // still to come, the last one first
  std::optional<TrueTime> hurry_;
  QTimer timer_;
  QElapsedTimer clock_;
  TrueTime anchor_{};  // simulated time when the clock was started
  int permille_ = 0;
  qint64 busy_ = 0;    // ns spent in the run
  qint64 toldNs_ = 0;  // what the views took for the frame before
};

}  // namespace leasescope
