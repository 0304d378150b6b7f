// What Redis is to the list of store types.
#pragma once
#include "core/store/store_type.h"

namespace leasescope::redis {

const StoreType& store_type();

}  // namespace leasescope::redis
