#include "core/store/postgres/advice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/store/password.h"
#include "core/store/postgres/texts.h"

namespace leasescope::postgres {
namespace {

struct Remedy {
  const char* says;  // in the error
  const char* then;
};

constexpr const char* kAddress = "is it running, and is this its address?";

// The first that is said.
constexpr Remedy kRemedies[] = {
    {"password authentication failed", "the user or the password is wrong"},
    {"does not match host name", "name the host as its certificate does"},
    {"certificate verify failed", "name the file of the authority that signed its certificate: ?sslrootcert=FILE"},
    {"root certificate file", "name the file of the authority that signed its certificate: ?sslrootcert=FILE"},
    {"does not support SSL", "it speaks no TLS: let it, or go without: ?sslmode=disable"},
    {"no pg_hba.conf entry", "let its pg_hba.conf admit this user from here"},
    {"read-only transaction", "this server takes no writes (a standby?): name the primary"},
    {"recovery", "this server takes no writes (a standby?): name the primary"},
    {"hot standby mode", "this server takes no writes (a standby?): name the primary"},
    {"session is read-only", "this server takes no writes (a standby?): name the primary"},
    {"no answer", kAddress},
    {"does not exist", "name an existing user and database: postgresql://user:password@host/database"},
};

// The same of somebody who only looks, before the others.
constexpr const char* kWait = "wait until it is ready";
constexpr const char* kOnlyPrimary = "name the primary, or look at a standby too: ?target_session_attrs=any";
constexpr Remedy kRemediesOfWatcher[] = {
    // Beside what became of a second attempt without TLS.
    {"password authentication failed", "the user or the password is wrong"},
    {"no encryption",
     "let its pg_hba.conf admit this user from here, or come over TLS: "
     "?sslmode=verify-full&sslrootcert=FILE"},
    {"starting up", kWait},
    {"shutting down", kWait},
    {"recovery mode", kWait},
    {"read-only transaction", kOnlyPrimary},
    {"hot standby mode", kOnlyPrimary},
    {"session is read-only", kOnlyPrimary},
    {"too many", "let it have more connections (max_connections)"},
    {"connection slots", "let it have more connections (max_connections)"},
    {"relation \"simba_mutex\"",
     "nobody has contended here yet, or the table is in another database or schema (?options=-csearch_path%3D…)"},
    {"canceling statement", "somebody has it for himself: it is asked again"},
    {"column \"", "its table simba_mutex is not the one of Simba: name the database or schema of that one"},
};

std::string user_of(const StoreUrl& url) { return url.user.empty() ? "the user" : url.user; }

std::string tables(Family family) { return fmt::format("{}", fmt::join(table_names(family), ", ")); }

// Whoever waits, or had a session, leaves no row behind.
std::string rights(const StoreUrl& url, Family family) {
  const bool deletes = family == Family::kSession;
  std::string out = fmt::format("grant select, insert, update{} on {} to {}", deletes ? ", delete" : "", tables(family),
                                user_of(url));
  if (const std::string_view sequence = sequence_name(family); !sequence.empty())
    out += fmt::format("; grant usage on sequence {} to {}", sequence, user_of(url));
  return out;
}

}  // namespace

std::string words_for_the_table(const StoreUrl& url, Family family) {
  std::string one_line;
  const std::string& sql = table_sql(family);
  for (const char c : sql.substr(sql.find("create "))) {
    const bool blank = c == '\n' || c == ' ';
    if (!blank || (!one_line.empty() && one_line.back() != ' ')) one_line += blank ? ' ' : c;
  }
  one_line.resize(one_line.find_last_not_of(" ;") + 1);
  return fmt::format("{}; {}", one_line, rights(url, family));
}

std::string advice(const std::string& error, const StoreUrl& url, Family family) {
  const auto says = [&](const char* words) { return error.find(words) != std::string::npos; };
  if (says("no password supplied"))
    return fmt::format("{}: in ~/.pgpass, PGPASSWORD, --password-file or postgresql://user:password@host/database",
                       kWantsPassword);
  if (says("to create temporary tables"))
    return fmt::format("let it keep its functions there: grant temporary on database {} to {}",
                       url.database.empty() ? "…" : url.database, user_of(url));
  if (says("permission denied for table") || says("permission denied for sequence"))
    return fmt::format("let it use the table: {}", rights(url, family));
  for (const Remedy& remedy : kRemedies)
    if (says(remedy.says)) return remedy.then;
  if (says("ERROR")) return fmt::format("its table {} must take the run's writes", tables(family));
  return kAddress;
}

std::string advised_to_watcher(const std::string& error, const StoreUrl& url) {
  const auto says = [&](const char* words) { return error.find(words) != std::string::npos; };
  const std::string database = url.database.empty() ? "…" : url.database;
  if (says("permission denied for database"))
    return fmt::format("{}: let it in: grant connect on database {} to {}", error, database, user_of(url));
  if (says("permission denied for schema"))
    return fmt::format("{}: let it look there: grant usage on that schema to {}", error, user_of(url));
  if (says("permission denied for table simba_mutex"))
    return fmt::format("{}: let it look at the table: grant select on simba_mutex to {}", error, user_of(url));
  if (says("permission denied for table leasescope_"))
    return fmt::format("{}: let it look at those of fenced locks: grant select on {} to {}", error,
                       "leasescope_lock, leasescope_session, leasescope_waiter", user_of(url));
  if (says("permission denied"))
    return fmt::format("{}: let it look there: grant select on that to {}", error, user_of(url));
  for (const Remedy& each : kRemediesOfWatcher)
    if (says(each.says)) return fmt::format("{}: {}", error, each.then);
  if (!says("ERROR")) return fmt::format("{}: {}", error, advice(error, url, Family::kLease));
  return fmt::format("{}: it must let {} select there", error, user_of(url));
}

}  // namespace leasescope::postgres
