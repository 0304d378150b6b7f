// The registers of a mutex, looked at before a run.
#pragma once
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/store/redis/asker.h"

namespace leasescope::redis {

// Tries what the calls of a register do, in one of its own that is gone afterwards. Answers who holds each mutex: whose
// lease lasts by the clock it is stamped by. Of a lease by its version nobody can say so who has looked once.
tl::expected<std::vector<std::string>, std::string> look_at_cells(Asker& server,
                                                                  const std::vector<std::string>& mutexes);

}  // namespace leasescope::redis
