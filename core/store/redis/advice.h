// What a user can do about what a look before a run met with.
#pragma once
#include <string>

#include "core/store/port.h"
#include "core/store/url.h"

namespace leasescope::redis {

// `error`: a server's words, or ours; `mutex`: one of those the run uses.
std::string advice(const std::string& error, const StoreUrl& url, Family family, const std::string& mutex);

}  // namespace leasescope::redis
