// Other people's mutexes, handed from one client to another on the same server.
#pragma once
#include <stdexcept>
#include <string_view>
#include <vector>

#include "core/store/url.h"
#include "tests/bench/handoff/floor.h"

namespace leasescope::bench {

struct NotInstalled : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct PeerKind {
  std::string_view store;  // the first word of its type
  std::string_view name;   // what it is called in the table
  // So many times, from before the release until the other one owns. Throws NotInstalled where it is not there.
  std::vector<Watch::duration> (*samples)(const StoreUrl& url, int count);
};

const std::vector<PeerKind>& peers();

// pg_advisory_lock of one session, awaited by another.
std::vector<Watch::duration> postgres_advisory(const StoreUrl& url, int count);

}  // namespace leasescope::bench
