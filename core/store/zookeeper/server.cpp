#include "core/store/zookeeper/server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <random>

#include <fmt/format.h>

#include "core/store/server_walk.h"
#include "core/store/zookeeper/asker.h"
#include "core/store/zookeeper/lock_name.h"
#include "core/store/zookeeper/node_name.h"
#include "core/store/zookeeper/store_type.h"

namespace leasescope::zookeeper {
namespace {

// That one, if nobody has it now, else 0; any, if none is wished. Its server keeps it over restarts, for its clients
// look for it there.
int free_port(int wish = 0) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(wish));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  const bool bound = ::bind(fd, reinterpret_cast<const sockaddr*>(&address), size) == 0 &&
                     ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  ::close(fd);
  return bound ? ntohs(address.sin_port) : 0;
}

// Below those that the system hands out: one of them is bound only when its server is elected, and may not have been
// given to somebody's connection meanwhile.
int quiet_port() {
  static std::mt19937 draw(std::random_device{}());
  for (int i = 0; i < 1000; ++i)
    if (const int port = free_port(std::uniform_int_distribution<int>(20'000, 32'000)(draw)); port != 0) return port;
  return 0;
}

std::string configuration(const std::string& data, int port) {
  return fmt::format(
      "tickTime={}\ndataDir={}\nclientPort={}\nclientPortAddress=127.0.0.1\nmaxClientCnxns=0\n"
      "minSessionTimeout={}\nmaxSessionTimeout={}\nadmin.enableServer=false\n4lw.commands.whitelist=*\n",
      kTick.count(), data, port, kShortestSession.count(), kLongestSession.count());
}

// No write waits for a disk where it need not; who kills the server finds every node that it has answered for.
ServerCommand command(const std::string& file, bool waits_for_disk) {
  ServerCommand out;
  out.programs = {"java"};
  out.package = "default-jre-headless libzookeeper-java";
  out.arguments = {"-Xmx256m",
                   "-XX:+UseSerialGC",
                   "-XX:TieredStopAtLevel=1",
                   "-XX:-UsePerfData",
                   fmt::format("-Dzookeeper.forceSync={}", waits_for_disk ? "yes" : "no"),
                   "-cp",
                   "/usr/share/java/zookeeper.jar",
                   "org.apache.zookeeper.server.quorum.QuorumPeerMain",
                   file};
  return out;
}

// Each in a folder of its own within the server's. A 3.8.0 that is a change behind the one that is elected acknowledges
// that change and the new leader from two threads; comes the first one first, the leader takes it for one of another
// epoch, waits until initLimit is over and lets elect anew. A disk that is waited for lets it come later.
ServerRecipe ensemble(const ServerPlace& place) {
  ServerRecipe out;
  std::string peers = "initLimit=12\nsyncLimit=8\n";
  for (int i = 1; i <= place.servers; ++i)
    peers += fmt::format("server.{}=127.0.0.1:{}:{}\n", i, quiet_port(), quiet_port());
  for (int i = 1; i <= place.servers; ++i) {
    const std::string folder = fmt::format("{}/{}", place.folder, i);
    Endpoint at;
    at.port = free_port();
    out.files.push_back({folder + "/zoo.cfg", configuration(folder, at.port) + peers});
    out.files.push_back({folder + "/myid", fmt::format("{}\n", i)});
    const ServerCommand serve = command(folder + "/zoo.cfg", true);
    i == 1 ? void(out.serve = serve) : out.beside.push_back(serve);
    i == 1 ? void(out.url.endpoint = at) : out.url.others.push_back(at);
  }
  return out;
}

ServerRecipe single(const ServerPlace& place) {
  ServerRecipe out;
  const std::string file = place.folder + "/zoo.cfg";
  out.url.endpoint.port = free_port();
  out.files.push_back({file, configuration(place.folder + "/data", out.url.endpoint.port)});
  out.serve = command(file, false);
  return out;
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

// Of a latch, or of a fenced lock of that name; empty: nobody holds either.
tl::expected<std::string, std::string> node_of_holder(Asker& server, const std::string& mutex) {
  const auto latches = server.list(folder_of(mutex));
  if (!latches) return tl::unexpected(latches.error());
  if (const auto nodes = in_order(*latches); !nodes.empty())
    return fmt::format("{}/{}", folder_of(mutex), nodes.front());
  const auto locks = server.list(lock_folder_of(mutex));
  if (!locks) return tl::unexpected(locks.error());
  if (const auto line = line_of(*locks); !line.empty())
    return fmt::format("{}/{}", lock_folder_of(mutex), line.front());
  return std::string();
}

}  // namespace

ServerRecipe server_recipe(const ServerPlace& place) {
  ServerRecipe out = place.servers > 1 ? ensemble(place) : single(place);
  out.url.type = &store_type();
  out.url.given = true;
  return out;
}

bool answers(const StoreUrl& url) {
  const std::vector<Endpoint> servers = servers_of(url);
  return std::all_of(servers.begin(), servers.end(), [&](const Endpoint& each) {
    StoreUrl one = url;
    one.endpoint = each;
    one.others.clear();
    Asker server(std::chrono::milliseconds(1000));
    return server.connect(one).has_value();
  });
}

tl::expected<void, std::string> end_session(const StoreUrl& url, const std::string& mutex) {
  Asker server(std::chrono::seconds(5));
  if (auto connected = server.connect(url); !connected) return connected;
  const auto node = node_of_holder(server, mutex);
  if (!node) return tl::unexpected(node.error());
  if (node->empty()) return {};
  const auto first = server.look(*node);
  if (!first) return tl::unexpected(first.error());
  if (first->owner == 0) return {};
  Asker other(std::chrono::seconds(5));
  return other.connect(url, identity_of(first->owner));
}

}  // namespace leasescope::zookeeper
