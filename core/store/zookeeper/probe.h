// The look at a given ZooKeeper before a run. Blocks for a few seconds at most.
#pragma once
#include <stop_token>
#include <string>
#include <vector>

#include "core/store/port.h"
#include "core/store/store_look.h"
#include "core/store/url.h"

namespace leasescope::zookeeper {

// Tries what a run will do in a folder beside the mutex's, which it removes.
Looked probe(const StoreUrl& url, Family family, const std::vector<std::string>& mutexes, const std::stop_token& stop);

}  // namespace leasescope::zookeeper
