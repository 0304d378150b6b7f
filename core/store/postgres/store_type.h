// What PostgreSQL is to the list of store types.
#pragma once
#include "core/store/store_type.h"

namespace leasescope::postgres {

const StoreType& store_type();

}  // namespace leasescope::postgres
