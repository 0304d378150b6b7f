#include "core/store/postgres/server.h"

#include <libpq-fe.h>

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "core/store/postgres/asker.h"
#include "core/store/postgres/conninfo.h"
#include "core/store/postgres/store_type.h"
#include "core/store/postgres/texts.h"

namespace leasescope::postgres {
namespace {

constexpr int kPort = 5432;  // only the name of its socket

// Debian keeps the servers out of PATH, one folder a version; the newest first.
std::vector<std::string> folders() {
  std::vector<std::string> out;
  std::error_code none;
  for (const auto& version : std::filesystem::directory_iterator("/usr/lib/postgresql", none))
    out.push_back(version.path().string() + "/bin");
  std::sort(out.rbegin(), out.rend());
  return out;
}

ServerCommand command(const char* program) {
  ServerCommand out;
  out.programs = {program};
  out.folders = folders();
  out.package = "postgresql";
  return out;
}

ServerCommand make_database(const ServerPlace& place, const std::string& data, const std::string& password_file) {
  ServerCommand out = command("initdb");
  out.arguments = {"-D", data, "-U", "leasescope", "-N", "--no-locale", "-E", "UTF8", "--no-instructions", "-A"};
  out.arguments.emplace_back(place.password.empty() ? "trust" : "scram-sha-256");
  if (!place.password.empty()) out.arguments.insert(out.arguments.end(), {"--pwfile", password_file});
  out.end_signal = 0;  // its bootstrapping server leaves shared memory behind on any signal
  return out;
}

StoreUrl url_in(const ServerPlace& place) {
  StoreUrl url;
  url.type = &store_type();
  url.given = true;
  url.password = place.password;
  url.endpoint.host = place.folder;
  url.endpoint.port = kPort;
  url.endpoint.unix_path = fmt::format("{}/.s.PGSQL.{}", place.folder, kPort);
  url.user = "leasescope";
  url.database = "postgres";
  return url;
}

}  // namespace

ServerRecipe server_recipe(const ServerPlace& place) {
  ServerRecipe out;
  const std::string data = place.folder + "/data", password_file = place.folder + "/password";
  out.users = {"postgres", "nobody"};
  if (!place.password.empty()) out.files.push_back({password_file, place.password});
  out.prepare = make_database(place, data, password_file);
  out.serve = command("postgres");
  // No write waits for a disk, but a commit is in the log before it is answered: who kills the server finds every lease
  // that it has granted.
  out.serve.arguments = {"-D", data,
                         "-k", place.folder,
                         "-p", std::to_string(kPort),
                         "-c", "listen_addresses=",
                         "-c", "fsync=off",
                         "-c", "full_page_writes=off",
                         "-c", "shared_buffers=16MB",
                         "-c", "autovacuum=off",
                         "-c", fmt::format("max_connections={}", place.connections + 20)};
  // Its quick shutdown, at once and without a word to anybody: a killed postmaster would leave its shared memory
  // behind, and its children leave the group.
  out.serve.end_signal = SIGQUIT;
  out.url = url_in(place);
  return out;
}

bool answers(const StoreUrl& url) {
  const ConnInfo info(url, url.endpoint);
  return PQpingParams(info.keywords().data(), info.values().data(), 0) == PQPING_OK;
}

tl::expected<void, std::string> cut_sessions(const StoreUrl& url) {
  Asker server(std::chrono::seconds(5));
  if (auto connected = server.connect(url); !connected) return connected;
  const auto cut = server.ask(
      "select pg_terminate_backend(pid) from pg_stat_activity "
      "where backend_type = 'client backend' and pid <> pg_backend_pid()");
  if (!cut) return tl::unexpected(cut.error());
  return {};
}

tl::expected<void, std::string> end_session(const StoreUrl& url, const std::string& mutex) {
  Asker server(std::chrono::seconds(5));
  if (auto connected = server.connect(url); !connected) return connected;
  if (const auto ready = server.ask(session_sql(Family::kSession)); !ready) return tl::unexpected(ready.error());
  const auto ended = server.ask(
      "select pg_temp.leasescope_close(l.mutex, l.session) from leasescope_lock l where l.mutex = $1 and l.held > 0",
      {mutex});
  if (!ended) return tl::unexpected(ended.error());
  return {};
}

// Its mutex may not have been contended for yet: then its row is made.
tl::expected<std::shared_ptr<void>, std::string> stall(const StoreUrl& url, const std::string& mutex) {
  auto server = std::make_shared<Asker>(std::chrono::seconds(5));
  if (const auto connected = server->connect(url); !connected) return tl::unexpected(connected.error());
  const auto made =
      server->ask("insert into simba_mutex values ($1, 0, 0, 0, '', 0, 0) on conflict do nothing", {mutex});
  if (!made) return tl::unexpected(made.error());
  if (const auto begun = server->ask("begin"); !begun) return tl::unexpected(begun.error());
  const auto held = server->ask("select * from simba_mutex where mutex = $1 for update", {mutex});
  if (!held) return tl::unexpected(held.error());
  return server;
}

}  // namespace leasescope::postgres
