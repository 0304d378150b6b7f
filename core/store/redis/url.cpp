#include "core/store/redis/url.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include <fmt/format.h>

#include "core/store/password.h"
#include "core/store/redis/sentinel.h"
#include "core/store/url_servers.h"

namespace leasescope::redis {
namespace {

using namespace url_text;

constexpr const char* kPasswordFile = "LEASESCOPE_REDIS_PASSWORD_FILE";

struct Option {
  std::string_view name;
  std::string_view of;  // what only URLs have that have this: "TLS", "sentinels"; empty: all of them
};
constexpr std::array<Option, 8> kOptions{{{"legacy", ""},
                                          {"wake-up", ""},
                                          {"lines", ""},
                                          {"cacert", "TLS"},
                                          {"cert", "TLS"},
                                          {"key", "TLS"},
                                          {"sentinel-user", "sentinels"},
                                          {"sentinel-password", "sentinels"}}};

Done check(std::string_view name, const StoreUrl& url) {
  const auto* const found =
      std::find_if(kOptions.begin(), kOptions.end(), [&](const Option& each) { return each.name == name; });
  if (found == kOptions.end())
    return wrong(
        "is not an option of a Redis URL (user, password, db, legacy, wake-up, lines; cacert, cert, key over "
        "TLS; sentinel-user, sentinel-password)",
        name);
  if (found->of == "TLS" && !url.sealed)
    return wrong("is an option of a URL over TLS, which begins with rediss:// or rediss+sentinel://", name);
  if (found->of == "sentinels" && master_name(url).empty())
    return wrong("is an option of a URL of sentinels, which begins with redis+sentinel://", name);
  return {};
}

Done take_wake_up(StoreUrl& url) {
  const auto said = url.options.find("wake-up");
  if (said == url.options.end()) return {};
  for (const WakeUp mode : {WakeUp::kBroadcast, WakeUp::kQueue, WakeUp::kHandOver})
    if (text(mode) == said->second) url.wake_up = mode;
  if (text(url.wake_up) != said->second)
    return wrong("is no way to wake who waits: expected broadcast, queue or hand-over", said->second);
  if (url.wake_up != WakeUp::kBroadcast && is_legacy(url))
    return wrong("contradicts legacy=on, which wakes by broadcast: leave one of them out", "wake-up=" + said->second);
  return {};
}

// The nodes of a cluster are each another server, and a line that is shared cannot follow every mutex to its own; those
// of a quorum lock are all asked.
Done see_lines(const StoreUrl& url) {
  const auto said = url.options.find("lines");
  if (said == url.options.end() || said->second == "own") return {};
  if (said->second != "shared")
    return wrong("is no way to have lines: expected own, or shared by the contenders of a program", said->second);
  if (master_name(url).empty() && !url.others.empty())
    return wrong("lines=shared leads to one server, and several hosts are more than one: leave it out");
  return {};
}

// A Redis URL knows no more of them.
Done take_known_options(std::string_view query, StoreUrl& url) {
  StoreUrl given;
  take_options(query, given);
  take_option(given, "user", url.user);
  take_option(given, "password", url.password);
  take_option(given, "db", url.database);
  for (const auto& [name, value] : given.options) {
    if (auto checked = check(name, url); !checked) return checked;
    url.options[name] = value;
  }
  if (const auto legacy = url.options.find("legacy");
      legacy != url.options.end() && legacy->second != "on" && legacy->second != "off")
    return wrong("is neither on nor off: legacy=on contends beside Simba up to 3.1 too", legacy->second);
  if (auto taken = take_wake_up(url); !taken) return taken;
  if (auto seen = see_lines(url); !seen) return seen;
  if (url.options.count("cert") != url.options.count("key")) return wrong("cert and key come together");
  int number = 0;
  if (!url.database.empty() && !parse_number(url.database, 1'000'000, number))
    return wrong("is not the number of a Redis database", url.database);
  return {};
}

Done take_host(std::string_view rest, StoreUrl& url) {
  const std::string_view path = cut_behind(rest, '/');
  // One of a password that was not written so.
  if (path.find('@') != std::string_view::npos) return wrong("there is an @ behind the host");
  url.database = std::string(path);
  return take_servers(rest, 6379, url);
}

// …/master/number
Done take_sentinels(std::string_view rest, StoreUrl& url) {
  std::string_view authority = rest;
  std::string_view path = cut_behind(authority, '/');
  if (path.find('@') != std::string_view::npos) return wrong("there is an @ behind the hosts");
  url.database = std::string(cut_behind(path, '/'));
  if (path.empty()) return wrong("the URL names no master behind its sentinels");
  url.options["master"] = percent_decoded(path);
  return take_servers(authority, 26379, url);
}

Done take_socket(std::string_view rest, StoreUrl& url) {
  while (rest.size() > 1 && rest[0] == '/' && rest[1] == '/') rest.remove_prefix(1);
  url.endpoint.unix_path = percent_decoded(rest);
  if (rest.empty() || rest.front() != '/') return wrong("unix: wants the full path of a socket");
  return {};
}

}  // namespace

Parsed parse_url(std::string_view scheme, std::string_view rest) {
  StoreUrl url;
  url.sealed = scheme.substr(0, 6) == "rediss";
  const bool sentinels = scheme.find("sentinel") != std::string_view::npos;
  const std::string_view query = cut_behind(rest, '?');
  auto taken = scheme == "unix:" ? take_socket(rest, url)
               : sentinels       ? take_sentinels(rest, url)
                                 : take_host(rest, url);
  if (taken) taken = take_known_options(query, url);
  if (!taken) return tl::unexpected(taken.error());
  return url;
}

std::string printable(const StoreUrl& url) {
  if (!url.endpoint.unix_path.empty()) return "unix:" + url.endpoint.unix_path;
  const std::string master = master_name(url);
  std::string hosts;
  for (const Endpoint& each : named_in(url)) hosts += fmt::format("{}{}", hosts.empty() ? "" : ",", text_of(each));
  const auto slash = [](const std::string& part) { return part.empty() ? "" : "/"; };
  return fmt::format("{}{}://{}{}{}{}{}{}{}", url.sealed ? "rediss" : "redis", master.empty() ? "" : "+sentinel",
                     url.user, url.user.empty() ? "" : "@", hosts, slash(master), master, slash(url.database),
                     url.database);
}

bool is_legacy(const StoreUrl& url) {
  const auto found = url.options.find("legacy");
  return found != url.options.end() && found->second == "on";
}

bool shares_lines(const StoreUrl& url) {
  const auto found = url.options.find("lines");
  return found != url.options.end() && found->second == "shared";
}

Waits waits(const StoreUrl& url) {
  if (url.wake_up == WakeUp::kHandOver) return Waits::kInLine;
  return is_legacy(url) || url.wake_up == WakeUp::kQueue ? Waits::kInQueue : Waits::kNowhere;
}

tl::expected<std::string, std::string> password_of_environment(const StoreUrl&) {
  if (const char* path = std::getenv(kPasswordFile); path != nullptr && *path != '\0')
    return password_of_file(path).map_error(
        [](const std::string& error) { return std::string(kPasswordFile) + " " + error; });
  const char* const word = std::getenv("REDISCLI_AUTH");
  return word != nullptr ? std::string(word) : std::string();
}

}  // namespace leasescope::redis
