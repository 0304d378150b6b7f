// Pushed messages of PostgreSQL: NotificationResponse of protocol version 3.
#pragma once
#include <memory>

#include "core/store/push_filter.h"

namespace leasescope::postgres {

std::unique_ptr<PushFilter> make_push_filter();

}  // namespace leasescope::postgres
