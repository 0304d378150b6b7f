// What ZooKeeper is to the list of store types.
#pragma once
#include "core/store/store_type.h"

namespace leasescope::zookeeper {

const StoreType& store_type();

}  // namespace leasescope::zookeeper
