#include "ui/models/aside.h"

namespace leasescope {

QThreadPool& asideThreads() {
  static QThreadPool threads;
  return threads;
}

}  // namespace leasescope
