// A private ZooKeeper of three servers, which elect one of them as theirs and go on while two of them run.
#pragma once
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/store/zookeeper/server.h"
#include "core/store/zookeeper/store_type.h"
#include "simulator/live/private_server.h"
#include "tests/store/free_port.h"

namespace leasescope::tests {

class ZookeeperEnsemble {
 public:
  static constexpr std::size_t kSize = 3;

  // Returns when all have found together.
  tl::expected<void, std::string> start() {
    peers().clear();
    for (std::size_t i = 0; i < kSize; ++i)
      peers() += fmt::format("server.{}=127.0.0.1:{}:{}\n", i + 1, quiet_port(), quiet_port());
    for (std::size_t i = 0; i < kSize; ++i) {
      number() = i + 1;
      members_[i] = std::make_unique<PrivateServer>(member_type());
      if (auto started = members_[i]->start(); !started) return started;
    }
    for (int i = 0; i < 200 && !whole(); ++i) ::usleep(50'000);
    if (!whole()) return tl::unexpected<std::string>("the servers have not found together within 10s");
    return {};
  }
  // All run, and follow.
  bool whole() const {
    const std::size_t at = leader();
    if (at == kSize) return false;
    return said_by(members_[at]->url().endpoint.port, "mntr").find("zk_synced_followers\t2") != std::string::npos;
  }

  StoreUrl url() const {
    StoreUrl out = members_[0]->url();
    out.type = &zookeeper::store_type();
    for (std::size_t i = 1; i < kSize; ++i) out.others.push_back(members_[i]->url().endpoint);
    return out;
  }
  PrivateServer& member(std::size_t i) { return *members_[i]; }
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
  // Below those that the system hands out: one of them is bound only when its server is elected, and may not have been
  // given to somebody's connection meanwhile.
  static int quiet_port() {
    static std::mt19937 draw(std::random_device{}());
    for (int i = 0; i < 1000; ++i) {
      const int port = std::uniform_int_distribution<int>(20'000, 32'000)(draw);
      const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
      const sockaddr_in address = loopback(port);
      const bool bound = ::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
      ::close(fd);
      if (bound) return port;
    }
    return 0;
  }
  static sockaddr_in loopback(int port) {
    sockaddr_in out{};
    out.sin_family = AF_INET;
    out.sin_port = htons(static_cast<std::uint16_t>(port));
    out.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return out;
  }

  // A recipe carries nothing: what the next one is made with.
  static std::string& peers() {
    static std::string text;
    return text;
  }
  static std::size_t& number() {
    static std::size_t of_it = 1;
    return of_it;
  }
  static ServerRecipe recipe(const ServerPlace& place) {
    ServerRecipe out = zookeeper::server_recipe(place);
    std::string& text = out.files.front().text;
    const std::string data = place.folder + "/data";
    text.replace(text.find(data), data.size(), place.folder);
    // A 3.8.0 that is a change behind the one that is elected acknowledges that change and the new leader from two
    // threads; comes the first one first, the leader takes it for one of another epoch, waits until initLimit is over
    // and lets elect anew. A disk that is waited for lets it come later.
    for (std::string& word : out.serve.arguments)
      if (word == "-Dzookeeper.forceSync=no") word = "-Dzookeeper.forceSync=yes";
    text += "initLimit=12\nsyncLimit=8\n" + peers();
    out.files.push_back({place.folder + "/myid", fmt::format("{}\n", number())});
    return out;
  }
  // Alone it serves nobody, and says so.
  static bool listens(const StoreUrl& url) { return !said_by(url.endpoint.port, "ruok").empty(); }
  static const StoreType& member_type() {
    static const StoreType type = [] {
      StoreType out = zookeeper::store_type();
      out.recipe = recipe;
      out.answers = listens;
      return out;
    }();
    return type;
  }

  // The answer to a word of four letters; empty when there is none.
  static std::string said_by(int port, const std::string& word) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in address = loopback(port);
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
      if (members_[i]->running() && is(said_by(members_[i]->url().endpoint.port, word))) return i;
    return kSize;
  }

  std::array<std::unique_ptr<PrivateServer>, kSize> members_;
};

}  // namespace leasescope::tests
