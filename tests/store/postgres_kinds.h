// Private PostgreSQL servers of several kinds, each as a store type of its own: with TLS on a TCP port, a standby that
// follows another server, and a pooler in front of one.
#pragma once
#include "core/store/postgres/asker.h"
#include "core/store/postgres/server.h"
#include "core/store/postgres/store_type.h"
#include "tests/store/free_port.h"
#include "tests/store/rig.h"
#include "tests/support/certificates.h"

namespace leasescope::tests {

inline void add_words(ServerCommand& command, const std::vector<std::string>& words) {
  command.arguments.insert(command.arguments.end(), words.begin(), words.end());
}

// On a TCP port of the loopback too.
inline ServerRecipe postgres_on_tcp(const ServerPlace& place) {
  ServerRecipe out = postgres::server_recipe(place);
  const int port = free_port();
  add_words(out.serve, {"-c", "listen_addresses=127.0.0.1", "-p", std::to_string(port)});
  out.url.endpoint = {"127.0.0.1", port, ""};
  return out;
}

inline Authority& postgres_authority() {
  static Authority authority("authority of the tests");
  return authority;
}

// In its folder: the authority ca.crt, the server's certificate for "localhost" and no other name.
inline ServerRecipe postgres_with_tls(const ServerPlace& place) {
  ServerRecipe out = postgres_on_tcp(place);
  const auto file = [&](const std::string& name) { return place.folder + "/" + name; };
  const Signed own = postgres_authority().sign("server", "DNS:localhost");
  out.files.push_back({file("ca.crt"), postgres_authority().text()});
  out.files.push_back({file("server.crt"), own.certificate});
  out.files.push_back({file("server.key"), own.key});
  add_words(out.serve,
            {"-c", "ssl=on", "-c", "ssl_cert_file=" + file("server.crt"), "-c", "ssl_key_file=" + file("server.key")});
  return out;
}

inline StoreType kind_of_postgres(ServerRecipe (*recipe)(const ServerPlace&)) {
  StoreType out = postgres::store_type();
  out.recipe = recipe;
  return out;
}
inline const StoreType& tcp_postgres() {
  static const StoreType type = kind_of_postgres(postgres_on_tcp);
  return type;
}
inline const StoreType& tls_postgres() {
  static const StoreType type = kind_of_postgres(postgres_with_tls);
  return type;
}

// What stands between a pooler's clients and that server; the recipes below carry nothing.
struct PoolerSetting {
  StoreUrl server;
  std::string mode;
  int pool_size = 20;
  bool round_robin = false;
};
inline PoolerSetting& pooler_setting() {
  static PoolerSetting setting;
  return setting;
}

inline ServerRecipe pgbouncer_recipe(const ServerPlace& place) {
  const PoolerSetting& setting = pooler_setting();
  ServerRecipe out;
  const std::string ini = place.folder + "/pgbouncer.ini", users = place.folder + "/users.txt";
  out.users = {"postgres", "nobody"};  // as the server's, whose socket it uses
  out.files.push_back({users, "\"leasescope\" \"\"\n"});
  out.files.push_back({ini, fmt::format("[databases]\n* = host={} port={}\n"
                                        "[pgbouncer]\nlisten_addr =\nlisten_port = 6432\nunix_socket_dir = {}\n"
                                        "auth_type = trust\nauth_file = {}\npool_mode = {}\ndefault_pool_size = {}\n"
                                        "server_round_robin = {}\n",
                                        setting.server.endpoint.host, setting.server.endpoint.port, place.folder, users,
                                        setting.mode, setting.pool_size, setting.round_robin ? 1 : 0)});
  out.serve.programs = {"pgbouncer"};
  out.serve.package = "pgbouncer";
  out.serve.arguments = {ini};
  out.url = setting.server;
  out.url.endpoint = {place.folder, 6432, place.folder + "/.s.PGSQL.6432"};
  return out;
}
// The server has to be there before it.
inline const StoreType& pgbouncer(const PoolerSetting& setting) {
  pooler_setting() = setting;
  static const StoreType type = kind_of_postgres(pgbouncer_recipe);
  return type;
}

// What somebody does there by hand: the first field of the first row, or the server's words.
inline std::string by_hand(const StoreUrl& url, const std::string& sql) {
  postgres::Asker asker(milliseconds(10'000));
  if (const auto connected = asker.connect(url); !connected) return connected.error();
  const auto answer = asker.ask(sql);
  return answer ? postgres::first_text(*answer) : answer.error();
}

}  // namespace leasescope::tests
