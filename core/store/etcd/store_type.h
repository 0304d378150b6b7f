// etcd, whose locks are only watched, as all else needs it.
#pragma once
#include "core/store/store_type.h"

namespace leasescope::etcd {

const StoreType& store_type();

}  // namespace leasescope::etcd
