#include "core/store/zookeeper/pump.h"

#include <utility>

namespace leasescope::zookeeper {

void Pump::drive(Session& session) {
  session_ = &session;
  go_on();
}

void Pump::stop() {
  session_ = nullptr;
  timer_.cancel();
  forget_descriptor();
}

void Pump::forget_descriptor() {
  loop_->unwatch(std::exchange(reads_, 0));
  loop_->unwatch(std::exchange(writes_, 0));
}

void Pump::go_on() {
  forget_descriptor();
  if (session_ == nullptr || still_) return;
  const Session::Waits waits = session_->waits();
  if (waits.read) reads_ = loop_->watch(waits.descriptor, Readiness::kRead, [this] { process(true, false); });
  if (waits.write) writes_ = loop_->watch(waits.descriptor, Readiness::kWrite, [this] { process(false, true); });
  timer_.arm(waits.at_most, [this] { process(false, false); });
}

void Pump::process(bool can_read, bool can_write) {
  if (session_ != nullptr) session_->process(can_read, can_write);
  go_on();
}

void Pump::stand_still(bool still) {
  still_ = still;
  if (still) timer_.cancel();
  go_on();
}

}  // namespace leasescope::zookeeper
