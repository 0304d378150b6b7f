// The port to real time on Qt's event loop: all timers behind one of the kernel's, because Qt counts in milliseconds
// and wakes up to two of them late, and all descriptors behind one of epoll's, because Qt polls each of its own at
// every turn. Lives in the thread that made it.
#pragma once
#include <QObject>

#include "core/loop/epoll/alarms.h"
#include "core/loop/epoll/descriptor_set.h"
#include "core/loop/loop.h"

class QSocketNotifier;

namespace leasescope {

class QtLoop : public QObject, public Loop {
 public:
  explicit QtLoop(QObject* parent = nullptr);
  ~QtLoop() override;

  // From here on `now()` counts from this moment.
  void set_zero() { alarms_.set_zero(); }

  TrueTime now() const override { return alarms_.now(); }
  TimerId delay(Duration after, Task task) override;
  void cancel(TimerId timer) override { alarms_.cancel(timer); }
  void post(Task task) override;
  WatchId watch(int descriptor, Readiness readiness, Task task) override;
  void unwatch(WatchId watch) override;

 private:
  void take_due();

  Alarms alarms_;
  DescriptorSet set_;
  QSocketNotifier* due_ = nullptr;    // of the alarms, from the first delay on
  QSocketNotifier* ready_ = nullptr;  // of the set, from the first watch on
};

}  // namespace leasescope
