// The locks of other makers that are known on ZooKeeper.
#pragma once
#include <vector>

#include "core/store/zookeeper/foreign/line_form.h"

namespace leasescope::zookeeper {

LineForm curator_mutex();
LineForm curator_latch();
LineForm curator_semaphore();
LineForm curator_read_write();
LineForm kazoo_lock();

const std::vector<LineForm>& line_forms();

}  // namespace leasescope::zookeeper
