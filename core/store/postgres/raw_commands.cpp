#include "core/store/postgres/raw_commands.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/base/shell_word.h"

namespace leasescope::postgres {
namespace {

// Settings of libpq that are, or lead to, no secret: what is not here the client asks for, or finds where it is.
constexpr std::array<std::string_view, 13> kSaid{"channel_binding",
                                                 "connect_timeout",
                                                 "gssencmode",
                                                 "hostaddr",
                                                 "options",
                                                 "passfile",
                                                 "service",
                                                 "sslcert",
                                                 "sslkey",
                                                 "sslmode",
                                                 "sslrootcert",
                                                 "sslsni",
                                                 "target_session_attrs"};

// As a keyword and its value stand in a string for libpq.
std::string setting(std::string_view keyword, std::string_view value) {
  constexpr std::string_view kOdd = " '\\";
  if (!value.empty() && value.find_first_of(kOdd) == std::string_view::npos)
    return fmt::format("{}={}", keyword, value);
  std::string quoted;
  for (const char c : value) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return fmt::format("{}='{}'", keyword, quoted);
}

std::string connection(const StoreUrl& url) {
  std::string hosts = url.endpoint.host, ports = std::to_string(url.endpoint.port);
  for (const Endpoint& each : url.others) {
    hosts += "," + each.host;
    ports += fmt::format(",{}", each.port);
  }
  std::string out = fmt::format("{} {}", setting("host", hosts), setting("port", ports));
  if (!url.user.empty()) out += fmt::format(" {}", setting("user", url.user));
  if (!url.database.empty()) out += fmt::format(" {}", setting("dbname", url.database));
  for (const auto& [keyword, value] : url.options)
    if (std::find(kSaid.begin(), kSaid.end(), keyword) != kSaid.end())
      out += fmt::format(" {}", setting(keyword, value));
  return out;
}

// A string constant, whatever the server takes a backslash for.
std::string constant(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '\'' || c == '\\' ? std::string(2, c) : std::string(1, c);
  return fmt::format("{}'{}'", text.find('\\') == std::string::npos ? "" : "E", out);
}

// Empty: nothing that one statement would show.
std::string statement(const Sighting& seen) {
  if (seen.maker.empty()) return fmt::format("select * from simba_mutex where mutex = {}", constant(seen.mutex));
  if (seen.maker == kOwnMaker)
    return fmt::format(
        "select * from leasescope_lock l left join leasescope_session s using (session) where l.mutex = {}",
        constant(seen.mutex));
  if (seen.maker == "ShedLock") return fmt::format("select * from shedlock where name = {}", constant(seen.mutex));
  if (seen.system == "advisory lock") return "select * from pg_locks where locktype = 'advisory'";
  if (seen.system == "row lock") return "select * from pg_locks where locktype in ('tuple', 'transactionid')";
  return {};
}

}  // namespace

std::vector<std::string> raw_commands(const StoreUrl& url, const Sighting& seen) {
  const std::string sql = statement(seen);
  if (sql.empty()) return {};
  return {fmt::format("psql {} -x -c {}", shell_word(connection(url)), shell_word(sql))};
}

}  // namespace leasescope::postgres
