#include "core/store/postgres/url.h"

#include <fmt/format.h>

namespace leasescope::postgres {

using namespace url_text;

Parsed parse_url(std::string_view, std::string_view rest) {
  StoreUrl url;
  url.endpoint.port = 5432;
  take_options(cut_behind(rest, '?'), url);
  const auto path = take_authority_and_path(rest, url);
  if (!path) return tl::unexpected(path.error());
  url.database = percent_decoded(*path);
  take_option(url, "user", url.user);
  take_option(url, "password", url.password);
  take_option(url, "dbname", url.database);
  if (std::string port; take_option(url, "port", port) && !parse_number(port, 65535, url.endpoint.port))
    return wrong("is not a port", port);
  take_option(url, "host", url.endpoint.host);
  if (!url.endpoint.host.empty() && url.endpoint.host.front() == '/')
    url.endpoint.unix_path = fmt::format("{}/.s.PGSQL.{}", url.endpoint.host, url.endpoint.port);
  return url;
}

std::string printable(const StoreUrl& url) {
  if (url.endpoint.unix_path.empty()) return printed("postgresql", url);
  const std::string login = url.user.empty() ? "" : url.user + "@";
  const std::string path = url.database.empty() ? "" : "/" + url.database;
  return fmt::format("postgresql://{}{}?host={}&port={}", login, path, url.endpoint.host, url.endpoint.port);
}

}  // namespace leasescope::postgres
