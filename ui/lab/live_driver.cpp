#include "ui/lab/live_driver.h"

#include <QTimer>

#include "simulator/live/live_run.h"
#include "ui/models/words.h"

namespace leasescope {

LiveDriver::LiveDriver(const Scenario& scenario, const std::string& store, QObject* parent)
    : RunDriver(parent), run_(std::make_unique<LiveRun>(scenario, store)) {
  connect(run_.get(), &LiveRun::advanced, this, &LiveDriver::advanced);
  connect(run_.get(), &LiveRun::finished, this, [this] {
    finished_ = true;
    emit ended();
  });
}

LiveDriver::~LiveDriver() = default;

const History& LiveDriver::history() const { return run_->history(); }
Outcome LiveDriver::outcome() const { return run_->outcome(); }
TrueTime LiveDriver::now() const { return run_->now(); }

void LiveDriver::start() {
  // After the window has painted "connecting": preparing starts servers and may take a moment.
  QTimer::singleShot(0, this, [this] {
    if (const auto ready = run_->prepare(); !ready) {
      emit failed(fromText(ready.error()));
      return;
    }
    started_ = true;
    run_->start();
    emit began();
    QStringList remarks;
    for (const std::string& remark : run_->remarks()) remarks << fromText(remark);
    if (!remarks.isEmpty()) emit remarked(remarks.join(QLatin1Char('\n')));
  });
}

void LiveDriver::stop() {
  if (started_) run_->stop();
}

}  // namespace leasescope
