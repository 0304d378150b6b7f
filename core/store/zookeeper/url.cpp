#include "core/store/zookeeper/url.h"

namespace leasescope::zookeeper {

using namespace url_text;

Parsed parse_url(std::string_view, std::string_view rest) {
  StoreUrl url;
  url.endpoint.port = 2181;
  take_options(cut_behind(rest, '?'), url);
  const auto path = take_authority_and_path(rest, url);
  if (!path) return tl::unexpected(path.error());
  url.database = percent_decoded(*path);
  while (!url.database.empty() && url.database.back() == '/') url.database.pop_back();
  take_option(url, "user", url.user);
  take_option(url, "password", url.password);
  if (!url.options.empty()) return wrong("is not an option: expected user or password", url.options.begin()->first);
  if (!url.password.empty() && url.user.empty()) return wrong("the URL has a password and no user");
  return url;
}

std::string printable(const StoreUrl& url) { return printed("zookeeper", url); }

}  // namespace leasescope::zookeeper
