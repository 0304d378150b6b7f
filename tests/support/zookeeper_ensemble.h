// A private ZooKeeper of three servers, which elect one of them as theirs and go on while two of them run.
#pragma once
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <string>

#include <fmt/format.h>

#include "core/store/zookeeper/store_type.h"
#include "simulator/live/private_server.h"

namespace leasescope::tests {

class ZookeeperEnsemble {
 public:
  static constexpr std::size_t kSize = 3;

  // Returns when all have found together.
  tl::expected<void, std::string> start() { return server_.start(); }
  // All run, and follow.
  bool whole() const {
    const std::size_t at = leader();
    return at < kSize && said_by(port(at), "mntr").find("zk_synced_followers\t2") != std::string::npos;
  }

  StoreUrl url() const { return server_.url(); }
  void kill(std::size_t i) { server_.kill(i); }
  tl::expected<void, std::string> start_again(std::size_t i) { return server_.start_again(i); }
  bool running(std::size_t i) const { return server_.running(i); }
  // Whom the majority follows; kSize: nobody.
  std::size_t leader() const {
    return which([](const std::string& said) { return said.find("Mode: leader") != std::string::npos; }, "srvr");
  }
  // Who serves that session; kSize: nobody.
  std::size_t server_of(std::int64_t session) const {
    const std::string id = fmt::format("sid=0x{:x},", static_cast<std::uint64_t>(session));
    return which([&](const std::string& said) { return said.find(id) != std::string::npos; }, "cons");
  }

 private:
  static PrivateServerOptions three() {
    PrivateServerOptions out;
    out.servers = kSize;
    return out;
  }
  int port(std::size_t i) const { return i == 0 ? url().endpoint.port : url().others[i - 1].port; }
  // The answer to a word of four letters; empty when there is none.
  static std::string said_by(int port, const std::string& word) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval second{1, 0};
    ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &second, sizeof(second));
    std::string out;
    if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0 &&
        ::send(fd, word.data(), word.size(), MSG_NOSIGNAL) == ssize_t(word.size())) {
      std::array<char, 4096> some{};
      for (ssize_t got = 0; (got = ::recv(fd, some.data(), some.size(), 0)) > 0;)
        out.append(some.data(), static_cast<std::size_t>(got));
    }
    ::close(fd);
    return out;
  }
  template <class Is>
  std::size_t which(Is is, const std::string& word) const {
    for (std::size_t i = 0; i < kSize; ++i)
      if (running(i) && is(said_by(port(i), word))) return i;
    return kSize;
  }

  PrivateServer server_{zookeeper::store_type(), three()};
};

}  // namespace leasescope::tests
