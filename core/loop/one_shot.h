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
    timer_ = loop_->delay(after, [this, task = std::move(task)] {
      timer_ = 0;
      const Loop::Task kept = task;  // the task may destroy this timer, and itself with it
      kept();
    });
  }
  void cancel() { loop_->cancel(std::exchange(timer_, 0)); }
  bool armed() const { return timer_ != 0; }

 private:
  Loop* loop_;
  Loop::TimerId timer_ = 0;
};

}  // namespace leasescope
