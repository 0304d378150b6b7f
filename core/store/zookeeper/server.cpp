#include "core/store/zookeeper/server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/store/zookeeper/asker.h"
#include "core/store/zookeeper/node_name.h"
#include "core/store/zookeeper/store_type.h"

namespace leasescope::zookeeper {
namespace {

// One that nobody has now. Its server keeps it over restarts, for its clients look for it there.
int free_port() {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  const bool bound = ::bind(fd, reinterpret_cast<const sockaddr*>(&address), size) == 0 &&
                     ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  ::close(fd);
  return bound ? ntohs(address.sin_port) : 0;
}

// A short tick, by which sessions of a second are granted: from two ticks to twenty.
std::string configuration(const ServerPlace& place, int port) {
  return fmt::format(
      "tickTime=250\ndataDir={}/data\nclientPort={}\nclientPortAddress=127.0.0.1\nmaxClientCnxns=0\n"
      "maxSessionTimeout=60000\nadmin.enableServer=false\n4lw.commands.whitelist=*\n",
      place.folder, port);
}

// A server draws the password of a session from its number, with the generator of Java and a fixed secret: an
// administrator can come to any session with it.
Session::Identity identity_of(std::int64_t session) {
  constexpr std::uint64_t kSecret = 0xb3415c00, kMultiplier = 0x5deece66d, kBits = (std::uint64_t{1} << 48) - 1;
  std::uint64_t state = (static_cast<std::uint64_t>(session) ^ kSecret ^ kMultiplier) & kBits;
  Session::Identity out;
  out.id = session;
  for (std::size_t i = 0; i < out.password.size(); i += 4) {
    state = (state * kMultiplier + 0xb) & kBits;
    const auto drawn = static_cast<std::uint32_t>(state >> 16);
    for (std::size_t k = 0; k < 4; ++k) out.password[i + k] = static_cast<char>(drawn >> (8 * k) & 0xff);
  }
  return out;
}

}  // namespace

ServerRecipe server_recipe(const ServerPlace& place) {
  ServerRecipe out;
  const std::string file = place.folder + "/zoo.cfg";
  const int port = free_port();
  out.files.push_back({file, configuration(place, port)});
  out.serve.programs = {"java"};
  out.serve.package = "default-jre-headless libzookeeper-java";
  // No write waits for a disk; who kills the server finds every node that it has answered for.
  out.serve.arguments = {"-Xmx256m",
                         "-XX:+UseSerialGC",
                         "-XX:TieredStopAtLevel=1",
                         "-XX:-UsePerfData",
                         "-Dzookeeper.forceSync=no",
                         "-cp",
                         "/usr/share/java/zookeeper.jar",
                         "org.apache.zookeeper.server.quorum.QuorumPeerMain",
                         file};
  out.url.type = &store_type();
  out.url.given = true;
  out.url.endpoint.port = port;
  return out;
}

bool answers(const StoreUrl& url) {
  Asker server(std::chrono::milliseconds(1000));
  return server.connect(url).has_value();
}

tl::expected<void, std::string> end_session(const StoreUrl& url, const std::string& mutex) {
  Asker server(std::chrono::seconds(5));
  if (auto connected = server.connect(url); !connected) return connected;
  const auto names = server.list(folder_of(mutex));
  if (!names) return tl::unexpected(names.error());
  const std::vector<std::string> nodes = in_order(*names);
  if (nodes.empty()) return {};
  const auto first = server.look(fmt::format("{}/{}", folder_of(mutex), nodes.front()));
  if (!first) return tl::unexpected(first.error());
  if (first->owner == 0) return {};
  Asker other(std::chrono::seconds(5));
  return other.connect(url, identity_of(first->owner));
}

}  // namespace leasescope::zookeeper
