// The look at a given PostgreSQL before a run, and the table it needs. Blocks for a few seconds at most.
#pragma once
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/store/url.h"

namespace leasescope::postgres {

// Makes the table where it is missing. Who holds each mutex, "" for nobody. Tries what a run will do on a row of its
// own, in a transaction that is rolled back. Errors say what is wrong with the server,
// the login or the table and what to do.
tl::expected<std::vector<std::string>, std::string> probe(const StoreUrl& url, const std::vector<std::string>& mutexes);

}  // namespace leasescope::postgres
