#include <libpq-fe.h>

#include <utility>

#include "tests/bench/handoff/peer.h"
#include "tests/bench/handoff/postgres_connection.h"

namespace leasescope::bench {

std::vector<Watch::duration> postgres_advisory(const StoreUrl& url, int count) {
  PostgresConnection owner = connect_postgres(url), waiter = connect_postgres(url);
  const PostgresConnection onlooker = connect_postgres(url);
  std::vector<Watch::duration> out;
  carry_out(owner, "SELECT pg_advisory_lock(4711)");
  for (int i = 0; i < count; ++i) {
    say(waiter, "SELECT pg_advisory_lock(4711)");
    // It waits once the server says so, and not before.
    for (bool waits = false; !waits;) {
      PGresult* result = PQexec(onlooker.get(), "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted");
      waits = PQntuples(result) == 1;
      PQclear(result);
    }
    const auto begin = Watch::now();
    say(owner, "SELECT pg_advisory_unlock(4711)");
    answered(waiter);
    out.push_back(Watch::now() - begin);
    answered(owner);
    std::swap(owner, waiter);
  }
  return out;
}

}  // namespace leasescope::bench
