// A private pooler in front of a private PostgreSQL: a store type of its own. Debian: pgbouncer.
#pragma once
#include <chrono>
#include <string>

#include <fmt/format.h>

#include "core/store/postgres/asker.h"
#include "core/store/postgres/server.h"
#include "core/store/postgres/store_type.h"

namespace leasescope::tests {

inline StoreType kind_of_postgres(ServerRecipe (*recipe)(const ServerPlace&)) {
  StoreType out = postgres::store_type();
  out.recipe = recipe;
  return out;
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
  postgres::Asker asker(std::chrono::milliseconds(10'000));
  if (const auto connected = asker.connect(url); !connected) return connected.error();
  const auto answer = asker.ask(sql);
  return answer ? postgres::first_text(*answer) : answer.error();
}

}  // namespace leasescope::tests
