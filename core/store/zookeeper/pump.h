// Drives a session from a loop: waits for what it waits for, and lets it go on when that has come.
#pragma once
#include "core/loop/one_shot.h"
#include "core/store/zookeeper/session.h"

namespace leasescope::zookeeper {

class Pump {
 public:
  explicit Pump(Loop& loop) : loop_(&loop), timer_(loop) {}
  ~Pump() { stop(); }
  Pump(const Pump&) = delete;
  Pump& operator=(const Pump&) = delete;

  void drive(Session& session);
  // Of it nothing is told from here on.
  void stop();
  // Something was asked of it: it may wait for something else.
  void go_on();
  // Its process stands still: the library's pings too.
  void stand_still(bool still);

 private:
  void process(bool can_read, bool can_write);
  void forget_descriptor();

  Loop* loop_;
  Session* session_ = nullptr;
  Loop::WatchId reads_ = 0;
  Loop::WatchId writes_ = 0;
  OneShot timer_;
  bool still_ = false;
};

}  // namespace leasescope::zookeeper
