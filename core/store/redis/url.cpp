#include "core/store/redis/url.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "core/store/password.h"

namespace leasescope::redis {
namespace {

using namespace url_text;

constexpr const char* kPasswordFile = "LEASESCOPE_REDIS_PASSWORD_FILE";
constexpr std::array<std::string_view, 3> kTlsOptions{"cacert", "cert", "key"};

// A Redis URL knows no more of them.
Done take_known_options(std::string_view query, StoreUrl& url) {
  take_options(query, url);
  take_option(url, "user", url.user);
  take_option(url, "password", url.password);
  take_option(url, "db", url.database);
  for (const auto& [option, value] : url.options) {
    if (std::find(kTlsOptions.begin(), kTlsOptions.end(), option) == kTlsOptions.end())
      return wrong("is not an option of a Redis URL (user, password, db; over TLS cacert, cert, key)", option);
    if (!url.sealed) return wrong("is an option of a URL over TLS, which begins with rediss://", option);
  }
  if (url.options.count("cert") != url.options.count("key")) return wrong("cert and key come together");
  int number = 0;
  if (!url.database.empty() && !parse_number(url.database, 1'000'000, number))
    return wrong("is not the number of a Redis database", url.database);
  return {};
}

Done take_host(std::string_view rest, StoreUrl& url) {
  url.endpoint.port = 6379;
  const auto path = take_authority_and_path(rest, url);
  if (!path) return tl::unexpected(path.error());
  url.database = std::string(*path);
  return {};
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
  url.sealed = scheme == "rediss://";
  const std::string_view query = cut_behind(rest, '?');
  auto taken = scheme == "unix:" ? take_socket(rest, url) : take_host(rest, url);
  if (taken) taken = take_known_options(query, url);
  if (!taken) return tl::unexpected(taken.error());
  return url;
}

std::string printable(const StoreUrl& url) {
  return url.endpoint.unix_path.empty() ? printed(url.sealed ? "rediss" : "redis", url) : "unix:" + url.endpoint.unix_path;
}

tl::expected<std::string, std::string> password_of_environment(const StoreUrl&) {
  if (const char* path = std::getenv(kPasswordFile); path != nullptr && *path != '\0')
    return password_of_file(path).map_error(
        [](const std::string& error) { return std::string(kPasswordFile) + " " + error; });
  const char* const word = std::getenv("REDISCLI_AUTH");
  return word != nullptr ? std::string(word) : std::string();
}

}  // namespace leasescope::redis
