#include "core/store/mysql/server.h"

#include <fmt/format.h>

#include "core/store/mysql/asker.h"
#include "core/store/mysql/errors.h"
#include "core/store/mysql/store_type.h"
#include "core/store/mysql/texts.h"

namespace leasescope::mysql {
namespace {

constexpr const char* kUser = "leasescope";
constexpr const char* kDatabase = "leasescope";

ServerCommand command(const char* program) {
  ServerCommand out;
  out.programs = {program};
  out.folders = {"/usr/sbin", "/usr/bin"};
  out.package = "mariadb-server-core";
  return out;
}

// A statement a line, at every start.
std::string first_words(const ServerPlace& place) {
  std::string quoted;
  for (const char c : place.password) quoted += c == '\'' || c == '\\' ? std::string{'\\', c} : std::string{c};
  return fmt::format(
      "create database if not exists {0};\n"
      "create user if not exists {1}@localhost identified by '{2}';\n"
      "grant all on *.* to {1}@localhost with grant option;\n",
      kDatabase, kUser, quoted);
}

ServerCommand make_database(const ServerPlace& place, const std::string& data) {
  ServerCommand out = command("mariadb-install-db");
  out.arguments = {"--no-defaults", "--datadir=" + data, "--tmpdir=" + place.folder,
                   "--auth-root-authentication-method=normal", "--skip-test-db"};
  return out;
}

StoreUrl url_in(const ServerPlace& place, const std::string& socket) {
  StoreUrl url;
  url.type = &store_type();
  url.given = true;
  url.endpoint.host = "localhost";
  url.endpoint.port = 3306;
  url.endpoint.unix_path = socket;
  url.user = kUser;
  url.password = place.password;
  url.database = kDatabase;
  url.options["option-file"] = "";  // its own password, or none, whatever the user's other servers want
  return url;
}

}  // namespace

ServerRecipe server_recipe(const ServerPlace& place) {
  ServerRecipe out;
  const std::string data = place.folder + "/data", init = place.folder + "/init.sql", socket = place.folder + "/mysql";
  out.users = {"mysql", "nobody"};
  out.files.push_back({init, first_words(place)});
  out.prepare = make_database(place, data);
  out.serve = command("mariadbd");
  // No write waits for a disk, but a commit is in the log before it is answered: who kills the server finds every lease
  // that it has granted.
  out.serve.arguments = {"--no-defaults",
                         "--datadir=" + data,
                         "--socket=" + socket,
                         "--pid-file=" + place.folder + "/pid",
                         "--tmpdir=" + place.folder,
                         "--init-file=" + init,
                         "--skip-networking",
                         "--skip-log-bin",
                         "--innodb-flush-log-at-trx-commit=2",
                         "--innodb-doublewrite=0",
                         "--innodb-buffer-pool-size=16M",
                         fmt::format("--max-connections={}", place.connections + 20)};
  out.url = url_in(place, socket);
  return out;
}

bool answers(const StoreUrl& url) {
  Asker server(std::chrono::milliseconds(1000));
  return server.connect(url).has_value();
}

tl::expected<void, std::string> cut_sessions(const StoreUrl& url) {
  Asker server(std::chrono::seconds(5));
  if (const auto connected = server.connect(url); !connected) return tl::unexpected(connected.error().message);
  const auto ids = server.ask(
      "select group_concat(concat('kill ', id) separator ';') from information_schema.processlist "
      "where user = substring_index(user(), '@', 1) and id <> connection_id()");
  if (!ids) return tl::unexpected(ids.error().message);
  if (ids->empty() || ids->front().empty()) return {};
  const auto cut = server.ask(ids->front());
  if (!cut && cut.error().error != kNoSuchThread) return tl::unexpected(cut.error().message);
  return {};
}

// Its mutex may not have been contended for yet: then its row is made.
tl::expected<std::shared_ptr<void>, std::string> stall(const StoreUrl& url, const std::string& mutex) {
  auto server = std::make_shared<Asker>(std::chrono::seconds(5));
  if (const auto connected = server->connect(url); !connected) return tl::unexpected(connected.error().message);
  const std::string name = literal(mutex);
  const auto held = server->ask(
      "insert ignore into simba_mutex (mutex, acquired_at, ttl_at, transition_at, owner_id, version) "
      "values (" +
      name + ", 0, 0, 0, '', 0); begin; select * from simba_mutex where mutex = " + name + " for update");
  if (!held) return tl::unexpected(held.error().message);
  return server;
}

}  // namespace leasescope::mysql
