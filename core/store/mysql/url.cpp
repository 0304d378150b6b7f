#include "core/store/mysql/url.h"

#include <fmt/format.h>

namespace leasescope::mysql {

using namespace url_text;

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
  for (const auto& [option, value] : url.options)
    if (option != "option-file") return wrong("is not an option: expected socket or option-file", option);
  if (url.database.empty()) return wrong("the URL names no database, in which the table simba_mutex is");
  return url;
}

std::string printable(const StoreUrl& url) {
  if (url.endpoint.unix_path.empty()) return printed("mysql", url);
  const std::string login = url.user.empty() ? "" : url.user + "@";
  return fmt::format("mysql://{}localhost/{}?socket={}", login, url.database, url.endpoint.unix_path);
}

}  // namespace leasescope::mysql
