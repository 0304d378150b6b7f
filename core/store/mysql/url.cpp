#include "core/store/mysql/url.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/store/mysql/login.h"

namespace leasescope::mysql {

using namespace url_text;

namespace {

constexpr std::array<std::string_view, 5> kOptions{"option-file", "ssl", "ssl-ca", "ssl-cert", "ssl-key"};

Done check_options(const StoreUrl& url) {
  for (const auto& [option, value] : url.options) {
    if (std::find(kOptions.begin(), kOptions.end(), option) == kOptions.end())
      return wrong(
          "is not an option: expected socket, option-file; ssl=on, ssl-ca, ssl-cert, ssl-key for TLS, which always "
          "checks the certificate and the host's name",
          option);
    if (option.rfind("ssl", 0) != 0) continue;
    if (!url.endpoint.unix_path.empty())
      return wrong("is an option of a connection to a host, not to a socket", option);
    if (option == "ssl" && value != "on" && value != "off") return wrong("is neither on nor off", "ssl=" + value);
  }
  const auto has = [&](const char* name) { return url.options.count(name) != 0; };
  if (has("ssl-cert") != has("ssl-key")) return wrong("ssl-cert and ssl-key come together");
  const auto ssl = url.options.find("ssl");
  if (ssl != url.options.end() && ssl->second == "off" && (has("ssl-ca") || has("ssl-cert")))
    return wrong("ssl=off contradicts the files for TLS: leave one of them out");
  return {};
}

}  // namespace

Parsed parse_url(std::string_view, std::string_view rest) {
  StoreUrl url;
  url.endpoint.port = 3306;
  take_options(cut_behind(rest, '?'), url);
  const auto path = take_authority_and_path(rest, url);
  if (!path) return tl::unexpected(path.error());
  url.database = percent_decoded(*path);
  take_option(url, "user", url.user);
  take_option(url, "password", url.password);
  take_option(url, "socket", url.endpoint.unix_path);
  if (const auto checked = check_options(url); !checked) return tl::unexpected(checked.error());
  if (url.database.empty()) return wrong("the URL names no database, in which the table simba_mutex is");
  const auto login = login_of(url);
  if (!login) return wrong(login.error());
  url.sealed = login->tls.has_value();
  return url;
}

std::string printable(const StoreUrl& url) {
  if (url.endpoint.unix_path.empty()) return printed("mysql", url);
  const std::string login = url.user.empty() ? "" : url.user + "@";
  return fmt::format("mysql://{}localhost/{}?socket={}", login, url.database, url.endpoint.unix_path);
}

}  // namespace leasescope::mysql
