#include "ui/recordings/recording_follower.h"

#include <chrono>
#include <utility>

namespace leasescope {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks(100);

}  // namespace

RecordingFollower::RecordingFollower(std::string path, Sequence last) : watch_(std::move(path), last) {
  thread_ = std::thread([this] { work(); });
}

RecordingFollower::~RecordingFollower() {
  {
    const std::lock_guard held(lock_);
    ends_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

std::optional<RecordingFollower::Look> RecordingFollower::taken() {
  std::optional<Look> out;
  {
    const std::lock_guard held(lock_);
    out = std::exchange(come_, std::nullopt);
  }
  if (out) wake_.notify_all();
  return out;
}

// What was not taken yet is not added to: the next look finds all that has come meanwhile.
void RecordingFollower::work() {
  std::unique_lock held(lock_);
  while (true) {
    wake_.wait_for(held, kBetweenLooks, [this] { return ends_; });
    wake_.wait(held, [this] { return ends_ || !come_; });
    if (ends_) return;
    held.unlock();
    auto looked = watch_.look();
    const bool last = !looked || (*looked && (*looked)->outcome);
    held.lock();
    if (!looked)
      come_ = tl::make_unexpected(looked.error());
    else if (*looked)
      come_ = std::move(**looked);
    if (last) return;
  }
}

}  // namespace leasescope
