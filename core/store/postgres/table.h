// The tables that leases, and registers, are kept in: made where it is missing and may be made, and looked at where it
// is there.
#pragma once
#include <string>

#include <tl/expected.hpp>

#include "core/store/port.h"
#include "core/store/postgres/asker.h"

namespace leasescope::postgres {

// Errors are for people, with the remedy. Where it may not be made nothing is.
tl::expected<void, std::string> prepare_table(Asker& server, const StoreUrl& url, Family family);

}  // namespace leasescope::postgres
