// Publishes what is believed on the mutex's channel (core/observe/belief.h), on a line of its own. Rights: +publish on
// that channel.
#pragma once
#include "core/observe/belief_sender.h"
#include "core/store/redis/redis_line.h"

namespace leasescope::redis {

std::unique_ptr<BeliefSender> belief_sender(Loop& loop, const StoreUrl& url, BeliefSender::Events events);

}  // namespace leasescope::redis
