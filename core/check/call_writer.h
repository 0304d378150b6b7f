// Writes a history of calls: one JSON object a line, or EDN for Knossos. What is read of them is judged the same.
#pragma once
#include <string>

#include "core/check/call.h"

namespace leasescope::check {

// One call a line, and two where only that tells what came first. Of calls of one process that are open at once one
// keeps its name.
std::string json_lines(const Calls& calls);
// An invoke and, where it has returned, an end, in the order of time; faults as operations of the nemesis. A process
// gets another number for the next call while one of its calls is open or has no known end, as Knossos wants it; the
// client keeps its name. lock and try_lock are written as acquire, unlock as release: the words of Knossos' models.
std::string edn(const Calls& calls);

}  // namespace leasescope::check
