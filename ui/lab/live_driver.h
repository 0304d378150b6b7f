// Drives a LiveRun: the same scenario on real time, against a private or a given store. Destroyed at any moment it
// leaves no server behind.
#pragma once
#include <memory>

#include "ui/lab/run_driver.h"

namespace leasescope {

class LiveRun;

class LiveDriver : public RunDriver {
  Q_OBJECT
 public:
  LiveDriver(const Scenario& scenario, const std::string& store, QObject* parent);
  ~LiveDriver() override;

  const History& history() const override;
  Outcome outcome() const override;
  TrueTime now() const override;
  bool finished() const override { return finished_; }
  bool virtualTime() const override { return false; }
  std::optional<std::int64_t> epoch() const override;

  void start() override;
  void stop() override;

 private:
  void begin();

  std::unique_ptr<LiveRun> run_;
  bool finished_ = false;
  bool started_ = false;
};

}  // namespace leasescope
