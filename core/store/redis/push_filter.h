// Pushed messages of Redis: pub/sub `message` arrays (RESP2) or pushes (RESP3).
#pragma once
#include <memory>

#include "core/store/push_filter.h"

namespace leasescope::redis {

std::unique_ptr<PushFilter> make_push_filter();

}  // namespace leasescope::redis
