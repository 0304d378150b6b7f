// A call of a fenced lock's session as PostgreSQL carries it: a function of resources/sql/postgres/fenced_session.sql.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/store/store.h"

typedef struct pg_result PGresult;

namespace leasescope::postgres {

struct SessionStatement {
  std::string sql;
  std::vector<std::string> parameters;
};

SessionStatement session_statement(const Request& request, const WireNames& names);
// Of a lock that was told to wait: whether it still does.
SessionStatement await_statement(const Request& lock, const WireNames& names);

struct SessionSight {
  bool waits = false;  // there is no answer yet
  Duration again{};    // then: so long after this it looks again, unless it is told before
};
// None: it is not of our making.
std::optional<SessionSight> read_session(const PGresult* result, WireNames& names, Reply& reply);

// Where a session's waiters are told that there is an answer, and of which call.
std::string channel_of_session(std::uint64_t session);
struct SessionMessage {
  std::uint32_t thread = 0;
  std::uint64_t uid = 0;
};
std::optional<SessionMessage> parse_session_message(std::string_view payload);

}  // namespace leasescope::postgres
