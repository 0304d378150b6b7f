// The look at a given Redis before a run. Blocks for a few seconds at most.
#pragma once
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/store/url.h"

namespace leasescope::redis {

// Who holds each mutex, "" for nobody. Tries what a run will do in keys of its own under the mutexes' names, which it
// removes. Errors say what is wrong with the server, the login or its rights and what to do.
tl::expected<std::vector<std::string>, std::string> probe(const StoreUrl& url, const std::vector<std::string>& mutexes);

}  // namespace leasescope::redis
