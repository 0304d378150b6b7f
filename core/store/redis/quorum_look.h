// The look at one server of a quorum lock before a run: does it do what the calls need, and whom is it for?
#pragma once
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/store/redis/asker.h"

namespace leasescope::redis {

// Of each mutex, "" for nobody. Errors are as they come.
tl::expected<std::vector<std::string>, std::string> look_at_quorum(Asker& server,
                                                                   const std::vector<std::string>& mutexes);

}  // namespace leasescope::redis
