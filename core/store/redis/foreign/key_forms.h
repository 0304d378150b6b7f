// The locks of other makers that are known on Redis.
#pragma once
#include <vector>

#include "core/store/redis/foreign/key_form.h"

namespace leasescope::redis {

KeyForm redisson_lock();
KeyForm redisson_semaphore();
KeyForm redis_py_lock();
KeyForm node_redlock();
KeyForm redsync_lock();

const std::vector<KeyForm>& key_forms();

// Whether it is 32 hex digits that are a UUID of version 1, whose moment is within a year of now.
bool is_made_by_time(std::string_view uuid);

}  // namespace leasescope::redis
