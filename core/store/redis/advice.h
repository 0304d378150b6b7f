// What a user can do about what a look before a run met with.
#pragma once
#include <string>

#include "core/store/port.h"
#include "core/store/url.h"

namespace leasescope::redis {

inline constexpr const char* kSeveralApart =
    "several hosts in one URL are the nodes of a cluster here, and this server is of none";

// `error`: a server's words, or ours; `mutex`: one of those the run uses.
std::string advice(const std::string& error, const StoreUrl& url, Family family, const std::string& mutex);

}  // namespace leasescope::redis
