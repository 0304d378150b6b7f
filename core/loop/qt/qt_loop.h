// The port to real time on Qt's event loop: precise timers, and all descriptors behind one of epoll's, because Qt polls
// each of its own at every turn. Lives in the thread that made it.
#pragma once
#include <QObject>
#include <chrono>
#include <unordered_map>

#include "core/loop/epoll/descriptor_set.h"
#include "core/loop/loop.h"

class QSocketNotifier;
class QTimer;

namespace leasescope {

class QtLoop : public QObject, public Loop {
 public:
  // A longer delay is waited for in stretches, because Qt's timers hold 24 days at most.
  static constexpr Duration kLongestStretch = std::chrono::hours(24 * 20);

  explicit QtLoop(QObject* parent = nullptr, Duration stretch = kLongestStretch);
  ~QtLoop() override;

  // From here on `now()` counts from this moment.
  void set_zero();

  TrueTime now() const override;
  TimerId delay(Duration after, Task task) override;
  void cancel(TimerId timer) override;
  void post(Task task) override;
  WatchId watch(int descriptor, Readiness readiness, Task task) override;
  void unwatch(WatchId watch) override;

 private:
  struct Alarm {
    QTimer* timer = nullptr;
    std::chrono::steady_clock::time_point due;
    Task task;
  };

  void set_off(TimerId id);
  void wait(QTimer& timer, Duration left) const;

  Duration stretch_;
  std::chrono::steady_clock::time_point zero_;
  std::unordered_map<TimerId, Alarm> alarms_;
  DescriptorSet set_;
  QSocketNotifier* notifier_ = nullptr;  // of it, from the first watch on
  std::uint64_t last_id_ = 0;
};

}  // namespace leasescope
