#include "core/store/zookeeper/url.h"

#include <fmt/format.h>

#include "core/store/url_servers.h"

namespace leasescope::zookeeper {

using namespace url_text;

Parsed parse_url(std::string_view, std::string_view rest) {
  StoreUrl url;
  url.endpoint.port = 2181;
  take_options(cut_behind(rest, '?'), url);
  const std::string_view path = cut_behind(rest, '/');
  // One of a password that was not written so.
  if (path.find('@') != std::string_view::npos) return wrong("there is an @ behind the host");
  const bool named = !rest.empty() && rest.back() != '@';
  if (auto taken = named ? take_servers(rest, 2181, url) : take_authority(rest, url); !taken)
    return tl::unexpected(taken.error());
  url.database = percent_decoded(path);
  while (!url.database.empty() && url.database.back() == '/') url.database.pop_back();
  take_option(url, "user", url.user);
  take_option(url, "password", url.password);
  if (!url.options.empty()) return wrong("is not an option: expected user or password", url.options.begin()->first);
  if (!url.password.empty() && url.user.empty()) return wrong("the URL has a password and no user");
  return url;
}

std::string printable(const StoreUrl& url) {
  return fmt::format("zookeeper://{}{}{}{}{}", url.user, url.user.empty() ? "" : "@", printed_servers(url),
                     url.database.empty() ? "" : "/", url.database);
}

}  // namespace leasescope::zookeeper
