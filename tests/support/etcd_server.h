// A private etcd, as a store type of its own with a recipe, and whoever works there by hand through its gateway: locks
// in the form of client v3's package concurrency. Debian: etcd-server.
#pragma once
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/store/etcd/base64.h"
#include "core/store/etcd/store_type.h"
#include "core/store/server_recipe.h"
#include "tests/store/free_port.h"

namespace leasescope::tests {

// One question to a port of the loopback; what it answers behind its header, empty where nobody does within 3 s.
inline std::string asked_by_hand(int port, const std::string& path, const std::string& body,
                                 const std::string& token = {}) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::string out;
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0) {
    const std::string request = fmt::format(
        "POST {} HTTP/1.0\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n{}Content-Length: {}\r\n\r\n{}", path,
        token.empty() ? "" : "Authorization: " + token + "\r\n", body.size(), body);
    ::send(fd, request.data(), request.size(), MSG_NOSIGNAL);
    char buffer[65536];
    pollfd one{fd, POLLIN, 0};
    while (::poll(&one, 1, 3000) > 0) {
      const ssize_t got = ::recv(fd, buffer, sizeof(buffer), 0);
      if (got <= 0) break;
      out.append(buffer, static_cast<std::size_t>(got));
    }
  }
  ::close(fd);
  const std::size_t end = out.find("\r\n\r\n");
  return end == std::string::npos ? std::string() : out.substr(end + 4);
}

inline ServerRecipe etcd_recipe(const ServerPlace& place) {
  ServerRecipe out;
  const int port = free_port();
  const std::string clients = fmt::format("http://127.0.0.1:{}", port);
  const std::string peers = fmt::format("http://127.0.0.1:{}", free_port());
  out.serve.programs = {"etcd"};
  out.serve.package = "etcd-server";
  out.serve.arguments = {"--name",
                         "tests",
                         "--data-dir",
                         place.folder + "/data",
                         "--listen-client-urls",
                         clients,
                         "--advertise-client-urls",
                         clients,
                         "--listen-peer-urls",
                         peers,
                         "--initial-advertise-peer-urls",
                         peers,
                         "--initial-cluster",
                         "tests=" + peers,
                         "--heartbeat-interval",
                         "50",
                         "--election-timeout",
                         "500"};
  out.url.type = &etcd::store_type();
  out.url.given = true;
  out.url.endpoint.port = port;
  return out;
}

// It listens before it serves.
inline bool etcd_answers(const StoreUrl& url) {
  const std::string answer = asked_by_hand(url.endpoint.port, "/v3/kv/range", R"({"key":"AA=="})");
  return answer.find("revision") != std::string::npos;
}

inline const StoreType& private_etcd() {
  static const StoreType type = [] {
    StoreType out = etcd::store_type();
    out.recipe = etcd_recipe;
    out.answers = etcd_answers;
    return out;
  }();
  return type;
}

// Whoever takes locks there, as the client does it.
class EtcdByHand {
 public:
  explicit EtcdByHand(int port, std::string token = {}) : port_(port), token_(std::move(token)) {}

  nlohmann::json ask(const std::string& path, const nlohmann::json& body) const {
    return nlohmann::json::parse(asked_by_hand(port_, path, body.dump(), token_), nullptr, false);
  }
  // A session; 0: it could not be had.
  std::int64_t grant(int seconds) const {
    const nlohmann::json answer = ask("/v3/lease/grant", {{"TTL", std::to_string(seconds)}});
    return answer.is_object() && answer.contains("ID") ? std::stoll(answer["ID"].get<std::string>()) : 0;
  }
  static std::string place(const std::string& lock, std::int64_t lease) { return fmt::format("{}/{:x}", lock, lease); }
  // Its place in the line: made where it is not there, else read, in one transaction.
  bool stand_in_line(const std::string& lock, std::int64_t lease, const std::string& value = {}) const {
    const std::string key = etcd::base64(place(lock, lease));
    const nlohmann::json put{{"key", key}, {"value", etcd::base64(value)}, {"lease", std::to_string(lease)}};
    const nlohmann::json compare{{"key", key}, {"target", "CREATE"}, {"result", "EQUAL"}, {"create_revision", "0"}};
    const nlohmann::json answer =
        ask("/v3/kv/txn", {{"compare", nlohmann::json::array({compare})},
                           {"success", nlohmann::json::array({{{"request_put", put}}})},
                           {"failure", nlohmann::json::array({{{"request_range", {{"key", key}}}}})}});
    return answer.is_object() && answer.value("succeeded", false);
  }
  void put(const std::string& key, const std::string& value, std::int64_t lease = 0) const {
    ask("/v3/kv/put", {{"key", etcd::base64(key)}, {"value", etcd::base64(value)}, {"lease", std::to_string(lease)}});
  }
  void leave(const std::string& lock, std::int64_t lease) const {
    ask("/v3/kv/deleterange", {{"key", etcd::base64(place(lock, lease))}});
  }
  void keep_alive(std::int64_t lease) const { ask("/v3/lease/keepalive", {{"ID", std::to_string(lease)}}); }
  std::int64_t revision() const {
    const nlohmann::json answer = ask("/v3/kv/range", {{"key", "AA=="}});
    return std::stoll(answer["header"]["revision"].get<std::string>());
  }

 private:
  int port_;
  std::string token_;
};

}  // namespace leasescope::tests
