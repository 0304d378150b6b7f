#include "core/store/postgres/probe.h"

#include <chrono>
#include <random>

#include <fmt/format.h>

#include "core/base/escaped.h"
#include "core/store/password.h"
#include "core/store/postgres/asker.h"
#include "core/store/postgres/texts.h"

namespace leasescope::postgres {
namespace {

// For all questions together.
constexpr std::chrono::milliseconds kPatience{8000};

std::string advice(const std::string& error, const StoreUrl& url) {
  const auto says = [&](const char* words) { return error.find(words) != std::string::npos; };
  if (says("password authentication failed")) return "the user or the password is wrong";
  if (says("no password supplied"))
    return fmt::format("{}: in ~/.pgpass, PGPASSWORD, --password-file or postgresql://user:password@host/database",
                       kWantsPassword);
  if (says("does not exist")) return "name an existing user and database: postgresql://user:password@host/database";
  const std::string user = url.user.empty() ? "the user" : url.user;
  if (says("to create temporary tables"))
    return fmt::format("let it keep its functions there: grant temporary on database {} to {}",
                       url.database.empty() ? "…" : url.database, user);
  if (says("permission denied for table"))
    return fmt::format("let it use the table: grant select, insert, update on simba_mutex to {}", user);
  if (says("permission denied"))
    return fmt::format(
        "let it make the table (grant create on schema public to {}), or make it with resources/sql/postgres/table.sql",
        user);
  if (says("read-only transaction") || says("recovery"))
    return "this server takes no writes (a standby?): name the primary";
  if (says("no answer") || says("connect") || says("resolve")) return "is it running, and is this its address?";
  if (says("ERROR")) return "its table simba_mutex must take the run's writes";
  return "is it running, and is this its address?";
}

// What the lease calls do, on a row beside the mutex's that nobody ever sees. $1: the mutex, $2: what sets it apart.
constexpr const char* kTrial[] = {
    "insert into simba_mutex (mutex, acquired_at, ttl_at, transition_at, owner_id, version, fencing_token) "
    "values (left($1, 45) || $2, 0, 0, 0, '', 0, 0)",
    "select 1 from simba_mutex m where m.mutex = left($1, 45) || $2 for update",
    "update simba_mutex m set owner_id = 'probe', version = m.version + 1, fencing_token = m.fencing_token + 1 "
    "where m.mutex = left($1, 45) || $2",
    "select pg_notify(left($1, 0) || 'leasescope_probe', $2)"};

tl::expected<void, std::string> try_calls(Asker& server, const std::string& mutex) {
  if (auto opened = server.ask("begin"); !opened) return tl::unexpected(opened.error());
  const std::string apart = fmt::format(":probe:{:08x}", std::random_device()());
  for (const char* sql : kTrial)
    if (auto tried = server.ask(sql, {mutex, apart}); !tried) return tl::unexpected(tried.error());
  if (auto closed = server.ask("rollback"); !closed) return tl::unexpected(closed.error());
  return {};
}

// Two programs may come at the same moment; asked for first, because a table that is there needs no right to make one.
constexpr const char* kTableThere = "select 1 from pg_class where oid = to_regclass('simba_mutex')";
constexpr const char* kFenceThere =
    "select 1 from pg_attribute where attrelid = to_regclass('simba_mutex') and attname = 'fencing_token'";
constexpr const char* kOwner =
    "select owner_id from simba_mutex where mutex = $1 and transition_at >= "
    "floor(extract(epoch from clock_timestamp()) * 1000)";

}  // namespace

Looked probe(const StoreUrl& url, const std::vector<std::string>& mutexes, const std::stop_token& stop) {
  const auto failed = [&](const std::string& error) {
    return tl::unexpected(fmt::format("cannot use {}: {}: {}", printable(url), error, advice(error, url)));
  };
  Asker server(kPatience, stop);
  if (auto connected = server.connect(url); !connected) return failed(connected.error());
  for (const std::string& words : {first_sql(), std::string("set lock_timeout = 3000; set statement_timeout = 5000")})
    if (auto said = server.ask(words); !said) return failed(said.error());
  const auto table = server.ask(kTableThere);
  if (!table) return failed(table.error());
  if (first_text(*table).empty()) {
    const auto made =
        server.ask("begin; select pg_advisory_xact_lock(hashtext('leasescope')); " + table_sql() + "; commit");
    if (!made) return failed(made.error());
  }
  const auto fence = server.ask(kFenceThere);
  if (!fence) return failed(fence.error());
  if (first_text(*fence).empty())
    return tl::unexpected(
        fmt::format("cannot use {}: its table simba_mutex has no column fencing_token: alter table "
                    "simba_mutex add column fencing_token bigint not null default 0",
                    printable(url)));
  if (auto set_up = server.ask(session_sql()); !set_up) return failed(set_up.error());
  if (!mutexes.empty())
    if (auto tried = try_calls(server, mutexes.front()); !tried) return failed(tried.error());
  StoreLook look;
  for (const std::string& mutex : mutexes) {
    const auto row = server.ask(kOwner, {mutex});
    if (!row) return failed(row.error());
    look.holders.push_back(escaped(first_text(*row), 200));
  }
  return look;
}

}  // namespace leasescope::postgres
