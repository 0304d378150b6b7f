// Notifies of what is believed (core/observe/belief.h), on a connection of its own. All mutexes have one channel: a
// channel's name has 63 bytes at most, and the message names its mutex. Rights: none.
#pragma once
#include "core/observe/belief_sender.h"
#include "core/store/postgres/postgres_line.h"

namespace leasescope::postgres {

std::unique_ptr<BeliefSender> belief_sender(Loop& loop, const StoreUrl& url, BeliefSender::Events events);

}  // namespace leasescope::postgres
