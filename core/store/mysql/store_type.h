// What MySQL is to the list of store types.
#pragma once
#include "core/store/store_type.h"

namespace leasescope::mysql {

const StoreType& store_type();

}  // namespace leasescope::mysql
