#include "core/store/postgres/url.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "core/store/postgres/conninfo.h"
#include "core/store/server_walk.h"
#include "core/store/url_servers.h"

namespace leasescope::postgres {

using namespace url_text;

namespace {

constexpr const char* kTarget = "target_session_attrs";

using Settings = std::map<std::string, std::string>;  // by libpq's keywords

std::string_view next_of(std::string_view& list) {
  std::string_view first = list;
  list = cut_behind(first, ',');
  return first;
}

// h1:p1,h2:p2 behind the login, as libpq has them: the hosts in one list, the ports in another.
Done take_hosts(std::string_view authority, StoreUrl& url, Settings& settings) {
  const std::size_t login = authority.rfind('@') + 1;  // 0: there is none
  if (auto taken = take_authority(authority.substr(0, login), url); !taken) return taken;
  std::string hosts, ports;
  if (authority.ends_with(',')) return wrong("a host of its list has no name");
  for (std::string_view left = authority.substr(login); !left.empty();) {
    StoreUrl one;
    one.endpoint.host.clear();
    if (auto taken = take_authority(next_of(left), one); !taken) return taken;
    const char* const comma = hosts.empty() ? "" : ",";
    hosts += fmt::format("{}{}", comma, one.endpoint.host);
    ports += one.endpoint.port == 0 ? comma : fmt::format("{}{}", comma, one.endpoint.port);
  }
  if (!hosts.empty()) settings["host"] = hosts;
  if (ports.find_first_not_of(',') != std::string::npos) settings["port"] = ports;
  return {};
}

// One port is that of all hosts, and an empty one the usual one.
Done make_servers(const Settings& settings, StoreUrl& url) {
  const auto said = [&](const char* keyword) {
    const auto found = settings.find(keyword);
    return found == settings.end() ? std::string_view() : std::string_view(found->second);
  };
  std::string_view hosts = said("host"), ports = said("port");
  const bool one_port = ports.find(',') == std::string_view::npos;
  const std::string address(said("hostaddr"));
  if (hosts.empty()) hosts = address.empty() ? "127.0.0.1" : std::string_view(address);
  if (hosts.ends_with(',')) return wrong("a host of its list has no name");
  std::vector<Endpoint> servers;
  for (std::string_view port = next_of(ports); !hosts.empty(); port = one_port ? port : next_of(ports)) {
    Endpoint server;
    server.host = next_of(hosts);
    server.port = 5432;
    if (server.host.empty()) return wrong("a host of its list has no name");
    if (!port.empty() && (!parse_number(port, 65535, server.port) || server.port == 0))
      return wrong("is not a port", port);
    if (server.host.front() == '/') server.unix_path = fmt::format("{}/.s.PGSQL.{}", server.host, server.port);
    servers.push_back(server);
  }
  if (!ports.empty()) return wrong("it has more ports than hosts");
  if (servers.size() > 1 && !address.empty()) return wrong("hostaddr goes with one host");
  if (!address.empty()) url.options["hostaddr"] = address;
  url.endpoint = servers.front();
  url.others.assign(servers.begin() + 1, servers.end());
  return {};
}

// Of several servers the one that takes writes is meant, where nothing else is said. No lease is kept on another.
Done choose_target(const Settings& settings, StoreUrl& url) {
  const auto found = settings.find(kTarget);
  const std::string target = found == settings.end() ? "any" : found->second;
  if (target != "any" && target != "read-write" && target != "primary")
    return wrong("is no target_session_attrs for a lease, which is written: expected primary, read-write or any",
                 target);
  if (target == "any" && !url.others.empty()) url.options.emplace(kTarget, "primary");
  return {};
}

// Who is named by a service is not named by the URL.
void take_login(Settings& settings, StoreUrl& url) {
  const char* const service = std::getenv("PGSERVICE");
  if (url.options.count("service") == 0 && (service == nullptr || *service == '\0')) return;
  if (url.user.empty()) url.user = settings["user"];
  if (url.database.empty()) url.database = settings["dbname"];
}

// Where nothing else is said libpq takes TLS from whoever offers it.
bool may_be_sealed(Settings& settings, const StoreUrl& url) {
  return url.endpoint.unix_path.empty() && settings["sslmode"] != "disable";
}

}  // namespace

Parsed parse_url(std::string_view, std::string_view rest) {
  StoreUrl url;
  take_options(cut_behind(rest, '?'), url);
  const std::string_view path = cut_behind(rest, '/');
  // One of a password that was not written so.
  if (path.find('@') != std::string_view::npos) return wrong("there is an @ behind the host");
  Settings settings;
  if (auto taken = take_hosts(rest, url, settings); !taken) return tl::unexpected(taken.error());
  url.database = percent_decoded(path);
  take_option(url, "user", url.user);
  take_option(url, "password", url.password);
  take_option(url, "dbname", url.database);
  for (const auto& [keyword, value] : url.options) settings[keyword] = value;
  for (const char* keyword : {"host", "port", "hostaddr"}) url.options.erase(keyword);
  if (!url.user.empty()) settings["user"] = url.user;
  if (!url.database.empty()) settings["dbname"] = url.database;
  auto whole = completed_by_libpq(settings);
  if (!whole) return wrong("is what libpq says to it", whole.error());
  auto taken = make_servers(*whole, url);
  if (taken) taken = choose_target(*whole, url);
  if (!taken) return tl::unexpected(taken.error());
  take_login(*whole, url);
  url.sealed = may_be_sealed(*whole, url);
  return url;
}

std::string printable(const StoreUrl& url) {
  const std::vector<Endpoint> servers = servers_of(url);
  const bool by_socket =
      std::any_of(servers.begin(), servers.end(), [](const Endpoint& each) { return !each.unix_path.empty(); });
  const std::string login = url.user.empty() ? "" : url.user + "@";
  const std::string path = url.database.empty() ? "" : "/" + url.database;
  std::string hosts, ports;
  for (const Endpoint& each : servers) {
    const char* const comma = hosts.empty() ? "" : ",";
    hosts += fmt::format("{}{}", comma, each.host);
    ports += fmt::format("{}{}", comma, each.port);
  }
  if (by_socket) return fmt::format("postgresql://{}{}?host={}&port={}", login, path, hosts, ports);
  return fmt::format("postgresql://{}{}{}", login, printed_servers(url), path);
}

}  // namespace leasescope::postgres
