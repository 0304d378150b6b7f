#include "core/store/redis/raw_commands.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/base/shell_word.h"
#include "core/store/redis/sentinel.h"

namespace leasescope::redis {
namespace {

std::string place(const Endpoint& at) {
  if (!at.unix_path.empty()) return fmt::format(" -s {}", shell_word(at.unix_path));
  return fmt::format(" -h {} -p {}", shell_word(at.host), at.port);
}

std::string sealed(const StoreUrl& url) {
  if (!url.sealed) return {};
  std::string out = " --tls";
  for (const char* file : {"cacert", "cert", "key"})
    if (const auto found = url.options.find(file); found != url.options.end())
      out += fmt::format(" --{} {}", file, shell_word(found->second));
  return out;
}

// What comes before and behind what is asked. Sentinels are asked first who is the master.
struct Client {
  std::string before, behind;
};

// None: it cannot be said in a line.
std::optional<Client> client(const StoreUrl& url) {
  const std::string master = master_name(url);
  const bool led = !master.empty();
  Client out;
  if (led) {
    if (url.options.count("sentinel-user") + url.options.count("sentinel-password") > 0) return std::nullopt;
    out.before = fmt::format("(set -- $(redis-cli{}{} --raw SENTINEL get-master-addr-by-name {}) && ",
                             place(url.endpoint), sealed(url), shell_word(master));
    out.behind = fmt::format(")");
  }
  const std::string at = led ? fmt::format(" -h \"$1\" -p \"$2\"") : place(url.endpoint);
  out.before += fmt::format("redis-cli{}{}", at, sealed(url));
  if (master.empty() && !url.others.empty()) out.before += " -c";
  if (!url.database.empty() && url.database != "0") out.before += fmt::format(" -n {}", shell_word(url.database));
  if (!url.user.empty()) out.before += fmt::format(" --user {}", shell_word(url.user));
  if (!url.password.empty()) out.before += " --askpass";
  return out;
}

}  // namespace

// What stands there of another maker's is a text, or the fields or members of its key; the rest was read from these.
std::vector<std::string> raw_commands(const StoreUrl& url, const Sighting& seen) {
  const std::optional<Client> asker = client(url);
  std::vector<std::string> out;
  if (!asker) return out;
  const auto ask = [&](std::string_view what, const std::string& key, std::string_view more = {}) {
    out.push_back(fmt::format("{} {} {}{}{}", asker->before, what, shell_word(key), more, asker->behind));
  };
  if (seen.maker.empty()) {
    for (const auto& [key, value] : seen.raw) ask("GET", key);
    if (!seen.raw.empty()) ask("PTTL", seen.raw.front().first);
    return out;
  }
  const std::string within = seen.mutex + " ";
  const auto is_part = [&](const auto& each) { return each.first.compare(0, within.size(), within) == 0; };
  const auto is_key = [&](const auto& each) { return each.first == seen.mutex; };
  if (std::any_of(seen.raw.begin(), seen.raw.end(), is_key))
    ask("GET", seen.mutex);
  else if (std::none_of(seen.raw.begin(), seen.raw.end(), is_part))
    return out;
  else if (seen.system == "semaphore")
    ask("ZRANGE", seen.mutex, " 0 -1 WITHSCORES");
  else
    ask("HGETALL", seen.mutex);
  ask("PTTL", seen.mutex);
  return out;
}

}  // namespace leasescope::redis
