#include "core/store/url_servers.h"

#include <fmt/format.h>

#include "core/store/server_walk.h"

namespace leasescope::url_text {

Done take_servers(std::string_view authority, int port, StoreUrl& url) {
  const std::size_t login = authority.rfind('@') + 1;  // 0: there is none
  for (std::string_view servers = authority.substr(login); !servers.empty();) {
    std::string_view server = servers;
    servers = cut_behind(server, ',');
    StoreUrl one;
    one.endpoint.port = port;
    if (auto taken = take_authority(server, one); !taken) return taken;
    url.others.push_back(one.endpoint);
  }
  if (url.others.empty()) return wrong("the URL names no host");
  if (auto taken = take_authority(authority.substr(0, login), url); !taken) return taken;
  url.endpoint = url.others.front();
  url.others.erase(url.others.begin());
  return {};
}

std::string printed_servers(const StoreUrl& url) {
  std::string out;
  for (const Endpoint& each : servers_of(url)) {
    const bool v6 = each.host.find(':') != std::string::npos;
    out += fmt::format("{}{}{}{}:{}", out.empty() ? "" : ",", v6 ? "[" : "", each.host, v6 ? "]" : "", each.port);
  }
  return out;
}

}  // namespace leasescope::url_text
