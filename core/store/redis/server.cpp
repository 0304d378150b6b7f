#include "core/store/redis/server.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

#include "core/store/redis/asker.h"
#include "core/store/redis/keys.h"
#include "core/store/redis/redis_line.h"
#include "core/store/redis/store_type.h"

namespace leasescope::redis {

namespace {

ServerCommand command(const ServerPlace& place, const std::string& socket) {
  ServerCommand out;
  out.programs = {"redis-server", "valkey-server"};
  out.package = "redis-server";
  out.arguments = {"--port",     "0",          "--unixsocket", socket,
                   "--save",     "",           "--appendonly", place.remembers ? "yes" : "no",
                   "--dir",      place.folder, "--daemonize",  "no",
                   "--loglevel", "warning",    "--maxclients", std::to_string(place.connections + 64)};
  const auto add = [&](const std::vector<std::string>& more) {
    out.arguments.insert(out.arguments.end(), more.begin(), more.end());
  };
  if (place.remembers) add({"--appendfsync", "always"});
  if (!place.password.empty()) add({"--requirepass", place.password});
  if (!place.replica) return out;
  // A replica begins at once, leaves no file behind that a server which forgets would find, and bears to be cut off.
  add({"--repl-diskless-sync", "yes", "--repl-diskless-sync-delay", "0", "--repl-diskless-load", "swapdb"});
  add({"--repl-timeout", "3600"});
  if (!place.password.empty()) add({"--masterauth", place.password});
  return out;
}

// As its administrator, one question.
Asker::Answer ask(const StoreUrl& url, const Asker::Words& words) {
  Asker server(std::chrono::seconds(5));
  if (auto connected = server.connect(url); !connected) return tl::unexpected(connected.error());
  if (auto greeted = server.greet(url); !greeted) return tl::unexpected(greeted.error());
  return server.ask(words);
}

tl::expected<void, std::string> tell(const StoreUrl& url, const Asker::Words& words) {
  const auto answer = ask(url, words);
  if (!answer) return tl::unexpected(answer.error());
  return {};
}

}  // namespace

ServerRecipe server_recipe(const ServerPlace& place) {
  ServerRecipe out;
  out.url.type = &store_type();
  out.url.given = true;
  out.url.password = place.password;
  out.url.endpoint.unix_path = place.folder + "/redis.sock";
  out.serve = command(place, out.url.endpoint.unix_path);
  if (!place.replica) return out;
  ServerReplica& replica = out.replica.emplace();
  replica.endpoint.unix_path = place.folder + "/replica.sock";
  replica.serve = command(place, replica.endpoint.unix_path);
  replica.serve.arguments.insert(replica.serve.arguments.end(), {"--appendfilename", "replica.aof"});
  return out;
}

bool answers(const StoreUrl& url) {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, url.endpoint.unix_path.c_str(), sizeof(address.sun_path) - 1);
  const bool connected = ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
  ::close(fd);
  return connected;
}

tl::expected<void, std::string> cut_sessions(const StoreUrl& url) {
  Asker server(std::chrono::seconds(5));
  if (auto connected = server.connect(url); !connected) return connected;
  if (auto greeted = server.greet(url); !greeted) return greeted;
  for (const Asker::Words& who : {Asker::Words{"TYPE", "normal", "SKIPME", "yes"}, Asker::Words{"TYPE", "pubsub"}}) {
    Asker::Words words{"CLIENT", "KILL"};
    words.insert(words.end(), who.begin(), who.end());
    if (const auto cut = server.ask(words); !cut) return tl::unexpected(cut.error());
  }
  return {};
}

tl::expected<void, std::string> erase(const StoreUrl& url, const std::string& mutex) {
  return tell(url, {"DEL", Keys(mutex).lease});
}

tl::expected<void, std::string> follow(const StoreUrl& replica, const Endpoint& leader) {
  return tell(replica, {"REPLICAOF", leader.host, std::to_string(leader.port)});
}

tl::expected<bool, std::string> follows(const StoreUrl& replica) {
  const auto answer = ask(replica, {"INFO", "replication"});
  if (!answer) return tl::unexpected(answer.error());
  return answer->text.find("master_link_status:up") != std::string::npos;
}

tl::expected<void, std::string> lead(const StoreUrl& replica) { return tell(replica, {"REPLICAOF", "NO", "ONE"}); }

}  // namespace leasescope::redis
