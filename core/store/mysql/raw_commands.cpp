#include "core/store/mysql/raw_commands.h"

#include <fmt/format.h>

#include "core/base/shell_word.h"

namespace leasescope::mysql {
namespace {

// As a session reads it that nobody has told otherwise: there a backslash is a sign of its own.
std::string constant(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' || c == '\\' ? std::string(2, c) : std::string(1, c);
  return out + "'";
}

std::string client(const StoreUrl& url) {
  const auto said = [&](const char* option) {
    const auto found = url.options.find(option);
    return found == url.options.end() ? std::string() : found->second;
  };
  std::string out = "mysql";
  // It has to be the first.
  if (const std::string file = said("option-file"); !file.empty())
    out += fmt::format(" --defaults-extra-file={}", shell_word(file));
  if (!url.endpoint.unix_path.empty())
    out += fmt::format(" --socket={}", shell_word(url.endpoint.unix_path));
  else
    out += fmt::format(" -h {} -P {}", shell_word(url.endpoint.host), url.endpoint.port);
  for (const char* file : {"ssl-ca", "ssl-cert", "ssl-key"})
    if (const std::string value = said(file); !value.empty()) out += fmt::format(" --{}={}", file, shell_word(value));
  if (!url.user.empty()) out += fmt::format(" -u {}", shell_word(url.user));
  if (!url.password.empty()) out += " -p";
  return fmt::format("{} {}", out, shell_word(url.database));
}

// Empty: nothing that one statement would show.
std::string statement(const Sighting& seen) {
  if (seen.maker.empty()) return fmt::format("select * from simba_mutex where mutex = {}", constant(seen.mutex));
  if (seen.maker == "ShedLock") return fmt::format("select * from shedlock where name = {}", constant(seen.mutex));
  const std::string locks = "select * from performance_schema.metadata_locks where object_type = ";
  if (seen.system == "GET_LOCK")
    return fmt::format("{}'USER LEVEL LOCK' and object_name = {}", locks, constant(seen.mutex));
  constexpr std::string_view kTable = "table ";
  if (seen.system == "metadata lock" && seen.mutex.compare(0, kTable.size(), kTable) == 0)
    return fmt::format("{}'TABLE' and concat(object_schema, '.', object_name) = {}", locks,
                       constant(seen.mutex.substr(kTable.size())));
  return {};
}

}  // namespace

std::vector<std::string> raw_commands(const StoreUrl& url, const Sighting& seen) {
  const std::string sql = statement(seen);
  if (sql.empty()) return {};
  return {fmt::format("{} -e {}", client(url), shell_word(sql + "\\G"))};
}

}  // namespace leasescope::mysql
