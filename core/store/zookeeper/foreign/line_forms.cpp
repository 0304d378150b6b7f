#include "core/store/zookeeper/foreign/line_forms.h"

namespace leasescope::zookeeper {

const std::vector<LineForm>& line_forms() {
  static const std::vector<LineForm> kForms{
      curator_mutex(), curator_latch(), curator_semaphore(), curator_read_write(), kazoo_lock(),
  };
  return kForms;
}

}  // namespace leasescope::zookeeper
