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

}  // namespace leasescope::postgres
