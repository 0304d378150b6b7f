// The look at a given PostgreSQL before a run, and the table it needs. Blocks for a few seconds at most.
#pragma once
#include <stop_token>
#include <string>
#include <vector>

#include "core/store/port.h"
#include "core/store/store_look.h"
#include "core/store/url.h"

namespace leasescope::postgres {

// Makes the table where it is missing. Tries what a run will do on a row of its own, in a transaction that is rolled
// back.
Looked probe(const StoreUrl& url, Family family, const std::vector<std::string>& mutexes, const std::stop_token& stop);

}  // namespace leasescope::postgres
