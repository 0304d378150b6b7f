#include "core/loop/qt/qt_loop.h"

#include <QPointer>
#include <QSocketNotifier>
#include <utility>

namespace leasescope {

QtLoop::QtLoop(QObject* parent) : QObject(parent), alarms_(CLOCK_MONOTONIC) {}

// Before the descriptors are closed that Qt polls.
QtLoop::~QtLoop() {
  delete due_;
  delete ready_;
}

Loop::TimerId QtLoop::delay(Duration after, Task task) {
  if (due_ == nullptr) {
    due_ = new QSocketNotifier(alarms_.descriptor(), QSocketNotifier::Read, this);
    connect(due_, &QSocketNotifier::activated, this, [this] { take_due(); });
  }
  const TimerId id = alarms_.add(after, std::move(task));
  alarms_.set();
  return id;
}

// A task may end the loop's life.
void QtLoop::take_due() {
  const QPointer<QtLoop> self(this);
  alarms_.take_due([&self, this](const Task& task) {
    alarms_.set();  // the task may let the loop go on within it
    task();
    return !self.isNull();
  });
  if (!self.isNull()) alarms_.set();
}

void QtLoop::post(Task task) { QMetaObject::invokeMethod(this, std::move(task), Qt::QueuedConnection); }

Loop::WatchId QtLoop::watch(int descriptor, Readiness readiness, Task task) {
  if (ready_ == nullptr) {
    ready_ = new QSocketNotifier(set_.descriptor(), QSocketNotifier::Read, this);
    connect(ready_, &QSocketNotifier::activated, this, [this] { set_.take_ready(); });
  }
  return set_.watch(descriptor, readiness, std::move(task));
}

void QtLoop::unwatch(WatchId watch) { set_.unwatch(watch); }

}  // namespace leasescope
