// All that is known of one watched mutex, as lines: who owns it and who has, its lease, who waits, what stands at its
// store; and of what is not known, that it is not.
#pragma once
#include <cstdint>
#include <vector>

#include "app/watch/styled_text.h"
#include "core/observe/watch.h"

namespace leasescope::ctl {

// epoch_ns: the wall clock at the watch's zero, ns since 1970.
// `beliefs`: whether what processes tell is listened for.
// `names`: of its watch's history.
std::vector<TextLine> mutex_page(const WatchedMutex& mutex, const WatchedStore& store, const NameTable& names,
                                 TrueTime now, std::int64_t epoch_ns, std::size_t cells, Letters letters, bool beliefs);

}  // namespace leasescope::ctl
