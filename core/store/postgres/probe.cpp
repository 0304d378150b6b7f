#include "core/store/postgres/probe.h"

#include <libpq-fe.h>

#include <memory>

#include <fmt/format.h>

#include "core/store/postgres/conninfo.h"
#include "core/store/postgres/texts.h"

namespace leasescope::postgres {
namespace {

struct Free {
  void operator()(PGconn* connection) const { PQfinish(connection); }
  void operator()(PGresult* result) const { PQclear(result); }
};
using Connection = std::unique_ptr<PGconn, Free>;
using Result = std::unique_ptr<PGresult, Free>;

std::string advice(const std::string& error) {
  const auto says = [&](const char* words) { return error.find(words) != std::string::npos; };
  if (says("password authentication failed")) return "the user or the password is wrong";
  if (says("no password supplied")) return "it wants a password: postgresql://user:password@host/database";
  if (says("does not exist")) return "name an existing user and database: postgresql://user:password@host/database";
  if (says("permission denied")) return "the user must be allowed to create or use the table simba_mutex";
  return "is it running, and is this its address?";
}

bool good(const Result& result) {
  const ExecStatusType status = PQresultStatus(result.get());
  return status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK;
}

std::string first_text(const Result& result) {
  return PQntuples(result.get()) == 0 ? std::string() : std::string(PQgetvalue(result.get(), 0, 0));
}

// Two programs may come at the same moment; asked for first, because a table that is there needs no right to make one.
constexpr const char* kTableThere = "select 1 from pg_class where oid = to_regclass('simba_mutex')";
constexpr const char* kFenceThere =
    "select 1 from pg_attribute where attrelid = to_regclass('simba_mutex') and attname = 'fencing_token'";

}  // namespace

tl::expected<std::vector<std::string>, std::string> probe(const StoreUrl& url,
                                                          const std::vector<std::string>& mutexes) {
  ConnInfo info(url, url.endpoint);
  info.set("connect_timeout", "3");
  const Connection connection(PQconnectdbParams(info.keywords().data(), info.values().data(), 0));
  const auto failed = [&](const std::string& error) {
    return tl::unexpected(fmt::format("cannot use {}: {}: {}", printable(url), error, advice(error)));
  };
  if (PQstatus(connection.get()) != CONNECTION_OK) return failed(error_of(connection.get()));
  PQsetNoticeProcessor(
      connection.get(), [](void*, const char*) {}, nullptr);
  const auto ask = [&](const std::string& sql) { return Result(PQexec(connection.get(), sql.c_str())); };
  if (Result limits = ask("set lock_timeout = 3000; set statement_timeout = 5000"); !good(limits))
    return failed(error_of(connection.get()));
  if (first_text(ask(kTableThere)).empty()) {
    const Result made = ask("begin; select pg_advisory_xact_lock(hashtext('leasescope')); " + table_sql() + "; commit");
    if (!good(made)) return failed(error_of(connection.get()));
  }
  if (first_text(ask(kFenceThere)).empty())
    return tl::unexpected(
        fmt::format("cannot use {}: its table simba_mutex has no column fencing_token: alter table "
                    "simba_mutex add column fencing_token bigint not null default 0",
                    printable(url)));
  std::vector<std::string> owners;
  for (const std::string& mutex : mutexes) {
    const char* const parameters[] = {mutex.c_str()};
    const Result row(PQexecParams(connection.get(),
                                  "select owner_id from simba_mutex where mutex = $1 and transition_at >= "
                                  "floor(extract(epoch from clock_timestamp()) * 1000)",
                                  1, nullptr, parameters, nullptr, nullptr, 0));
    if (!good(row)) return failed(error_of(connection.get()));
    owners.push_back(first_text(row));
  }
  return owners;
}

}  // namespace leasescope::postgres
