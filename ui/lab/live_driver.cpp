#include "ui/lab/live_driver.h"

#include "simulator/live/live_run.h"
#include "ui/models/words.h"

namespace leasescope {

LiveDriver::LiveDriver(const Scenario& scenario, const std::string& store, QObject* parent)
    : RunDriver(parent), run_(std::make_unique<LiveRun>(scenario, store)) {
  connect(run_.get(), &LiveRun::preparing, this,
          [this](const PreparationStep& step) { emit preparing(fromText(step.words), step.permille); });
  connect(run_.get(), &LiveRun::prepared, this, &LiveDriver::begin);
  connect(run_.get(), &LiveRun::failed, this, [this](const std::string& why) { emit failed(fromText(why)); });
  connect(run_.get(), &LiveRun::cancelled, this, &LiveDriver::cancelled);
  connect(run_.get(), &LiveRun::troubled, this, [this](const std::string& why) { emit remarked(fromText(why)); });
  connect(run_.get(), &LiveRun::advanced, this, &LiveDriver::advanced);
  connect(run_.get(), &LiveRun::finished, this, [this] {
    finished_ = true;
    emit ended();
  });
}

LiveDriver::~LiveDriver() = default;

const History& LiveDriver::history() const { return run_->history(); }
Outcome LiveDriver::outcome() const { return run_->outcome(); }
std::optional<std::int64_t> LiveDriver::epoch() const { return run_->epoch_ns(); }

TrueTime LiveDriver::now() const { return run_->now(); }

void LiveDriver::start() { run_->prepare(); }

void LiveDriver::begin() {
  started_ = true;
  run_->start();
  emit began();
  QStringList remarks;
  for (const std::string& remark : run_->remarks()) remarks << fromText(remark);
  if (!remarks.isEmpty()) emit remarked(remarks.join(QLatin1Char('\n')));
}

void LiveDriver::stop() { started_ ? run_->stop() : run_->cancel(); }

}  // namespace leasescope
