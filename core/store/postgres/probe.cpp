#include "core/store/postgres/probe.h"

#include <chrono>

#include <fmt/format.h>

#include "core/store/postgres/asker.h"
#include "core/store/postgres/texts.h"
#include "core/store/printable_text.h"

namespace leasescope::postgres {
namespace {

// For all questions together.
constexpr std::chrono::milliseconds kPatience{8000};

std::string advice(const std::string& error) {
  const auto says = [&](const char* words) { return error.find(words) != std::string::npos; };
  if (says("password authentication failed")) return "the user or the password is wrong";
  if (says("no password supplied")) return "it wants a password: postgresql://user:password@host/database";
  if (says("does not exist")) return "name an existing user and database: postgresql://user:password@host/database";
  if (says("permission denied")) return "the user must be allowed to create or use the table simba_mutex";
  return "is it running, and is this its address?";
}

// Two programs may come at the same moment; asked for first, because a table that is there needs no right to make one.
constexpr const char* kTableThere = "select 1 from pg_class where oid = to_regclass('simba_mutex')";
constexpr const char* kFenceThere =
    "select 1 from pg_attribute where attrelid = to_regclass('simba_mutex') and attname = 'fencing_token'";
constexpr const char* kOwner =
    "select owner_id from simba_mutex where mutex = $1 and transition_at >= "
    "floor(extract(epoch from clock_timestamp()) * 1000)";

}  // namespace

tl::expected<std::vector<std::string>, std::string> probe(const StoreUrl& url,
                                                          const std::vector<std::string>& mutexes) {
  const auto failed = [&](const std::string& error) {
    return tl::unexpected(fmt::format("cannot use {}: {}: {}", printable(url), error, advice(error)));
  };
  Asker server(kPatience);
  if (auto connected = server.connect(ConnInfo(url, url.endpoint)); !connected) return failed(connected.error());
  if (auto limits = server.ask("set lock_timeout = 3000; set statement_timeout = 5000"); !limits)
    return failed(limits.error());
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
  std::vector<std::string> owners;
  for (const std::string& mutex : mutexes) {
    const auto row = server.ask(kOwner, {mutex});
    if (!row) return failed(row.error());
    owners.push_back(printable_text(first_text(*row), 200));
  }
  return owners;
}

}  // namespace leasescope::postgres
