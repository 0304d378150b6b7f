#include "core/store/zookeeper/server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/store/zookeeper/asker.h"
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

}  // namespace leasescope::zookeeper
