// The chart's leases, beliefs, faults and incidents in the Trace Event Format, which Perfetto and chrome://tracing
// open.
#pragma once
#include "core/base/byte_sink.h"
#include "ui/timeline/paint/chart_data.h"

namespace leasescope {

// A mutex is a process; what a contender believed and what the store held for it are a thread each, a lease a complete
// slice. A hand-off is a flow from the end of one lease to the begin of the next, another's. Faults and incidents may
// overlap, so they are asynchronous. Times are microseconds of true time, to the nanosecond; of what is known within
// bounds, the later. Time that was not observed is asynchronous too. What begins outside of [from, to) is left out;
// what has not ended lasts to the end of what is known. One event after the other goes into `out`; it is whole unless
// that wanted no more.
void write_chrome_trace(ByteSink& out, const ChartData& data, TrueTime from = TrueTime::min(),
                        TrueTime to = TrueTime::max());

}  // namespace leasescope
