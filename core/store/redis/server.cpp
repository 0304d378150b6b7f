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

ServerRecipe server_recipe(const ServerPlace& place) {
  ServerRecipe out;
  out.url.type = &store_type();
  out.url.given = true;
  out.url.password = place.password;
  out.url.endpoint.unix_path = place.folder + "/redis.sock";
  out.serve.programs = {"redis-server", "valkey-server"};
  out.serve.package = "redis-server";
  out.serve.arguments = {"--port",     "0",          "--unixsocket", out.url.endpoint.unix_path,
                         "--save",     "",           "--appendonly", place.remembers ? "yes" : "no",
                         "--dir",      place.folder, "--daemonize",  "no",
                         "--loglevel", "warning",    "--maxclients", std::to_string(place.connections + 64)};
  if (place.remembers) out.serve.arguments.insert(out.serve.arguments.end(), {"--appendfsync", "always"});
  if (!place.password.empty()) out.serve.arguments.insert(out.serve.arguments.end(), {"--requirepass", place.password});
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
  Asker server(std::chrono::seconds(5));
  if (auto connected = server.connect(url); !connected) return connected;
  if (auto greeted = server.greet(url); !greeted) return greeted;
  const auto erased = server.ask({"DEL", Keys(mutex).lease});
  if (!erased) return tl::unexpected(erased.error());
  return {};
}

}  // namespace leasescope::redis
