#include "core/store/etcd/url.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include <fmt/format.h>

#include "core/store/url_servers.h"

namespace leasescope::etcd {
namespace {

using namespace url_text;

constexpr std::array<std::string_view, 3> kFiles{"cacert", "cert", "key"};

Done check_options(const StoreUrl& url) {
  for (const auto& [option, value] : url.options) {
    if (std::find(kFiles.begin(), kFiles.end(), option) == kFiles.end())
      return wrong("is not an option of an etcd URL (user, password; cacert, cert, key over TLS)", option);
    if (!url.sealed) return wrong("is an option of a URL over TLS, which begins with etcds://", option);
  }
  if (url.options.count("cert") != url.options.count("key")) return wrong("cert and key come together");
  if (!url.password.empty() && url.user.empty()) return wrong("the URL has a password and no user");
  return {};
}

}  // namespace

Parsed parse_url(std::string_view scheme, std::string_view rest) {
  StoreUrl url;
  url.endpoint.port = 2379;
  url.sealed = scheme == "etcds://";
  take_options(cut_behind(rest, '?'), url);
  const std::string_view path = cut_behind(rest, '/');
  // One of a password that was not written so.
  if (path.find('@') != std::string_view::npos) return wrong("there is an @ behind the host");
  const bool named = !rest.empty() && rest.back() != '@';
  if (auto taken = named ? take_servers(rest, 2379, url) : take_authority(rest, url); !taken)
    return tl::unexpected(taken.error());
  url.database = percent_decoded(path);
  take_option(url, "user", url.user);
  take_option(url, "password", url.password);
  if (auto checked = check_options(url); !checked) return tl::unexpected(checked.error());
  return url;
}

std::string printable(const StoreUrl& url) {
  return fmt::format("{}://{}{}{}{}{}", url.sealed ? "etcds" : "etcd", url.user, url.user.empty() ? "" : "@",
                     printed_servers(url), url.database.empty() ? "" : "/", url.database);
}

// Of whom it is stands in the URL.
tl::expected<std::string, std::string> password_of_environment(const StoreUrl& url) {
  const char* const word = url.user.empty() ? nullptr : std::getenv("ETCDCTL_PASSWORD");
  return word != nullptr ? std::string(word) : std::string();
}

}  // namespace leasescope::etcd
