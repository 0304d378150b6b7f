// A history of calls as the lines of a file, in the order of time: what the notations have in common.
#pragma once
#include <vector>

#include "core/check/call.h"

namespace leasescope::check {

struct CallLine {
  enum Part : std::uint8_t { kWhole, kBegin, kEnd, kNote } part = kNote;
  Moment at;
  const Call* call = nullptr;        // of a note none
  const Annotation* note = nullptr;  // else none
  // Which of its process' calls at once it belongs to: those of one lane come one after the other.
  std::size_t lane = 0;
};

// A call is one line, unless its moments have an order within their nanosecond, or no time at all, that only lines of
// their own can tell: then it is two, also where nobody knows its end.
std::vector<CallLine> short_lines(const Calls& calls);
// A call is two lines, and one where nobody knows its end: its lane has no more calls. What the store did has lanes of
// its own, beside the calls of whom it concerns.
std::vector<CallLine> paired_lines(const Calls& calls);

}  // namespace leasescope::check
