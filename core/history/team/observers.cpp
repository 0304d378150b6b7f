#include "core/history/team/observers.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/escaped.h"
#include "core/history/recording/event_block.h"

namespace leasescope::team {
namespace {

using Kind = SqlError::Kind;

constexpr std::int64_t kSeed = 0x4c736348;  // "LscH": others' locks have other numbers

constexpr const char* kTry =
    "select pg_try_advisory_lock($1::bigint), a.pid, a.backend_start::text from pg_stat_activity a "
    "where a.pid = pg_backend_pid()";
// Last: whether it has said nothing for a while. A watch that lives does, twice a second.
constexpr const char* kHolder =
    "select l.pid, a.backend_start::text, to_char(a.backend_start at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS'), "
    "host(a.client_addr), coalesce(a.state <> 'active' and a.state_change < clock_timestamp() - interval '3 seconds', "
    "false) from pg_locks l left join pg_stat_activity a on a.pid = l.pid "
    "where l.locktype = 'advisory' and l.granted and l.objsubid = 1 "
    "and l.database = (select d.oid from pg_database d where d.datname = current_database()) "
    "and l.classid::bigint = (($1::bigint >> 32) & 4294967295) and l.objid::bigint = ($1::bigint & 4294967295)";

}  // namespace

std::string why_no_observer(const std::string& name) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '-';
  };
  if (!name.empty() && name.size() <= kLongestObserver && std::all_of(name.begin(), name.end(), is_plain)) return {};
  return fmt::format("{}: expected a name of at most {} letters, digits and . _ -, such as api-1",
                     name.empty() ? "(nothing)" : escaped(name, 60), kLongestObserver);
}

NameLock::NameLock(std::string observer) : observer_(std::move(observer)), number_(sum_of(observer_, kSeed)) {}

Done NameLock::take(Connection& database) {
  const auto tried = database.ask({kTry, {SqlValue(number_)}, std::nullopt});
  if (!tried) return tl::unexpected(tried.error());
  if (!tried->yes(0, 0)) return look_who(database);
  ours_.emplace_back(tried->number(0, 1), std::string(tried->text(0, 2)));
  return {};
}

Done NameLock::look_who(Connection& database) {
  const auto again = [&] {
    return tl::unexpected(SqlError{Kind::kAgain, "its own session of before is not over yet", "name"});
  };
  const auto holder = database.ask({kHolder, {SqlValue(number_)}, std::nullopt});
  if (!holder) return tl::unexpected(holder.error());
  if (holder->size() == 0) return again();
  const std::pair<std::int64_t, std::string> who(holder->number(0, 0), std::string(holder->text(0, 1)));
  if (std::find(ours_.begin(), ours_.end(), who) != ours_.end()) {
    const auto ended = database.ask({"select pg_terminate_backend($1::integer)", {SqlValue(who.first)}, std::nullopt});
    if (!ended) return tl::unexpected(ended.error());
    return again();
  }
  const std::string since = holder->has(0, 2) ? fmt::format(" since {} UTC", holder->text(0, 2)) : "";
  const std::string from = holder->has(0, 3) ? fmt::format(", from {}", holder->text(0, 3)) : "";
  const bool is_silent = holder->yes(0, 4);
  return tl::unexpected(SqlError{
      is_silent ? Kind::kAgain : Kind::kRefused,
      fmt::format(
          "an observer of the name {} records there already{}{}{}: give this one another with --observer NAME, or "
          "end that one (one whose machine has gone without a word is let go within half a minute)",
          observer_, since, from, is_silent ? ", and has said nothing for a while" : ""),
      "name"});
}

}  // namespace leasescope::team
