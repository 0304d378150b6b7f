// Writes a history of calls: one JSON object a line, or EDN for Knossos. Both read back as they were.
#pragma once
#include <string>

#include "core/check/call.h"

namespace leasescope::check {

// One call a line.
std::string json_lines(const Calls& calls);
// An invoke and, where it has returned, an end, in the order of time; faults as operations of the nemesis. A process
// whose call has no known end gets another number for the next, as Knossos wants it; the client keeps its name. lock
// and try_lock are written as acquire, unlock as release: the words of Knossos' models.
std::string edn(const Calls& calls);

}  // namespace leasescope::check
