// How long a recording keeps what it has: what is older, or too much, is dropped, whole blocks of events at a time, and
// said to be not observed; who owned then stays known.
#pragma once
#include <cstdint>
#include <optional>

#include "core/history/event.h"
#include "core/history/recording/database.h"

namespace leasescope {

struct Retention {
  std::optional<Duration> keep;  // what is older than that goes
  std::uint64_t most_bytes = 0;  // and the oldest of what would be more than that; 0: as much as there is

  bool any() const { return keep || most_bytes > 0; }
};

struct Dropped {
  std::uint64_t events = 0;  // fewer than before
  TrueTime kept_from{};      // all from there on is there; 0: nothing was dropped
};

// One transaction, of no more than so many blocks that it takes some tens of ms; in a file that is open to be changed,
// of a watch. `now`: what is old is old by it. The last block stays. Of each mutex that was told of before the cut the
// file then begins with: not observed from 0 on; the grants and last renewals in force at the cut, at their own
// moments; and, where it was, observed from the cut on. After an error the database has failed, and nothing changed.
Dropped drop_older(Database& database, const Retention& retention, TrueTime now);

}  // namespace leasescope
