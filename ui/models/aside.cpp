#include "ui/models/aside.h"

#include <QCoreApplication>

namespace leasescope {

QThreadPool& asideThreads() {
  // What is done there may use a table that was made after the pool, and goes before it: so it ends with the
  // application.
  static QThreadPool& threads = []() -> QThreadPool& {
    static QThreadPool pool;
    qAddPostRoutine([] { pool.waitForDone(); });
    return pool;
  }();
  return threads;
}

}  // namespace leasescope
