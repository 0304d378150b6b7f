#include "core/store/mysql/advice.h"

#include <fmt/format.h>

#include "core/store/mysql/errors.h"
#include "core/store/mysql/login.h"
#include "core/store/password.h"
#include "core/store/tls/session.h"

namespace leasescope::mysql {
namespace {

struct Remedy {
  const char* says;  // what is found in the error
  const char* remedy;
};

constexpr const char* kIsNone = "name a file that is one";

// The first that fits.
constexpr Remedy kRemedies[] = {
    {"expected the certificate", kIsNone},
    {"expected the client's certificate", kIsNone},
    {"expected the key", kIsNone},
    {"expected an option file", "name one that can be read, or leave ?option-file= out"},
    {kNoMore, "let the URL say it: ?ssl=on"},
    {tls::kWantsCertificate, "name one that it accepts: ?ssl-cert=FILE&ssl-key=FILE"},
    {tls::kUntrusted, "name the authority that signed it: ?ssl-ca=FILE, or SSL_CERT_FILE"},
    {tls::kInvalidNow, "renew it, and see that both clocks are right"},
    {tls::kOthersCertificate, "name the host as its certificate does"},
    {"no connection within", "is it running, and is this its address?"},
    {tls::kNoTls, "let it have a certificate (ssl_cert, ssl_key), or leave ssl out of the URL and the option file"},
};

// A server says no more than that, also where it is TLS or a certificate that it misses.
std::string of_wrong_login(const StoreUrl& url) {
  std::string out = "the user or the password is wrong";
  if (!url.endpoint.unix_path.empty()) return out;
  if (!url.sealed) return out + ", or it must come over TLS (?ssl=on)";
  if (url.options.count("ssl-cert") == 0) out += ", or it must show a certificate (?ssl-cert=FILE&ssl-key=FILE)";
  out += ", or it logs in by sha256_password, which cannot be done over TLS here (caching_sha2_password can)";
  return out;
}

std::string user_of(const StoreUrl& url) { return url.user.empty() ? "the user" : url.user; }

// Where somebody who only looks can do something else than a contender; empty: he cannot.
std::string remedy_of_watcher(const Trouble& trouble, const StoreUrl& url) {
  switch (trouble.error) {
    case kDatabaseDenied:
      return fmt::format("let it look at the table: grant select on {}.simba_mutex to {}", url.database, user_of(url));
    case kCommandDenied:
      if (trouble.message.find("simba_mutex") == std::string::npos)
        return fmt::format("let it look at that: grant select on it to {}", user_of(url));
      return fmt::format("let it look at the table: grant select on {}.simba_mutex to {}", url.database, user_of(url));
    case kNoTable:
      return "nobody has contended here yet, or the table is in another database";
    case kHostDenied:
      return fmt::format("let {} in from this host: create user {}@…", user_of(url), user_of(url));
    case kLockWaitOver:
      return "somebody has it for himself: it is asked again";
    case kTooManyConnections:
      return "let it have more connections (max_connections)";
    case kLoginDenied:
    case kLoginDeniedWithoutPassword:
    case kUnknownDatabase:
    case kNoDatabase:
      return {};
    default:
      return trouble.error >= 1000 && trouble.error < 2000 ? fmt::format("it must let {} select there", user_of(url))
                                                           : std::string();
  }
}

}  // namespace

std::string advice(const Trouble& trouble, const StoreUrl& url) {
  switch (trouble.error) {
    case kLoginDenied:
      if (trouble.message.find("using password: NO") == std::string::npos) return of_wrong_login(url);
      return fmt::format("{}: in ~/.my.cnf, MYSQL_PWD, --password-file or mysql://user:password@host/database",
                         kWantsPassword);
    case kLoginDeniedWithoutPassword:
      return "this user logs in by another way than a password: name one with a password";
    case kUnknownDatabase:
    case kNoDatabase:
      return "name an existing database: mysql://user:password@host/database";
    case kDatabaseDenied:
    case kCommandDenied:
      return fmt::format("let it use the table: grant select, insert, update on {}.simba_mutex to {}", url.database,
                         user_of(url));
    case kReadOnlyServer:
    case kReadOnlyTransaction:
    case kReadOnlyStorage:
      return "this server takes no writes (a replica?): name the primary";
    case kStatementLogOnly:
      return "its log must take rows: set global binlog_format = 'MIXED'";
    case kSecureTransportOnly:
      return "it takes nobody without TLS: ?ssl=on, and its authority: ?ssl-ca=FILE";
    default:
      for (const Remedy& each : kRemedies)
        if (trouble.error == 0 && trouble.message.find(each.says) != std::string::npos) return each.remedy;
      return trouble.error >= 1000 && trouble.error < 2000 ? "its table simba_mutex must take the run's writes"
                                                           : "is it running, and is this its address?";
  }
}

std::string advised_to_watcher(const Trouble& trouble, const StoreUrl& url) {
  const std::string own = remedy_of_watcher(trouble, url);
  return fmt::format("{}: {}", trouble.message, own.empty() ? advice(trouble, url) : own);
}

}  // namespace leasescope::mysql
