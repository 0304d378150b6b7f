#include "core/store/postgres/waits.h"

namespace leasescope::postgres {

void Waits::begin(const Request& lock) {
  Wait& wait = waits_.try_emplace(lock.id, *loop_).first->second;
  wait.thread = lock.session.thread;
  wait.uid = lock.session.uid;
}

void Waits::end(std::uint64_t id) { waits_.erase(id); }

bool Waits::waits(std::uint64_t id) const {
  const auto found = waits_.find(id);
  return found != waits_.end() && found->second.told && !found->second.asking;
}

void Waits::looked(std::uint64_t id, Duration again) {
  const auto found = waits_.find(id);
  if (found == waits_.end()) return;
  Wait& wait = found->second;
  wait.told = true;
  wait.asking = false;
  if (wait.anew) return look(id, wait);
  wait.timer.arm(again, [this, id] { look(id, waits_.at(id)); });
}

// A message may come before the answer that it is about.
void Waits::look(std::uint64_t id, Wait& wait) {
  wait.anew = wait.asking || still_;
  if (wait.anew) return;
  wait.asking = true;
  wait.timer.cancel();
  look_(id);
}

void Waits::hear(const SessionMessage& message) {
  for (auto& [id, wait] : waits_)
    if (wait.thread == message.thread && wait.uid == message.uid) look(id, wait);
}

void Waits::look_all() {
  for (auto& [id, wait] : waits_) look(id, wait);
}

void Waits::stand_still(bool still) {
  still_ = still;
  if (still_) return;
  for (auto& [id, wait] : waits_)
    if (wait.anew) look(id, wait);
}

}  // namespace leasescope::postgres
