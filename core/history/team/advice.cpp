#include "core/history/team/advice.h"

#include <fmt/format.h>

#include "core/store/postgres/advice.h"

namespace leasescope::team {
namespace {

std::string remedy(const SqlError& error, const StoreUrl& url) {
  const auto says = [&](const char* words) { return error.words.find(words) != std::string::npos; };
  const std::string user = url.user.empty() ? "its user" : url.user;
  const std::string database = url.database.empty() ? "…" : url.database;
  if (error.state == "name" || error.state == "form") return {};  // they say it themselves
  if (error.state == "rows") return "begin another recording: start the watch again";
  if (says("permission denied for database"))
    return fmt::format("let it make its tables: grant create on database {} to {}", database, user);
  if (says("must be owner of"))
    return fmt::format(
        "the days of a history are made and dropped by whoever made its tables: let all observers log in as that user, "
        "or grant it to {}",
        user);
  if (error.state == "42501")
    return fmt::format(
        "who reads needs: grant usage on schema leasescope_history to {0}; grant select on all tables in schema "
        "leasescope_history to {0}; who records has to be the user that made the tables",
        user);
  if (error.state == "25006") return "this server takes no writes (a standby?): name the primary";
  if (error.state == "26000")
    return "a pooler in between lends a session for a transaction only: name the server itself, or set pool_mode = "
           "session";
  if (error.state == "53100") return "make room on its disk";
  if (!error.state.empty()) return {};
  return postgres::advice(error.words, url, Family::kLease);
}

}  // namespace

std::string told(const SqlError& error, const StoreUrl& url) {
  const std::string then = remedy(error, url);
  return fmt::format("{}: {}{}{}", printable(url), error.words, then.empty() ? "" : ": ", then);
}

}  // namespace leasescope::team
