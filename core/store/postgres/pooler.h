// A pooler between us and PostgreSQL, such as pgbouncer: who can be served through it, and who not.
//
// A contender's lines need a session of their own: its functions, its settings and its LISTEN live there. That there is
// a pooler is seen by the number the server gives itself, which is not the one the login named. Whether it leaves us
// our session while we are silent is seen by what only that can do: a message reaches a connection that waits for it
// and says nothing. A pooler that lends sessions for a transaction or a statement has nobody to hand such a message to,
// whatever the size of its pool.
#pragma once
#include <string>

#include <tl/expected.hpp>

#include "core/store/patience.h"
#include "core/store/postgres/asker.h"

namespace leasescope::postgres {

// To be asked first: what is said to a session that is only lent would stay in it. Errors are for people, with the
// remedy.
tl::expected<void, std::string> check_pooler(Asker& server, const StoreUrl& url, const std::stop_token& stop);

}  // namespace leasescope::postgres
