// A timer that belongs to someone: it is cancelled when its owner goes, and re-arming replaces it.
#pragma once
#include <utility>

#include "core/loop/loop.h"

namespace leasescope {

class OneShot {
 public:
  explicit OneShot(Loop& loop) : loop_(&loop) {}
  OneShot(const OneShot&) = delete;  // the armed task knows its place
  OneShot& operator=(const OneShot&) = delete;
  ~OneShot() { cancel(); }

  // The task must not outlive what it refers to; it may destroy this timer.
  void arm(Duration after, Loop::Task task) {
    cancel();
    task_ = std::move(task);
    timer_ = loop_->delay(after, [this] {
      timer_ = 0;
      const Loop::Task kept = std::exchange(task_, {});  // the task may destroy this timer
      kept();
    });
  }
  void cancel() {
    if (timer_ == 0) return;
    loop_->cancel(std::exchange(timer_, 0));
    task_ = {};
  }
  bool armed() const { return timer_ != 0; }

 private:
  Loop* loop_;
  Loop::Task task_;
  Loop::TimerId timer_ = 0;
};

}  // namespace leasescope
